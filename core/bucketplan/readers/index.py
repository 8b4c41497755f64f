"""A corpus as a small file: its arrays and names, without the tokens of the cache it came from.

A zip archive of .npy arrays, as `numpy.savez_compressed` writes, and `about.npy`: UTF-8 JSON as bytes.
"""

import json
import zipfile
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus import Categories, Corpus, Skipped
from bucketplan.errors import InputError

_VERSION = 1
_REMEDY = "write the index again from its cache"


def write_index(corpus: Corpus, path: str) -> None:
    """Write a corpus where `read_index` finds it.

    Raises:
        OSError: the file cannot be written.
    """
    about = {
        "bucketplan_index": _VERSION,
        "path": corpus.path,
        "roots": None if corpus.roots is None else corpus.roots.names,
        "kinds": None if corpus.kinds is None else corpus.kinds.names,
        "stored_width": corpus.stored_width,
        "stored_tokens": corpus.stored_tokens,
        "skipped": [asdict(each) for each in corpus.skipped],
        "warnings": corpus.warnings,
    }
    arrays: dict[str, Any] = {
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        "lengths": _narrow(corpus.lengths),
    }
    if corpus.supervised is not None:
        arrays["unsupervised"] = _narrow(corpus.lengths - corpus.supervised)
    if corpus.roots is not None:
        arrays["root_codes"] = _narrow(corpus.roots.codes)
    if corpus.kinds is not None:
        arrays["kind_codes"] = _narrow(corpus.kinds.codes)
    if corpus.numbers is not None:
        arrays["numbers"] = corpus.numbers
    with Path(path).open("wb") as file:
        np.savez_compressed(file, **arrays)


def read_index(path: str) -> Corpus:
    """The corpus of an index file.

    Raises:
        InputError: it is no index, of another version, or damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return _corpus(path, arrays)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, TypeError, OSError) as error:
        raise InputError(path, f"not a whole bucketplan index ({error})", remedy=_REMEDY) from None


def _corpus(path: str, arrays: Any) -> Corpus:
    if "about" not in arrays:
        raise InputError(path, "a zip archive, but not a bucketplan index", remedy="give a cache in JSON Lines")
    about = json.loads(arrays["about"].tobytes())
    if about["bucketplan_index"] != _VERSION:
        raise InputError(path, f"an index of version {about['bucketplan_index']}, not {_VERSION}", remedy=_REMEDY)
    lengths = arrays["lengths"].astype(np.int32)
    if not len(lengths) or int(lengths.min()) < 1:
        raise InputError(path, "no records", remedy=_REMEDY)

    def column(name: str) -> NDArray[np.int32] | None:
        found: NDArray[np.int32] | None = arrays[name].astype(np.int32) if name in arrays else None
        if found is not None and len(found) != len(lengths):
            raise InputError(path, f"{name} has {len(found):,} entries, lengths {len(lengths):,}", remedy=_REMEDY)
        return found

    def categories(names: str, codes: str) -> Categories | None:
        found = column(codes)
        if found is None:
            return None
        if int(found.max()) >= len(about[names]):
            raise InputError(path, f"{codes} names entry {int(found.max())} of {len(about[names])}", remedy=_REMEDY)
        return Categories(found, tuple(about[names]))

    unsupervised = column("unsupervised")
    return Corpus(
        path=path,
        lengths=lengths,
        supervised=None if unsupervised is None else lengths - unsupervised,
        roots=categories("roots", "root_codes"),
        kinds=categories("kinds", "kind_codes"),
        numbers=arrays["numbers"] if "numbers" in arrays else None,
        stored_width=about["stored_width"],
        stored_tokens=about["stored_tokens"],
        skipped=tuple(Skipped(**each) for each in about["skipped"]),
        warnings=tuple(about["warnings"]),
    )


def _narrow(values: NDArray[np.int32]) -> NDArray[Any]:
    """The same values in the narrowest unsigned type: what deflate then makes smallest."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))
