"""A cost model fitted to measured points."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.cost.fitting.distributions import t_quantile
from bucketplan.cost.fitting.doubts import doubts
from bucketplan.cost.fitting.least_squares import Solution, non_negative, relative_shapes, solutions
from bucketplan.cost.fitting.measured_cost import LEVEL, TERMS, MeasuredCost
from bucketplan.cost.fitting.model_comparison import Candidate, candidates
from bucketplan.cost.fitting.points import Points
from bucketplan.cost.model import CostModel
from bucketplan.errors import InputError


@dataclass(frozen=True, eq=False)
class Fit:
    """A model, the points behind it, and what they say of it.

    Attributes:
        cost: the model with its points.
        solution: the least-squares solution that the model is.
        predicted: (points,), seconds.
        confidence: by term, the least and the greatest value that the points allow; None where they allow no interval.
        terms: all terms that were considered, the fixed one first.
        candidates: models by their terms, those that the points determine.
        leave_one_out: root mean square of each point's error as a share of its time, predicted by the curve of the
            others; None where a point cannot be left out.
        warnings: what a user should know before trusting it, each a line.
    """

    cost: MeasuredCost
    solution: Solution
    predicted: NDArray[np.float64]
    confidence: Mapping[str, tuple[float, float] | None]
    terms: tuple[str, ...]
    candidates: Mapping[tuple[str, ...], Candidate]
    leave_one_out: float | None
    warnings: tuple[str, ...]

    @property
    def seconds(self) -> NDArray[np.float64]:
        """(points,), as measured."""
        return np.array([point.seconds for point in self.cost.points])

    @property
    def residuals(self) -> NDArray[np.float64]:
        """(points,), measured less predicted, in seconds."""
        return self.seconds - self.predicted

    @property
    def without_fixed(self) -> Candidate | None:
        """The model without a fixed term as it was tested, None where the points did not allow a test."""
        return self.candidates.get(self.terms[1:]) if self.terms in self.candidates else None


def fit(points: Points, window: int | None = None) -> Fit:
    """Fit t = C + (A w + B w^2 + D w min(w, window)) r / r0 to points.

    Residuals count as shares of the measured times: a timer is off by so many percent, not by so many seconds. No
    coefficient is negative. C stays 0 unless the F test finds that it is needed; r0 is the commonest number of rows.

    Args:
        points: at least two distinct widths.
        window: of sliding-window layers; None leaves D at 0.

    Raises:
        InputError: there are fewer widths.
    """
    if len({point.width for point in points.points}) < 2:
        only = points.points[0].width
        problem = f"two distinct widths are needed, and there is one: {only:,}"
        raise InputError(points.path, problem, remedy="measure another width")
    rows = _commonest_rows(points)
    shapes = relative_shapes(points.points, rows, window)
    beyond = window is not None and any(point.width > window for point in points.points)
    whole = TERMS if beyond else TERMS[:3]
    solved = solutions(shapes, whole)
    every = candidates(solved, whole)
    plain = every.get(whole[1:])
    needed = plain is not None and plain.needs_more
    solution = non_negative(solved, whole if needed else whole[1:])
    cost = MeasuredCost(
        points.path,
        _model(solution, rows, window),
        points.points,
        solution.covariance,
        solution.freedom,
    )
    seconds = np.array([point.seconds for point in points.points])
    left_out = solution.left_out if solution.freedom else None
    return Fit(
        cost=cost,
        solution=solution,
        predicted=shapes @ solution.coefficients * seconds,
        confidence=_confidence(solution, solved.get(whole)),
        terms=whole,
        candidates=every,
        leave_one_out=None if left_out is None else float(np.sqrt(np.mean(left_out**2))),
        warnings=(*points.warnings, *doubts(points.points, solution, solved, window)),
    )


def _model(solution: Solution, rows: int, window: int | None) -> CostModel:
    fixed, linear, quadratic, windowed = solution.coefficients.tolist()
    return CostModel(linear=linear, quadratic=quadratic, fixed=fixed, rows=rows, windowed=windowed, window=window)


def _commonest_rows(points: Points) -> int:
    counted = Counter(point.rows for point in points.points)
    return min(counted, key=lambda rows: (-counted[rows], rows))


def _confidence(solution: Solution, whole: Solution | None) -> dict[str, tuple[float, float] | None]:
    """Intervals of what is in the model; of a fixed term that is not, how large it may still be."""
    found: dict[str, tuple[float, float] | None] = dict.fromkeys(TERMS)
    for term in solution.used:
        found[term] = _interval(solution, term)
    if "fixed" not in solution.used and whole is not None:
        found["fixed"] = _interval(whole, "fixed")
    return found


def _interval(solution: Solution, term: str) -> tuple[float, float] | None:
    if solution.covariance is None:
        return None
    place, value = TERMS.index(term), solution.values[term]
    spread = t_quantile(LEVEL, solution.freedom) * float(np.sqrt(solution.covariance[place, place]))
    return max(value - spread, 0.0), max(value + spread, 0.0)
