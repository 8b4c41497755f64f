"""`bucketplan index` writes what a cache says of its records, and never over what matters."""

from pathlib import Path

import pytest

from bucketplan.errors import UserError
from bucketplan.readers import load
from bucketplan_tui.commands.index import run

LINE = b'{"input_ids":[1,2,3],"labels":[1,2,3],"dataset_id":"a"}\n'


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    path = tmp_path / "cache.jsonl"
    path.write_bytes(LINE * 5)
    return path


def test_the_index_opens_like_its_cache(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "cache.npz"
    assert run([str(cache), "-o", str(target)]) == 0
    assert load(target).fingerprint == load(cache).fingerprint
    assert capsys.readouterr().out == f"wrote {target}: 5 records, {target.stat().st_size:,} bytes\n"


def test_the_demo_corpus_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / "demo.npz"
    assert run(["--demo", "-o", str(target)]) == 0
    assert len(load(target)) == 45_444


def test_skipped_records_stay_known(cache: Path, tmp_path: Path) -> None:
    cache.write_bytes(LINE + b"no record\n" + LINE)
    target = tmp_path / "cache.npz"
    run([str(cache), "--skip-bad", "--output", str(target)])
    assert [each.line for each in load(target).skipped] == [2]


def test_an_existing_file_is_replaced_only_by_force(cache: Path, tmp_path: Path) -> None:
    target = tmp_path / "cache.npz"
    target.write_bytes(b"precious")
    with pytest.raises(UserError, match="exists already - choose another target, or replace it with --force"):
        run([str(cache), "-o", str(target)])
    assert target.read_bytes() == b"precious"
    run([str(cache), "-o", str(target), "--force"])
    assert len(load(target)) == 5


@pytest.mark.parametrize("link", ["the same name", "a symbolic link", "a hard link"])
def test_the_cache_itself_is_never_replaced(cache: Path, tmp_path: Path, link: str) -> None:
    target = cache if link == "the same name" else tmp_path / "link"
    if link == "a symbolic link":
        target.symlink_to(cache)
    elif link == "a hard link":
        target.hardlink_to(cache)
    with pytest.raises(UserError, match="this is what is read"):
        run([str(cache), "-o", str(target), "--force"])
    assert cache.read_bytes() == LINE * 5


def test_a_target_that_cannot_be_written_is_refused_before_the_cache_is_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="its folder does not exist"):
        run([str(tmp_path / "none.jsonl"), "-o", str(tmp_path / "none" / "cache.npz")])


def test_a_cache_that_cannot_be_read_leaves_no_file(cache: Path, tmp_path: Path) -> None:
    cache.write_bytes(LINE + b"no record\n")
    with pytest.raises(UserError):
        run([str(cache), "-o", str(tmp_path / "cache.npz")])
    assert list(tmp_path.iterdir()) == [cache]


def test_a_target_must_be_named(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run([str(cache)])
    assert caught.value.code == 2
    assert "--output" in capsys.readouterr().err
