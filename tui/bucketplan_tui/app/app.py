"""The app: which screen is shown, and what becomes of signals and errors."""

import asyncio
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.fitting.measured_cost import MeasuredCost
from bucketplan.errors import UserError
from bucketplan.planning.scenario import Scenario
from bucketplan_tui.app.ascii_filter import AsciiFilter, ascii_only
from bucketplan_tui.app.theme import COLOURLESS, THEME, colourless
from bucketplan_tui.screens.loading import LoadingScreen
from bucketplan_tui.screens.plan import PlanScreen
from bucketplan_tui.screens.size import LEAST_HEIGHT, LEAST_WIDTH, SizeScreen
from bucketplan_tui.session.background import Read
from bucketplan_tui.session.messages import Failed, Loaded
from bucketplan_tui.session.pins import Pins


@dataclass(frozen=True)
class Opening:
    """What a session opens.

    Attributes:
        path: the cache as the user named it, or None for the built-in corpus.
        corpus: the corpus, where it is there already.
        read: how it is loaded, where it is not.
        scenario: the knobs and the cost to start with.
        baseline: what they are compared with.
        repeated: words of the command line that reopen the session as well.
        measured: the points behind the cost model, where there are any.
        progress: the file in which a run's sampler says how far it is, or None.
        pins: the plans that an earlier session pinned, and where those of this one are kept.
    """

    path: str | None
    corpus: Corpus | None
    read: Read
    scenario: Scenario
    baseline: Scenario
    repeated: tuple[str, ...] = ()
    measured: MeasuredCost | None = None
    progress: str | None = None
    pins: Pins = field(default_factory=Pins)


class BucketplanApp(App[int]):
    """Loads a corpus and plans it; returns the exit status of the process."""

    TITLE = "bucketplan"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", "Leave", show=False, priority=True)]

    def __init__(self, opening: Opening, clock: Callable[[], float] = time.perf_counter) -> None:
        # Textual chooses its colour filter while it starts, by the theme it finds then.
        if colourless():
            self.set_reactive(App.theme, COLOURLESS)
        super().__init__()
        self.register_theme(THEME)
        if not colourless():
            self.theme = THEME.name
        self.error: UserError | None = None
        self._opening, self._clock = opening, clock
        self._ascii = ascii_only()
        self._plan: PlanScreen | None = None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line passes before it is drawn."""
        filters = super().get_line_filters()
        return [*filters, AsciiFilter()] if self._ascii else filters

    @property
    def reopening_line(self) -> str | None:
        """The line of shell that reopens this session, once a corpus is there."""
        return None if self._plan is None else self._plan.reopening_line

    def on_mount(self) -> None:
        """Open the corpus, and leave cleanly when told to."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.exit, 128 + number)
        opening = self._opening
        if opening.corpus is None:
            self.push_screen(LoadingScreen(opening.path or "", opening.read))
        else:
            self._show(opening.corpus)

    def on_loaded(self, message: Loaded) -> None:
        """Show the plan screen in place of the load."""
        self._show(message.corpus)

    def on_failed(self, message: Failed) -> None:
        """Leave with what the user can mend; anything else is a fault of this program, and is raised."""
        if not isinstance(message.error, UserError):
            raise message.error
        self.error = message.error
        self.exit(2)

    def on_resize(self, event: events.Resize) -> None:
        """Cover what has no room, and uncover it again."""
        small = event.size.width < LEAST_WIDTH or event.size.height < LEAST_HEIGHT
        covered = isinstance(self.screen, SizeScreen)
        if small and not covered:
            self.push_screen(SizeScreen())
        elif covered and not small:
            self.pop_screen()

    def action_interrupt(self) -> None:
        """Leave as after an interrupt."""
        self.exit(130)

    def _show(self, corpus: Corpus) -> None:
        opening = self._opening
        self._plan = PlanScreen(
            corpus,
            opening.scenario,
            opening.baseline,
            opening.pins,
            source=opening.path,
            repeated=opening.repeated,
            measured=opening.measured,
            progress=opening.progress,
            clock=self._clock,
        )
        if isinstance(self.screen, LoadingScreen):
            self.switch_screen(self._plan)
        else:
            self.push_screen(self._plan)
