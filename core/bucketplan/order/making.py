"""From knobs to a manifest: the plan of every epoch of the run."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.model import CostModel
from bucketplan.errors import UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.order.manifest import Manifest
from bucketplan.order.whole_windows import can_be_whole, whole_part
from bucketplan.planning.groups import Groups
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.plan import Plan
from bucketplan.planning.scenario import Scenario
from bucketplan.settings import values_of
from bucketplan.version import __version__

# Entries of the order of a whole run; more would not fit the memory of the machines that train.
_MOST_ENTRIES = 1 << 28


def manifest_of(
    explorer: Explorer,
    knobs: Knobs,
    cost: CostModel | None = None,
    *,
    whole_windows: bool = False,
    from_step: int = 0,
    cancelled: Callable[[], bool] | None = None,
) -> Manifest:
    """The manifest of a plan over all its epochs; epoch e is planned with seed + e.

    Args:
        explorer: of the corpus.
        knobs: what to plan with; a fixed number of steps becomes so many epochs as hold them.
        cost: what to predict seconds with; the default model if None.
        whole_windows: cut each epoch to whole windows of whole micro-batches, for trainers that take a plain sampler.
            Otherwise an epoch is cut only where its records are too few to be shared out.
        from_step: where a resumed run goes on.
        cancelled: asked now and then whether the result is no longer wanted.

    Raises:
        UserError: an epoch has no whole window, the run is too long to list, or it has no such step.
        KnobError: the knobs leave no record, or a seed is beyond its range.
        Cancelled: `cancelled` said so.
    """
    report = explorer.report(knobs, cost, cancelled)
    epochs = _epochs(report.plan, knobs, whole_windows)
    if epochs * len(report.plan.order) > _MOST_ENTRIES:
        raise UserError(f"epochs: {epochs:,} of {len(report.plan.order):,} records are too many to list - give fewer")
    lengths = dataset_lengths(explorer.corpus)
    plans = explorer.whole_run(replace(knobs, epochs=epochs, steps=None), cost, cancelled)
    taken = [
        _taken(plan, knobs, len(lengths), whole_windows=whole_windows, last=epoch == epochs - 1)
        for epoch, plan in enumerate(plans)
    ]
    manifest = Manifest(
        records=len(lengths),
        order=np.concatenate([each.order for each in taken]),
        epochs=_offsets([np.array([len(each.order)]) for each in taken]),
        planned=_joined([each.micro_batches for each in taken]),
        rows=None if report.plan.rows is None else _joined([each.rows for each in taken]),
        cut=tuple(each.cut for each in taken),
        left_out=tuple(each.left_out for each in taken),
        lengths=lengths,
        fingerprint=explorer.corpus.fingerprint,
        knobs=Scenario(knobs, report.cost).plan_values,
        cost=values_of(report.cost),
        figures=dict(report.metrics),
        tool_version=__version__,
    )
    if not 0 <= from_step < manifest.steps:
        raise UserError(f"from-step: {from_step:,} is no step of the run - give 0 .. {manifest.steps - 1:,}")
    return replace(manifest, from_step=from_step)


def dataset_lengths(corpus: Corpus) -> NDArray[np.int32]:
    """Tokens of each record of the dataset that a trainer loads, 0 for those that the load skipped."""
    if corpus.numbers is None:
        return corpus.lengths
    count = max(len(corpus) + len(corpus.skipped), int(corpus.numbers.max()) + 1)
    lengths = np.zeros(count, np.int32)
    lengths[corpus.numbers] = corpus.lengths
    return lengths


@dataclass(frozen=True, eq=False)
class _Taken:
    """What the run takes of the plan of one epoch; micro-batches in rows, rows in records."""

    order: NDArray[np.int64]
    micro_batches: Groups
    rows: Groups
    cut: NDArray[np.int64]
    left_out: NDArray[np.int64]


def _taken(plan: Plan, knobs: Knobs, records: int, *, whole_windows: bool, last: bool) -> _Taken:
    micro_batches = plan.micro_batches.first(_kept(plan, knobs, whole_windows=whole_windows, last=last))
    rows = Groups(np.arange(micro_batches.total + 1), 1) if plan.rows is None else plan.rows.first(micro_batches.total)
    numbers = plan.record_numbers
    absent = np.ones(records, np.bool_)
    absent[numbers] = False
    return _Taken(numbers[: rows.total], micro_batches, rows, numbers[rows.total :], np.flatnonzero(absent))


def _kept(plan: Plan, knobs: Knobs, *, whole_windows: bool, last: bool) -> int:
    """How many micro-batches of an epoch the run takes, from its first."""
    groups, window = plan.micro_batches, knobs.window_size
    unit = knobs.world_size if last and not whole_windows else window
    if not whole_windows and can_be_whole(groups.offsets, unit):
        return len(groups)
    whole = whole_part(groups.offsets, unit)
    if whole == len(groups) and groups.size is not None and groups.last_size < groups.size:
        whole -= unit  # a plain sampler cannot hold a short micro-batch apart from what follows it
    if whole < 1:
        told = f"{len(plan.order):,} records in {len(groups):,} micro-batches make no whole window of {window:,}"
        raise UserError(f"{told} - lower micro-batch, accumulation or world size")
    return whole


def _epochs(plan: Plan, knobs: Knobs, whole_windows: bool) -> int:
    if knobs.steps is None:
        return knobs.epochs
    windows, more = divmod(len(plan.micro_batches), knobs.window_size)
    return -(-knobs.steps // max(windows + (more > 0 and not whole_windows), 1))


def _joined(parts: list[Groups]) -> Groups:
    """The groups of all parts, one after the other."""
    size = parts[0].size
    even = all(part.size == size for part in parts) and all(part.last_size == size for part in parts[:-1])
    return Groups(_offsets([part.sizes for part in parts]), size if even else None)


def _offsets(sizes: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(sizes))])
