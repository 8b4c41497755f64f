"""Memory: the micro-batch that needs the most of it, and when it comes."""

import numpy as np

from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.steps import Steps

FIGURES = (
    Figure("peak_tokens", "Peak micro-batch", "tokens", "lower", "Padded tokens of the largest micro-batch."),
    Figure(
        "peak_step",
        "Peak at step",
        "count",
        None,
        "The step, from 0, in which the largest micro-batch first runs.",
    ),
)


def measure(steps: Steps) -> Measured:
    """The first of the largest micro-batches."""
    padded = steps.micro_batches.padded_tokens
    peak = int(np.argmax(padded))
    return Measured({"peak_tokens": int(padded[peak]), "peak_step": peak // steps.knobs.window_size})


METRIC = Metric("Memory", FIGURES, of_steps=measure)
