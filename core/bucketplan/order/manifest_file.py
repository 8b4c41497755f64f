"""A manifest's file as keys and values, before anything is believed of them."""

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.errors import InputError
from bucketplan.printable import printable

AGAIN = "write it again with bucketplan order"
_ZIP = b"PK\x03\x04"


def raw_content(path: str | os.PathLike[str]) -> Any:
    """What the JSON or the NumPy archive of a file holds; arrays of an archive stand beside its other keys.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    name = os.fspath(path)
    try:
        content = Path(name).read_bytes()
    except OSError as error:
        raise InputError(name, error.strerror or str(error), remedy="check the path") from None
    except ValueError:
        raise InputError(name, "no file can have this name", remedy="check the path") from None
    return _archive(name, content) if content.startswith(_ZIP) else _json(name, content)


def integers(path: str, key: str, values: Any, least: int, most: int) -> NDArray[np.int64]:
    """An array of integers in a range.

    Raises:
        InputError: it holds something else; the first such position is named.
    """
    if isinstance(values, np.ndarray):
        if values.ndim != 1 or values.dtype.kind not in "iu":
            raise InputError(path, "no plain array of integers", key=key, remedy=AGAIN)
    elif not isinstance(values, list):
        raise InputError(path, f"{shown(values)} is no list", key=key, remedy=AGAIN)
    elif not set(map(type, values)) <= {int}:
        at = next(place for place, value in enumerate(values) if type(value) is not int)
        raise InputError(path, f"position {at}: {shown(values[at])} is no integer", key=key, remedy=AGAIN)
    if len(values) and not (least <= min(values) and max(values) <= most):
        at = next(place for place, value in enumerate(values) if not least <= value <= most)
        problem = f"position {at}: {shown(values[at])} is not in {least} .. {most}"
        raise InputError(path, problem, key=key, remedy=AGAIN)
    return np.asarray(values, np.int64)


def shown(value: object) -> str:
    """A value of JSON as it was written, or the kind of a long one."""
    if isinstance(value, list | dict):
        return {list: "a list", dict: "an object"}[type(value)]
    return printable(json.dumps(value) if isinstance(value, str | bool | float | None) else str(value), limit=40)


def _json(path: str, content: bytes) -> Any:
    try:
        return json.loads(content, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise InputError(path, f"not UTF-8 at byte {error.start + 1}", remedy=AGAIN) from None
    except json.JSONDecodeError as error:
        problem = f"not whole JSON at column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
        raise InputError(path, problem, line=error.lineno, remedy=AGAIN) from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not the JSON of a manifest ({error})", remedy=AGAIN) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {printable(again, limit=40)} stands twice")
    return found


def _archive(path: str, content: bytes) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # No member of a manifest is compressed, and one that is could unpack to any size.
            if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
                raise ValueError("its arrays are compressed")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive_arrays:
            found: dict[str, Any] = {name: archive_arrays[name] for name in archive_arrays.files}
        facts = json.loads(found.pop("facts").tobytes())
        return {**facts, **found}
    except Exception as error:  # zipfile, json and numpy raise a dozen kinds for a damaged file
        raise InputError(path, f"not a whole archive of a manifest ({error})", remedy=AGAIN) from None
