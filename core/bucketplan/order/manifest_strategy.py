"""The plan that a manifest holds, so that a report can be made of it as of any other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from bucketplan.cost.model import CostModel
from bucketplan.errors import UserError
from bucketplan.order.manifest import Manifest
from bucketplan.planning.groups import Groups, equal_groups
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.plan import Plan
from bucketplan.planning.strategies.strategy import Strategy, Work
from bucketplan.settings import Value, values_of

if TYPE_CHECKING:
    from bucketplan.selection.selection import Selection


@dataclass(frozen=True, eq=False)
class Given(Strategy):
    """One epoch of a manifest, as it was planned: what the epoch cuts stands at its end.

    Attributes:
        manifest: the order; its records must be those of the selection.
        epoch: which epoch of it.
    """

    name: ClassVar[str] = "manifest"
    summary: ClassVar[str] = "the order of a manifest"
    reads: ClassVar[frozenset[str]] = frozenset()

    manifest: Manifest
    epoch: int = 0

    def plan(self, selection: Selection, knobs: Knobs, work: Work) -> Plan:
        """The epoch as a plan.

        Raises:
            UserError: it was made for another cache, or its records are not those of the selection.
        """
        manifest = self.manifest
        mine, other = selection.corpus.fingerprint, manifest.fingerprint
        if other is not None and not mine.matches(other):
            raise UserError("manifest: made for another cache: the fingerprint differs - plan this one anew")
        cut = manifest.cut[self.epoch]
        order = positions(np.concatenate([manifest.epoch(self.epoch), cut]), selection)
        groups, rows = _groups(manifest, self.epoch, manifest.planned)
        if len(cut):
            groups, rows = _with_cut(groups, rows, len(cut))
        leftover = manifest.figures.get("leftover_records")
        return Plan(selection, order, groups, rows, leftover_records=leftover if isinstance(leftover, int) else 0)


def run_plan(manifest: Manifest, epoch: int, selection: Selection) -> Plan:
    """One epoch as the trainer runs it: in whole windows, without what is cut.

    Raises:
        UserError: its records are not those of the selection.
    """
    groups, rows = _groups(manifest, epoch, manifest.micro_batches)
    return Plan(selection, positions(manifest.epoch(epoch), selection), groups, rows)


def knobs_of(manifest: Manifest) -> Knobs:
    """The knobs of a manifest, its plan as the strategy; a knob that it does not name has its default.

    Raises:
        KnobError: a value out of its range.
    """
    known = {name: manifest.knobs[name] for name in values_of(Knobs()) if name in manifest.knobs}
    # The order is balanced already, where it was to be.
    return replace(Knobs(strategy=Given(manifest)), **{**known, "balance": "off"})  # type: ignore[arg-type]


def cost_of(manifest: Manifest) -> CostModel:
    """The cost model of a manifest; a constant that it does not name has its default.

    Raises:
        KnobError: a value out of its range.
    """
    known: dict[str, Value] = {name: manifest.cost[name] for name in values_of(CostModel()) if name in manifest.cost}
    return replace(CostModel(), **known)  # type: ignore[arg-type]


def positions(numbers: NDArray[np.int64], selection: Selection) -> NDArray[np.int64]:
    """Where records stand in a selection, by their numbers.

    Raises:
        UserError: one does not.
    """
    places = np.full(int(max(selection.numbers.max(), numbers.max(initial=0))) + 1, -1, np.int64)
    places[selection.numbers] = np.arange(len(selection))
    found = places[numbers]
    if (found < 0).any():
        number = int(numbers[np.argmax(found < 0)])
        raise UserError(f"record {number:,} is in the order, and not among those that the knobs and the load select")
    return found


def _groups(manifest: Manifest, epoch: int, micro_batches: Groups) -> tuple[Groups, Groups | None]:
    """The micro-batches and the rows of one epoch, both from 0."""
    first, last = np.searchsorted(micro_batches.offsets, manifest.epoch_rows[epoch : epoch + 2]).tolist()
    cuts = micro_batches.offsets[first : last + 1]
    size = int(cuts[1] - cuts[0])
    fixed = bool((np.diff(cuts)[:-1] == size).all()) and cuts[-1] - cuts[-2] <= size
    groups = Groups(cuts - cuts[0], size if fixed else None)
    if manifest.rows is None:
        return groups, None
    rows = manifest.rows.offsets[cuts[0] : cuts[-1] + 1]
    return groups, Groups(rows - rows[0])


def _with_cut(groups: Groups, rows: Groups | None, cut: int) -> tuple[Groups, Groups | None]:
    """The same with so many more records, in micro-batches of the same size where that is fixed."""
    if rows is None and groups.size is not None:
        return equal_groups(groups.total + cut, groups.size), None
    more = np.arange(1, cut + 1)
    wider = None if rows is None else Groups(np.concatenate([rows.offsets, rows.total + more]))
    return Groups(np.concatenate([groups.offsets, groups.total + more])), wider
