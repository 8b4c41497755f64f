"""Help: the keys, the signs, and what the figures mean."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from bucketplan.figures.figure import Metric

_KEYS = (
    ("↑ ↓ j k, tab", "go from panel to panel"),
    ("← →", "a step; the bucket goes by powers of two"),
    ("shift ← →, [ ], PgUp PgDn", "a coarse step"),
    ("home, end", "the least, the greatest value"),
    ("0-9, enter", "type a number; enter takes it, escape gives the old one back"),
    ("b", "make the plan on screen the baseline"),
    ("p", "pin the plan on screen, with a note"),
    ("s", "the pinned plans beside now and the baseline: take one up, make it the baseline, let it go"),
    ("w", "write the order of the whole run down for the trainer"),
    ("r", "back to the knobs and the baseline of the start"),
    ("z, Z", "undo, redo"),
    ("e", "every knob, with its range and meaning"),
    ("t", "the cost model behind the predicted time: coefficients to type, its curve, the points measured"),
    ("i", "the cache: roots, lengths, warnings"),
    ("c", "the next charts"),
    ("+, _", "charts over the whole screen, and back"),
    ("y", "the line of shell that reopens this session"),
    ("?", "this help"),
    ("q", "leave; that line is printed"),
)
_SIGNS = (
    ("▼ ▲", "less, more than the baseline, and better"),
    ("▽ △", "less, more than the baseline, and worse"),
    ("·", "different, neither better nor worse"),
    ("=", "the same"),
    ("n/a", "unknown: the cache or the cost model does not tell"),
)
_RULE = (
    "Padding counts the rows there are: a short last micro-batch counts its own rows, and no more. Seconds come from "
    "the cost model t = C + (A w + B w²) r / r0; its constants are knobs (e), fitted on one run: put in your own."
)


class HelpScreen(ModalScreen[None]):
    """Scrolls with the arrow keys; escape, ? or q leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q", "dismiss", "Close")]

    def __init__(self, mixing: str, metrics: Iterable[Metric]) -> None:
        super().__init__()
        self._mixing, self._metrics = mixing, metrics

    def compose(self) -> ComposeResult:
        """One long text."""
        with VerticalScroll(classes="dialog panel") as dialog:
            dialog.border_title, dialog.border_subtitle = "Help", "escape: close"
            yield Static(self._text())

    def _text(self) -> Content:
        blocks = [_block("Keys", _KEYS, 27), _block("Signs", _SIGNS, 7), Content(_RULE)]
        for metric in self._metrics:
            meanings = [(figure.title(self._mixing).strip(), figure.meaning) for figure in metric.figures]
            blocks.append(_block(metric.title, meanings, 25))
        return Content("\n\n").join(blocks)


def _block(title: str, rows: Iterable[tuple[str, str]], cells: int) -> Content:
    lines = [Content.styled(title, "bold $accent")]
    lines += [Content.assemble((name.ljust(cells), "bold"), meaning) for name, meaning in rows]
    return Content("\n").join(lines)
