"""What a trainer is about to do, compared with the plan before the first batch."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bucketplan.errors import UserError
from bucketplan.order.manifest import Manifest


def check(
    manifest: Manifest,
    dataset: Any,
    *,
    world_size: int,
    micro_batch: int | None = None,
    accumulation: int | None = None,
    epochs: float | None = None,
    split_batches: bool | None = False,
    ignore_data_skip: bool = False,
    length_of: Callable[[Any], int] | None = None,
) -> None:
    """Refuse to train otherwise than planned.

    Args:
        manifest: the order.
        dataset: what the trainer loads records from, by number; its lengths are compared with the plan's, all of them.
            A NumPy array or a list of integers stands for the lengths themselves.
        world_size: ranks that train.
        micro_batch: rows of a micro-batch, where the trainer cuts them itself.
        accumulation: micro-batches of a step on one rank; None where the training loop steps by itself.
        epochs: epochs that the trainer is told to run: 1, since the order holds the whole run.
        split_batches: whether a micro-batch is split over the ranks.
        ignore_data_skip: whether a resumed trainer starts the order again.
        length_of: tokens of a record; by default those of its attention mask, else of its `input_ids`.

    Raises:
        UserError: the first difference, and what to change.
    """
    _same("world size", world_size, manifest.world_size, "train on so many ranks, or export with --world-size")
    if micro_batch is not None:
        _same("micro-batch", micro_batch, manifest.micro_batches.size, "set it so, or export with --micro-batch")
    if accumulation is not None:
        _same("accumulation", accumulation, manifest.accumulation, "set it so, or export with --accumulation")
    if epochs is not None:
        _same("epochs", epochs, 1, "train for one: the order holds all epochs of the run")
    if split_batches:
        raise UserError("split_batches: it lays records out otherwise than the plan - turn it off")
    if ignore_data_skip:
        raise UserError("ignore_data_skip: a resumed run would start the order again - turn it off")
    _check_lengths(manifest, dataset, length_of or tokens_of)


def tokens_of(record: Any) -> int:
    """Tokens of a record: the non-zero entries of its attention mask, or the length of its `input_ids`."""
    mask = record.get("attention_mask") if hasattr(record, "get") else None
    if mask is None:
        return len(record["input_ids"])
    return len(mask) - mask.count(0) if isinstance(mask, list) else int((mask != 0).sum())


def _same(name: str, given: float, planned: float | None, remedy: str) -> None:
    if planned is None:
        raise UserError(f"{name}: the trainer is set to {given:,}, and the plan's varies - use the BatchSampler")
    if given != planned:
        raise UserError(f"{name}: the trainer is set to {given:,}, and the plan is for {planned:,} - {remedy}")


def _check_lengths(manifest: Manifest, dataset: Any, length_of: Callable[[Any], int]) -> None:
    if len(dataset) != manifest.records:
        problem = f"dataset: {len(dataset):,} records, and the plan is for {manifest.records:,}"
        raise UserError(f"{problem} - load what was planned, unfiltered, or plan what is loaded")
    if manifest.lengths is None:
        return
    planned = _seen(manifest, manifest.lengths)
    for number in np.flatnonzero(manifest.lengths).tolist():
        found = _length(dataset[number], length_of)
        if found != planned[number] and found != manifest.lengths[number]:
            problem = f"dataset: record {number:,} has {found:,} tokens, and {manifest.lengths[number]:,} in the plan"
            raise UserError(f"{problem} - load what was planned, in its order, or plan what is loaded")


def _length(record: Any, length_of: Callable[[Any], int]) -> int:
    return int(record) if isinstance(record, int | np.integer) else length_of(record)


def _seen(manifest: Manifest, lengths: NDArray[np.int32]) -> NDArray[np.int32]:
    """Lengths as a trainer that truncates may see them."""
    most = manifest.knobs.get("max_length")
    if isinstance(most, int) and manifest.knobs.get("over_max") == "truncate":
        return np.minimum(lengths, most)
    return lengths
