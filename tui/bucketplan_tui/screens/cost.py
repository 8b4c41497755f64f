"""The cost model: its coefficients to type, the curve they give, the points behind it, and the widths of the plan."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from bucketplan.cost.fitting.measured_cost import MeasuredCost
from bucketplan.cost.model import CostModel, predict
from bucketplan.errors import KnobError
from bucketplan.figures.report import Report
from bucketplan.settings import named, settings_of
from bucketplan_tui.charts.panel import CHARTS
from bucketplan_tui.text.numbers import power_text, seconds_text
from bucketplan_tui.widgets.curve import Curve, CurveChart
from bucketplan_tui.widgets.histogram import Bars, HistogramChart

_TYPED = ("fixed", "linear", "quadratic", "windowed", "window", "rows")
# Shares are drawn to a tenth of a percent.
_TENTHS = 10


class CostScreen(ModalScreen[CostModel]):
    """Leaving takes the coefficients; ctrl+r brings those of the start back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("ctrl+r", "reset", "Reset"),
        Binding("down", "app.focus_next", "Next", show=False),
        Binding("up", "app.focus_previous", "Previous", show=False),
    ]

    def __init__(self, cost: CostModel, start: CostModel, measured: MeasuredCost | None, report: Report | None) -> None:
        """Show a model.

        Args:
            cost: what to show first.
            start: what a reset brings back.
            measured: the points behind `start`, where it was fitted.
            report: the plan whose widths are shown.
        """
        super().__init__()
        self._cost, self._start, self._measured, self._report = cost, start, measured, report

    def compose(self) -> ComposeResult:
        """Coefficients at the left, charts at the right."""
        with Horizontal(classes="dialog cost panel") as dialog:
            dialog.border_title = "Cost: t = C + (A w + B w² + D w min(w, window)) r / r0"
            dialog.border_subtitle = "ctrl+r: reset   escape: take and close"
            with VerticalScroll(id="coefficients", can_focus=False):
                for name in _TYPED:
                    each = named(name, settings_of(CostModel))
                    yield Static(each.help, classes="meaning", markup=False)
                    answer = Input(each.text(getattr(self._cost, name)), compact=True, id=name)
                    answer.cursor_blink = False
                    yield answer
                yield Static("", id="findings", markup=False)
            with Vertical():
                yield CurveChart(classes="panel")
                yield HistogramChart(id="share", classes="panel")
                yield HistogramChart(id="plan-widths", classes="panel")

    def on_mount(self) -> None:
        """Draw."""
        self.query_one(CurveChart).border_title = f"Seconds of {self._cost.rows} rows over width; ● measured"
        self.query_one("#share").border_title = "Quadratic share over width, %"
        self.query_one("#plan-widths").border_title = "Micro-batch widths of the plan"
        self._draw()

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        each = named(message.input.id or "", settings_of(CostModel))
        try:
            self._cost = replace(self._cost, **{each.name: each.parse(message.value)})  # type: ignore[arg-type]
        except KnobError:
            message.input.add_class("-refused")
        else:
            message.input.remove_class("-refused")
            self._draw()

    def action_reset(self) -> None:
        """Bring the coefficients of the start back."""
        for name in _TYPED:
            each = named(name, settings_of(CostModel))
            self.query_one(f"#{name}", Input).value = each.text(getattr(self._start, name))

    def action_close(self) -> None:
        """Take the coefficients that could be taken."""
        self.dismiss(self._cost)

    def _draw(self) -> None:
        edges = (16, 16_384) if self._report is None else _around(self._report.histograms["widths"].edges)
        if self._measured is not None:
            least, most = self._measured.widths
            edges = (min(edges[0], least), max(edges[1], most))
        points = () if self._measured is None else self._measured.points
        scaled = tuple((float(each.width), each.seconds) for each in points if each.rows == self._cost.rows)
        self.query_one(CurveChart).curve = Curve(self._cost, edges, scaled)
        self.query_one("#share", HistogramChart).bars = share_bars(self._cost, edges)
        if self._report is not None:
            self.query_one("#plan-widths", HistogramChart).bars = CHARTS[0].bars(self._report)
        self.query_one("#findings", Static).update(self._said(edges))

    def _said(self, edges: tuple[int, int]) -> str:
        crossover = self._cost.crossover_width
        parts = predict(self._cost, np.array(edges), np.full(2, self._cost.rows), np.zeros(2, np.bool_)).total
        lines = [f"{width:,} tokens: {seconds_text(took)}" for width, took in zip(edges, parts.tolist(), strict=True)]
        if crossover is not None:
            lines.append(f"the quadratic part leads from {crossover:,.0f} tokens")
        return "\n".join(lines)


def share_bars(cost: CostModel, edges: tuple[int, int]) -> Bars:
    """The quadratic share of the seconds over the width, in percent."""
    octaves = np.arange(np.log2(edges[0]), np.log2(edges[1]) + 1e-9, 0.25)
    widths = np.exp2(octaves).astype(np.int64)
    parts = predict(cost, widths, np.full(len(widths), cost.rows), np.zeros(len(widths), np.bool_))
    total = np.where(parts.total > 0, parts.total, 1.0)
    shares = (parts.quadratic / total * 100 * _TENTHS).round().astype(int)
    ticks = tuple(
        (place + 0.5, power_text(width)) for place, width in enumerate(widths.tolist()) if width & (width - 1) == 0
    )
    return Bars(tuple(shares.tolist()), ticks, unit=_TENTHS, averaged=True)


def _around(edges: tuple[int, ...]) -> tuple[int, int]:
    """Powers of two around the edges of a histogram."""
    return 1 << (edges[0].bit_length() - 1), 1 << (edges[-1] - 1).bit_length()
