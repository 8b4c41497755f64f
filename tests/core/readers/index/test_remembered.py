"""A large cache opens from its index the second time, unless anything about it has changed."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import platformdirs
import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.errors import InputError
from bucketplan.readers import load
from bucketplan.readers.index import remembered as module
from bucketplan.readers.index.index_file import write_index
from bucketplan.readers.index.remembered import remembered

LINE = b'{"input_ids":[1,2,3],"labels":[1,2,3],"dataset_id":"a"}\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the indexes, of this test alone; every cache is worth an index."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(module.SWITCH, raising=False)
    monkeypatch.setattr(module, "LEAST_CACHE", 0)
    return platformdirs.user_cache_path("bucketplan") / "indexes"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    path = tmp_path / "cache.jsonl"
    path.write_bytes(LINE * 5)
    return path


def opened(path: Path | str, read: Callable[[], Corpus] | None = None, **options: Any) -> tuple[Corpus, list[str]]:
    """The corpus, and what was told on the way."""
    told: list[str] = []
    corpus = remembered(str(path), read or (lambda: load(path)), options=options, explain=told.append)
    return corpus, told


def not_read() -> NoReturn:
    raise AssertionError("the cache was read")


def indexes(home: Path) -> list[Path]:
    return sorted(home.iterdir()) if home.exists() else []


def test_the_second_open_reads_the_index(cache: Path) -> None:
    first, told = opened(cache)
    assert told == ["index: none yet", "index: kept"]
    second, told = opened(cache, not_read)
    assert told == ["index: found"]
    assert second.fingerprint == first.fingerprint
    assert second.path == str(cache)


def test_explanations_are_not_needed(cache: Path) -> None:
    first = remembered(str(cache), lambda: load(cache), options={})
    assert remembered(str(cache), not_read, options={}).fingerprint == first.fingerprint


def test_the_path_is_the_one_given_this_time(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(cache)
    monkeypatch.chdir(cache.parent)
    corpus, _ = opened(cache.name, not_read)
    assert corpus.path == "cache.jsonl"


def grown(path: Path) -> None:
    path.write_bytes(path.read_bytes() + LINE)
    os.utime(path, ns=(0, 1))


def touched(path: Path) -> None:
    os.utime(path, ns=(0, 2))


def before_the_epoch(path: Path) -> None:
    os.utime(path, ns=(0, -2 * 10**9))


def rewritten(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"3", b"4"))
    os.utime(path, ns=(0, 1))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (grown, "size, content"),
        (touched, "modification time"),
        (before_the_epoch, "modification time"),
        (rewritten, "content"),
    ],
)
def test_a_changed_cache_is_read_again(cache: Path, home: Path, change: Callable[[Path], None], words: str) -> None:
    os.utime(cache, ns=(0, 1))
    opened(cache)
    change(cache)
    corpus, told = opened(cache)
    assert told == [f"index: the file changed: {words}", "index: kept"]
    assert corpus.tokens == load(cache).tokens
    assert len(indexes(home)) == 1  # the new index replaces the old one
    assert opened(cache, not_read)[1] == ["index: found"]


def test_a_cache_that_changes_while_it_is_read_is_not_kept(cache: Path, home: Path) -> None:
    def read() -> Corpus:
        corpus = load(cache)
        touched(cache)
        return corpus

    assert opened(cache, read)[1][-1] == "index: not kept: the file changed while it was read"
    assert not indexes(home)


def test_each_way_to_read_has_an_index_of_its_own(cache: Path) -> None:
    cache.write_bytes(LINE + b"no record\n")
    lenient, _ = opened(cache, lambda: load(cache, skip_bad=True), skip_bad=True)
    with pytest.raises(InputError):
        opened(cache, skip_bad=False)
    again, told = opened(cache, not_read, skip_bad=True)
    assert told == ["index: found"]
    assert again.skipped == lenient.skipped


def test_a_link_shares_the_index_unless_its_name_promises_other_content(cache: Path, tmp_path: Path) -> None:
    opened(cache)
    for name in ("link.jsonl", "link.jsonl.gz"):
        (tmp_path / name).symlink_to(cache)
    assert opened(tmp_path / "link.jsonl", not_read)[1] == ["index: found"]
    assert "promises gzip" in opened(tmp_path / "link.jsonl.gz")[0].warnings[0]


def test_an_index_of_another_version_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(cache)
    monkeypatch.setattr(module, "__version__", "another")
    assert opened(cache)[1] == ["index: none yet", "index: kept"]


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-9], lambda data: data.replace(b"NUMPY", b"nmpy!")]
)
def test_a_damaged_index_is_ignored_and_written_again(
    cache: Path, home: Path, damage: Callable[[bytes], bytes]
) -> None:
    opened(cache)
    (index,) = indexes(home)
    index.write_bytes(damage(index.read_bytes()))
    corpus, told = opened(cache)
    assert len(corpus) == 5
    assert told[0].startswith("index: ignored: not a whole bucketplan index")
    assert told[1] == "index: kept"
    assert opened(cache, not_read)[1] == ["index: found"]


def test_a_load_that_fails_keeps_nothing(cache: Path, home: Path) -> None:
    cache.write_bytes(b"no record\n")
    with pytest.raises(InputError):
        opened(cache)
    assert not indexes(home)


def test_a_small_cache_needs_no_index(cache: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_CACHE", 1 << 20)
    assert opened(cache)[1] == ["index: none: the cache is smaller than 1,048,576 bytes"]
    assert not indexes(home)


def test_an_index_needs_no_index(tmp_path: Path, home: Path, small: Corpus) -> None:
    target = tmp_path / "small.npz"
    with target.open("wb") as file:
        write_index(small, file)
    assert opened(target)[1] == ["index: none: the cache is no file on disk, or an index itself"]
    assert not indexes(home)


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(LINE * 3,))
    writer.start()
    corpus, told = opened(pipe)
    writer.join()
    assert len(corpus) == 3
    assert told == ["index: none: the cache is no file on disk, or an index itself"]


@pytest.mark.parametrize("path", ["-", "none.jsonl", "a\0b", "."])
def test_what_is_no_file_is_left_to_the_reader(path: str) -> None:
    corpus = Corpus(path, np.ones(1, np.int32))
    assert opened(path, lambda: corpus)[0] is corpus


@pytest.mark.parametrize(("value", "used"), [("1", False), ("", True), ("0", True)])
def test_a_variable_turns_indexes_off(cache: Path, monkeypatch: pytest.MonkeyPatch, value: str, used: bool) -> None:
    monkeypatch.setenv(module.SWITCH, value)
    told = opened(cache)[1]
    assert told == (["index: none yet", "index: kept"] if used else ["index: none: BUCKETPLAN_NO_INDEX is set"])


def test_a_cache_folder_that_cannot_be_made_is_no_fault_of_the_load(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "occupied").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "occupied"))
    corpus, told = opened(cache)
    assert len(corpus) == 5
    assert told[1].startswith("index: not kept: ")


def test_without_a_home_nothing_is_written(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "user_cache_path", lambda name: Path("~/.cache") / name)
    assert opened(cache)[1] == ["index: none: the user has no cache folder"]
    assert list(tmp_path.iterdir()) == [cache]


def test_a_full_disk_is_no_fault_of_the_load(cache: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    corpus, told = opened(cache)
    assert len(corpus) == 5
    assert "No space left on device" in told[1]
    assert not indexes(home)


def several(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"cache-{number}.jsonl" for number in range(count)]
    for path in paths:
        path.write_bytes(LINE)
    return paths


def aged(home: Path) -> None:
    """Move all indexes a minute into the past, so that later uses are told apart."""
    for index in indexes(home):
        status = index.stat()
        os.utime(index, ns=(status.st_atime_ns, status.st_mtime_ns - 60 * 10**9))


def test_the_index_used_least_recently_goes_first(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 2)
    first, second, third = several(tmp_path, 3)
    for path in (first, second, first, third):
        opened(path)
        aged(home)
    assert len(indexes(home)) == 2
    assert opened(first, not_read)[1] == ["index: found"]
    assert opened(third, not_read)[1] == ["index: found"]
    assert opened(second)[1][0] == "index: none yet"


def test_all_indexes_together_are_bounded(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = several(tmp_path, 6)
    opened(first)
    size = indexes(home)[0].stat().st_size
    monkeypatch.setattr(module, "MOST_BYTES", 3 * size)
    for path in others:
        opened(path)
        assert sum(index.stat().st_size for index in indexes(home)) <= 3 * size
    monkeypatch.setattr(module, "MOST_BYTES", size - 1)
    before = indexes(home)
    touched(first)
    assert "more than the" in opened(first)[1][1]
    assert indexes(home) == before


def test_what_a_killed_writer_left_is_removed_in_its_turn(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 1)
    home.mkdir(parents=True)
    (home / ".bucketplan-0.tmp").touch()
    aged(home)
    opened(several(tmp_path, 1)[0])
    assert [index.suffix for index in indexes(home)] == [".npz"]


def test_many_writers_leave_one_whole_index(cache: Path, home: Path) -> None:
    faults: list[object] = []

    def work() -> None:
        try:
            for _ in range(5):
                assert len(opened(cache)[0]) == 5
        except BaseException as fault:
            faults.append(fault)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert not faults
    assert len(indexes(home)) == 1
    assert opened(cache, not_read)[1] == ["index: found"]
