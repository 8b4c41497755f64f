#!/usr/bin/env python3
"""What reading a cache costs, against what others take for the same columns of the same file in the same run.

usage: load.py [--shared ../shared] [--megabytes 609] [--runs 3]

The files and the other side come from tools/ of the shared folder. Each read has a process of its own; the seconds are
taken inside it, imports excluded, and ours and theirs take turns. Printed are the least of the runs, and the ratio of
ours to theirs. The files are made in a temporary folder, one after the other, and removed: that takes three times the
megabytes. A peer that is not installed is left out with a line.
"""

import argparse
import gzip
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from measuring import imported, machine

ROOT = Path(__file__).resolve().parents[1]
SHORT_TOKENS = 130
DATAFRAMES = ("duckdb", "polars", "pyarrow")


class Row(NamedTuple):
    """A line of the table; ours and theirs in the unit that `what` names, in seconds if it names none."""

    what: str
    ours: str
    theirs: str = ""
    ratio: str = ""
    goal: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--megabytes", type=float, default=609)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--measure", nargs=2, metavar=("WHAT", "FILE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(MEASURES[args.measure[0]](args.measure[1])))
        return
    print(machine(f"numpy {import_module('numpy').__version__}", "least of the runs"))
    show(Row("what", "ours", "theirs", "ratio", "goal"))
    with tempfile.TemporaryDirectory() as folder:
        for row in table(Path(folder), args.shared / "tools", args.megabytes, args.runs):
            show(row)


def show(row: Row) -> None:
    print(f"{row.what:72} {row.ours:>8} {row.theirs:>13} {row.ratio:>6} {row.goal:>6}", flush=True)


def table(folder: Path, tools: Path, megabytes: float, runs: int) -> Iterator[Row]:
    size = f"{megabytes:g} MB"
    path = folder / "cache.jsonl"

    def against(what: str, ours: str, peer: str, goal: float, *, file: Path = path) -> Row:
        mine, theirs = [], []
        for _ in range(runs):
            mine.append(measured(ours, file))
            theirs.append(peer_seconds(tools / "load_peers.py", peer, file))
        if None in theirs:
            return Row(what, f"{min(mine):.3f}", "not installed", "", f"{goal:.2f}")
        return compared(what, min(mine), min(filter(None, theirs)), goal)

    for style, one, two in (("compact", 0.30, 0.16), ("spaced", 0.33, 0.18), ("mixed", 0.35, 0.18)):
        make_cache(tools, path, megabytes, style)
        cat(path)  # into the cache of the system
        yield against(f"{size} {style}, one process, orjson loop", "one", "orjson", one)
        yield against(f"{size} {style}, two processes, orjson loop", "two", "orjson", two)
        if style == "compact":
            for peer in DATAFRAMES:
                yield against(f"{size} {style}, two processes, {peer} on all cores", "two", peer, 1.0)
            yield Row(f"{size} {style}, cat", "", f"{least(runs, lambda: cat(path)):.3f}")
            yield Row(f"{size} {style}, second open", f"{measured('second', path):.3f}", goal="0.1 s")
            yield Row(f"{size} {style}, memory of one process, MB", f"{measured('memory', path):.0f}", goal="100")
            yield Row(
                f"{size} {style}, memory of each of two, MB", f"{measured('memory of two', path):.0f}", goal="100"
            )
            packed = path.with_suffix(".jsonl.gz")
            compress(path, packed)
            ours, theirs = (min(measured(what, packed) for _ in range(runs)) for what in ("one", "decompressed"))
            yield compared(f"{size} {style}, gzip ({gzip_library()}), decompressing alone", ours, theirs, 1.6)
            packed.unlink()
    records = make_short_records(tools, path, megabytes)
    yield against(
        f"{size}, {records:,} records of {SHORT_TOKENS} tokens, one process, orjson loop", "one", "orjson", 0.45
    )


def compared(what: str, ours: float, theirs: float, goal: float) -> Row:
    return Row(what, f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}", f"{goal:.2f}")


def measured(what: str, file: Path) -> float:
    """What a fresh process measures."""
    settings = {**os.environ, "XDG_CACHE_HOME": str(file.parent / "home")}
    if what != "second":
        settings["BUCKETPLAN_NO_INDEX"] = "1"
    command = [sys.executable, __file__, "--measure", what, str(file)]
    return float(subprocess.run(command, env=settings, stdout=subprocess.PIPE, check=True).stdout)


def peer_seconds(script: Path, peer: str, file: Path) -> float | None:
    if importlib.util.find_spec(peer) is None:
        return None
    command = [sys.executable, str(script), str(file), "--one", peer]
    return float(json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)[0])


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def least(runs: int, work: Callable[[], object]) -> float:
    return min(seconds(work) for _ in range(runs))


