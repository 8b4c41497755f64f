"""Records gathered into the arrays of a corpus."""

from array import array

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus import Categories, Corpus, Skipped
from bucketplan.errors import InputError
from bucketplan.readers.fault import Fault
from bucketplan.readers.record import LABELS, ROOT, Record
from bucketplan.readers.remarks import Notes, remarks

MISSING_KIND = "(missing)"
ODD_KIND = "(not text)"

_ABSENT = -1
_MIXED = "missing or null, though other records have it"


class Columns:
    """The columns of a cache while it is read: some 40 bytes a record, and no token.

    Strict columns raise at the first record that cannot stay; lenient ones pass over it and remember why.
    """

    def __init__(self, path: str, *, skip_bad: bool) -> None:
        self._path, self._skip_bad = path, skip_bad
        self._lines, self._lengths, self._widths = array("q"), array("i"), array("i")
        self._supervised, self._roots, self._kinds = array("i"), array("i"), array("i")
        self._negatives, self._integer_roots, self._nans = array("i"), array("b"), array("b")
        self._root_codes: dict[str, int] = {}
        self._kind_codes: dict[str, int] = {}
        self._refused_numbers: list[int] = []
        self._skipped: list[Skipped] = []
        self._first_lacks = (False, False)

    def add(self, line: int, record: Record) -> None:
        """Take the record of a line.

        Raises:
            InputError: in strict columns, it lacks labels or a root and others do not, or the other way round.
        """
        lacks = (record.supervised is None, record.root is None)
        if not self._lines:
            self._first_lacks = lacks
        elif lacks != self._first_lacks and not self._skip_bad:
            raise self._mixed(line, lacks)
        self._lines.append(line)
        self._lengths.append(record.length)
        self._widths.append(record.width)
        self._supervised.append(_ABSENT if record.supervised is None else record.supervised)
        self._roots.append(_code(self._root_codes, record.root))
        self._kinds.append(_code(self._kind_codes, ODD_KIND if record.odd_kind else record.kind))
        self._negatives.append(record.negatives)
        self._integer_roots.append(record.integer_root)
        self._nans.append(record.nan)

    def refuse(self, line: int, fault: Fault) -> None:
        """Pass over a line that is no valid record.

        Raises:
            InputError: the columns are strict.
        """
        if not self._skip_bad:
            raise InputError(self._path, fault.problem, line=line, key=fault.key, remedy=fault.remedy)
        self._refused_numbers.append(len(self._lines) + len(self._refused_numbers))
        self._skipped.append(Skipped(line, fault.reason))

    def corpus(self, warnings: tuple[str, ...]) -> Corpus:
        """All records taken, and these warnings before those of the records.

        Raises:
            InputError: there is no record.
        """
        lines = np.array(self._lines, np.int64)
        supervised, roots = np.array(self._supervised, np.int32), np.array(self._roots, np.int32)
        keep = np.ones(len(lines), np.bool_)
        skipped = list(self._skipped)
        for key, column in ((LABELS, supervised), (ROOT, roots)):
            lacking = column == _ABSENT
            if not lacking.all():
                skipped += [Skipped(line, f"{key}: {_MIXED}") for line in lines[keep & lacking].tolist()]
                keep &= ~lacking
        if not keep.any():
            raise self._no_records(skipped)
        skipped.sort(key=lambda each: each.line)
        numbers = np.delete(np.arange(len(lines) + len(self._refused_numbers)), self._refused_numbers)

        lengths, widths = np.array(self._lengths, np.int32)[keep], np.array(self._widths, np.int32)[keep]
        supervised, roots, kinds = supervised[keep], roots[keep], np.array(self._kinds, np.int32)[keep]
        padded = widths > lengths
        notes = Notes(
            lines=lines[keep],
            lengths=lengths,
            supervised=_present(supervised),
            padded=padded,
            stored_width=int(widths.max()),
            stored_tokens=int(widths.sum(dtype=np.int64)),
            without_root=roots == _ABSENT,
            integer_root=np.array(self._integer_roots, np.bool_)[keep],
            without_kind=kinds == _ABSENT,
            odd_kind=kinds == self._kind_codes.get(ODD_KIND, _ABSENT - 1),
            negatives=np.array(self._negatives, np.int32)[keep],
            nan=np.array(self._nans, np.bool_)[keep],
            skipped=[each.line for each in skipped],
        )
        return Corpus(
            path=self._path,
            lengths=lengths,
            supervised=notes.supervised,
            roots=_categories(roots, self._root_codes),
            kinds=_categories(kinds, self._kind_codes),
            numbers=numbers[keep] if skipped else None,
            stored_width=notes.stored_width if padded.any() else None,
            stored_tokens=notes.stored_tokens if padded.any() else None,
            skipped=tuple(skipped),
            warnings=(*warnings, *remarks(notes)),
        )

    def _mixed(self, line: int, lacks: tuple[bool, bool]) -> InputError:
        """The error that names the first record that lacks what another one has."""
        position = 0 if lacks[0] != self._first_lacks[0] else 1
        at = self._lines[0] if self._first_lacks[position] else line
        key = (LABELS, ROOT)[position]
        return InputError(self._path, _MIXED, line=at, key=key, remedy="write it in every record or in none")

    def _no_records(self, skipped: list[Skipped]) -> InputError:
        if not skipped:
            return InputError(self._path, "no records: the file is empty", remedy="give a cache in JSON Lines")
        first = skipped[0]
        problem = f"no records: all {len(skipped):,} were skipped, the first because {first.reason}"
        return InputError(self._path, problem, line=first.line, remedy="mend the cache")


def _code(codes: dict[str, int], name: str | None) -> int:
    return _ABSENT if name is None else codes.setdefault(name, len(codes))


def _present(column: NDArray[np.int32]) -> NDArray[np.int32] | None:
    return None if (column == _ABSENT).all() else column


def _categories(codes: NDArray[np.int32], names: dict[str, int]) -> Categories | None:
    """The names that records use, in the order of their first use; None where no record has one."""
    if (codes == _ABSENT).all():
        return None
    spelled = (*names, MISSING_KIND)
    known = np.where(codes == _ABSENT, names.get(MISSING_KIND, len(names)), codes)
    used, first = np.unique(known, return_index=True)
    order = used[np.argsort(first)]
    place = np.zeros(len(spelled), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return Categories(place[known], tuple(spelled[code] for code in order.tolist()))
