"""A report before it is text: titles, lines and tables, drawn as aligned text or as markdown.

Every text passes `printable` here, on its way out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from bucketplan.printable import printable
from bucketplan_tui.text.cells import elide, left, right

NAME_CELLS = 40
"""Longer texts in a cell of a table lose their middle."""


@dataclass(frozen=True)
class Heading:
    """A title of a section."""

    text: str


@dataclass(frozen=True)
class Lines:
    """Lines of text; a list in markdown."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table; the first column holds names and is aligned to the left, the others to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Lines | Table


def as_text(blocks: Iterable[Block]) -> str:
    """Aligned text, for a terminal."""
    parts = []
    for block in blocks:
        match block:
            case Heading(text):
                title = printable(text)
                parts.append(f"{title}\n{'─' * cell_len(title)}")
            case Lines(lines):
                parts.append("\n".join(map(printable, lines)))
            case Table(header, rows):
                parts.append("\n".join(_aligned([header, *rows])))
    return "\n\n".join(parts) + "\n"


def as_markdown(blocks: Iterable[Block]) -> str:
    """GitHub's markdown; what has a meaning there is escaped."""
    parts = []
    for block in blocks:
        match block:
            case Heading(text):
                parts.append(f"## {_escaped(text)}")
            case Lines(lines):
                parts.append("\n".join(f"- {_escaped(line)}" for line in lines))
            case Table(header, rows):
                rule = ("---", *("---:" for _ in header[1:]))
                body = [tuple(_escaped(cell) for cell in row) for row in (header, *rows)]
                table = [body[0], rule, *body[1:]]
                parts.append("\n".join(f"| {' | '.join(row)} |" for row in table))
    return "\n\n".join(parts) + "\n"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    rows = [tuple(elide(printable(cell), NAME_CELLS) for cell in row) for row in rows]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            left(row[0], widths[0]),
            *(right(cell, width) for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_[]<>|~&" else c for c in printable(text))
