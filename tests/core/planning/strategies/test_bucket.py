"""The bucket plan against its definition, written as plain loops."""

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bucketplan.corpus.corpus import Corpus
from bucketplan.exploring.explorer import Explorer
from bucketplan.exploring.memo import Memo
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.strategy import Work


def by_definition(lengths: list[int], knobs: Knobs, bucket: int) -> tuple[list[int], int]:
    by_length = sorted(range(len(lengths)), key=lambda record: lengths[record])
    rng, size = Random(knobs.seed), knobs.micro_batch
    cut = []
    for start in range(0, len(by_length), bucket):
        run = by_length[start : start + bucket]
        rng.shuffle(run)
        cut += [run[at : at + size] for at in range(0, len(run) // size * size, size)]
    block = knobs.world_size if knobs.align_ranks else 1
    whole = len(cut) // block * block
    blocks = [cut[at : at + block] for at in range(0, whole, block)]
    rng.shuffle(blocks)
    if knobs.longest_first and blocks:
        padded = [sum(max(lengths[record] for record in batch) * size for batch in each) for each in blocks]
        blocks.insert(0, blocks.pop(padded.index(max(padded))))
    order = [record for each in blocks for batch in each for record in batch]
    order += [record for batch in cut[whole:] for record in batch]
    left = [record for record in by_length if record not in set(order)]
    return order + left, len(left)


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=120),
    st.integers(1, 200),
    st.builds(
        Knobs,
        micro_batch=st.integers(1, 12),
        seed=st.integers(0, 2**32 - 1),
        world_size=st.integers(1, 6),
        align_ranks=st.booleans(),
        longest_first=st.booleans(),
    ),
)
@settings(max_examples=300, deadline=None)
def test_the_order_is_the_one_defined(lengths: list[int], bucket: int, knobs: Knobs) -> None:
    order, left = by_definition(lengths, knobs, bucket)
    corpus = Corpus("random", np.array(lengths, np.int32))
    plan = Bucket(bucket).plan(Explorer(corpus)._selection(knobs), knobs, _work())
    assert plan.record_numbers.tolist() == order
    assert plan.leftover_records == left


def test_records_longer_than_sixteen_bits_are_sorted_too() -> None:
    lengths = [70_000, 3, 66_000, 65_536, 65_535]
    corpus = Corpus("long", np.array(lengths, np.int32))
    report = Explorer(corpus).report(Knobs(Bucket(1), micro_batch=1))
    assert sorted(report.plan.row_lengths.tolist()) == sorted(lengths)
    assert report.plan.selection.by_length.tolist() == [1, 4, 3, 2, 0]


def _work() -> Work:
    return Work(Memo(4), lambda: False)