def load_seconds(processes: int) -> Callable[[str], float]:
    def measure(file: str) -> float:
        from bucketplan.readers import jsonl, load  # noqa: F401 - imported before the clock starts

        return seconds(lambda: load(file, processes=processes))

    return measure


def second_load(file: str) -> float:
    """The second open, from the index that the first one leaves."""
    from bucketplan.readers import load
    from bucketplan.readers.index.remembered import remembered

    def opened() -> object:
        return remembered(file, lambda: load(file), options={})

    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_CACHE_HOME"] = home
        opened()
        return seconds(opened)


def decompression(file: str) -> float:
    unpack = import_module("bucketplan.readers.text.unpack")

    def work() -> None:
        with Path(file).open("rb") as packed:
            for _ in unpack.gunzip(file, iter(lambda: packed.read(1 << 20), b"")):
                pass

    return seconds(work)


def memory(processes: int) -> Callable[[str], float]:
    def measure(file: str) -> float:
        """Megabytes over the interpreter with its imports, of the process that takes most."""
        load = import_module("bucketplan.readers").load
        before = peak()
        load(file, processes=processes)
        return (max(peak(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024) - before) * 1.048576

    return measure


def peak() -> float:
    """The most memory that this process has had, MiB. Unlike ru_maxrss, nothing of what it came from counts."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


MEASURES: dict[str, Callable[[str], float]] = {
    "one": load_seconds(1),
    "two": load_seconds(2),
    "second": second_load,
    "decompressed": decompression,
    "memory": memory(1),
    "memory of two": memory(2),
}


def cat(file: Path) -> None:
    subprocess.run(["cat", str(file)], stdout=subprocess.DEVNULL, check=True)


def compress(file: Path, packed: Path) -> None:
    with file.open("rb") as source, gzip.open(packed, "wb", compresslevel=1) as target:
        while chunk := source.read(1 << 20):
            target.write(chunk)


def gzip_library() -> str:
    return "zlib" if importlib.util.find_spec("isal") is None else "isal"


def make_cache(tools: Path, path: Path, megabytes: float, style: str) -> None:
    options = ["--megabytes", str(megabytes), "--style", style]
    subprocess.run(
        [sys.executable, str(tools / "make_big_cache.py"), str(path), *options], stdout=subprocess.DEVNULL, check=True
    )


def make_short_records(tools: Path, path: Path, megabytes: float) -> int:
    """As `make_cache` in compact style, with records of one short length; returns how many."""
    import numpy as np
    import orjson

    maker: Any = imported(tools / "make_big_cache.py")
    rng = np.random.default_rng(7)
    written = records = 0
    with path.open("wb", buffering=1 << 22) as file:
        while written < megabytes * 1e6:
            ids = maker.token_ids(rng, SHORT_TOKENS)
            labels = ids.copy()
            labels[: records % SHORT_TOKENS] = -100
            row = {"input_ids": ids.tolist(), "labels": labels.tolist(), "dataset_id": f"root-{records % 20}"}
            written += file.write(orjson.dumps(row | {"sample_kind": "short"}) + b"\n")
            records += 1
    return records


if __name__ == "__main__":
    main()
