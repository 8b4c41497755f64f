import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bucketplan.corpus.corpus import Corpus
from bucketplan.corpus.spans import Spans, spans_of
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.knobs import Knobs
from bucketplan.selection.truncation import truncation

RECORDS = st.lists(st.lists(st.booleans(), min_size=1, max_size=40), min_size=1, max_size=12)


def spans(records: list[list[bool]]) -> Spans:
    runs = [spans_of(np.array(record)) for record in records]
    starts, ends = (np.concatenate([run[side] for run in runs]) for side in (0, 1))
    return Spans(np.cumsum([0, *(len(first) for first, _ in runs)]), starts, ends)


def corpus(records: list[list[bool]]) -> Corpus:
    lengths = np.array([len(record) for record in records], np.int32)
    supervised = np.array([sum(record) for record in records], np.int32)
    return Corpus("random", lengths, supervised, supervised_spans=spans(records))


@given(RECORDS, st.integers(1, 50))
def test_what_is_kept_is_counted_as_a_loop_counts_it(records: list[list[bool]], most: int) -> None:
    assert spans(records).kept(most).tolist() == [sum(record[:most]) for record in records]


@given(RECORDS, st.integers(1, 50))
def test_truncation_is_exact_where_positions_are_known(records: list[list[bool]], most: int) -> None:
    total = truncation(corpus(records), most).total
    lost = sum(sum(record[most:]) for record in records)
    assert (total.truncated_supervised_least, total.truncated_supervised_most) == (lost, lost)


@given(RECORDS, st.integers(1, 50))
def test_a_truncating_plan_feeds_what_is_left(records: list[list[bool]], most: int) -> None:
    knobs = Knobs(max_length=most, over_max="truncate", accumulation=1024)
    report = Explorer(corpus(records)).report(knobs)
    assert report.metrics["supervised_per_window_mean"] == sum(sum(record[:most]) for record in records)
    assert not any("lower bounds" in line for line in report.cautions)
