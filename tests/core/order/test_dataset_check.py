"""A trainer that would run another plan is refused before its first batch, and told what to change."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bucketplan.errors import UserError
from bucketplan.exploring.explorer import Explorer
from bucketplan.order import Manifest, check
from bucketplan.order.making import manifest_of
from bucketplan.planning.knobs import Knobs
from tests.core.order.cases import corpus

TWO = Knobs(micro_batch=2, accumulation=3, world_size=2)
LENGTHS = corpus(60).lengths.tolist()


def made(**knobs: Any) -> Manifest:
    return manifest_of(Explorer(corpus(60)), Knobs(micro_batch=2, accumulation=3, world_size=2, **knobs))


def dataset(lengths: list[int]) -> list[dict[str, list[int]]]:
    return [{"input_ids": [1] * length} for length in lengths]


def test_a_trainer_set_up_as_planned_passes() -> None:
    check(made(), dataset(LENGTHS), world_size=2, micro_batch=2, accumulation=3, epochs=1.0, split_batches=False)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"world_size": 1}, "world size: the trainer is set to 1, and the plan is for 2 - train on so many ranks"),
        ({"micro_batch": 4}, "micro-batch: the trainer is set to 4, and the plan is for 2"),
        ({"accumulation": 8}, "accumulation: the trainer is set to 8, and the plan is for 3"),
        ({"epochs": 3.0}, "epochs: the trainer is set to 3.0, and the plan is for 1 - train for one"),
        ({"split_batches": True}, "split_batches: it lays records out otherwise than the plan - turn it off"),
        ({"ignore_data_skip": True}, "ignore_data_skip: a resumed run would start the order again - turn it off"),
    ],
)
def test_other_settings_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as caught:
        check(made(), dataset(LENGTHS), **{"world_size": 2, **settings})
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lengths: lengths[:-1], "dataset: 59 records, and the plan is for 60"),
        (lambda lengths: lengths[::-1], "dataset: record 0 has"),
        (lambda lengths: [*lengths[:-1], lengths[-1] + 1], "dataset: record 59 has"),
    ],
)
def test_a_dataset_of_another_length_or_order_is_refused(change: Callable[[list[int]], list[int]], says: str) -> None:
    with pytest.raises(UserError) as caught:
        check(made(), dataset(change(LENGTHS)), world_size=2)
    assert str(caught.value).startswith(says)


def test_a_trainer_may_truncate_where_the_plan_does() -> None:
    cut = [min(length, 100) for length in LENGTHS]
    check(made(max_length=100, over_max="truncate"), dataset(cut), world_size=2)
    check(made(max_length=100, over_max="truncate"), dataset(LENGTHS), world_size=2)
    with pytest.raises(UserError, match="dataset: record"):
        check(made(max_length=100, over_max="keep"), dataset(cut), world_size=2)


def test_padding_that_a_mask_hides_is_not_counted() -> None:
    longest = max(LENGTHS)
    masks = [[1] * length + [0] * (longest - length) for length in LENGTHS]
    check(made(), [{"input_ids": [1] * longest, "attention_mask": mask} for mask in masks], world_size=2)
    arrays = [{"input_ids": [1] * longest, "attention_mask": np.array(mask)} for mask in masks]
    check(made(), arrays, world_size=2)


def test_lengths_can_be_given_as_they_are_or_counted_otherwise() -> None:
    check(made(), np.array(LENGTHS), world_size=2)
    check(made(), [{"n": length} for length in LENGTHS], world_size=2, length_of=lambda record: record["n"])
