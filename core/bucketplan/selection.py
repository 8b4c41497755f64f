"""Which records take part in a plan, and how long they are there."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus import Categories, Corpus
from bucketplan.errors import KnobError

OverMax: TypeAlias = Literal["keep", "truncate", "drop"]


@dataclass(frozen=True, eq=False)
class Selection:
    """The records of a plan, in file order; what was left out is counted.

    Attributes:
        corpus: where they come from.
        records: int64, index of each in the corpus, ascending.
        lengths: int32, planned tokens of each.
        over_max: records of the corpus longer than the maximum, or None where there is none.
        truncated: records cut to the maximum.
        dropped: records left out.
        cautions: what a user should know of this choice, each a line.
    """

    corpus: Corpus
    records: NDArray[np.int64]
    lengths: NDArray[np.int32]
    over_max: int | None = None
    truncated: int = 0
    dropped: int = 0
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
        """Supervised tokens of each; of a truncated record the fewest that can remain."""
        if self.corpus.supervised is None:
            return None
        kept = self.corpus.supervised[self.records].astype(np.int64)
        if self.truncated:
            kept = np.maximum(kept - (self.corpus.lengths[self.records] - self.lengths), 0)
        return kept

    def categories(self, which: Literal["root", "kind"]) -> Categories | None:
        """The root or the kind of each, or None where the cache names none."""
        column = self.corpus.roots if which == "root" else self.corpus.kinds
        if column is None or len(self) == len(self.corpus):
            return column
        return column.take(self.records)

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """Record number of each: its position in the dataset that the trainer loads."""
        return self.records if self.corpus.numbers is None else self.corpus.numbers[self.records]


def select(corpus: Corpus, max_length: int | None = None, over_max: OverMax = "keep") -> Selection:
    """The records that take part.

    Args:
        corpus: at least one record.
        max_length: the longest record the trainer takes, in tokens, or None.
        over_max: what becomes of longer ones; keep only counts them.

    Raises:
        KnobError: every record was dropped.
    """
    everything = np.arange(len(corpus), dtype=np.int64)
    if max_length is None:
        return Selection(corpus, everything, corpus.lengths)
    longer = corpus.lengths > max_length
    count = int(np.count_nonzero(longer))
    told = f"{count:,} records are longer than the max length of {max_length:,} tokens"
    if not count:
        return Selection(corpus, everything, corpus.lengths, over_max=0)
    if over_max == "keep":
        caution = f"{told}: they are kept, and planned at their full length"
        return Selection(corpus, everything, corpus.lengths, over_max=count, cautions=(caution,))
    if over_max == "drop":
        if count == len(corpus):
            raise KnobError(f"max-length: all {count:,} records are longer than {max_length:,} - give a larger one")
        kept = everything[~longer]
        lost = int(corpus.lengths[longer].sum(dtype=np.int64))
        caution = f"{told}: they are dropped, with {lost:,} tokens"
        return Selection(corpus, kept, corpus.lengths[kept], over_max=count, dropped=count, cautions=(caution,))
    lengths = np.minimum(corpus.lengths, max_length).astype(np.int32)
    lost = corpus.tokens - int(lengths.sum(dtype=np.int64))
    cautions = [f"{told}: they are truncated, and lose {lost:,} tokens"]
    if corpus.supervised is not None:
        cautions.append(
            "supervised tokens of truncated records are lower bounds: as if all that is cut were supervised"
        )
    return Selection(corpus, everything, lengths, over_max=count, truncated=count, cautions=tuple(cautions))
