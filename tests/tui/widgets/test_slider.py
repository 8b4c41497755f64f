import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Offset
from textual.pilot import Pilot

from bucketplan_tui.widgets.scale import Scale
from bucketplan_tui.widgets.slider import Columns, Slider

POWERS = Scale.powers(45_444)
INTEGERS = Scale.integers(1, 256)


class SliderApp(App[None]):
    CSS = "Slider { width: 60; }"

    def __init__(self, *sliders: Slider) -> None:
        super().__init__()
        self.sliders = sliders
        self.changes: list[tuple[str, int]] = []

    def compose(self) -> ComposeResult:
        yield from self.sliders

    def on_slider_changed(self, message: Slider.Changed) -> None:
        assert message.control is message.slider
        self.changes.append((message.slider.label, message.value))

    @property
    def values(self) -> list[int]:
        return [value for _, value in self.changes]


@pytest.fixture(autouse=True)
def _no_colour_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)


def bucket(value: int = 512, note_width: int = 0) -> Slider:
    return Slider("Bucket", value, POWERS, note_width=note_width, id="bucket")


def batch(value: int = 8, note_width: int = 0) -> Slider:
    return Slider("Micro-batch", value, INTEGERS, note_width=note_width, id="batch")


def shown(slider: Slider) -> str:
    return slider.render().plain


def columns(slider: Slider) -> Columns:
    return slider._columns


async def drag(pilot: Pilot[None], slider: Slider, *cells: int) -> None:
    """Send moves in one go, as a fast mouse does, before any refresh."""
    start = slider.content_region.x + columns(slider).label
    for cell in cells:
        at = Offset(start + cell, slider.content_region.y)
        pilot.app.screen._forward_event(events.MouseMove(slider, at.x, at.y, 0, 0, 1, False, False, False, at.x, at.y))
    await pilot.pause()


@pytest.mark.parametrize(
    ("key", "powers", "integers"),
    [
        ("left", 256, 31),
        ("right", 1024, 33),
        ("shift+left", 64, 16),
        ("shift+right", 4096, 64),
        ("left_square_bracket", 64, 16),
        ("right_square_bracket", 4096, 64),
        ("pagedown", 64, 16),
        ("pageup", 4096, 64),
        ("home", 1, 1),
        ("end", 32_768, 256),
    ],
)
async def test_keys_move(key: str, powers: int, integers: int) -> None:
    app = SliderApp(bucket(), batch(32))
    async with app.run_test() as pilot:
        await pilot.press(key, "tab", key)
        assert app.changes == [("Bucket", powers), ("Micro-batch", integers)]


async def test_nothing_is_posted_at_the_end_of_the_scale() -> None:
    app = SliderApp(bucket(1))
    async with app.run_test() as pilot:
        await pilot.press("left", "home", "pagedown")
        assert app.changes == []


@pytest.mark.parametrize("key", ["up", "down", "j", "k", "x", "escape", "comma", "underscore", "backspace"])
async def test_other_keys_reach_the_screen(key: str) -> None:
    pressed: list[str] = []

    class Keys(SliderApp):
        def on_key(self, event: events.Key) -> None:
            pressed.append(event.key)

    async with Keys(bucket()).run_test() as pilot:
        await pilot.press(key)
        assert pressed == [key]


async def test_typed_number() -> None:
    slider = bucket()
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        await pilot.press("4", "5", "comma", "4", "underscore", "4", "4")
        assert shown(slider).endswith("45,444▏")
        assert slider.value == 512
        await pilot.press("enter")
        assert app.values == [45_444]
        assert shown(slider).endswith("45,444 ")


async def test_enter_starts_with_the_former_value_shown() -> None:
    slider = bucket()
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        await pilot.press("enter")
        assert shown(slider).endswith("   512▏")
        await pilot.press("7", "0", "backspace", "enter")
        assert app.values == [7]
        await pilot.press("enter", "enter", "enter", "backspace", "escape")
        assert app.values == [7]


async def test_escape_gives_the_value_back() -> None:
    slider = bucket()
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        await pilot.press("9", "9", "escape")
        assert shown(slider).endswith("   512 ")
        assert (slider.value, app.changes) == (512, [])


