"""A histogram with readable axes, at any size."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple, Self

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

BLOCKS = " ▁▂▃▄▅▆▇█"
PENDING = "…"
PARTS = re.compile("(?P<bar>[▁-█]+)|(?P<axis>[│┤└┬─]+)|(?P<label>[^▁-█│┤└┬─]+)")

# The labels of the y axis always get the same cells, so that the bars stay where they are.
Y_LABEL_CELLS = 4
WIDEST_BAR = 16
SMALLEST_WIDTH, SMALLEST_HEIGHT = 12, 4
HEIGHT_WITH_LABEL = 8
MOST_Y_TICKS = 6
ROUND_NUMBERS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)


@dataclass(frozen=True)
class Bars:
    """What a histogram shows.

    Attributes:
        counts: The count of each bar, from left to right.
        ticks: Positions and texts on the x axis. Positions count in bars: 0 is the left edge of the first
            bar, 0.5 its middle. Texts that would overlap are left out evenly.
        x_label: What the x axis shows.
        unit: The count that the y axis calls 1.
        averaged: Whether bars that share a column show their mean; else their sum.
    """

    counts: tuple[int, ...]
    ticks: tuple[tuple[float, str], ...] = ()
    x_label: str = ""
    unit: int = 1
    averaged: bool = False

    @classmethod
    def labelled(cls, counts: Sequence[int], labels: Sequence[str], x_label: str = "") -> Self:
        """Bars with a text under the middle of each."""
        ticks = tuple((bar + 0.5, label) for bar, label in enumerate(labels))
        return cls(tuple(counts), ticks, x_label)


class YAxis(NamedTuple):
    """A y axis whose ticks are equally many rows apart."""

    step: int
    rows_per_step: int

    @classmethod
    def fit(cls, highest: int, rows: int, unit: int = 1) -> Self:
        """The axis that holds the highest count with round steps and the least empty space."""
        fewest = max(1 if rows < 4 else 2, math.ceil(rows / MOST_Y_TICKS))
        axes = [cls(_round_up(highest * apart / rows), apart) for apart in range(fewest, max(rows, fewest + 1))]

        def faults(axis: Self) -> tuple[bool, float]:
            too_long = any(len(text) > Y_LABEL_CELLS for _, text in axis.ticks(rows, unit))
            too_few = 2 * axis.rows_per_step >= rows
            return too_long, axis.step / axis.rows_per_step * (1.25 if too_few else 1)

        return min(axes, key=faults)

    def ticks(self, rows: int, unit: int = 1) -> list[tuple[int, str]]:
        """Rows, from the bottom, and the counts at their lower edges."""
        steps = range(math.ceil(rows / self.rows_per_step))
        return [(index * self.rows_per_step, tick_text(index * self.step / unit)) for index in steps]

    def eighths(self, count: int) -> int:
        """The height of a bar in eighths of a row; only a count of 0 has none."""
        return max(count > 0, round(count * 8 * self.rows_per_step / self.step))


def tick_text(count: float) -> str:
    """A count on the y axis, unrounded: 950, 1.2k, 3M."""
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= size:
            return f"{count / size:g}{unit}"
    return f"{count:g}"


def merge(counts: Sequence[int], most: int, *, averaged: bool = False) -> list[int]:
    """Sum, or average, as many neighbours each as it takes to have no more than `most` bars."""
    size = _merged(len(counts), most)
    parts = (counts[start : start + size] for start in range(0, len(counts), size))
    return [sum(part) // len(part) if averaged else sum(part) for part in parts]


def spread_ticks(ticks: Sequence[tuple[int, str]], columns: int) -> list[tuple[int, str]]:
    """Every first, second, third ... tick, whichever is the first choice whose texts do not overlap."""
    ticks = [(column, text) for column, text in ticks if 0 <= column < columns and 0 < len(text) <= columns]
    for stride in range(1, len(ticks)):
        chosen = list(ticks[::stride])
        spans = [_span(column, len(text), columns) for column, text in chosen]
        if all(end < start for (_, end), (start, _) in pairwise(spans)):
            return chosen
    return list(ticks[:1])


def block_rows(heights: Sequence[int], columns: int, rows: int) -> list[str]:
    """Draw columns, given in eighths of a row, as rows of block characters from the bottom up."""
    return [
        "".join(BLOCKS[max(0, min(8, height - 8 * row))] for height in heights).ljust(columns) for row in range(rows)
    ]


def draw(bars: Bars, width: int, height: int) -> str:
    """Bars in as many lines and columns as there are, with axes where these have room."""
    if width < SMALLEST_WIDTH or height < SMALLEST_HEIGHT:
        return sparkline(bars, width, height)
    return chart(bars, width, height)


def sparkline(bars: Bars, width: int, height: int) -> str:
    """Bars without axes."""
    counts = merge(bars.counts, width, averaged=bars.averaged)
    highest = max(counts, default=0) or 1
    heights = [max(count > 0, round(count * 8 * height / highest)) for count in _stretch(counts, width)]
    return "\n".join(reversed(block_rows(heights, width, height)))


def chart(bars: Bars, width: int, height: int) -> str:
    """Bars with axes, in lines of exactly the given width."""
    columns = width - Y_LABEL_CELLS - 1
    counts = merge(bars.counts, columns, averaged=bars.averaged)
    stretched = _stretch(counts, columns)
    per_bar = len(stretched) / len(counts) / _merged(len(bars.counts), columns)
    x_ticks = spread_ticks(
        [(min(columns - 1, math.ceil(at * per_bar - 0.5)), text) for at, text in bars.ticks], columns
    )
    x_label = bars.x_label if height >= HEIGHT_WITH_LABEL and len(bars.x_label) <= columns else ""
    rows = height - 1 - bool(x_ticks) - bool(x_label)
    axis = YAxis.fit(max(counts), rows, bars.unit)
    y_ticks = [(row, text.rjust(Y_LABEL_CELLS)) for row, text in axis.ticks(rows, bars.unit)]
    heights = [axis.eighths(count) for count in stretched]
    return _plot(block_rows(heights, columns, rows), x_ticks, y_ticks, x_label)


def _plot(rows: list[str], x_ticks: list[tuple[int, str]], y_ticks: list[tuple[int, str]], x_label: str) -> str:
    """Let plotext frame rows of block characters, given from the bottom up."""
    # Importing plotext takes 130 ms, which would delay the first paint.
    import plotext  # type: ignore[import-untyped]

    columns = len(rows[0])
    # Otherwise plotext cuts a figure down to the size that it believes the terminal to have.
    plotext.terminal.limit(False, False)
    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.canvas("default")
    figure.plot_size(columns + Y_LABEL_CELLS + 1, len(rows) + 1 + bool(x_ticks) + bool(x_label))
    figure.axes(False, axis="x", side="upper")
    figure.axes(False, axis="y", side="right")
    # One point a row, whose marker is the whole row, is the fastest way to draw: 5 ms, not 20.
    figure.draw(figure.signal([0] * len(rows), list(range(len(rows))), marker=rows))
    for name, last, ticks in (("x", columns - 1, x_ticks), ("y", len(rows) - 1, y_ticks)):
        ruler = figure.ruler(name)
        ruler.lim(0, last)
        ruler.ticks([position for position, _ in ticks], [text for _, text in ticks])
    if x_label:
        figure.label(x_label, axis="x")
    drawn: str = figure.build().string(colorless=True)
    return drawn.rstrip("\n")


def _merged(bars: int, most: int) -> int:
    return max(1, math.ceil(bars / most))


def _stretch(counts: Sequence[int], columns: int) -> list[int]:
    """Repeat each count over its columns, as evenly as they allow."""
    columns = min(columns, len(counts) * WIDEST_BAR)
    return [counts[column * len(counts) // columns] for column in range(columns)]


def _span(column: int, length: int, columns: int) -> tuple[int, int]:
    """The first column of a centred text, and the one after its last; plotext moves texts off the edges."""
    start = max(0, min(column - (length - 1) // 2, columns - length))
    return start, start + length


def _round_up(number: float) -> int:
    """The next number whose multiples read well."""
    power: int = 10 ** max(0, len(str(math.ceil(number))) - 2)
    return next(digits * power for digits in ROUND_NUMBERS if digits * power >= number)


class HistogramChart(Widget):
    """Draws `bars`; shows an ellipsis until there are any."""

    DEFAULT_CSS = """
    HistogramChart {
        text-wrap: nowrap;
        text-overflow: clip;
        .histogram--bar { color: $accent; }
        .histogram--axis, .histogram--label { color: $text-muted; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"histogram--bar", "histogram--axis", "histogram--label"}

    bars: reactive[Bars | None] = reactive(None)

    def __init__(
        self,
        bars: Bars | None = None,
        *,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.set_reactive(HistogramChart.bars, bars)
        self._painted = False
        self._drawn: tuple[tuple[Bars, int, int], str] | None = None

    def on_mount(self) -> None:
        """Draw only after the first paint, because drawing imports plotext."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._painted = True
        self.refresh()

    def render(self) -> Content:
        """Colour the drawing; draw only where bars or size are new."""
        width, height = self.size
        if width == 0 or height == 0:
            return Content("")
        if self.bars is None or not self.bars.counts or not self._painted:
            return Content.styled(PENDING, self.get_visual_style("histogram--label"))
        key = (self.bars, width, height)
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = key, draw(*key)
        return self._colour(self._drawn[1])

    def _colour(self, drawn: str) -> Content:
        parts = ("bar", "axis", "label")
        styles = {part: self.get_visual_style(f"histogram--{part}") for part in parts}
        return Content.assemble(
            *((match.group(), styles[match.lastgroup or "label"]) for match in PARTS.finditer(drawn))
        )
