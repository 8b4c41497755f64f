"""A manifest holds the whole run: every record of every epoch once, or in the list of what is cut or left out."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bucketplan.corpus.corpus import Corpus, Skipped
from bucketplan.errors import KnobError, UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.order.making import manifest_of
from bucketplan.order.reading import read_manifest
from bucketplan.order.writing import write_manifest
from bucketplan.planning.groups import Groups
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential
from tests.core.order.cases import corpus, flat, manifest

THREE = Knobs(micro_batch=2, accumulation=3, world_size=2, epochs=3)


def test_one_epoch_on_one_rank_is_the_plan_itself(small: Corpus) -> None:
    explorer = Explorer(small)
    found = manifest_of(explorer, Knobs())
    plan = explorer.report(Knobs()).plan
    assert found.order.tolist() == plan.record_numbers.tolist()
    assert found.micro_batches.offsets.tolist() == plan.micro_batches.offsets.tolist()
    assert found.figures["order_sha256"] == plan.sha256
    assert found.steps == explorer.report(Knobs()).metrics["steps"]


def test_each_epoch_is_planned_with_a_seed_of_its_own_and_nothing_is_cut(small: Corpus) -> None:
    explorer = Explorer(small)
    found = manifest_of(explorer, THREE)
    for epoch in range(3):
        plan = explorer.report(replace(THREE, seed=THREE.seed + epoch)).plan
        assert found.epoch(epoch).tolist() == plan.record_numbers.tolist()
        assert len(found.cut[epoch]) == 0
    assert len(found.micro_batches) % THREE.world_size == 0
    assert found.steps == explorer.report(THREE).metrics["steps"]


def test_no_step_spans_two_epochs(small: Corpus) -> None:
    found = manifest_of(Explorer(small), THREE)
    starts = found.micro_batches.offsets[:: found.window].tolist()
    assert set(found.epochs[:-1].tolist()) <= set(starts)


def test_whole_windows_cut_each_epoch_and_list_what_is_cut(small: Corpus) -> None:
    found = manifest_of(Explorer(small), THREE, whole_windows=True)
    a_window = 2 * 3 * 2
    assert np.diff(found.epochs).tolist() == [1501 // a_window * a_window] * 3
    assert set(found.micro_batches.sizes.tolist()) == {2}
    for epoch in range(3):
        assert sorted([*found.epoch(epoch).tolist(), *found.cut[epoch].tolist()]) == list(range(1501))


def test_a_short_micro_batch_in_the_last_full_window_is_cut_with_its_window() -> None:
    found = manifest(11, Knobs(micro_batch=2, accumulation=3, epochs=2), whole_windows=True)
    assert [len(part) for part in found.cut] == [5, 5]


def test_a_record_that_cannot_be_shared_out_is_cut_and_listed() -> None:
    found = manifest(7, Knobs(micro_batch=1, accumulation=2, epochs=2))
    # Micro-batches of one record: the first epoch has no eighth, the last one may end with a shorter step.
    assert [len(part) for part in found.cut] == [1, 0]
    assert len(found.order) == 13


def test_too_few_records_for_one_window_are_refused() -> None:
    with pytest.raises(UserError, match="no whole window"):
        manifest(5, Knobs(accumulation=4), whole_windows=True)
    with pytest.raises(UserError, match="no whole window"):
        manifest(3, Knobs(micro_batch=1, world_size=4))


def test_records_dropped_by_the_knobs_and_skipped_by_the_load_are_left_out() -> None:
    numbers = np.array([0, 1, 3, 4])
    read = Corpus("c", np.array([5, 900, 7, 8], np.int32), numbers=numbers, skipped=(Skipped(3, "bad"),))
    found = manifest_of(Explorer(read), Knobs(Sequential(), max_length=100, over_max="drop"))
    assert (found.records, found.order.tolist(), found.left_out[0].tolist()) == (5, [0, 3, 4], [1, 2])
    assert found.lengths is not None
    assert found.lengths.tolist() == [5, 900, 0, 7, 8]


def test_a_fixed_number_of_steps_becomes_as_many_epochs_as_hold_them() -> None:
    found = manifest(50, Knobs(micro_batch=2, accumulation=5, steps=12))
    assert (len(found.epochs) - 1, found.steps) == (3, 15)


def test_a_run_too_long_to_list_is_refused() -> None:
    with pytest.raises(UserError, match="too many to list"):
        manifest(5000, Knobs(epochs=100_000))


def test_a_seed_that_runs_out_is_refused() -> None:
    with pytest.raises(KnobError, match="seed"):
        manifest(50, Knobs(seed=2**32 - 1, epochs=2))


@pytest.mark.parametrize("name", ["order.json", "order.npz"])
@pytest.mark.parametrize(
    "options", [{}, {"whole_windows": True}, {"from_step": 7}, {"whole_windows": True, "from_step": 7}]
)
def test_what_is_written_reads_back_alike(tmp_path: Path, name: str, options: dict[str, bool | int]) -> None:
    made = manifest(101, THREE, **options)
    write_manifest(made, tmp_path / name)
    read = read_manifest(tmp_path / name)
    assert read.digest == made.digest
    assert flat(read) == flat(made)
    for each in (
        "records",
        "steps",
        "from_step",
        "knobs",
        "cost",
        "figures",
        "fingerprint",
        "tool_version",
        "warnings",
    ):
        assert getattr(read, each) == getattr(made, each)
    for each in ("order", "epochs", "remaining", "lengths"):
        assert getattr(read, each).tolist() == getattr(made, each).tolist()
    for each in ("cut", "left_out"):
        assert [part.tolist() for part in getattr(read, each)] == [part.tolist() for part in getattr(made, each)]


def test_packed_rows_and_varying_micro_batches_read_back_alike(tmp_path: Path) -> None:
    made = manifest(12, Knobs(Sequential(), micro_batch=1, accumulation=1))
    rows, planned = Groups(np.array([0, 3, 4, 7, 12])), Groups(np.array([0, 1, 4]))
    packed = replace(made, rows=rows, planned=planned)
    write_manifest(packed, tmp_path / "order.json")
    read = read_manifest(tmp_path / "order.json")
    assert read.rows is not None
    assert (read.rows.offsets.tolist(), read.planned.offsets.tolist()) == ([0, 3, 4, 7, 12], [0, 1, 4])


def test_what_is_left_from_a_step_on_is_bit_for_bit_the_end_of_the_whole_run(tmp_path: Path) -> None:
    for options in ({}, {"whole_windows": True}):
        whole, rest = manifest(101, THREE, **options), manifest(101, THREE, from_step=10, **options)
        write_manifest(rest, tmp_path / "rest.json")
        listed = json.loads((tmp_path / "rest.json").read_text())
        left = [number for batch in flat(whole)[10 * whole.window :] for number in batch]
        assert listed["order"] == left == rest.remaining.tolist()
        assert listed["consumed"] + listed["order"] == whole.order.tolist()


def test_a_step_beyond_the_run_is_refused() -> None:
    with pytest.raises(UserError, match=r"from-step: 99 is no step of the run - give 0 \.\. 3"):
        manifest(50, from_step=99)


def test_the_json_is_ascii_with_a_key_a_line(tmp_path: Path) -> None:
    named = Corpus("c", corpus(20).lengths)
    made = manifest_of(Explorer(named), Knobs(Bucket(4), mixing="kind"))
    write_manifest(replace(made, knobs={**made.knobs, "exclude": "caf\u00e9"}), tmp_path / "order.json")
    text = (tmp_path / "order.json").read_text()
    assert text.isascii()
    assert text.splitlines()[1] == '"bucketplan_manifest": 1,'
