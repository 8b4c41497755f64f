"""A manifest back from its file: every position is checked, and the first bad one is named."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Fingerprint
from bucketplan.errors import InputError, UserError
from bucketplan.order.manifest import MARK, VERSION, Manifest, fixed_micro_batches
from bucketplan.order.manifest_file import AGAIN, integers, raw_content, shown
from bucketplan.order.permutation import Misplaced, check_epochs
from bucketplan.planning.groups import Groups
from bucketplan.printable import printable
from bucketplan.settings import Value

_MOST = int(np.iinfo(np.int64).max)
_FACTS = {MARK, "tool_version", "records", "fingerprint", "knobs", "cost", "figures", "steps", "from_step"}
_KEYS = _FACTS | {"micro_batch", "cut", "epochs", "micro_batches", "rows", "left_out", "lengths", "consumed", "order"}


def read_manifest(path: str | os.PathLike[str], knobs: Mapping[str, Value] | None = None) -> Manifest:
    """A manifest, or the order that another tool wrote as a plain JSON list of record numbers.

    Args:
        path: a file that `write_manifest` wrote, or such a list.
        knobs: micro_batch, accumulation and world_size of a plain list, which names none.

    Raises:
        InputError: the file cannot be read, is damaged or of another version, or its order is no permutation.
    """
    name, content = os.fspath(path), raw_content(path)
    if isinstance(content, dict):
        return _Reading(name, content).manifest()
    if isinstance(content, list) and content:
        return _plain(name, content, knobs or {})
    raise InputError(name, f"{shown(content)}, neither a manifest nor a list of record numbers", remedy=AGAIN)


class _Reading:
    """The keys of one manifest, each taken as what it must be, or refused by name."""

    def __init__(self, path: str, content: dict[str, Any]) -> None:
        self._path, self._content = path, content

    def manifest(self) -> Manifest:
        """All of it."""
        self._check_version()
        records = self._count("records")
        consumed, remaining = (self._numbers(key, records) for key in ("consumed", "order"))
        order = np.concatenate([consumed, remaining])
        epochs = self._offsets("epochs")
        cut, left_out = (self._lists(key, len(epochs) - 1, records) for key in ("cut", "left_out"))
        self._check_order(order, epochs, cut, left_out, len(consumed))
        rows = Groups(self._offsets("rows", len(order))) if "rows" in self._content else None
        if rows is not None and not np.isin(epochs, rows.offsets).all():
            self._refuse("rows", "an epoch starts inside a row")
        manifest = Manifest(
            records=records,
            order=order,
            epochs=epochs,
            planned=self._planned(epochs if rows is None else np.searchsorted(rows.offsets, epochs)),
            rows=rows,
            cut=cut,
            left_out=left_out,
            lengths=self._lengths(records),
            fingerprint=self._fingerprint(),
            knobs=self._knobs(),
            cost=self._mapping("cost"),
            figures=self._mapping("figures"),
            tool_version=self._tool_version(),
            warnings=self._warnings(),
        )
        return self._resumed(manifest, len(consumed))

    def _check_order(
        self,
        order: NDArray[np.int64],
        epochs: NDArray[np.int64],
        cut: tuple[NDArray[np.int64], ...],
        left_out: tuple[NDArray[np.int64], ...],
        consumed: int,
    ) -> None:
        """Refuse an order that is no permutation, first of all, whatever else does not fit it."""
        ends = np.minimum(epochs, len(order))
        ends[-1] = len(order)
        try:
            check_epochs(order, ends, cut, left_out, self._count("records"))
        except Misplaced as fault:
            self._refuse(*fault.place(consumed))
        if epochs[-1] != len(order):
            self._refuse("epochs", f"does not cut all of the {len(order):,} that it is to cut")

    def _check_version(self) -> None:
        version = self._content.get(MARK)
        if version is None:
            self._refuse(MARK, "missing, so this is no manifest")
        if type(version) is not int or version != VERSION:
            problem = f"version {shown(version)}, and {VERSION} is what is read here"
            self._refuse(MARK, problem, "read it with the version that wrote it, or write it again")

    def _planned(self, epoch_rows: NDArray[np.int64]) -> Groups:
        if "micro_batches" not in self._content:
            return fixed_micro_batches(epoch_rows, self._count("micro_batch"))
        groups = Groups(self._offsets("micro_batches", int(epoch_rows[-1])))
        if not np.isin(epoch_rows, groups.offsets).all():
            self._refuse("micro_batches", "an epoch starts inside a micro-batch")
        return groups

    def _resumed(self, manifest: Manifest, consumed: int) -> Manifest:
        step = self._content.get("from_step", 0)
        try:
            fits = type(step) is int and 0 <= step < manifest.steps and manifest.entries_before(step) == consumed
        except UserError as error:
            raise InputError(self._path, str(error)) from None
        if not fits:
            self._refuse("from_step", f"{shown(step)} is not the step that follows the {consumed:,} records consumed")
        return replace(manifest, from_step=step)

    def _lengths(self, records: int) -> NDArray[np.int32] | None:
        if "lengths" not in self._content:
            return None
        lengths = integers(self._path, "lengths", self._content["lengths"], 0, int(np.iinfo(np.int32).max))
        if len(lengths) != records:
            self._refuse("lengths", f"{len(lengths):,} entries for {records:,} records")
        return lengths.astype(np.int32)

    def _numbers(self, key: str, records: int) -> NDArray[np.int64]:
        if key not in self._content:
            self._refuse(key, "missing")
        return integers(self._path, key, self._content[key], 0, records - 1)

    def _lists(self, key: str, epochs: int, records: int) -> tuple[NDArray[np.int64], ...]:
        """A list of record numbers for each epoch; a single one is that of all."""
        lists = self._content.get(key)
        if not isinstance(lists, list) or len(lists) not in (1, epochs):
            self._refuse(key, "no list for each epoch")
        numbers = tuple(integers(self._path, key, each, 0, records - 1) for each in lists)
        return numbers * epochs if len(numbers) == 1 else numbers

    def _offsets(self, key: str, total: int | None = None) -> NDArray[np.int64]:
        """Where consecutive groups start, from 0, and the total, or any."""
        offsets = integers(self._path, key, self._content.get(key), 0, _MOST)
        if len(offsets) < 2 or offsets[0] != 0:
            self._refuse(key, "does not start with 0 and an end")
        if total is not None and offsets[-1] != total:
            self._refuse(key, f"does not cut all of the {total:,} that it is to cut")
        wrong = np.flatnonzero(np.diff(offsets) < 1)
        if len(wrong):
            self._refuse(key, f"position {int(wrong[0]) + 1}: not above the one before it")
        return offsets

    def _count(self, key: str) -> int:
        value: object = self._content.get(key)
        if type(value) is not int or not 1 <= value <= _MOST:
            self._refuse(key, "missing" if value is None else f"{shown(value)} is no number of 1 and up")
        return value

    def _knobs(self) -> dict[str, Value]:
        knobs = self._mapping("knobs")
        for name in ("accumulation", "world_size"):
            value = knobs.get(name)
            if type(value) is not int or value < 1:
                self._refuse("knobs", f"{name} is no number of 1 and up")
        return knobs

    def _mapping(self, key: str) -> dict[str, Value]:
        value = self._content.get(key, {})
        if not isinstance(value, dict):
            self._refuse(key, f"{shown(value)} is no object")
        for name, each in value.items():
            if not isinstance(each, bool | int | float | str | None):
                self._refuse(key, f"{printable(name, limit=40)} is no number, text or null")
        return value

    def _fingerprint(self) -> Fingerprint | None:
        value = self._content.get("fingerprint")
        if value is None:
            return None
        whole = isinstance(value, dict) and set(value) == {"lengths", "supervised", "roots", "kinds"}
        if not whole or not all(isinstance(each, str | None) for each in value.values()) or value["lengths"] is None:
            self._refuse("fingerprint", "not a SHA-256 for each of lengths, supervised, roots and kinds")
        return Fingerprint(**value)

    def _tool_version(self) -> str | None:
        value = self._content.get("tool_version")
        return None if value is None else printable(str(value), limit=40)

    def _warnings(self) -> tuple[str, ...]:
        unknown = sorted(set(self._content) - _KEYS)
        return tuple(f"{printable(key, limit=40)}: an unknown key, which is ignored" for key in unknown)

    def _refuse(self, key: str, problem: str, remedy: str = AGAIN) -> NoReturn:
        raise InputError(self._path, problem, key=key, remedy=remedy)


def _plain(path: str, values: list[Any], knobs: Mapping[str, Value]) -> Manifest:
    """The manifest of a plain list of record numbers."""
    order = integers(path, "order", values, 0, len(values) - 1)
    epochs, nothing = np.array([0, len(order)]), np.zeros(0, np.int64)
    try:
        check_epochs(order, epochs, (nothing,), (nothing,), len(order))
    except Misplaced as fault:
        key, problem = fault.place(0)
        raise InputError(path, problem, key=key, remedy="give every record number once") from None
    size = knobs.get("micro_batch", 1)
    planned = fixed_micro_batches(epochs, size if isinstance(size, int) else 1)
    return Manifest(len(order), order, epochs, planned, cut=(nothing,), left_out=(nothing,), knobs=knobs)
