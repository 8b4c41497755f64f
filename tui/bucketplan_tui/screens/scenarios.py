"""The plan on screen, the baseline and the pins beside each other."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from bucketplan.exploring.comparison import Comparison
from bucketplan.figures.registry import figures
from bucketplan.planning.scenario import Scenario
from bucketplan.printable import printable
from bucketplan_tui.session.pins import Pin
from bucketplan_tui.text.cells import elide, left, right
from bucketplan_tui.text.numbers import figure_text
from bucketplan_tui.text.plan_words import described

# What is shown of each plan, under titles of one word.
_SHOWN = {
    "waste": "waste",
    "roots_per_window_mean": "mixing",
    "rank_idle": "idle",
    "seconds_per_step": "step",
    "hours": "run",
}
_NAME, _PLAN, _FIGURE = 9, 27, 8


@dataclass(frozen=True)
class Chosen:
    """What to do with a pin."""

    action: Literal["now", "baseline", "remove"]
    pin: Pin


class ScenariosScreen(ModalScreen[Chosen]):
    """Enter takes a pin up, b makes it the baseline, d lets it go; escape leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,s,q", "dismiss", "Close"),
        Binding("b", "choose('baseline')", "Baseline"),
        Binding("d,delete", "choose('remove')", "Let go"),
    ]

    def __init__(self, pins: list[Pin], now: Scenario, baseline: Scenario, comparison: Comparison | None) -> None:
        super().__init__()
        self._pins = pins
        both = [] if comparison is None else [comparison.baseline.report.metrics, comparison.plans[0].report.metrics]
        self._fixed = [Pin(*each) for each in zip(("baseline", "now"), (baseline, now), both, strict=False)]

    def compose(self) -> ComposeResult:
        """A line for each plan."""
        with Vertical(classes="dialog plans panel") as dialog:
            dialog.border_title = "Plans"
            dialog.border_subtitle = "enter: take up   b: baseline   d: let go   escape: close"
            titles = "".join(right(title, _FIGURE) for title in _SHOWN.values())
            yield Static(Content.styled(left("", _NAME) + left("plan", _PLAN) + titles + "  note", "$foreground-muted"))
            yield Static(Content("\n").join(plan_line(pin) for pin in self._fixed))
            yield OptionList(*(plan_line(pin) for pin in self._pins))
            if not self._pins:
                yield Static("No pins yet: p pins the plan on screen.", markup=False)

    def on_option_list_option_selected(self) -> None:
        """Take a pin up."""
        self.action_choose("now")

    def action_choose(self, action: Literal["now", "baseline", "remove"]) -> None:
        """Do something with the pin that is highlighted."""
        place = self.query_one(OptionList).highlighted
        if place is not None:
            self.dismiss(Chosen(action, self._pins[place]))


def plan_line(pin: Pin) -> Content:
    """Name, knobs, the figures that decide, and the note of a plan, in columns."""
    known = figures()
    cells = "".join(right(figure_text(known[name], pin.figures.get(name)), _FIGURE) for name in _SHOWN)
    name = left(elide(printable(pin.name), _NAME - 1), _NAME)
    plan = left(elide(described(pin.scenario), _PLAN - 1), _PLAN)
    note = printable(pin.note)
    return Content.assemble((name, "bold"), plan, cells, f"  {note}" if note else "")
