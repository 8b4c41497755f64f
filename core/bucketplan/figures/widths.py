"""Widths: how long the rows of micro-batches are once padded."""

from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.histogram import logarithmic
from bucketplan.figures.micro_batches import MicroBatches

FIGURES = (
    Figure("width_p50", "Width p50", "tokens", "lower", "The width in the middle of all micro-batches."),
    Figure("width_p90", "Width p90", "tokens", "lower", "Nine micro-batches of ten are no wider."),
    Figure("width_p99", "Width p99", "tokens", "lower", "99 micro-batches of 100 are no wider."),
    Figure("width_min", "Least width", "tokens", None, "The narrowest micro-batch."),
    Figure("width_max", "Largest width", "tokens", None, "The widest micro-batch."),
    Figure("mean_width", "Mean width", "tokens", "lower", "What the linear part of the time goes by."),
    Figure(
        "mean_square_width",
        "Mean square width",
        "square",
        "lower",
        "What the quadratic part of the time goes by.",
    ),
    Figure("distinct_widths", "Distinct widths", "count", "lower", "Shapes that a compiler may have to compile."),
)


def measure(micro: MicroBatches) -> Measured:
    """Percentile p is entry int(n p) of the n sorted widths."""
    widths, count = micro.width_tally, len(micro)
    return Measured(
        {
            "width_p50": widths.ranked(count // 2),
            "width_p90": widths.ranked(int(count * 0.9)),
            "width_p99": widths.ranked(int(count * 0.99)),
            "width_min": int(widths.values[0]),
            "width_max": int(widths.values[-1]),
            "mean_width": widths.mean(),
            "mean_square_width": widths.mean_square(),
            "distinct_widths": len(widths.values),
        },
        {"widths": logarithmic(widths)},
    )


METRIC = Metric("Widths", FIGURES, of_micro_batches=measure)
