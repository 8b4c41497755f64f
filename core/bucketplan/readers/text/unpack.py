"""Decompression of a stream of chunks. What is cut or damaged is an error, never a shorter stream."""

import re
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bucketplan.errors import InputError

_OUTPUT = 1 << 20
_GZIP_WINDOW = 31
_ERROR_NUMBER = re.compile(r"^Error -\d+ (while decompressing data: )?")

# A zstd block of 4 bytes can stand for 128 KiB, so that this much input makes 128 MiB at most.
_ZSTD_INPUT = 1 << 12


def gunzip(path: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The content of all gzip members, in chunks of 1 MiB at most; zeros may follow a member.

    Raises:
        InputError: the stream is truncated, fails its check sum or is no gzip.
    """
    library = _gzip_library()
    member = library.decompressobj(_GZIP_WINDOW)
    for chunk in chunks:
        rest = chunk
        while rest:
            if member.eof:
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                member = library.decompressobj(_GZIP_WINDOW)
            try:
                yield member.decompress(rest, _OUTPUT)
            except library.error as error:
                raise InputError(path, _gzip_problem(error), remedy="fetch or write the file again") from None
            rest = member.unused_data if member.eof else member.unconsumed_tail
    if not member.eof:
        raise _truncated(path, "gzip")


def unzstd(path: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The content of all zstd frames; skippable frames are skipped.

    Raises:
        InputError: the stream is truncated or damaged, or the package `zstandard` is missing.
    """
    try:
        zstandard = import_module("zstandard")
    except ImportError:
        remedy = "pip install 'bucketplan-tui[zstd]'"
        raise InputError(path, "compressed with zstd, which needs the package zstandard", remedy=remedy) from None
    decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    frame = None
    for chunk in chunks:
        for start in range(0, len(chunk), _ZSTD_INPUT):
            rest = chunk[start : start + _ZSTD_INPUT]
            while rest:
                frame = frame or decompressor.decompressobj()
                try:
                    yield frame.decompress(rest)
                except zstandard.ZstdError as error:
                    problem = f"corrupt zstd data: {error}"
                    raise InputError(path, problem, remedy="fetch or write the file again") from None
                rest = frame.unused_data if frame.eof else b""
                if frame.eof:
                    frame = None
    if frame is not None:
        raise _truncated(path, "zstd")


def _gzip_library() -> Any:
    """ISA-L, some three times as fast, where it is installed; else zlib."""
    try:
        return import_module("isal.isal_zlib")
    except ImportError:
        return zlib


def _gzip_problem(error: Exception) -> str:
    what = _ERROR_NUMBER.sub("", str(error))
    meaning = {
        "incorrect data check": "the CRC does not match the content",
        "incorrect length check": "the length does not match the content",
        "incorrect header check": "a member does not start as gzip does",
        "Incorrect checksum found": "the CRC or the length does not match the content",
        "Invalid gzip/zlib wrapper found": "a member does not start as gzip does",
    }
    return f"corrupt gzip data: {meaning.get(what, what)}"


def _truncated(path: str, container: str) -> InputError:
    return InputError(path, f"truncated: the {container} data ends in the middle", remedy="fetch or write it again")
