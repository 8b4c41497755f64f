"""A file is written whole, or the target stays as it was and nothing is left beside it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from bucketplan.atomic_writing import check_target, write_atomically
from bucketplan.errors import UserError
from tests.privilege import unprivileged

NO_SPACE = OSError(28, "No space left on device")


def writing(content: bytes) -> Callable[[IO[bytes]], object]:
    return lambda file: file.write(content)


def half_written(error: BaseException) -> Callable[[IO[bytes]], object]:
    def write(file: IO[bytes]) -> None:
        file.write(b"half of it")
        raise error

    return write


def refusal(path: str | Path) -> str:
    with pytest.raises(UserError) as caught:
        write_atomically(path, writing(b"new"))
    return str(caught.value)


def test_a_new_file_and_an_old_one_get_the_content(tmp_path: Path) -> None:
    target = tmp_path / "order.txt"
    for content in (b"first", b"second"):
        write_atomically(target, writing(content))
        assert target.read_bytes() == content
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("error", [NO_SPACE, KeyboardInterrupt(), ValueError("a fault of the writer")])
@pytest.mark.parametrize("exists", [True, False])
def test_a_failure_leaves_the_target_as_it_was(tmp_path: Path, error: BaseException, exists: bool) -> None:
    target = tmp_path / "order.txt"
    if exists:
        target.write_bytes(b"old")
    with pytest.raises(UserError if error is NO_SPACE else type(error)):
        write_atomically(target, half_written(error))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([b"old"] if exists else [])


def test_a_full_disk_names_target_and_reason(tmp_path: Path) -> None:
    target = tmp_path / "order\x1b[31m.txt"
    with pytest.raises(UserError) as caught:
        write_atomically(target, half_written(NO_SPACE))
    assert str(caught.value).endswith(
        "order\\x1b[31m.txt: No space left on device - free some space or choose another target"
    )


def test_the_new_content_is_on_disk_before_it_takes_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "order.txt"
    target.write_bytes(b"old")
    synced = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synced.append((os.fstat(descriptor).st_size, target.read_bytes()))
    )
    write_atomically(target, writing(b"longer"))
    assert synced == [(6, b"old")]


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link, target = tmp_path / "link", folder / "order.txt"
    link.symlink_to(target)
    for content in (b"first", b"second"):  # at first the link leads nowhere yet
        write_atomically(link, writing(content))
        assert link.is_symlink()
        assert target.read_bytes() == content
    assert list(folder.iterdir()) == [target]


def test_permissions_stay_and_new_files_have_the_usual_ones(tmp_path: Path) -> None:
    usual, old, new = tmp_path / "usual", tmp_path / "old", tmp_path / "new"
    usual.touch()
    old.touch(mode=0o640)
    for target in (old, new):
        write_atomically(target, writing(b"new"))
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_long_name_is_no_obstacle(tmp_path: Path) -> None:
    target = tmp_path / ("n" * 255)
    write_atomically(target, writing(b"new"))
    assert target.read_bytes() == b"new"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe, loop, file = tmp_path / "pipe", tmp_path / "loop", tmp_path / "file"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    file.touch()
    assert "a directory, not a file" in refusal(tmp_path)
    assert "a device or a pipe, not a file" in refusal(pipe)
    assert "a device or a pipe, not a file" in refusal(os.devnull)
    assert "symbolic links" in refusal(loop)
    assert "its folder does not exist - make the folder first" in refusal(tmp_path / "none" / "order.txt")
    assert "Not a directory" in refusal(file / "order.txt")
    assert "File name too long" in refusal(tmp_path / ("n" * 256))
    assert "null" in refusal("a\0b")
    assert sorted(tmp_path.iterdir()) == [file, loop, pipe]


def test_a_folder_that_takes_no_files_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with unprivileged():
        said = refusal(tmp_path / "order.txt")
    assert "its folder takes no files" in said or "Permission denied" in said
    tmp_path.chmod(0o700)


def test_a_target_can_be_checked_before_long_work(tmp_path: Path) -> None:
    assert check_target(tmp_path / "order.txt") == tmp_path / "order.txt"
    assert not list(tmp_path.iterdir())
    with pytest.raises(UserError, match="does not exist"):
        check_target(tmp_path / "none" / "order.txt")
