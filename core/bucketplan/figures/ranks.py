"""Ranks and rounds: who waits for whom, and whether neighbouring rounds resemble each other."""

import numpy as np

from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.series import Series
from bucketplan.figures.steps import Steps
from bucketplan.figures.variation import neighbour_correlation
from bucketplan.planning.groups import equal_groups

FIGURES = (
    Figure("windows", "Full windows", "count", None, "Optimizer steps of one epoch with all their micro-batches."),
    Figure("rank_idle", "Ranks idle", "share", "lower", "Time that ranks spend waiting for the slowest."),
    Figure(
        "neighbour_correlation",
        "Round correlation",
        "ratio",
        "lower",
        "Correlation of the widths of neighbouring rounds: near 1, long records come together and the loss swings.",
    ),
)


def measure(steps: Steps) -> Measured:
    """Idle time over full windows; where there is none, over the incomplete one."""
    ranks, told = steps.knobs.world_size, steps.told
    available = ranks * float(steps.elapsed[:told].sum())
    rounds = equal_groups(len(steps.micro_batches), ranks)
    widest = rounds.reduce(np.maximum, steps.micro_batches.widths)
    return Measured(
        {
            "windows": steps.full,
            "rank_idle": 1 - float(steps.busy[:told].sum()) / available if available else None,
            "neighbour_correlation": neighbour_correlation(widest),
        },
        series=_busy(steps, available),
        cautions=_incomplete(steps),
    )


def _busy(steps: Steps, available: float) -> dict[str, Series]:
    """The share of the elapsed time that each rank computes; the rest it waits. Nothing for one rank alone."""
    ranks = steps.knobs.world_size
    if ranks == 1 or not available:
        return {}
    seconds = steps.by_rank[: steps.told].sum(axis=(0, 1))
    return {"rank_busy": Series(tuple((seconds * ranks / available).tolist()))}


def _incomplete(steps: Steps) -> tuple[str, ...]:
    of, last = steps.knobs.window_size, steps.windows.last_size
    if last == of:
        return ()
    if steps.full:
        return (f"the last window is incomplete: {last:,} of {of:,} micro-batches",)
    return (
        f"no window is full: the only one is incomplete, {last:,} of {of:,} micro-batches, and figures are over it",
    )


METRIC = Metric("Ranks", FIGURES, of_steps=measure)
