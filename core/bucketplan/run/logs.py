"""What a trainer noted while it ran: the records it consumed, and the seconds of its steps.

Both are JSON Lines. Consumed records: `{"rank": 0, "records": [5, 9]}`, a line a micro-batch, the lines of each rank in
its order. Seconds: `{"step": 0, "seconds": 7.31}`, or a bare number a line for one step after the other.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.errors import InputError
from bucketplan.order.manifest import Manifest
from bucketplan.order.manifest_file import shown

_SHOWN = 8


@dataclass(frozen=True)
class Followed:
    """How far a log follows a plan, in which it finds no departure.

    Attributes:
        first_step: where it starts.
        micro_batches: how many it holds, over all ranks.
        step: the first step that is not wholly in it.
    """

    first_step: int
    micro_batches: int
    step: int


@dataclass(frozen=True, eq=False)
class Measured:
    """Seconds that steps took.

    Attributes:
        steps: int64, the numbers of the steps.
        seconds: float64, of each.
    """

    steps: NDArray[np.int64]
    seconds: NDArray[np.float64]


@dataclass(frozen=True)
class Accuracy:
    """A prediction against what was measured.

    Attributes:
        steps: how many were measured.
        measured: mean seconds a step.
        predicted: the same, predicted for the same steps.
        median_off: the median over the steps of how far each is off once all are scaled to the same mean, as a share.
        worst_step: the step that is furthest off in the same sense.
        worst_off: how far, as a share; positive where it took longer.
    """

    steps: int
    measured: float
    predicted: float
    median_off: float
    worst_step: int
    worst_off: float

    @property
    def off(self) -> float:
        """How far the prediction was off, as a share of it; positive where steps took longer."""
        return self.measured / self.predicted - 1


def follow(manifest: Manifest, path: str, first_step: int | None = None) -> Followed:
    """Compare a log of consumed records with the plan.

    Args:
        manifest: the plan.
        path: the log.
        first_step: where the log starts; the manifest's own start if None.

    Raises:
        InputError: where the log first leaves the plan, in the order of the plan; or it is no such log.
    """
    first = manifest.from_step if first_step is None else first_step
    ranks, groups, order = manifest.world_size, manifest.micro_batches, manifest.order
    taken: defaultdict[int, int] = defaultdict(int)
    departure: tuple[int, InputError] | None = None
    for line, rank, records in _consumed(path, ranks):
        place = (first * manifest.accumulation + taken[rank]) * ranks + rank
        taken[rank] += 1
        if departure is not None and departure[0] <= place:
            continue
        planned = _records(order, manifest, place) if place < len(groups) else None
        if records != planned:
            departure = (place, InputError(path, _left(manifest, place, records, planned), line=line))
    if departure is not None:
        raise departure[1]
    rounds = min(taken[rank] for rank in range(ranks))
    done = first + rounds // manifest.accumulation
    ended = first * manifest.accumulation + rounds >= -(-len(groups) // ranks)
    return Followed(first, sum(taken.values()), manifest.steps if ended else done)


def measured_steps(path: str, first_step: int = 0) -> Measured:
    """Read a log of measured seconds.

    Args:
        path: the log.
        first_step: the step of its first line, where lines are bare numbers.

    Raises:
        InputError: it is no such log.
    """
    steps: list[int] = []
    seconds: list[float] = []
    for line, value in _lines(path):
        step, taken = (value.get("step"), value.get("seconds")) if isinstance(value, dict) else (None, value)
        if not isinstance(value, dict):
            step = first_step + len(steps)
        if type(step) is not int or step < 0:
            raise InputError(path, f"{shown(step)} is no step", line=line, key="step")
        if isinstance(taken, bool) or not isinstance(taken, int | float) or not 0 < taken < math.inf:
            raise InputError(path, f"{shown(taken)} is no time above 0", line=line, key="seconds")
        steps.append(step)
        seconds.append(float(taken))
    if not steps:
        raise InputError(path, "no steps: the log is empty")
    return Measured(np.array(steps, np.int64), np.array(seconds))


def accuracy(path: str, measured: Measured, predicted: NDArray[np.float64]) -> Accuracy:
    """How far a prediction is off.

    Args:
        path: the log, for the error.
        measured: what it holds.
        predicted: (steps of the run,), seconds of each.

    Raises:
        InputError: a step is not in the run.
    """
    beyond = measured.steps >= len(predicted)
    if beyond.any():
        step = int(measured.steps[np.argmax(beyond)])
        raise InputError(path, f"step {step:,} is not in the run of {len(predicted):,} steps")
    expected = predicted[measured.steps]
    mean, expected_mean = float(measured.seconds.mean()), float(expected.mean())
    off = measured.seconds / (expected * mean / expected_mean) - 1
    worst = int(np.argmax(np.abs(off)))
    return Accuracy(
        steps=len(off),
        measured=mean,
        predicted=expected_mean,
        median_off=float(np.median(np.abs(off))),
        worst_step=int(measured.steps[worst]),
        worst_off=float(off[worst]),
    )


def _consumed(path: str, ranks: int) -> Iterator[tuple[int, int, list[int]]]:
    for line, value in _lines(path):
        rank, records = (value.get("rank"), value.get("records")) if isinstance(value, dict) else (None, None)
        if type(rank) is not int or not 0 <= rank < ranks:
            raise InputError(path, f"{shown(rank)} is not in 0 .. {ranks - 1}", line=line, key="rank")
        if not isinstance(records, list) or not set(map(type, records)) <= {int}:
            raise InputError(path, "no list of record numbers", line=line, key="records")
        yield line, rank, records


def _lines(path: str) -> Iterator[tuple[int, Any]]:
    """The JSON value of each line that is not blank, with its number."""
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, _value(path, number, line)
    except OSError as error:
        raise InputError(path, error.strerror or str(error), remedy="check the path") from None


def _value(path: str, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        if not line.endswith(b"\n"):
            raise InputError(path, "cut in the middle of the line", line=number, remedy="remove this line") from None
        raise InputError(path, "not JSON", line=number, remedy="write a JSON value a line") from None


def _records(order: NDArray[np.int64], manifest: Manifest, place: int) -> list[int]:
    first, last = manifest.micro_batches.offsets[place : place + 2].tolist()
    if manifest.rows is not None:
        first, last = manifest.rows.offsets[[first, last]].tolist()
    return order[first:last].tolist()  # type: ignore[no-any-return]


def _left(manifest: Manifest, place: int, records: list[int], planned: list[int] | None) -> str:
    round_, rank = divmod(place, manifest.world_size)
    step, micro_step = divmod(round_, manifest.accumulation)
    had = "nothing, as the run has ended" if planned is None else _listed(planned)
    where = f"left the plan at step {step:,}, micro-step {micro_step:,}, rank {rank:,}"
    return f"{where}: it consumed {_listed(records)}, and the plan has {had}"


def _listed(records: list[int]) -> str:
    text = ", ".join(map(str, records[:_SHOWN])) or "nothing"
    return f"{text} and {len(records) - _SHOWN:,} more" if len(records) > _SHOWN else text
