"""Supervised tokens: how evenly optimizer steps are fed."""

import numpy as np

from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.steps import Steps
from bucketplan.figures.variation import variation

FIGURES = (
    Figure(
        "supervised_per_window_mean",
        "Supervised/window",
        "tokens",
        None,
        "Mean supervised tokens of a step.",
    ),
    Figure(
        "supervised_per_window_variation",
        "Supervised spread",
        "ratio",
        "lower",
        "Deviation of the supervised tokens of steps over their mean.",
    ),
)


def measure(steps: Steps) -> Measured:
    """Over full windows; where there is none, over the incomplete one. Unknown without labels."""
    supervised = steps.micro_batches.supervised_tokens
    if supervised is None:
        return Measured(dict.fromkeys(figure.name for figure in FIGURES))
    windows = steps.windows.reduce(np.add, supervised)[: steps.told]
    return Measured(
        {
            "supervised_per_window_mean": float(windows.mean()),
            "supervised_per_window_variation": variation(windows),
        }
    )


METRIC = Metric("Supervision", FIGURES, of_steps=measure)
