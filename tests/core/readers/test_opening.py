"""Files, pipes and containers: the content decides, all of it is read, and what cannot be read says so."""

import gzip
import io
import os
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from bucketplan.errors import Cancelled, InputError
from bucketplan.readers import load
from bucketplan.readers.jsonl import blocks
from tests.privilege import unprivileged

TEXT = (
    b'{"input_ids":[1],"labels":[1],"dataset_id":"a"}\n'
    b'{"input_ids":[1,2,3],"labels":[-100,2,3],"dataset_id":"b"}\n'
    b'{"input_ids":[4,5],"labels":[4,5],"dataset_id":"a"}\n'
)
LENGTHS = [1, 3, 2]

needs_zstd = pytest.mark.skipif(find_spec("zstandard") is None, reason="zstandard is not installed")


def written(folder: Path, content: bytes, name: str = "cache.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def refusal(path: str | os.PathLike[str], *, skip_bad: bool = False) -> str:
    with pytest.raises(InputError) as caught:
        load(path, skip_bad=skip_bad)
    message = str(caught.value)
    assert message.isprintable()
    return message


def two_members() -> bytes:
    return gzip.compress(TEXT[:50], mtime=0) + gzip.compress(TEXT[50:], mtime=0)


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(TEXT, mtime=0),
        two_members(),
        gzip.compress(TEXT, mtime=0) + gzip.compress(b""),
        gzip.compress(TEXT, mtime=0) + bytes(2_000_000),
        gzip.compress(TEXT[:50], mtime=0) + bytes(7) + gzip.compress(TEXT[50:], mtime=0) + bytes(512),
    ],
    ids=["one member", "cut in a line", "an empty member", "zero padding", "zeros between"],
)
def test_all_of_a_gzip_file_is_read(tmp_path: Path, content: bytes) -> None:
    corpus = load(written(tmp_path, content, "cache.jsonl.gz"))
    assert (corpus.lengths.tolist(), corpus.warnings) == (LENGTHS, ())


@pytest.mark.parametrize("left", [3, 12, 30, -9, -8, -1])
@pytest.mark.parametrize("skip_bad", [False, True])
def test_a_cut_gzip_file_is_truncated(tmp_path: Path, left: int, skip_bad: bool) -> None:
    path = written(tmp_path, gzip.compress(TEXT, mtime=0)[:left])
    assert "truncated" in refusal(path, skip_bad=skip_bad)


def test_a_cut_second_member_is_truncated(tmp_path: Path) -> None:
    assert "truncated" in refusal(written(tmp_path, two_members()[:-20]))


@pytest.mark.parametrize(("byte", "word"), [(-6, "CRC"), (-2, "length"), (3, "")])
def test_a_damaged_gzip_file_is_corrupt(tmp_path: Path, byte: int, word: str) -> None:
    content = bytearray(gzip.compress(TEXT, mtime=0))
    content[byte] ^= 0xFF
    message = refusal(written(tmp_path, bytes(content)))
    assert "corrupt" in message or "truncated" in message
    assert word in message


def test_something_after_gzip_is_corrupt(tmp_path: Path) -> None:
    assert "corrupt gzip" in refusal(written(tmp_path, gzip.compress(TEXT, mtime=0) + TEXT))


def test_compressed_twice_is_refused(tmp_path: Path) -> None:
    assert "gzip inside gzip" in refusal(written(tmp_path, gzip.compress(gzip.compress(TEXT, mtime=0))))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("cache.jsonl", gzip.compress(TEXT, mtime=0), ("content is gzip",)),
        ("cache.jsonl.gz", TEXT, ("content is plain text", "promises gzip")),
        ("cache.jsonl.ZST", TEXT, ("content is plain text", "promises zstd")),
    ],
)
def test_a_name_that_disagrees_is_a_warning(tmp_path: Path, name: str, content: bytes, words: tuple[str, ...]) -> None:
    corpus = load(written(tmp_path, content, name))
    assert corpus.lengths.tolist() == LENGTHS
    assert all(word in corpus.warnings[0] for word in words)


def test_a_name_says_nothing_else(tmp_path: Path) -> None:
    assert load(written(tmp_path, TEXT, "cache.parquet")).lengths.tolist() == LENGTHS


