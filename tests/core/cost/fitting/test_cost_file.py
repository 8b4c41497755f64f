"""Cost files: what a fit writes is read back and fitted again; what no fit wrote is refused with the reason."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bucketplan.cost.fitting.cost_file import fit_facts, fit_json, read_cost, read_measurements
from bucketplan.cost.fitting.fit import Fit, fit
from bucketplan.cost.fitting.points import Point, Points
from bucketplan.errors import InputError

TIMES = ((512, 0.1), (1024, 0.21), (2048, 0.45), (4096, 1.02), (8192, 2.6))


@pytest.fixture
def fitted() -> Fit:
    return fit(Points("points.csv", tuple(Point(line, *pair) for line, pair in enumerate(TIMES, 2))))


def written(folder: Path, facts: object) -> str:
    path = folder / "cost.json"
    path.write_text(json.dumps(facts))
    return str(path)


def test_a_cost_file_gives_the_fit_back(fitted: Fit, tmp_path: Path) -> None:
    path = tmp_path / "cost.json"
    path.write_text(fit_json(fitted))
    cost = read_cost(str(path))
    assert cost.model == fitted.cost.model
    assert cost.points == fitted.cost.points
    assert cost.freedom == 3
    assert cost.covariance is not None
    assert fitted.cost.covariance is not None
    assert np.array_equal(cost.covariance, fitted.cost.covariance)
    assert (cost.widths, cost.rows) == ((512, 8192), (2, 2))


def test_the_fit_can_be_done_again_from_it(fitted: Fit, tmp_path: Path) -> None:
    again = fit(read_measurements(written(tmp_path, fit_facts(fitted))))
    assert again.cost.model == fitted.cost.model


def test_the_json_has_the_agreed_names_and_null_for_what_is_unknown(fitted: Fit) -> None:
    facts = fit_facts(fitted)
    agreed = "schema linear quadratic fixed rows points distinct_widths max_residual leave_one_out confidence models"
    assert {*agreed.split(), "warnings"} <= facts.keys()
    point = facts["points"][0]
    assert point["seconds"] - point["predicted"] == pytest.approx(point["residual"])
    two = fit_facts(fit(Points("p", fitted.cost.points[:2])))
    assert two["leave_one_out"] is None
    assert two["covariance"] is None
    json.dumps(two, allow_nan=False)


def test_a_measured_mask_penalty_may_stand_in_it(fitted: Fit, tmp_path: Path) -> None:
    cost = read_cost(written(tmp_path, fit_facts(fitted) | {"mask_penalty": 1.094, "passes_mask": True}))
    assert (cost.model.mask_penalty, cost.model.passes_mask) == (1.094, True)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": 2}, "a cost file of schema 2, where 1 is read"),
        ({"linear": -1e-4}, "linear: -0.0001 is not a value it can have - give 0 and up"),
        ({"quadratic": None}, "quadratic: missing"),
        ({"fixed": "0"}, "fixed: 0 is not a value it can have"),
        ({"rows": 0}, "rows: 0 is not a value it can have"),
        ({"rows": True}, "rows: True is not a value it can have"),
        ({"points": []}, "points: missing"),
        ({"points": [{"line": 2, "width": 512, "seconds": -1, "rows": 2}]}, "points: point 1 has not line, width"),
        ({"points": [7]}, "points: point 1 has not line, width"),
        ({"covariance": [[1]]}, "covariance: no covariance of 4 coefficients"),
        ({"covariance": [["x"] * 4] * 4}, "covariance: no covariance of 4 coefficients"),
        ({"confidence": {}}, "covariance: no covariance of 4 coefficients with its degrees of freedom"),
    ],
)
def test_what_no_fit_wrote_is_refused(fitted: Fit, tmp_path: Path, change: dict[str, Any], told: str) -> None:
    path = written(tmp_path, fit_facts(fitted) | change)
    with pytest.raises(InputError) as caught:
        read_cost(path)
    assert str(caught.value).startswith(f"{path}: {told}")


@pytest.mark.parametrize("key", ["linear", "quadratic", "fixed", "rows", "points"])
def test_a_missing_figure_is_named(fitted: Fit, tmp_path: Path, key: str) -> None:
    facts = fit_facts(fitted)
    del facts[key]
    with pytest.raises(InputError, match=f"{key}: missing"):
        read_cost(written(tmp_path, facts))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no JSON"),
        (b"width,seconds\n", "no JSON"),
        (b"[1]", "it holds no object"),
        (b'{"linear": 1}', "it has no schema"),
        (b'{"schema": 1, "cache": {}}', "linear: missing"),
        (b"[" * 100_000, "no JSON"),
    ],
    ids=["empty", "a table", "a list", "no schema", "a report", "nested"],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "cost.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_cost(str(path))
