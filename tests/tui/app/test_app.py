"""The app as a user drives it: knobs by keys, mouse and typing, figures that follow, sizes, errors, leaving."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from textual.widgets import Input, OptionList

from bucketplan.corpus.corpus import Corpus, categories
from bucketplan.errors import Cancelled, InputError
from bucketplan.exploring.comparison import compare
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.report import Report
from bucketplan.order import read_manifest
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.scenario import Scenario
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential
from bucketplan_tui.app.app import BucketplanApp, Opening
from bucketplan_tui.charts.panel import Charts
from bucketplan_tui.screens.help import HelpScreen
from bucketplan_tui.screens.loading import LoadingScreen
from bucketplan_tui.screens.plan import PlanScreen
from bucketplan_tui.screens.scenarios import ScenariosScreen
from bucketplan_tui.screens.size import SizeScreen
from bucketplan_tui.session.messages import Planned
from bucketplan_tui.session.pins import Pins
from bucketplan_tui.widgets.figures import Figures
from bucketplan_tui.widgets.header import CacheHeader
from bucketplan_tui.widgets.histogram import HistogramChart
from bucketplan_tui.widgets.ranks import RanksChart
from bucketplan_tui.widgets.slider import Slider
from tests.tui.conftest import Start
from tests.tui.waiting import figure_lines, never_read, planned, until

SIZE = (80, 24)


async def test_figures_of_the_plan_stand_beside_the_baseline(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        waste = next(line for line in figure_lines(screen) if line.startswith("Padding waste"))
        assert waste.split() == ["Padding", "waste", "0.07%", "30.19%", "-30.13", "pt", "▼"]


async def test_every_figure_on_screen_is_the_librarys(start: Start, demo: Corpus) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("right", "tab", "right", "tab", "right")
        await planned(pilot)
        assert screen.scenario.knobs == Knobs(Bucket(16), micro_batch=3, accumulation=9)
        assert screen.report is not None
        assert screen.report.metrics == Explorer(demo).report(screen.scenario.knobs).metrics


async def test_moving_the_bucket_moves_the_figures_and_the_difference(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press(*["right"] * 6)
        await planned(pilot)
        assert screen.scenario.knobs.strategy == Bucket(512)
        waste = next(line for line in figure_lines(screen) if line.startswith("Padding waste"))
        assert waste.split() == ["Padding", "waste", "3.41%", "30.19%", "-26.78", "pt", "▼"]


async def test_a_number_can_be_typed_that_is_no_stop(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("1", "0", "0", "enter")
        await planned(pilot)
        assert screen.scenario.knobs.strategy == Bucket(100)


async def test_the_mouse_moves_a_slider(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        slider = screen.query_one("#accumulation", Slider)
        await pilot.click(slider, offset=(slider.size.width // 2, 0))
        await planned(pilot)
        assert screen.scenario.knobs.accumulation == slider.value != 8


async def test_a_burst_of_moves_shows_only_the_last(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[int] = []
    show = Figures.show

    def noted(self: Figures, report: Report, baseline: Report) -> None:
        shown.append(report.knobs.accumulation)
        show(self, report, baseline)

    monkeypatch.setattr(Figures, "show", noted)
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("tab", "tab")
        shown.clear()
        hold = threading.Event()
        answer = Explorer.report

        def held(self: Explorer, *args: object) -> Report:
            hold.wait(10)
            return answer(self, *args)  # type: ignore[arg-type]

        monkeypatch.setattr(Explorer, "report", held)
        await pilot.press(*["right"] * 50)
        hold.set()
        await planned(pilot)
        assert shown == [58]
        assert screen.report is not None
        assert screen.report.knobs.accumulation == screen.scenario.knobs.accumulation == 58


async def test_a_stale_result_is_never_shown(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        assert screen.report is not None
        stale = compare(Explorer(screen.corpus), Scenario(), [("now", Scenario(Knobs(Bucket(4096))))])
        screen.post_message(Planned(screen._planning.generation - 1, stale, 0.0))
        await pilot.pause()
        assert screen.report.knobs.strategy == Bucket(8)
        assert "30.19%" in figure_lines(screen)[1]


async def test_b_makes_the_plan_the_baseline_and_r_goes_back(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("right", "b")
        await planned(pilot)
        assert screen.baseline.knobs == Knobs(Bucket(16))
        assert figure_lines(screen)[1].split()[-1] == "="
        await pilot.press("r")
        await planned(pilot)
        assert screen.scenario == Scenario()
        assert screen.baseline.knobs == Knobs(Sequential())


async def test_changes_are_undone_and_redone_knob_by_knob(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("right", "right", "tab", "right", "z")
        assert screen.scenario.knobs == Knobs(Bucket(32))
        await pilot.press("z", "z")
        assert screen.scenario.knobs == Knobs()
        await pilot.press("Z")
        assert screen.scenario.knobs == Knobs(Bucket(32))


async def test_arrows_go_from_slider_to_slider(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        assert screen.focused is screen.query_one("#bucket")
        await pilot.press("down", "j")
        assert screen.focused is screen.query_one("#accumulation")
        await pilot.press("up", "k")
        assert screen.focused is screen.query_one("#bucket")


async def test_histograms_show_one_at_a_time_where_there_is_no_room(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)

        def visible() -> list[str | None]:
            return [chart.id for chart in screen.query(HistogramChart) if chart.display]

        assert visible() == ["widths"]
        await pilot.press("c")
        assert visible() == ["roots_per_window"]
        await pilot.press("c", "c", "c")
        assert visible() == ["widths"]
        await pilot.press("plus")
        assert len(visible()) == 3
        assert not screen.query_one("#left").display
        await pilot.press("escape")
        assert visible() == ["widths"]
        await pilot.resize_terminal(120, 36)
        await pilot.pause()
        assert visible() == ["widths", "roots_per_window", "lengths"]
        await pilot.press("c")
        assert visible() == ["step_seconds"]


async def test_several_ranks_have_a_chart_and_a_figure_of_their_waiting(start: Start) -> None:
    scenario = Scenario(Knobs(world_size=8, align_ranks=False))
    async with start(scenario=scenario).run_test(size=(120, 36)) as pilot:
        screen = await planned(pilot)
        assert any(line.startswith("Ranks idle") and "69." in line for line in figure_lines(screen)[:14])
        await pilot.press("c")
        await pilot.pause()
        ranks = str(screen.query_one(RanksChart).render()).split("\n")
        assert len(ranks) == 8
        assert all("█" in line and "░" in line for line in ranks)
        assert any("with align-ranks they would idle 0.5%" in line for line in screen.warnings)


async def test_it_shrinks_to_nothing_and_comes_back(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        for width, height in ((60, 20), (40, 10), (20, 5), (1, 1)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert isinstance(pilot.app.screen, SizeScreen)
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        assert pilot.app.screen is screen
        await pilot.press("right")
        await planned(pilot)
        assert screen.scenario.knobs.strategy == Bucket(16)


async def test_it_can_start_too_small(start: Start) -> None:
    async with start().run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        assert isinstance(pilot.app.screen, SizeScreen)
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        assert isinstance(pilot.app.screen, PlanScreen)


async def test_help_names_every_key_of_the_footer(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        text = str(pilot.app.screen.query("Static").first().render())
        keys = [binding.key for _, binding, _, _ in screen.active_bindings.values() if binding.show]
        for key in keys:
            assert {"question_mark": "?", "plus": "+"}.get(key, key) in text
        await pilot.press("escape")
        assert pilot.app.screen_stack[-1] is screen


async def test_the_knobs_screen_turns_every_knob(start: Start) -> None:
    async with start().run_test(size=(120, 36)) as pilot:
        screen = await planned(pilot)
        await pilot.press("e", "down", "down", "4", "enter", "escape")
        await planned(pilot)
        assert screen.scenario.knobs == Knobs(micro_batch=4)
        assert screen.query_one("#micro_batch", Slider).value == 4


async def test_the_knobs_screen_keeps_what_it_cannot_take(start: Start) -> None:
    async with start().run_test(size=(120, 36)) as pilot:
        screen = await planned(pilot)
        await pilot.press("e", "down", "down", "0", "enter")
        meaning = pilot.app.screen.query_one("#meaning-micro_batch")
        assert "give 1 .. 256" in str(meaning.render())
        await pilot.press("escape")
        await planned(pilot)
        assert screen.scenario.knobs == Knobs()


async def test_another_strategy_disables_the_slider_of_the_bucket(start: Start) -> None:
    async with start().run_test(size=(120, 36)) as pilot:
        screen = await planned(pilot)
        await pilot.press("e", "right", "escape")
        await planned(pilot)
        assert screen.scenario.knobs.strategy == Sequential()
        assert screen.query_one("#bucket", Slider).disabled


async def test_left_over_records_are_marked_beside_the_bucket(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("tab", "right")
        await planned(pilot)
        assert screen.scenario.knobs.micro_batch == 3
        assert screen.query_one("#bucket", Slider).note == "! 25% left"
        assert any("left over" in line for line in screen.warnings)


async def test_knobs_that_leave_nothing_keep_the_last_figures(start: Start) -> None:
    scenario = Scenario(Knobs(max_length=1, over_max="keep"))
    async with start(scenario=scenario).run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        before = figure_lines(screen)
        screen.scenario = screen.scenario.change("over_max", "drop")
        await planned(pilot)
        assert screen.query_one(CacheHeader).status == "✗ not planned"
        assert figure_lines(screen) == before


async def test_hostile_names_are_text(start: Start) -> None:
    names = ["\x1b]0;owned\x07", "[bold red]x", "[/]", "\u202etxt", "[@click=app.quit]quit[/]"]
    corpus = Corpus("ca\x1b[31mche [bold]x[_nope].jsonl", np.arange(1, 6, dtype=np.int32), None, categories(names))
    async with start(corpus).run_test(size=(120, 36)) as pilot:
        screen = await planned(pilot)
        header = str(screen.query_one(CacheHeader).render())
        assert "ca\\x1b[31mche [bold]x[_nope].jsonl" in header
        await pilot.press("i")
        await pilot.pause()
        text = str(pilot.app.screen.query("Static").first().render())
        for name in ("\\x1b]0;owned\\x07", "[bold red]x", "[/]", "\\u202etxt", "[@click=app.quit]quit[/]"):
            assert name in text
        assert "\x1b" not in text


@pytest.mark.parametrize("lengths", [[7], [7, 7, 7], [1, 2, 3]])
async def test_a_handful_of_records_can_be_planned(start: Start, lengths: list[int]) -> None:
    async with start(Corpus("few.jsonl", np.array(lengths, np.int32))).run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        assert screen.report is not None
        assert screen.report.metrics["real_tokens"] == sum(lengths)
        await pilot.press("end", "tab", "end", "tab", "end")
        await planned(pilot)
        assert screen.report.metrics["roots_per_window_mean"] is None


def loading(read: Callable[..., Corpus]) -> BucketplanApp:
    return BucketplanApp(Opening("cache.jsonl", None, read, Scenario(), Scenario().baseline))


async def test_a_load_shows_how_far_it_is_and_then_the_plan(demo: Corpus) -> None:
    go = threading.Event()

    def read(progress: Callable[[int, int | None], None], _cancelled: Callable[[], bool]) -> Corpus:
        progress(250_000_000, 1_000_000_000)
        go.wait(10)
        return demo

    async with loading(read).run_test(size=SIZE) as pilot:
        await pilot.pause(0.1)
        assert isinstance(pilot.app.screen, LoadingScreen)
        assert "250MB of 1GB" in str(pilot.app.screen.query_one("#amount").render())
        go.set()
        await planned(pilot)
        assert isinstance(pilot.app.screen, PlanScreen)


async def test_a_load_can_be_cancelled() -> None:
    told = threading.Event()

    def read(_progress: object, cancelled: Callable[[], bool]) -> Corpus:
        while not cancelled():
            time.sleep(0.01)
        told.set()
        raise Cancelled

    app = loading(read)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.05)
        await pilot.press("escape")
    assert told.wait(5)
    assert app.return_value == 130


async def test_a_cache_that_cannot_be_read_ends_the_app_with_its_error() -> None:
    def read(_progress: object, _cancelled: object) -> Corpus:
        raise InputError("cache.jsonl", "empty", line=3, key="input_ids", remedy="leave the record out")

    app = loading(read)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.1)
    assert app.return_value == 2
    assert str(app.error) == "cache.jsonl:3: input_ids: empty - leave the record out"


async def test_q_leaves_and_the_session_can_be_reopened(start: Start) -> None:
    app = start()
    async with app.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await pilot.press("right", "b", "right", "q")
    assert app.return_value is None
    assert app.reopening_line == "bucketplan-tui --demo --bucket 32 --baseline strategy=bucket,bucket=16"


async def test_charts_are_drawn_from_the_report(start: Start) -> None:
    async with start().run_test(size=(120, 36)) as pilot:
        screen = await planned(pilot)
        assert screen.report is not None
        for name in ("lengths", "widths", "roots_per_window"):
            drawn = screen.query_one(Charts).query_one(f"#{name}", HistogramChart).bars
            assert drawn is not None
            assert drawn.counts == screen.report.histograms[name].counts


async def test_plans_are_pinned_with_a_note_and_taken_up_again(start: Start) -> None:
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("p", *"good", "enter", "right")
        await planned(pilot)
        await pilot.press("p", "enter", "s")
        assert isinstance(pilot.app.screen, ScenariosScreen)
        lines = [str(option.prompt) for option in pilot.app.screen.query_one(OptionList).options]
        assert [line.split()[:4] for line in lines] == [["A", "bucket", "8", "·"], ["B", "bucket", "16", "·"]]
        assert lines[0].endswith("good")
        assert "0.07%" in lines[0]
        await pilot.press("enter")
        await planned(pilot)
        assert screen.scenario.knobs == Knobs(Bucket(8))
        await pilot.press("s", "down", "b")
        await planned(pilot)
        assert screen.baseline.knobs == Knobs(Bucket(16))
        await pilot.press("s", "d", "s")
        assert pilot.app.screen.query_one(OptionList).option_count == 1


async def test_pins_wait_for_the_next_session_in_a_journal(demo: Corpus, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.jsonl")

    def app() -> BucketplanApp:
        return BucketplanApp(Opening(None, demo, never_read, Scenario(), Scenario().baseline, pins=Pins(journal)))

    async with app().run_test(size=SIZE) as pilot:
        await planned(pilot)
        await pilot.press("right", "p", *"x", "enter", "p", "enter", "s", "down", "d")
    async with app().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("s", "enter")
        await planned(pilot)
        assert screen.scenario.knobs == Knobs(Bucket(16))
    assert [(pin.name, pin.note) for pin in Pins(journal).all] == [("A", "x")]


async def test_the_order_is_written_for_the_trainer(start: Start, tmp_path: Path) -> None:
    target = tmp_path / "order.json"
    async with start().run_test(size=SIZE) as pilot:
        screen = await planned(pilot)
        await pilot.press("w")
        pilot.app.screen.query_one(Input).value = str(target)
        await pilot.press("enter")
        await until(pilot, target.exists)
        assert screen.report is not None
        assert read_manifest(str(target)).order.tolist() == screen.report.plan.record_numbers.tolist()


async def test_a_file_is_replaced_only_when_named_twice(start: Start, tmp_path: Path) -> None:
    target = tmp_path / "order.json"
    target.write_text("precious")
    async with start().run_test(size=SIZE) as pilot:
        await planned(pilot)
        await pilot.press("w")
        pilot.app.screen.query_one(Input).value = str(target)
        await pilot.press("enter")
        assert "enter again to replace it" in str(pilot.app.screen.query_one("#refusal").render())
        assert target.read_text() == "precious"
        await pilot.press("enter")
        await until(pilot, lambda: target.read_bytes()[:1] == b"{")


async def test_the_cache_is_never_replaced(tmp_path: Path) -> None:
    cache = tmp_path / "cache.jsonl"
    cache.write_text('{"input_ids": [1]}\n')
    corpus = Corpus(str(cache), np.array([1], np.int32))
    app = BucketplanApp(Opening(str(cache), corpus, never_read, Scenario(), Scenario().baseline))
    async with app.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await pilot.press("w")
        pilot.app.screen.query_one(Input).value = str(cache)
        await pilot.press("enter", "enter")
        assert "what is read" in str(pilot.app.screen.query_one("#refusal").render())
    assert cache.read_text() == '{"input_ids": [1]}\n'
