"""What a fit says of the training step, in words."""

from bucketplan.cost.fitting.fit import Fit
from bucketplan.cost.fitting.measured_cost import LEVEL
from bucketplan.cost.term_shares import shares

# Points this close to a curve without a fixed term speak against one even where there are too few for a test.
_CLOSE = 0.02
# A fixed term that may be so large a share of the shortest time has not been ruled out.
_LARGE = 0.25


def findings(fit: Fit) -> list[str]:
    """Lines: whether launches bind the step, how the quadratic share grows, where it becomes the larger part."""
    return [_fixed(fit), *_shares(fit), *_crossover(fit)]


def _fixed(fit: Fit) -> str:
    model, least = fit.cost.model, fit.cost.widths[0]
    tested = fit.without_fixed
    if model.fixed:
        share = shares(model, least)["fixed"]
        p = "" if tested is None or tested.p is None else f" (F test, p = {tested.p:.2g})"
        return f"a fixed term of {_seconds(model.fixed)} is needed{p}: {share:.1%} of the time at width {least:,}"
    if fit.solution.exact and fit.solution.freedom:
        return "no fixed term needed: not launch-bound, the points lie on the curve without one"
    if tested is None or tested.p is None:
        worst = float(abs(fit.solution.residuals).max())
        if fit.solution.freedom and worst < _CLOSE:
            within = f"the curve without one is within {worst:.2%} of every point (a test takes one point more)"
            return f"no fixed term needed: not launch-bound, {within}"
        return "the fixed term is taken as 0: a test takes more points than there are coefficients"
    bound = fit.confidence["fixed"]
    upper = 0.0 if bound is None else bound[1]
    share = upper / float(fit.predicted.min())
    told = f"F test, p = {tested.p:.2g}; at most {_seconds(upper)} with {LEVEL:.0%} confidence"
    if share > _LARGE:
        return f"no fixed term found, and none ruled out: {told}, {share:.0%} of the shortest time"
    return f"no fixed term needed: not launch-bound ({told})"


def _shares(fit: Fit) -> list[str]:
    model, (least, most) = fit.cost.model, fit.cost.widths
    lines = []
    for term, name in (("quadratic", "quadratic share"), ("windowed", "sliding-window share")):
        if getattr(model, term):
            first, last = shares(model, least)[term], shares(model, most)[term]
            lines.append(f"{name} {first:.1%} at {least:,} -> {last:.1%} at {most:,}")
    return lines


def _crossover(fit: Fit) -> list[str]:
    crossover = fit.cost.model.crossover_width
    if crossover is None or not fit.cost.model.linear:
        return []
    return [f"crossover width {crossover:,.0f}: above it the quadratic part is larger than the linear one"]


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