@pytest.mark.parametrize("typed", ["0", "257", "999999"])
async def test_number_out_of_range_stays_to_be_corrected(typed: str) -> None:
    slider = batch(note_width=12)
    slider.note = "a note"
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        await pilot.press(*typed, "enter")
        assert f"{int(typed):,}! 1 – 256" in shown(slider)
        assert "a note" not in shown(slider)
        await pilot.press("right", "enter")
        assert f"{int(typed):,}! 1 – 256" in shown(slider)
        await pilot.press("backspace")
        assert "a note" in shown(slider)
        await pilot.press("escape")
        assert (slider.value, app.changes) == (8, [])


async def test_reason_takes_the_end_of_the_track_where_no_note_is() -> None:
    slider = batch()
    async with SliderApp(slider).run_test() as pilot:
        before = shown(slider)
        await pilot.press("9", "9", "9", "enter")
        assert " 1 – 256     999!" in shown(slider)
        assert len(shown(slider)) == len(before) == 60


async def test_more_digits_than_cells_are_ignored() -> None:
    slider = batch()
    async with SliderApp(slider).run_test() as pilot:
        await pilot.press(*"123456789")
        assert shown(slider).endswith("123,456▏")
        assert len(shown(slider)) == 60


@pytest.mark.parametrize(("typed", "value"), [("64", 64), ("999", 8), ("", 8)])
async def test_leaving_takes_only_a_valid_number(typed: str, value: int) -> None:
    slider = batch()
    app = SliderApp(slider, bucket())
    async with app.run_test() as pilot:
        await pilot.press(*typed, "tab")
        assert slider.value == value
        assert app.values == ([value] if value != 8 else [])
        assert shown(slider).endswith(f"{value} ")


async def test_step_while_typing_starts_from_the_typed_number() -> None:
    app = SliderApp(batch())
    async with app.run_test() as pilot:
        await pilot.press("4", "0", "right")
        assert app.values == [40, 41]


async def test_program_sets_values_silently() -> None:
    slider = bucket()
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        slider.value = 1024
        await pilot.pause()
        assert "1,024" in shown(slider)
        slider.value = 10**9
        assert slider.value == 45_444
        slider.scale = Scale.powers(1000)
        await pilot.pause()
        assert slider.value == 1000
        assert app.changes == []


def test_value_is_brought_into_the_scale_at_the_start() -> None:
    assert batch(1000).value == 256


async def test_click_jumps_to_a_stop() -> None:
    slider = bucket()
    app = SliderApp(slider, batch())
    async with app.run_test() as pilot:
        first, cells = columns(slider).label, columns(slider).track
        await pilot.click(slider, offset=(first, 0))
        await pilot.click(slider, offset=(first + cells - 1, 0))
        assert app.values == [1, 32_768]
        await pilot.click("#batch", offset=(first, 0))
        assert app.focused is app.sliders[1]


async def test_click_on_the_handle_keeps_a_value_between_stops() -> None:
    slider = bucket(500)
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        await pilot.click(slider, offset=(shown(slider).index("●"), 0))
        assert app.changes == []


async def test_clicks_beside_the_track_only_focus() -> None:
    slider = bucket()
    app = SliderApp(batch(), slider)
    async with app.run_test() as pilot:
        await pilot.click(slider, offset=(3, 0))
        await pilot.click(slider, offset=(58, 0))
        assert app.focused is slider
        assert app.changes == []


async def test_drag_takes_only_the_last_place_before_a_refresh() -> None:
    slider = bucket()
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        first, cells = columns(slider).label, columns(slider).track
        await pilot.mouse_down(slider, offset=(first, 0))
        assert app.values == [1]
        await drag(pilot, slider, *range(cells))
        assert app.values[-1] == 32_768
        assert len(app.values) <= 4
        await drag(pilot, slider, -50)
        await drag(pilot, slider, 500)
        assert app.values[-2:] == [1, 32_768]
        await pilot.mouse_up(slider, offset=(first + cells - 1, 0))
        await drag(pilot, slider, 0)
        assert slider.value == 32_768
        assert app.mouse_captured is None


