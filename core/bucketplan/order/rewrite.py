"""A copy of a cache in plan order, for trainers that read files in order and take no sampler."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO

import numpy as np
from numpy.typing import NDArray

from bucketplan.atomic_writing import check_target, write_atomically
from bucketplan.errors import Cancelled, InputError, UserError
from bucketplan.order.manifest import Manifest
from bucketplan.readers.jsonl.line_starts import Lines, find_lines
from bucketplan.readers.recognition import INDEX, PLAIN
from bucketplan.readers.text.ahead import ahead
from bucketplan.readers.text.source import STANDARD_INPUT, opened

# The most bytes and lines of one write: few enough to stay in a processor's cache between reading and writing.
_BLOCK, _MOST_PARTS = 1 << 20, 512

_SYNC_SECONDS = 0.005

_COMPRESSED = (".gz", ".gzip", ".zst", ".zstd")


def rewrite(
    manifest: Manifest,
    cache: str,
    target: str | os.PathLike[str],
    *,
    told: Callable[[str], None] = lambda line: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Write the lines of a cache in the order that is still to be run, as they stand, each with a line feed.

    Memory is bounded: 16 bytes a record, 8 more an entry of the order, and one block. A compressed cache is read
    through a plain copy without a name in the target's folder, which is gone afterwards.

    Args:
        manifest: the order; several epochs write each record several times.
        cache: JSON Lines, plain or compressed.
        target: where to; it is written as plain text.
        told: takes a line for the user.
        cancelled: asked between blocks.

    Returns:
        The bytes written.

    Raises:
        UserError: the target cannot be written, or the cache is no file of lines or has another number of records.
        Cancelled: `cancelled` said so.
    """
    if os.fspath(target).lower().endswith(_COMPRESSED):
        raise UserError("rewrite: the copy is plain text - give a name that promises no compression")
    folder = check_target(target).parent
    with _plain(cache, folder, told, cancelled) as file:
        lines = find_lines(file)
        if len(lines) != manifest.records:
            problem = f"{len(lines):,} records, and the order is for {manifest.records:,}"
            raise InputError(cache, problem, remedy="plan this cache, or name the planned one")
        order = manifest.remaining

        def write(out: IO[bytes]) -> None:
            with _reaching_the_disk(out):
                _copy(cache, file, lines, order, out, cancelled)

        write_atomically(target, write)
        return int((lines.sizes[order] + 1).sum())


@contextmanager
def _plain(cache: str, folder: Path, told: Callable[[str], None], cancelled: Callable[[], bool]) -> Iterator[IO[bytes]]:
    """The cache as a plain file that can be read from any position."""
    if cache == STANDARD_INPUT or not Path(cache).is_file():
        raise InputError(cache, "only a file can be rewritten", remedy="name the cache itself")
    with opened(cache, None, cancelled) as source:
        if source.container == INDEX:
            raise InputError(cache, "an index holds no token to rewrite", remedy="name the cache it was made from")
        if source.container != PLAIN:
            told(f"the cache is {source.container}: it is read through a temporary plain copy beside the target")
            with tempfile.TemporaryFile(dir=folder) as copy:
                for chunk in source.chunks:
                    copy.write(chunk)
                copy.flush()
                yield copy
            return
    with Path(cache).open("rb") as file:
        yield file


@contextmanager
def _reaching_the_disk(file: IO[bytes]) -> Iterator[None]:
    """Let what is written reach the disk meanwhile, so that there is little to wait for at the end.

    Raises:
        OSError: it cannot; the system tells that once, so that it must be told on from here.
    """
    ended, faults = Event(), list[OSError]()

    def sync() -> None:
        try:
            while not ended.wait(_SYNC_SECONDS):
                os.fsync(file.fileno())
        except OSError as error:
            faults.append(error)

    thread = Thread(target=sync)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    if faults:
        raise faults[0]


def _copy(
    cache: str,
    file: IO[bytes],
    lines: Lines,
    order: NDArray[np.int64],
    out: IO[bytes],
    cancelled: Callable[[], bool],
) -> None:
    """Write the lines, a block at a time; the next one is read meanwhile."""
    with ahead(_read(cache, file.fileno(), lines, order), Event()) as blocks:
        for parts in blocks:
            if cancelled():
                raise Cancelled
            _write(out.fileno(), parts)


def _read(cache: str, descriptor: int, lines: Lines, order: NDArray[np.int64]) -> Iterator[list[bytes]]:
    """The lines of each block, with their line feeds."""
    unended = len(lines) - 1 if lines.ends[-1] == os.fstat(descriptor).st_size else -1
    for records in _blocks(order, lines):
        starts, sizes = lines.starts[records].tolist(), (lines.sizes[records] + 1).tolist()
        parts = [os.pread(descriptor, size, start) for start, size in zip(starts, sizes, strict=True)]
        for place in np.flatnonzero(records == unended).tolist():
            parts[place] += b"\n"
        if list(map(len, parts)) != sizes:
            raise InputError(cache, "it became shorter while it was read", remedy="let nothing write to the cache")
        yield parts


def _blocks(order: NDArray[np.int64], lines: Lines) -> Iterator[NDArray[np.int64]]:
    """The record numbers of the order, cut so that the lines of each part make about a block."""
    ends = np.cumsum(lines.sizes[order] + 1)
    first = 0
    while first < len(order):
        before = int(ends[first - 1]) if first else 0
        last = int(np.searchsorted(ends, before + _BLOCK, side="right"))
        last = min(max(last, first + 1), first + _MOST_PARTS)
        yield order[first:last]
        first = last


def _write(descriptor: int, parts: list[bytes]) -> None:
    """Write all parts; a disk that takes some of them alone says why at the next."""
    written = os.writev(descriptor, parts)
    if written < sum(map(len, parts)):
        rest = memoryview(b"".join(parts))[written:]
        while rest:
            rest = rest[os.write(descriptor, rest) :]
