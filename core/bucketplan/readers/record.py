"""One line of an encode cache becomes a validated record, or a fault that says what to mend."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bucketplan.printable import printable
from bucketplan.readers.fault import Fault, described
from bucketplan.readers.parse import DIGIT_LIMIT, parse_object

IDS, LABELS, MASK, ROOT, KIND = "input_ids", "labels", "attention_mask", "dataset_id", "sample_kind"
KEYS = (IDS, LABELS, MASK, ROOT, KIND)
"""The keys that are read; a record may hold any others."""

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


def read_record(line: bytes) -> Record:
    """The record on a line without its line end.

    Raises:
        Fault: the line is no valid record.
    """
    parsed = parse_object(line)
    for key, times in Counter(key for key, _ in parsed.pairs).items():
        if times > 1 and key in KEYS:
            raise Fault(key, f"duplicate key: it stands {times} times", "keep one; parsers differ in which")
    values = dict(parsed.pairs)
    ids = _token_ids(values)
    labels = _as_long_as(ids, LABELS, values)
    mask = _as_long_as(ids, MASK, values)
    length = len(ids) if mask is None else len(mask) - mask.count(0)
    if length == 0:
        raise Fault(MASK, "all entries are 0, so the record has zero length", "leave the record out")
    root = values.get(ROOT)
    kind = values.get(KIND)
    kind_name = _name(kind)
    return Record(
        length=length,
        width=len(ids),
        supervised=None if labels is None else len(labels) - labels.count(IGNORED_LABEL),
        root=_root_name(root),
        kind=kind_name,
        integer_root=isinstance(root, int),
        odd_kind=kind is not None and kind_name is None,
        negatives=sum(1 for token in ids if token < 0),
        nan=parsed.nan,
    )


def _token_ids(values: Mapping[str, object]) -> Sequence[int]:
    if IDS not in values:
        shown = ", ".join(printable(key, _KEY_LIMIT) for key in list(values)[:_KEYS_SHOWN]) or "none"
        more = f" and {len(values) - _KEYS_SHOWN} more" if len(values) > _KEYS_SHOWN else ""
        raise Fault(IDS, f"missing; keys present: {shown}{more}", f"name the token ids {IDS}")
    ids = _integers(IDS, values[IDS])
    if not ids:
        raise Fault(IDS, "empty: the record has zero length", "leave the record out")
    return ids


def _as_long_as(ids: Sequence[int], key: str, values: Mapping[str, object]) -> Sequence[int] | None:
    """The integers under an optional key, one for each token id."""
    value = values.get(key)
    if value is None:
        return None
    integers = _integers(key, value)
    if len(integers) != len(ids):
        problem = f"{len(integers)} entries, but {IDS} has {len(ids)}"
        raise Fault(key, problem, f"write one entry for each of {IDS}")
    return integers


def _integers(key: str, value: object) -> list[int]:
    """A flat list of 64-bit integers; the attention mask may hold booleans as well."""
    remedy = "write a flat list of integers"
    if not isinstance(value, list):
        raise Fault(key, f"{described(value)}, not a list of integers", remedy)
    allowed = (int, bool) if key == MASK else (int,)
    for position, entry in enumerate(value, start=1):
        if isinstance(entry, list):
            raise Fault(key, f"nested: entry {position} is a list", remedy)
        if type(entry) not in allowed:
            raise Fault(key, f"entry {position} is {described(entry)}, not an integer", remedy)
        if not LOWEST <= entry <= HIGHEST:
            problem = f"entry {position} is out of range: {described(entry)} does not fit in 64 bits"
            raise Fault(key, problem, "look for what wrote it")
    return value


def _root_name(value: object) -> str | None:
    name = _name(value)
    if name is None and value is not None:
        problem = f"{described(value)}, neither text nor an integer of less than {DIGIT_LIMIT} digits"
        raise Fault(ROOT, problem, "write the name of the source as text")
    return name


def _name(value: object) -> str | None:
    """Text as it stands, or the decimal text of an integer: one source may be 7 to one tool and "7" to another."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    digits = str(value)
    return digits if len(digits) < DIGIT_LIMIT else None
