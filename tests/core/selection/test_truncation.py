"""What a max length takes, against loops over the records."""

from fractions import Fraction
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bucketplan.corpus.corpus import Categories, Corpus
from bucketplan.errors import KnobError
from bucketplan.selection.truncation import Loss, shortest_max_length, truncation

Way = Literal["truncate", "drop"]
WAYS: tuple[Way, ...] = ("truncate", "drop")
LONGEST = 2**31 - 1


def corpus_of(rows: list[tuple[int, int, int]], names: tuple[str, ...] = ("a", "b", "c", "unused")) -> Corpus:
    """A corpus of (length, supervised, root)."""
    lengths, supervised, roots = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    return Corpus("", lengths, supervised, Categories(roots, names))


@st.composite
def records(draw: st.DrawFn) -> tuple[int, int, int]:
    length = draw(st.integers(1, 40) | st.integers(1, LONGEST))
    return length, draw(st.integers(0, length)), draw(st.integers(0, 2))


rows_of = st.lists(records(), min_size=1, max_size=30)
max_lengths = st.integers(1, 50) | st.integers(1, 2**40)


def counted(rows: list[tuple[int, int, int]], m: int) -> Loss:
    """What these records lose, counted one by one."""
    over = [(n, s) for n, s, _ in rows if n > m]
    return Loss(
        records=len(rows),
        tokens=sum(n for n, _, _ in rows),
        over=len(over),
        truncated=sum(n - m for n, _ in over),
        dropped=sum(n for n, _ in over),
        supervised=sum(s for _, s, _ in rows),
        truncated_supervised_least=sum(max(0, s - m) for _, s in over),
        truncated_supervised_most=sum(min(s, n - m) for n, s in over),
        dropped_supervised=sum(s for _, s in over),
    )


@given(rows_of, max_lengths)
def test_losses_are_those_of_a_loop(rows: list[tuple[int, int, int]], max_length: int) -> None:
    taken = truncation(corpus_of(rows), max_length)
    assert taken.total == counted(rows, max_length)
    assert taken.roots is not None
    for root in range(4):
        mine = [row for row in rows if row[2] == root]
        assert taken.roots.of(np.array([root])) == counted(mine, max_length)
    assert taken.roots.of(np.array([0, 2])) == counted([row for row in rows if row[2] != 1], max_length)


def test_a_record_by_hand() -> None:
    # 10 tokens, 7 supervised, cut to 6: of the 4 that go 1 to 4 are supervised, as at most 6 can stay.
    assert truncation(corpus_of([(10, 7, 0), (6, 6, 1)]), 6).total == Loss(2, 16, 1, 4, 10, 13, 1, 4, 7)


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=12), min_size=1, max_size=12), st.integers(1, 14))
def test_known_positions_are_within_the_bounds_and_exact(masks: list[list[bool]], max_length: int) -> None:
    corpus = corpus_of([(len(mask), sum(mask), place % 3) for place, mask in enumerate(masks)])
    kept = np.array([sum(mask[:max_length]) for mask in masks], np.int32)
    lost = sum(sum(mask[max_length:]) for mask in masks)
    known, bounded = truncation(corpus, max_length, kept).total, truncation(corpus, max_length).total
    assert known.truncated_supervised_least == known.truncated_supervised_most == lost
    assert bounded.truncated_supervised_least is not None
    assert bounded.truncated_supervised_most is not None
    assert bounded.truncated_supervised_least <= lost <= bounded.truncated_supervised_most
    assert known.dropped_supervised == bounded.dropped_supervised


def test_labels_on_padding_leave_the_bounds_in_order() -> None:
    total = truncation(corpus_of([(5, 9, 0)]), 3).total
    assert (total.truncated_supervised_least, total.truncated_supervised_most) == (2, 2)


def test_without_labels_and_roots_tokens_are_still_counted() -> None:
    taken = truncation(Corpus("", np.array([3, 8], np.int32)), 5)
    assert taken.roots is None
    assert taken.total == Loss(records=2, tokens=11, over=1, truncated=3, dropped=8)


def lost(lengths: list[int], m: int, way: Way) -> int:
    return sum(n - m if way == "truncate" else n for n in lengths if n > m)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(0, 100), st.sampled_from(WAYS))
def test_the_shortest_max_length_is_the_first_that_loses_little(lengths: list[int], percent: int, way: Way) -> None:
    allowed = Fraction(percent, 100) * sum(lengths)
    expected = next(m for m in range(1, 61) if lost(lengths, m, way) <= allowed)
    corpus = Corpus("", np.array(lengths, np.int32))
    assert shortest_max_length(corpus, percent / 100, way) == expected


@given(st.lists(st.integers(1, LONGEST), min_size=1), st.floats(0, 1), st.sampled_from(WAYS))
def test_one_token_shorter_would_lose_too_much(lengths: list[int], share: float, way: Way) -> None:
    allowed = Fraction(str(share)) * sum(lengths)
    found = shortest_max_length(Corpus("", np.array(lengths, np.int32)), share, way)
    assert lost(lengths, found, way) <= allowed
    assert found == 1 or lost(lengths, found - 1, way) > allowed


@pytest.mark.parametrize(
    ("share", "truncating", "dropping"), [(0.0, 100, 100), (0.29, 71, 100), (0.5, 50, 100), (1.0, 1, 1)]
)
def test_the_share_is_the_decimal_number_it_reads_as(share: float, truncating: int, dropping: int) -> None:
    corpus = Corpus("", np.array([100], np.int32))
    assert [shortest_max_length(corpus, share, way) for way in WAYS] == [truncating, dropping]


@pytest.mark.parametrize("share", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_share_is_a_part_of_the_whole(share: float) -> None:
    with pytest.raises(KnobError, match=r"share: .* is not within 0 \.\. 1"):
        shortest_max_length(Corpus("", np.ones(1, np.int32)), share, "drop")
