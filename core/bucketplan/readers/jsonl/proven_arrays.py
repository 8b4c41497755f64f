"""Which arrays of a text are provably flat lists of 64-bit integers, and how many entries they have. No token is read.

Proven is what JSON writers write: entries apart by a comma, or a comma and a blank, and no negative one but -100.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.readers.jsonl.byte_classes import WORD, Bits, ByteClasses, classify

Positions = NDArray[np.int64]

_LINE_FEED, _OPENING, _CLOSING = ord("\n"), ord("["), ord("]")


@dataclass(frozen=True)
class Arrays:
    """The proven arrays of a text, all of at least one entry.

    Attributes:
        starts: positions of the opening brackets, ascending.
        ends: positions of the closing brackets.
        classes: the classes of the bytes of the text.
    """

    starts: Positions
    ends: Positions
    classes: ByteClasses

    def entries(self) -> Positions:
        """The entries of each array."""
        return self._inside(self.classes.comma) + 1

    def ignored(self) -> Positions:
        """The entries of each array that are -100."""
        return self._inside(self.classes.minus)

    def zeros(self) -> Positions:
        """The entries of each array that are 0."""
        return self._inside(self.classes.zero & ~_after(self.classes.digit))

    def _inside(self, plane: Bits) -> Positions:
        """The set bits between the brackets of each array."""
        if not len(self.starts):
            return np.zeros(0, np.int64)
        first, last = self.starts // WORD, self.ends // WORD
        edges = np.column_stack([first, last]).ravel()
        counts = np.add.reduceat(np.bitwise_count(plane), edges, dtype=np.int64)[::2]
        counts[first == last] = 0  # of an empty range, reduceat gives the first element
        return counts + _below(plane, self.ends) - _below(plane, self.starts)


def proven_arrays(text: NDArray[np.uint8], size: int) -> tuple[Arrays, Positions]:
    """The proven arrays of a text, and the positions of its line feeds.

    Args:
        text: uint8, a multiple of WORD bytes.
        size: bytes of it that count.
    """
    classes = classify(text)
    doubt = _doubt(classes)
    marked = doubt | ~(classes.digit | classes.comma | classes.minus | classes.blank)
    words = np.flatnonzero(marked)
    bits = np.flatnonzero(np.unpackbits(marked[words].view(np.uint8), bitorder="little"))
    at = words[bits // WORD] * WORD + bits % WORD
    at = at[: np.searchsorted(at, size)]
    marks = text[at]
    # Nothing but blameless bytes of lists stands between two marks that follow each other.
    opening = np.flatnonzero((marks[:-1] == _OPENING) & (marks[1:] == _CLOSING))
    starts, ends = at[opening], at[opening + 1]
    whole = (doubt[ends // WORD] >> (ends % WORD).astype(np.uint64)) & 1 == 0
    return Arrays(starts[whole], ends[whole], classes), at[marks == _LINE_FEED]


def _doubt(classes: ByteClasses) -> Bits:
    """Bytes that break the grammar of a list of integers, be it one byte late, at the closing bracket."""
    digit, comma, minus, blank = classes.digit, classes.comma, classes.minus, classes.blank
    after_digit = _after(digit)
    second = _after(minus)
    third = _after(second)
    fourth = _after(third)
    fifth = _after(fourth)
    doubt = ~(digit | minus | blank | after_digit)
    doubt |= minus & after_digit
    doubt |= blank & ~_after(comma)
    doubt |= second & ~classes.one
    doubt |= (third | fourth) & ~classes.zero
    doubt |= digit & (fifth | _after(classes.zero & ~after_digit))
    # 15 digits in a row fill one of these bytes; with fewer, an entry fits in 64 bits.
    eights = digit.view(np.uint8) == 0xFF
    if eights.any():
        doubt |= np.where(eights, np.uint8(0xFF), np.uint8(0)).view("<u8")
    return doubt


def _after(plane: Bits) -> Bits:
    """The bytes that follow those of a plane."""
    moved: Bits = plane << np.uint64(1)
    moved[1:] |= plane[:-1] >> np.uint64(63)
    return moved


def _below(plane: Bits, at: Positions) -> Positions:
    """The set bits of the word that holds a position, before it."""
    lower = (np.uint64(1) << (at % WORD).astype(np.uint64)) - 1
    return np.bitwise_count(plane[at // WORD] & lower).astype(np.int64)
