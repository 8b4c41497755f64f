"""Time: what the cost model predicts for micro-batches, steps and the run."""

from bucketplan.figures.figure import Figure, Measured, Metric
from bucketplan.figures.series import series
from bucketplan.figures.steps import Steps
from bucketplan.figures.variation import variation

FIGURES = (
    Figure("seconds_per_step", "Step time", "seconds", "lower", "Predicted seconds of an optimizer step."),
    Figure("hours", "Run time", "hours", "lower", "Predicted hours of the whole run."),
    Figure("epoch_seconds", "Epoch time", "seconds", "lower", "Predicted seconds of one epoch."),
    Figure("steps", "Steps", "count", None, "Optimizer steps of the whole run."),
    Figure(
        "seconds_per_micro_batch",
        "Micro-batch time",
        "seconds",
        "lower",
        "Predicted seconds of a micro-batch.",
    ),
    Figure("linear_seconds", "Linear part", "seconds", "lower", "Its part that grows with the width."),
    Figure(
        "quadratic_seconds",
        "Quadratic part",
        "seconds",
        "lower",
        "Its part that grows with the width squared.",
    ),
    Figure("windowed_seconds", "Windowed part", "seconds", "lower", "Its part that sliding-window layers take."),
    Figure("quadratic_share", "Quadratic share", "share", None, "The quadratic part of the predicted time."),
    Figure("crossover_width", "Crossover width", "tokens", None, "Above it the quadratic part is the larger one."),
    Figure(
        "step_seconds_variation",
        "Step time spread",
        "ratio",
        "lower",
        "Deviation of step times over their mean.",
    ),
    Figure("tokens_per_second", "Tokens / second", "tokens", "higher", "Real tokens over predicted time."),
    Figure(
        "supervised_tokens_per_second",
        "Supervised / s",
        "tokens",
        "higher",
        "Supervised tokens over predicted time.",
    ),
)


def measure(steps: Steps) -> Measured:
    """One epoch; only `steps` and `hours` are of the whole run."""
    micro, knobs = steps.micro_batches, steps.knobs
    seconds, count = micro.seconds, len(micro)
    quadratic, total = float(seconds.quadratic.sum()), float(seconds.total.sum())
    told = steps.elapsed[: steps.told]
    if knobs.world_size == 1:
        a_step = knobs.accumulation * total / count + micro.cost.step_seconds
    else:
        a_step = float(told.mean())
    epoch = float(steps.elapsed.sum())
    run = epoch * knobs.epochs if knobs.steps is None else a_step * knobs.steps
    supervised = micro.supervised_tokens
    return Measured(
        {
            "seconds_per_step": a_step,
            "hours": run / 3600,
            "epoch_seconds": epoch,
            "steps": len(steps.windows) * knobs.epochs if knobs.steps is None else knobs.steps,
            "seconds_per_micro_batch": total / count,
            "linear_seconds": float(seconds.linear.mean()),
            "quadratic_seconds": quadratic / count,
            "windowed_seconds": float(seconds.windowed.mean()) if micro.cost.windowed else None,
            "quadratic_share": quadratic / total if total else None,
            "crossover_width": micro.cost.crossover_width,
            "step_seconds_variation": variation(told),
            "tokens_per_second": float(micro.real_tokens.sum()) / epoch if epoch else None,
            "supervised_tokens_per_second": float(supervised.sum()) / epoch
            if supervised is not None and epoch
            else None,
        },
        series={"step_seconds": series(steps.elapsed)},
    )


METRIC = Metric("Time", FIGURES, of_steps=measure)
