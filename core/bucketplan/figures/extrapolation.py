"""How far a prediction can be trusted: what of a plan was never measured, and the interval of the fit."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.cost.fitting.distributions import t_quantile
from bucketplan.cost.fitting.measured_cost import LEVEL, MeasuredCost
from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.figures.steps import Steps

FIGURES = (
    Figure(
        "extrapolated_micro_batches",
        "Extrapolated batches",
        "count",
        "lower",
        "Micro-batches wider or narrower than any measured one, or with other numbers of rows.",
    ),
    Figure("extrapolated_share", "Extrapolated", "share", "lower", "Their share of the predicted time."),
    Figure("hours_least", "Run time, least", "hours", "lower", "The lower end of the fit's 95% interval."),
    Figure("hours_most", "Run time, most", "hours", "lower", "The upper end of the fit's 95% interval."),
)


@dataclass(frozen=True)
class Interval:
    """What a figure may be with 95% confidence, as far as the points behind the fit tell."""

    least: float
    most: float


@dataclass(frozen=True)
class SavingIntervals:
    """What a plan may save against a baseline: a share of the time of an epoch, and hours."""

    time_fraction: Interval
    hours: Interval


def metric(cost: MeasuredCost) -> Metric:
    """The figures of a plan predicted with this cost."""
    return Metric("Prediction", FIGURES, of_steps=lambda steps: measure(steps, cost))


def measure(steps: Steps, cost: MeasuredCost) -> Measured:
    """What was never measured, and the interval of the hours; None where the fit has none."""
    micro = steps.micro_batches
    outside = extrapolated(micro, cost)
    count, seconds = int(np.count_nonzero(outside)), micro.seconds.total
    total = float(seconds.sum())
    share = float(seconds[outside].sum()) / total if total else None
    hours = hours_interval(steps, cost)
    return Measured(
        {
            "extrapolated_micro_batches": count,
            "extrapolated_share": share,
            "hours_least": None if hours is None else hours.least,
            "hours_most": None if hours is None else hours.most,
        },
        cautions=_caution(count, len(micro), share or 0.0, cost) if count else (),
    )


def extrapolated(micro: MicroBatches, cost: MeasuredCost) -> NDArray[np.bool_]:
    """(micro-batches,): whether the width or the rows of each lie outside the measured ones."""
    outside = np.zeros(len(micro), np.bool_)
    for values, (least, most) in ((micro.widths, cost.widths), (micro.rows, cost.rows)):
        outside |= (values < least) | (values > most)
    return outside


def hours_interval(steps: Steps, cost: MeasuredCost) -> Interval | None:
    """The hours of the whole run; None where the fit has no covariance, or is not what the plan is predicted with."""
    if not _predicts(steps, cost):
        return None
    gradient = _run_gradient(steps) / 3600
    return _interval(_run_seconds(steps) / 3600, gradient, cost, least=0.0)


def saving_interval(plan: Steps, baseline: Steps, cost: MeasuredCost) -> SavingIntervals | None:
    """What a plan saves; None as for `hours_interval`.

    Both times come from the same coefficients, so that what makes both longer says little of their ratio.
    """
    if not (_predicts(plan, cost) and _predicts(baseline, cost)):
        return None
    mine, base = float(plan.elapsed.sum()), float(baseline.elapsed.sum())
    gradient, base_gradient = _sums(plan, _critical(plan)), _sums(baseline, _critical(baseline))
    fraction = _interval(1 - mine / base, (mine / base * base_gradient - gradient) / base, cost)
    if plan.knobs.steps is not None:
        mine, base = _run_seconds(plan), _run_seconds(baseline)
        gradient, base_gradient = _run_gradient(plan), _run_gradient(baseline)
    return SavingIntervals(fraction, _interval((base - mine) / 3600, (base_gradient - gradient) / 3600, cost))


_FITTED = ("fixed", "linear", "quadratic", "windowed", "window", "rows")


def _predicts(steps: Steps, cost: MeasuredCost) -> bool:
    used = steps.micro_batches.cost
    return cost.covariance is not None and all(getattr(used, each) == getattr(cost.model, each) for each in _FITTED)


def _interval(value: float, gradient: NDArray[np.float64], cost: MeasuredCost, least: float = -np.inf) -> Interval:
    """A value that is linear, or nearly so, in the coefficients, with its gradient in the order of TERMS."""
    assert cost.covariance is not None
    variance = float(gradient @ cost.covariance @ gradient)
    spread = t_quantile(LEVEL, cost.freedom) * math.sqrt(max(variance, 0.0))
    return Interval(max(value - spread, least), value + spread)


def _critical(steps: Steps) -> NDArray[np.bool_]:
    """(steps, G, P): the micro-batches that the others wait for; a small change of the cost keeps them the slowest."""
    by_rank = steps.by_rank
    ranks = np.arange(by_rank.shape[2])
    if steps.knobs.sync == "step":
        return np.broadcast_to(by_rank.sum(axis=1).argmax(axis=1)[:, None, None] == ranks, by_rank.shape)
    slowest: NDArray[np.bool_] = by_rank.argmax(axis=2)[:, :, None] == ranks
    return slowest


def _sums(steps: Steps, counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(4,): seconds of an epoch that a unit of each coefficient adds, over the micro-batches counted."""
    micro = steps.micro_batches
    cost, parts = micro.cost, micro.seconds
    chosen = counted.reshape(-1)[: len(micro)]
    pairs = (
        (parts.fixed, cost.fixed),
        (parts.linear, cost.linear),
        (parts.quadratic, cost.quadratic),
        (parts.windowed, cost.windowed),
    )
    # A coefficient held at 0 varies with nothing: its row of the covariance is 0.
    return np.array([float(part[chosen].sum()) / value if value else 0.0 for part, value in pairs])


def _run_gradient(steps: Steps) -> NDArray[np.float64]:
    """The same of the whole run."""
    critical, knobs = _critical(steps), steps.knobs
    if knobs.steps is None:
        return _sums(steps, critical) * knobs.epochs
    if knobs.world_size == 1:
        return _sums(steps, critical) * knobs.accumulation / len(steps.micro_batches) * knobs.steps
    told = critical.copy()
    told[steps.told :] = False
    return _sums(steps, told) / steps.told * knobs.steps


def _run_seconds(steps: Steps) -> float:
    knobs, micro = steps.knobs, steps.micro_batches
    if knobs.steps is None:
        return float(steps.elapsed.sum()) * knobs.epochs
    if knobs.world_size == 1:
        a_step = knobs.accumulation * float(micro.seconds.total.sum()) / len(micro) + micro.cost.step_seconds
        return a_step * knobs.steps
    return float(steps.elapsed[: steps.told].mean()) * knobs.steps


def _caution(count: int, of: int, share: float, cost: MeasuredCost) -> tuple[str, ...]:
    (narrow, wide), (few, many) = cost.widths, cost.rows
    rows = f"{few:,}" if few == many else f"{few:,} to {many:,}"
    return (
        f"extrapolated: {count:,} of {of:,} micro-batches, {share:.1%} of the predicted time, lie outside what was "
        f"measured: widths {narrow:,} to {wide:,}, {rows} rows",
    )
