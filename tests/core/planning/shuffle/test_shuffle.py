"""The shuffles are CPython's own, entry by entry, and leave the generator where CPython leaves it."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bucketplan.errors import Cancelled
from bucketplan.planning.shuffle import permutation, shuffle_runs

LENGTHS = [0, 1, 2, 3, 100, 8_191, 8_192, 8_193, 12_288, 16_383, 16_384, 16_385, 32_767, 65_536, 100_001]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_permutation_is_what_shuffle_makes(length: int) -> None:
    theirs, ours = Random(length), Random(length)
    entries = list(range(length))
    theirs.shuffle(entries)
    assert permutation(length, ours).tolist() == entries
    assert ours.getstate() == theirs.getstate()


@given(st.integers(0, 2**32 - 1), st.integers(8_000, 30_000))
@settings(max_examples=25, deadline=None)
def test_long_permutations_from_any_seed(seed: int, length: int) -> None:
    theirs, ours = Random(seed), Random(seed)
    theirs.random(), ours.random()  # start in the middle of a block of words
    entries = list(range(length))
    theirs.shuffle(entries)
    assert permutation(length, ours).tolist() == entries
    assert ours.getstate() == theirs.getstate()


@given(st.integers(0, 2**32 - 1), st.integers(0, 20_000), st.integers(1, 600))
@settings(max_examples=100, deadline=None)
def test_runs_are_shuffled_one_after_the_other(seed: int, length: int, run: int) -> None:
    values = np.random.default_rng(seed).permutation(length)
    theirs, ours = Random(seed), Random(seed)
    expected: list[int] = []
    for start in range(0, length, run):
        part = values[start : start + run].tolist()
        theirs.shuffle(part)
        expected += part
    assert shuffle_runs(values, run, ours).tolist() == expected
    assert ours.getstate() == theirs.getstate()


def test_long_runs_too() -> None:
    values = np.arange(25_000)[::-1].copy()
    theirs, ours = Random(3), Random(3)
    expected: list[int] = []
    for start in range(0, len(values), 9_000):
        part = values[start : start + 9_000].tolist()
        theirs.shuffle(part)
        expected += part
    assert shuffle_runs(values, 9_000, ours).tolist() == expected
    assert ours.getstate() == theirs.getstate()


@pytest.mark.parametrize("run", [8, 10_000])
def test_a_shuffle_nobody_wants_any_more_ends(run: int) -> None:
    def check() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        shuffle_runs(np.arange(30_000), run, Random(0), check)


@pytest.mark.parametrize("run", [2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33])
@pytest.mark.parametrize("length", [8_192, 45_444, 100_003])
def test_many_short_runs(run: int, length: int) -> None:
    theirs, ours = Random(run), Random(run)
    expected: list[int] = []
    for start in range(0, length, run):
        part = list(range(start, min(start + run, length)))
        theirs.shuffle(part)
        expected += part
    assert shuffle_runs(np.arange(length), run, ours).tolist() == expected
    assert ours.getstate() == theirs.getstate()
