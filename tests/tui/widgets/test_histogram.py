import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from bucketplan_tui.widgets import histogram
from bucketplan_tui.widgets.histogram import Bars, HistogramChart, YAxis, draw, merge, spread_ticks, tick_text

WIDTHS = Bars.labelled(
    (700, 5100, 9200, 7300, 3000, 400, 12),
    ("64", "128", "256", "512", "1k", "2k", "4k"),
    "padded width (tokens)",
)
SIZES = [(1, 1), (1, 9), (9, 1), (3, 3), (11, 4), (12, 3), (12, 4), (13, 5), (40, 8), (76, 11), (118, 30)]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (950, "950"),
        (1000, "1k"),
        (1200, "1.2k"),
        (12_500, "12.5k"),
        (150_000, "150k"),
        (3_000_000, "3M"),
        (10**9, "1G"),
    ],
)
def test_tick_text(number: int, text: str) -> None:
    assert tick_text(number) == text


def test_merge_sums_neighbours() -> None:
    assert merge((1, 2, 3, 4, 5), 5) == [1, 2, 3, 4, 5]
    assert merge((1, 2, 3, 4, 5), 3) == [3, 7, 5]
    assert merge((1, 2, 3, 4, 5), 1) == [15]


@given(st.integers(0, 10**12), st.integers(1, 60))
def test_y_axis_holds_the_highest_bar(highest: int, rows: int) -> None:
    axis = YAxis.fit(highest, rows)
    ticks = axis.ticks(rows)
    assert (highest > 0) <= axis.eighths(highest) <= 8 * rows
    assert ticks[0] == (0, "0")
    assert ticks[-1][0] < rows
    assert len({text for _, text in ticks}) == len(ticks) <= 7
    assert all("e" not in text and len(text) <= 4 for _, text in ticks)


@pytest.mark.parametrize("rows", [6, 8, 13, 20])
@pytest.mark.parametrize("highest", [7, 100, 4600, 9200, 123_456, 10**9])
def test_y_axis_wastes_little(highest: int, rows: int) -> None:
    axis = YAxis.fit(highest, rows)
    assert axis.eighths(highest) >= 8 * rows * 0.65
    assert len(axis.ticks(rows)) >= 2


def test_a_rare_bar_stays_visible() -> None:
    axis = YAxis.fit(10**9, 8)
    assert axis.eighths(1) == 1
    assert axis.eighths(0) == 0


@given(st.lists(st.tuples(st.integers(0, 80), st.text("0123456789k", min_size=1, max_size=5))), st.integers(1, 81))
def test_spread_ticks_do_not_overlap(ticks: list[tuple[int, str]], columns: int) -> None:
    chosen = spread_ticks(sorted(ticks), columns)
    assert sum(len(text) + 1 for _, text in chosen) <= columns + 1


def test_ticks_are_left_out_evenly() -> None:
    bars = Bars((1,) * 40, tuple((bar, str(bar)) for bar in range(41)))
    assert draw(bars, 45, 7).splitlines()[-1].split() == [str(bar) for bar in range(0, 41, 5)]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize(
    "bars",
    [
        WIDTHS,
        Bars.labelled((5,), ("only",), "one bar"),
        Bars.labelled((0, 0, 0), ("a", "b", "c")),
        Bars((10**9,) * 500, tuple((bar, f"{bar:,}") for bar in range(0, 501, 50)), "a label " * 20),
        Bars((1, 0, 2)),
    ],
)
def test_lines_fill_every_size_exactly(bars: Bars, width: int, height: int) -> None:
    lines = draw(bars, width, height).split("\n")
    assert [len(line) for line in lines] == [width] * height


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(0, 10**9), min_size=1, max_size=500), st.integers(1, 130), st.integers(1, 40), st.booleans()
)
def test_any_counts_at_any_size(counts: list[int], width: int, height: int, labelled: bool) -> None:
    labels = [str(bar) for bar in range(len(counts) if labelled else 0)]
    lines = draw(Bars.labelled(counts, labels, "bars"), width, height).split("\n")
    assert [len(line) for line in lines] == [width] * height


def test_axes_are_readable() -> None:
    lines = draw(WIDTHS, 70, 16).split("\n")
    assert [line[:5] for line in lines[:13:4]] == ["  9k┤", "  6k┤", "  3k┤", "   0┤"]
    assert lines[-2].split() == ["64", "128", "256", "512", "1k", "2k", "4k"]
    assert lines[-1].strip() == "padded width (tokens)"


