"""The optimizer steps of a plan: its micro-batches in windows, over the ranks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.planning.groups import Groups, equal_groups
from bucketplan.planning.knobs import Knobs


@dataclass(frozen=True, eq=False)
class Steps:
    """What each step of one epoch does.

    Round j is micro-batches j P .. j P + P - 1, one a rank; a step is G rounds; its micro-batches are a window.

    Attributes:
        micro_batches: what the steps run; its knobs may differ from these in what only steps read.
        knobs: accumulation G, world size P, `sync`, `epochs`, `steps`.
    """

    micro_batches: MicroBatches
    knobs: Knobs

    @cached_property
    def windows(self) -> Groups:
        """Micro-batches cut into windows; the last one may be incomplete."""
        return equal_groups(len(self.micro_batches), self.knobs.window_size)

    @cached_property
    def full(self) -> int:
        """How many windows have all their micro-batches."""
        return len(self.micro_batches) // self.knobs.window_size

    @property
    def told(self) -> int:
        """How many windows, from the first, figures by window are over: the full ones, else the incomplete one."""
        return self.full or 1

    @cached_property
    def by_rank(self) -> NDArray[np.float64]:
        """(steps, G, P): seconds of each micro-batch, 0 where the last window has none."""
        count, ranks = self.knobs.accumulation, self.knobs.world_size
        seconds = np.zeros(len(self.windows) * count * ranks)
        seconds[: len(self.micro_batches)] = self.micro_batches.seconds.total
        return seconds.reshape(-1, count, ranks)

    @cached_property
    def busy(self) -> NDArray[np.float64]:
        """Seconds that all ranks together compute in each step."""
        return self.windows.reduce(np.add, self.micro_batches.seconds.total)

    @cached_property
    def elapsed(self) -> NDArray[np.float64]:
        """Seconds that each step takes: its slowest rank, or the slowest of each round, and the step's own seconds."""
        if self.knobs.world_size == 1:
            slowest = self.busy
        elif self.knobs.sync == "step":
            slowest = self.by_rank.sum(axis=1).max(axis=1)
        else:
            slowest = self.by_rank.max(axis=2).sum(axis=1)
        return slowest + self.micro_batches.cost.step_seconds
