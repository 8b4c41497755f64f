"""Whether a manifest belongs to a cache, says what the cache gives, and was followed."""

import math
from collections.abc import Iterable
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Corpus, Fingerprint
from bucketplan.errors import UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.figures.steps import Steps
from bucketplan.order.making import dataset_lengths
from bucketplan.order.manifest import Manifest
from bucketplan.order.manifest_strategy import cost_of, knobs_of, run_plan
from bucketplan.printable import printable
from bucketplan.selection.selection import select
from bucketplan.settings import Value

_TOLERANCE = 1e-9
_COPY_AGAIN = "write it again with bucketplan order --rewrite"


def verify(manifest: Manifest, corpus: Corpus) -> tuple[str, ...]:
    """Compare a manifest, whose order is known to be a permutation, with a cache.

    Returns:
        What was compared and found alike, or could not be, each a line.

    Raises:
        UserError: the first difference.
    """
    check_cache(manifest, corpus)
    found = [_records_line(manifest)]
    if manifest.fingerprint is None:
        found.append("fingerprint: none, as another tool made this order; the record count fits")
    else:
        found.append("fingerprint: that of the cache")
    report = Explorer(corpus).report(knobs_of(manifest), cost_of(manifest))
    if not manifest.figures:
        return (*found, "figures: none to compare")
    if manifest.planned.size is None and any(map(len, manifest.cut)):
        return (*found, "figures: not compared, since micro-batches vary and some are cut")
    known = sorted(set(manifest.figures) & set(report.metrics))
    for name in known:
        said, is_now = manifest.figures[name], report.metrics[name]
        if not _alike(said, is_now):
            problem = f"figures: {printable(name)} is {is_now} in this order, and the manifest says {said}"
            raise UserError(f"{problem} - write it again with bucketplan order")
    return (*found, f"figures: all {len(known)} computed again, and alike")


def check_cache(manifest: Manifest, corpus: Corpus) -> None:
    """Whether an order was made for this cache.

    Raises:
        UserError: the record count, the fingerprint or the lengths differ.
    """
    lengths = dataset_lengths(corpus)
    remedy = "name the cache it was made for, or plan this one"
    if manifest.records != len(lengths):
        problem = f"made for another cache: {manifest.records:,} records, and this one has {len(lengths):,}"
        raise UserError(f"{problem} - {remedy}")
    if manifest.fingerprint is not None and not manifest.fingerprint.matches(corpus.fingerprint):
        columns = ", ".join(_differing(manifest.fingerprint, corpus.fingerprint))
        raise UserError(f"made for another cache: the fingerprint does not match in {columns} - {remedy}")
    if manifest.lengths is not None and not np.array_equal(manifest.lengths, lengths):
        number = int(np.argmax(manifest.lengths != lengths))
        problem = f"lengths: record {number:,} has {lengths[number]:,} tokens, and not {manifest.lengths[number]:,}"
        raise UserError(f"{problem} - {remedy}")


def verify_copy(manifest: Manifest, copy: Corpus) -> str:
    """Compare a reordered copy of the cache with the order it was made from; a line that says what was found.

    Raises:
        UserError: it has another number of records, or one of another length than the order says.
    """
    order = manifest.remaining
    if len(copy) != len(order):
        raise UserError(f"copy: {len(copy):,} records, and the order has {len(order):,} - {_COPY_AGAIN}")
    if manifest.lengths is None:
        return f"copy: {len(order):,} records"
    differs = copy.lengths != manifest.lengths[order]
    if differs.any():
        place = int(np.argmax(differs))
        problem = f"copy: record {place:,} has {copy.lengths[place]:,} tokens, and the order"
        raise UserError(f"{problem} has {manifest.lengths[order[place]]:,} there - {_COPY_AGAIN}")
    return f"copy: {len(order):,} records, of the lengths of the order"


def verify_settings(manifest: Manifest, settings: Iterable[tuple[str, Value, str]]) -> str:
    """Compare a trainer's settings with the plan's; a line that says what was found.

    Args:
        manifest: the plan.
        settings: (knob, value, key in the trainer's file), as `knobs_from_config` gives them.

    Raises:
        UserError: one of them would run another plan.
    """
    planned = {
        "micro_batch": manifest.micro_batches.size,
        "accumulation": manifest.accumulation,
        "epochs": 1,
        "steps": manifest.knobs.get("steps"),
        "seed": None,
    }
    compared = []
    for knob, value, key in settings:
        expected = planned.get(knob)
        if expected is not None and value != expected:
            raise UserError(
                f"{printable(key)}: {value} in the trainer's file, and the plan needs {expected} - set it so"
            )
        if knob == "max_length" and manifest.lengths is not None and isinstance(value, int):
            _check_limit(manifest, key, value)
        compared += [key] if expected is not None or knob == "max_length" else []
    return f"settings: {', '.join(map(printable, compared)) or 'none'} as planned"


def _check_limit(manifest: Manifest, key: str, most: int) -> None:
    """Refuse a limit that would cut or drop records that the plan has longer."""
    assert manifest.lengths is not None
    longest = int(manifest.lengths[manifest.order].max())
    if manifest.knobs.get("over_max") == "truncate" and isinstance(limit := manifest.knobs.get("max_length"), int):
        longest = min(longest, limit)
    if most < longest:
        problem = f"{printable(key)}: {most:,} tokens, and the plan has records of {longest:,}"
        raise UserError(f"{problem} - raise it, or plan with --max-length {most}")


def step_seconds(manifest: Manifest, corpus: Corpus) -> NDArray[np.float64]:
    """(steps,): what the cost model predicts for each step of the whole run, all epochs."""
    knobs = replace(knobs_of(manifest), drop_last=False)

    def elapsed(epoch: int) -> NDArray[np.float64]:
        selection = select(corpus, replace(knobs, seed=knobs.seed + epoch))
        micro = MicroBatches(run_plan(manifest, epoch, selection), knobs, cost_of(manifest))
        return Steps(micro, knobs).elapsed

    return np.concatenate([elapsed(epoch) for epoch in range(len(manifest.epochs) - 1)])


def _records_line(manifest: Manifest) -> str:
    epochs = len(manifest.epochs) - 1
    cut, left_out = (sum(map(len, each)) for each in (manifest.cut, manifest.left_out))
    told = f"order: {manifest.records:,} records, each once in each of {epochs:,} epochs"
    if epochs == 1:
        told = f"order: {manifest.records:,} records, each once"
    told += f", {left_out:,} left out" if left_out else ""
    return told + (f", {cut:,} cut to make whole windows" if cut else "")


def _differing(mine: Fingerprint, other: Fingerprint) -> list[str]:
    pairs = [(each.name, getattr(mine, each.name), getattr(other, each.name)) for each in fields(Fingerprint)]
    return [name for name, one, two in pairs if one is not None and two is not None and one != two]


def _alike(said: object, computed: object) -> bool:
    if isinstance(said, int | float) and isinstance(computed, int | float):
        return math.isclose(said, computed, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    return said == computed