def test_the_highest_bar_is_the_highest() -> None:
    lines = draw(WIDTHS, 75, 9).split("\n")
    middles = [5 + 5 + 10 * bar for bar in range(7)]
    heights = [sum(line[column] != " " for line in lines[:6]) for column in middles]
    assert heights == sorted(heights[:3]) + sorted(heights[3:], reverse=True)
    assert min(heights) == 1


def test_bars_are_contiguous() -> None:
    bottom = draw(WIDTHS, 76, 9).split("\n")[5]
    assert bottom.startswith("   0┤")
    assert " " not in bottom[5:]


@pytest.mark.parametrize("ticks", [(), ((0, "0"),)])
def test_many_bars_are_merged(ticks: tuple[tuple[float, str], ...]) -> None:
    counts = tuple(range(1, 501))
    merged = merge(counts, 30)
    assert sum(merged) == sum(counts)
    lines = draw(Bars(counts, ticks), 35, 8).split("\n")
    bars = [line[5:] for line in lines[: 6 if ticks else 7]]
    assert [len(line.strip()) for line in bars] == sorted(len(line.strip()) for line in bars)
    assert len(bars[-1].strip()) == len(merged)


def test_small_sizes_show_a_sparkline() -> None:
    assert draw(Bars((1, 4, 8)), 3, 1) == "▁▄█"
    assert draw(Bars((4, 8)), 1, 1) == "█"
    assert draw(Bars((0, 0)), 4, 2) == "    \n    "


def test_drawing_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    draw(WIDTHS, 300, 60)
    assert capsys.readouterr() == ("", "")


def test_plotext_is_not_imported_with_the_widget() -> None:
    program = "import sys, bucketplan_tui.widgets.histogram; sys.exit('plotext' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


class ChartApp(App[None]):
    def __init__(self, chart: HistogramChart) -> None:
        super().__init__()
        self.chart = chart

    def compose(self) -> ComposeResult:
        yield self.chart


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Bars, int, int]]:
    calls: list[tuple[Bars, int, int]] = []

    def counting(bars: Bars, width: int, height: int) -> str:
        calls.append((bars, width, height))
        return draw(bars, width, height)

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    monkeypatch.setattr(histogram, "draw", counting)
    return calls


async def test_chart_draws_when_bars_or_size_change(drawings: list[tuple[Bars, int, int]]) -> None:
    chart = HistogramChart()
    async with ChartApp(chart).run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        assert chart.render().plain == "…"
        assert drawings == []
        chart.bars = WIDTHS
        await pilot.pause()
        assert chart.render().plain == draw(WIDTHS, 60, 12)
        chart.refresh()
        await pilot.pause()
        assert drawings == [(WIDTHS, 60, 12)]
        await pilot.resize_terminal(50, 10)
        await pilot.pause()
        assert chart.render().plain == draw(WIDTHS, 50, 10)
        chart.bars = None
        await pilot.pause()
        assert chart.render().plain == "…"


async def test_bars_given_at_the_start_wait_for_the_first_paint(drawings: list[tuple[Bars, int, int]]) -> None:
    chart = HistogramChart(WIDTHS)
    async with ChartApp(chart).run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert "padded width" in chart.render().plain
        assert len(drawings) == 1


async def test_chart_at_every_size(drawings: list[tuple[Bars, int, int]]) -> None:
    chart = HistogramChart(WIDTHS)
    async with ChartApp(chart).run_test(size=(60, 30)) as pilot:
        for width, height in [(0, 0), (0, 5), (5, 0), *SIZES[:-2], (60, 30)]:
            chart.styles.width, chart.styles.height = width, height
            await pilot.pause()
            assert tuple(chart.size) == (width, height)
            lines = chart.render().plain.split("\n")
            assert {len(line) for line in lines} == ({width} if height else {0})
            assert len(lines) == (height if width and height else 1)


async def test_parts_have_their_colours(drawings: list[tuple[Bars, int, int]]) -> None:
    chart = HistogramChart(WIDTHS)
    async with ChartApp(chart).run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        content = chart.render()
        bar = chart.get_visual_style("histogram--bar")
        assert bar.foreground != chart.get_visual_style("histogram--axis").foreground
        coloured = {content.plain[span.start : span.end][0] for span in content.spans if span.style == bar}
        assert coloured
        assert coloured <= set(histogram.BLOCKS[1:])
