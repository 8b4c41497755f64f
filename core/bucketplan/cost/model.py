"""The cost of a micro-batch: fixed, linear and quadratic in its width, and linear again beyond a sliding window."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.settings import check_all, setting


@dataclass(frozen=True)
class CostModel:
    """t = C + (A w + B w^2 + D w min(w, window)) r / r0 seconds for r rows of width w, fitted on batches of r0 rows.

    D is for layers of sliding-window attention, which cost less than w^2 beyond their window; without a window every
    width lies within it. The defaults were fitted on three points of one real fine-tuning run; other hardware has other
    constants.

    Raises:
        KnobError: a value is negative or out of its range.
    """

    linear: float = setting(6.8715e-4, "A: seconds a token of width", minimum=0)
    quadratic: float = setting(8.8509e-8, "B: seconds a token of width squared", minimum=0)
    fixed: float = setting(0.0, "C: seconds of every micro-batch", minimum=0)
    rows: int = setting(2, "r0: rows of the micro-batches that A and B were fitted on", minimum=1)
    step_seconds: float = setting(0.0, "seconds of every optimizer step beside its micro-batches", minimum=0)
    mask_penalty: float = setting(1.0, "factor on micro-batches with padding where a mask is passed", minimum=0)
    passes_mask: bool = setting(False, "the trainer passes an attention mask")
    windowed: float = setting(0.0, "D: seconds a token of width times the width up to the window", minimum=0)
    window: int | None = setting(None, "tokens that sliding-window layers look back", minimum=1)

    def __post_init__(self) -> None:
        check_all(self)

    @property
    def crossover_width(self) -> float | None:
        """The width in tokens at which the quadratic part overtakes the linear one; None without a quadratic part."""
        return self.linear / self.quadratic if self.quadratic else None


@dataclass(frozen=True, eq=False)
class Seconds:
    """What each micro-batch costs, in seconds, by part; each (micro-batches,) float64."""

    fixed: NDArray[np.float64]
    linear: NDArray[np.float64]
    quadratic: NDArray[np.float64]
    windowed: NDArray[np.float64]

    @property
    def total(self) -> NDArray[np.float64]:
        """All parts together."""
        return self.fixed + self.linear + self.quadratic + self.windowed


def predict(cost: CostModel, widths: NDArray[np.int64], rows: NDArray[np.int64], padded: NDArray[np.bool_]) -> Seconds:
    """What micro-batches cost.

    Args:
        cost: the model.
        widths: (n,), padded tokens of a row.
        rows: (n,), rows of each.
        padded: (n,), whether any row is shorter than the width.
    """
    penalty = np.where(padded, cost.mask_penalty, 1.0) if cost.passes_mask else np.ones(len(widths))
    share = rows / cost.rows * penalty
    wide = widths.astype(np.float64)
    within = wide if cost.window is None else np.minimum(wide, cost.window)
    return Seconds(
        fixed=cost.fixed * penalty,
        linear=cost.linear * wide * share,
        quadratic=cost.quadratic * wide * wide * share,
        windowed=cost.windowed * wide * within * share if cost.windowed else np.zeros(len(widths)),
    )
