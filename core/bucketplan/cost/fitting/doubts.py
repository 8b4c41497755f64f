"""What is doubtful about measured points and the curve through them, in words."""

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bucketplan.cost.fitting.distributions import f_tail
from bucketplan.cost.fitting.least_squares import Solution, Solutions
from bucketplan.cost.fitting.measured_cost import TERMS
from bucketplan.cost.fitting.points import Point

# Differences count from these shares of a time on: below, they are noise or rounding.
_NOTICEABLE = 0.05
_NEGATIVE = 0.01
_OUTLIER_CHANCE = 0.05
_MISFIT_CHANCE = 0.01


def doubts(points: Sequence[Point], solution: Solution, solved: Solutions, window: int | None) -> list[str]:
    """Warnings, each a line.

    Args:
        points: that were fitted.
        solution: the curve chosen.
        solved: plain solutions, from which it was chosen.
        window: of sliding-window layers, or None.
    """
    return [
        *_undetermined(points, solution, window),
        *_held_at_zero(solution, solved),
        *_decreasing(points),
        *(_outliers(points, solution) or _misfit(points, solution)),
    ]


def _undetermined(points: Sequence[Point], solution: Solution, window: int | None) -> list[str]:
    lines = []
    if not solution.freedom:
        count = {2: "two points for two", 3: "three points for three"}.get(
            len(points), f"{len(points)} points for as many"
        )
        lines.append(
            f"{count} coefficients: the curve goes through them with no residual to judge it by - measure more"
        )
    if window is not None and max(point.width for point in points) <= window:
        lines.append(
            f"no width is beyond the window of {window:,}: the windowed term cannot be told from the quadratic one"
        )
    return lines


def _held_at_zero(solution: Solution, solved: Solutions) -> list[str]:
    free = solved.get(solution.allowed)
    if free is None:
        return []
    least = dict(zip(TERMS, (free.shapes * free.coefficients).min(axis=0).tolist(), strict=True))
    return [f"the {term} term would be negative and is held at 0" for term, part in least.items() if part < -_NEGATIVE]


def _decreasing(points: Sequence[Point]) -> list[str]:
    """Wider micro-batches of as many rows that took less time."""
    measured: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for point in points:
        measured[point.rows][point.width].append(point.seconds)
    drops = []
    for by_width in measured.values():
        means = sorted((width, sum(seconds) / len(seconds)) for width, seconds in by_width.items())
        for (narrow, longer), (wide, shorter) in pairwise(means):
            if shorter < longer * (1 - _NOTICEABLE):
                drops.append(f"{longer:.4g} s at {narrow:,} to {shorter:.4g} s at {wide:,}")
    if not drops:
        return []
    more = f", and {len(drops) - 1} more" if len(drops) > 1 else ""
    return [f"times decrease with width, from {drops[0]}{more}: measure these again"]


def _outliers(points: Sequence[Point], solution: Solution) -> list[str]:
    """Points that the others contradict: externally studentised residuals, all points judged together (Bonferroni)."""
    freedom, left_out = solution.freedom - 1, solution.left_out
    if freedom < 1 or left_out is None or solution.exact:
        return []
    others = np.maximum(solution.squares - solution.residuals * left_out, 0.0) / freedom
    lines = []
    for point, off, rest, free in zip(points, left_out, others, 1 - solution.leverage, strict=True):
        f = off * off * free / rest if rest else math.inf
        # The residual is a share of the measured time: 9 times too slow is 0.89.
        if abs(off) > _NOTICEABLE and f_tail(float(f), 1, freedom) * len(points) < _OUTLIER_CHANCE:
            lines.append(_outlier(points, point, float(off)))
    return lines


def _outlier(points: Sequence[Point], point: Point, off: float) -> str:
    expected = point.seconds * (1 - off)
    compared = f"where the others give {expected:.4g} s" if expected > 0 else "far off the others"
    warm_up = off > 0 and point is points[0]
    remedy = "the first one, a warm-up point? warm up and measure it again" if warm_up else "measure it again"
    return f"line {point.line}: an outlier, {point.seconds:.4g} s at width {point.width:,}, {compared} - {remedy}"


def _misfit(points: Sequence[Point], solution: Solution) -> list[str]:
    if not solution.freedom:
        return []
    typical = math.sqrt(solution.squares / solution.freedom)
    worst = int(np.argmax(np.abs(solution.residuals)))
    at = f"{abs(float(solution.residuals[worst])):.1%} at width {points[worst].width:,}, line {points[worst].line}"
    if typical > _NOTICEABLE:
        return [f"one curve does not fit these points: poor, residuals of {typical:.1%}, up to {at}"]
    p = _lack_of_fit(points, solution)
    if p is not None and p < _MISFIT_CHANCE:
        return [
            f"one curve does not fit these points: repeats agree with each other better than with it (p = {p:.2g}), "
            f"residuals up to {at}"
        ]
    return []


def _lack_of_fit(points: Sequence[Point], solution: Solution) -> float | None:
    """The F test of what repeats leave against what the curve leaves; None without repeats."""
    groups: dict[tuple[int, int], list[float]] = defaultdict(list)
    for point, residual in zip(points, solution.residuals.tolist(), strict=True):
        groups[point.width, point.rows].append(residual)
    pure = sum(float(np.var(each)) * len(each) for each in groups.values())
    within, between = len(points) - len(groups), len(groups) - len(solution.used)
    if within < 1 or between < 1 or not pure:
        return None
    return f_tail(max(solution.squares - pure, 0.0) / between / (pure / within), between, within)
