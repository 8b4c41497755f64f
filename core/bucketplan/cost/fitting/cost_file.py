"""A cost file: a fit as JSON, with the points in it, so that it can be read by every command and done again."""

import json
import math
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from bucketplan.cost.fitting.findings import findings
from bucketplan.cost.fitting.fit import Fit
from bucketplan.cost.fitting.measured_cost import LEVEL, TERMS, MeasuredCost
from bucketplan.cost.fitting.points import Point, Points, points_of
from bucketplan.cost.model import CostModel
from bucketplan.errors import InputError, KnobError
from bucketplan.readers.text.small_file import whole
from bucketplan.version import __version__

SCHEMA = 1

_FIT_AGAIN = "write it again with bucketplan fit"
_REQUIRED = ("linear", "quadratic", "fixed", "rows")
_OPTIONAL = ("windowed", "window", "step_seconds", "mask_penalty", "passes_mask")


def fit_facts(fit: Fit) -> dict[str, Any]:
    """A fit as JSON has it; what the points do not tell is null."""
    model, points = fit.cost.model, fit.cost.points
    return {
        "schema": SCHEMA,
        "version": __version__,
        "linear": model.linear,
        "quadratic": model.quadratic,
        "fixed": model.fixed,
        "windowed": model.windowed,
        "window": model.window,
        "rows": model.rows,
        "crossover_width": model.crossover_width,
        "points": [
            {
                "line": point.line,
                "width": point.width,
                "seconds": point.seconds,
                "rows": point.rows,
                "predicted": predicted,
                "residual": residual,
            }
            for point, predicted, residual in zip(points, fit.predicted.tolist(), fit.residuals.tolist(), strict=True)
        ],
        "distinct_widths": len({point.width for point in points}),
        "max_residual": float(np.abs(fit.residuals).max()),
        "leave_one_out": fit.leave_one_out,
        "confidence": {"level": LEVEL, "freedom": fit.cost.freedom} | dict(fit.confidence),
        "covariance": None if fit.cost.covariance is None else fit.cost.covariance.tolist(),
        "models": [
            {
                "terms": list(terms),
                **each.solution.values,
                "relative_error": math.sqrt(each.solution.squares / len(points)),
                "aicc": each.aicc,
                "f": each.f,
                "p": each.p,
                "chosen": terms == fit.solution.allowed,
            }
            for terms, each in fit.candidates.items()
        ],
        "findings": findings(fit),
        "warnings": list(fit.warnings),
    }


def fit_json(fit: Fit) -> str:
    """A fit as one JSON text, ending in a newline: what a cost file holds."""
    return json.dumps(fit_facts(fit), ensure_ascii=True, allow_nan=False, indent=1) + "\n"


def read_measurements(path: str, rows: int | None = None) -> Points:
    """The points of a table, or those in a cost file, to be fitted again.

    Raises:
        InputError: as `points_of` and `read_cost`.
    """
    content, warnings = whole(path, "a table of width,seconds, or a cost file")
    if content.lstrip().startswith(b"{"):
        return Points(path, _cost_of(path, content).points, warnings)
    found = points_of(path, content, rows)
    return Points(path, found.points, (*warnings, *found.warnings))


def read_cost(path: str) -> MeasuredCost:
    """The cost file that `bucketplan fit` wrote.

    Raises:
        InputError: it is none, one of another version, or one whose figures no fit can have.
    """
    content, _ = whole(path, "a cost file, as bucketplan fit writes it")
    return _cost_of(path, content)


def _cost_of(path: str, content: bytes) -> MeasuredCost:
    found = _object(path, content)
    if found.get("schema") != SCHEMA:
        if "schema" not in found:
            raise InputError(path, "no cost file: it has no schema", remedy=_FIT_AGAIN)
        problem = f"a cost file of schema {found['schema']}, where {SCHEMA} is read"
        raise InputError(path, problem, remedy=_FIT_AGAIN)
    model, points = _model(path, found), _points(path, found.get("points"))
    return MeasuredCost(path, model, points, *_covariance(path, found))


def _object(path: str, content: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise InputError(path, f"no JSON: {error.msg}", line=error.lineno, remedy=_FIT_AGAIN) from None
    if not isinstance(found, dict):
        raise InputError(path, "no cost file: it holds no object", remedy=_FIT_AGAIN)
    return found


def _model(path: str, found: dict[str, Any]) -> CostModel:
    for key in _REQUIRED:
        if found.get(key) is None:
            raise InputError(path, "missing", key=key, remedy=_FIT_AGAIN)
    values = {key: found[key] for key in (*_REQUIRED, *_OPTIONAL) if key in found}
    try:
        return CostModel(**values)
    except KnobError as error:
        name, _, problem = error.args[0].partition(": ")
        raise InputError(path, problem, key=name) from None


def _points(path: str, found: object) -> tuple[Point, ...]:
    if not isinstance(found, list) or not found:
        raise InputError(path, "missing: a cost file holds the measurements it was fitted to", key="points")
    return tuple(_point(path, place, each) for place, each in enumerate(found, start=1))


def _point(path: str, place: int, found: object) -> Point:
    fields = found if isinstance(found, dict) else {}
    line, width, seconds, rows = (fields.get(name) for name in ("line", "width", "seconds", "rows"))
    counts = [each for each in (line, width, rows) if isinstance(each, int) and not isinstance(each, bool)]
    if len(counts) < 3 or min(counts) < 1 or not isinstance(seconds, int | float) or seconds <= 0:
        problem = f"point {place} has not line, width, seconds and rows above 0"
        raise InputError(path, problem, key="points", remedy=_FIT_AGAIN)
    return Point(counts[0], counts[1], float(seconds), counts[2])


def _covariance(path: str, found: dict[str, Any]) -> tuple[NDArray[np.float64] | None, int]:
    """The covariance and the degrees of freedom behind it."""
    given = found.get("covariance")
    if given is None:
        return None, 0
    confidence = found.get("confidence")
    freedom = confidence.get("freedom") if isinstance(confidence, dict) else None
    try:
        matrix = np.array(given, np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    square = matrix.shape == (len(TERMS), len(TERMS)) and bool(np.all(np.isfinite(matrix)))
    if not square or bool(np.any(np.diag(matrix) < 0)) or not isinstance(freedom, int) or freedom < 1:
        problem = f"no covariance of {len(TERMS)} coefficients with its degrees of freedom"
        raise InputError(path, problem, key="covariance", remedy=_FIT_AGAIN)
    return matrix, freedom
