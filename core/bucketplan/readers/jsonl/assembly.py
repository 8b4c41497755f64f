"""The parts of a file become the arrays of a corpus."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories, Corpus, Skipped
from bucketplan.errors import InputError
from bucketplan.readers.jsonl.record_batch import ABSENT, INTEGER_ROOT, NAN, ODD_KIND, Part, place
from bucketplan.readers.keys import Names, spelled, unusual
from bucketplan.readers.remarks import Notes, remarks

MISSING_KIND = "(missing)"
ODD_KIND_NAME = "(not text)"

_MIXED = "missing or null, though other records have it"
_STRETCH = 1 << 16


def corpus_of(path: str, parts: Sequence[Part], names: Names, *, skip_bad: bool, warnings: Sequence[str]) -> Corpus:
    """All records of a file.

    Args:
        path: what the user called the file.
        parts: what its lines hold, in order; they are empty afterwards.
        names: the keys that were read.
        skip_bad: pass over records that lack what others have.
        warnings: put before those of the records.

    Raises:
        InputError: a fault stopped a part; records differ in what they lack, and none may be passed over; there is no
            record.
    """
    whole = _together(parts)
    columns = whole.columns
    gaps = columns["line"].values(np.int64)  # a record's line less its place
    supervised, roots = columns["supervised"].values(np.int32), columns["root"].values(np.int32)
    lacking = {spelled(names.labels): supervised == ABSENT, spelled(names.root): roots == ABSENT}
    if not skip_bad:
        _check_alike(path, lacking, gaps)
    if whole.stop:
        line, fault = whole.stop
        raise InputError(path, fault.problem, line=line, key=fault.key, remedy=fault.remedy)

    skipped = [Skipped(line, fault.reason) for line, fault in whole.refused]
    keep = np.ones(len(gaps), np.bool_)
    for key, lacks in lacking.items():
        if not lacks.all():
            gone = np.flatnonzero(keep & lacks)
            skipped += [Skipped(line, f"{key}: {_MIXED}") for line in (gaps[gone] + gone).tolist()]
            keep &= ~lacks
    skipped.sort(key=lambda each: each.line)
    if not keep.any():
        raise _no_records(path, skipped)
    places = np.flatnonzero(keep) if skipped else None

    def kept(values: NDArray[Any]) -> NDArray[Any]:
        return np.ascontiguousarray(values if places is None else values[places])

    def line_of(record: int) -> int:
        at = record if places is None else int(places[record])
        return int(gaps[at]) + at

    lengths, padding = kept(columns["length"].values(np.int32)), kept(columns["padding"].values(np.int32))
    flags, kinds = kept(columns["flags"].values(np.uint8)), kept(columns["kind"].values(np.int32))
    supervised, roots = kept(supervised), kept(roots)
    without_kind = kinds == ABSENT
    odd_kind = flags & ODD_KIND > 0
    if odd_kind.any():
        without_kind &= ~odd_kind
        kinds[odd_kind] = place(whole.kinds, ODD_KIND_NAME)
    padded = bool(padding.any())
    notes = Notes(
        names=names,
        line_of=line_of,
        lengths=lengths,
        supervised=None if (supervised == ABSENT).all() else supervised,
        padded=padding > 0,
        stored_width=int((lengths + padding).max()),
        stored_tokens=int(lengths.sum(dtype=np.int64) + padding.sum(dtype=np.int64)),
        without_root=roots == ABSENT,
        integer_root=flags & INTEGER_ROOT > 0,
        without_kind=without_kind,
        odd_kind=odd_kind,
        negatives=kept(columns["negatives"].values(np.int32)),
        nan=flags & NAN > 0,
        skipped=[each.line for each in skipped],
    )
    truncated = [f"line {line}: {fault.problem}" for line, fault in whole.refused if fault.truncated]
    return Corpus(
        path=path,
        lengths=lengths,
        supervised=notes.supervised,
        roots=_categories(roots, whole.roots),
        kinds=_categories(kinds, whole.kinds),
        numbers=None if places is None else _numbers(places, gaps, [line for line, _ in whole.refused]),
        stored_width=notes.stored_width if padded else None,
        stored_tokens=notes.stored_tokens if padded else None,
        skipped=tuple(skipped),
        warnings=(*warnings, *unusual(names), *truncated, *remarks(notes)),
    )


def _together(parts: Sequence[Part]) -> Part:
    """One part of all lines, up to the first part that was stopped."""
    whole = Part()
    for part in parts:
        whole.append(part)
        if part.stop:
            break
    return whole


def _check_alike(path: str, lacking: Mapping[str, NDArray[np.bool_]], gaps: NDArray[np.int64]) -> None:
    """All records lack the same.

    Raises:
        InputError: one does not; it names the first that lacks what another one has.
    """
    odd = {key: int((lacks != lacks[0]).argmax()) for key, lacks in lacking.items() if len(lacks)}
    first = min((at for at in odd.values() if at), default=0)
    for key, at in odd.items():
        if first and at == first:
            record = 0 if lacking[key][0] else first
            line = int(gaps[record]) + record
            raise InputError(path, _MIXED, line=line, key=key, remedy="write it in every record or in none")


def _no_records(path: str, skipped: Sequence[Skipped]) -> InputError:
    if not skipped:
        return InputError(path, "no records: the file is empty", remedy="give a cache in JSON Lines")
    first = skipped[0]
    problem = f"no records: all {len(skipped):,} were skipped, the first because {first.reason}"
    return InputError(path, problem, line=first.line, remedy="mend the cache")


def _numbers(places: NDArray[np.int64], gaps: NDArray[np.int64], refused: Sequence[int]) -> NDArray[np.int64]:
    """The places of records among all lines that are not blank."""
    return places + np.searchsorted(np.array(refused, np.int64), gaps[places] + places)


def _categories(codes: NDArray[np.int32], names: dict[str, int]) -> Categories | None:
    """The names that records use, in the order of their first use; None where no record has one."""
    absent = codes == ABSENT
    if absent.all():
        return None
    if absent.any():
        codes[absent] = place(names, MISSING_KIND)
    first = np.full(len(names), len(codes))
    # From the back, and each stretch reversed: the earliest use is written last, and stays.
    for start in reversed(range(0, len(codes), _STRETCH)):
        stretch = codes[start : start + _STRETCH]
        first[stretch[::-1]] = np.arange(start + len(stretch) - 1, start - 1, -1)
    order = first.argsort()[: np.count_nonzero(first < len(codes))]
    rank = np.zeros(len(names), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    known = tuple(names)
    return Categories(rank[codes], tuple(known[code] for code in order.tolist()))
