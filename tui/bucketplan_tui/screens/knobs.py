"""Every knob with its range and meaning; leaving the screen takes them."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Static

from bucketplan.errors import KnobError
from bucketplan.planning.scenario import Scenario, settings
from bucketplan.settings import Setting, Value
from bucketplan_tui.widgets.choice import Choice

_SWITCH = ("off", "on")


class KnobsScreen(ModalScreen[Scenario]):
    """A line for each knob; what cannot be taken is said beside it, and stays as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("down", "app.focus_next", "Next", show=False),
        Binding("up", "app.focus_previous", "Previous", show=False),
    ]

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self._scenario = scenario

    def compose(self) -> ComposeResult:
        """Name, value and meaning of each."""
        with VerticalScroll(classes="dialog panel", can_focus=False) as dialog:
            dialog.border_title, dialog.border_subtitle = "Knobs", "↑↓: go   ←→: turn   escape: take and close"
            for each in settings().values():
                with Horizontal(classes="knob"):
                    yield Static(each.label, classes="name", markup=False)
                    yield self._control(each)
                    yield Static(_meaning(each), id=f"meaning-{each.name}", classes="meaning", markup=False)

    def _control(self, each: Setting) -> Widget:
        text = each.text(self._scenario.values.get(each.name, each.default))
        control: Widget
        if each.kind is bool or each.choices:
            control = Choice(_SWITCH if each.kind is bool else tuple(map(str, each.choices)), text, id=each.name)
        else:
            control = Input(text, compact=True, select_on_focus=True, id=each.name)
            control.cursor_blink = False
        control.disabled = each.name not in self._scenario.values
        return control

    @on(Choice.Changed)
    def _turned(self, message: Choice.Changed) -> None:
        self._take(message.choice, message.value)
        if message.choice.id == "strategy":
            self._show_options()

    @on(Input.Submitted)
    @on(Input.Blurred)
    def _typed(self, message: Input.Submitted | Input.Blurred) -> None:
        self._take(message.input, message.value)

    @on(Input.Submitted)
    def _next(self) -> None:
        self.app.action_focus_next()

    def action_close(self) -> None:
        """Take what is typed and leave."""
        if isinstance(self.focused, Input):
            self._take(self.focused, self.focused.value)
        self.dismiss(self._scenario)

    def _take(self, control: Widget, text: str) -> None:
        each = settings()[control.id or ""]
        meaning = self.query_one(f"#meaning-{each.name}", Static)
        try:
            value: Value = each.parse(text)
            self._scenario = self._scenario.change(each.name, value)
        except KnobError:
            meaning.update(f"✗ give {each.domain}")
            meaning.add_class("-refused")
        else:
            meaning.update(_meaning(each))
            meaning.remove_class("-refused")

    def _show_options(self) -> None:
        """Show the options of the strategy chosen, and which belong to others."""
        values = self._scenario.values
        for each in settings().values():
            control = self.query_one(f"#{each.name}")
            control.disabled = each.name not in values
            if isinstance(control, Input) and each.name in values:
                control.value = each.text(values[each.name])


def _meaning(each: Setting) -> str:
    return f"{each.domain}: {each.help}"
