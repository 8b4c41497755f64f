#!/usr/bin/env python3
"""What the way into a trainer costs: the export of an order, its samplers, a reordered copy of the cache.

usage: order.py [--records 1000000] [--lines 60000] [--runs 5] [--folder DIR]

Planning is made before the clock starts. The samplers stand beside a loop over the same record numbers as a list. The
copy stands beside `cat file > copy` of a file that is made here; before each run its pages are dropped, and the two
take turns. `cat` does not wait for the disk, and the copy does: `and sync` is `cat` with the same wait.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import orjson

from bucketplan.corpus.corpus import Categories, Corpus
from bucketplan.exploring.explorer import Explorer
from bucketplan.order import BatchSampler, Progress, Sampler, read_manifest
from bucketplan.order.making import manifest_of
from bucketplan.order.rewrite import rewrite
from bucketplan.order.writing import write_manifest
from bucketplan.planning.knobs import Knobs
from bucketplan.readers import load
from bucketplan.readers.demo.built_in import demo_corpus
from measuring import machine, median

Row = tuple[str, str, str, str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--lines", type=int, default=60_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--folder", type=Path, help="where the files of the benchmark go; a temporary folder if not given"
    )
    args = parser.parse_args()
    print(machine(f"numpy {np.__version__}", "medians"))
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder = Path(name)
        rows: list[Row] = [("what", "ours", "beside", "ratio", "goal")]
        rows += export_rows(grown(demo_corpus(), args.records), folder, args.runs)
        rows += sampler_rows(grown(demo_corpus(), args.records), folder)
        rows += rewrite_rows(folder, args.lines, args.runs)
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join([row[0].ljust(widths[0]), *cells]))


def export_rows(corpus: Corpus, folder: Path, runs: int) -> Iterator[Row]:
    """From a report that is on the screen to the manifest on disk, and back."""
    explorer = Explorer(corpus)
    planning = median(lambda: Explorer(corpus).report(Knobs()), 1)
    explorer.report(Knobs())
    for name in ("order.json", "order.npz"):
        path = folder / name
        seconds = []
        for _ in range(runs):
            corpus.__dict__.pop("fingerprint", None)  # it is computed once a corpus, and here in every run
            start = time.perf_counter()
            write_manifest(manifest_of(explorer, Knobs()), path)
            seconds.append(time.perf_counter() - start)
        ours = statistics.median(seconds)
        what = f"export {len(corpus):,} records, {name}, against planning"
        yield what, f"{ours:.3f} s", f"{planning:.3f} s", f"{ours / planning:.2f}", "1 s"
        back = median(lambda path=path: read_manifest(path), runs)  # type: ignore[misc]
        yield f"read {name} back", f"{back:.3f} s", f"{ours:.3f} s", f"{back / ours:.2f}", ""


def sampler_rows(corpus: Corpus, folder: Path) -> Iterator[Row]:
    """Microseconds a record of every sampler, beside a loop over a list of the same."""
    for micro_batch in (1, 2, 8):
        knobs = Knobs(micro_batch=micro_batch, world_size=8)
        found = manifest_of(Explorer(corpus), knobs, whole_windows=True)
        progress = Progress(folder / "progress.json")
        samplers: dict[str, BatchSampler | Sampler] = {
            "batches": BatchSampler(found),
            "batches of a rank": BatchSampler(found, 3, 8),
            "batches, progress kept": BatchSampler(found, progress=progress),
            "numbers": Sampler(found),
        }
        for name, sampler in samplers.items():
            items: list[object] = [*sampler]
            records = len(items) * (1 if isinstance(sampler, Sampler) else micro_batch)
            ours = median(lambda sampler=sampler: consume(sampler), 3) / records * 1e6  # type: ignore[misc]
            bare = median(lambda items=items: consume(items), 3) / records * 1e6  # type: ignore[misc]
            what = f"sampler, micro-batch {micro_batch}, {name}, a record"
            yield what, f"{ours:.3f} us", f"{bare:.3f} us", f"{ours / bare:.1f}", "1 us"


def consume(items: Iterable[object]) -> None:
    for _ in items:
        pass


def rewrite_rows(folder: Path, lines: int, runs: int) -> Iterator[Row]:
    """The reordered copy of a file, beside a plain one."""
    cache, ours, theirs = folder / "cache.jsonl", folder / "ours.jsonl", folder / "theirs.jsonl"
    write_cache(cache, lines)
    manifest = manifest_of(Explorer(load(cache)), Knobs())
    copying, plain, synced = [], [], []
    for _ in range(runs):
        cold(cache)
        ours.unlink(missing_ok=True)
        copying.append(median(lambda: rewrite(manifest, str(cache), ours), 1))
        cold(cache)
        theirs.unlink(missing_ok=True)
        start = time.perf_counter()
        subprocess.run(["sh", "-c", 'cat "$0" > "$1"', str(cache), str(theirs)], check=True)
        plain.append(time.perf_counter() - start)
        subprocess.run(["sync", str(theirs)], check=True)
        synced.append(time.perf_counter() - start)
    size = cache.stat().st_size
    told = f"copy {cache.name}, {size / 1e6:,.0f} MB, {lines:,} lines, in plan order, cold"
    mine = statistics.median(copying)
    for name, times in (("cat", plain), ("cat and sync", synced)):
        other = statistics.median(times)
        yield f"{told}, against {name}", f"{mine:.2f} s", f"{other:.2f} s", f"{mine / other:.2f}", "2"


def write_cache(path: Path, lines: int) -> None:
    """Records of the demo's lengths, with token ids and labels of up to 32,000."""
    random = np.random.default_rng(0)
    with path.open("wb") as file:
        for length in grown(demo_corpus(), lines).lengths.tolist():
            ids = random.integers(0, 32_000, length)
            record = {"input_ids": ids, "labels": ids, "dataset_id": "demo"}
            file.write(orjson.dumps(record, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")


def cold(path: Path) -> None:
    """Drop the pages of a file from memory."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def grown(corpus: Corpus, records: int) -> Corpus:
    """So many records drawn from a corpus."""
    assert corpus.supervised is not None
    assert corpus.roots is not None
    drawn = np.random.default_rng(0).integers(0, len(corpus), records)
    roots = Categories(corpus.roots.codes[drawn], corpus.roots.names)
    return Corpus(f"{records} records", corpus.lengths[drawn], corpus.supervised[drawn], roots)


if __name__ == "__main__":
    main()
