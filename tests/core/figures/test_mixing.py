import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bucketplan.corpus.corpus import Corpus, categories
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.mixing import expected_distinct
from bucketplan.planning.knobs import Knobs


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.data())
def test_the_expected_number_is_the_exact_one(counts: list[int], data: st.DataObject) -> None:
    total = sum(counts)
    drawn = data.draw(st.integers(1, total))
    exact = sum(1 - math.comb(total - count, drawn) / math.comb(total, drawn) for count in counts)
    assert expected_distinct(np.array(counts), drawn) == pytest.approx(exact, rel=1e-12)


def test_it_keeps_its_digits_among_ten_million_records() -> None:
    exact = 2 * (1 - math.comb(5_000_000, 20) / math.comb(10_000_000, 20))
    assert expected_distinct(np.array([5_000_000, 5_000_000]), 20) == pytest.approx(exact, rel=1e-13)
    assert expected_distinct(np.array([9_999_999, 1]), 5_000_000) == pytest.approx(1.5, rel=1e-9)


@given(st.integers(1, 200), st.integers(1, 5), st.integers(1, 6), st.integers(0, 99))
@settings(deadline=None)
def test_roots_of_a_window_are_counted_as_a_set_counts(roots: int, rows: int, accumulation: int, seed: int) -> None:
    names = [str(name) for name in np.random.default_rng(seed).integers(0, roots, 300)]
    corpus = Corpus(
        "random", np.random.default_rng(seed).integers(1, 50, 300).astype(np.int32), None, categories(names)
    )
    report = Explorer(corpus).report(Knobs(micro_batch=rows, accumulation=accumulation))
    ordered = [names[record] for record in report.plan.record_numbers.tolist()]
    size = rows * accumulation
    distinct = [len(set(ordered[start : start + size])) for start in range(0, 300 // size * size, size)]
    assert report.metrics["roots_per_window_mean"] == pytest.approx(np.mean(distinct))
    assert report.metrics["roots_per_window_min"] == min(distinct)
    assert report.metrics["one_root_windows"] == pytest.approx(distinct.count(1) / len(distinct))
    histogram = report.histograms["roots_per_window"]
    assert dict(zip(histogram.edges[:-1], histogram.counts, strict=True)) == {
        value: distinct.count(value) for value in range(min(distinct), max(distinct) + 1)
    }
