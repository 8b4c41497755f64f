"""Whether the kernels tell the same story as the cost model and the card."""

from dataclasses import dataclass

from bucketplan.cost.model import CostModel
from bucketplan.cost.term_shares import shares
from bucketplan.kernels.table import KernelTable

# Of all device time. Beside attention's kernels, the quadratic share holds softmax and masks; the linear one holds
# attention's own launches: a few points apart is agreement.
_AGREE = 0.1

# Multiplications and additions of a training step for each parameter and token: 2 forward, 4 backward.
TRAINING_FLOPS = 6


@dataclass(frozen=True)
class AttentionCheck:
    """Attention's share of device time beside what a fit predicts.

    Attributes:
        width: of the traced micro-batches.
        measured: attention's share of device time.
        predicted: the share of the quadratic and the windowed term in the predicted time.
    """

    width: int
    measured: float
    predicted: float

    @property
    def agree(self) -> bool:
        """Whether both tell the same story."""
        return abs(self.measured - self.predicted) <= _AGREE


@dataclass(frozen=True)
class Throughput:
    """What was computed against what a card could have.

    Attributes:
        achieved_tflops: a device's, over the elapsed time; attention's own products are not in it.
        peak_tflops: what a device can do.
    """

    achieved_tflops: float
    peak_tflops: float

    @property
    def share(self) -> float:
        """Of the peak."""
        return self.achieved_tflops / self.peak_tflops


def check_attention(table: KernelTable, model: CostModel, width: int) -> AttentionCheck | None:
    """Attention's share against the fit's; None where nothing ran on a device."""
    measured = table.share(table.us.get("attention", 0.0))
    if measured is None:
        return None
    predicted = shares(model, width)
    return AttentionCheck(width, measured, predicted["quadratic"] + predicted["windowed"])


def throughput(
    table: KernelTable, parameters: float, tokens: float, peak_tflops: float, flops: float = TRAINING_FLOPS
) -> Throughput | None:
    """Achieved against available; None where nothing ran on a device.

    Args:
        table: of the trace.
        parameters: of the model, those that work on every token.
        tokens: that the traced steps computed, padding included, on all devices together.
        peak_tflops: of one device, in the precision used.
        flops: of each parameter and token.
    """
    if not table.elapsed_us:
        return None
    each = flops * parameters * tokens / len(table.devices)
    return Throughput(each / (table.elapsed_us * 1e-6) / 1e12, peak_tflops)
