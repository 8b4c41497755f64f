"""What to think of a plan beside a baseline, and what would let its ranks wait less."""

from collections.abc import Callable
from dataclasses import replace

from bucketplan.exploring.explorer import Explorer
from bucketplan.figures.report import Report
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.strategies.bucket import Bucket

# Ranks that idle for more than this share of the time are worth a warning.
_IDLE = 0.1
# A deviation that is larger by less than this part is the same to any trainer.
_SAME = 0.01


def beside(report: Report, baseline: Report) -> tuple[str, ...]:
    """Where the order of a plan is worse for training than the baseline's, each a line."""
    told = []
    mine, base = report.number("neighbour_correlation"), baseline.number("neighbour_correlation") or 0.0
    rounds = (report.number("micro_batches") or 0) / report.knobs.world_size
    # Two standard errors of the correlation of as many independent values.
    if mine is not None and mine > base + 2 / rounds**0.5:
        told.append(
            f"widths of neighbouring rounds correlate by {mine:.2f}, the baseline's by {base:.2f}: the loss may swing"
        )
    peak, base_peak = report.number("peak_tokens"), baseline.number("peak_tokens")
    if peak is not None and base_peak is not None and peak > base_peak:
        step = report.number("peak_step")
        told.append(
            f"the largest micro-batch has {peak:,.0f} tokens, the baseline's {base_peak:,.0f}: at step {step:,.0f}"
        )
    spread = report.number("supervised_per_window_variation")
    base_spread = baseline.number("supervised_per_window_variation")
    if spread is not None and base_spread is not None and spread > base_spread * (1 + _SAME):
        told.append(
            f"supervised tokens of steps vary by {spread:.2f} of their mean, the baseline's by {base_spread:.2f}"
        )
    return tuple(told)


def waiting(explorer: Explorer, report: Report, cancelled: Callable[[], bool] | None = None) -> tuple[str, ...]:
    """A line where ranks wait long, with what alignment, or then balance, would give; else nothing.

    Raises:
        Cancelled: `cancelled` said so.
    """
    idle = report.number("rank_idle") or 0.0
    if report.knobs.world_size == 1 or idle <= _IDLE:
        return ()
    told = f"ranks idle {idle:.1%} of the time"
    better = _remedy(report.knobs)
    if better is None:
        return (told,)
    words, knobs = better
    other = explorer.report(knobs, report.cost, cancelled)
    hours, other_hours = report.number("hours") or 0.0, other.number("hours") or 0.0
    return (f"{told}; {words} they would idle {other.number('rank_idle'):.1%}: {other_hours:.2f} h, not {hours:.2f} h",)


def _remedy(knobs: Knobs) -> tuple[str, Knobs] | None:
    """The next thing to try, in words and as knobs."""
    if not isinstance(knobs.strategy, Bucket):
        return "with the bucket strategy and align-ranks", replace(knobs, strategy=Bucket(), align_ranks=True)
    if not knobs.align_ranks:
        return "with align-ranks", replace(knobs, align_ranks=True)
    if knobs.balance not in ("ranks", "both"):
        return "with balance=ranks", replace(knobs, balance="ranks")
    return None
