"""The usual line, proven to be a valid record without a look at each token in Python."""

import re

import orjson

from bucketplan.readers.record import IDS, IGNORED_LABEL, KEYS, KIND, LABELS, MASK, ROOT, Record

_IN_LISTS = b"0123456789, "
_QUOTED = tuple(f'"{key}"'.encode() for key in KEYS)
_FLAT = {key: f'"{key}":[]'.encode() for key in (IDS, LABELS, MASK)}
_NAMES = (str, int, type(None))

# A letter or an underscore written as an escape: it can spell a key a second time, and orjson keeps the last.
_SPELLED = re.compile(rb"\\u00(?:5[fF]|[67])")

# No entry below -100 and fewer than 2^40 of them: while the sum stays under this, each entry fits in 64 bits.
_SAFE_SUM = 2**62


def quick_record(line: bytes) -> Record | None:
    """The record on a line, equal to what `read_record` gives, or None at any doubt.

    Without digits, minuses, commas and blanks a line is a skeleton: where that says `"labels":[]`, and the line is
    JSON, the list is flat and holds integers alone. What orjson makes of those above 64 bits shows in the sum.
    """
    try:
        values = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    rest = line.translate(None, _IN_LISTS)
    skeleton = rest.translate(None, b"-")
    if type(values) is not dict or any(skeleton.count(key) > 1 for key in _QUOTED):
        return None
    if b"\\" in skeleton and _SPELLED.search(line):
        return None
    ids, labels, mask = values.get(IDS), values.get(LABELS), values.get(MASK)
    root, kind = values.get(ROOT), values.get(KIND)
    if not ids or type(root) not in _NAMES or type(kind) not in _NAMES:
        return None
    for key, column in ((IDS, ids), (LABELS, labels), (MASK, mask)):
        if column is not None:
            if _FLAT[key] not in skeleton or len(column) != len(ids):
                return None
            total = sum(column)
            if type(total) is not int or total > _SAFE_SUM:
                return None
    ignored = 0 if labels is None else labels.count(IGNORED_LABEL)
    # As many minuses in the line as ignored labels: nothing else is negative.
    if rest.count(b"-") != ignored and not (
        min(ids) >= 0 and min(labels or ids) >= IGNORED_LABEL and min(mask or ids) >= 0
    ):
        return None
    length = len(ids) if mask is None else len(mask) - mask.count(0)
    if length == 0:
        return None
    return Record(
        length=length,
        width=len(ids),
        supervised=None if labels is None else len(labels) - ignored,
        root=root if root is None else str(root),
        kind=kind if kind is None else str(kind),
        integer_root=type(root) is int,
    )
