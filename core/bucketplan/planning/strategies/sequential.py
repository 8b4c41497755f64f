"""File order: what a trainer without a sampler does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bucketplan.planning.plan import Plan, plan_of
from bucketplan.planning.strategies.strategy import Strategy, Work

if TYPE_CHECKING:
    from bucketplan.planning.knobs import Knobs
    from bucketplan.selection.selection import Selection


@dataclass(frozen=True)
class Sequential(Strategy):
    """The records as they stand in the file."""

    name: ClassVar[str] = "sequential"
    summary: ClassVar[str] = "file order"
    reads: ClassVar[frozenset[str]] = frozenset({"micro_batch"})

    def plan(self, selection: Selection, knobs: Knobs, work: Work) -> Plan:
        """File order, cut into micro-batches."""
        return plan_of(selection, np.arange(len(selection), dtype=np.int64), knobs.micro_batch)
