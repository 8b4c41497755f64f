"""What ran on the devices of a trace: kernels and copies, each with its stream, start and duration."""

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# Kinds of events by category, in lower case; annotations lie over kernels, everything else is of the CPU.
_KERNEL, _COPY = 1, 2
_KINDS = {"kernel": _KERNEL, "gpu_memcpy": _COPY, "gpu_memset": _COPY, "memcpy": _COPY, "memset": _COPY}

# Streams run one thing at a time; whole microseconds and the digits of a double make it look otherwise.
_TOLERANCE_US = 1.0


@dataclass(frozen=True, eq=False)
class DeviceTime:
    """Events of devices, each once, by stream and start.

    Attributes:
        names: of kernels and copies, each once.
        copies: (names,), whether the trace itself calls it a copy or a fill.
        name: (events,), index into `names`.
        start: (events,), microseconds; NaN where the trace has none.
        duration: (events,), microseconds.
        devices: what the trace calls each device.
        skipped: events of devices without a usable duration, and entries that are no events.
        duplicates: events left out because they occur twice.
        overlapping: events that begin before the one ahead of them on the same stream has ended.
        overlap: microseconds for which they do.
    """

    names: tuple[str, ...]
    copies: NDArray[np.bool_]
    name: NDArray[np.int64]
    start: NDArray[np.float64]
    duration: NDArray[np.float64]
    devices: tuple[str, ...]
    skipped: int
    duplicates: int
    overlapping: int
    overlap: float

    @property
    def elapsed(self) -> float:
        """Microseconds from the first start to the last end; those of all events where a start is missing."""
        if not len(self.start) or bool(np.isnan(self.start).any()):
            return float(self.duration.sum())
        return float((self.start + self.duration).max() - self.start.min())


def device_time(pieces: Iterable[list[Any]]) -> DeviceTime:
    """What of a trace ran on devices.

    Args:
        pieces: the events of the trace, in lists.
    """
    names: dict[tuple[str, bool], int] = {}
    streams: dict[tuple[str, str], int] = {}
    stream, name, start, duration = array("q"), array("q"), array("d"), array("d")
    skipped = 0
    for piece in pieces:
        for event in piece:
            if type(event) is not dict:
                skipped += 1
                continue
            if event.get("ph") != "X":
                continue
            kind = _kind(event.get("cat"))
            if not kind:
                continue
            taken = _microseconds(event.get("dur"))
            if not taken >= 0:
                skipped += 1
                continue
            stream.append(streams.setdefault(_place(event), len(streams)))
            name.append(names.setdefault((str(event.get("name", "")), kind == _COPY), len(names)))
            start.append(_microseconds(event.get("ts")))
            duration.append(taken)
    ran = _each_once(_Columns(np.array(stream), np.array(name), np.array(start), np.array(duration)))
    overlapping, overlap = _overlaps(ran)
    return DeviceTime(
        names=tuple(each for each, _ in names),
        copies=np.array([copy for _, copy in names], np.bool_),
        name=ran.name,
        start=ran.start,
        duration=ran.duration,
        devices=tuple(dict.fromkeys(device for device, _ in streams)),
        skipped=skipped,
        duplicates=len(stream) - len(ran.stream),
        overlapping=overlapping,
        overlap=overlap,
    )


class _Columns(NamedTuple):
    """Events, an entry each."""

    stream: NDArray[np.int64]
    name: NDArray[np.int64]
    start: NDArray[np.float64]
    duration: NDArray[np.float64]

    def at(self, places: NDArray[np.int64]) -> "_Columns":
        """The events at these places."""
        return _Columns(self.stream[places], self.name[places], self.start[places], self.duration[places])


def _kind(category: object) -> int:
    if not isinstance(category, str):
        return 0
    found = _KINDS.get(category)  # as today's profilers write it
    return _KINDS.get(category.strip().lower(), 0) if found is None else found


def _place(event: dict[str, Any]) -> tuple[str, str]:
    """Device and stream; older exporters name them by process and thread alone."""
    args = event.get("args")
    if not isinstance(args, dict):
        args = {}
    return str(args.get("device", event.get("pid"))), str(args.get("stream", event.get("tid")))


def _microseconds(value: object) -> float:
    """A number, or the text of one; NaN where it is neither."""
    if isinstance(value, bool):
        return math.nan
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return found if math.isfinite(found) else math.nan


def _each_once(events: _Columns) -> _Columns:
    """The events by stream and start, without exact duplicates."""
    ran = events.at(np.lexsort((events.duration, events.name, events.start, events.stream)))
    new = np.ones(len(ran.stream), np.bool_)
    # A start that is missing equals none, not even itself.
    new[1:] = (
        (ran.stream[1:] != ran.stream[:-1])
        | (ran.name[1:] != ran.name[:-1])
        | (ran.start[1:] != ran.start[:-1])
        | (ran.duration[1:] != ran.duration[:-1])
    )
    return ran.at(np.flatnonzero(new))


def _overlaps(events: _Columns) -> tuple[int, float]:
    """How many events begin too early on their stream, and by how many microseconds in all."""
    count, total = 0, 0.0
    placed = ~np.isnan(events.start)
    for each in np.unique(events.stream):
        mine = placed & (events.stream == each)
        begin, end = events.start[mine], events.start[mine] + events.duration[mine]
        shared = np.minimum(np.maximum.accumulate(end)[:-1], end[1:]) - begin[1:]
        count += int((shared > _TOLERANCE_US).sum())
        total += float(shared[shared > _TOLERANCE_US].sum())
    return count, total
