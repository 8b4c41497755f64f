"""A manifest is compared with a cache, its figures are computed again, and logs are laid beside the plan."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.model import CostModel
from bucketplan.errors import InputError, UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.order import BatchSampler, Manifest
from bucketplan.order.making import manifest_of
from bucketplan.order.manifest_strategy import knobs_of
from bucketplan.order.verification import step_seconds, verify, verify_copy, verify_settings
from bucketplan.planning.knobs import Knobs
from bucketplan.run.logs import accuracy, follow, measured_steps
from tests.core.order.cases import corpus, manifest

THREE = Knobs(micro_batch=2, accumulation=3, world_size=2, epochs=3)


@pytest.mark.parametrize("options", [{}, {"whole_windows": True}, {"from_step": 4}])
@pytest.mark.parametrize(
    "knobs",
    [
        THREE,
        replace(THREE, balance="both"),
        replace(THREE, max_length=200, over_max="drop", pad_to_multiple=8),
        replace(THREE, max_length=200, over_max="truncate", drop_last=True),
    ],
)
def test_a_manifest_fits_the_cache_it_was_made_for(small: Corpus, knobs: Knobs, options: dict[str, bool | int]) -> None:
    made = manifest_of(Explorer(small), knobs, CostModel(fixed=0.1), **options)  # type: ignore[arg-type]
    told = verify(made, small)
    assert told[1] == "fingerprint: that of the cache"
    assert told[2].endswith("computed again, and alike")


def test_it_can_be_reported_on_like_any_plan(small: Corpus) -> None:
    made = manifest_of(Explorer(small), THREE, whole_windows=True)
    assert Explorer(small).report(knobs_of(made)).metrics == Explorer(small).report(THREE).metrics


def test_another_cache_is_refused_by_its_fingerprint() -> None:
    made = manifest(60)
    with pytest.raises(UserError, match="made for another cache: the fingerprint does not match in lengths"):
        verify(made, corpus(60, seed=1))
    with pytest.raises(UserError, match="made for another cache: 60 records, and this one has 61"):
        verify(made, corpus(61))


def test_an_order_that_was_changed_is_found_by_its_figures() -> None:
    made = manifest(60)
    with pytest.raises(UserError, match="figures: "):
        verify(replace(made, order=np.roll(made.order, 1)), corpus(60))
    with pytest.raises(UserError, match="figures: hours is "):
        verify(replace(made, figures={**made.figures, "hours": 1.0}), corpus(60))


def test_lengths_that_were_changed_are_found() -> None:
    made = manifest(60)
    assert made.lengths is not None
    lengths = made.lengths.copy()
    lengths[7] += 1
    with pytest.raises(UserError, match="lengths: record 7 has"):
        verify(replace(made, lengths=lengths), corpus(60))


def log(path: Path, made: Manifest, *, ranks: int = 2, first: int = 0) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = []
    for rank in range(ranks):
        sampler = BatchSampler(made, rank, ranks).from_step(first)
        lines += [{"rank": rank, "records": batch} for batch in sampler]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return lines


def test_a_log_of_the_whole_run_follows_the_plan(tmp_path: Path) -> None:
    made = manifest(101, THREE)
    lines = log(tmp_path / "log.jsonl", made)
    found = follow(made, str(tmp_path / "log.jsonl"))
    assert (found.first_step, found.micro_batches, found.step) == (0, len(lines), made.steps)


def test_a_log_of_a_resumed_run_starts_at_its_step(tmp_path: Path) -> None:
    made = manifest(101, THREE)
    log(tmp_path / "log.jsonl", made, first=9)
    assert follow(made, str(tmp_path / "log.jsonl"), 9).step == made.steps
    with pytest.raises(InputError, match="left the plan at step 0, micro-step 0, rank 0"):
        follow(made, str(tmp_path / "log.jsonl"))


def test_a_log_that_stops_says_the_last_whole_step(tmp_path: Path) -> None:
    made = manifest(101, THREE)
    lines = log(tmp_path / "log.jsonl", made)
    own = [[line for line in lines if line["rank"] == rank] for rank in range(2)]
    kept = [*own[0][:11], *own[1][:10]]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in kept))
    assert follow(made, str(tmp_path / "log.jsonl")).step == 3


def test_the_first_departure_in_the_order_of_the_plan_is_named(tmp_path: Path) -> None:
    made = manifest(101, THREE)
    lines = log(tmp_path / "log.jsonl", made)
    half = len(lines) // 2
    lines[20]["records"] = [1, 2]  # rank 0, micro-batch 20
    lines[half + 7]["records"] = [3, 4, 5]  # rank 1, micro-batch 7: earlier in the plan, later in the file
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    planned = ", ".join(map(str, list(BatchSampler(made, 1, 2))[7]))
    with pytest.raises(InputError) as caught:
        follow(made, str(tmp_path / "log.jsonl"))
    place = f"log.jsonl:{half + 8}: left the plan at step 2, micro-step 1, rank 1"
    assert str(caught.value).endswith(f"{place}: it consumed 3, 4, 5, and the plan has {planned}")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"rank": 2, "records": [1]}', "rank: 2 is not in 0 .. 1"),
        ('{"rank": 0, "records": [1.0]}', "records: no list of record numbers"),
        ("[1, 2]", "rank: null is not in"),
        ("nothing", "not JSON"),
    ],
)
def test_a_line_that_is_no_micro_batch_is_refused(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "log.jsonl").write_text("\n" + line + "\n")
    with pytest.raises(InputError, match=says) as caught:
        follow(manifest(101, THREE), str(tmp_path / "log.jsonl"))
    assert caught.value.line == 2


def test_predicted_seconds_of_steps_are_those_of_the_report_over_all_epochs() -> None:
    knobs = Knobs(micro_batch=2, accumulation=5, epochs=2)
    made = manifest(60, knobs)
    seconds = step_seconds(made, corpus(60))
    assert len(seconds) == made.steps
    report = Explorer(corpus(60)).report(knobs)
    assert seconds[: len(seconds) // 2].sum() == pytest.approx(report.metrics["epoch_seconds"])


def test_measured_seconds_are_compared_step_by_step(tmp_path: Path) -> None:
    path = str(tmp_path / "seconds.jsonl")
    Path(path).write_text('{"step": 1, "seconds": 2.0}\n{"step": 0, "seconds": 2.0}\n{"step": 2, "seconds": 8.0}\n')
    found = accuracy(path, measured_steps(path), np.array([1.0, 2.0, 3.0, 9.0]))
    assert (found.steps, found.measured, found.predicted) == (3, 4.0, 2.0)
    assert (found.off, found.worst_step, found.worst_off) == (1.0, 1, -0.5)
    assert found.median_off == pytest.approx(1 / 3)
    Path(path).write_text("1.5\n\n2.5\n")
    assert measured_steps(path, 7).steps.tolist() == [7, 8]


@pytest.mark.parametrize("line", ["0", "-1", "true", '{"step": -1}', '{"step": 0}', '"x"', "NaN", "1e999"])
def test_a_line_that_is_no_time_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "seconds.jsonl").write_text(line + "\n")
    with pytest.raises(InputError):
        measured_steps(str(tmp_path / "seconds.jsonl"))


def test_a_copy_has_the_lengths_of_the_order() -> None:
    made = manifest(60, Knobs(epochs=2, accumulation=5))
    lengths = corpus(60).lengths[made.order]
    assert verify_copy(made, Corpus("c", lengths)) == "copy: 120 records, of the lengths of the order"
    with pytest.raises(UserError, match="copy: 119 records, and the order has 120"):
        verify_copy(made, Corpus("c", lengths[1:]))
    with pytest.raises(UserError, match="copy: record 0 has"):
        verify_copy(made, Corpus("c", lengths[::-1].copy()))


def test_settings_of_the_trainer_are_the_plans() -> None:
    made = manifest(60, Knobs(epochs=2, accumulation=5), whole_windows=True)
    told = verify_settings(made, [("micro_batch", 2, "micro_batch_size"), ("max_length", 4096, "sequence_len")])
    assert told == "settings: micro_batch_size, sequence_len as planned"
    with pytest.raises(UserError, match="num_epochs: 2 in the trainer's file, and the plan needs 1"):
        verify_settings(made, [("epochs", 2, "num_epochs")])
    with pytest.raises(UserError, match="sequence_len: 99 tokens, and the plan has records of"):
        verify_settings(made, [("max_length", 99, "sequence_len")])
