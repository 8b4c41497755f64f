"""The top line: which cache, how much of it, and whether the figures are up to date."""

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from bucketplan.corpus.corpus import Corpus
from bucketplan.printable import printable
from bucketplan_tui.text.cells import elide, left
from bucketplan_tui.text.numbers import UNKNOWN


class CacheHeader(Widget):
    """Name and counts at the left; warnings and status at the right."""

    DEFAULT_CSS = """
    CacheHeader {
        height: 1;
        padding: 0 1;
    }
    """

    status: reactive[str] = reactive("")
    warnings: reactive[int] = reactive(0)

    def __init__(self, corpus: Corpus) -> None:
        super().__init__()
        roots = UNKNOWN if corpus.roots is None else f"{len(corpus.roots.names):,}"
        self._title = printable(corpus.path.rpartition("/")[2] or corpus.path)
        self._facts = f" · {len(corpus):,} records · {roots} roots · {corpus.tokens:,} tokens"

    def render(self) -> Content:
        """One line; the name gives way first."""
        alarm = f"! {self.warnings:,} (i)  " if self.warnings else ""
        room = self.size.width - cell_len(alarm) - cell_len(self.status)
        name = elide(self._title, max(room - cell_len(self._facts) - 1, 8))
        facts = elide(self._facts, max(room - cell_len(name) - 1, 0))
        gap = left("", room - cell_len(name) - cell_len(facts))
        return Content.assemble(
            (name, "bold"),
            (facts, "$foreground-muted"),
            gap,
            (alarm, "bold $text-warning"),
            (self.status, "$foreground-muted"),
        )
