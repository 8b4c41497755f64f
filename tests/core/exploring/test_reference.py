"""Every figure against the plain-Python reference, over random corpora and knobs."""

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bucketplan.corpus.corpus import Corpus, categories
from bucketplan.cost.model import CostModel
from bucketplan.exploring.explorer import Explorer
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential


@pytest.fixture(scope="module")
def reference(shared: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference_plan", shared / "tools" / "reference_plan.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@given(
    lengths=st.lists(st.integers(1, 400), min_size=1, max_size=150),
    seed=st.integers(0, 2**32 - 1),
    bucket=st.one_of(st.none(), st.integers(1, 160)),
    rows=st.integers(1, 9),
    accumulation=st.integers(1, 6),
    ranks=st.integers(1, 6),
    align=st.booleans(),
    sync=st.sampled_from(["step", "micro"]),
    multiple=st.sampled_from([1, 8, 64]),
    drop_last=st.booleans(),
    longest_first=st.booleans(),
    cost_rows=st.integers(1, 4),
    steps=st.one_of(st.none(), st.integers(1, 99)),
)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_figures_are_the_references(
    reference: ModuleType,
    lengths: list[int],
    seed: int,
    bucket: int | None,
    rows: int,
    accumulation: int,
    ranks: int,
    align: bool,
    sync: str,
    multiple: int,
    drop_last: bool,
    longest_first: bool,
    cost_rows: int,
    steps: int | None,
) -> None:
    if drop_last and len(lengths) < rows:
        return  # the reference has nothing left to measure
    rng = np.random.default_rng(seed)
    supervised = (rng.random(len(lengths)) * lengths).astype(np.int32)
    roots = [f"root {number}" for number in rng.integers(0, 5, len(lengths))]
    order, left = list(range(len(lengths))), 0
    if bucket is not None:
        order, left = reference.bucket_order(lengths, bucket, rows, seed, ranks, align, longest_first)
    wanted = reference.figures(
        order,
        lengths,
        supervised.tolist(),
        roots,
        rows,
        accumulation,
        ranks,
        sync,
        multiple,
        drop_last,
        cost_rows,
        steps,
        left,
    )
    corpus = Corpus("random", np.array(lengths, np.int32), supervised, categories(roots))
    knobs = Knobs(
        Sequential() if bucket is None else Bucket(bucket),
        micro_batch=rows,
        accumulation=accumulation,
        seed=seed,
        world_size=ranks,
        align_ranks=align,
        sync=sync,  # type: ignore[arg-type]
        pad_to_multiple=multiple,
        drop_last=drop_last,
        longest_first=longest_first,
        steps=steps,
    )
    found = Explorer(corpus).report(knobs, CostModel(rows=cost_rows)).metrics
    for name, value in wanted.items():
        if isinstance(value, float):
            mine = found[name]
            assert isinstance(mine, float | int), name
            assert math.isclose(mine, value, rel_tol=1e-9, abs_tol=1e-11), name
        else:
            assert found[name] == value, name
