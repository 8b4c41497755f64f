"""What a stretch of lines holds: its records as arrays, and what was wrong."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.readers.jsonl.fault import Fault
from bucketplan.readers.jsonl.record import Record

ABSENT = -1
"""Stands for the supervised tokens, root or kind that a record does not have."""

INTEGER_ROOT, ODD_KIND, NAN = 1, 2, 4
"""Flags of a record."""

RECORD = np.dtype(
    [
        ("line", "i8"),  # physical line, from 1
        ("length", "i4"),  # real tokens
        ("padding", "i4"),  # stored tokens more than these
        ("supervised", "i4"),
        ("root", "i4"),  # places in the names of roots and of kinds
        ("kind", "i4"),
        ("negatives", "i4"),  # token ids below 0
        ("flags", "u1"),
    ]
)
"""A record in an array of records."""


class Column:
    """A growing column of integers that takes what its content needs: next to nothing while that stays the same."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, NDArray[Any]]] = []

    def append(self, values: NDArray[Any]) -> None:
        """Take the next values, of which there is at least one."""
        self._pieces.append((len(values), _narrow(values[:1] if (values == values[0]).all() else values)))

    def move(self, other: "Column", change: Callable[[NDArray[Any]], NDArray[Any]]) -> None:
        """Take all values of another column, which is empty then, and change each in the same way."""
        self._pieces += [(size, _narrow(change(kept.astype(np.int64)))) for size, kept in other._pieces]
        other._pieces.clear()

    def values(self, dtype: type[np.integer[Any]]) -> NDArray[Any]:
        """All values, not to be written to; the column is empty then."""
        total = sum(size for size, _ in self._pieces)
        firsts = {int(kept[0]) for _, kept in self._pieces}
        if len(firsts) == 1 and all(len(kept) == 1 for _, kept in self._pieces):
            self._pieces.clear()
            return np.broadcast_to(dtype(firsts.pop()), total)
        values = np.empty(total, dtype)
        while self._pieces:
            size, kept = self._pieces.pop()
            values[total - size : total] = kept
            total -= size
        return values


@dataclass(eq=False)
class Part:
    """The records of some consecutive lines.

    Attributes:
        lines: how many lines these are.
        records: how many records.
        columns: a column for each field of RECORD; `line` counts from the first of these lines, and is kept as its
            distance from the place among the records, which changes at lines that hold none alone.
        roots: places of the names of roots.
        kinds: places of the names of kinds.
        refused: lines that are no records, and why.
        stop: the line behind which nothing was read, because of this fault.
    """

    lines: int = 0
    records: int = 0
    columns: dict[str, Column] = field(default_factory=lambda: {name: Column() for name in RECORD.names or ()})
    roots: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    refused: list[tuple[int, Fault]] = field(default_factory=list)
    stop: tuple[int, Fault] | None = None

    def add(self, batch: NDArray[Any]) -> None:
        """Take records, an array of RECORD."""
        if not len(batch):
            return
        for name, column in self.columns.items():
            values = batch[name]
            column.append(values - np.arange(self.records, self.records + len(batch)) if name == "line" else values)
        self.records += len(batch)

    def append(self, other: "Part") -> None:
        """Take the lines that follow, from a part that is empty then."""

        def codes(mine: dict[str, int], theirs: dict[str, int]) -> Callable[[NDArray[Any]], NDArray[Any]]:
            places = np.array([*(place(mine, name) for name in theirs), ABSENT])
            return lambda kept: places[kept]

        changes = {
            "line": lambda kept: kept + (self.lines - self.records),
            "root": codes(self.roots, other.roots),
            "kind": codes(self.kinds, other.kinds),
        }
        for name, column in self.columns.items():
            column.move(other.columns[name], changes.get(name, lambda kept: kept))
        self.refused += [(self.lines + line, fault) for line, fault in other.refused]
        if other.stop:
            line, fault = other.stop
            self.stop = self.lines + line, fault
        self.lines += other.lines
        self.records += other.records

    def row(self, line: int, record: Record) -> tuple[int, ...]:
        """A record as an element of an array of RECORD."""
        return (
            line,
            record.length,
            record.width - record.length,
            ABSENT if record.supervised is None else record.supervised,
            place(self.roots, record.root),
            place(self.kinds, record.kind),
            record.negatives,
            record.integer_root * INTEGER_ROOT + record.odd_kind * ODD_KIND + record.nan * NAN,
        )


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """A copy in the narrowest type."""
    return values.astype(np.result_type(np.min_scalar_type(values.min()), np.min_scalar_type(values.max())))


def place(names: dict[str, int], name: str | None) -> int:
    """The place of a name, which gets the next one if it is new."""
    return ABSENT if name is None else names.setdefault(name, len(names))
