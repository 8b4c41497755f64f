"""Whole windows: micro-batches are halved until every rank has as many as the others."""

import heapq
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bucketplan.errors import UserError


def whole_units(offsets: NDArray[np.int64], unit: int) -> NDArray[np.int64]:
    """The same rows in a multiple of `unit` micro-batches.

    The incomplete last unit is completed by halving its micro-batches, the largest first. Where it has fewer rows than
    that takes, the unit before it is halved with it. No micro-batch grows, and no row moves.

    Args:
        offsets: (micro-batches + 1,), where each starts, in rows.
        unit: micro-batches of a window, or of a round.

    Raises:
        UserError: the rows do not suffice.
    """
    kept = whole_part(offsets, unit)
    if kept == len(offsets) - 1:
        return offsets
    tail = offsets[kept:]
    wanted = -(-(len(tail) - 1) // unit) * unit
    while tail[-1] - tail[0] < wanted:
        if kept == 0:
            rows = int(offsets[-1] - offsets[0])
            problem = f"{rows:,} rows in {len(offsets) - 1:,} micro-batches make no whole windows of {unit:,}"
            raise UserError(f"{problem} - export with --whole-windows, which cuts what is too much")
        kept -= unit
        wanted += unit
        tail = offsets[kept:]
    return np.concatenate([offsets[:kept], _halved(tail, wanted)])


def whole_part(offsets: NDArray[np.int64], unit: int) -> int:
    """How many micro-batches, from the first, make whole units."""
    return (len(offsets) - 1) // unit * unit


def can_be_whole(offsets: NDArray[np.int64], unit: int) -> bool:
    """Whether `whole_units` finds enough rows."""
    try:
        whole_units(offsets, unit)
    except UserError:
        return False
    return True


def _halved(offsets: NDArray[np.int64], wanted: int) -> NDArray[np.int64]:
    starts = offsets.tolist()
    largest = [(start - end, start, end) for start, end in pairwise(starts)]
    heapq.heapify(largest)
    while len(largest) < wanted:
        _, start, end = heapq.heappop(largest)
        middle = (start + end + 1) // 2
        heapq.heappush(largest, (start - middle, start, middle))
        heapq.heappush(largest, (middle - end, middle, end))
    return np.array([*sorted(start for _, start, _ in largest), starts[-1]], np.int64)
