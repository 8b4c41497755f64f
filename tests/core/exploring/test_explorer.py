"""A plan holds every record once, whatever the knobs; a report is what the knobs say, whatever was asked before."""

import json
import math
import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bucketplan.corpus.corpus import Corpus, categories
from bucketplan.cost.model import CostModel
from bucketplan.errors import Cancelled, KnobError
from bucketplan.exploring.comparison import Compared
from bucketplan.exploring.explorer import Explorer
from bucketplan.exploring.serialisation import cache_facts, plan_facts, report_json
from bucketplan.figures.registry import figures
from bucketplan.figures.report import saving
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential

STRATEGIES = st.one_of(st.builds(Bucket, st.integers(1, 60)), st.just(Sequential()))
KNOBS = st.builds(
    Knobs,
    STRATEGIES,
    micro_batch=st.integers(1, 20),
    accumulation=st.integers(1, 6),
    seed=st.integers(0, 2**32 - 1),
    world_size=st.integers(1, 5),
    align_ranks=st.booleans(),
    sync=st.sampled_from(["step", "micro"]),
    max_length=st.one_of(st.none(), st.integers(100, 500)),
    over_max=st.sampled_from(["keep", "truncate"]),
    pad_to_multiple=st.sampled_from([1, 8, 256]),
    drop_last=st.booleans(),
    longest_first=st.booleans(),
    epochs=st.integers(1, 3),
    steps=st.one_of(st.none(), st.integers(1, 50)),
    mixing=st.sampled_from(["root", "kind"]),
)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    lengths = np.array(draw(st.lists(st.integers(1, 700), min_size=1, max_size=80)), np.int32)
    count = len(lengths)
    supervised = np.array(draw(st.lists(st.integers(0, 700), min_size=count, max_size=count)), np.int32)
    roots = draw(st.lists(st.sampled_from("abcdefg"), min_size=count, max_size=count))
    return Corpus(
        "random",
        lengths,
        draw(st.sampled_from([None, np.minimum(supervised, lengths)])),
        draw(st.sampled_from([None, categories(roots)])),
        draw(st.sampled_from([None, categories(roots[::-1])])),
    )


@given(corpora(), KNOBS)
@settings(max_examples=200, deadline=None)
def test_every_record_is_planned_exactly_once(corpus: Corpus, knobs: Knobs) -> None:
    report = Explorer(corpus).report(knobs)
    assert sorted(report.plan.record_numbers.tolist()) == list(range(len(corpus)))
    assert report.plan.micro_batches.total == len(corpus)
    assert set(report.metrics) == set(figures()) | {"order_sha256"}


@given(corpora(), KNOBS)
@settings(max_examples=200, deadline=None)
def test_no_figure_is_nan_and_padding_never_negative(corpus: Corpus, knobs: Knobs) -> None:
    report = Explorer(corpus).report(knobs)
    for name, value in report.metrics.items():
        assert not isinstance(value, float) or math.isfinite(value), name
    assert 0 <= (report.number("waste") or 0) < 1
    assert 0 <= (report.number("rank_idle") or 0) < 1
    for name, histogram in report.histograms.items():
        assert len(histogram.edges) == len(histogram.counts) + 1, name
        assert list(histogram.edges) == sorted(set(histogram.edges))
    assert sum(report.histograms["lengths"].counts) == len(corpus)
    assert sum(report.histograms["widths"].counts) == report.metrics["micro_batches"]


@given(corpora(), st.lists(KNOBS, min_size=2, max_size=6))
@settings(max_examples=50, deadline=None)
def test_what_was_asked_before_changes_nothing(corpus: Corpus, asked: list[Knobs]) -> None:
    explorer = Explorer(corpus)
    for knobs in [*asked, *asked]:
        assert explorer.report(knobs).metrics == Explorer(corpus).report(knobs).metrics


@given(corpora(), KNOBS)
@settings(max_examples=50, deadline=None)
def test_a_report_becomes_json_without_nan(corpus: Corpus, knobs: Knobs) -> None:
    report = Explorer(corpus).report(knobs)
    facts = cache_facts(corpus, None, list(report.cautions))
    text = report_json(
        facts, report.cost, [plan_facts(Compared("plan", report, saving(report, report), report.cautions))]
    )
    assert text.isascii()
    assert json.loads(text)["plans"][0]["metrics"] == dict(report.metrics)


def test_each_epoch_has_an_order_of_its_own(six: Corpus) -> None:
    plans = list(Explorer(six).whole_run(Knobs(epochs=3, seed=5)))
    alone = [Explorer(six).report(Knobs(seed=seed)).plan for seed in (5, 6, 7)]
    assert [plan.sha256 for plan in plans] == [plan.sha256 for plan in alone]
    assert len({plan.sha256 for plan in plans}) > 1


