"""The kind of every byte of a text, one bit a byte, so that one operation judges 64 bytes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORD = 64
"""Bytes of text that one word of bits stands for."""

# Small enough that the text and its verdicts stay in the second cache while all classes are taken.
_STRETCH = 1 << 18

Bits = NDArray[np.uint64]
"""Bit i of word w is about byte 64 w + i; little-endian on every machine."""


@dataclass(frozen=True)
class ByteClasses:
    """Where the bytes stand that a list of integers is written in."""

    digit: Bits
    comma: Bits
    minus: Bits
    blank: Bits
    zero: Bits
    one: Bits


def classify(text: NDArray[np.uint8]) -> ByteClasses:
    """The classes of the bytes of a text.

    Args:
        text: uint8, a multiple of WORD bytes.
    """
    planes = np.empty((6, len(text) // 8), np.uint8)
    above, found = np.empty(_STRETCH, np.uint8), np.empty(_STRETCH, np.bool_)
    for start in range(0, len(text), _STRETCH):
        stretch = text[start : start + _STRETCH]
        size = len(stretch)
        packed = planes[:, start // 8 : (start + size) // 8]
        np.subtract(stretch, ord("0"), out=above[:size])
        packed[0] = np.packbits(np.less(above[:size], 10, out=found[:size]), bitorder="little")
        for plane, byte in zip(packed[1:], b",- 01", strict=True):
            plane[:] = np.packbits(np.equal(stretch, byte, out=found[:size]), bitorder="little")
    words: Any = planes.view("<u8")
    return ByteClasses(*words)
