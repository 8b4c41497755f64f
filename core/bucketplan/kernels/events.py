"""The events of a trace, chunk by chunk: its text may be many gigabytes, and is never held whole."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bucketplan.errors import InputError
from bucketplan.kernels.event_chunks import Broken, Piece, fast, lenient_object, tolerant

_KEY = re.compile(rb'"traceEvents"\s*:\s*\[')
_MOST_OUTSIDE = 1 << 26
_MOST_EVENT = 1 << 24
_GIVE_A_TRACE = "give what a PyTorch profiler exported"
_WRITE_AGAIN = "write the trace again"


@dataclass
class Trace:
    """A trace while it is read: an object with a list under "traceEvents", or the list alone.

    Attributes:
        path: what errors call it.
        partial: whether the whole events before a cut are enough.
        header: what the object holds beside its events; whole once they are read.
        warnings: what a user should know of it.
    """

    path: str
    partial: bool = False
    header: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    _lines: int = 0

    def events(self, chunks: Iterator[bytes]) -> Iterator[list[Any]]:
        """All events, some at a time.

        Args:
            chunks: the text, decompressed.

        Raises:
            InputError: it is no trace, is broken, or ends early where `partial` is off.
        """
        chunks = self._until_damaged(chunks)
        text, bare = self._opened(chunks)
        closed = False
        for chunk in chunks:
            text += chunk
            piece = fast(text) or self._tolerant(text)
            yield piece.events
            text, closed = self._passed(text, piece.size), piece.closed
            if closed:
                break
            if len(text) > _MOST_EVENT:
                raise self._error(f"an event longer than {_MOST_EVENT >> 20} MiB", _GIVE_A_TRACE)
        if not closed:
            piece = self._tolerant(text)
            yield piece.events
            text, closed = self._passed(text, piece.size), piece.closed
        if not closed:
            self._cut("amid its events")
        elif bare:
            self._end_of_list(text + self._outside(chunks))
        else:
            self._end_of_object(text + self._outside(chunks))

    def _opened(self, chunks: Iterator[bytes]) -> tuple[bytes, bool]:
        """The text behind the bracket that opens the list, and whether the list is all there is."""
        text = b""
        for chunk in chunks:
            text += chunk
            start = text.lstrip()[:1]
            if start == b"[":
                return self._passed(text, text.index(b"[") + 1), True
            if start not in (b"{", b""):
                raise self._error("not a trace: it begins with neither { nor [", _GIVE_A_TRACE)
            for found in _KEY.finditer(text):
                # The key of the outermost object, if the text so far is whole with an empty list.
                header = lenient_object(text[: found.end()] + b"]}")
                if header is not None and header.get("traceEvents") == []:
                    self.header = header
                    return self._passed(text, found.end()), False
            if len(text) > _MOST_OUTSIDE:
                raise self._error(f"not a trace: no traceEvents in its first {_MOST_OUTSIDE >> 20} MiB", _GIVE_A_TRACE)
        raise self._no_list(text)

    def _no_list(self, text: bytes) -> InputError:
        if not text.strip():
            return self._error("empty, not a trace", _GIVE_A_TRACE)
        piece = self._tolerant(text)
        if not piece.events:
            return self._error("truncated: the file ends before its events", _WRITE_AGAIN)
        keys = ", ".join(list(piece.events[0])[:5]) or "none"
        return self._error(f"not a trace: no list of traceEvents among its keys: {keys}", _GIVE_A_TRACE)

    def _tolerant(self, text: bytes) -> Piece:
        try:
            return tolerant(text)
        except Broken as broken:
            line = self._lines + broken.newlines + 1
            raise InputError(self.path, f"broken JSON: {broken.problem}", line=line, remedy=_WRITE_AGAIN) from None

    def _end_of_list(self, text: bytes) -> None:
        if text.strip():
            raise self._error("text behind its end", _WRITE_AGAIN)

    def _end_of_object(self, text: bytes) -> None:
        """Complete the header with what follows the list."""
        begin = b'{"traceEvents":[]'
        piece = self._tolerant(begin + text)
        if not piece.events:
            self._cut("behind its events")
        elif text[piece.size - len(begin) :].strip():
            raise self._error("text behind its end", _WRITE_AGAIN)
        else:
            self.header = piece.events[0] | self.header

    def _outside(self, chunks: Iterator[bytes]) -> bytes:
        """The rest of the file."""
        text = b""
        for chunk in chunks:
            text += chunk
            if len(text) > _MOST_OUTSIDE:
                raise self._error(f"more than {_MOST_OUTSIDE >> 20} MiB behind its events", _GIVE_A_TRACE)
        return text

    def _until_damaged(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The chunks; where a part is enough, up to the place where decompression fails."""
        try:
            yield from chunks
        except InputError as error:
            if not self.partial:
                raise
            self.warnings.append(error.problem)

    def _cut(self, where: str) -> None:
        if not self.partial:
            raise self._error(f"truncated: the file ends {where}", "write it again, or read a part with --partial")
        self.warnings.append(f"truncated: the file ends {where}; sums are of what stands before")

    def _passed(self, text: bytes, size: int) -> bytes:
        """The text after so many bytes, whose lines are counted."""
        self._lines += text.count(b"\n", 0, size)
        return text[size:]

    def _error(self, problem: str, remedy: str) -> InputError:
        return InputError(self.path, problem, line=self._lines + 1 if self._lines else None, remedy=remedy)
