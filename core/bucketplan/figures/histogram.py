"""Histograms: bins with whole numbers for edges."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bucketplan.corpus.tally import Tally

_BINS_AN_OCTAVE = 4


@dataclass(frozen=True)
class Histogram:
    """Counts of whole numbers.

    Attributes:
        edges: (bins + 1,), ascending; bin i holds values from edges[i] up to edges[i + 1], which is not in it.
        counts: (bins,).
    """

    edges: tuple[int, ...]
    counts: tuple[int, ...]


def logarithmic(tallied: Tally) -> Histogram:
    """Bins of a quarter octave between powers of two, no narrower than 1, trimmed to the values."""
    least, most = int(tallied.values[0]), int(tallied.values[-1])
    octaves = np.arange(
        max(least, 1).bit_length() - 1, most.bit_length() + 1 / (2 * _BINS_AN_OCTAVE), 1 / _BINS_AN_OCTAVE
    )
    edges = np.unique(np.rint(2.0**octaves).astype(np.int64))
    first = int(np.searchsorted(edges, max(least, 1), side="right")) - 1
    last = int(np.searchsorted(edges, most, side="right"))
    return _binned(tallied, edges[first : last + 1])


def by_value(tallied: Tally) -> Histogram:
    """A bin for every whole number from the least to the most."""
    return _binned(tallied, np.arange(int(tallied.values[0]), int(tallied.values[-1]) + 2))


def _binned(tallied: Tally, edges: NDArray[np.int64]) -> Histogram:
    bins = np.searchsorted(edges, tallied.values, side="right") - 1
    counts = np.bincount(bins, weights=tallied.counts, minlength=len(edges) - 1)
    return Histogram(tuple(edges.tolist()), tuple(counts.astype(np.int64).tolist()))