@needs_zstd
def test_all_zstd_frames_are_read(tmp_path: Path) -> None:
    zstandard = import_module("zstandard")
    skippable = b"\x50\x2a\x4d\x18\x05\x00\x00\x00extra"
    frames = [zstandard.compress(TEXT[:50]), skippable, zstandard.compress(TEXT[50:])]
    for content in (b"".join(frames), skippable + b"".join(frames), b"".join(frames) + skippable):
        corpus = load(written(tmp_path, content, "cache.jsonl.zst"))
        assert (corpus.lengths.tolist(), corpus.warnings) == (LENGTHS, ())


@needs_zstd
@pytest.mark.parametrize("left", [4, 9, 30, -1])
def test_a_cut_zstd_file_is_truncated(tmp_path: Path, left: int) -> None:
    zstandard = import_module("zstandard")
    assert "truncated" in refusal(written(tmp_path, zstandard.compress(TEXT)[:left]))


@needs_zstd
def test_a_damaged_zstd_file_is_corrupt(tmp_path: Path) -> None:
    zstandard = import_module("zstandard")
    content = zstandard.ZstdCompressor(write_checksum=True).compress(TEXT)
    assert "corrupt zstd" in refusal(written(tmp_path, content[:-2] + b"\0\0"))
    assert "corrupt zstd" in refusal(written(tmp_path, content + TEXT))


def test_zstd_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    message = refusal(written(tmp_path, b"\x28\xb5\x2f\xfd" + bytes(20)))
    assert "zstd" in message
    assert "pip install 'bucketplan-tui[zstd]'" in message


def test_a_byte_order_mark_is_not_data(tmp_path: Path) -> None:
    assert load(written(tmp_path, b"\xef\xbb\xbf" + TEXT)).lengths.tolist() == LENGTHS
    assert load(written(tmp_path, gzip.compress(b"\xef\xbb\xbf" + TEXT), "c.gz")).lengths.tolist() == LENGTHS
    assert "no records" in refusal(written(tmp_path, b"\xef\xbb\xbf"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_other_encodings_are_named(tmp_path: Path, encoding: str, pack: Callable[[bytes], bytes]) -> None:
    message = refusal(written(tmp_path, pack(TEXT.decode().encode(encoding))))
    assert encoding[:6].upper() in message
    assert "iconv" in message


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"PAR1", "Parquet"),
        (b"ARROW1\0\0", "Arrow"),
        (b"\xff\xff\xff\xff\x00\x01\x00\x00", "Arrow stream"),
        (b"\x93NUMPY\x01\x00", "npy"),
        (b"\x80\x04\x95", "pickle"),
        (b"MMIDIDX\0\0", "Megatron"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"SQLite format 3\0", "SQLite"),
        (b"BZh9", "bunzip2"),
        (b"\xfd7zXZ\0", "unxz"),
    ],
)
def test_other_formats_are_refused_by_name(tmp_path: Path, head: bytes, name: str) -> None:
    assert name in refusal(written(tmp_path, head + bytes(40)))
    assert name in refusal(written(tmp_path, gzip.compress(head + bytes(40))))


def test_a_zip_archive_goes_to_the_index_reader(tmp_path: Path) -> None:
    assert "index" in refusal(written(tmp_path, b"PK\x03\x04" + bytes(60)))


def test_what_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "absent.jsonl")
    assert "directory" in refusal(tmp_path)
    assert "name" in refusal("a\0b")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "symbolic links" in refusal(loop)


def test_a_saved_dataset_is_named(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("{}")
    assert "Hugging Face" in refusal(tmp_path)


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT)
    path.chmod(0)
    with unprivileged():
        said = refusal(path)
    assert "permission denied" in said.lower()


def test_an_unreadable_file_gives_the_reason_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(io, "FileIO", denied)
    assert "Permission denied" in refusal(written(tmp_path, TEXT))


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(written(tmp_path, TEXT))
    assert load(link).lengths.tolist() == LENGTHS


def test_a_hostile_name_is_printable_in_errors_and_kept_in_the_corpus(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT, "ca\x1b[31mche [bold]x[_nope] $(id).jsonl")
    assert load(path).path == str(path)
    path.write_bytes(b"")
    assert "\\x1b[31mche [bold]x" in refusal(path)


