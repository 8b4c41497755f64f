"""A manifest as a file: JSON, or for a name that ends in `.npz` a NumPy archive of the same arrays."""

import json
import os
from dataclasses import asdict
from typing import IO, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from bucketplan.atomic_writing import write_atomically
from bucketplan.order.manifest import MARK, VERSION, Manifest, fixed_micro_batches

ARCHIVE = ".npz"


def write_manifest(manifest: Manifest, path: str | os.PathLike[str]) -> None:
    """Write a manifest; what stood there is replaced as a whole or not at all.

    Raises:
        UserError: the target cannot be written.
    """
    write = _write_archive if os.fspath(path).endswith(ARCHIVE) else _write_json
    facts, arrays = _facts(manifest), _arrays(manifest)
    write_atomically(path, lambda file: write(file, facts, arrays))


def _facts(manifest: Manifest) -> dict[str, Any]:
    """Everything but the long arrays."""
    return {
        MARK: VERSION,
        "tool_version": manifest.tool_version,
        "records": manifest.records,
        "fingerprint": None if manifest.fingerprint is None else asdict(manifest.fingerprint),
        "knobs": dict(manifest.knobs),
        "cost": dict(manifest.cost),
        "figures": dict(manifest.figures),
        "steps": manifest.steps,
        "from_step": manifest.from_step,
        "micro_batch": _fixed_size(manifest),
        "cut": [part.tolist() for part in manifest.cut],
        "left_out": _once([part.tolist() for part in manifest.left_out]),
    }


def _arrays(manifest: Manifest) -> dict[str, NDArray[Any]]:
    """The long arrays by name, those alone that the manifest has."""
    consumed = manifest.entries_before(manifest.from_step)
    arrays: dict[str, NDArray[Any] | None] = {
        "epochs": manifest.epochs,
        "micro_batches": manifest.planned.offsets if _fixed_size(manifest) is None else None,
        "rows": None if manifest.rows is None else manifest.rows.offsets,
        "lengths": manifest.lengths,
        "consumed": manifest.order[:consumed],
        "order": manifest.order[consumed:],
    }
    return {name: np.ascontiguousarray(values) for name, values in arrays.items() if values is not None}


def _once(parts: list[list[int]]) -> list[list[int]]:
    """The first part alone where all are alike."""
    return parts[:1] if all(part == parts[0] for part in parts) else parts


def _fixed_size(manifest: Manifest) -> int | None:
    """The micro-batch that every epoch is cut into from its start, or None where sizes vary otherwise."""
    size = int(manifest.planned.sizes[0])
    fixed = fixed_micro_batches(manifest.epoch_rows, size)
    return size if np.array_equal(fixed.offsets, manifest.planned.offsets) else None


def _write_json(file: IO[bytes], facts: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """A key a line, so that the head of a long file can be read."""
    texts = {key: json.dumps(value, allow_nan=False).encode() for key, value in facts.items()}
    texts |= {key: orjson.dumps(values, option=orjson.OPT_SERIALIZE_NUMPY) for key, values in arrays.items()}
    file.write(b"{\n" + b",\n".join(b'"%b": %b' % (key.encode(), text) for key, text in texts.items()) + b"\n}\n")


def _write_archive(file: IO[bytes], facts: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    text = json.dumps(facts, allow_nan=False).encode()
    entries: dict[str, Any] = {"facts": np.frombuffer(text, np.uint8), **arrays}
    np.savez(file, **entries)
