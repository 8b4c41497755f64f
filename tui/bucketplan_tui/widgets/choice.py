"""One of a few values, turned with the arrow keys, one line high."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class Choice(Widget, can_focus=True):
    """Shows the chosen value between arrows; posts `Changed` when the user changed it."""

    DEFAULT_CSS = """
    Choice {
        height: 1;
        &:focus { text-style: bold reverse; color: $accent; }
        &:disabled { color: $text-disabled; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", "Previous value", show=False),
        Binding("right,space,enter", "turn(1)", "Next value", show=False),
    ]

    value: reactive[str] = reactive("")

    class Changed(Message):
        """The user chose another value."""

        def __init__(self, choice: "Choice", value: str) -> None:
            self.choice, self.value = choice, value
            super().__init__()

    def __init__(self, values: tuple[str, ...], value: str, *, id: str) -> None:
        super().__init__(id=id)
        self._values = values
        self.set_reactive(Choice.value, value)

    def render(self) -> Content:
        """The value between arrows."""
        return Content(f"◂ {self.value} ▸")

    def action_turn(self, by: int) -> None:
        """Go to a neighbouring value, round the end."""
        self.value = self._values[(self._values.index(self.value) + by) % len(self._values)]
        self.post_message(self.Changed(self, self.value))

    def on_click(self, event: events.Click) -> None:
        """A click turns to the next value."""
        event.stop()
        self.action_turn(1)
