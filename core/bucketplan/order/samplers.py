"""A manifest as what a DataLoader asks for: micro-batches of record numbers, or record numbers alone.

Nothing here imports a training library: to all of them, what has `__iter__` and `__len__` is a sampler.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from bucketplan.errors import UserError
from bucketplan.order.manifest import Manifest
from bucketplan.run.progress import Progress

_Item = TypeVar("_Item")
_Self = TypeVar("_Self", bound="_Ordered[Any]")

# Items made ready at once: enough to be fast, too few to be felt in memory.
_CHUNK = 1 << 12


class _Ordered(ABC, Generic[_Item]):
    """Items in the order of the run, from a step on, with a state that resumes in the middle.

    An iteration starts at `first_step`, and the one after `load_state_dict` where that state was taken.
    """

    def __init__(
        self,
        manifest: Manifest,
        rank: int | None = None,
        world_size: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        ranks = manifest.world_size
        if world_size is not None and world_size != ranks:
            raise UserError(f"world size: {world_size:,} ranks train, and the plan is for {ranks:,} - export it again")
        if rank is not None and not 0 <= rank < ranks:
            raise UserError(f"rank: {rank:,} is not in 0 .. {ranks - 1:,}, the ranks of the plan")
        self.manifest, self.rank, self.first_step = manifest, rank, manifest.from_step
        self._progress = None if rank else progress
        self._taken = self._resumed = 0

    def from_step(self: _Self, step: int) -> _Self:
        """Start at this step of the run; returns the sampler itself.

        Raises:
            UserError: the run has no such step.
        """
        if not 0 <= step < self.manifest.steps:
            raise UserError(f"step {step:,} is not in the run - give 0 .. {self.manifest.steps - 1:,}")
        self.first_step, self._taken, self._resumed = step, 0, 0
        return self

    def state_dict(self) -> dict[str, Any]:
        """Where it is: what it has handed out, which runs ahead of the trainer where workers fetch ahead."""
        return {"order": self.manifest.digest, "first_step": self.first_step, "taken": self._taken}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Let the next iteration go on where a state was taken.

        Raises:
            UserError: it was taken in another order.
        """
        if state.get("order") != self.manifest.digest:
            raise UserError("the sampler's state belongs to another order - resume with the manifest it was saved with")
        self.first_step = state["first_step"]
        self._taken = self._resumed = state["taken"]

    def __len__(self) -> int:
        """Items of an iteration from `first_step` to the end of the run."""
        return self._end - self._start(self.first_step)

    def __iter__(self) -> Iterator[_Item]:
        """The items that are left."""
        self._taken, self._resumed = self._resumed, 0
        start, end = self._start(self.first_step), self._end
        if self._progress is not None:
            self._progress.begin(self.manifest.digest, self.manifest.steps)
        due = 0
        for first in range(start + self._taken, end, _CHUNK):
            for item in self._items(first, min(first + _CHUNK, end)):
                if self._taken >= due:
                    due = self._told(start + self._taken) - start
                self._taken += 1
                yield item
        if self._progress is not None:
            self._progress.at(self.manifest.steps)

    def _told(self, item: int) -> int:
        """Tell the progress of the step of an item; the item at which there is more to tell."""
        step = self._step_of(item)
        if self._progress is not None:
            self._progress.at(step)
        return self._start(step + 1)

    @property
    @abstractmethod
    def _end(self) -> int:
        """Items of the whole run."""

    @abstractmethod
    def _start(self, step: int) -> int:
        """Items of the steps before this one."""

    @abstractmethod
    def _step_of(self, item: int) -> int:
        """The step that an item belongs to."""

    @abstractmethod
    def _items(self, start: int, end: int) -> Iterator[_Item]:
        """Some of the items of the whole run."""


class BatchSampler(_Ordered[list[Any]]):
    """Micro-batches as lists of record numbers, whatever their sizes; of packed rows, as lists of tuples, a row each.

    It has no `batch_size`: with one, accelerate drops the round that a short micro-batch stands in.

    Args:
        manifest: the order.
        rank: whose micro-batches to give; None gives those of all, for a trainer that deals them out itself, one a
            rank in turn, as accelerate and transformers do.
        world_size: ranks that train; it must be the plan's.
        progress: keeps a file of how far the run is; of several ranks the first writes it.

    Raises:
        UserError: the world size is not the plan's, there is no such rank, or an epoch has too few records.
    """

    def __init__(
        self,
        manifest: Manifest,
        rank: int | None = None,
        world_size: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(manifest, rank, world_size, progress)
        offsets, self._stride = manifest.micro_batches.offsets, 1 if rank is None else manifest.world_size
        self._firsts, self._lasts = (cut[rank or 0 :: self._stride] for cut in (offsets[:-1], offsets[1:]))

    @property
    def _end(self) -> int:
        return len(self._firsts)

    def _start(self, step: int) -> int:
        return min(step * self.manifest.window // self._stride, self._end)

    def _step_of(self, item: int) -> int:
        return item * self._stride // self.manifest.window

    def _items(self, start: int, end: int) -> Iterator[list[Any]]:
        firsts, lasts = self._firsts[start:end], self._lasts[start:end]
        if self.manifest.rows is not None:
            return self._packed(firsts, lasts)
        cuts = np.concatenate([[0], np.cumsum(lasts - firsts)])
        entries = np.arange(cuts[-1]) + np.repeat(firsts - cuts[:-1], lasts - firsts)
        numbers = self.manifest.order[entries].tolist()
        return (numbers[first:last] for first, last in pairwise(cuts.tolist()))

    def _packed(self, firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> Iterator[list[Any]]:
        order, rows = self.manifest.order, self.manifest.rows
        assert rows is not None
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
            cuts = rows.offsets[first : last + 1].tolist()
            yield [tuple(order[start:end].tolist()) for start, end in pairwise(cuts)]


class Sampler(_Ordered[int]):
    """Record numbers one by one, for a loader that cuts them into micro-batches of the plan's size itself.

    Args:
        manifest: an order whose micro-batches are all of one size: export it with --whole-windows.
        rank: whose record numbers to give; None as for `BatchSampler`.
        world_size: as for `BatchSampler`.
        progress: as for `BatchSampler`.

    Raises:
        UserError: micro-batches are not all of one size, or as for `BatchSampler`.
    """

    def __init__(
        self,
        manifest: Manifest,
        rank: int | None = None,
        world_size: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(manifest, rank, world_size, progress)
        self.micro_batch = fixed_size(manifest)
        self._numbers = manifest.order
        if rank is not None and manifest.world_size > 1:
            self._numbers = manifest.order.reshape(-1, manifest.world_size, self.micro_batch)[:, rank].ravel()
        self._a_step = manifest.accumulation * self.micro_batch * (1 if rank is not None else manifest.world_size)

    @property
    def _end(self) -> int:
        return len(self._numbers)

    def _start(self, step: int) -> int:
        return min(step * self._a_step, self._end)

    def _step_of(self, item: int) -> int:
        return item // self._a_step

    def _items(self, start: int, end: int) -> Iterator[int]:
        return iter(self._numbers[start:end].tolist())


def fixed_size(manifest: Manifest) -> int:
    """Rows of every micro-batch; on one rank the last of the run may be short.

    Raises:
        UserError: sizes vary, or rows hold several records.
    """
    groups = manifest.micro_batches
    uneven = manifest.world_size > 1 and groups.last_size != groups.size
    if manifest.rows is not None or groups.size is None or uneven:
        problem = "micro-batches are not all of one size, which a plain sampler cannot say"
        raise UserError(f"{problem} - use the BatchSampler, or export with --whole-windows")
    return groups.size
