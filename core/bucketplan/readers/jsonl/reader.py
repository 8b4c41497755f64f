"""JSON Lines: the lines of a text become a corpus."""

import os
from dataclasses import replace

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import InputError
from bucketplan.readers.jsonl.assembly import corpus_of
from bucketplan.readers.jsonl.blocks import from_chunks, whole_lines
from bucketplan.readers.jsonl.byte_ranges import Job, Watch, read_range, reading, shared
from bucketplan.readers.jsonl.record_batch import Part
from bucketplan.readers.jsonl.scan import first_names, read_part
from bucketplan.readers.jsonl.sharing import read_shared
from bucketplan.readers.keys import Keys, Names
from bucketplan.readers.text.source import Source

_WORTH_SHARING = 1 << 26


def read_jsonl(source: Source, keys: Keys, *, skip_bad: bool, processes: int | None) -> Corpus:
    """The corpus of an opened text.

    Args:
        source: what `opened` gave.
        keys: names to look for.
        skip_bad: pass over bad records instead of stopping at the first.
        processes: 1 or 2 that share a plain file; None takes 2 for a large one.

    Raises:
        InputError: a record is bad, or none is left.
        Cancelled: as `opened`.
    """
    if source.file is None:
        part, names = read_part(whole_lines(from_chunks(source.chunks)), keys, None, skip_bad=skip_bad)
        parts = [part]
    else:
        job = Job(source.file, 1, keys, None, skip_bad)
        try:
            parts, names = _read_file(job, source.watch, processes)
        except OSError as error:
            raise InputError(source.path, error.strerror or str(error), remedy="check the file system") from None
    return corpus_of(source.path, parts, names, skip_bad=skip_bad, warnings=source.warnings)


def _read_file(job: Job, watch: Watch, processes: int | None) -> tuple[list[Part], Names]:
    if processes is None:
        size = job.file.end - job.file.begin
        processes = 2 if size >= _WORTH_SHARING and _processors() > 1 else 1
    if processes > 1:
        head = next(whole_lines(reading(job.file, job.file.begin, watch)), None)
        names = None if head is None else first_names(head, job.keys)[0]
        if names is not None:
            return read_shared(shared(replace(job, names=names)), watch), names
    part, names = read_range(job, 0, watch)
    return [part], names


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
