"""A plan: the selected records in an order, cut into rows and micro-batches."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import orjson
from numpy.typing import NDArray

from bucketplan.planning.groups import Groups, equal_groups
from bucketplan.selection.selection import Selection


@dataclass(frozen=True, eq=False)
class Plan:
    """An order of a selection's records, flat and ragged.

    Attributes:
        selection: the records planned.
        order: int64, positions in the selection, each once, in plan order.
        rows: how the order is cut into rows; None where each row is one record.
        micro_batches: how the rows are cut into micro-batches.
        leftover_records: records that found no micro-batch where the strategy wanted them, at the end of the order.
        cautions: what a user should know of this plan, each a line.
    """

    selection: Selection
    order: NDArray[np.int64]
    micro_batches: Groups
    rows: Groups | None = None
    leftover_records: int = 0
    cautions: tuple[str, ...] = ()

    @cached_property
    def row_lengths(self) -> NDArray[np.int32]:
        """Real tokens of each row, in plan order."""
        lengths = self.selection.lengths[self.order]
        return lengths if self.rows is None else self.rows.reduce(np.add, lengths)

    @cached_property
    def record_numbers(self) -> NDArray[np.int64]:
        """Record numbers in plan order, as a trainer's dataset counts them."""
        return self.selection.numbers[self.order]

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the record numbers in plan order, joined by commas, ASCII."""
        joined = orjson.dumps(self.record_numbers, option=orjson.OPT_SERIALIZE_NUMPY)[1:-1]
        return hashlib.sha256(joined).hexdigest()


def plan_of(
    selection: Selection,
    order: NDArray[np.int64],
    micro_batch: int,
    *,
    leftover_records: int = 0,
    cautions: tuple[str, ...] = (),
) -> Plan:
    """A plan whose rows are single records, cut into micro-batches of `micro_batch`, the last one perhaps short."""
    if micro_batch > len(order):
        cautions = (
            *cautions,
            f"the micro-batch of {micro_batch:,} is larger than the {len(order):,} records: one short micro-batch",
        )
    groups = equal_groups(len(order), micro_batch)
    return Plan(selection, order, groups, leftover_records=leftover_records, cautions=cautions)
