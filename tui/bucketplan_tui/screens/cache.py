"""What is known of the cache: its roots, its lengths, and every warning."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from bucketplan.corpus.corpus import Corpus
from bucketplan_tui.sections.report import cache_sections
from bucketplan_tui.sections.truncation import truncation_sections
from bucketplan_tui.text.document import Block, Heading, Lines, as_text

_MOST_ROOTS = 200
# The share of all tokens that the shortest max length shown may take.
_LOSS = 0.01


class CacheScreen(ModalScreen[None]):
    """Scrolls with the arrow keys; escape, i or q leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,i,q", "dismiss", "Close")]

    def __init__(self, corpus: Corpus, warnings: list[str], max_length: int | None) -> None:
        super().__init__()
        self._corpus, self._warnings, self._max_length = corpus, warnings, max_length

    def compose(self) -> ComposeResult:
        """The report's own words."""
        about, counts, *rest = cache_sections(self._corpus, _MOST_ROOTS)
        warnings: list[Block] = (
            [Heading("Warnings"), Lines(tuple(f"! {line}" for line in self._warnings))] if self._warnings else []
        )
        losses = truncation_sections(self._corpus, self._max_length, _LOSS, _MOST_ROOTS)
        blocks: list[Block] = [about, counts, *warnings, *losses, *rest]
        with VerticalScroll(classes="dialog panel") as dialog:
            dialog.border_title, dialog.border_subtitle = "Cache", "escape: close"
            yield Static(as_text(blocks), markup=False)
