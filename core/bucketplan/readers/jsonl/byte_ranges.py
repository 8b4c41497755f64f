"""A text that lies on disk as it is, read in ranges of bytes: by one process, or by several that share the ranges."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bucketplan.readers.jsonl.blocks import Fill, whole_lines
from bucketplan.readers.jsonl.record_batch import Part
from bucketplan.readers.jsonl.scan import read_part
from bucketplan.readers.keys import Keys, Names

Watch = Callable[[int], None]
"""Told how far into the file its bytes have been read; it may raise to end the reading."""

RANGE = 1 << 24
"""The least bytes of a shared range: some hundredths of a second."""

_MOST = 256
"""The most ranges of a file: what one byte can number."""


@dataclass(frozen=True)
class TextFile:
    """The text of an open file.

    Attributes:
        descriptor: where to read it.
        begin: its first byte.
        end: the byte behind it.
    """

    descriptor: int
    begin: int
    end: int


@dataclass(frozen=True)
class Job:
    """What to read, and how: all that a process must know to take part.

    Attributes:
        file: the text.
        ranges: how many ranges it is cut into.
        keys: names to look for.
        names: those that the first record decides on; None where that is not known, and the first range finds it.
        skip_bad: go on behind a line that is no record.
    """

    file: TextFile
    ranges: int
    keys: Keys
    names: Names | None
    skip_bad: bool


def shared(job: Job, *, least: int = RANGE) -> Job:
    """The same job in as many ranges as are worth sharing."""
    size = job.file.end - job.file.begin
    return replace(job, ranges=max(1, min(_MOST, size // least)))


def read_range(job: Job, number: int, watch: Watch) -> tuple[Part, Names]:
    """The records of the lines that begin in a range, and the names they are read by.

    Raises:
        OSError: the file cannot be read.
    """
    file = job.file
    size = file.end - file.begin
    begin, end = (file.begin + size * edge // job.ranges for edge in (number, number + 1))
    if number == 0:
        lines = whole_lines(reading(file, begin, watch), stop=end - begin)
        return read_part(lines, job.keys, None, skip_bad=job.skip_bad)
    # The byte before tells whether a line begins with the range.
    lines = whole_lines(reading(file, begin - 1, watch), inside=True, stop=end - begin + 1)
    return read_part(lines, job.keys, job.names, skip_bad=job.skip_bad)


def take_ranges(job: Job, queue: int, watch: Watch) -> Iterator[tuple[int, Part]]:
    """The ranges whose numbers come out of a pipe, which other processes may read as well.

    As numbers leave the pipe in order, each range before one that was stopped has been taken by somebody.
    """
    while taken := os.read(queue, 1):
        number = taken[0]
        part, _ = read_range(job, number, watch)
        yield number, part
        if part.stop:
            while os.read(queue, _MOST):
                pass


def reading(file: TextFile, begin: int, watch: Watch) -> Fill:
    """The bytes of a file from a place on."""
    at = begin

    def fill(room: memoryview) -> int:
        nonlocal at
        got = os.preadv(file.descriptor, [room[: file.end - at]], at)
        at += got
        watch(at)
        return got

    return fill
