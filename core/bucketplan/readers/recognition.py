"""What a file is, by its first bytes and never by its name."""

from dataclasses import dataclass

HEAD = 16
"""First bytes that are enough to recognise any of these formats."""

PLAIN, GZIP, ZSTD, INDEX = "plain text", "gzip", "zstd", "index"

_TO_JSONL = "convert it to JSONL, one record per line"
_NOT_UNPICKLED = "it can run code when it is loaded, so write JSONL where it was made"


@dataclass(frozen=True)
class Unreadable:
    """A format that is recognised, and not read.

    Attributes:
        problem: what the file is.
        remedy: how to make a cache of it.
    """

    problem: str
    remedy: str


def _refused(name: str, remedy: str = _TO_JSONL) -> Unreadable:
    return Unreadable(f"{name}, which is not read", remedy)


def _encoded(name: str, codec: str) -> Unreadable:
    return Unreadable(f"the encoding is {name}, not UTF-8", f"convert it: iconv -f {codec} -t UTF-8")


_MAGIC: tuple[tuple[bytes, str | Unreadable], ...] = (
    (b"\x1f\x8b", GZIP),
    (b"\x28\xb5\x2f\xfd", ZSTD),
    *((bytes([0x50 + n]) + b"\x2a\x4d\x18", ZSTD) for n in range(16)),  # a skippable frame
    (b"PK\x03\x04", INDEX),
    (b"PAR1", _refused("a Parquet file")),
    (b"PARE", _refused("an encrypted Parquet file")),
    (b"ARROW1", _refused("an Arrow file")),
    (b"FEA1", _refused("a Feather file")),
    (b"\xff\xff\xff\xff", _refused("an Arrow stream, as saved Hugging Face datasets hold,")),
    (b"\x93NUMPY", _refused("a NumPy .npy file")),
    (b"\x89HDF\r\n\x1a\n", _refused("an HDF5 file")),
    (b"MMIDIDX\x00\x00", _refused("a Megatron index")),
    (b"SQLite format 3\x00", _refused("an SQLite database")),
    (b"Obj\x01", _refused("an Avro file")),
    (b"GGUF", _refused("a GGUF model")),
    (b"%PDF", _refused("a PDF")),
    (b"PK\x05\x06", _refused("an empty zip archive")),
    (b"BZh", _refused("a bzip2 file", "decompress it first: bunzip2")),
    (b"\xfd7zXZ\x00", _refused("an xz file", "decompress it first: unxz")),
    (b"\x04\x22\x4d\x18", _refused("an lz4 file", "decompress it first: unlz4")),
    *((bytes([0x80, n]), _refused("a Python pickle", _NOT_UNPICKLED)) for n in range(2, 6)),
    (b"\xff\xfe\x00\x00", _encoded("UTF-32", "UTF-32")),
    (b"\x00\x00\xfe\xff", _encoded("UTF-32", "UTF-32")),
    (b"\xff\xfe", _encoded("UTF-16", "UTF-16")),
    (b"\xfe\xff", _encoded("UTF-16", "UTF-16")),
    (b"{\x00\x00\x00", _encoded("UTF-32", "UTF-32LE")),
    (b"\x00\x00\x00{", _encoded("UTF-32", "UTF-32BE")),
    (b"{\x00", _encoded("UTF-16", "UTF-16LE")),
    (b"\x00{", _encoded("UTF-16", "UTF-16BE")),
)


def recognise(head: bytes) -> str | Unreadable:
    """PLAIN, GZIP, ZSTD or INDEX, or what else a file is that starts like this."""
    return next((found for magic, found in _MAGIC if head.startswith(magic)), PLAIN)


def named_like(name: str) -> str:
    """The container that a file name promises: GZIP, ZSTD or PLAIN."""
    ending = name.lower().rpartition(".")[2]
    return {"gz": GZIP, "gzip": GZIP, "zst": ZSTD, "zstd": ZSTD}.get(ending, PLAIN)
