"""A corpus as a small file: its arrays and names, without the tokens of the cache it came from.

A zip archive of one-dimensional .npy arrays, as `numpy.savez` writes them, and `about.npy`: JSON as bytes of UTF-8,
which names the arrays that belong to it. Names may hold lone surrogates, so they are encoded as they stand.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories, Corpus, Skipped
from bucketplan.corpus.spans import Spans
from bucketplan.errors import InputError
from bucketplan.printable import printable

_VERSION = 1
_REMEDY = "write the index again from its cache"
_INT32, _INT64 = (int(np.iinfo(kind).max) for kind in (np.int32, np.int64))

# What a file may unpack to. Columns that vary deflate by far less than this ratio; the rest is for columns that do not.
_MOST_BYTES, _MOST_RATIO = 64 << 20, 100


def write_index(corpus: Corpus, file: IO[bytes], *, compressed: bool = True) -> None:
    """Write a corpus as an index.

    Args:
        corpus: what to write; its path is not kept.
        file: where to, open for binary writing.
        compressed: smaller, in place of faster to read.

    Raises:
        OSError: the file cannot be written.
    """
    spans = corpus.supervised_spans
    columns = {
        "lengths": corpus.lengths,
        "supervised": corpus.supervised,
        "root_codes": None if corpus.roots is None else corpus.roots.codes,
        "kind_codes": None if corpus.kinds is None else corpus.kinds.codes,
        "numbers": corpus.numbers,
        "span_counts": None if spans is None else np.diff(spans.offsets),
        "span_starts": None if spans is None else spans.starts,
        "span_ends": None if spans is None else spans.ends,
    }
    arrays: dict[str, Any] = {name: _narrow(values) for name, values in columns.items() if values is not None}
    about = {
        "bucketplan_index": _VERSION,
        "columns": list(arrays),
        "roots": None if corpus.roots is None else corpus.roots.names,
        "kinds": None if corpus.kinds is None else corpus.kinds.names,
        "stored_width": corpus.stored_width,
        "stored_tokens": corpus.stored_tokens,
        "skipped": [[each.line, each.reason] for each in corpus.skipped],
        "warnings": corpus.warnings,
    }
    text = json.dumps(about, ensure_ascii=False).encode("utf-8", "surrogatepass")
    (np.savez_compressed if compressed else np.savez)(file, about=np.frombuffer(text, np.uint8), **arrays)


def read_index(path: str) -> Corpus:
    """The corpus of an index file.

    Raises:
        InputError: it is no index, of another version, or damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _corpus(path, archive)
    except InputError:
        raise
    except Exception as error:  # zipfile, zlib, json and numpy raise a dozen kinds for a damaged file
        raise InputError(path, f"not a whole bucketplan index ({error})", remedy=_REMEDY) from None


def _corpus(path: str, archive: zipfile.ZipFile) -> Corpus:
    """As `read_index`; a ValueError, or what the archive raises, where it is damaged."""
    members = sorted(archive.namelist())
    if "about.npy" not in members:
        raise InputError(path, "a zip archive, but not a bucketplan index", remedy="give a cache in JSON Lines")
    _check_sizes(path, archive)
    about = _about(archive)
    version = about.get("bucketplan_index")
    if type(version) is not int or version != _VERSION:
        raise InputError(path, f"an index of version {version}, not {_VERSION}", remedy=_REMEDY)
    columns = _texts(about, "columns")
    if members != sorted(f"{name}.npy" for name in ("about", *columns)):
        raise ValueError("it holds other arrays than it says")

    lengths = _integers(archive, "lengths", 1, _INT32).astype(np.int32)
    if not len(lengths):
        raise ValueError("no records")

    def column(name: str, most: int) -> NDArray[Any]:
        values = _integers(archive, name, 0, most)
        if len(values) != len(lengths):
            raise ValueError(f"{name} has {len(values):,} entries, lengths {len(lengths):,}")
        return values

    def categories(key: str, name: str) -> Categories | None:
        if (about.get(key) is None) != (name not in columns):
            raise ValueError(f"{key} without {name}, or {name} without {key}")
        if name not in columns:
            return None
        names = _texts(about, key)
        return Categories(column(name, len(names) - 1).astype(np.int32), names)

    supervised = column("supervised", _INT32).astype(np.int32) if "supervised" in columns else None
    numbers = column("numbers", _INT64).astype(np.int64) if "numbers" in columns else None
    if numbers is not None and (np.diff(numbers) < 1).any() and len(np.unique(numbers)) < len(numbers):
        raise ValueError("numbers holds one twice")
    spans = _spans(archive, column("span_counts", _INT32)) if "span_counts" in columns else None
    width, tokens = _count(about, "stored_width"), _count(about, "stored_tokens")
    if (width is None) != (tokens is None):
        raise ValueError("one of stored_width and stored_tokens without the other")
    return Corpus(
        path=path,
        lengths=lengths,
        supervised=supervised,
        roots=categories("roots", "root_codes"),
        kinds=categories("kinds", "kind_codes"),
        supervised_spans=spans,
        numbers=numbers,
        stored_width=width,
        stored_tokens=tokens,
        skipped=_skipped(about),
        warnings=tuple(map(printable, _texts(about, "warnings", distinct=False))),
    )


