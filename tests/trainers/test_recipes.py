"""Every recipe, run by its real trainer: the model sees the records of the manifest, all of them, in its order."""

import signal
from pathlib import Path

import pytest

from bucketplan.order.rewrite import rewrite
from bucketplan.planning.knobs import Knobs
from bucketplan.run.logs import follow
from tests.trainers.runs import Run, make_run

ONE = Knobs(micro_batch=2, accumulation=3, epochs=2)
TWO = Knobs(micro_batch=2, accumulation=2, world_size=2, epochs=2)

CUTTING = ("transformers", "trl")
OWN_LOOPS = ("torch", "torchdata", "accelerate")


def trained(run: Run, text: str, *, resume: bool = False) -> list[list[list[int]]]:
    statuses = run.train(text, resume=resume)
    assert not any(statuses), run.output()
    return run.consumed()


def killed(run: Run, text: str, micro_batches: int) -> list[list[list[int]]]:
    statuses = run.train(text, die_after=micro_batches)
    assert statuses[0] == -signal.SIGKILL, run.output()
    return run.consumed()


def check_resumed(run: Run, text: str, micro_batches: int, step: int) -> None:
    """Killed in mid-run and resumed from the checkpoint of a step, the two runs together are the plan."""
    before = killed(run, text, micro_batches)
    for rank, planned in enumerate(run.planned()):
        assert before[rank] == planned[: len(before[rank])]
    assert len(before[0]) == micro_batches
    assert trained(run, text, resume=True) == run.planned(step)


@pytest.mark.parametrize("name", OWN_LOOPS)
@pytest.mark.parametrize("knobs", [ONE, TWO], ids=["one rank", "two ranks"])
def test_a_loop_of_ones_own_consumes_every_record_of_the_manifest(tmp_path: Path, name: str, knobs: Knobs) -> None:
    run = make_run(tmp_path, knobs)
    assert not any(map(len, run.manifest.cut))
    assert trained(run, run.recipe(name)) == run.planned()


@pytest.mark.parametrize("name", CUTTING)
@pytest.mark.parametrize("knobs", [ONE, TWO], ids=["one rank", "two ranks"])
def test_a_trainer_that_cuts_micro_batches_consumes_the_manifest(tmp_path: Path, name: str, knobs: Knobs) -> None:
    run = make_run(tmp_path, knobs, whole_windows=True)
    assert any(map(len, run.manifest.cut))
    assert trained(run, run.recipe(name)) == run.planned()


@pytest.mark.parametrize("knobs", [ONE, TWO], ids=["one rank", "two ranks"])
def test_a_trainer_with_a_batch_sampler_cuts_nothing(tmp_path: Path, knobs: Knobs) -> None:
    run = make_run(tmp_path, knobs)
    assert run.manifest.micro_batches.size is None
    assert trained(run, run.recipe("transformers")) == run.planned()


@pytest.mark.parametrize("name", ["torch", "torchdata"])
def test_a_killed_loop_goes_on_where_its_checkpoint_was(tmp_path: Path, name: str) -> None:
    # Killed in step 20 of 34, in the second epoch: 20 steps of 3 micro-batches are saved.
    run = make_run(tmp_path, ONE)
    check_resumed(run, run.recipe(name), 61, 20)


@pytest.mark.parametrize("name", ["torch", "accelerate"])
def test_killed_ranks_go_on_where_their_checkpoint_was(tmp_path: Path, name: str) -> None:
    run = make_run(tmp_path, TWO)
    check_resumed(run, run.recipe(name), 35, 17)


@pytest.mark.parametrize("name", CUTTING)
def test_a_killed_trainer_resumes_in_the_second_epoch(tmp_path: Path, name: str) -> None:
    # Checkpoints every 7 steps: killed in step 17, it goes on from 14.
    run = make_run(tmp_path, TWO, whole_windows=True)
    check_resumed(run, run.recipe(name), 35, 14)


def test_a_killed_trainer_with_a_batch_sampler_resumes_in_the_second_epoch(tmp_path: Path) -> None:
    run = make_run(tmp_path, TWO)
    check_resumed(run, run.recipe("transformers"), 35, 14)


COPY = """
from datasets import Dataset
from torch.utils.data import SequentialSampler
from transformers import Trainer, TrainingArguments


class InFileOrder(Trainer):
    def _get_train_sampler(self, train_dataset=None):
        return SequentialSampler(self.train_dataset)


dataset = Dataset.from_json("ordered.jsonl").remove_columns("dataset_id")
arguments = TrainingArguments(
    output_dir="out",
    per_device_train_batch_size=2,
    gradient_accumulation_steps=2,
    num_train_epochs=1,
)
trainer = InFileOrder(model=model, args=arguments, train_dataset=dataset, data_collator=collate)
trainer.train()
"""


def test_a_trainer_that_reads_a_reordered_copy_in_file_order_follows_the_plan(tmp_path: Path) -> None:
    run = make_run(tmp_path, TWO, whole_windows=True)
    rewrite(run.manifest, str(tmp_path / "cache.jsonl"), tmp_path / "ordered.jsonl")
    quiet = COPY.replace('output_dir="out",', 'output_dir="out", save_strategy="no", report_to=[], use_cpu=True,')
    assert trained(run, quiet) == run.planned()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ("gradient_accumulation_steps=4,", "accumulation: the trainer is set to 4"),
        ("gradient_accumulation_steps=3, accelerator_config={'split_batches': True},", "split_batches"),
        ("gradient_accumulation_steps=3, ignore_data_skip=True,", "ignore_data_skip"),
    ],
)
def test_a_trainer_set_up_otherwise_is_refused_before_the_first_batch(tmp_path: Path, changed: str, says: str) -> None:
    run = make_run(tmp_path, ONE, whole_windows=True)
    text = run.recipe("transformers").replace("gradient_accumulation_steps=3,", changed)
    assert run.train(text) == [1]
    assert says in run.output().splitlines()[-1]
    assert not (tmp_path / "consumed-0.jsonl").exists()


def test_the_log_of_a_run_is_what_verify_reads(tmp_path: Path) -> None:
    run = make_run(tmp_path, ONE)
    assert not any(run.train(run.recipe("torch"))), run.output()
    found = follow(run.manifest, str(tmp_path / "consumed-0.jsonl"))
    assert (found.step, found.micro_batches) == (run.manifest.steps, len(run.manifest.micro_batches))
