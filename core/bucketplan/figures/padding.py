"""Padding: what a plan spends on tokens that train nothing."""

import numpy as np

from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.micro_batches import MicroBatches

FIGURES = (
    Figure("waste", "Padding waste", "share", "lower", "Share of all padded tokens that is padding."),
    Figure("padded_tokens", "Padded tokens", "tokens", "lower", "Tokens of one epoch, padding included."),
    Figure("real_tokens", "Real tokens", "tokens", None, "Tokens of one epoch, without padding."),
    Figure("micro_batches", "Micro-batches", "count", None, "Micro-batches of one epoch, over all ranks."),
    Figure(
        "zero_pad_micro_batches",
        "Zero-pad batches",
        "count",
        "higher",
        "Micro-batches whose rows are all as long as the width: with a mask they keep the fast causal attention.",
    ),
    Figure(
        "zero_pad_share",
        "Zero-pad share",
        "share",
        "higher",
        "Zero-pad micro-batches among all micro-batches.",
    ),
    Figure("short_rows", "Short last batch", "count", None, "Rows of a last micro-batch that is not whole."),
    Figure(
        "leftover_records",
        "Left-over records",
        "count",
        "lower",
        "Records that found no micro-batch in their bucket; they run at the end, sorted by length.",
    ),
)


def measure(micro: MicroBatches) -> Measured:
    """Real rows only: a short last micro-batch counts the rows it has."""
    real, padded = int(micro.real_tokens.sum()), int(micro.padded_tokens.sum())
    zero_pad = len(micro) - int(np.count_nonzero(micro.holds_padding))
    return Measured(
        {
            "waste": 1 - real / padded,
            "padded_tokens": padded,
            "real_tokens": real,
            "micro_batches": len(micro),
            "zero_pad_micro_batches": zero_pad,
            "zero_pad_share": zero_pad / len(micro),
            "short_rows": micro.short_rows,
            "leftover_records": micro.plan.leftover_records,
        }
    )


METRIC = Metric("Padding", FIGURES, of_micro_batches=measure)
