"""How often each value of an integer array occurs, and what follows from it exactly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# A table of counts may be so many times longer than the values; beyond, sorting is cheaper.
_SPARSE = 8


@dataclass(frozen=True, eq=False)
class Tally:
    """Distinct values, ascending, and how often each occurs; both int64, (distinct,)."""

    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def total(self) -> int:
        """How many values there are in all."""
        return int(self.counts.sum())

    def ranked(self, position: int) -> int:
        """The value at this position of all values in ascending order."""
        return int(self.values[np.searchsorted(np.cumsum(self.counts), position, side="right")])

    def mean(self) -> float:
        """The mean of all values."""
        return float(self.values @ self.counts) / self.total

    def mean_square(self) -> float:
        """The mean of all values squared; exact up to the division."""
        squares = self.values.astype(np.float64) ** 2
        return float(squares @ self.counts.astype(np.float64)) / self.total


def tally(values: NDArray[np.int32] | NDArray[np.int64]) -> Tally:
    """Count non-negative integers; at least one."""
    if int(values.max()) < _SPARSE * len(values) + 65_536:
        table = np.bincount(values)
        present = np.flatnonzero(table)
        return Tally(present, table[present])
    present, counts = np.unique(values, return_counts=True)
    return Tally(present, counts.astype(np.int64))
