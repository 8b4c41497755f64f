"""How far a run is, in a small file that the sampler keeps."""

import json
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass

from bucketplan.atomic_writing import write_atomically
from bucketplan.errors import InputError, UserError
from bucketplan.order.manifest_file import raw_content

_MARK, _VERSION = "bucketplan_progress", 1
_REMEDY = "name the file that the sampler keeps"


@dataclass(frozen=True)
class Point:
    """Where a run was at a moment.

    Attributes:
        order: the digest of its order.
        steps: of the whole run.
        step: the step being handed out, which workers that fetch ahead make a little later than the trained one.
        updated: when that was, in seconds since 1970.
        since_step: the step from which its pace is measured.
        since: when that was handed out, in seconds since 1970.
    """

    order: str
    steps: int
    step: int
    updated: float
    since_step: int
    since: float

    def hours_left(self, work: Callable[[int, int], float] = lambda first, last: last - first) -> float | None:
        """Hours to the end of the run at the pace so far, or None before there is one.

        Args:
            work: what the steps from one up to another are worth, such as their predicted seconds.
        """
        done = work(self.since_step, self.step)
        return (self.updated - self.since) / done * work(self.step, self.steps) / 3600 if done > 0 else None


class Progress:
    """Keeps a progress file, written whole and at most every few seconds.

    The pace is measured from the second writing on: before it, a resumed trainer may skip what it has seen.
    A file that cannot be written stops no training; the first failure is a warning.

    Args:
        path: the file.
        every_seconds: the least time between two writings.
        clock: seconds since 1970.
    """

    def __init__(
        self, path: str | os.PathLike[str], every_seconds: float = 10.0, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = path
        self._every, self._clock = every_seconds, clock
        self._failed = False
        self.begin("", 0)

    def begin(self, order: str, steps: int) -> None:
        """Start over with a run of so many steps, whose order has this digest."""
        self._order, self._steps = order, steps
        self._step, self._due, self._written = -1, 0.0, 0
        self._since_step, self._since = 0, 0.0

    def at(self, step: int) -> None:
        """Take note of the step being handed out; that of the end is always written."""
        if step == self._step:
            return
        self._step, now = step, self._clock()
        if now < self._due and step < self._steps:
            return
        if self._written < 2:
            self._since_step, self._since = step, now
        self._due, self._written = now + self._every, self._written + 1
        self._write(Point(self._order, self._steps, step, now, self._since_step, self._since))

    def _write(self, point: Point) -> None:
        text = json.dumps({_MARK: _VERSION, **asdict(point)}) + "\n"
        try:
            write_atomically(self.path, lambda file: file.write(text.encode()))
        except UserError as error:
            if not self._failed:
                warnings.warn(f"progress is not kept: {error}", stacklevel=2)
            self._failed = True


def read_progress(path: str | os.PathLike[str]) -> Point:
    """The point that a run left in a file.

    Raises:
        InputError: it cannot be read, or is no progress file.
    """
    name, content = os.fspath(path), raw_content(path)
    if not isinstance(content, dict) or content.pop(_MARK, None) != _VERSION:
        raise InputError(name, f"no progress file of version {_VERSION}", remedy=_REMEDY)
    counts, times = ("steps", "step", "since_step"), ("updated", "since")
    whole = all(type(content.get(key)) is int and content[key] >= 0 for key in counts)
    timed = all(type(content.get(key)) in (int, float) for key in times)
    if not whole or not timed or not isinstance(content.get("order"), str):
        raise InputError(name, "a progress file with a key missing or of another kind", remedy=_REMEDY)
    return Point(**{key: content[key] for key in ("order", *counts, *times)})
