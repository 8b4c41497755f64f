"""The micro-batches of a plan as the trainer will run them: what every figure starts from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories
from bucketplan.corpus.tally import Tally, tally
from bucketplan.cost.model import CostModel, Seconds, predict
from bucketplan.planning.groups import Groups
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.plan import Plan


@dataclass(frozen=True, eq=False)
class MicroBatches:
    """Arrays with one entry a micro-batch, in plan order, each computed when first asked for.

    Attributes:
        plan: where they come from.
        knobs: those it was made with; figures here read `pad_to_multiple`, `drop_last` and `mixing` only.
        cost: what a micro-batch costs.
    """

    plan: Plan
    knobs: Knobs
    cost: CostModel

    @cached_property
    def groups(self) -> Groups:
        """The micro-batches that count: all, or all but a short last one where it is not the only one."""
        groups = self.plan.micro_batches
        return groups.first(len(groups) - 1) if self._drops_last else groups

    @cached_property
    def short_rows(self) -> int:
        """Rows of a short last micro-batch; 0 where all are whole."""
        groups = self.plan.micro_batches
        short = groups.size is not None and groups.last_size < self.knobs.micro_batch
        return groups.last_size if short else 0

    @property
    def _drops_last(self) -> bool:
        return self.knobs.drop_last and self.short_rows > 0 and len(self.plan.micro_batches) > 1

    def __len__(self) -> int:
        """The number of micro-batches."""
        return len(self.groups)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Rows of each."""
        return self.groups.sizes

    @cached_property
    def records(self) -> NDArray[np.int64]:
        """Records of each; more than its rows where rows are packed."""
        return self.rows if self.plan.rows is None else self.groups.reduce(np.add, self.plan.rows.sizes)

    @cached_property
    def longest(self) -> NDArray[np.int64]:
        """The longest row of each, in tokens."""
        return self.groups.reduce(np.maximum, self.plan.row_lengths).astype(np.int64)

    @cached_property
    def widths(self) -> NDArray[np.int64]:
        """Padded length of the rows of each, in tokens."""
        multiple = self.knobs.pad_to_multiple
        return self.longest if multiple == 1 else -(-self.longest // multiple) * multiple

    @cached_property
    def width_tally(self) -> Tally:
        """How often each width occurs."""
        return tally(self.widths)

    @cached_property
    def real_tokens(self) -> NDArray[np.int64]:
        """Tokens of the rows of each, without padding."""
        return self.groups.reduce(np.add, self.plan.row_lengths.astype(np.int64))

    @cached_property
    def padded_tokens(self) -> NDArray[np.int64]:
        """Tokens of each with its padding: width x rows."""
        return self.widths * self.rows

    @cached_property
    def holds_padding(self) -> NDArray[np.bool_]:
        """Whether any row is shorter than the width."""
        return self.real_tokens < self.padded_tokens

    @cached_property
    def seconds(self) -> Seconds:
        """What each costs."""
        return predict(self.cost, self.widths, self.rows, self.holds_padding)

    @cached_property
    def supervised_tokens(self) -> NDArray[np.int64] | None:
        """Supervised tokens of each, or None where the cache has no labels."""
        supervised = self.plan.selection.supervised
        return None if supervised is None else self._of_records(np.add, supervised)

    def name_masks(self, column: Categories) -> NDArray[np.uint64]:
        """Which of at most 64 names are among the records of each: bit `code` is set."""
        if column not in self._name_masks:
            bits = np.left_shift(np.uint64(1), column.codes.astype(np.uint64))
            self._name_masks[column] = self._of_records(np.bitwise_or, bits)
        return self._name_masks[column]

    @cached_property
    def _name_masks(self) -> dict[Categories, NDArray[np.uint64]]:
        return {}

    def _of_records(self, ufunc: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """`ufunc.reduce` over the records of each, of values by position in the selection."""
        ordered = values[self.plan.order]
        rows = ordered if self.plan.rows is None else self.plan.rows.reduce(ufunc, ordered)
        return self.groups.reduce(ufunc, rows)