async def test_disabling_ends_a_drag() -> None:
    slider = bucket()
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        await pilot.mouse_down(slider, offset=(columns(slider).label, 0))
        assert app.mouse_captured is slider
        slider.disabled = True
        await pilot.pause()
        assert app.mouse_captured is None


async def test_wheel_turns_only_the_slider_in_focus() -> None:
    class Wheel(SliderApp):
        def compose(self) -> ComposeResult:
            with VerticalScroll():
                yield from self.sliders

    focused, other = bucket(), batch()
    app = Wheel(focused, other)
    async with app.run_test() as pilot:
        focused.focus()
        await pilot.pause()
        for slider in (focused, other):
            for event in (events.MouseScrollUp, events.MouseScrollUp, events.MouseScrollDown):
                at = slider.content_region.offset
                app.screen._forward_event(event(slider, at.x, at.y, 0, 0, 0, False, False, False, at.x, at.y))
        await pilot.pause()
        assert app.changes == [("Bucket", 1024), ("Bucket", 2048), ("Bucket", 1024)]


async def test_disabled_shows_no_value() -> None:
    slider = Slider("Bucket", 512, POWERS, disabled=True)
    app = SliderApp(slider, batch())
    async with app.run_test() as pilot:
        assert shown(slider).endswith("    n/a ")
        assert "●" not in shown(slider)
        assert "○" not in shown(slider)
        await pilot.click(slider, offset=(columns(slider).label + 1, 0))
        await pilot.press("right")
        assert app.changes == [("Micro-batch", 9)]


async def test_focus_shows_without_colour() -> None:
    one, two = bucket(), batch()
    app = SliderApp(one, two)
    async with app.run_test() as pilot:
        assert shown(one).startswith("▸Bucket")
        assert "●" in shown(one)
        assert "○" in shown(two)
        assert any(getattr(span.style, "reverse", False) for span in one.render().spans)
        await pilot.press("tab")
        assert shown(one).startswith(" Bucket")
        assert shown(two).startswith("▸Micro-batch")


async def test_numbers_and_notes_do_not_move() -> None:
    slider = bucket(note_width=6)
    async with SliderApp(slider).run_test() as pilot:
        layout = columns(slider)
        for value, note in ((1, ""), (45_444, "2^15"), (1024, "far too long a note")):
            slider.value, slider.note = value, note
            await pilot.pause()
            assert columns(slider) == layout
            assert len(shown(slider)) == 60
            number = shown(slider)[layout.label + layout.track :][: layout.value]
            assert number == f"{value:,} ".rjust(9)


@pytest.mark.parametrize("disabled", [False, True])
async def test_every_width_down_to_none(disabled: bool) -> None:
    slider = bucket(note_width=6)
    slider.note = "2^9"
    slider.disabled = disabled
    async with SliderApp(slider).run_test() as pilot:
        for width in (*range(12), 21, 22, 23, 24, 30, 31, 37, 38, 80):
            slider.styles.width = width
            await pilot.pause()
            assert slider.size.width == width
            assert len(shown(slider)) == width
        if disabled:
            return
        for width in (0, 1, 9, 23):
            slider.styles.width = width
            await pilot.pause()
            await pilot.press("right", "home", *"99999", "enter")
            assert len(shown(slider)) == width
            await pilot.press("escape")
            await drag(pilot, slider, 0, 5)
            slider._choose_cell(3)


def test_columns_yield_from_the_right() -> None:
    assert Columns.fit(60, 9, 7) == Columns(14, 30, 9, 7)
    assert Columns.fit(36, 9, 7) == Columns(14, 13, 9, 0)
    assert Columns.fit(20, 9, 7) == Columns(11, 0, 9, 0)
    assert Columns.fit(0, 9, 6) == Columns(0, 0, 0, 0)


async def test_a_scale_of_one_value() -> None:
    slider = Slider("One", 1, Scale.powers(1))
    app = SliderApp(slider)
    async with app.run_test() as pilot:
        await pilot.press("right", "left", "home", "end", "pageup")
        await pilot.click(slider, offset=(30, 0))
        assert app.changes == []
