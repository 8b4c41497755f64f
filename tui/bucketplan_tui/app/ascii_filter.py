"""Draws every screen in ASCII, where the terminal's encoding has nothing else."""

import codecs
import sys

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from bucketplan_tui.text.ascii_signs import as_ascii


class AsciiFilter(LineFilter):
    """Replaces what ASCII lacks, cell by cell."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments in ASCII."""
        return [Segment(as_ascii(text), style, control) for text, style, control in segments]


def ascii_only() -> bool:
    """Whether the stream that screens are drawn on takes ASCII alone."""
    encoding = getattr(sys.__stderr__, "encoding", None) or "ascii"
    return codecs.lookup(encoding).name == "ascii"
