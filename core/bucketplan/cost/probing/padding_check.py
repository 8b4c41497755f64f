"""What right padding costs at the same width: the `mask_penalty` of a cost model."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bucketplan.cost.probing.probe import Shape, Timing


@dataclass(frozen=True)
class PaddingCheck:
    """Times with padding over those without.

    Attributes:
        ratios: (width, ratio) for each width where both ran.
        failures: what failed, each a line.
    """

    ratios: tuple[tuple[int, float], ...]
    failures: tuple[str, ...]

    @property
    def mask_penalty(self) -> float | None:
        """The geometric mean of the ratios; None where there is none."""
        if not self.ratios:
            return None
        return math.exp(sum(math.log(ratio) for _, ratio in self.ratios) / len(self.ratios))


def padding_shapes(widths: Sequence[int], rows: int) -> list[Shape]:
    """Each width without padding and with it, one beside the other."""
    return [Shape(width, rows, padding) for width in sorted(set(widths)) for padding in (False, True)]


def check_padding(timings: Sequence[Timing]) -> PaddingCheck:
    """Compare what ran as `padding_shapes` says."""
    ratios, failures = [], []
    for without, padded in zip(timings[::2], timings[1::2], strict=True):
        reason = without.failure or padded.failure
        if reason is None:
            ratios.append((without.shape.width, padded.median / without.median))
        else:
            failures.append(f"width {without.shape.width:,}: {reason}")
    return PaddingCheck(tuple(ratios), tuple(failures))
