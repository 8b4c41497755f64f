"""A slider for whole numbers, one line high."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from rich.cells import set_cell_size
from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from bucketplan_tui.widgets.scale import Scale

LABEL_CELLS = 14
VALUE_CELLS = 9
SHORTEST_TRACK = 8
CARET = "▏"


class Columns(NamedTuple):
    """How many cells each part of a slider takes, from left to right."""

    label: int
    track: int
    value: int
    note: int

    @classmethod
    def fit(cls, width: int, value: int, note: int) -> Self:
        """Share out a width: what comes late in the list value, label, track, note yields first."""
        value = min(width, value)
        label = min(width - value, LABEL_CELLS)
        track = width - value - label
        note = note if track - note >= SHORTEST_TRACK else 0
        return cls(label, track - note, value, note)


class Slider(Widget, can_focus=True):
    """Chooses a number with keys, mouse or typed digits; posts `Changed` when the user changed it."""

    DEFAULT_CSS = """
    Slider {
        height: 1;
        text-wrap: nowrap; text-overflow: clip;
        .slider--filled, .slider--handle { color: $primary; }
        .slider--rest, .slider--note, .slider--former { color: $text-muted; }
        .slider--typed { text-style: bold underline; }
        .slider--error { color: $text-error; text-style: bold; }
        &:focus {
            .slider--label { text-style: bold; }
            .slider--filled, .slider--handle { color: $accent; }
            .slider--value { text-style: bold reverse; }
        }
        &:disabled { .slider--label, .slider--value, .slider--rest { color: $text-disabled; } }
    }
    """

    PARTS = ("label", "filled", "handle", "rest", "value", "note", "typed", "former", "error")
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"slider--{part}" for part in PARTS}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Step down", show=False),
        Binding("right", "step(1)", "Step up", show=False),
        Binding("shift+left,left_square_bracket,pagedown", "coarse(-1)", "Coarse step down", show=False),
        Binding("shift+right,right_square_bracket,pageup", "coarse(1)", "Coarse step up", show=False),
        Binding("home", "jump(0.0)", "Lowest", show=False),
        Binding("end", "jump(1.0)", "Highest", show=False),
        Binding("enter", "type", "Type a number", show=False),
    ]

    ALLOW_SELECT = False

    scale: reactive[Scale] = reactive(Scale.powers(1), init=False)
    value: reactive[int] = reactive(1, init=False)
    note: reactive[str] = reactive("")
    _typed: reactive[str | None] = reactive(None)
    _refused: reactive[bool] = reactive(False)

    @dataclass
    class Changed(Message):
        """The user chose another value; a value set by the program posts nothing."""

        slider: "Slider"
        value: int

        @property
        def control(self) -> "Slider":
            """The slider, for selectors in `textual.on`."""
            return self.slider

    def __init__(
        self,
        label: str,
        value: int,
        scale: Scale,
        *,
        note_width: int = 0,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
        disabled: bool = False,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes, disabled=disabled)
        self.label = label
        self.note_width = note_width
        self.set_reactive(Slider.scale, scale)
        self.set_reactive(Slider.value, scale.clamp(value))
        self._dragged_to: int | None = None

    def validate_value(self, value: int) -> int:
        """Keep the value inside the scale."""
        return self.scale.clamp(value)

    def watch_scale(self) -> None:
        """Bring the value inside the new scale."""
        self.value = self.scale.clamp(self.value)

    def watch_disabled(self, disabled: bool) -> None:
        """Let go of the mouse, since a disabled widget would never hear of its release."""
        super().watch_disabled(disabled)
        if disabled and self.is_attached:
            self.release_mouse()

    def action_step(self, by: int) -> None:
        """Move by stops."""
        if self._commit():
            self._choose(self.scale.step(self.value, by))

    def action_coarse(self, by: int) -> None:
        """Move by coarse steps."""
        if self._commit():
            self._choose(self.scale.coarse(self.value, by))

    def action_jump(self, position: float) -> None:
        """Move to a place on the track."""
        self._cancel()
        self._choose(self.scale.at(position))

    def action_type(self) -> None:
        """Begin to type a number, or take the typed one."""
        if self._typed is None:
            self._typed = ""
        else:
            self._commit()

    def on_key(self, event: events.Key) -> None:
        """Take the keys that edit a number; all others go to the bindings."""
        character = event.character or ""
        if character.isascii() and character.isdigit():
            self._edit((self._typed or "") + character)
        elif self._typed is None:
            return
        elif event.key == "backspace":
            self._edit(self._typed[:-1])
        elif event.key == "escape":
            self._cancel()
        elif character not in (",", "_"):
            return
        event.stop()
        event.prevent_default()

    def on_blur(self) -> None:
        """Take a valid typed number along when the focus leaves, and drop any other."""
        if not self._commit():
            self._cancel()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Jump to the pointer and follow it from here on."""
        offset = event.get_content_offset(self)
        if event.button != 1 or offset is None:
            return
        cell = offset.x - self._columns.label
        if 0 <= cell < self._columns.track:
            event.stop()
            self._cancel()
            self.capture_mouse()
            self._choose_cell(cell)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Remember where the pointer is; only its last place before a refresh counts."""
        if self.app.mouse_captured is not self:
            return
        event.stop()
        if self._dragged_to is None:
            self.call_after_refresh(self._follow_drag)
        self._dragged_to = event.get_content_offset_capture(self).x - self._columns.label

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End a drag."""
        if self.app.mouse_captured is self:
            event.stop()
            self.release_mouse()
            self._follow_drag()

    @on(events.MouseScrollUp)
    @on(events.MouseScrollDown)
    def _turn_wheel(self, event: events.MouseEvent) -> None:
        # Out of focus, the wheel scrolls what lies around.
        if self.has_focus:
            event.stop()
            event.prevent_default()
            self.action_step(1 if isinstance(event, events.MouseScrollUp) else -1)

    def render(self) -> Content:
        """Draw marker, label, track, value and note into exactly the width there is."""
        columns = self._columns
        marker = "▸" if self.has_focus else " "
        label = self._styled(set_cell_size(marker + self.label, columns.label), "label")
        track = self._render_track(columns.track)
        note = self._styled(set_cell_size(" " + self.note, columns.note), "note")
        if self._refused:
            reason = f" {self.scale.minimum:,} – {self.scale.maximum:,}"
            if len(reason) <= columns.note:
                note = self._styled(reason.ljust(columns.note), "error")
            else:
                # Without room in the note, the end of the track gives way: the number must not move.
                track = track[: max(0, columns.track - len(reason))]
                track += self._styled(reason[: columns.track], "error")
        return label + track + self._render_value(columns.value) + note

    @property
    def _columns(self) -> Columns:
        return Columns.fit(self.size.width, self._value_cells, self.note_width and self.note_width + 1)

    @property
    def _value_cells(self) -> int:
        # One cell before the number keeps it off the track; the one after it holds the caret.
        return max(VALUE_CELLS, len(f"{self.scale.maximum:,}") + 2)

    def _styled(self, text: str, part: str) -> Content:
        name = f"slider--{part}"
        # Textual 8.2 leaves `reverse` out of the visual style of a component.
        reverse = Style(reverse=self.get_component_styles(name).text_style.reverse)
        return Content.styled(text, self.get_visual_style(name) + reverse)

    def _handle_cell(self, cells: int) -> int:
        return round(self.scale.position(self.value) * (cells - 1))

    def _render_track(self, cells: int) -> Content:
        if cells == 0 or self.is_disabled:
            return self._styled("─" * cells, "rest")
        filled = self._handle_cell(cells)
        return (
            self._styled("━" * filled, "filled")
            + self._styled("●" if self.has_focus else "○", "handle")
            + self._styled("─" * (cells - filled - 1), "rest")
        )

    def _render_value(self, cells: int) -> Content:
        number, part, after = f"{self.value:,}", "value", " "
        if self.is_disabled:
            number = "n/a"
        elif self._typed is not None:
            number = f"{int(self._typed):,}" if self._typed else number
            part, after = ("typed" if self._typed else "former"), CARET
        if self._refused:
            part, after = "error", "!"
        if len(number) > cells:
            number = "…"[:cells]
        after = after[: cells - len(number)]
        return Content(" " * (cells - len(number) - len(after))) + self._styled(number, part) + Content(after)

    def _edit(self, typed: str) -> None:
        """Show other typed digits, unless they would not fit into the cells of the value."""
        typed = str(int(typed)) if typed else ""
        if not typed or len(f"{int(typed):,}") + 2 <= self._value_cells:
            self._typed = typed
            self._refused = False

    def _cancel(self) -> None:
        self._typed = None
        self._refused = False

    def _commit(self) -> bool:
        """Take the typed number, if any; False where it is out of range and stays to be corrected."""
        if self._typed and int(self._typed) not in self.scale:
            self._refused = True
            return False
        typed = self._typed
        self._cancel()
        if typed:
            self._choose(int(typed))
        return True

    def _choose(self, value: int) -> None:
        """Set the value for the user, and say so if that changed it."""
        former = self.value
        self.value = value
        if self.value != former:
            self.post_message(self.Changed(self, self.value))

    def _choose_cell(self, cell: int) -> None:
        cells = self._columns.track
        # A click on the handle must not move it, though the stop of its cell may differ from the value.
        if cells > 1 and cell != self._handle_cell(cells):
            self._choose(self.scale.at(cell / (cells - 1)))

    def _follow_drag(self) -> None:
        if self._dragged_to is not None:
            self._choose_cell(self._dragged_to)
        self._dragged_to = None
