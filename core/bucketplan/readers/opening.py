"""A cache of any kind, opened."""

import os
from collections.abc import Callable

from bucketplan.corpus.corpus import Corpus
from bucketplan.readers.jsonl.reader import read_jsonl
from bucketplan.readers.keys import Keys
from bucketplan.readers.recognition import INDEX
from bucketplan.readers.text.source import Progress, opened


def load(
    path: str | os.PathLike[str],
    *,
    keys: Keys | None = None,
    skip_bad: bool = False,
    processes: int | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Corpus:
    """Read an encode cache: JSON Lines, plain or compressed with gzip or zstd, or an index of one.

    Args:
        path: the file, a FIFO, or `-` for standard input. Its content says what it is; its name does not.
        keys: under which keys the values stand; the usual ones and their aliases unless given.
        skip_bad: pass over bad records and report them, instead of stopping at the first.
        processes: 1 or 2 that share a plain file; None takes 2 where the file is large and there are processors.
        progress: called after each read with the bytes read so far of the file on disk, and its size or None.
        cancelled: asked between reads; once it is true the load stops.

    Returns:
        A corpus of at least one record.

    Raises:
        InputError: the file cannot be read, is truncated or damaged, or holds a bad record or none at all.
        Cancelled: `cancelled()` turned true.
    """
    name = os.fspath(path)
    with opened(name, progress, cancelled) as source:
        if source.container != INDEX:
            return read_jsonl(source, keys or Keys(), skip_bad=skip_bad, processes=processes)
    from bucketplan.readers.index.index_file import read_index

    return read_index(name)
