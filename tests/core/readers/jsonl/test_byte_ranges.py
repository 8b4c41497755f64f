"""However a file is cut into ranges, and whoever reads them, the corpus or the error is that of one read."""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import Cancelled, InputError
from bucketplan.readers import load
from bucketplan.readers.jsonl import blocks, sharing
from bucketplan.readers.jsonl import byte_ranges as ranges
from bucketplan.readers.jsonl.assembly import corpus_of
from bucketplan.readers.jsonl.byte_ranges import Job, TextFile, read_range, take_ranges
from bucketplan.readers.jsonl.record_batch import Part
from bucketplan.readers.keys import Keys

GOOD = [
    '{"input_ids":[1,2],"labels":[-100,2],"dataset_id":"b","sample_kind":"full"}',
    '{"input_ids":[1],"labels":[1],"dataset_id":"a"}\r',
    "",
    '{"input_ids":[1,2,3],"labels":[-100,-100,3],"dataset_id":"b","text":"x[1,2]\u2028","attention_mask":[1,1,0]}',
    " \r",
    '{"input_ids":[' + "5," * 120 + '-1],"labels":[' + "5," * 120 + '5],"dataset_id":7,"loss":NaN}',
]
TEXTS = {
    "good": "\n".join([*GOOD, *GOOD, ""]),
    "no last line end": "\n".join(GOOD),
    "bad later": "\n".join([*GOOD, "bad", *GOOD, "worse", *GOOD]),
    "cut": "\n".join([*GOOD, '{"input_ids":[1']),
    "labels missing later": "\n".join([*GOOD, '{"input_ids":[9],"dataset_id":"c"}', *GOOD, "bad"]),
    "aliases": '{"id":1}\n{"tokens":[1,2],"task":"t"}\n{"tokens":[1],"task":"s"}\n{"input_ids":[1],"task":"t"}\n',
    "blank": "\n\n \n",
    "many blank lines": "\n" * 300 + "\n".join(GOOD) + "\n" * 300 + "\n".join([*GOOD, "bad"]),
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 512)


def outcome(make: Callable[[], Corpus]) -> object:
    """All that a load gives, in a form that can be compared."""
    try:
        corpus = make()
    except InputError as error:
        return str(error)
    columns = [corpus.roots, corpus.kinds]
    return (
        [None if array is None else array.tolist() for array in (corpus.lengths, corpus.supervised, corpus.numbers)],
        [None if column is None else (column.names, column.codes.tolist()) for column in columns],
        (corpus.stored_width, corpus.stored_tokens, corpus.skipped, corpus.warnings),
    )


def job_of(path: Path, count: int, *, skip_bad: bool) -> Job:
    job = Job(TextFile(os.open(path, os.O_RDONLY), 0, path.stat().st_size), 1, Keys(), None, skip_bad)
    return replace(job, names=read_range(job, 0, lambda _: None)[1], ranges=count)


def in_ranges(path: Path, count: int, *, skip_bad: bool) -> Corpus:
    job = job_of(path, count, skip_bad=skip_bad)
    assert job.names is not None
    parts = [read_range(job, number, lambda _: None)[0] for number in range(count)]
    os.close(job.file.descriptor)
    return corpus_of(str(path), parts, job.names, skip_bad=skip_bad, warnings=())


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize("name", TEXTS)
def test_ranges_may_end_anywhere(tmp_path: Path, name: str, skip_bad: bool) -> None:
    path = tmp_path / "cache.jsonl"
    path.write_bytes(TEXTS[name].encode())
    whole = outcome(lambda: load(path, skip_bad=skip_bad))
    size = path.stat().st_size
    for count in {*range(1, 12), 31, size // 2, size}:
        assert outcome(lambda count=count: in_ranges(path, count, skip_bad=skip_bad)) == whole  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "skip_bad"), [("good", False), ("bad later", False), ("bad later", True), ("aliases", True)]
)
def test_two_processes_read_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, skip_bad: bool
) -> None:
    monkeypatch.setattr(ranges, "RANGE", 100)
    path = tmp_path / "cache.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + TEXTS[name].encode())
    one, two = (outcome(lambda n=n: load(path, skip_bad=skip_bad, processes=n)) for n in (1, 2))  # type: ignore[misc]
    assert two == one


