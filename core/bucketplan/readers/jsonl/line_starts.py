"""Where the records of a JSON Lines file stand, in bytes."""

import os
from array import array
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 18
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WHITE_SPACE = b" \t\r"


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines that hold a record, in file order; lines of white space are none.

    Attributes:
        starts: int64, the first byte of each; a byte order mark belongs to none.
        ends: int64, the byte after the last, without the line feed.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of records."""
        return len(self.starts)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Bytes of each line."""
        return self.ends - self.starts


def find_lines(file: IO[bytes]) -> Lines:
    """Find the lines of a regular file, in one pass and with 16 bytes of memory a line."""
    starts, ends = array("q"), array("q")
    chunk = bytearray(_CHUNK)
    base, start, blank = 0, 0, True
    while read := os.preadv(file.fileno(), [chunk], base):
        seen = 0
        if base == 0 and chunk.startswith(_BYTE_ORDER_MARK, 0, read):
            start = seen = len(_BYTE_ORDER_MARK)
        feed = chunk.find(b"\n", seen, read)
        while feed >= 0:
            if not (blank and _is_blank(chunk, seen, feed)):
                starts.append(start)
                ends.append(base + feed)
            start, seen, blank = base + feed + 1, feed + 1, True
            feed = chunk.find(b"\n", seen, read)
        blank = blank and _is_blank(chunk, seen, read)
        base += read
    if not blank:
        starts.append(start)
        ends.append(base)
    return Lines(np.array(starts, np.int64), np.array(ends, np.int64))


def _is_blank(chunk: bytearray, start: int, end: int) -> bool:
    return start == end or (chunk[start] in _WHITE_SPACE and not chunk[start:end].strip(_WHITE_SPACE))
