"""How much a series varies, and how much each value resembles the one before."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def variation(values: NDArray[Any]) -> float | None:
    """Population coefficient of variation; None where the mean is 0."""
    mean = float(values.mean())
    return float(values.std()) / mean if mean else None


def neighbour_correlation(values: NDArray[Any]) -> float | None:
    """Pearson correlation of each value with the next; None under three values or where they are constant."""
    if len(values) < 3:
        return None
    before, after = values[:-1].astype(np.float64), values[1:].astype(np.float64)
    before -= before.mean()
    after -= after.mean()
    # Sums of products, not dot products: these would wake the threads of the linear algebra library.
    scale = float((before * before).sum()) * float((after * after).sum())
    return float((before * after).sum()) / float(np.sqrt(scale)) if scale else None
