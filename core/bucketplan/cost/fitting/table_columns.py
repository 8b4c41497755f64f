"""Which columns of a table of measured points hold what, by their names and the units in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bucketplan.errors import InputError
from bucketplan.printable import printable

# Seconds of each unit. "min" is no minute: it is more often a least value.
_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds", "millis"), 1e-3),
    **dict.fromkeys(("us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds", "micros"), 1e-6),
    **dict.fromkeys(("ns", "nsec", "nsecs", "nanosecond", "nanoseconds", "nanos"), 1e-9),
    **dict.fromkeys(("minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}
_TIME = frozenset({"time", "duration", "elapsed", "latency", "t"})
_BESIDE_TIME = frozenset({"wall", "clock", "step", "micro", "batch", "median", "mean", "measured", "per", "in"})
_WIDTH = frozenset({"width", "widths", "w", "seqlen", "length", "len"})
_BESIDE_WIDTH = frozenset({"padded", "seq", "sequence", "tokens", "token", "in"})
_ROWS = (
    {"rows"},
    {"row"},
    {"batch"},
    {"batch", "size"},
    {"micro", "batch"},
    {"micro", "batch", "size"},
    {"microbatch"},
)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_NAMING = "name the columns width,seconds or width,rows,seconds"


@dataclass(frozen=True)
class Columns:
    """Where the figures of a point stand in a line.

    Attributes:
        width: the column of widths, from 0.
        seconds: the column of times.
        rows: the column of rows, or None.
        scale: seconds of one unit of the times.
        names: of all columns.
    """

    width: int
    seconds: int
    rows: int | None
    scale: float
    names: tuple[str, ...]


def number(cell: str) -> float | None:
    """What a cell says in plain decimal notation; None where it is no number."""
    return float(cell) if _NUMBER.fullmatch(cell) else None


def headless(path: str, line: int, cells: Sequence[str]) -> Columns:
    """The columns of a table without a header, by the first line: width and seconds, and rows before a third.

    Raises:
        InputError: there are fewer columns, or more.
    """
    if len(cells) not in (2, 3):
        problem = f"no header, and {len(cells)} cells in the first line"
        raise InputError(path, problem, line=line, remedy=_NAMING)
    names = ("width", "seconds") if len(cells) == 2 else ("width", "rows", "seconds")
    return Columns(0, len(cells) - 1, 1 if len(cells) == 3 else None, 1.0, names)


def named_columns(path: str, line: int, cells: Sequence[str]) -> Columns:
    """The columns that a header names.

    Raises:
        InputError: widths or times are missing or named twice, or the unit of the times is missing or not known.
    """
    words = [_words(cell) for cell in cells]
    times = [i for i, each in enumerate(words) if _is_time(each)]
    widths = [i for i, each in enumerate(words) if each & _WIDTH and each <= _WIDTH | _BESIDE_WIDTH]
    rows = [i for i, each in enumerate(words) if each in _ROWS]
    for what, found in (("widths", widths), ("times", times), ("rows", rows)):
        if len(found) > 1:
            problem = f"{len(found)} columns of {what}: {_listed([cells[i] for i in found])}"
            raise InputError(path, problem, line=line, remedy="keep one of them")
    if not widths:
        raise InputError(path, f"no column of widths among {_listed(cells)}", line=line, remedy=_NAMING)
    if not times:
        raise _no_time(path, line, cells, words)
    (unit,) = words[times[0]] & _UNITS.keys()
    return Columns(widths[0], times[0], rows[0] if rows else None, _UNITS[unit], tuple(cells))


def _words(cell: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", cell.lower()))


def _is_time(words: frozenset[str]) -> bool:
    units = words & _UNITS.keys()
    return len(units) == 1 and words - units <= _TIME | _BESIDE_TIME


def _no_time(path: str, line: int, cells: Sequence[str], words: Sequence[frozenset[str]]) -> InputError:
    """What to say of a header without a usable column of times."""
    for cell, each in zip(cells, words, strict=True):
        if each & _TIME and each <= _TIME | _BESIDE_TIME:
            remedy = "name it seconds, or time_ms where it holds milliseconds"
            return InputError(path, "a time without a unit", line=line, key=cell, remedy=remedy)
        if each & _TIME or len(each & _UNITS.keys()) > 1:
            remedy = "name it seconds, time_ms, time_us or time_ns"
            return InputError(path, "a time in no unit that is known", line=line, key=cell, remedy=remedy)
    return InputError(path, f"no column of seconds among {_listed(cells)}", line=line, remedy=_NAMING)


def _listed(cells: Sequence[str]) -> str:
    return printable(", ".join(cells), limit=80)
