#!/usr/bin/env python3
"""What a turn of a knob costs, against a plain-Python evaluation of the same plan in the same run.

usage: plan.py [--shared ../shared] [--records 45444,1000000] [--runs 5]

The other side is tools/reference_plan.py of the shared folder: its order and its figures, on the same lengths. Both
print medians; the ratio is ours over theirs. Also: a move of accumulation alone against a move of bucket, 64 ranks
against one, and the app's first paint.
"""

import argparse
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np

from bucketplan.corpus.corpus import Categories, Corpus
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.readers.demo.built_in import demo_corpus
from measuring import imported, machine, median

ROOT = Path(__file__).resolve().parents[1]
Row = tuple[str, str, str, str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--records", default="45444,1000000")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    reference = imported(args.shared / "tools" / "reference_plan.py")
    print(machine(f"numpy {np.__version__}", "medians"))
    rows: list[Row] = [("what", "ours, ms", "theirs, ms", "ratio", "goal")]
    for records in map(int, args.records.split(",")):
        rows += knob_rows(grown(demo_corpus(), records), reference, args.runs)
    rows.append(first_paint(args.runs))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        print(
            "  ".join(
                [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
            )
        )


def knob_rows(corpus: Corpus, reference: ModuleType, runs: int) -> Iterator[Row]:
    """A knob moved to the report ready, exact shuffles and all figures included."""
    size = f"{len(corpus):,} records"
    assert corpus.supervised is not None
    assert corpus.roots is not None
    lengths, supervised = corpus.lengths.tolist(), corpus.supervised.tolist()
    roots = [corpus.roots.names[code] for code in corpus.roots.codes.tolist()]

    def theirs() -> None:
        order, left = reference.bucket_order(lengths, bucket=16)
        reference.figures(order, lengths, supervised, roots, leftover=left)

    peer = median(theirs, 1 if len(corpus) > 100_000 else 3)
    explorer = Explorer(corpus)
    explorer.report(Knobs())
    bucket = moves(explorer, [Knobs(Bucket(9 + 8 * run)) for run in range(runs)])
    yield row(f"bucket moved, {size}", bucket, peer, "0.10")
    long = moves(explorer, [Knobs(Bucket(1024 + run)) for run in range(runs)])
    yield row(f"bucket moved near 1,024, {size}", long, peer, "0.10")
    start = Knobs(Bucket(9))
    explorer.report(start)
    micro_batch = moves(explorer, [replace(start, micro_batch=3 + run) for run in range(runs)])
    yield row(f"micro-batch moved, {size}", micro_batch, peer, "0.10")
    accumulation = moves(explorer, [replace(start, accumulation=9 + run) for run in range(runs)])
    yield row(f"accumulation moved, against bucket, {size}", accumulation, bucket, "0.10")
    aligned = [Knobs(Bucket(10 + 8 * run), world_size=64) for run in range(runs)]
    yield row(f"64 ranks against one, bucket moved, {size}", moves(explorer, aligned), bucket, "1.5")


def moves(explorer: Explorer, knobs: list[Knobs]) -> float:
    """Median seconds of a report, each of knobs that were not seen before."""
    turns = iter(knobs)
    return median(lambda: explorer.report(next(turns)), len(knobs))


def first_paint(runs: int) -> Row:
    """From Python's start to the first screen with frames, in a terminal of 120 by 36."""

    def paint() -> None:
        pid, controller = pty.fork()
        if pid == 0:
            os.environ |= {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "36"}
            os.execv(sys.executable, [sys.executable, "-m", "bucketplan_tui", "--demo"])
        written = b""
        while "━".encode() not in written:
            written += os.read(controller, 1 << 16)
        os.close(controller)
        os.kill(pid, 9)
        os.waitpid(pid, 0)

    bare = median(lambda: subprocess.run([sys.executable, "-c", "import textual.app, numpy"], check=True), runs)
    return row("first paint, against importing textual and numpy", median(paint, runs), bare, "500 ms")


def row(what: str, ours: float, theirs: float, goal: str) -> Row:
    return what, f"{ours * 1000:,.2f}", f"{theirs * 1000:,.2f}", f"{ours / theirs:.3f}", goal


def grown(corpus: Corpus, records: int) -> Corpus:
    """The corpus itself, or so many records drawn from it."""
    if records == len(corpus):
        return corpus
    assert corpus.supervised is not None
    assert corpus.roots is not None
    drawn = np.random.default_rng(0).integers(0, len(corpus), records)
    roots = Categories(corpus.roots.codes[drawn], corpus.roots.names)
    return Corpus(f"{records} records", corpus.lengths[drawn], corpus.supervised[drawn], roots)


if __name__ == "__main__":
    main()
