"""What a fit says, section by section."""

from bucketplan.cost.fitting.findings import findings
from bucketplan.cost.fitting.fit import Fit
from bucketplan.cost.fitting.measured_cost import LEVEL, TERMS
from bucketplan_tui.text.document import Block, Heading, Lines, Table
from bucketplan_tui.text.numbers import UNKNOWN, seconds_text

_LETTERS = {"fixed": "C", "linear": "A", "quadratic": "B", "windowed": "D"}
_UNITS = {"fixed": "s", "linear": "s/token", "quadratic": "s/token²", "windowed": "s/token²"}
_SHAPES = "t = C + (A w + B w²) r / r0"
_WINDOWED_SHAPES = "t = C + (A w + B w² + D w min(w, window)) r / r0"
_RULE = (
    "Residuals are counted as shares of the measured times. F and p compare a model with the largest one: "
    "a small p says that a term it lacks is needed."
)


def fit_sections(fit: Fit) -> list[Block]:
    """The whole fit: findings, coefficients, points, models, warnings."""
    model = fit.cost.model
    shapes = _SHAPES if model.window is None else f"{_WINDOWED_SHAPES}, window {model.window:,}"
    blocks: list[Block] = [
        Heading(fit.cost.path),
        Lines((f"{shapes}, r0 = {model.rows}", *findings(fit))),
        Heading("Coefficients"),
        _coefficients(fit),
        Heading("Points"),
        _points(fit),
        Lines(_errors(fit)),
        Heading("Models"),
        _models(fit),
        Lines((_RULE,)),
    ]
    if fit.warnings:
        blocks += [Heading("Warnings"), Lines(tuple(f"! {line}" for line in fit.warnings))]
    return blocks


def _coefficients(fit: Fit) -> Table:
    rows = []
    for term in TERMS if fit.cost.model.window is not None else TERMS[:3]:
        interval = fit.confidence[term]
        bounds = (UNKNOWN, UNKNOWN) if interval is None else (f"{interval[0]:.5g}", f"{interval[1]:.5g}")
        rows.append((f"{_LETTERS[term]}  {term}", f"{fit.solution.values[term]:.5g}", *bounds, _UNITS[term]))
    return Table(("", "value", f"{LEVEL:.0%} from", "to", "unit"), tuple(rows))


def _points(fit: Fit) -> Table:
    rows = [
        (
            f"line {point.line}",
            f"{point.width:,}",
            f"{point.rows:,}",
            seconds_text(point.seconds),
            seconds_text(predicted),
            f"{residual * 1000:+,.3f} ms",
            f"{residual / point.seconds:+.2%}",
        )
        for point, predicted, residual in zip(
            fit.cost.points, fit.predicted.tolist(), fit.residuals.tolist(), strict=True
        )
    ]
    return Table(("", "width", "rows", "measured", "predicted", "residual", "of it"), tuple(rows))


def _errors(fit: Fit) -> tuple[str, ...]:
    largest = float(abs(fit.residuals).max())
    left_out = UNKNOWN if fit.leave_one_out is None else f"{fit.leave_one_out:.2%}"
    return (
        f"largest residual {largest * 1000:,.3f} ms",
        f"error of each point predicted from the others, root mean square: {left_out}",
    )


def _models(fit: Fit) -> Table:
    rows = []
    for terms, each in fit.candidates.items():
        letters = " ".join(_LETTERS[term] for term in terms)
        error = (each.solution.squares / len(fit.cost.points)) ** 0.5
        rows.append(
            (
                f"{letters} ←" if terms == fit.solution.allowed else letters,
                f"{error:.3%}",
                *(UNKNOWN if value is None else f"{value:.4g}" for value in (each.aicc, each.f, each.p)),
            )
        )
    return Table(("terms", "error", "AICc", "F", "p"), tuple(rows))
