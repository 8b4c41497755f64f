"""What a user should know of a cache that loads: one line for each matter, with a count."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.readers.jsonl.record import IGNORED_LABEL
from bucketplan.readers.keys import Names, spelled

_LINES_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Notes:
    """What was seen on the way; the arrays have one entry a record.

    Attributes:
        names: the keys that were read.
        line_of: the physical line of a record, by its index.
        lengths: int32, real tokens.
        supervised: int32, or None where no record has labels.
        padded: bool, the attention mask leaves entries out.
        stored_width: the longest stored row.
        stored_tokens: tokens of all stored rows.
        without_root: bool, no root.
        integer_root: bool, the root is an integer.
        without_kind: bool, no kind.
        odd_kind: bool, the kind is neither text nor an integer.
        negatives: int32, token ids below 0.
        nan: bool, NaN or Infinity in a key that is not used.
        skipped: lines that were passed over.
    """

    names: Names
    line_of: Callable[[int], int]
    lengths: NDArray[np.int32]
    supervised: NDArray[np.int32] | None
    padded: NDArray[np.bool_]
    stored_width: int
    stored_tokens: int
    without_root: NDArray[np.bool_]
    integer_root: NDArray[np.bool_]
    without_kind: NDArray[np.bool_]
    odd_kind: NDArray[np.bool_]
    negatives: NDArray[np.int32]
    nan: NDArray[np.bool_]
    skipped: Sequence[int]


def remarks(notes: Notes) -> Iterator[str]:
    """The warnings of a load, the gravest first."""
    names = notes.names
    ids, labels, mask = spelled(names.ids), spelled(names.labels) or "labels", spelled(names.mask)
    root, kind = spelled(names.root) or "roots", spelled(names.kind)

    def where(records: NDArray[np.bool_]) -> str:
        return f"in {counted(int(records.sum()))}, first on line {notes.line_of(int(records.argmax()))}"

    if notes.skipped:
        shown = ", ".join(str(line) for line in notes.skipped[:_LINES_SHOWN])
        more = len(notes.skipped) - _LINES_SHOWN
        lines = f"line {shown}" if len(notes.skipped) == 1 else f"lines {shown}"
        yield f"skipped {counted(len(notes.skipped))}: {lines}" + (f" and {more:,} more" if more > 0 else "")
    if notes.padded.any():
        yield (
            f"already padded: {mask} leaves tokens out {where(notes.padded)}; lengths are the real tokens, "
            f"rows are stored up to {notes.stored_width:,} wide and hold {notes.stored_tokens:,} tokens"
        )
    if len(notes.lengths) > 1 and (notes.lengths == notes.lengths[0]).all():
        yield f"all records have the same length, {notes.lengths[0]:,}: they may be padded or packed already"
    if notes.supervised is None:
        yield f"{labels}: missing or null in every record; supervised tokens are unknown"
    elif (masked := notes.supervised == 0).any():
        yield f"all {labels} are {IGNORED_LABEL} {where(masked)}: such a record costs compute and trains nothing"
    if notes.without_root.all():
        yield f"{root}: missing or null in every record; roots are unknown"
    if notes.integer_root.any():
        yield f"{root}: an integer {where(notes.integer_root)}; it counts as its decimal text"
    if notes.without_kind.any() and not notes.without_kind.all():
        yield f"{kind}: missing or null {where(notes.without_kind)}"
    if notes.odd_kind.any():
        yield f"{kind}: neither text nor an integer {where(notes.odd_kind)}"
    if (negative := notes.negatives > 0).any():
        yield f"{ids}: {int(notes.negatives.sum(dtype=np.int64)):,} token ids below 0 {where(negative)}"
    if notes.nan.any():
        yield f"NaN or Infinity in a key that is not used {where(notes.nan)}; stricter parsers refuse it"


def counted(records: int) -> str:
    """`1 record`, `2,000 records`."""
    return f"{records:,} record{'' if records == 1 else 's'}"
