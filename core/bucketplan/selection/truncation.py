"""What a max length takes from a corpus: by truncating the records above it, and by dropping them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.corpus import Corpus
from bucketplan.corpus.tally import tally
from bucketplan.errors import KnobError

_LONGEST = int(np.iinfo(np.int32).max)


@dataclass(frozen=True)
class Loss:
    """What some records lose.

    Attributes:
        records: how many they are.
        tokens: what they hold.
        over: those longer than the max length.
        truncated: tokens lost where these are truncated.
        dropped: tokens lost where these are dropped.
        supervised: supervised tokens of all; None, like what follows, where the cache has no labels.
        truncated_supervised_least: supervised tokens lost where records are truncated, a lower bound.
        truncated_supervised_most: an upper bound of the same; equal to the lower one where the number is known.
        dropped_supervised: supervised tokens lost where records are dropped.
    """

    records: int
    tokens: int
    over: int
    truncated: int
    dropped: int
    supervised: int | None = None
    truncated_supervised_least: int | None = None
    truncated_supervised_most: int | None = None
    dropped_supervised: int | None = None


@dataclass(frozen=True, eq=False)
class Losses:
    """What the records of each root lose.

    Attributes:
        columns: by the names of `Loss`: int64, (roots,); without those that are None there.
    """

    columns: Mapping[str, NDArray[np.int64]]

    def of(self, roots: NDArray[np.int64] | slice) -> Loss:
        """What the records of these roots lose together."""
        return Loss(**{name: int(column[roots].sum()) for name, column in self.columns.items()})


@dataclass(frozen=True, eq=False)
class Truncation:
    """What a max length takes.

    Attributes:
        max_length: the longest record kept whole, in tokens.
        total: what all records lose.
        roots: what the records of each root lose, in the order of their codes; None where the cache names no root.
    """

    max_length: int
    total: Loss
    roots: Losses | None


def truncation(corpus: Corpus, max_length: int, supervised_kept: NDArray[np.integer[Any]] | None = None) -> Truncation:
    """What a max length takes from each root, and in all.

    Where the supervised tokens of a record stand decides how many of them truncation takes. Unless that is given,
    the counts bound it: of n tokens, s of them supervised, a cut to m takes at least s - m and at most n - m.

    Args:
        corpus: at least one record.
        max_length: in tokens, at least 1.
        supervised_kept: (records,), supervised tokens among the first `max_length` of each; None takes what the
            corpus knows of their positions.
    """
    if supervised_kept is None and corpus.supervised_spans is not None:
        supervised_kept = corpus.supervised_spans.kept(max_length)
    losses = _losses(corpus, max_length, supervised_kept)
    return Truncation(max_length, losses.of(slice(None)), None if corpus.roots is None else losses)


def shortest_max_length(corpus: Corpus, share: float, way: Literal["truncate", "drop"]) -> int:
    """The least max length that loses at most a share of all tokens; exact.

    Args:
        corpus: at least one record.
        share: 0 .. 1, taken as the decimal number that it prints as.
        way: what becomes of longer records.

    Raises:
        KnobError: the share is out of range.
    """
    if not 0 <= share <= 1:
        raise KnobError(f"share: {share} is not within 0 .. 1 - give a part of all tokens, such as 0.01")
    counted = tally(corpus.lengths)
    lengths, tokens = counted.values, counted.values * counted.counts
    budget = math.floor(Fraction(str(share)) * corpus.tokens)
    # Of the records that are at least as long as each distinct length: how many, and their tokens.
    count, held = (np.cumsum(column[::-1])[::-1] for column in (counted.counts, tokens))
    if way == "drop":
        if held[0] <= budget:
            return 1
        return int(lengths[np.argmax(held - tokens <= budget)])
    # From the distinct length before a certain one up to it, each token of max length saves one token of each record
    # that is at least as long; so the least one lies just up to the first distinct length that is good enough.
    first = int(np.argmax(held - lengths * count <= budget))
    return max(-((budget - int(held[first])) // int(count[first])), 1)


def _losses(corpus: Corpus, max_length: int, supervised_kept: NDArray[np.integer[Any]] | None) -> Losses:
    """What the records of each root lose; one root where the cache names none."""
    codes = np.zeros(len(corpus), np.int32) if corpus.roots is None else corpus.roots.codes
    size = 1 if corpus.roots is None else len(corpus.roots.names)
    over = np.flatnonzero(corpus.lengths > max_length)
    codes_over, lengths, limit = codes[over], corpus.lengths[over], min(max_length, _LONGEST)

    def sums(codes: NDArray[np.int32], values: NDArray[np.int32] | None = None) -> NDArray[np.int64]:
        # Weights are added as floats, which hold integers up to 2^53 exactly.
        return np.bincount(codes, values, size).astype(np.int64)

    columns = {
        "records": sums(codes),
        "tokens": sums(codes, corpus.lengths),
        "over": sums(codes_over),
        "truncated": sums(codes_over, lengths - limit),
        "dropped": sums(codes_over, lengths),
    }
    if corpus.supervised is None:
        return Losses(columns)
    supervised = corpus.supervised[over]
    if supervised_kept is None:
        # Rows that are stored padded may have labels beyond their tokens, which no cut of tokens takes.
        most = np.minimum(supervised, lengths - limit)
        least = np.minimum(np.maximum(supervised - limit, 0), most)
    else:
        least = most = supervised - supervised_kept[over]
    columns |= {
        "supervised": sums(codes, corpus.supervised),
        "truncated_supervised_least": sums(codes_over, least),
        "truncated_supervised_most": sums(codes_over, most),
        "dropped_supervised": sums(codes_over, supervised),
    }
    return Losses(columns)
