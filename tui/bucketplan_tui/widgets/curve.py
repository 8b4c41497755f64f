"""The predicted seconds over the width, and the points they were fitted to."""

import re
from dataclasses import dataclass

import numpy as np
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from bucketplan.cost.model import CostModel, predict
from bucketplan_tui.text.numbers import power_text

POINT = "●"
_PARTS = re.compile(f"(?P<point>{POINT}+)|(?P<curve>[\u2800-\u28ff]+)|(?P<axis>[^{POINT}\u2800-\u28ff]+)")
_LEAST_WIDTH, _LEAST_HEIGHT = 20, 5
_SAMPLES = 200


@dataclass(frozen=True)
class Curve:
    """What is drawn.

    Attributes:
        cost: the model of the curve.
        widths: the least and the greatest width shown, in tokens.
        points: width and seconds of each point, for micro-batches of the model's rows.
    """

    cost: CostModel
    widths: tuple[int, int]
    points: tuple[tuple[float, float], ...] = ()


class CurveChart(Widget):
    """Draws `curve` over the logarithm of the width."""

    DEFAULT_CSS = """
    CurveChart {
        height: 1fr;
        text-wrap: nowrap;
        text-overflow: clip;
        .curve--curve { color: $accent; }
        .curve--point { color: $warning; text-style: bold; }
        .curve--axis { color: $text-muted; }
    }
    """
    COMPONENT_CLASSES = {"curve--curve", "curve--point", "curve--axis"}  # noqa: RUF012 - as Textual declares it

    curve: reactive[Curve | None] = reactive(None)

    def render(self) -> Content:
        """The drawing in its colours."""
        width, height = self.size
        if self.curve is None or width < _LEAST_WIDTH or height < _LEAST_HEIGHT:
            return Content("")
        styles = {part: self.get_visual_style(f"curve--{part}") for part in ("point", "curve", "axis")}
        drawn = _PARTS.finditer(draw(self.curve, width, height))
        return Content.assemble(*((match.group(), styles[match.lastgroup or "axis"]) for match in drawn))


def draw(curve: Curve, width: int, height: int) -> str:
    """The curve and its points as lines of text."""
    import plotext  # type: ignore[import-untyped]

    first, last = np.log2(curve.widths)
    octaves = np.linspace(first, last, _SAMPLES)
    widths = np.exp2(octaves).astype(np.int64)
    rows = np.full(len(widths), curve.cost.rows)
    seconds = predict(curve.cost, widths, rows, np.zeros(len(widths), np.bool_)).total
    plotext.terminal.limit(False, False)
    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.canvas("default")
    figure.plot_size(width, height)
    figure.axes(False, axis="x", side="upper")
    figure.axes(False, axis="y", side="right")
    figure.draw(figure.signal(octaves.tolist(), seconds.tolist(), marker="braille"))
    if curve.points:
        at, took = zip(*curve.points, strict=True)
        figure.draw(figure.signal(np.log2(at).tolist(), list(took), marker=POINT))
    whole = range(int(np.ceil(first)), int(last) + 1)
    shown = [octave for octave in whole if (octave - whole[0]) % _every(len(whole), width) == 0]
    figure.ruler("x").ticks(shown, [power_text(1 << octave) for octave in shown])
    most = max([float(seconds.max()), *(took for _, took in curve.points)]) or 1.0
    figure.ruler("y").ticks([0, most / 2, most], [_seconds(0), _seconds(most / 2), _seconds(most)])
    drawn: str = figure.build().string(colorless=True)
    return drawn.rstrip("\n")


def _every(ticks: int, width: int) -> int:
    """Every so many ticks leave room for their texts."""
    return max(1, -(-ticks * 7 // width))


def _seconds(seconds: float) -> str:
    return f"{seconds:6.3g}"[:6]
