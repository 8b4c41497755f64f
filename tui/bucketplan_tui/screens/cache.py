"""What is known of the cache: its roots, its lengths, and every warning."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from bucketplan.corpus import Corpus
from bucketplan_tui.command.document import Heading, Lines, as_text
from bucketplan_tui.command.sections import cache_sections

_MOST_ROOTS = 200


class CacheScreen(ModalScreen[None]):
    """Scrolls with the arrow keys; escape, i or q leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,i,q", "dismiss", "Close")]

    def __init__(self, corpus: Corpus, warnings: list[str]) -> None:
        super().__init__()
        self._corpus, self._warnings = corpus, warnings

    def compose(self) -> ComposeResult:
        """The report's own words."""
        blocks = cache_sections(self._corpus, _MOST_ROOTS)
        if self._warnings:
            blocks = [
                *blocks[:2],
                Heading("Warnings"),
                Lines(tuple(f"! {line}" for line in self._warnings)),
                *blocks[2:],
            ]
        with VerticalScroll(classes="dialog panel") as dialog:
            dialog.border_title, dialog.border_subtitle = "Cache", "escape: close"
            yield Static(as_text(blocks), markup=False)