@pytest.mark.parametrize("content", [TEXT, two_members()], ids=["plain", "gzip"])
def test_a_fifo_is_read_in_one_pass(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    seen: list[tuple[int, int | None]] = []

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            for byte in content:
                pipe.write(bytes([byte]))

    writer = threading.Thread(target=write)
    writer.start()
    corpus = load(path, progress=lambda done, size: seen.append((done, size)))
    writer.join()
    assert (corpus.lengths.tolist(), corpus.warnings) == (LENGTHS, ())
    assert seen[-1] == (len(content), None)


def test_an_index_does_not_come_through_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(b"PK\x03\x04" + bytes(20)))
    writer.start()
    message = refusal(path)
    writer.join()
    assert "pipe" in message


def test_a_silent_writer_can_be_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    held = os.open(path, os.O_RDWR)  # a writer that never writes
    asked = iter([False, False, True])
    try:
        with pytest.raises(Cancelled):
            load(path, cancelled=lambda: next(asked))
    finally:
        os.close(held)


def test_a_dash_is_standard_input() -> None:
    code = "from bucketplan.readers import load; c = load('-'); print(c.lengths.tolist(), c.path)"
    for content in (TEXT, two_members()):
        ran = subprocess.run([sys.executable, "-c", code], input=content, capture_output=True, check=True)
        assert ran.stdout.decode().strip() == f"{LENGTHS} -"


def test_a_file_redirected_to_standard_input_has_no_name(tmp_path: Path) -> None:
    code = "from bucketplan.readers import load; c = load('-'); print(c.lengths.tolist(), c.warnings)"
    with written(tmp_path, two_members()).open("rb") as file:
        ran = subprocess.run([sys.executable, "-c", code], stdin=file, capture_output=True, check=True)
    assert ran.stdout.decode().strip() == f"{LENGTHS} ()"


def test_standard_input_may_be_replaced_or_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    assert load("-").lengths.tolist() == LENGTHS
    monkeypatch.setattr(sys, "stdin", None)
    assert "closed" in refusal("-")


@pytest.mark.parametrize("pack", [bytes, lambda content: gzip.compress(content, 0)], ids=["plain", "gzip"])
def test_progress_counts_the_bytes_on_disk(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    content = pack(b'{"input_ids":[1],"text":"' + b"x" * 3_000_000 + b'"}\n')
    seen: list[tuple[int, int | None]] = []
    load(written(tmp_path, content), progress=lambda done, size: seen.append((done, size)))
    steps = [done for done, _ in seen]
    assert steps == sorted(steps)
    assert len(steps) >= 3
    assert steps[-1] == len(content)
    assert {size for _, size in seen} == {len(content)}


def test_a_load_stops_between_chunks(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT)
    with pytest.raises(Cancelled):
        load(path, cancelled=lambda: True)
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        load(path, cancelled=lambda: next(asked))
    assert len(load(path, cancelled=lambda: False)) == 3


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("end", [TEXT, b'{"input_ids":[1'], ids=["whole lines", "half a line"])
def test_a_file_that_grows_while_it_is_read_is_an_error(
    tmp_path: Path, pack: Callable[[bytes], bytes], end: bytes
) -> None:
    path = written(tmp_path, pack(TEXT))

    def grow(_: int, __: int | None) -> None:
        with path.open("ab") as file:
            file.write(pack(end))

    with pytest.raises(InputError, match="the file changed while it was read - load it again"):
        load(path, progress=grow)


def test_a_file_that_shrinks_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT)
    with pytest.raises(InputError, match="changed while it was read"):
        load(path, progress=lambda *_: os.truncate(path, 10))


def test_what_expands_without_end_takes_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LINE_LIMIT", 1 << 22)
    packed = gzip.compress(TEXT + bytes(1 << 26))
    tracemalloc.start()
    with pytest.raises(InputError, match=r"cache\.jsonl:4: a line longer than"):
        load(written(tmp_path, packed))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40 << 20


def test_the_thread_that_decompresses_ends_with_the_load(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b"bad\n" + TEXT * 200_000))
    before = threading.active_count()
    refusal(path)
    assert threading.active_count() == before
