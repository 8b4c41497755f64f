"""Caches on disk become a corpus: the only code that knows bytes, keys and compression."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bucketplan.readers.keys import Keys
    from bucketplan.readers.opening import load

__all__ = ["Keys", "load"]

# Imported when first asked for: an index, and a process that takes part in a load, need but a few of these modules.
_HOMES = {"Keys": "bucketplan.readers.keys", "load": "bucketplan.readers.opening"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bucketplan.readers' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
