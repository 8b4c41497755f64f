import pytest
from hypothesis import given
from hypothesis import strategies as st

from bucketplan_tui.widgets.ranks import BUSY, WAITING, rank_lines


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5000), st.integers(0, 200), st.integers(1, 60))
def test_lines_fit_whatever_the_size(busy: list[float], width: int, height: int) -> None:
    lines = rank_lines(tuple(busy), width, height)
    assert 1 <= len(lines) <= height
    if width >= 20:
        assert {len("".join(parts)) for parts in lines} == {width}


def test_a_line_shows_how_long_a_rank_computes_and_waits() -> None:
    label, bar, rest, share = rank_lines((0.25, 1.0), 27, 5)[0]
    assert (label, bar, rest, share) == ("0 ", BUSY * 5, WAITING * 15, "  25%")


def test_ranks_share_lines_where_they_are_many() -> None:
    assert [line[0].strip() for line in rank_lines((0.5,) * 10, 30, 4)] == ["0-2", "3-5", "6-8", "9"]


@pytest.mark.parametrize("height", [0, -1])
def test_without_lines_nothing_is_drawn(height: int) -> None:
    assert rank_lines((0.5,), 30, height) == []
