"""Measured points, how long micro-batches of some widths took, read from a table of comma-separated values."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from bucketplan.cost.fitting.table_columns import Columns, headless, named_columns, number
from bucketplan.errors import InputError
from bucketplan.printable import printable

DEFAULT_ROWS = 2
"""Rows of a point where neither the file nor the user says."""

_WIDEST = 2**31 - 1
_MOST_ROWS = 65_536
_LONGEST = 1e12
_LEAST = 1e-9
_COMMENT = "make the line a comment, with # before it"


@dataclass(frozen=True)
class Point:
    """One measurement.

    Attributes:
        line: its line in the file it came from, or its place among typed points, from 1.
        width: padded tokens of a row.
        seconds: how long the micro-batch took.
        rows: its rows.
    """

    line: int
    width: int
    seconds: float
    rows: int = DEFAULT_ROWS


@dataclass(frozen=True)
class Points:
    """Measurements of one machine and model.

    Attributes:
        path: where they came from, as the user named it.
        points: in the order in which they were measured.
        warnings: what a user should know of the file.
    """

    path: str
    points: tuple[Point, ...]
    warnings: tuple[str, ...] = ()


def points_of(path: str, content: bytes, rows: int | None = None) -> Points:
    """The points of a table.

    Names decide the columns: widths, seconds (or a time with its unit), optionally rows; others are passed over.
    Blank lines and those that begin with # are no points.

    Args:
        path: what errors call it.
        content: the table as UTF-8.
        rows: rows of every point where the file has no such column.

    Raises:
        InputError: the first line that cannot be understood, or there is no point.
    """
    points: list[Point] = []
    warnings: list[str] = []
    columns = None
    for line, cells, separator in _table(path, content):
        if columns is None:
            named = not any(number(cell) is not None for cell in cells)
            columns = (named_columns if named else headless)(path, line, cells)
            if named:
                continue
            warnings.append(f"no header: the columns are taken as {','.join(columns.names)}")
        points.append(_point(path, line, cells, columns, separator, rows or DEFAULT_ROWS))
    if not points:
        raise InputError(path, "no points", remedy="give lines of width,seconds")
    if columns is not None and columns.rows is None and rows is None:
        warnings.append(f"rows are not given: every point is taken as a micro-batch of {DEFAULT_ROWS} rows")
    return Points(path, tuple(points), tuple(warnings))


def _table(path: str, content: bytes) -> Iterator[tuple[int, list[str], str]]:
    """Line number, cells and separator of each line that is neither blank nor a comment."""
    separator = ""
    for line, raw in enumerate(content.split(b"\n"), start=1):
        try:
            text = raw.decode().strip()
        except UnicodeDecodeError:
            raise InputError(path, "not UTF-8", line=line, remedy="save it as UTF-8") from None
        if not text or text.startswith("#"):
            continue
        separator = separator or next((each for each in ";\t" if each in text), ",")
        try:
            (cells,) = csv.reader([text], delimiter=separator, skipinitialspace=True, strict=True)
        except (csv.Error, ValueError) as error:
            raise InputError(path, f"no line of a table: {error}", line=line, remedy=_COMMENT) from None
        yield line, [cell.strip() for cell in cells], separator


def _point(path: str, line: int, cells: list[str], columns: Columns, separator: str, rows: int) -> Point:
    extra = [cell for cell in cells[len(columns.names) :] if cell]
    if extra:
        problem = f"{len(cells)} cells where {len(columns.names)} columns are named"
        remedy = "write decimals with a point" if separator == "," else _COMMENT
        raise InputError(path, problem, line=line, remedy=remedy)

    def value(column: int, limit: float) -> float:
        return _value(path, line, columns.names[column], cells[column] if column < len(cells) else "", separator, limit)

    width, seconds = value(columns.width, _WIDEST), value(columns.seconds, _LONGEST) * columns.scale
    given = rows if columns.rows is None else value(columns.rows, _MOST_ROWS)
    for name, count in (("width", width), ("rows", given)):
        if count != int(count):
            raise InputError(path, f"{count:.10g} is no whole number", line=line, key=name, remedy="give a count")
    return Point(line, int(width), seconds, int(given))


def _value(path: str, line: int, name: str, cell: str, separator: str, limit: float) -> float:
    """A cell as a number above 0."""
    found = number(cell.replace(",", ".") if separator == ";" else cell)
    shown = printable(cell, limit=40)
    if found is None:
        problem = f"{shown} is not a number" if cell else "the cell is empty"
        remedy = "write 1234.5, without separators; a unit belongs in the header" if cell[:1].isdigit() else _COMMENT
        raise InputError(path, problem, line=line, key=name, remedy=remedy)
    if not _LEAST <= found <= limit:
        problem = f"{shown} is not above 0" if found <= 0 else f"{shown} is beyond what can be measured"
        raise InputError(path, problem, line=line, key=name, remedy=_COMMENT)
    return found
