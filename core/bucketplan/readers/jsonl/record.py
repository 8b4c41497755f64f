"""One line of an encode cache becomes a validated record, or a fault that says what to mend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bucketplan.printable import printable
from bucketplan.readers.jsonl.fault import Fault, described
from bucketplan.readers.jsonl.strict_json import DIGIT_LIMIT, Parsed, Repeating, parse_object
from bucketplan.readers.keys import Names, Path, has, spelled, value_at

IGNORED_LABEL = -100
"""The label of a token that is not supervised."""

LOWEST, HIGHEST = -(2**63), 2**63 - 1
"""The range of a token id, a label and a mask entry."""

_KEYS_SHOWN, _KEY_LIMIT = 6, 32


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of one line.

    Attributes:
        length: real tokens: those that the attention mask lets through, or all; at least 1.
        width: tokens as stored, padding included.
        supervised: labels other than -100 in the stored row, or None where labels are missing or null.
        root: `dataset_id` as text, or None where it is missing or null.
        kind: `sample_kind` as text, or None where it is missing, null or neither text nor an integer.
        integer_root: whether `dataset_id` was an integer.
        odd_kind: whether `sample_kind` was neither text, nor an integer, nor null.
        negatives: token ids below 0.
        nan: whether NaN or Infinity stands in a key that is not used.
    """

    length: int
    width: int
    supervised: int | None
    root: str | None
    kind: str | None
    integer_root: bool = False
    odd_kind: bool = False
    negatives: int = 0
    nan: bool = False


def read_record(line: bytes, names: Names) -> Record:
    """The record on a line without its line end.

    Raises:
        Fault: the line is no valid record.
    """
    parsed = parse_record(line, names)
    values = parsed.values
    ids = _token_ids(names.ids, values)
    labels = _as_long_as(ids, names.labels, values, names)
    mask = _as_long_as(ids, names.mask, values, names)
    length = len(ids) if mask is None else len(mask) - mask.count(0)
    if length == 0:
        raise Fault(spelled(names.mask), "all entries are 0, so the record has zero length", "leave the record out")
    _check_length(names, values, length, len(ids))
    root = value_at(values, names.root)
    kind = value_at(values, names.kind)
    kind_name = name_of(kind)
    return Record(
        length=length,
        width=len(ids),
        supervised=None if labels is None else len(labels) - labels.count(IGNORED_LABEL),
        root=_root_name(names.root, root),
        kind=kind_name,
        integer_root=isinstance(root, int),
        odd_kind=kind is not None and kind_name is None,
        negatives=sum(1 for token in ids if token < 0),
        nan=parsed.nan,
    )


def parse_record(line: bytes, names: Names) -> Parsed:
    """The object on a line, in which each of these names stands once at most.

    Raises:
        Fault: as `parse_object`, or a name is repeated.
    """
    parsed = parse_object(line)
    for path in names.paths():
        _check_repeats(path, parsed.values)
    return parsed


def name_of(value: object) -> str | None:
    """Text as it stands, or the decimal text of an integer: one source may be 7 to one tool and "7" to another."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    digits = str(value)
    return digits if len(digits) < DIGIT_LIMIT else None


def _check_repeats(path: Path, values: object) -> None:
    for key in path:
        if isinstance(values, Repeating) and values.times[key] > 1:
            problem = f"duplicate key: it stands {values.times[key]} times"
            raise Fault(spelled(path), problem, "keep one; parsers differ in which")
        values = value_at(values, (key,))


def _check_length(names: Names, values: Mapping[str, object], length: int, width: int) -> None:
    stored = value_at(values, names.length)
    if type(stored) is int and stored not in (length, width):
        real = "" if length == width else f", {length} of them real"
        problem = f"{described(stored)} is stored, but {spelled(names.ids)} has {width} entries{real}"
        raise Fault(spelled(names.length), problem, "write the number of tokens, or rename the key")


def _token_ids(path: Path, values: Mapping[str, object]) -> Sequence[int]:
    if not has(values, path):
        shown = ", ".join(printable(key, _KEY_LIMIT) for key in list(values)[:_KEYS_SHOWN]) or "none"
        more = f" and {len(values) - _KEYS_SHOWN} more" if len(values) > _KEYS_SHOWN else ""
        raise Fault(spelled(path), f"missing; keys present: {shown}{more}", f"name the token ids {spelled(path)}")
    ids = _integers(path, value_at(values, path))
    if not ids:
        raise Fault(spelled(path), "empty: the record has zero length", "leave the record out")
    return ids


def _as_long_as(ids: Sequence[int], path: Path, values: Mapping[str, object], names: Names) -> Sequence[int] | None:
    """The integers under an optional key, one for each token id."""
    value = value_at(values, path)
    if value is None:
        return None
    integers = _integers(path, value, booleans=path == names.mask)
    if len(integers) != len(ids):
        problem = f"{len(integers)} entries, but {spelled(names.ids)} has {len(ids)}"
        raise Fault(spelled(path), problem, f"write one entry for each of {spelled(names.ids)}")
    return integers


def _integers(path: Path, value: object, *, booleans: bool = False) -> list[int]:
    """A flat list of 64-bit integers; an attention mask may hold booleans as well."""
    key, remedy = spelled(path), "write a flat list of integers"
    if not isinstance(value, list):
        raise Fault(key, f"{described(value)}, not a list of integers", remedy)
    allowed = (int, bool) if booleans else (int,)
    for position, entry in enumerate(value, start=1):
        if isinstance(entry, list):
            raise Fault(key, f"nested: entry {position} is a list", remedy)
        if type(entry) not in allowed:
            raise Fault(key, f"entry {position} is {described(entry)}, not an integer", remedy)
        if not LOWEST <= entry <= HIGHEST:
            problem = f"entry {position} is out of range: {described(entry)} does not fit in 64 bits"
            raise Fault(key, problem, "look for what wrote it")
    return value


def _root_name(path: Path, value: object) -> str | None:
    name = name_of(value)
    if name is None and value is not None:
        problem = f"{described(value)}, neither text nor an integer of less than {DIGIT_LIMIT} digits"
        raise Fault(spelled(path), problem, "write the name of the source as text")
    return name
