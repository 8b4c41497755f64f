"""Lines without the entries of their proven arrays, and what such a line says of its record."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from bucketplan.readers.jsonl.fault import Fault
from bucketplan.readers.jsonl.proven_arrays import Arrays
from bucketplan.readers.jsonl.record import HIGHEST, name_of, parse_record
from bucketplan.readers.jsonl.record_batch import ABSENT, INTEGER_ROOT, NAN, Part, place
from bucketplan.readers.jsonl.strict_json import NESTING_LIMIT
from bucketplan.readers.keys import Names, value_at

HOLE = b"\0"
"""Stands for the entries of a proven array. JSON has no such byte, so a line that has one of its own is found out."""

_WHITE_SPACE = b" \t\r"

READING = np.dtype(
    [
        ("holes", "i8"),  # proven arrays that the line must have, or BLANK, or DOUBT
        ("ids", "i8"),  # which of them holds the token ids, the labels, the mask; ABSENT if none does
        ("labels", "i8"),
        ("mask", "i8"),
        ("root", "i8"),  # places in the names of the part
        ("kind", "i8"),
        ("length", "i8"),  # as stored, or ABSENT
        ("flags", "u1"),
    ]
)
"""What a skeleton says."""

BLANK, DOUBT = -1, -2
"""Instead of holes: the line is white space; it is left to the strict reader."""

_NO_RECORD = (0,) * 7

# Entries put into holes while the skeleton is parsed: ten million numbers that start alike, and like nothing else.
_FIRST_ENTRY = 736_190_528_340_000_000
_ENTRY_TEXT = "73619052834"
_ENTRY_START = _ENTRY_TEXT.encode()
_ENTRIES = 10**7
_FIRST_ENTRIES = [b"%d" % (_FIRST_ENTRY + hole) for hole in range(64)]

_MEMORY = 2048
_LONGEST_REMEMBERED = 512


def skeletons(text: NDArray[np.uint8], size: int, arrays: Arrays) -> list[bytes]:
    """The lines of a text with HOLE instead of the entries of each proven array; the last one may be empty.

    Args:
        text: uint8.
        size: bytes of it that count.
        arrays: its proven arrays.
    """
    begins = np.concatenate([[0], arrays.ends])
    lengths = np.concatenate([arrays.starts + 2, [size]]) - begins
    ends = lengths.cumsum()
    kept = text[np.repeat(begins - (ends - lengths), lengths) + np.arange(ends[-1])]
    kept[ends[:-1] - 1] = HOLE[0]
    lines: bytes = kept.tobytes()
    return lines.split(b"\n")


class Skeletons:
    """What skeletons say, read once while they repeat."""

    def __init__(self, names: Names, part: Part) -> None:
        self.names, self._part = names, part
        self._paths = tuple(names.paths())
        # Without paths into objects, the keys themselves: two in three of the look-ups' time is saved.
        self._top = [path[0] for path in self._paths] if all(len(path) == 1 for path in self._paths) else []
        quoted = {key for path in self._paths for key in path}
        self._quoted = [f'"{key}"'.encode("utf-8", "surrogatepass") for key in quoted]
        # A key of plain letters can also be spelled with \u; any other one with shorter escapes as well.
        plain = all(key.isascii() and key.isprintable() and not set(key) & set('"\\/') for key in quoted)
        self._escape = b"\\u" if plain else b"\\"
        self._may_have_holes = any("[" in key for key in quoted)
        self._known: dict[bytes, int] = {}
        self._table: NDArray[Any] = np.zeros(0, READING)

    def readings(self, lines: Sequence[bytes]) -> NDArray[Any]:
        """What each line says, an array of READING."""
        if len(self._table) > _MEMORY:
            self._known.clear()
            self._table = self._table[:0]
        known, held = self._known, len(self._table)
        found: list[Any] = list(map(known.get, lines))
        if None in found:
            new: list[tuple[int, ...]] = []
            for number, line in enumerate(lines):
                if found[number] is None:
                    row = known.get(line)
                    if row is None:
                        row = held + len(new)
                        new.append(self._reading(line))
                        if len(line) <= _LONGEST_REMEMBERED:
                            known[line] = row
                    found[number] = row
            self._table = np.concatenate([self._table, np.array(new, READING)])
        return self._table[found]

    def _reading(self, skeleton: bytes) -> tuple[int, ...]:
        if not skeleton.strip(_WHITE_SPACE):
            return BLANK, *_NO_RECORD
        pieces = skeleton.split(HOLE)
        holes = len(pieces) - 1
        if holes > _ENTRIES or _ENTRY_START in skeleton or self._may_have_holes:
            return DOUBT, *_NO_RECORD
        filled = [b""] * (2 * holes + 1)
        filled[::2] = pieces
        filled[1::2] = _entries(holes)
        try:
            return self._said(*self._parsed(b"".join(filled)), holes)
        except (Fault, _Doubtful):
            return DOUBT, *_NO_RECORD

    def _parsed(self, line: bytes) -> tuple[dict[str, object], bool]:
        """The values of a line, from orjson where it surely agrees, and whether NaN is among them.

        Raises:
            Fault: as `parse_record`.
        """
        try:
            values = orjson.loads(line)
        except orjson.JSONDecodeError:
            values = None  # NaN and lone surrogates, for one, are errors to orjson alone
        if type(values) is dict and self._all_differ(values, line) and _is_shallow(line):
            return values, False
        parsed = parse_record(line, self.names)
        return parsed.values, parsed.nan

    def _all_differ(self, values: dict[str, object], line: bytes) -> bool:
        """Whether no name that is read can stand twice in an object, of which orjson keeps one."""
        if line.count(b":") == len(values):
            return True  # a colon for each key that is left, so none has gone
        return self._escape not in line and all(line.count(key) < 2 for key in self._quoted)

    def _said(self, values: dict[str, object], nan: bool, holes: int) -> tuple[int, ...]:
        if self._top:
            ids, labels, mask, root, kind, length = map(values.get, self._top)
        else:
            ids, labels, mask, root, kind, length = (value_at(values, path) for path in self._paths)
        if ids is None:
            raise _Doubtful
        return (
            holes,
            _hole(ids, holes),
            _hole(labels, holes),
            _hole(mask, holes),
            place(self._part.roots, _name(root)),
            place(self._part.kinds, _name(kind)),
            _length(length),
            (type(root) is int) * INTEGER_ROOT + nan * NAN,
        )


class _Doubtful(Exception):  # noqa: N818 - a verdict, and never seen outside
    """The line is left to the strict reader."""


def _entries(holes: int) -> list[bytes]:
    """What is put into the holes of a line."""
    if holes <= len(_FIRST_ENTRIES):
        return _FIRST_ENTRIES[:holes]
    return [b"%d" % entry for entry in range(_FIRST_ENTRY, _FIRST_ENTRY + holes)]


def _is_shallow(line: bytes) -> bool:
    return len(line) <= NESTING_LIMIT or line.count(b"[") + line.count(b"{") <= NESTING_LIMIT


def _hole(value: object, holes: int) -> int:
    """Which hole a value stands in, or ABSENT."""
    if value is None:
        return ABSENT
    if type(value) is list and len(value) == 1 and type(value[0]) is int:
        hole = value[0] - _FIRST_ENTRY
        if 0 <= hole < holes:
            return hole
    raise _Doubtful


def _name(value: object) -> str | None:
    """The name of a root or a kind, if it is one, and has no hole in it."""
    name = name_of(value)
    if (name is None and value is not None) or (name is not None and _ENTRY_TEXT in name):
        raise _Doubtful
    return name


def _length(value: object) -> int:
    """A stored length, or ABSENT."""
    if type(value) is int and 0 <= value < HIGHEST:
        return value
    if type(value) in (int, float):  # to orjson, an integer above 64 bits is a float
        raise _Doubtful
    return ABSENT
