"""The main screen: knobs at the left above their figures, histograms at the right."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Footer

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.fitting.measured_cost import MeasuredCost
from bucketplan.cost.model import CostModel
from bucketplan.errors import UserError
from bucketplan.exploring.comparison import Comparison
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.report import Report
from bucketplan.planning.scenario import Scenario
from bucketplan_tui.charts.panel import Charts
from bucketplan_tui.session.background import Planning
from bucketplan_tui.session.history import History
from bucketplan_tui.session.messages import Planned, Refused
from bucketplan_tui.session.pins import Pin, Pins
from bucketplan_tui.session.reopening import reopening_line
from bucketplan_tui.text.plan_words import described
from bucketplan_tui.widgets.figures import Figures
from bucketplan_tui.widgets.header import CacheHeader
from bucketplan_tui.widgets.knob_panel import KnobPanel

if TYPE_CHECKING:
    from bucketplan_tui.screens.scenarios import Chosen
    from bucketplan_tui.session.export import Exported

# The other screens are imported when they are called for: the first paint does not wait for them.

# Below this height the histograms are shown one at a time.
_TALL = 30
_WIDE = 110
# The sampler writes its progress no more often than every ten seconds.
_PROGRESS_SECONDS = 5


class PlanScreen(Screen[None]):
    """Knobs, figures and histograms of one corpus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help"),
        Binding("b", "baseline", "Baseline"),
        Binding("p", "pin", "Pin"),
        Binding("s", "pins", "Plans"),
        Binding("r", "reset", "Reset", show=False),
        Binding("z", "undo", "Undo"),
        Binding("Z", "redo", "Redo", show=False),
        Binding("e", "knobs", "Knobs"),
        Binding("t", "cost", "Time"),
        Binding("i", "cache", "Cache"),
        Binding("c", "chart", "Charts"),
        Binding("plus", "zoom", "Zoom", show=False),
        Binding("underscore,escape", "unzoom", "Back", show=False),
        Binding("y", "copy", "Copy", show=False),
        Binding("w", "write", "Write"),
        Binding("down,j", "app.focus_next", "Next", show=False),
        Binding("up,k", "app.focus_previous", "Previous", show=False),
        Binding("q", "app.quit", "Quit"),
    ]

    scenario: reactive[Scenario] = reactive(Scenario(), init=False)
    baseline: reactive[Scenario] = reactive(Scenario(), init=False)

    def __init__(
        self,
        corpus: Corpus,
        scenario: Scenario,
        baseline: Scenario,
        pins: Pins,
        *,
        source: str | None,
        repeated: tuple[str, ...] = (),
        measured: MeasuredCost | None = None,
        progress: str | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__()
        self._pins, self._measured, self._progress = pins, measured, progress
        self._explorer = Explorer(corpus, measured)
        self.corpus = corpus
        self.comparison: Comparison | None = None
        self._start, self._source, self._repeated = (scenario, baseline), source, repeated
        self._history = History()
        self.set_reactive(PlanScreen.scenario, scenario)
        self.set_reactive(PlanScreen.baseline, baseline)
        self._planning = Planning(self._explorer, self.post_message, clock)

    def compose(self) -> ComposeResult:
        """Header, knobs above figures, histograms beside, footer."""
        yield CacheHeader(self.corpus)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield KnobPanel(self.corpus, self.scenario, classes="panel")
                yield Figures(classes="panel")
            yield Charts(id="charts")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Ask for the first report, once the screen is painted: both would fight for the interpreter."""
        self.call_after_refresh(self._plan)
        if self._progress is not None:
            self._show_progress(self._progress)
            self.set_interval(_PROGRESS_SECONDS, partial(self._show_progress, self._progress))

    def _show_progress(self, path: str) -> None:
        """Say how far the run is; a line that says the same is not drawn again."""
        from bucketplan_tui.session.run_progress import progress_words

        self.query_one(KnobPanel).border_title = f"Plan · {progress_words(path)}"

    def on_unmount(self) -> None:
        """End the planning thread."""
        self._planning.stop()

    def on_resize(self, event: events.Resize) -> None:
        """Arrange what there is room for."""
        self.set_class(event.size.width >= _WIDE, "-wide")
        self.query_one(Charts).crowded = event.size.height < _TALL and not self.has_class("-zoomed")

    def watch_scenario(self) -> None:
        """Show the knobs where they now stand, and plan."""
        self.query_one(KnobPanel).scenario = self.scenario
        self._plan()

    def watch_baseline(self) -> None:
        """Measure the new baseline."""
        self._plan()

    def on_knob_panel_moved(self, message: KnobPanel.Moved) -> None:
        """A slider was moved."""
        self._change(self.scenario.change(message.knob, message.value), message.knob)

    def on_planned(self, message: Planned) -> None:
        """Show the figures, unless a newer request is under way."""
        if message.generation != self._planning.generation:
            return
        self.comparison = message.comparison
        report, baseline = self.comparison.plans[0].report, self.comparison.baseline.report
        figures = self.query_one(Figures)
        figures.show(report, baseline)
        figures.border_subtitle = f"baseline: {described(self.baseline)}"
        self.query_one(KnobPanel).report = report
        self.query_one(Charts).show(report)
        header = self.query_one(CacheHeader)
        header.status = f"✓ {message.seconds * 1000:.0f} ms"
        header.warnings = len(self.warnings)

    def on_refused(self, message: Refused) -> None:
        """Say why nothing can be planned; the figures stay those of the last plan, and say so."""
        if message.generation == self._planning.generation:
            self.query_one(CacheHeader).status = "✗ not planned"
            self.notify(message.reason, title="No plan", severity="warning", markup=False)

    @property
    def warnings(self) -> list[str]:
        """What the load, the plan and the baseline warn of."""
        return list(self.corpus.warnings) if self.comparison is None else self.comparison.warnings

    @property
    def report(self) -> Report | None:
        """The figures on screen."""
        return None if self.comparison is None else self.comparison.plans[0].report

    @property
    def report_scenario(self) -> Scenario:
        """The knobs and the cost of the figures on screen."""
        return self.scenario if self.report is None else Scenario(self.report.knobs, self.report.cost)

    @property
    def reopening_line(self) -> str:
        """The line of shell that reopens this session."""
        return reopening_line(self._source, self._repeated, self.scenario, self.baseline)

    def action_help(self) -> None:
        """Show keys, signs and the meaning of figures."""
        from bucketplan_tui.screens.help import HelpScreen

        metrics = () if self.report is None else self.report.sources
        self.app.push_screen(HelpScreen(self.scenario.knobs.mixing, metrics))

    def action_cache(self) -> None:
        """Show what is known of the cache, and all warnings."""
        from bucketplan_tui.screens.cache import CacheScreen

        self.app.push_screen(CacheScreen(self.corpus, self.warnings, self.scenario.knobs.max_length))

    def action_knobs(self) -> None:
        """Show every knob; those not on a slider are turned there."""
        from bucketplan_tui.screens.knobs import KnobsScreen

        self.app.push_screen(KnobsScreen(self.scenario), self._take)

    def action_cost(self) -> None:
        """Show the cost model behind the predicted time; its coefficients are typed there."""
        from bucketplan_tui.screens.cost import CostScreen

        start = self._start[0].cost if self._measured is None else self._measured.model
        self.app.push_screen(CostScreen(self.scenario.cost, start, self._measured, self.report), self._take_cost)

    def action_baseline(self) -> None:
        """Make the plan on screen the baseline."""
        self.baseline = self.scenario

    def action_reset(self) -> None:
        """Go back to the knobs and the baseline of the start."""
        scenario, self.baseline = self._start
        self._change(scenario, None)

    def action_undo(self) -> None:
        """Take back the last change of knobs."""
        self.scenario = self._history.undo(self.scenario) or self.scenario

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self.scenario = self._history.redo(self.scenario) or self.scenario

    def action_pin(self) -> None:
        """Keep the plan on screen, with a note."""
        from bucketplan_tui.screens.ask import AskScreen

        if self.report is not None:
            pin = Pin(self._pins.next_name(), self.report_scenario, self.report.metrics)
            question = f"{described(pin.scenario)}: a note on plan {pin.name}, or nothing"
            self.app.push_screen(AskScreen("Pin", question, ""), lambda note: self._pin(pin, note))

    def action_pins(self) -> None:
        """Show the pinned plans beside the one on screen and the baseline."""
        from bucketplan_tui.screens.scenarios import ScenariosScreen

        screen = ScenariosScreen(self._pins.all, self.scenario, self.baseline, self.comparison)
        self.app.push_screen(screen, self._choose)

    def action_write(self) -> None:
        """Write the order down for the trainer."""
        from bucketplan_tui.screens.ask import AskScreen
        from bucketplan_tui.session.export import Target

        question = "The order of the whole run, as a manifest (JSON, or .npz), in the file"
        screen = AskScreen("Write the order", question, "order.json", Target(self._source))
        self.app.push_screen(screen, self._write)

    def action_chart(self) -> None:
        """Show the next histogram."""
        self.query_one(Charts).next()

    def action_zoom(self) -> None:
        """Give the histograms the whole screen, or take it back."""
        self._zoom(not self.has_class("-zoomed"))

    def action_unzoom(self) -> None:
        """Take the screen back from the histograms."""
        self._zoom(False)

    def action_copy(self) -> None:
        """Show the line of shell that reopens this session, and offer it to the terminal's clipboard."""
        self.app.copy_to_clipboard(self.reopening_line)
        self.notify(
            self.reopening_line, title="Sent to the terminal's clipboard; printed on leaving, too", markup=False
        )

    def _take_cost(self, cost: CostModel | None) -> None:
        if cost is not None:
            self._change(replace(self.scenario, cost=cost), None)

    def _pin(self, pin: Pin, note: str | None) -> None:
        if note is not None:
            self._told(lambda: self._pins.add(replace(pin, note=note)))

    def _choose(self, chosen: Chosen | None) -> None:
        if chosen is None:
            return
        pin = chosen.pin
        match chosen.action:
            case "now":
                self._change(pin.scenario, None)
            case "baseline":
                self.baseline = pin.scenario
            case "remove":
                self._told(lambda: self._pins.remove(pin))

    def _told(self, work: Callable[[], None]) -> None:
        """Do something, and say why it could not be done."""
        try:
            work()
        except UserError as error:
            self.notify(str(error), severity="warning", markup=False)

    def _write(self, path: str | None) -> None:
        from bucketplan_tui.session.export import export

        if path is not None:
            export(self._explorer, self.scenario, path, self.post_message)

    def on_exported(self, message: Exported) -> None:
        """Say how the writing went."""
        title, severity = ("Written", "information") if message.done else ("Not written", "warning")
        self.notify(message.told, title=title, severity=severity, markup=False)  # type: ignore[arg-type]

    def _take(self, scenario: Scenario | None) -> None:
        if scenario is not None:
            self._change(scenario, None)

    def _change(self, scenario: Scenario, knob: str | None) -> None:
        if scenario != self.scenario:
            self._history.record(self.scenario, knob)
            self.scenario = scenario

    def _plan(self) -> None:
        self.query_one(CacheHeader).status = "…"
        self._planning.request(self.scenario, self.baseline)

    def _zoom(self, zoomed: bool) -> None:
        self.set_class(zoomed, "-zoomed")
        self.query_one(Charts).crowded = self.size.height < _TALL and not zoomed