def test_each_process_takes_what_the_other_has_left(tmp_path: Path) -> None:
    path = tmp_path / "cache.jsonl"
    path.write_text(TEXTS["good"])
    job = job_of(path, 6, skip_bad=False)
    queue, feed = os.pipe()
    os.write(feed, bytes(range(6)))
    os.close(feed)
    mine, other = take_ranges(job, queue, lambda _: None), take_ranges(job, queue, lambda _: None)
    taken = [next(turn)[0] for turn in (mine, other, other, mine, other, mine)]
    assert (taken, list(mine), list(other)) == ([0, 1, 2, 3, 4, 5], [], [])


def test_the_rest_of_a_file_is_left_behind_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "cache.jsonl"
    path.write_text("\n".join([GOOD[0], "bad", *GOOD * 20]))
    job = job_of(path, 20, skip_bad=False)
    queue, feed = os.pipe()
    os.write(feed, bytes(range(20)))
    os.close(feed)
    taken = list(take_ranges(job, queue, lambda _: None))
    assert len(taken) < 4
    assert taken[-1][1].stop


@pytest.mark.parametrize("command", ["sys.exit(3)", "os.read(int(sys.argv[1]), 2)", "print('nonsense')"])
def test_ranges_that_the_second_process_lost_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(ranges, "RANGE", 100)
    path = tmp_path / "cache.jsonl"
    path.write_text(TEXTS["good"])
    whole = outcome(lambda: load(path, processes=1))
    monkeypatch.setattr(sharing, "_START", f"import os, sys; {command}")
    assert outcome(lambda: load(path, processes=2)) == whole


def test_without_an_interpreter_one_process_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cache.jsonl"
    path.write_text(TEXTS["good"])
    whole = outcome(lambda: load(path, processes=1))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    assert outcome(lambda: load(path, processes=2)) == whole


def test_a_cancelled_load_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)  # type: ignore[call-overload]
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    monkeypatch.setattr(sharing, "_START", "import time; time.sleep(60)")
    path = tmp_path / "cache.jsonl"
    path.write_text(TEXTS["good"])
    with pytest.raises(Cancelled):
        load(path, processes=2, cancelled=lambda: bool(started))
    (process,) = started
    assert process.returncode == -signal.SIGKILL


def test_the_second_process_reads_for_its_parent_alone(tmp_path: Path) -> None:
    path = tmp_path / "cache.jsonl"
    path.write_text(TEXTS["good"])
    job = job_of(path, 1, skip_bad=False)
    queue, feed = os.pipe()
    os.write(feed, bytes(1))
    os.close(feed)
    stranger = "1"
    worker = subprocess.run(
        [sys.executable, "-c", sharing._START, str(queue), stranger, "."],
        input=pickle.dumps(job),
        pass_fds=(queue, job.file.descriptor),
        capture_output=True,
        check=False,
    )
    assert (worker.returncode, worker.stdout) == (1, b"")


def test_progress_reaches_the_size_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "RANGE", 100)
    path = tmp_path / "cache.jsonl"
    path.write_text(TEXTS["good"])
    size = path.stat().st_size
    for processes in (1, 2):
        seen: list[tuple[int, int | None]] = []
        load(path, processes=processes, progress=lambda done, of, seen=seen: seen.append((done, of)))  # type: ignore[misc]
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)
        assert seen[-1] == (size, size)


def test_a_part_survives_the_way_between_processes(tmp_path: Path) -> None:
    path = tmp_path / "cache.jsonl"
    path.write_text(TEXTS["bad later"])
    part, _ = read_range(job_of(path, 1, skip_bad=False), 0, lambda _: None)
    again: Part = pickle.loads(pickle.dumps(part))
    assert part.stop is not None
    assert again.stop is not None
    assert (again.stop[0], again.stop[1].reason, again.stop[1].remedy) == (
        part.stop[0],
        part.stop[1].reason,
        part.stop[1].remedy,
    )
    assert again.columns["length"].values(np.int32).tolist() == part.columns["length"].values(np.int32).tolist()
