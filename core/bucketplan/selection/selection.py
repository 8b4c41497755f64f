"""Which records take part in a plan, and how long they are there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Categories, Corpus
from bucketplan.errors import KnobError
from bucketplan.selection.root_choice import choose_roots

if TYPE_CHECKING:
    from bucketplan.planning.knobs import Knobs


@dataclass(frozen=True, eq=False)
class Selection:
    """The records of a plan, in file order; what was left out is said.

    Attributes:
        corpus: where they come from.
        records: int64, index of each in the corpus, ascending.
        lengths: int32, planned tokens of each.
        over_max: chosen records longer than the maximum, or None where there is none.
        truncated: records cut to the maximum.
        cautions: what a user should know of this choice, each a line.
    """

    corpus: Corpus
    records: NDArray[np.int64]
    lengths: NDArray[np.int32]
    over_max: int | None = None
    truncated: int = 0
    cautions: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of records."""
        return len(self.records)

    @cached_property
    def by_length(self) -> NDArray[np.int64]:
        """Positions in this selection, ascending by length; equal lengths keep file order."""
        short = len(self.lengths) > 0 and int(self.lengths.max()) < 1 << 16
        keys = self.lengths.astype(np.uint16) if short else self.lengths  # a radix sort for 16 bits
        return np.argsort(keys, kind="stable").astype(np.int64, copy=False)

    @cached_property
    def supervised(self) -> NDArray[np.int64] | None:
        """Supervised tokens of each; of a truncated record, where positions are unknown, the fewest that can remain."""
        if self.corpus.supervised is None:
            return None
        if self.truncated and self.corpus.supervised_spans is not None:
            return self.corpus.supervised_spans.kept(int(self.lengths.max()))[self.records]
        kept = self.corpus.supervised[self.records].astype(np.int64)
        if self.truncated:
            kept = np.maximum(kept - (self.corpus.lengths[self.records] - self.lengths), 0)
        return kept

    def categories(self, which: Literal["root", "kind"]) -> Categories | None:
        """The root or the kind of each, or None where the cache names none."""
        return self._roots if which == "root" else self._kinds

    @cached_property
    def _roots(self) -> Categories | None:
        return self._taken(self.corpus.roots)

    @cached_property
    def _kinds(self) -> Categories | None:
        return self._taken(self.corpus.kinds)

    def _taken(self, column: Categories | None) -> Categories | None:
        return column if column is None or len(self) == len(self.corpus) else column.take(self.records)

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """Record number of each: its position in the dataset that the trainer loads."""
        return self.records if self.corpus.numbers is None else self.corpus.numbers[self.records]


def select(corpus: Corpus, knobs: Knobs) -> Selection:
    """The records that take part: the chosen roots, then what the max length leaves of them.

    Args:
        corpus: at least one record.
        knobs: `only`, `exclude`, `cap` with `seed`, `max_length` and `over_max`.

    Raises:
        KnobError: no record is left, or a root is not in the cache.
    """
    chosen = choose_roots(corpus, knobs.only, knobs.exclude, knobs.cap, knobs.seed)
    records, cautions = chosen.records, chosen.cautions
    lengths = corpus.lengths[records] if cautions else corpus.lengths
    most = knobs.max_length
    if most is None:
        return Selection(corpus, records, lengths, cautions=cautions)
    longer = lengths > most
    count = int(np.count_nonzero(longer))
    if not count:
        return Selection(corpus, records, lengths, over_max=0, cautions=cautions)
    told = f"{count:,} records are longer than the max length of {most:,} tokens"
    if knobs.over_max == "keep":
        cautions = (*cautions, f"{told}: they are kept, and planned at their full length")
        return Selection(corpus, records, lengths, over_max=count, cautions=cautions)
    if knobs.over_max == "drop":
        if count == len(records):
            raise KnobError(f"max-length: all {count:,} records are longer than {most:,} - give a larger one")
        lost = int(lengths[longer].sum(dtype=np.int64))
        cautions = (*cautions, f"{told}: they are dropped, with {lost:,} tokens")
        return Selection(corpus, records[~longer], lengths[~longer], over_max=count, cautions=cautions)
    lost = int(lengths[longer].sum(dtype=np.int64)) - count * most
    cautions = (*cautions, f"{told}: they are truncated, and lose {lost:,} tokens")
    if corpus.supervised is not None and corpus.supervised_spans is None:
        cautions = (
            *cautions,
            "supervised tokens of truncated records are lower bounds: as if all that is cut were supervised",
        )
    return Selection(
        corpus, records, np.minimum(lengths, np.int32(most)), over_max=count, truncated=count, cautions=cautions
    )
