"""How far a run is that keeps a progress file."""

from pathlib import Path

from bucketplan.errors import UserError
from bucketplan_tui.text.numbers import hours_text


def progress_words(path: str) -> str:
    """Where the run is and how long it has left, in a few words; what cannot be read is said as well."""
    from bucketplan.run.progress import read_progress

    if not Path(path).exists():
        return "run not begun"
    try:
        point = read_progress(path)
    except UserError:
        return "no progress to read"
    left = point.hours_left()
    words = f"run at step {point.step:,} of {point.steps:,}"
    return words if left is None else f"{words}, {hours_text(left)} left"
