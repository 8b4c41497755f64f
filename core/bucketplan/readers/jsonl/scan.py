"""The lines of a text become the records of a part: whole blocks at once where that is proven, others one by one."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.readers.jsonl.blocks import LINE_LIMIT, Block, LineTooLong
from bucketplan.readers.jsonl.fault import Fault, cut
from bucketplan.readers.jsonl.proven_arrays import Arrays, Positions, proven_arrays
from bucketplan.readers.jsonl.record import read_record
from bucketplan.readers.jsonl.record_batch import ABSENT, RECORD, Part
from bucketplan.readers.jsonl.skeleton import BLANK, Skeletons, skeletons
from bucketplan.readers.jsonl.strict_json import ONE_A_LINE, parse_object
from bucketplan.readers.keys import Keys, Names


def read_part(blocks: Iterator[Block], keys: Keys, names: Names | None, *, skip_bad: bool) -> tuple[Part, Names]:
    """The records of consecutive lines, and the names they are read by.

    Args:
        blocks: the lines.
        keys: names to look for.
        names: those to use; None where the first record of these lines decides.
        skip_bad: go on behind a line that is no record.
    """
    part = Part()
    known = Skeletons(names or keys.usual(), part)
    try:
        for block in blocks:
            rest = block
            if names is None:
                names, first = first_names(block, keys)
                if first:
                    before, rest = block.split(first)
                    _scan(before, known, part, skip_bad=skip_bad)
                if names is not None:
                    known = Skeletons(names, part)
            if not part.stop:
                _scan(rest, known, part, skip_bad=skip_bad)
            if part.stop:
                break
    except LineTooLong:
        problem = f"a line longer than {LINE_LIMIT >> 20} MiB"
        part.stop = part.lines + 1, Fault(None, problem, ONE_A_LINE)
    return part, known.names


def first_names(block: Block, keys: Keys) -> tuple[Names | None, int]:
    """The names that the first record of a block decides on, and where it begins; None where no line has token ids."""
    at = 0
    for line in block.text[: block.size].tobytes().split(b"\n"):
        with suppress(Fault):
            names = keys.chosen(parse_object(line).values)
            if names is not None:
                return names, at
        at += len(line) + 1
    return None, 0


def _scan(block: Block, known: Skeletons, part: Part, *, skip_bad: bool) -> None:
    arrays, line_feeds = proven_arrays(block.text, block.size)
    lines = skeletons(block.text, block.size, arrays)
    if block.ended:
        lines.pop()
    starts = np.concatenate([[0], line_feeds + 1])[: len(lines)]
    said = known.readings(lines)
    batch, kept = _measured(said, arrays, starts)
    batch["line"] = np.arange(part.lines + 1, part.lines + 1 + len(lines))
    for number in np.flatnonzero(~kept & (said["holes"] != BLANK)).tolist():
        line = part.lines + 1 + number
        end = line_feeds[number] if number < len(line_feeds) else block.size
        try:
            record = read_record(block.text[starts[number] : end].tobytes(), known.names)
        except Fault as fault:
            verdict = cut(fault) if fault.unparsed and number == len(line_feeds) else fault
            if not skip_bad:
                part.stop = line, verdict
                kept[number:] = False
                break
            part.refused.append((line, verdict))
        else:
            batch[number] = part.row(line, record)
            kept[number] = True
    part.add(batch[kept])
    part.lines += len(lines)


def _measured(said: NDArray[Any], arrays: Arrays, starts: Positions) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """A record for each line, and which of them are proven to be that of their line.

    Args:
        said: READING, what the skeleton of each line says.
        arrays: the proven arrays of all lines.
        starts: position of each line.
    """
    first = np.searchsorted(arrays.starts, starts)
    kept = said["holes"] == np.diff(first, append=len(arrays.starts))
    kept &= said["holes"] > 0
    batch = np.zeros(len(said), RECORD)
    if not kept.any():
        return batch, kept

    def of_each(column: Positions, which: str) -> Positions:
        """The values of the labels or the mask; those of the token ids where there are none."""
        hole = np.where(said[which] == ABSENT, said["ids"], said[which])
        return column[np.where(kept, first + hole, 0)]

    entries, ignored = arrays.entries(), arrays.ignored()
    width = of_each(entries, "ids")
    length = width
    kept &= (of_each(ignored, "ids") == 0) & (of_each(entries, "labels") == width)
    masked = said["mask"] != ABSENT
    if masked.any():
        kept &= (of_each(ignored, "mask") == 0) & (of_each(entries, "mask") == width)
        length = np.where(masked, width - of_each(arrays.zeros(), "mask"), width)
        kept &= length > 0
    kept &= (said["length"] == ABSENT) | (said["length"] == length) | (said["length"] == width)

    batch["length"] = length
    batch["padding"] = width - length
    batch["supervised"] = np.where(said["labels"] == ABSENT, ABSENT, width - of_each(ignored, "labels"))
    for name in ("root", "kind", "flags"):
        batch[name] = said[name]
    return batch, kept
