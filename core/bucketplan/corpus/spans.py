"""Where the supervised tokens of records stand: what truncation takes of them, exactly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Spans:
    """The runs of supervised tokens of each record, by positions among its real tokens.

    Attributes:
        offsets: int64, (records + 1,), the first run of each record, and the number of runs at the end.
        starts: int32, (runs,), the first token of each run.
        ends: int32, (runs,), the token behind its last.
    """

    offsets: NDArray[np.int64]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    def kept(self, max_length: int) -> NDArray[np.int64]:
        """(records,): supervised tokens among the first `max_length` of each."""
        inside = np.minimum(self.ends, max_length).astype(np.int64) - np.minimum(self.starts, max_length)
        sums = np.concatenate([[0], np.cumsum(inside)])
        return np.asarray(sums[self.offsets[1:]] - sums[self.offsets[:-1]])


def spans_of(supervised: NDArray[np.bool_]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Starts and ends of the runs of one record.

    Args:
        supervised: (tokens,), whether each is.
    """
    edges = np.flatnonzero(np.diff(supervised.astype(np.int8), prepend=0, append=0)).astype(np.int32)
    return edges[::2], edges[1::2]