def _check_sizes(path: str, archive: zipfile.ZipFile) -> None:
    """Refuse what would unpack to far more than an index can hold, before it is unpacked."""
    packed, unpacked = Path(path).stat().st_size, sum(each.file_size for each in archive.infolist())
    if unpacked > _MOST_BYTES + _MOST_RATIO * packed:
        raise ValueError(f"{packed:,} bytes that unpack to {unpacked:,}")
    if any(each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for each in archive.infolist()):
        raise ValueError("compressed in a way that no index is")


def _spans(archive: zipfile.ZipFile, counts: NDArray[Any]) -> Spans:
    offsets = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    starts, ends = (_integers(archive, name, 0, _INT32).astype(np.int32) for name in ("span_starts", "span_ends"))
    if not len(starts) == len(ends) == offsets[-1] or (starts >= ends).any():
        raise ValueError("span_starts and span_ends are no runs of tokens")
    return Spans(offsets, starts, ends)


def _about(archive: zipfile.ZipFile) -> dict[str, Any]:
    about = json.loads(_array(archive, "about").tobytes().decode("utf-8", "surrogatepass"))
    if not isinstance(about, dict):
        raise ValueError("about is no object")
    return about


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """An array; `archive.read` has then compared its checksum."""
    content = archive.read(f"{name}.npy")
    stream = io.BytesIO(content)
    np.lib.format.read_magic(stream)
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    values = np.frombuffer(content, dtype, offset=stream.tell())
    if shape != values.shape or dtype.kind not in "iu":
        raise ValueError(f"{name} is no plain array of integers")
    return values


def _integers(archive: zipfile.ZipFile, name: str, least: int, most: int) -> NDArray[Any]:
    values = _array(archive, name)
    if len(values) and not (least <= int(values.min()) and int(values.max()) <= most):
        raise ValueError(f"{name} holds {int(values.min())} .. {int(values.max())}, not {least} .. {most}")
    return values


def _texts(about: Mapping[str, Any], key: str, *, distinct: bool = True) -> tuple[str, ...]:
    texts = about.get(key)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{key} is no list of texts")
    if distinct and len(set(texts)) < len(texts):
        raise ValueError(f"{key} holds one twice")
    return tuple(texts)


def _count(about: Mapping[str, Any], key: str) -> int | None:
    value = about.get(key)
    if value is not None and (type(value) is not int or value < 1):
        raise ValueError(f"{key} is no count")
    return value


def _skipped(about: Mapping[str, Any]) -> tuple[Skipped, ...]:
    entries = about.get("skipped")
    if not isinstance(entries, list):
        raise ValueError("skipped is no list")
    skipped = tuple(Skipped(line, printable(reason)) for line, reason in entries)
    if not all(type(each.line) is int and each.line > 0 for each in skipped):
        raise ValueError("skipped holds what is no line")
    return skipped


def _narrow(values: NDArray[np.int32] | NDArray[np.int64]) -> NDArray[Any]:
    """The same values in the narrowest unsigned type: what deflate then makes smallest."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))
