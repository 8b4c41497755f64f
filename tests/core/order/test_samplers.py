"""The samplers give the order by rank and from any step, need numpy alone, and resume bit for bit."""

import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from bucketplan.errors import UserError
from bucketplan.order import BatchSampler, Sampler
from bucketplan.planning.groups import Groups
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.sequential import Sequential
from tests.core.order.cases import flat, manifest, written

THREE = Knobs(micro_batch=2, accumulation=3, world_size=2, epochs=3)


def test_one_sampler_for_all_ranks_gives_the_micro_batches_in_the_order_of_the_plan() -> None:
    found = manifest(101, THREE)
    sampler = BatchSampler(found)
    assert list(sampler) == flat(found)
    assert len(sampler) == len(flat(found))
    assert not hasattr(sampler, "batch_size")


@pytest.mark.parametrize("whole_windows", [True, False])
def test_a_rank_gives_its_own_micro_batches_in_the_layout_of_the_plan(whole_windows: bool) -> None:
    found = manifest(101, THREE, whole_windows=whole_windows)
    batches = flat(found)
    for rank in range(2):
        sampler = BatchSampler(found, rank, 2)
        own = list(sampler)
        assert len(sampler) == len(own)
        for micro_step, records in enumerate(own):
            step, accumulated = divmod(micro_step, 3)
            assert records == batches[(step * 3 + accumulated) * 2 + rank]


def test_a_plain_sampler_gives_flat_positions_of_the_order() -> None:
    found = manifest(101, THREE, whole_windows=True)
    order = found.order.tolist()
    assert list(Sampler(found)) == order
    for rank in range(2):
        own = list(Sampler(found, rank, 2))
        for place, number in enumerate(own):
            (step, accumulated), row = divmod(place // 2, 3), place % 2
            assert number == order[((step * 3 + accumulated) * 2 + rank) * 2 + row]


def test_every_record_of_every_epoch_is_given_exactly_once() -> None:
    found = manifest(101, THREE)
    given = [number for rank in range(2) for batch in BatchSampler(found, rank, 2) for number in batch]
    assert sorted(given) == sorted([*range(101)] * 3)


def test_packed_rows_come_as_tuples() -> None:
    found = manifest(7, Knobs(Sequential(), micro_batch=1, accumulation=1))
    packed = replace(found, rows=Groups(np.array([0, 3, 4, 7])), planned=Groups(np.array([0, 2, 3])))
    assert list(BatchSampler(packed)) == [[(0, 1, 2), (3,)], [(4, 5, 6)]]
    with pytest.raises(UserError, match="not all of one size"):
        Sampler(packed)


@pytest.mark.parametrize("step", [0, 1, 10, 20])
def test_from_a_step_on_the_rest_is_bit_for_bit_that_of_the_whole_run(step: int) -> None:
    for kind, rank in ((BatchSampler, None), (BatchSampler, 1), (Sampler, None), (Sampler, 1)):
        found = manifest(101, THREE, whole_windows=True)
        whole = list(kind(found, rank))
        rest = kind(found, rank).from_step(step)
        assert list(rest) == whole[len(whole) - len(rest) :]
        assert len(whole) - len(rest) == step * len(whole) // found.steps


def test_a_manifest_from_a_step_on_starts_there() -> None:
    assert list(BatchSampler(manifest(101, THREE, from_step=5))) == flat(manifest(101, THREE))[5 * 6 :]


@pytest.mark.parametrize("taken", [0, 1, 7, 76])
def test_a_state_resumes_in_the_middle_once(taken: int) -> None:
    found = manifest(101, THREE, whole_windows=True)
    for kind in (BatchSampler, Sampler):
        whole = list(kind(found))
        sampler = kind(found)
        assert list(islice(sampler, taken)) == whole[:taken]
        resumed = kind(found)
        resumed.load_state_dict(sampler.state_dict())
        assert resumed.state_dict() == sampler.state_dict()
        assert list(resumed) == whole[taken:]
        assert list(resumed) == whole


def test_looking_at_a_first_batch_moves_nothing() -> None:
    sampler = BatchSampler(manifest(101, THREE))
    first = next(iter(sampler))
    assert next(iter(sampler)) == first


def test_a_state_of_another_order_is_refused() -> None:
    state = BatchSampler(manifest(101, THREE)).state_dict()
    with pytest.raises(UserError, match="belongs to another order"):
        BatchSampler(manifest(101, replace(THREE, seed=1))).load_state_dict(state)


def test_a_wrong_rank_world_size_or_step_is_refused() -> None:
    found = manifest(101, THREE)
    with pytest.raises(UserError, match="world size: 4 ranks train, and the plan is for 2"):
        BatchSampler(found, 0, 4)
    with pytest.raises(UserError, match=r"rank: 2 is not in 0 \.\. 1"):
        BatchSampler(found, 2)
    with pytest.raises(UserError, match="step 99 is not in the run"):
        BatchSampler(found).from_step(99)


def test_varying_micro_batches_are_refused_by_the_plain_sampler() -> None:
    with pytest.raises(UserError, match="use the BatchSampler, or export with --whole-windows"):
        Sampler(manifest(101, THREE))


def test_it_needs_numpy_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "order.json")
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['torch', 'orjson', 'rich', 'textual', 'platformdirs']));"
        "from bucketplan.order import BatchSampler, Progress, Sampler, check, read_manifest;"
        f"print(sum(map(len, BatchSampler(read_manifest({str(path)!r})))))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "50\n"
