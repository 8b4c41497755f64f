"""What the screens look like at the smallest size and at a comfortable one."""

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from bucketplan.planning.knobs import Knobs
from bucketplan.planning.scenario import Scenario
from tests.tui.conftest import Start
from tests.tui.waiting import planned

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
Compare = Callable[..., bool]


def after(*keys: str) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Wait for the figures, press keys, and wait again."""

    async def run(pilot: Pilot[int]) -> None:
        await planned(pilot)
        await pilot.press(*keys)
        await planned(pilot)
        await pilot.pause(0.2)

    return run


@SIZES
def test_the_plan(snap_compare: Compare, start: Start, size: tuple[int, int]) -> None:
    assert snap_compare(start(), terminal_size=size, run_before=after())


@SIZES
def test_left_overs_and_a_worse_plan(snap_compare: Compare, start: Start, size: tuple[int, int]) -> None:
    keys = ("b", "tab", "right", "shift+tab", *["right"] * 9)
    assert snap_compare(start(), terminal_size=size, run_before=after(*keys))


@SIZES
def test_typing_a_number_out_of_range(snap_compare: Compare, start: Start, size: tuple[int, int]) -> None:
    assert snap_compare(start(), terminal_size=size, run_before=after("tab", "9", "9", "9", "enter"))


@SIZES
def test_every_knob(snap_compare: Compare, start: Start, size: tuple[int, int]) -> None:
    assert snap_compare(start(), terminal_size=size, run_before=after("e", "down"))


@SIZES
def test_the_cache(snap_compare: Compare, start: Start, size: tuple[int, int]) -> None:
    assert snap_compare(start(), terminal_size=size, run_before=after("i"))


@SIZES
def test_help(snap_compare: Compare, start: Start, size: tuple[int, int]) -> None:
    assert snap_compare(start(), terminal_size=size, run_before=after("question_mark"))


@SIZES
def test_ranks_that_wait(snap_compare: Compare, start: Start, size: tuple[int, int]) -> None:
    scenario = Scenario(Knobs(world_size=8, align_ranks=False))
    assert snap_compare(start(scenario=scenario), terminal_size=size, run_before=after("c"))


def test_histograms_over_the_whole_screen(snap_compare: Compare, start: Start) -> None:
    assert snap_compare(start(), terminal_size=(80, 24), run_before=after("plus"))


def test_a_terminal_too_small(snap_compare: Compare, start: Start) -> None:
    assert snap_compare(start(), terminal_size=(60, 12))


def test_without_colour(snap_compare: Compare, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(start(), terminal_size=(80, 24), run_before=after())
