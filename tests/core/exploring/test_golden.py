"""Every figure against results of evaluators that are not this project's."""

import json
import math
from typing import Any

import pytest

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.model import CostModel
from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.report import Report, saving
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential
from tests.conftest import DATA

# Names of the older evaluator, and what the project calls them.
METRICS = {
    "micro_batches": "micro_batches",
    "dropped_rows": "short_rows",
    "real_tokens": "real_tokens",
    "padded_tokens": "padded_tokens",
    "waste": "waste",
    "Ew": "mean_width",
    "Ew2": "mean_square_width",
    "t_mb": "seconds_per_micro_batch",
    "linear": "linear_seconds",
    "quadratic": "quadratic_seconds",
    "p50": "width_p50",
    "p90": "width_p90",
    "p99": "width_p99",
    "min_width": "width_min",
    "max_width": "width_max",
    "step": "seconds_per_step",
    "hours": "hours",
    "exact": "zero_pad_micro_batches",
    "windows": "windows",
    "roots_per_window_mean": "roots_per_window_mean",
    "roots_per_window_min": "roots_per_window_min",
    "order_sha256": "order_sha256",
    "leftover_rows": "leftover_records",
}
SAVINGS = {"wall_fraction": "time_fraction", "padded_fraction": "padded_tokens_fraction", "hours": "hours"}
STEPS = 1312


def golden(name: str) -> Any:
    return json.loads((DATA / f"golden-{name}.json").read_text())


def same(found: object, wanted: object) -> bool:
    if isinstance(wanted, float):
        return isinstance(found, int | float) and math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-15)
    return found == wanted


def differences(report: Report, wanted: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {report.metrics[mine]} is not {wanted[name]}"
        for name, mine in METRICS.items()
        if name in wanted and not same(report.metrics[mine], wanted[name])
    ]


def check_group(explorer: Explorer, group: dict[str, Any]) -> None:
    """A baseline in file order, and plans of several bucket sizes, of one micro-batch and accumulation."""
    rows, accumulation = group["MB"], group["ACCUM"]
    cost = CostModel(rows=rows)

    def report(strategy: Bucket | Sequential) -> Report:
        knobs = Knobs(strategy, micro_batch=rows, accumulation=accumulation, drop_last=True, steps=STEPS)
        return explorer.report(knobs, cost)

    baseline = report(Sequential())
    assert differences(baseline, group["current"]) == []
    for bucket, wanted in group["buckets"].items():
        planned = report(Bucket(int(bucket)))
        assert differences(planned, wanted) == []
        saved = saving(planned, baseline)
        for name, mine in SAVINGS.items():
            if name in wanted.get("saving", {}):
                assert same(getattr(saved, mine), wanted["saving"][name]), (bucket, name)


def test_the_plans_of_a_small_cache(small: Corpus) -> None:
    check_group(Explorer(small), golden("small"))


@pytest.mark.parametrize("group", golden("small")["grid"], ids=lambda group: f"{group['MB']}x{group['ACCUM']}")
def test_the_whole_grid_of_a_small_cache(small: Corpus, group: dict[str, Any]) -> None:
    check_group(Explorer(small), group)


def test_the_plans_of_the_built_in_corpus(demo: Corpus) -> None:
    check_group(Explorer(demo), golden("lengths"))


@pytest.mark.parametrize("case", golden("more"), ids=lambda case: f"{case['cache'][:5]} {case['knobs']}")
def test_ranks_alignment_padding_and_odd_sizes(demo: Corpus, small: Corpus, case: dict[str, Any]) -> None:
    corpus = {"lengths.jsonl.gz": demo, "cache-small.jsonl.gz": small}[case["cache"]]
    knobs = dict(case["knobs"])
    bucket = knobs.pop("bucket", 8)
    strategy = Bucket(bucket) if case["strategy"] == "bucket" else Sequential()
    report = Explorer(corpus).report(Knobs(strategy, **knobs))
    wrong = {
        name: report.metrics[name] for name, value in case["metrics"].items() if not same(report.metrics[name], value)
    }
    assert wrong == {}
