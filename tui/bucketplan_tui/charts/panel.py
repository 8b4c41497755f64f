"""The charts of a plan: micro-batch widths, roots a window, record lengths, steps over an epoch, ranks."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widget import Widget

from bucketplan.figures.histogram import Histogram
from bucketplan.figures.report import Report
from bucketplan.figures.series import Series
from bucketplan_tui.text.numbers import compact, power_text
from bucketplan_tui.widgets.histogram import Bars, HistogramChart
from bucketplan_tui.widgets.ranks import RanksChart

# Seconds are drawn as whole milliseconds.
_MILLI = 1000


@dataclass(frozen=True)
class Chart:
    """One of the charts.

    Attributes:
        name: the widget's id.
        title: what stands on its frame.
        bars: what it shows of a report; None where the report has nothing of it.
    """

    name: str
    title: str
    bars: Callable[[Report], Bars | None]


class Charts(Vertical):
    """A page of three charts above each other, or of one where there is no room.

    Attributes:
        chosen: the first chart on the page.
        crowded: whether there is room for one alone.
    """

    chosen: reactive[int] = reactive(0)
    crowded: reactive[bool] = reactive(False)

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._ranks = 1

    def compose(self) -> ComposeResult:
        """A frame around each."""
        for chart in CHARTS:
            yield HistogramChart(id=chart.name, classes="panel")
        ranks = RanksChart(id="ranks", classes="panel")
        ranks.border_title = "Ranks: busy █ wait ░"
        yield ranks

    def on_mount(self) -> None:
        """Arrange what there is."""
        self._arrange()

    def watch_chosen(self) -> None:
        """Show the chosen ones."""
        self._arrange()

    def watch_crowded(self) -> None:
        """Show one, or three."""
        self._arrange()

    def next(self) -> None:
        """Turn the page; after the last comes the first."""
        self.chosen = self.chosen + self._shown if self.chosen + self._shown < len(self._available) else 0

    def show(self, report: Report) -> None:
        """Draw what a report counted; what it lacks is left empty."""
        mixing = report.knobs.mixing
        for chart in CHARTS:
            widget = self.query_one(f"#{chart.name}", HistogramChart)
            widget.border_title = chart.title.format(Mixing=mixing.capitalize())
            widget.bars = chart.bars(report)
        busy = report.series.get("rank_busy")
        self.query_one(RanksChart).busy = () if busy is None else busy.values
        if report.knobs.world_size != self._ranks:
            self._ranks = report.knobs.world_size
            self.chosen = self.chosen if self.chosen < len(self._available) else 0
            self._arrange()

    @property
    def _shown(self) -> int:
        return 1 if self.crowded else 3

    @property
    def _available(self) -> list[Widget]:
        """The charts that say something: one rank waits for nobody."""
        charts: list[Widget] = list(self.query(HistogramChart))
        return charts if self._ranks == 1 else [*charts, self.query_one(RanksChart)]

    def _arrange(self) -> None:
        available = self._available
        shown = available[self.chosen : self.chosen + self._shown]
        for chart in [*self.query(HistogramChart), self.query_one(RanksChart)]:
            chart.display = chart in shown
            chart.border_subtitle = ""
        shown[-1].border_subtitle = f"{self.chosen + len(shown)} of {len(available)}, c: next"


def histogram_bars(histogram: Histogram, x_label: str) -> Bars:
    """A histogram as bars; ticks at powers of two where bins are unequal, else at every value."""
    edges = histogram.edges
    if all(right - left == 1 for left, right in pairwise(edges)):
        return Bars.labelled(histogram.counts, [compact(edge) for edge in edges[:-1]], x_label)
    ticks = tuple((position, power_text(edge)) for position, edge in enumerate(edges) if edge & (edge - 1) == 0)
    return Bars(histogram.counts, ticks or ((0.5, compact(edges[0])),), x_label)


def series_bars(series: Series, x_label: str) -> Bars:
    """Seconds along the run as bars, with ticks at round steps."""
    counts = tuple(round(value * _MILLI) for value in series.values)
    every = _round(max(len(counts) * series.each // 8, 1))
    ticks = tuple((step / series.each, compact(step)) for step in range(0, len(counts) * series.each, every))
    return Bars(counts, ticks, x_label, unit=_MILLI, averaged=True)


def _counted(name: str, x_label: str) -> Callable[[Report], Bars | None]:
    def bars(report: Report) -> Bars | None:
        histogram = report.histograms.get(name)
        return None if histogram is None else histogram_bars(histogram, x_label.format(mixing=report.knobs.mixing))

    return bars


def _over_the_run(report: Report) -> Bars | None:
    series = report.series.get("step_seconds")
    return None if series is None else series_bars(series, "step")


CHARTS = (
    Chart("widths", "Micro-batch widths", _counted("widths", "tokens")),
    Chart("roots_per_window", "{Mixing}s a window", _counted("roots_per_window", "different {mixing}s")),
    Chart("lengths", "Record lengths", _counted("lengths", "tokens")),
    Chart("step_seconds", "Step seconds", _over_the_run),
)


def _round(number: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ... that is no smaller."""
    power: int = 10 ** (len(str(number)) - 1)
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= number)
