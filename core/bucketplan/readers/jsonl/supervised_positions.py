"""A second look at a cache, at the values of its labels: where supervised tokens stand.

It costs what a parser costs, many times a load, and so is made on request alone.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np
import orjson
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Corpus
from bucketplan.corpus.spans import Spans, spans_of
from bucketplan.errors import Cancelled, InputError
from bucketplan.readers.jsonl.blocks import from_chunks, whole_lines
from bucketplan.readers.jsonl.fault import Fault
from bucketplan.readers.jsonl.record import IGNORED_LABEL, parse_record
from bucketplan.readers.jsonl.scan import first_names
from bucketplan.readers.keys import Keys, Names, value_at
from bucketplan.readers.text.source import opened

_LINES_AT_A_TIME = 256


def with_positions(corpus: Corpus, keys: Keys | None = None, cancelled: Callable[[], bool] | None = None) -> Corpus:
    """The same corpus with the runs of supervised tokens of every record.

    Args:
        corpus: as `load` gave it, of a file that can be read again.
        keys: those it was loaded with.
        cancelled: asked now and then whether to stop.

    Raises:
        InputError: the cache has changed since, or comes through a pipe.
        Cancelled: `cancelled` said so.
    """
    if corpus.supervised is None:
        return corpus
    counts, starts, ends = [], [], []
    passed = {each.line for each in corpus.skipped}
    for labels in _labels(corpus.path, keys or Keys(), passed, cancelled):
        first, last = spans_of(labels)
        counts.append(len(first))
        starts.append(first)
        ends.append(last)
    empty = np.zeros(0, np.int32)
    offsets = np.concatenate([[0], np.cumsum(np.array(counts, np.int64))])
    spans = Spans(offsets, np.concatenate([empty, *starts]), np.concatenate([empty, *ends]))
    if len(counts) != len(corpus) or int((spans.ends - spans.starts).sum(dtype=np.int64)) != corpus.supervised_tokens:
        raise InputError(corpus.path, "changed while it was read", remedy="load it again")
    return replace(corpus, supervised_spans=spans)


def _labels(
    path: str, keys: Keys, passed: set[int], cancelled: Callable[[], bool] | None
) -> Iterator[NDArray[np.bool_]]:
    """Whether each real token of each record is supervised, record by record."""
    names: Names | None = None
    number = 0
    with opened(path, None, cancelled) as source:
        for block in whole_lines(from_chunks(source.chunks)):
            if names is None:
                names, _ = first_names(block, keys)
            for line in block.text[: block.size].tobytes().split(b"\n"):
                number += 1
                if number % _LINES_AT_A_TIME == 0 and cancelled is not None and cancelled():
                    raise Cancelled
                if number not in passed and names is not None and line.strip(b" \t\r"):
                    yield _supervised(_values(line, names), names)
            number -= block.ended


def _values(line: bytes, names: Names) -> object:
    """The values of a line that is known to hold a record, if the file is still the same."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        with suppress(Fault):  # NaN and lone surrogates, for one
            return parse_record(line, names).values
    return {}


def _supervised(record: object, names: Names) -> NDArray[np.bool_]:
    labels = np.array(value_at(record, names.labels), ndmin=1) != IGNORED_LABEL
    mask = value_at(record, names.mask)
    return np.asarray(labels if mask is None else labels[np.array(mask) != 0])
