"""Whole lines in a buffer that is used again: what is read is never held twice."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.readers.jsonl.byte_classes import WORD

Fill = Callable[[memoryview], int]
"""Puts the next bytes into a room of at least one, and says how many: 0 at the end."""

BLOCK = 1 << 21
"""Bytes of a block, unless a single line is longer."""

LINE_LIMIT = 1 << 28
"""The longest line, in bytes."""

LINE_FEED = b"\n"


class LineTooLong(Exception):  # noqa: N818 - whoever counts the lines makes an InputError of it
    """The line after those given so far is longer than LINE_LIMIT."""


@dataclass(frozen=True)
class Block:
    """Whole lines; all but the last line of a text end with a line feed.

    Attributes:
        text: uint8, the lines and up to a multiple of WORD bytes more; gone when the next block is asked for.
        size: bytes of the lines.
    """

    text: NDArray[np.uint8]
    size: int

    def split(self, at: int) -> tuple["Block", "Block"]:
        """The lines before a line that begins at a place, and the others."""
        rest = self.text[at : self.size]
        text = np.concatenate([rest, np.zeros(-len(rest) % WORD, np.uint8)])
        return Block(self.text[: -(-at // WORD) * WORD], at), Block(text, len(rest))

    @property
    def ended(self) -> bool:
        """Whether a line feed ends the last line."""
        return self.size > 0 and int(self.text[self.size - 1]) == LINE_FEED[0]


def whole_lines(fill: Fill, *, inside: bool = False, stop: int | None = None) -> Iterator[Block]:
    """The lines of a text, block by block.

    Args:
        fill: where the bytes come from.
        inside: whether they begin inside a line, of which nothing is given then.
        stop: a line that begins at this distance from the first byte, or later, is not given; None gives all.

    Raises:
        LineTooLong: a line is.
    """
    buffer = bytearray(BLOCK)
    held = begun = 0  # bytes in the buffer; distance of its first one
    ended = False
    while (held or not ended) and (stop is None or inside or begun < stop):
        room = BLOCK
        while room <= held:
            room *= 2
        room = min(room, LINE_LIMIT + WORD)
        if room > len(buffer):
            buffer = buffer + bytes(room - len(buffer))
        view = memoryview(buffer)
        while held < room and not ended:
            got = fill(view[held:room])
            held += got
            ended = got == 0
        if inside:
            first = buffer.find(LINE_FEED, 0, held)
            inside = first < 0
            used = held if inside else first + 1
        else:
            used = _used(buffer, held, None if stop is None else stop - begun, ended=ended)
            if used:
                yield Block(np.frombuffer(buffer, np.uint8, -(-used // WORD) * WORD), used)
            elif held > LINE_LIMIT:
                raise LineTooLong
        if used:
            view[: held - used] = view[used:held]
            held, begun = held - used, begun + used


def from_chunks(chunks: Iterator[bytes]) -> Fill:
    """Fill rooms from chunks of any size."""
    rest = memoryview(b"")

    def fill(room: memoryview) -> int:
        nonlocal rest
        while not rest:
            chunk = next(chunks, None)
            if chunk is None:
                return 0
            rest = memoryview(chunk)
        size = min(len(room), len(rest))
        room[:size] = rest[:size]
        rest = rest[size:]
        return size

    return fill


def _used(buffer: bytearray, held: int, stop: int | None, *, ended: bool) -> int:
    """The bytes of the lines that are whole and begin before a place."""
    last = buffer.rfind(LINE_FEED, 0, held) + 1
    if stop is not None and last >= stop:
        return buffer.index(LINE_FEED, stop - 1, held) + 1
    return held if ended else last
