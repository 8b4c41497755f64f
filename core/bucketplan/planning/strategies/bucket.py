"""Bucket to pair, shuffle to mix: like lengths share a micro-batch, and micro-batches come in random order."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bucketplan.planning.plan import Plan, plan_of
from bucketplan.planning.shuffle import permutation, shuffle_runs
from bucketplan.planning.strategies.strategy import Strategy, Work
from bucketplan.settings import setting

if TYPE_CHECKING:
    from bucketplan.planning.knobs import Knobs
    from bucketplan.selection.selection import Selection

FEW_LEFT = 0.01
"""Above this share of the records, left-overs are worth a warning."""

Paired: TypeAlias = tuple[NDArray[np.int64], tuple[Any, ...]]
"""The order after shuffling inside buckets, and the generator's state then."""


@dataclass(frozen=True)
class Bucket(Strategy):
    """Sort by length, shuffle inside buckets, cut into micro-batches, shuffle those."""

    name: ClassVar[str] = "bucket"
    summary: ClassVar[str] = "micro-batches of like length, in random order"
    reads: ClassVar[frozenset[str]] = frozenset({"micro_batch", "seed", "world_size", "align_ranks", "longest_first"})

    bucket: int = setting(8, "so many neighbours in length order are shuffled among themselves", minimum=1)

    def plan(self, selection: Selection, knobs: Knobs, work: Work) -> Plan:
        """The order that CPython's `random.Random(seed)` gives, to the bit."""
        bucket, size = min(self.bucket, len(selection)), knobs.micro_batch
        key = (self.name, selection, bucket, knobs.seed)
        paired, state = work.memo(key, lambda: _paired(selection, bucket, knobs.seed, work))
        micro_batches, left = _cut(paired, bucket, size, selection.lengths)
        work.check()

        block = knobs.world_size if knobs.align_ranks else 1
        whole = len(micro_batches) // block * block
        blocks = micro_batches[:whole].reshape(-1, block * size)
        rng = Random()
        rng.setstate(state)
        blocks = blocks[permutation(len(blocks), rng)]
        if knobs.longest_first and len(blocks):
            _heaviest_first(blocks, selection.lengths, size)
        order = np.concatenate([blocks.ravel(), micro_batches[whole:].ravel(), left])
        cautions = self._cautions(len(selection), size, len(left))
        return plan_of(selection, order, size, leftover_records=len(left), cautions=cautions)

    def _cautions(self, records: int, micro_batch: int, leftover: int) -> tuple[str, ...]:
        if self.bucket < micro_batch <= records:
            return (
                f"a bucket of {self.bucket:,} holds no micro-batch of {micro_batch:,}: the order is sorted by length",
            )
        if leftover > records * FEW_LEFT:
            share = f"{leftover:,} of {records:,} records ({leftover / records:.1%})"
            return (f"{share} are left over by their buckets: they run sorted by length at the end",)
        return ()


def _paired(selection: Selection, bucket: int, seed: int, work: Work) -> Paired:
    rng = Random(seed)
    return shuffle_runs(selection.by_length, bucket, rng, work.check), rng.getstate()


def _cut(
    paired: NDArray[np.int64], bucket: int, micro_batch: int, lengths: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Micro-batches as they come, (count, micro_batch), and what the buckets leave over, in length order."""
    full = len(paired) // bucket * bucket
    parts = (paired[:full].reshape(-1, bucket), paired[full:].reshape(1, -1))
    wholes = [part.shape[1] // micro_batch * micro_batch for part in parts]
    cut = [part[:, :whole].reshape(-1, micro_batch) for part, whole in zip(parts, wholes, strict=True)]
    left = np.concatenate([part[:, whole:].ravel() for part, whole in zip(parts, wholes, strict=True)])
    return np.concatenate(cut), left[np.lexsort((left, lengths[left]))]


def _heaviest_first(blocks: NDArray[np.int64], lengths: NDArray[np.int32], size: int) -> None:
    """Move the first block of the largest padded tokens to the front, in place."""
    widths = lengths[blocks].reshape(len(blocks), -1, size).max(axis=2)
    heaviest = int(np.argmax(widths.sum(axis=1, dtype=np.int64)))
    blocks[: heaviest + 1] = np.roll(blocks[: heaviest + 1], 1, axis=0)
