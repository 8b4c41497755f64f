"""Consecutive groups of a flat array: the rows of micro-batches, the micro-batches of windows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Below this size a fold over strided columns beats a reduction along the short axis.
_STRIDED = 32


@dataclass(frozen=True, eq=False)
class Groups:
    """How `total` entries are cut into consecutive, non-empty groups.

    Attributes:
        offsets: int64, (groups + 1,), where each group starts, and the total at the end.
        size: entries of every group but perhaps the last, or None where sizes vary.
    """

    offsets: NDArray[np.int64]
    size: int | None = None

    def __len__(self) -> int:
        """The number of groups."""
        return len(self.offsets) - 1

    @property
    def total(self) -> int:
        """Entries in all groups."""
        return int(self.offsets[-1])

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Entries of each group."""
        return np.diff(self.offsets)

    @property
    def last_size(self) -> int:
        """Entries of the last group."""
        return int(self.offsets[-1] - self.offsets[-2])

    def first(self, count: int) -> "Groups":
        """The first `count` groups alone."""
        return Groups(self.offsets[: count + 1], self.size)

    def reduce(self, ufunc: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """`ufunc.reduce` of each group.

        Args:
            ufunc: an associative ufunc of two arguments.
            values: (total,), or longer; what follows the last group is ignored.

        Returns:
            (groups,), of the ufunc's own type for these values.
        """
        if self.size is None:
            return ufunc.reduceat(values[: self.total], self.offsets[:-1])
        if self.size == 1:
            return values[: self.total]
        whole = self.total // self.size
        table = values[: whole * self.size].reshape(whole, self.size)
        if whole and self.size <= _STRIDED:
            reduced = ufunc(table[:, 0], table[:, 1])
            for column in range(2, self.size):
                ufunc(reduced, table[:, column], out=reduced)
        else:
            reduced = ufunc.reduce(table, axis=1)
        if whole == len(self):
            return reduced  # type: ignore[no-any-return]
        return np.append(reduced, ufunc.reduce(values[whole * self.size : self.total]))


def equal_groups(total: int, size: int) -> Groups:
    """Groups of `size` entries, the last one short where they do not divide; one group at least where total > 0."""
    offsets = np.arange(0, total + size, size, dtype=np.int64)
    offsets[-1] = total
    return Groups(offsets, size)
