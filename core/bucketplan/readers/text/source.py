"""A file or a pipe becomes text, in one pass and in bounded memory."""

import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any

from bucketplan.errors import Cancelled, InputError
from bucketplan.readers.jsonl.byte_ranges import TextFile, Watch
from bucketplan.readers.recognition import GZIP, HEAD, INDEX, PLAIN, ZSTD, Unreadable, named_like, recognise
from bucketplan.readers.text.ahead import ahead
from bucketplan.readers.text.unpack import gunzip, unzstd

Progress = Callable[[int, int | None], None]
"""Called with the bytes read of the file on disk and its size, None where that is unknown."""

CHUNK = 1 << 20
"""Bytes of one read."""

STANDARD_INPUT = "-"

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_POLL_MILLISECONDS = 100


@dataclass(frozen=True)
class Source:
    """An opened file.

    Attributes:
        path: what the user called it.
        container: PLAIN, GZIP, ZSTD or INDEX.
        chunks: the text, decompressed and without a byte order mark; an index as it stands on disk.
        file: the same text, where it stands on disk as it is and can be read from any place; else None.
        watch: told how far the file has been read, by who reads it so.
        warnings: what a user should know of it.
    """

    path: str
    container: str
    chunks: Iterator[bytes]
    file: TextFile | None = None
    watch: Watch = lambda _: None
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
    stop = Event()

    def asked() -> bool:
        return stop.is_set() or (cancelled is not None and cancelled())

    with _stream(path) as stream, _unchanged(path, stream), ExitStack() as stack:
        watch = _Watch(_size(stream), progress, asked)
        named = watch.size is not None and path != STANDARD_INPUT
        container, chunks = _recognised(path, _read(path, stream, watch))
        if container == INDEX and not named:
            raise InputError(path, "an index comes through a pipe", remedy="name the file itself")
        if container in (GZIP, ZSTD):
            unpacked = (gunzip if container == GZIP else unzstd)(path, chunks)
            inner, chunks = _recognised(path, stack.enter_context(ahead(unpacked, stop)))
            if inner != PLAIN:
                problem = f"{inner} inside {container}, which is not read"
                raise InputError(path, problem, remedy="decompress it once")
        yield Source(
            path,
            container,
            chunks=_watched(chunks, watch),
            file=_text_file(stream, watch.size) if named and container == PLAIN else None,
            watch=watch.reached,
            warnings=_name_warnings(path, container) if named and container != INDEX else (),
        )


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
    state = _state(stream)
    return None if state is None else state[0]


@contextmanager
def _unchanged(path: str, stream: io.RawIOBase) -> Iterator[None]:
    """A regular file is the same behind the block as before it.

    Raises:
        InputError: it is not; any other fault found in it may come of that.
    """
    before = _state(stream)
    try:
        yield
    except InputError:
        if _state(stream) == before:
            raise
    else:
        if _state(stream) == before:
            return
    raise InputError(path, "the file changed while it was read", remedy="load it again when it is written")


def _state(stream: io.RawIOBase) -> tuple[int, int] | None:
    try:
        status = os.fstat(stream.fileno())
    except io.UnsupportedOperation:
        return None
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


def _text_file(stream: io.RawIOBase, size: int | None) -> TextFile | None:
    if not size:
        return None
    mark = os.pread(stream.fileno(), len(_BYTE_ORDER_MARK), 0)
    return TextFile(stream.fileno(), len(mark) if mark == _BYTE_ORDER_MARK else 0, size)


class _Watch:
    """How far the reading has come, for who asked to be told.

    Attributes:
        size: bytes of the file, None where that is unknown.
        done: bytes read, which another thread may have done.
        stop_if_asked: ends the reading when the caller wants it to end.
    """

    def __init__(self, size: int | None, progress: Progress | None, cancelled: Callable[[], bool]) -> None:
        self.size, self.done = size, 0
        self._progress, self._cancelled = progress, cancelled

    def reached(self, done: int) -> None:
        """Tell the caller, who is never told less than before.

        Raises:
            Cancelled: the caller asks for it.
        """
        self.stop_if_asked()
        self.done = max(self.done, done)
        if self._progress is not None:
            self._progress(self.done, self.size)

    def stop_if_asked(self) -> None:
        """Go on unless the caller asks for the end.

        Raises:
            Cancelled: the caller does.
        """
        if self._cancelled():
            raise Cancelled


def _read(path: str, stream: io.RawIOBase, watch: _Watch) -> Iterator[bytes]:
    """The bytes as they stand on disk, never more than one read ahead of who takes them."""
    while True:
        _wait(stream, watch)
        try:
            # A pipe that does not block answers None where it has nothing yet.
            chunk = stream.read(CHUNK)
        except OSError as error:
            raise InputError(path, error.strerror or str(error), remedy="check the file system") from None
        if chunk is None:
            continue
        watch.done += len(chunk)
        # A file that grows is refused when its reading ends, so it must end.
        if not chunk or (watch.size is not None and watch.done > watch.size):
            return
        yield chunk


def _wait(stream: io.RawIOBase, watch: _Watch) -> None:
    """Return when there is something to read: a writer may let a pipe wait for ever, and the user may not."""
    watch.stop_if_asked()
    if watch.size is not None:
        return
    poll = select.poll()
    try:
        poll.register(stream.fileno(), select.POLLIN)
    except io.UnsupportedOperation:
        return
    while not poll.poll(_POLL_MILLISECONDS):
        watch.stop_if_asked()


def _watched(chunks: Iterator[bytes], watch: _Watch) -> Iterator[bytes]:
    """The same chunks; one read of a compressed file can make many."""
    for chunk in chunks:
        watch.reached(watch.done)
        yield chunk
    watch.reached(watch.done)


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
