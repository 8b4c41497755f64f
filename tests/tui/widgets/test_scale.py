import pytest
from hypothesis import given
from hypothesis import strategies as st

from bucketplan_tui.widgets.scale import Scale, Stepping

LARGE = 10**9


@st.composite
def scales(draw: st.DrawFn) -> Scale:
    minimum = draw(st.integers(1, LARGE) | st.integers(1, 20))
    maximum = draw(st.integers(minimum, LARGE) | st.integers(minimum, minimum + 20))
    return Scale(minimum, maximum, draw(st.sampled_from(Stepping)))


@st.composite
def scales_with_value(draw: st.DrawFn) -> tuple[Scale, int]:
    scale = draw(scales())
    return scale, draw(st.integers(scale.minimum, scale.maximum))


def test_powers_move_to_the_next_power() -> None:
    scale = Scale.powers(45_444)
    assert scale.last == 32_768
    assert scale.step(512, 1) == 1024
    assert scale.step(512, -1) == 256
    assert scale.step(500, 1) == 512
    assert scale.step(500, -1) == 256
    assert scale.step(1, -1) == 1
    assert scale.step(32_768, 1) == 32_768
    assert scale.step(45_444, 1) == 45_444
    assert scale.step(45_444, -1) == 32_768
    assert scale.coarse(8, 1) == 64
    assert scale.coarse(16_384, 1) == 32_768
    assert scale.coarse(8, -1) == 1
    assert scale.at(1.0) == 32_768


def test_integers_step_by_one_and_coarsely_by_powers() -> None:
    scale = Scale.integers(1, 1000)
    assert scale.step(8, 1) == 9
    assert scale.step(8, -9) == 1
    assert scale.coarse(8, 1) == 16
    assert scale.coarse(8, -1) == 4
    assert scale.coarse(9, 1) == 16
    assert scale.coarse(9, -1) == 8
    assert scale.coarse(512, 1) == 1000
    assert scale.coarse(1000, -1) == 512
    assert scale.coarse(1, -1) == 1


@pytest.mark.parametrize("stepping", Stepping)
def test_one_value_is_a_range(stepping: Stepping) -> None:
    scale = Scale(7, 7, stepping)
    assert scale.position(7) == 0.0
    assert scale.at(0.5) == scale.step(7, 1) == scale.step(7, -1) == scale.coarse(7, 1) == 7
    assert (scale.first, scale.last) == (7, 7)


@pytest.mark.parametrize(("minimum", "maximum"), [(0, 4), (-1, 4), (5, 4)])
def test_impossible_ranges_are_refused(minimum: int, maximum: int) -> None:
    with pytest.raises(ValueError, match="range"):
        Scale.integers(minimum, maximum)


@given(scales_with_value(), st.integers(-40, 40))
def test_moves_stay_inside_and_go_the_right_way(case: tuple[Scale, int], by: int) -> None:
    scale, value = case
    for moved in (scale.step(value, by), scale.coarse(value, by)):
        assert moved in scale
        assert (moved - value) * by >= 0


@given(scales(), st.integers())
def test_moves_take_any_number(scale: Scale, value: int) -> None:
    assert scale.clamp(value) in scale
    assert scale.step(value, 1) in scale
    assert scale.coarse(value, -1) in scale
    assert 0 <= scale.position(value) <= 1


@given(scales_with_value())
def test_steps_up_and_down_from_a_stop_meet(case: tuple[Scale, int]) -> None:
    scale, value = case
    stop = scale.at(scale.position(value))
    if scale.first <= stop < scale.last:
        assert scale.step(scale.step(stop, 1), -1) == stop


@given(scales_with_value(), st.data())
def test_position_is_monotone(case: tuple[Scale, int], data: st.DataObject) -> None:
    scale, value = case
    other = data.draw(st.integers(value, scale.maximum))
    assert 0 <= scale.position(value) <= scale.position(other) <= 1


@given(scales_with_value())
def test_a_stop_lies_at_its_position(case: tuple[Scale, int]) -> None:
    scale, value = case
    stop = scale.at(scale.position(value))
    assert scale.at(scale.position(stop)) == stop
    if scale.stepping is Stepping.INTEGERS:
        assert stop == value


@given(scales(), st.floats(-1, 2), st.floats(-1, 2))
def test_at_is_monotone(scale: Scale, one: float, two: float) -> None:
    low, high = sorted((one, two))
    assert scale.minimum <= scale.at(low) <= scale.at(high) <= scale.maximum


@given(scales())
def test_the_ends_of_the_track_are_the_outermost_stops(scale: Scale) -> None:
    assert scale.at(0.0) == scale.first
    assert scale.at(1.0) == scale.last
