"""The three histograms of a plan: record lengths, micro-batch widths, roots a window."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive

from bucketplan.metrics.histogram import Histogram
from bucketplan_tui.format import compact
from bucketplan_tui.widgets.histogram import Bars, HistogramChart


@dataclass(frozen=True)
class Chart:
    """One of the histograms: its name in a report, its title, and what its axes show."""

    name: str
    title: str
    x_label: str


CHARTS = (
    Chart("lengths", "Record lengths", "tokens"),
    Chart("widths", "Micro-batch widths", "tokens"),
    Chart("roots_per_window", "{Mixing}s a window", "different {mixing}s"),
)


class Charts(Vertical):
    """All histograms above each other, or one at a time where there is no room."""

    chosen: reactive[int] = reactive(1)
    crowded: reactive[bool] = reactive(False)

    def compose(self) -> ComposeResult:
        """A frame around each."""
        for chart in CHARTS:
            yield HistogramChart(id=chart.name, classes="panel")

    def watch_chosen(self) -> None:
        """Show the chosen one."""
        self._arrange()

    def watch_crowded(self) -> None:
        """Show one, or all."""
        self._arrange()

    def _arrange(self) -> None:
        for number, chart in enumerate(self.query(HistogramChart)):
            chart.display = number == self.chosen or not self.crowded
            chart.border_subtitle = f"{number + 1} of {len(CHARTS)}, c: next" if self.crowded else ""

    def next(self) -> None:
        """Choose the next one."""
        self.chosen = (self.chosen + 1) % len(CHARTS)

    def show(self, histograms: Mapping[str, Histogram], mixing: str) -> None:
        """Draw what a report counted; a histogram it lacks is left empty."""
        words = {"mixing": mixing, "Mixing": mixing.capitalize()}
        for chart in CHARTS:
            widget = self.query_one(f"#{chart.name}", HistogramChart)
            widget.border_title = chart.title.format(**words)
            histogram = histograms.get(chart.name)
            widget.bars = None if histogram is None else bars(histogram, chart.x_label.format(**words))


def bars(histogram: Histogram, x_label: str) -> Bars:
    """A histogram as bars; ticks at powers of two where bins are unequal, else at every value."""
    edges = histogram.edges
    if all(right - left == 1 for left, right in pairwise(edges)):
        return Bars.labelled(histogram.counts, [compact(edge) for edge in edges[:-1]], x_label)
    ticks = tuple((position, _power(edge)) for position, edge in enumerate(edges) if edge & (edge - 1) == 0)
    return Bars(histogram.counts, ticks or ((0.5, compact(edges[0])),), x_label)


def _power(edge: int) -> str:
    return f"{edge // 1024}k" if edge >= 1024 else str(edge)
