from textual.pilot import Pilot
from textual.widgets import Input

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.fitting.measured_cost import MeasuredCost
from bucketplan.cost.fitting.points import Point
from bucketplan.cost.model import CostModel
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.scenario import Scenario
from bucketplan_tui.app.app import BucketplanApp, Opening
from bucketplan_tui.screens.cost import CostScreen, share_bars
from bucketplan_tui.widgets.curve import POINT, Curve, CurveChart, draw
from bucketplan_tui.widgets.histogram import HistogramChart
from tests.tui.conftest import Start
from tests.tui.waiting import figure_lines, never_read, planned

POINTS = tuple(Point(line, 2**line, 1e-3 * 2**line) for line in range(5, 15))


async def opened(pilot: Pilot[int]) -> CostScreen:
    await planned(pilot)
    await pilot.press("t")
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, CostScreen)
    return screen


async def test_coefficients_are_typed_and_the_time_follows(start: Start) -> None:
    async with start().run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot)
        screen.query_one("#linear", Input).value = "0.001"
        screen.query_one("#quadratic", Input).value = "0"
        await pilot.press("escape")
        plan = await planned(pilot)
        assert plan.scenario.cost == CostModel(linear=0.001, quadratic=0)
        assert plan.report is not None
        assert plan.report.metrics["quadratic_share"] == 0
        assert any(line.startswith("Run time") for line in figure_lines(plan))


async def test_what_is_no_coefficient_is_marked_and_not_taken(start: Start) -> None:
    async with start().run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot)
        answer = screen.query_one("#linear", Input)
        answer.value = "-1"
        await pilot.pause()
        assert answer.has_class("-refused")
        await pilot.press("escape")
        assert (await planned(pilot)).scenario.cost == CostModel()


async def test_a_reset_brings_the_start_back(start: Start) -> None:
    async with start(scenario=Scenario(Knobs(), CostModel(linear=0.002))).run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot)
        screen.query_one("#linear", Input).value = "5"
        await pilot.press("ctrl+r", "escape")
        assert (await planned(pilot)).scenario.cost == CostModel(linear=0.002)


async def test_measured_points_stand_on_the_curve(demo: Corpus) -> None:
    measured = MeasuredCost("cost.json", CostModel(linear=1e-3, quadratic=0), POINTS)
    scenario = Scenario(Knobs(), measured.model)
    app = BucketplanApp(Opening(None, demo, never_read, scenario, scenario.baseline, measured=measured))
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot)
        await pilot.pause(0.2)
        assert POINT in str(screen.query_one(CurveChart).render())
        assert screen.query_one("#plan-widths", HistogramChart).bars is not None
        await pilot.press("escape")
        plan = await planned(pilot)
        assert any("extrapolated" in line for line in plan.warnings)


def test_the_curve_is_drawn_at_any_size() -> None:
    for width in (20, 33, 80, 200):
        for height in (5, 9, 30):
            lines = draw(Curve(CostModel(), (16, 16_384), ((1024.0, 0.8),)), width, height).split("\n")
            assert len(lines) == height
            assert all(len(line) <= width for line in lines)


def test_the_quadratic_share_grows_with_the_width() -> None:
    shares = share_bars(CostModel(), (16, 16_384)).counts
    assert list(shares) == sorted(shares)
    assert shares[-1] == round(1000 * 16_384 / (16_384 + 6.8715e-4 / 8.8509e-8))
    assert set(share_bars(CostModel(linear=0, quadratic=0), (16, 64)).counts) == {0}


async def test_it_opens_at_the_smallest_size(start: Start) -> None:
    async with start().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert screen.query_one(CurveChart).size.height >= 3
