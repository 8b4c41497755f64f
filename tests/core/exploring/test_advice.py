import numpy as np

from bucketplan.corpus.corpus import Corpus
from bucketplan.exploring.advice import beside, waiting
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential


def test_ranks_that_wait_are_told_what_alignment_gives(demo: Corpus) -> None:
    explorer = Explorer(demo)
    report = explorer.report(Knobs(Bucket(8), world_size=8, align_ranks=False))
    (line,) = waiting(explorer, report)
    aligned = explorer.report(Knobs(Bucket(8), world_size=8))
    assert line.startswith("ranks idle 69.1% of the time; with align-ranks they would idle 0.5%: ")
    assert line.endswith(f"{aligned.metrics['hours']:.2f} h, not {report.metrics['hours']:.2f} h")


def test_aligned_ranks_and_one_rank_are_told_nothing(demo: Corpus) -> None:
    explorer = Explorer(demo)
    assert waiting(explorer, explorer.report(Knobs(world_size=8))) == ()
    assert waiting(explorer, explorer.report(Knobs(Sequential()))) == ()


def test_file_order_is_told_of_buckets(demo: Corpus) -> None:
    explorer = Explorer(demo)
    (line,) = waiting(explorer, explorer.report(Knobs(Sequential(), world_size=8)))
    assert "with the bucket strategy and align-ranks" in line


def test_a_plan_that_swings_more_than_the_baseline_is_named() -> None:
    lengths = np.concatenate([np.arange(1, 1001), np.arange(1000, 0, -1)]).astype(np.int32)
    explorer = Explorer(Corpus("sawtooth", lengths, np.where(lengths > 900, lengths, 0).astype(np.int32)))
    random, sawtooth = explorer.report(Knobs()), explorer.report(Knobs(Sequential()))
    told = " | ".join(beside(sawtooth, random))
    assert "widths of neighbouring rounds correlate by 1.00" in told
    assert "supervised tokens of steps vary" in told
    assert beside(random, random) == ()


def test_a_larger_peak_is_named_with_its_step() -> None:
    lengths = np.array([10, 1, 9, 1, 8, 1], np.int32)
    explorer = Explorer(Corpus("peaks", lengths))
    small = explorer.report(Knobs(Sequential(), micro_batch=1, accumulation=1))
    large = explorer.report(Knobs(Sequential(), micro_batch=2, accumulation=1))
    assert "the largest micro-batch has 20 tokens, the baseline's 10: at step 0" in beside(large, small)
