"""A cost model together with the measurements behind it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bucketplan.cost.fitting.points import Point
from bucketplan.cost.model import CostModel

TERMS = ("fixed", "linear", "quadratic", "windowed")
"""The coefficients of a cost model, in the order of matrices."""

LEVEL = 0.95
"""The confidence of every interval."""


@dataclass(frozen=True, eq=False)
class MeasuredCost:
    """A cost model and how far it can be trusted.

    Attributes:
        path: where it came from, as the user named it.
        model: the model.
        points: what it was fitted to; at least one.
        covariance: (4, 4), of the coefficients in the order of TERMS, zero where one was held at 0; None where the
            points leave no residual to judge by.
        freedom: degrees of freedom behind the covariance, 0 where there is none.
    """

    path: str
    model: CostModel
    points: tuple[Point, ...]
    covariance: NDArray[np.float64] | None = None
    freedom: int = 0

    @cached_property
    def widths(self) -> tuple[int, int]:
        """The least and the greatest width measured."""
        widths = [point.width for point in self.points]
        return min(widths), max(widths)

    @cached_property
    def rows(self) -> tuple[int, int]:
        """The fewest and the most rows measured."""
        rows = [point.rows for point in self.points]
        return min(rows), max(rows)

    @property
    def coefficients(self) -> tuple[float, ...]:
        """The coefficients in the order of TERMS."""
        return tuple(float(getattr(self.model, term)) for term in TERMS)