def test_accumulation_leaves_the_plan_as_it_is(demo: Corpus) -> None:
    explorer = Explorer(demo)
    before = explorer.report(Knobs())
    assert explorer.report(Knobs(accumulation=16)).plan is before.plan
    assert explorer.report(Knobs(pad_to_multiple=8)).plan is before.plan
    assert explorer.report(Knobs(micro_batch=4)).plan is not before.plan


def test_a_report_nobody_wants_any_more_ends(demo: Corpus) -> None:
    with pytest.raises(Cancelled):
        Explorer(demo).report(Knobs(), cancelled=lambda: True)


def test_a_cancelled_report_is_not_remembered(demo: Corpus) -> None:
    explorer, asked = Explorer(demo), iter([False, False, True])
    with pytest.raises(Cancelled):
        explorer.report(Knobs(), cancelled=lambda: next(asked, True))
    assert explorer.report(Knobs()).metrics["waste"] == Explorer(demo).report(Knobs()).metrics["waste"]


def test_several_threads_may_ask_at_once(demo: Corpus) -> None:
    explorer, found = Explorer(demo), {}

    def ask(bucket: int) -> None:
        found[bucket] = explorer.report(Knobs(Bucket(bucket))).metrics

    threads = [threading.Thread(target=ask, args=(bucket,)) for bucket in (2, 4, 8, 16, 32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for bucket, metrics in found.items():
        assert metrics == Explorer(demo).report(Knobs(Bucket(bucket))).metrics


@pytest.fixture
def six() -> Corpus:
    lengths = np.array([3, 9, 4, 8, 5, 7], np.int32)
    return Corpus("six", lengths, lengths - 1, categories(list("abaaca")))


def metrics(corpus: Corpus, knobs: Knobs, cost: CostModel | None = None) -> dict[str, object]:
    return dict(Explorer(corpus).report(knobs, cost).metrics)


def test_figures_of_a_plan_small_enough_to_count_by_hand(six: Corpus) -> None:
    cost = CostModel(linear=1, quadratic=0.5, fixed=2, rows=2, step_seconds=10)
    found = metrics(six, Knobs(Sequential(), micro_batch=2, accumulation=2), cost)
    widths = [9, 8, 7]
    seconds = [2 + w + 0.5 * w * w for w in widths]
    assert found["micro_batches"] == 3
    assert found["padded_tokens"] == 48
    assert found["waste"] == pytest.approx(12 / 48)
    assert found["width_p50"] == 8
    assert found["steps"] == 2
    assert found["windows"] == 1
    assert found["roots_per_window_mean"] == 2
    assert found["seconds_per_micro_batch"] == pytest.approx(sum(seconds) / 3)
    assert found["seconds_per_step"] == pytest.approx(2 * sum(seconds) / 3 + 10)
    assert found["hours"] == pytest.approx((sum(seconds) + 20) / 3600)
    assert found["quadratic_share"] == pytest.approx(sum(0.5 * w * w for w in widths) / sum(seconds))
    assert found["crossover_width"] == 2
    assert found["supervised_per_window_mean"] == 2 + 8 + 3 + 7
    assert (found["peak_tokens"], found["peak_step"]) == (18, 0)


def test_a_mask_costs_where_there_is_padding(six: Corpus) -> None:
    cost = CostModel(mask_penalty=1.5, passes_mask=True)
    plain = metrics(six, Knobs(Sequential(), micro_batch=1), replace(cost, passes_mask=False))
    assert metrics(six, Knobs(Sequential(), micro_batch=1), cost)["hours"] == plain["hours"]
    padded = metrics(six, Knobs(Sequential()), replace(cost, passes_mask=False))
    assert metrics(six, Knobs(Sequential()), cost)["hours"] == pytest.approx(1.5 * float(str(padded["hours"])))


def test_epochs_multiply_and_fixed_steps_replace(six: Corpus) -> None:
    once = metrics(six, Knobs(accumulation=2))
    thrice = metrics(six, Knobs(accumulation=2, epochs=3))
    assert (thrice["steps"], thrice["hours"]) == (6, pytest.approx(3 * float(str(once["hours"]))))
    fixed = metrics(six, Knobs(accumulation=2, epochs=3, steps=100))
    assert fixed["steps"] == 100
    assert fixed["hours"] == pytest.approx(float(str(once["seconds_per_step"])) * 100 / 3600)


def test_a_short_last_micro_batch_counts_the_rows_it_has(six: Corpus) -> None:
    found = metrics(six, Knobs(Sequential(), micro_batch=4))
    assert (found["micro_batches"], found["short_rows"]) == (2, 2)
    assert found["padded_tokens"] == 4 * 9 + 2 * 7
    dropped = metrics(six, Knobs(Sequential(), micro_batch=4, drop_last=True))
    assert (dropped["micro_batches"], dropped["short_rows"], dropped["padded_tokens"]) == (1, 2, 36)


def test_the_only_micro_batch_is_never_dropped(six: Corpus) -> None:
    found = metrics(six, Knobs(Sequential(), micro_batch=8, drop_last=True))
    assert (found["micro_batches"], found["short_rows"]) == (1, 6)


def test_saving_is_positive_where_a_plan_costs_less(six: Corpus) -> None:
    explorer = Explorer(six)
    base, plan = explorer.report(Knobs(Sequential())), explorer.report(Knobs(Bucket(2)))
    saved = saving(plan, base)
    assert saved.padded_tokens_fraction == pytest.approx(1 - 40 / 48)
    assert saved.time_fraction is not None
    assert saved.time_fraction > 0
    assert saved.hours == pytest.approx(base.metrics["hours"] - plan.metrics["hours"])  # type: ignore[operator]
    assert saving(base, base).time_fraction == 0


def test_without_any_cost_time_is_zero_and_its_shares_unknown(six: Corpus) -> None:
    found = metrics(six, Knobs(), CostModel(linear=0, quadratic=0))
    assert found["hours"] == 0
    assert (
        found["quadratic_share"] is found["tokens_per_second"] is found["rank_idle"] is found["crossover_width"] is None
    )


@pytest.mark.parametrize(
    ("knobs", "caution"),
    [
        (Knobs(micro_batch=4, strategy=Bucket(3)), "a bucket of 3 holds no micro-batch of 4"),
        (Knobs(micro_batch=2, strategy=Bucket(3)), "2 of 6 records (33.3%) are left over by their buckets"),
        (Knobs(micro_batch=8), "the micro-batch of 8 is larger than the 6 records"),
        (Knobs(accumulation=2), "the last window is incomplete: 1 of 2 micro-batches"),
        (Knobs(accumulation=8), "no window is full"),
        (Knobs(max_length=7, over_max="keep"), "2 records are longer than the max length of 7 tokens"),
        (Knobs(max_length=7, over_max="truncate"), "they are truncated, and lose 3 tokens"),
        (Knobs(max_length=7, over_max="drop"), "they are dropped, with 17 tokens"),
    ],
)
def test_what_a_user_should_know_is_said(six: Corpus, knobs: Knobs, caution: str) -> None:
    assert any(caution in line for line in Explorer(six).report(knobs).cautions)


def test_dropping_everything_is_refused(six: Corpus) -> None:
    with pytest.raises(KnobError, match="all 6 records are longer than 2"):
        Explorer(six).report(Knobs(max_length=2, over_max="drop"))


def test_truncated_records_are_planned_at_the_maximum(six: Corpus) -> None:
    report = Explorer(six).report(Knobs(Sequential(), micro_batch=1, max_length=7, over_max="truncate"))
    assert report.plan.row_lengths.tolist() == [3, 7, 4, 7, 5, 7]
    assert report.metrics["real_tokens"] == 33
    assert report.plan.selection.supervised is not None
    assert report.plan.selection.supervised.tolist() == [2, 6, 3, 6, 4, 6]


def test_dropped_records_are_in_no_plan(six: Corpus) -> None:
    report = Explorer(six).report(Knobs(max_length=7, over_max="drop"))
    assert sorted(report.plan.record_numbers.tolist()) == [0, 2, 4, 5]


def test_record_numbers_are_those_of_the_dataset(six: Corpus) -> None:
    skipped = replace(six, numbers=np.array([0, 2, 3, 5, 8, 9]))
    report = Explorer(skipped).report(Knobs(Sequential()))
    assert report.plan.record_numbers.tolist() == [0, 2, 3, 5, 8, 9]


def test_kinds_are_mixed_where_they_are_asked_for() -> None:
    corpus = Corpus("kinds", np.array([1, 1, 1, 1], np.int32), None, categories(list("aaaa")), categories(list("wxyz")))
    assert metrics(corpus, Knobs(Sequential(), accumulation=2))["roots_per_window_mean"] == 1
    assert metrics(corpus, Knobs(Sequential(), accumulation=2, mixing="kind"))["roots_per_window_mean"] == 4
