"""What loads learned, kept as indexes in the user's cache folder, so that a large cache opens at once the second time.

An index is a file named `KEY_STATE.npz`. KEY is a hash of the cache's real path, of how it was read, and of the version
that read it; STATE holds size, modification time and a hash of both ends of the cache as it was then. A name that is
found whole is the same file, read the same way; the same KEY with another STATE tells what has changed since.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from platformdirs import user_cache_path

from bucketplan.atomic_writing import write_atomically
from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import InputError, UserError
from bucketplan.printable import printable
from bucketplan.readers.index.index_file import read_index, write_index
from bucketplan.readers.recognition import HEAD, INDEX, named_like, recognise
from bucketplan.readers.text.source import STANDARD_INPUT
from bucketplan.version import __version__

SWITCH = "BUCKETPLAN_NO_INDEX"
"""The environment variable that turns indexes off, where it is set to anything but 0."""

LEAST_CACHE = 1 << 20
"""Bytes of the smallest cache whose index is worth keeping: smaller ones are read as fast."""

MOST_FILES, MOST_BYTES = 200, 256 << 20
"""What all indexes take at most; those used least recently go first."""

_END = 64 << 10


@dataclass(frozen=True)
class _State:
    """What a cache file is like."""

    size: int
    modification_time: int
    content: str

    @property
    def name(self) -> str:
        """Its part of an index's name."""
        return f"{self.size}_{self.modification_time}_{self.content}"

    def changes(self, index: Path) -> str:
        """What differs from the state that an index was made of, in words."""
        words = ("size", "modification time", "content")
        pairs = zip(words, self.name.split("_"), index.stem.split("_")[1:], strict=False)
        return ", ".join(word for word, now, then in pairs if now != then)


def remembered(
    path: str,
    read: Callable[[], Corpus],
    *,
    options: Mapping[str, object],
    explain: Callable[[str], None] | None = None,
) -> Corpus:
    """The corpus of a cache: from its index where one is kept, else read, and an index kept for the next time.

    Whatever is wrong with an index or its folder is explained and has no other effect. Pipes, standard input, small
    files and indexes themselves are read without one.

    Args:
        path: the cache, as the user named it.
        read: reads it.
        options: everything else that decides what `read` makes of the file, by name.
        explain: called with a line for each thing that was done or left undone.

    Raises:
        Whatever `read` raises; nothing is kept then.
    """
    explain = explain or (lambda line: None)
    state, folder = _state(path), user_cache_path("bucketplan") / "indexes"
    obstacle = _obstacle(state, folder)
    if state is None or obstacle:
        explain(f"index: none: {obstacle}")
        return read()
    index = folder / f"{_key(path, options)}_{state.name}.npz"
    corpus = _found(index, state, explain)
    if corpus is not None:
        return replace(corpus, path=path)
    corpus = read()
    if _state(path) == state:
        _keep(corpus, index, explain)
    else:
        explain("index: not kept: the file changed while it was read")
    return corpus


def _state(path: str) -> _State | None:
    """None where the path leads to no file that can be read, or to an index."""
    if path == STANDARD_INPUT:
        return None
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode):
            return None  # unopened: a pipe can be read only once
        with Path(path).open("rb") as file:
            head = file.read(_END)
            file.seek(max(status.st_size - _END, 0))
            content = hashlib.sha256(head + file.read(_END)).hexdigest()
    except (OSError, ValueError):
        return None
    return None if recognise(head[:HEAD]) == INDEX else _State(status.st_size, status.st_mtime_ns, content)


def _obstacle(state: _State | None, folder: Path) -> str:
    """Why no index can be kept or found, or an empty text."""
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        return f"{SWITCH} is set"
    if state is None:
        return "the cache is no file on disk, or an index itself"
    if state.size < LEAST_CACHE:
        return f"the cache is smaller than {LEAST_CACHE:,} bytes"
    return "" if folder.is_absolute() else "the user has no cache folder"


def _key(path: str, options: Mapping[str, object]) -> str:
    # A load warns where the name promises another container, and a link may have another name than its file.
    decisive = (os.path.realpath(path), named_like(path), sorted(options.items()), __version__)
    return hashlib.sha256(ascii(decisive).encode()).hexdigest()[:32]


def _found(index: Path, state: _State, explain: Callable[[str], None]) -> Corpus | None:
    """The corpus of an index, which counts as used now; None, and the reason told, where there is none."""
    kept = _of_same_key(index)
    if index not in kept:
        explain(f"index: the file changed: {state.changes(kept[0])}" if kept else "index: none yet")
        return None
    try:
        corpus = read_index(str(index))
    except InputError as error:
        explain(f"index: ignored: {printable(error.problem)}")
        return None
    with suppress(OSError):
        os.utime(index)
    explain("index: found")
    return corpus


def _keep(corpus: Corpus, index: Path, explain: Callable[[str], None]) -> None:
    """Write an index, and remove what it replaces and what no longer fits beside it."""

    def write(file: IO[bytes]) -> None:
        write_index(corpus, file, compressed=False)
        if file.tell() > MOST_BYTES:
            raise UserError(f"{file.tell():,} bytes are more than the {MOST_BYTES:,} that all indexes may take")

    try:
        index.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(index, write)
    except (UserError, OSError) as error:
        explain(f"index: not kept: {printable(str(error))}")
        return
    for each in _of_same_key(index):
        if each != index:
            _remove(each)
    _bound(index.parent)
    explain("index: kept")


def _files(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # there is none yet, or another process has removed it
        return []


def _of_same_key(index: Path) -> list[Path]:
    key = index.name.partition("_")[0]
    return [each for each in _files(index.parent) if each.name.startswith(f"{key}_")]


def _bound(folder: Path) -> None:
    """Remove the files used least recently until the rest is within the bounds; what a writer left behind ages too."""
    files = []
    for each in _files(folder):
        with suppress(OSError):  # removed by another process
            status = each.stat()
            files.append((status.st_mtime_ns, status.st_size, each))
    total = 0
    for place, (_, size, path) in enumerate(sorted(files, reverse=True)):
        total += size
        if place >= MOST_FILES or total > MOST_BYTES:
            _remove(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
