"""Mixing: how many source datasets, or kinds, an optimizer step sees."""

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories
from bucketplan.corpus.tally import tally
from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.histogram import by_value
from bucketplan.figures.steps import Steps

FIGURES = (
    Figure(
        "roots_per_window_mean",
        "{Mixing}s a window",
        "mean",
        "higher",
        "Mean number of different ones among the records of an optimizer step.",
    ),
    Figure(
        "roots_per_window_expected",
        "  in random order",
        "mean",
        None,
        "The mean that a uniformly random order is expected to give.",
    ),
    Figure("roots_per_window_min", "  fewest", "count", "higher", "The fewest different ones in any step."),
    Figure("one_root_windows", "One-{mixing} windows", "share", "lower", "Share of steps that see a single one."),
)

_BITS = 64


def measure(steps: Steps) -> Measured:
    """Over full windows; where there is none, over the incomplete one. Unknown where the cache names none."""
    micro, told = steps.micro_batches, steps.told
    column = micro.plan.selection.categories(steps.knobs.mixing)
    if column is None:
        return Measured(dict.fromkeys(figure.name for figure in FIGURES))
    distinct = _distinct(steps, column)[:told]
    sizes = tally(steps.windows.reduce(np.add, micro.records)[:told])
    expected = [expected_distinct(column.counts, size) for size in sizes.values.tolist()]
    return Measured(
        {
            "roots_per_window_mean": float(distinct.mean()),
            "roots_per_window_expected": float(np.average(expected, weights=sizes.counts)),
            "roots_per_window_min": int(distinct.min()),
            "one_root_windows": float(np.count_nonzero(distinct == 1)) / told,
        },
        {"roots_per_window": by_value(tally(distinct))},
    )


def expected_distinct(counts: NDArray[np.int64], drawn: int) -> float:
    """Distinct names expected among records drawn without replacement.

    A name of n records is absent from k of N with the chance prod over j < k of (N - n - j) / (N - j), which is also
    the product over j < n of (N - k - j) / (N - j): the shorter one is taken. Log-gamma would lose digits at large N.

    Args:
        counts: records of each name.
        drawn: k, at most the sum of counts.
    """
    total = int(counts.sum())
    if drawn <= len(counts):
        absent = np.ones(len(counts))
        for j in range(drawn):
            absent *= np.maximum(total - counts - j, 0) / (total - j)
        return float((1 - absent).sum())
    names, repeats = np.unique(counts, return_counts=True)
    present = [1 - _absent(total, count, drawn) for count in names.tolist()]
    return float(np.dot(present, repeats))


def _absent(total: int, count: int, drawn: int) -> float:
    fewer, more = min(count, drawn), max(count, drawn)
    j = np.arange(fewer)
    return float(np.prod(np.maximum(total - more - j, 0) / (total - j)))


def _distinct(steps: Steps, column: Categories) -> NDArray[np.int64]:
    """Distinct names of each window."""
    micro = steps.micro_batches
    if len(column.names) <= _BITS:
        masks = steps.windows.reduce(np.bitwise_or, micro.name_masks(column))
        bits: NDArray[np.uint8] = np.bitwise_count(masks)
        return bits.astype(np.int64)
    records = steps.windows.reduce(np.add, micro.records)
    window = np.repeat(np.arange(len(records)), records)
    names = column.codes[micro.plan.order[: len(window)]]
    pairs = np.sort(window * len(column.names) + names)
    new = np.concatenate([[True], pairs[1:] != pairs[:-1]])
    return np.bincount(pairs[new] // len(column.names), minlength=len(records))


METRIC = Metric("Mixing", FIGURES, of_steps=measure)
