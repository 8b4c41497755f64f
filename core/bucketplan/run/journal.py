"""A session's record: what was tried, with its figures and a note, a line each."""

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bucketplan.errors import InputError, UserError
from bucketplan.printable import MESSAGE_LIMIT, printable
from bucketplan.settings import Value

_MARK, _VERSION = "bucketplan_journal", 1
_REMEDY = "mend the line, or remove it"


@dataclass(frozen=True)
class Entry:
    """One what-if.

    Attributes:
        name: what it is called; a later entry of the same name stands in its place among the pins.
        knobs: values by the names of `Scenario.values`, the cost among them.
        figures: what was predicted, by name.
        note: why it was tried and what came of it; a plan that turned out worse is worth one.
        measured: what a run showed, by the same names, where one was made.
        pinned: whether a session that is reopened shows it beside the others.
        time: when, as ISO 8601 with its zone.
    """

    name: str
    knobs: Mapping[str, Value]
    figures: Mapping[str, Value]
    note: str = ""
    measured: Mapping[str, Value] = field(default_factory=dict)
    pinned: bool = True
    time: str = ""


@dataclass(frozen=True)
class Journal:
    """The entries of a journal, the oldest first, and what a user should know of the file."""

    entries: tuple[Entry, ...]
    warnings: tuple[str, ...] = ()


def append_entry(path: str | os.PathLike[str], entry: Entry) -> None:
    """Add an entry; several sessions may add to the same journal.

    Raises:
        UserError: the journal cannot be written; it is then as it was.
    """
    text = json.dumps({_MARK: _VERSION, **asdict(entry)}, default=dict, allow_nan=False)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            _append(descriptor, text.encode() + b"\n")
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        shown = printable(os.fspath(path), limit=MESSAGE_LIMIT // 2)
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{shown}: {reason} - free some space or choose another journal") from None


def read_journal(path: str | os.PathLike[str]) -> Journal:
    """All entries of a journal; a last line that was cut by a crash is passed over with a warning.

    Raises:
        InputError: it cannot be read, or a line is no entry.
    """
    name = os.fspath(path)
    try:
        lines = Path(name).read_bytes().split(b"\n")
    except (OSError, ValueError) as error:
        raise InputError(name, getattr(error, "strerror", None) or str(error), remedy="check the path") from None
    entries, warnings = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entries.append(_entry(line))
        except (ValueError, RecursionError) as error:
            if number < len(lines):
                raise InputError(name, f"no entry of a journal: {error}", line=number, remedy=_REMEDY) from None
            warnings.append(f"line {number} was cut in the middle, and is passed over")
    return Journal(tuple(entries), tuple(warnings))


def pins(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The last entry of each name, those alone that are pinned, in the order in which the names first came."""
    last: dict[str, Entry] = {}
    for entry in entries:
        last[entry.name] = entry
    return tuple(entry for entry in last.values() if entry.pinned)


def _append(descriptor: int, line: bytes) -> None:
    """One write of one line, so that lines of several sessions never mix."""
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line
    if os.write(descriptor, line) < len(line):
        os.ftruncate(descriptor, size)
        raise OSError(28, "No space left on device")


def _entry(line: bytes) -> Entry:
    content: Any = json.loads(line)
    if not isinstance(content, dict) or content.pop(_MARK, None) != _VERSION:
        raise ValueError(f"not marked as version {_VERSION}")
    texts = [content.get(key, "") for key in ("name", "note", "time")]
    if not all(isinstance(each, str) for each in texts) or not isinstance(content.get("pinned", True), bool):
        raise ValueError("name, note and time are to be texts, pinned true or false")
    values = {key: content.get(key, {}) for key in ("knobs", "figures", "measured")}
    for key, each in values.items():
        if not isinstance(each, dict) or not all(map(_plain, each.values())):
            raise ValueError(f"{key} is to hold numbers, texts and nulls")
    return Entry(texts[0], **values, note=texts[1], time=texts[2], pinned=content.get("pinned", True))


def _plain(value: object) -> bool:
    return isinstance(value, bool | int | str | None) or (isinstance(value, float) and math.isfinite(value))
