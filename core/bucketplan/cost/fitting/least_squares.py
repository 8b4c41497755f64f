"""Least squares with coefficients that must not be negative, on relative residuals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bucketplan.cost.fitting.measured_cost import TERMS
from bucketplan.cost.fitting.points import Point

# Of squared relative residuals: what rounding in the last digits of a double leaves.
_EXACT = 1e-20


@dataclass(frozen=True, eq=False)
class Solution:
    """The coefficients that fit best among those allowed.

    Attributes:
        shapes: (points, 4), the shape of each of TERMS at each point, over its seconds.
        allowed: the terms that might be used.
        used: those whose coefficients came out positive; the others are 0.
        coefficients: (4,).
    """

    shapes: NDArray[np.float64]
    allowed: tuple[str, ...]
    used: tuple[str, ...]
    coefficients: NDArray[np.float64]

    @cached_property
    def values(self) -> dict[str, float]:
        """Every coefficient by its term."""
        return dict(zip(TERMS, self.coefficients.tolist(), strict=True))

    @cached_property
    def residuals(self) -> NDArray[np.float64]:
        """Measured less predicted, as a share of what was measured."""
        predicted: NDArray[np.float64] = self.shapes @ self.coefficients
        return 1 - predicted

    @cached_property
    def squares(self) -> float:
        """The sum of squared residuals."""
        return float(self.residuals @ self.residuals)

    @property
    def exact(self) -> bool:
        """Whether the curve goes through every point but for rounding."""
        return self.squares <= _EXACT * len(self.shapes)

    @property
    def freedom(self) -> int:
        """Points left over once the coefficients are determined."""
        return len(self.shapes) - len(self.used)

    @cached_property
    def leverage(self) -> NDArray[np.float64]:
        """(points,), 0 .. 1: how much of its own prediction each point determines; at 1 it cannot be left out."""
        orthogonal, _ = np.linalg.qr(_scaled(self._matrix)[0])
        leverage: NDArray[np.float64] = np.minimum((orthogonal**2).sum(axis=1), 1.0)
        return leverage

    @property
    def left_out(self) -> NDArray[np.float64] | None:
        """Residual of each point against the curve of the others, with the same terms; None where one is needed."""
        open_ = 1 - self.leverage
        return self.residuals / open_ if bool(np.all(open_ > 1e-9)) else None

    @cached_property
    def covariance(self) -> NDArray[np.float64] | None:
        """(4, 4), zero where a coefficient is 0; None without a degree of freedom."""
        if not self.freedom:
            return None
        scaled, scale = _scaled(self._matrix)
        inverse = np.linalg.inv(scaled.T @ scaled) / np.outer(scale, scale)
        whole = np.zeros((len(TERMS), len(TERMS)))
        columns = [TERMS.index(term) for term in self.used]
        whole[np.ix_(columns, columns)] = inverse * self.squares / self.freedom
        return whole

    @property
    def _matrix(self) -> NDArray[np.float64]:
        return self.shapes[:, [TERMS.index(term) for term in self.used]]


def relative_shapes(points: Sequence[Point], rows: int, window: int | None) -> NDArray[np.float64]:
    """(points, 4): what a coefficient of 1 adds to each point's time, over that time.

    Args:
        points: at least one.
        rows: r0, the rows that the coefficients are for.
        window: of sliding-window layers; None leaves that column 0.
    """
    width = np.array([point.width for point in points], np.float64)
    share = np.array([point.rows / rows for point in points])
    seconds = np.array([point.seconds for point in points])
    windowed = np.zeros(len(points)) if window is None else width * np.minimum(width, window)
    columns = [np.ones(len(points)), width * share, width**2 * share, windowed * share]
    shapes: NDArray[np.float64] = np.stack(columns, axis=1) / seconds[:, None]
    return shapes


Solutions = Mapping[tuple[str, ...], Solution]
"""The plain least-squares solution of each choice of terms that the points tell apart; coefficients may be negative."""


def solutions(shapes: NDArray[np.float64], terms: tuple[str, ...]) -> Solutions:
    """Solve every choice of one or more of these terms.

    Args:
        shapes: as `relative_shapes` gives them.
        terms: in the order of TERMS.
    """
    choices = (chosen for size in range(1, len(terms) + 1) for chosen in combinations(terms, size))
    solved = ((chosen, _solved(shapes, chosen)) for chosen in choices)
    return {chosen: solution for chosen, solution in solved if solution is not None}


def non_negative(solved: Solutions, allowed: tuple[str, ...]) -> Solution:
    """Least squares with no negative coefficient: the best of all choices whose own solution has none.

    The optimum of the constrained problem is the plain solution of the terms that it uses, so that trying every choice
    is exact; of equals the one with fewer terms is taken.
    """
    best = None
    for terms, found in solved.items():
        if set(terms) <= set(allowed) and np.all(found.coefficients >= 0):
            better = best is None or (found.squares < best.squares and not best.exact)
            best = found if better else best
    assert best is not None, "one term alone always has a positive coefficient"
    return replace(best, allowed=allowed)


def _solved(shapes: NDArray[np.float64], terms: tuple[str, ...]) -> Solution | None:
    columns = [TERMS.index(term) for term in terms]
    matrix = shapes[:, columns]
    if len(terms) > len(matrix) or not np.all(matrix.any(axis=0)):
        return None
    scaled, scale = _scaled(matrix)
    found, _, rank, _ = np.linalg.lstsq(scaled, np.ones(len(shapes)), rcond=None)
    if rank < len(terms):
        return None
    coefficients = np.zeros(len(TERMS))
    coefficients[columns] = found / scale
    return Solution(shapes, terms, terms, coefficients)


def _scaled(matrix: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Columns over their greatest entries, and these: widths squared are nine digits away from 1."""
    scale = np.abs(matrix).max(axis=0)
    return matrix / scale, scale
