"""The table of figures: now, baseline, difference, in columns that stay where they are."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from bucketplan.figures.figure import Figure, Number
from bucketplan.figures.report import Report
from bucketplan_tui.text.cells import elide, left, right
from bucketplan_tui.text.numbers import Difference, compact, difference, figure_text

# What decides comes first; it is what a small screen shows without scrolling.
_FIRST = (
    "waste",
    "padded_tokens",
    "width_p50",
    "width_p90",
    "width_p99",
    "zero_pad_share",
    "roots_per_window_mean",
    "roots_per_window_expected",
    "roots_per_window_min",
    "one_root_windows",
    "seconds_per_step",
    "hours",
    "quadratic_share",
    "peak_tokens",
    "neighbour_correlation",
    "step_seconds_variation",
    "supervised_per_window_variation",
)
_RANKS_AT = _FIRST.index("seconds_per_step")
_NAME, _DIFFERENCE, _GAP = 17, 11, 1
_NARROW, _WIDE = 8, 10
_STYLES = {"better": "bold $accent", "worse": "bold $text-warning", "neutral": "$foreground-muted"}


class Figures(VerticalScroll, can_focus=True):
    """Every figure of a plan beside the baseline's; scrolls where they do not all fit."""

    def compose(self) -> ComposeResult:
        """The lines of the table."""
        yield _Lines()

    def show(self, report: Report, baseline: Report) -> None:
        """Show a plan and its baseline."""
        self.query_one(_Lines).pair = (report, baseline)


class _Lines(Widget):
    DEFAULT_CSS = "_Lines { height: auto; }"

    pair: reactive[tuple[Report, Report] | None] = reactive(None, layout=True)

    def render(self) -> Content:
        if self.pair is None:
            return Content("")
        report, baseline = self.pair
        rest = self.size.width - _DIFFERENCE - 3 * _GAP
        value = _WIDE if rest >= _NAME + 2 * _WIDE else _NARROW
        name = rest - 2 * value
        header = left("", name) + "".join(right(title, _GAP + value) for title in ("now", "baseline"))
        lines = [Content.styled(header + right("difference", _GAP + _DIFFERENCE), "$foreground-muted")]
        for figure in ordered_figures(report):
            mine, base = report.metrics.get(figure.name), baseline.metrics.get(figure.name)
            title = elide(figure.title(report.knobs.mixing), name)
            lines.append(_line(left(title, name), value, figure, mine, base))
        return Content("\n").join(lines)


def ordered_figures(report: Report) -> list[Figure]:
    """Every figure, those that decide first; whether ranks wait is among these where there are several."""
    known = report.known
    first = _FIRST if report.knobs.world_size == 1 else (*_FIRST[:_RANKS_AT], "rank_idle", *_FIRST[_RANKS_AT:])
    return [known[name] for name in first] + [each for name, each in known.items() if name not in first]


def _line(title: str, cells: int, figure: Figure, mine: Number, base: Number) -> Content:
    change: Difference = difference(figure, mine, base)
    return Content.assemble(
        title,
        (right(_fitting(figure, mine, cells), _GAP + cells), "bold"),
        (right(_fitting(figure, base, cells), _GAP + cells), "$foreground-muted"),
        (right(change.text, _GAP + _DIFFERENCE), _STYLES[change.verdict]),
    )


def _fitting(figure: Figure, value: Number, cells: int) -> str:
    text = figure_text(figure, value)
    return compact(value, digits=4) if len(text) > cells and isinstance(value, int | float) else text
