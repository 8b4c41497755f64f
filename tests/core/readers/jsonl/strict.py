"""The slow way to read lines, which the fast one must agree with in everything."""

from typing import Any

import numpy as np

from bucketplan.readers.jsonl.blocks import Fill, from_chunks, whole_lines
from bucketplan.readers.jsonl.fault import Fault, cut
from bucketplan.readers.jsonl.record import read_record
from bucketplan.readers.jsonl.record_batch import RECORD, Part
from bucketplan.readers.jsonl.scan import read_part
from bucketplan.readers.jsonl.strict_json import parse_object
from bucketplan.readers.keys import Keys, Names

USUAL = Keys()


def read_strictly(text: bytes, keys: Keys = USUAL, *, skip_bad: bool = True) -> tuple[Part, Names]:
    """Line by line, each by the strict reader."""
    part = Part()
    names = None
    lines = text.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if number == len(lines) and not line:
            break
        part.lines = number
        if not line.strip(b" \t\r"):
            continue
        try:
            names = names or keys.chosen(parse_object(line).values)
            batch = np.array([part.row(number, read_record(line, names or keys.usual()))], RECORD)
        except Fault as fault:
            verdict = number, cut(fault) if fault.unparsed and number == len(lines) else fault
            if not skip_bad:
                part.stop = verdict
                break
            part.refused.append(verdict)
        else:
            part.add(batch)
    return part, names or keys.usual()


def read_quickly(text: bytes, keys: Keys = USUAL, *, skip_bad: bool = True) -> tuple[Part, Names]:
    """Block by block."""
    return read_part(whole_lines(filling(text)), keys, None, skip_bad=skip_bad)


def filling(*chunks: bytes) -> Fill:
    return from_chunks(iter(chunks))


def content(part: Part) -> dict[str, Any]:
    """All that a part says, in a form that can be compared; its columns are empty then."""
    columns = {name: column.values(np.int64) for name, column in part.columns.items()}
    roots, kinds = [*part.roots, None], [*part.kinds, None]
    return {
        "lines": None if part.stop else part.lines,
        "records": part.records,
        **{name: values.tolist() for name, values in columns.items() if name not in ("line", "root", "kind")},
        "line": (columns["line"] + np.arange(part.records)).tolist(),
        "root": [roots[place] for place in columns["root"]],
        "kind": [kinds[place] for place in columns["kind"]],
        "refused": [(line, fault.reason, fault.remedy, fault.truncated) for line, fault in part.refused],
        "stop": part.stop and (part.stop[0], part.stop[1].reason, part.stop[1].remedy, part.stop[1].truncated),
    }
