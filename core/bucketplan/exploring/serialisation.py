"""A comparison of plans as JSON: ASCII, without NaN; what is unknown is null."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from bucketplan.corpus.corpus import Corpus
from bucketplan.cost.model import CostModel
from bucketplan.exploring.comparison import Compared
from bucketplan.planning.scenario import Scenario
from bucketplan.selection.truncation import shortest_max_length, truncation
from bucketplan.settings import values_of
from bucketplan.version import __version__

SCHEMA = 1


def cache_facts(corpus: Corpus, over_max: int | None, warnings: list[str]) -> dict[str, Any]:
    """What is known of a cache, by the names of the JSON report."""
    return {
        "path": corpus.path,
        "records": len(corpus),
        "tokens": corpus.tokens,
        "supervised_tokens": corpus.supervised_tokens,
        "roots": None if corpus.roots is None else len(corpus.roots.names),
        "kinds": None if corpus.kinds is None else len(corpus.kinds.names),
        "min_length": int(corpus.lengths.min()),
        "max_length": int(corpus.lengths.max()),
        "fully_masked": corpus.fully_masked,
        "stored_width": corpus.stored_width,
        "stored_tokens": corpus.stored_tokens,
        "over_max": over_max,
        "skipped": len(corpus.skipped),
        "skipped_records": [asdict(each) for each in corpus.skipped],
        "fingerprint": asdict(corpus.fingerprint),
        "warnings": warnings,
    }


def truncation_facts(corpus: Corpus, max_length: int | None, share: float) -> dict[str, Any]:
    """What a max length takes by truncating and by dropping, and how short one may be to lose at most a share.

    Raises:
        KnobError: the share is out of range.
    """
    taken = None if max_length is None else truncation(corpus, max_length)
    names = () if corpus.roots is None else corpus.roots.names
    by_root = None if taken is None else taken.roots
    return {
        "max_length": max_length,
        "total": None if taken is None else asdict(taken.total),
        "roots": None
        if by_root is None
        else {name: asdict(by_root.of(np.array([root]))) for root, name in enumerate(names)},
        "shortest": {
            "share": share,
            "truncate": shortest_max_length(corpus, share, "truncate"),
            "drop": shortest_max_length(corpus, share, "drop"),
        },
    }


def plan_facts(compared: Compared) -> dict[str, Any]:
    """One plan of the JSON report; the baseline has no saving."""
    report = compared.report
    return {
        "name": compared.name,
        "knobs": Scenario(report.knobs, report.cost).plan_values,
        "metrics": dict(report.metrics),
        "histograms": {name: asdict(each) for name, each in report.histograms.items()},
        "series": {name: asdict(each) for name, each in report.series.items()},
        "saving": None if compared.saving is None else asdict(compared.saving) | _interval(compared),
        "cautions": list(compared.cautions),
    }


def _interval(compared: Compared) -> dict[str, Any]:
    """How far the saving can be trusted, where the cost was measured."""
    return {} if compared.interval is None else {f"{name}_95": each for name, each in asdict(compared.interval).items()}


def report_json(cache: dict[str, Any], cost: CostModel, plans: list[dict[str, Any]]) -> str:
    """The whole report as one JSON text, ending in a newline."""
    whole = {"schema": SCHEMA, "version": __version__, "cache": cache, "cost": values_of(cost), "plans": plans}
    return json.dumps(whole, ensure_ascii=True, allow_nan=False, indent=1) + "\n"
