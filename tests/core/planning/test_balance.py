"""Balance moves micro-batches, changes none, and never makes a step slower by dealing to ranks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bucketplan.corpus.corpus import Corpus, categories
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.report import Report
from bucketplan.planning.balance import dealt
from bucketplan.planning.knobs import Knobs

BALANCES = ("off", "ranks", "steps", "both")


def random_corpus(seed: int, records: int) -> Corpus:
    rng = np.random.default_rng(seed)
    lengths = np.clip(rng.lognormal(5, 1, records), 1, 5000).astype(np.int32)
    return Corpus("random", lengths, lengths, categories([str(root) for root in rng.integers(0, 9, records)]))


def micro_batches(report: Report) -> list[tuple[int, ...]]:
    numbers, size = report.plan.record_numbers.tolist(), report.knobs.micro_batch
    return [tuple(numbers[start : start + size]) for start in range(0, len(numbers), size)]


KNOBS = st.builds(
    Knobs,
    micro_batch=st.integers(1, 5),
    accumulation=st.integers(1, 5),
    world_size=st.integers(1, 5),
    align_ranks=st.booleans(),
    sync=st.sampled_from(["step", "micro"]),
    balance=st.sampled_from(BALANCES),
    longest_first=st.booleans(),
)


@given(KNOBS, st.integers(0, 99), st.integers(1, 300))
@settings(max_examples=150, deadline=None)
def test_no_micro_batch_is_changed(knobs: Knobs, seed: int, records: int) -> None:
    explorer = Explorer(random_corpus(seed, records))
    before = micro_batches(explorer.report(Knobs(**(vars(knobs) | {"balance": "off"}))))
    after = micro_batches(explorer.report(knobs))
    assert sorted(after) == sorted(before)
    assert after[-1] == before[-1] or len(after[-1]) == len(before[-1]) == knobs.micro_batch


@given(KNOBS, st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_dealing_to_ranks_makes_no_step_slower_and_keeps_its_records(knobs: Knobs, seed: int) -> None:
    explorer = Explorer(random_corpus(seed, 240))
    before = explorer.report(Knobs(**(vars(knobs) | {"balance": "off"})))
    after = explorer.report(Knobs(**(vars(knobs) | {"balance": "ranks"})))
    pairs = zip(after.series["step_seconds"].values, before.series["step_seconds"].values, strict=True)
    assert all(mine <= theirs * (1 + 1e-12) for mine, theirs in pairs)
    for same in ("roots_per_window_mean", "supervised_per_window_variation", "peak_step", "waste"):
        assert after.metrics[same] == pytest.approx(before.metrics[same])


def test_steps_are_evened_out() -> None:
    explorer = Explorer(random_corpus(1, 4000))
    before, after = (explorer.report(Knobs(balance=balance)) for balance in ("off", "steps"))
    assert (after.number("step_seconds_variation") or 1) < 0.6 * (before.number("step_seconds_variation") or 0)


def test_evened_steps_come_in_no_order_of_length() -> None:
    report = Explorer(random_corpus(1, 4000)).report(Knobs(balance="steps"))
    assert abs(report.number("neighbour_correlation") or 1) < 0.2


def test_the_longest_micro_batch_stays_first_where_it_is_asked_to() -> None:
    explorer = Explorer(random_corpus(3, 2000))
    for balance in BALANCES:
        for ranks in (1, 4):
            report = explorer.report(Knobs(balance=balance, longest_first=True, world_size=ranks))  # type: ignore[arg-type]
            assert report.metrics["peak_step"] == 0
            assert report.plan.row_lengths[: 2 * ranks].max() == explorer.corpus.lengths.max()


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 5), st.integers(0, 99))
def test_every_load_is_dealt_once_and_all_get_as_many(cases: int, takers: int, each: int, seed: int) -> None:
    loads = np.random.default_rng(seed).random((cases, takers * each))
    shares = dealt(loads, takers)
    assert shares.shape == (cases, takers, each)
    assert (np.sort(shares.reshape(cases, -1), axis=1) == np.arange(takers * each)).all()


def test_the_heaviest_goes_to_whoever_has_least() -> None:
    assert dealt(np.array([[9.0, 8.0, 2.0, 1.0]]), 2).tolist() == [[[0, 3], [1, 2]]]
