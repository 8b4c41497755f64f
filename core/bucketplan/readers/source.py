"""A file or a pipe becomes text, in one pass and in bounded memory."""

import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from bucketplan.errors import Cancelled, InputError
from bucketplan.readers.formats import GZIP, HEAD, INDEX, PLAIN, Unreadable, named_like, recognise
from bucketplan.readers.unpack import gunzip, unzstd

Progress = Callable[[int, int | None], None]
"""Called with the bytes read of the file on disk and its size, None where that is unknown."""

CHUNK = 1 << 20
"""Bytes of one read."""

LINE_LIMIT = 1 << 28
"""The longest line, in bytes."""

STANDARD_INPUT = "-"

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_POLL_MILLISECONDS = 100


class Line(NamedTuple):
    """A line of text.

    Attributes:
        number: its place in the file from 1, blank lines counted.
        content: its bytes without the line feed.
        ended: whether a line feed ended it.
    """

    number: int
    content: bytes
    ended: bool


@dataclass(frozen=True)
class Source:
    """An opened file.

    Attributes:
        path: what the user called it.
        container: PLAIN, GZIP, ZSTD or INDEX.
        chunks: the text, decompressed and without a byte order mark; an index as it stands on disk.
        warnings: what a user should know of it.
    """

    path: str
    container: str
    chunks: Iterator[bytes]
    warnings: tuple[str, ...] = ()


@contextmanager
def opened(
    path: str, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
) -> Iterator[Source]:
    """A file, a FIFO or, for `-`, standard input, recognised by its first bytes and ready to read.

    Raises:
        InputError: it cannot be opened, or holds what is not read; while chunks are taken: it is damaged.
        Cancelled: `cancelled()` turned true between two chunks.
    """
    with _stream(path) as stream:
        size = _size(stream)
        named = size is not None and path != STANDARD_INPUT
        raw = _read(path, stream, progress, cancelled, size)
        container, chunks = _recognised(path, raw)
        if container == INDEX and not named:
            raise InputError(path, "an index comes through a pipe", remedy="name the file itself")
        if container != INDEX and container != PLAIN:
            inner, chunks = _recognised(path, (gunzip if container == GZIP else unzstd)(path, chunks))
            if inner != PLAIN:
                problem = f"{inner} inside {container}, which is not read"
                raise InputError(path, problem, remedy="decompress it once")
        warnings = _name_warnings(path, container) if named and container != INDEX else ()
        yield Source(path, container, _watched(chunks, cancelled), warnings)


def lines(source: Source) -> Iterator[Line]:
    """The lines of a text, cut at line feeds alone.

    Raises:
        InputError: a line is longer than LINE_LIMIT, or the file is damaged.
        Cancelled: as `opened`.
    """
    number = 1
    parts: list[bytes] = []
    held = 0
    for chunk in source.chunks:
        first, *others = chunk.split(b"\n")
        parts.append(first)
        held += len(first)
        if held > LINE_LIMIT:
            problem = f"a line longer than {LINE_LIMIT >> 20} MiB"
            raise InputError(source.path, problem, line=number, remedy="write one JSON object per line (JSON Lines)")
        if others:
            yield Line(number, b"".join(parts), True)
            for distance, content in enumerate(others[:-1], start=1):
                yield Line(number + distance, content, True)
            number += len(others)
            parts, held = [others[-1]], len(others[-1])
    if held:
        yield Line(number, b"".join(parts), False)


@contextmanager
def _stream(path: str) -> Iterator[io.RawIOBase]:
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError(path, "standard input is closed", remedy="name a file")
        buffer: Any = sys.stdin.buffer
        yield getattr(buffer, "raw", buffer)
        return
    try:
        stream = io.FileIO(path)
    except IsADirectoryError:
        raise InputError(path, _directory(path), remedy="name one JSONL file") from None
    except OSError as error:
        raise InputError(path, error.strerror or str(error), remedy="check the path") from None
    except ValueError:
        raise InputError(path, "no file can have this name", remedy="check the path") from None
    with stream:
        yield stream


def _directory(path: str) -> str:
    saved = any((Path(path) / name).exists() for name in ("state.json", "dataset_dict.json"))
    return "a directory (a saved Hugging Face dataset), which is not read" if saved else "a directory, not a file"


def _size(stream: io.RawIOBase) -> int | None:
    """The size of a regular file; None for a pipe or a device."""
    try:
        status = os.fstat(stream.fileno())
    except io.UnsupportedOperation:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _read(
    path: str,
    stream: io.RawIOBase,
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
    size: int | None,
) -> Iterator[bytes]:
    """The bytes as they stand on disk, never more than one read ahead of who takes them."""
    done = 0
    while True:
        _wait(stream, size, cancelled)
        try:
            # A pipe that does not block answers None where it has nothing yet.
            chunk = stream.read(CHUNK)
        except OSError as error:
            raise InputError(path, error.strerror or str(error), remedy="check the file system") from None
        if chunk is None:
            continue
        done += len(chunk)
        if progress is not None:
            progress(done, size)
        if not chunk:
            return
        yield chunk


def _wait(stream: io.RawIOBase, size: int | None, cancelled: Callable[[], bool] | None) -> None:
    """Return when there is something to read: a writer may let a pipe wait for ever, and the user may not."""
    _stop_if(cancelled)
    if size is not None:
        return
    poll = select.poll()
    try:
        poll.register(stream.fileno(), select.POLLIN)
    except io.UnsupportedOperation:
        return
    while not poll.poll(_POLL_MILLISECONDS):
        _stop_if(cancelled)


def _stop_if(cancelled: Callable[[], bool] | None) -> None:
    if cancelled is not None and cancelled():
        raise Cancelled


def _watched(chunks: Iterator[bytes], cancelled: Callable[[], bool] | None) -> Iterator[bytes]:
    """The same chunks; one read of a compressed file can make many."""
    for chunk in chunks:
        _stop_if(cancelled)
        yield chunk


def _recognised(path: str, chunks: Iterator[bytes]) -> tuple[str, Iterator[bytes]]:
    """What the chunks hold, and all of them."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= HEAD:
            break
    found = recognise(head)
    if isinstance(found, Unreadable):
        raise InputError(path, found.problem, remedy=found.remedy)
    return found, chain([head.removeprefix(_BYTE_ORDER_MARK)], chunks)


def _name_warnings(path: str, container: str) -> tuple[str, ...]:
    promised = named_like(path)
    if promised == container:
        return ()
    return (f"the content is {container}, though the name promises {promised}; the content decides",)
