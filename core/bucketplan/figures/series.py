"""A figure along the run, or over the ranks: values in order, few enough to draw."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.planning.groups import equal_groups

_MOST = 240


@dataclass(frozen=True)
class Series:
    """Values in order.

    Attributes:
        values: each the mean of `each` neighbours; the last perhaps of fewer.
        each: neighbours in a value.
    """

    values: tuple[float, ...]
    each: int = 1


def series(values: NDArray[np.float64]) -> Series:
    """Values in order, neighbours averaged where they are many."""
    each = max(-(-len(values) // _MOST), 1)
    groups = equal_groups(len(values), each)
    return Series(tuple((groups.reduce(np.add, values) / groups.sizes).tolist()), each)
