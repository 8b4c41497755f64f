"""The parts of a predicted time."""

from bucketplan.cost.model import CostModel


def shares(model: CostModel, width: int) -> dict[str, float]:
    """The part of each term in the predicted time of r0 rows of a width; all 0 where that is 0."""
    within = width if model.window is None else min(width, model.window)
    parts = {
        "fixed": model.fixed,
        "linear": model.linear * width,
        "quadratic": model.quadratic * width * width,
        "windowed": model.windowed * width * within,
    }
    total = sum(parts.values())
    return {term: seconds / total if total else 0.0 for term, seconds in parts.items()}
