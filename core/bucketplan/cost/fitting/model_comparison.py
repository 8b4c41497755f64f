"""Models with and without each term, compared: the corrected Akaike criterion and the F test."""

import math
from dataclasses import dataclass

from bucketplan.cost.fitting.distributions import f_tail
from bucketplan.cost.fitting.least_squares import Solution, Solutions, non_negative

SIGNIFICANCE = 0.05
"""A term is needed where the chance of so much better a fit without need is below this."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """One choice of terms.

    Attributes:
        solution: its best coefficients.
        aicc: the corrected Akaike criterion, lower is better; only differences mean anything.
        f: how much the largest model fits better, per term and over what that leaves.
        p: the chance of so great an `f` if the terms left out were nothing.
    """

    solution: Solution
    aicc: float | None
    f: float | None
    p: float | None

    @property
    def needs_more(self) -> bool:
        """Whether the points show that terms left out are needed."""
        return self.p is not None and self.p < SIGNIFICANCE


def candidates(solved: Solutions, terms: tuple[str, ...]) -> dict[tuple[str, ...], Candidate]:
    """Every model that the points determine, each against the one with all of these terms.

    None stands for a figure that the points do not allow: the largest model is not determined, leaves no residual, or
    every residual is rounding.
    """
    largest = non_negative(solved, terms) if terms in solved else None
    found = {}
    for chosen in solved:
        solution = non_negative(solved, chosen)
        f, p = (None, None) if largest is None else _f_test(solution, largest)
        found[chosen] = Candidate(solution, _aicc(solution), f, p)
    return found


def _aicc(solution: Solution) -> float | None:
    """The variance counts as a parameter."""
    points, parameters = len(solution.shapes), len(solution.allowed) + 1
    if points - parameters - 1 <= 0 or solution.exact:
        return None
    correction = 2 * parameters * (parameters + 1) / (points - parameters - 1)
    return points * math.log(solution.squares / points) + 2 * parameters + correction


def _f_test(smaller: Solution, largest: Solution) -> tuple[float | None, float | None]:
    extra = len(largest.allowed) - len(smaller.allowed)
    freedom = len(largest.shapes) - len(largest.allowed)
    if not extra or freedom < 1 or smaller.exact:
        return None, None
    if largest.exact:
        return None, 0.0
    f = max(smaller.squares - largest.squares, 0.0) / extra / (largest.squares / freedom)
    return f, f_tail(f, extra, freedom)
