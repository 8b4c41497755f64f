"""A plan written down for a trainer: what is read in which order, over the whole run."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Fingerprint
from bucketplan.order.whole_windows import whole_units
from bucketplan.planning.groups import Groups, equal_groups
from bucketplan.settings import Value

MARK, VERSION = "bucketplan_manifest", 1
"""The key that makes a file a manifest, and its value: the version of the format."""

Figure = int | float | str | None


@dataclass(frozen=True, eq=False)
class Manifest:
    """The order of a whole run, which a trainer reads as one epoch.

    Attributes:
        records: records of the dataset that the trainer loads.
        order: int64, record numbers in the order of the run, one epoch after the other.
        epochs: int64, (epochs + 1,), where each epoch starts in the order, and its end.
        planned: the micro-batches of the plan, in rows; an epoch starts with one.
        rows: the rows as groups of the order's entries; None where each row is one record.
        cut: int64 each, one entry an epoch: record numbers of its plan that it leaves out, to have whole windows.
        left_out: int64 each, one entry an epoch: record numbers that the knobs or the load leave out of its plan.
        lengths: int32, tokens of each record of the dataset, 0 where unknown; None if all are.
        fingerprint: of the corpus planned; None where another tool made the order.
        knobs: values by the names of `Scenario.plan_values`.
        cost: values of the cost model by name.
        figures: what the report says of epoch 0.
        from_step: the first step still to be run; the order before it was consumed.
        tool_version: the version of this package that made it.
        warnings: what a user should know of this file, each a line safe to print.
    """

    records: int
    order: NDArray[np.int64]
    epochs: NDArray[np.int64]
    planned: Groups
    rows: Groups | None = None
    cut: tuple[NDArray[np.int64], ...] = ()
    left_out: tuple[NDArray[np.int64], ...] = ()
    lengths: NDArray[np.int32] | None = None
    fingerprint: Fingerprint | None = None
    knobs: Mapping[str, Value] = field(default_factory=dict)
    cost: Mapping[str, Value] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    from_step: int = 0
    tool_version: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def accumulation(self) -> int:
        """Rounds of one optimizer step."""
        return self._count("accumulation")

    @property
    def world_size(self) -> int:
        """Ranks that train at the same time."""
        return self._count("world_size")

    @property
    def window(self) -> int:
        """Micro-batches of one full optimizer step, over all ranks."""
        return self.accumulation * self.world_size

    @cached_property
    def micro_batches(self) -> Groups:
        """The micro-batches that the trainer runs, in rows: those planned, in whole windows.

        Where the last window of an epoch is not full, its micro-batches are halved until it is, and in the last epoch
        until its rounds are. The order stays as it is, and no micro-batch grows.

        Raises:
            UserError: an epoch has too few rows for that.
        """
        starts = np.searchsorted(self.planned.offsets, self.epoch_rows)
        parts = []
        for epoch, (first, last) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            unit = self.world_size if epoch == len(starts) - 2 else self.window
            parts.append(whole_units(self.planned.offsets[first : last + 1], unit)[:-1])
        offsets = np.concatenate([*parts, self.planned.offsets[-1:]])
        sizes = np.diff(offsets)
        same = len(sizes) > 0 and bool((sizes[:-1] == sizes[0]).all()) and sizes[-1] <= sizes[0]
        return Groups(offsets, int(sizes[0]) if same else None)

    @cached_property
    def epoch_rows(self) -> NDArray[np.int64]:
        """(epochs + 1,): the row that each epoch starts with, and the number of rows."""
        return self.epochs if self.rows is None else np.searchsorted(self.rows.offsets, self.epochs)

    @property
    def steps(self) -> int:
        """Optimizer steps of the whole run."""
        return -(-len(self.micro_batches) // self.window)

    def entries_before(self, step: int) -> int:
        """Entries of the order that the steps before this one consume."""
        row = int(self.micro_batches.offsets[min(step * self.window, len(self.micro_batches))])
        return row if self.rows is None else int(self.rows.offsets[row])

    @property
    def remaining(self) -> NDArray[np.int64]:
        """The order from `from_step` on."""
        return self.order[self.entries_before(self.from_step) :]

    def epoch(self, number: int) -> NDArray[np.int64]:
        """The order of one epoch."""
        return self.order[self.epochs[number] : self.epochs[number + 1]]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the order and its micro-batches: what a sampler's state belongs to."""
        parts = (self.order, self.micro_batches.offsets)
        return hashlib.sha256(b"".join(part.astype("<i8").tobytes() for part in parts)).hexdigest()

    def _count(self, knob: str) -> int:
        value = self.knobs.get(knob, 1)
        return value if isinstance(value, int) else 1


def fixed_micro_batches(epoch_rows: NDArray[np.int64], size: int) -> Groups:
    """Each epoch cut into micro-batches of `size` rows, its last one perhaps short."""
    starts, ends = epoch_rows[:-1].tolist(), epoch_rows[1:].tolist()
    if len(starts) == 1:
        return equal_groups(ends[0], size)
    cuts = [np.arange(start, end, size, dtype=np.int64) for start, end in zip(starts, ends, strict=True)]
    even = all((end - start) % size == 0 for start, end in zip(starts, ends, strict=True))
    return Groups(np.concatenate([*cuts, epoch_rows[-1:]]), size if even else None)
