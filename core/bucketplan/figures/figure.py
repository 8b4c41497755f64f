"""What a figure is: a name, words and a unit, and the functions that measure a few of them together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bucketplan.figures.histogram import Histogram
from bucketplan.figures.micro_batches import MicroBatches
from bucketplan.figures.series import Series
from bucketplan.figures.steps import Steps

Unit: TypeAlias = Literal["count", "tokens", "share", "seconds", "hours", "mean", "ratio", "square"]
Number: TypeAlias = int | float | str | None


@dataclass(frozen=True)
class Figure:
    """A figure of a plan.

    Attributes:
        name: its name in JSON.
        label: what a person reads; `{mixing}` or `{Mixing}` stands for what windows are to mix, root or kind.
        unit: what it counts; a share is a part of 1, shown in percent; a ratio is a pure number; a square is of tokens.
        better: the direction that is better, or None where neither is.
        meaning: one sentence for the help.
    """

    name: str
    label: str
    unit: Unit
    better: Literal["lower", "higher"] | None
    meaning: str

    def title(self, mixing: str) -> str:
        """The label with what windows are to mix in its place."""
        return self.label.format(mixing=mixing, Mixing=mixing.capitalize())


@dataclass(frozen=True)
class Measured:
    """What one measurement found.

    Attributes:
        figures: by name; None where a figure is unknown or undefined.
        histograms: by name.
        series: by name.
        cautions: what a user should be warned of, each a line.
    """

    figures: Mapping[str, Number]
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
    series: Mapping[str, Series] = field(default_factory=dict)
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Metric:
    """Some figures and how they are measured.

    Exactly one of `of_micro_batches` and `of_steps` is given; the first is not measured again when only what steps read
    has changed.
    """

    title: str
    figures: tuple[Figure, ...]
    of_micro_batches: Callable[[MicroBatches], Measured] | None = None
    of_steps: Callable[[Steps], Measured] | None = None
