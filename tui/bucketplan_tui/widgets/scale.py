"""The values a slider can take, and where they lie on its track."""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Self

COARSE_POWERS = 3


class Stepping(Enum):
    """How a slider moves from value to value."""

    POWERS = "powers of two"
    INTEGERS = "integers"


@dataclass(frozen=True)
class Scale:
    """A logarithmic range of whole numbers, with its stops.

    Every number of the range is a valid value. The stops are those that steps and the mouse reach:
    powers of two (the maximum need not be one), or every integer.
    """

    minimum: int
    maximum: int
    stepping: Stepping

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise ValueError(f"not a logarithmic range: {self.minimum} to {self.maximum}")

    @classmethod
    def powers(cls, maximum: int, minimum: int = 1) -> Self:
        """A range whose steps lead to the next power of two, coarse ones to the third next."""
        return cls(minimum, maximum, Stepping.POWERS)

    @classmethod
    def integers(cls, minimum: int, maximum: int) -> Self:
        """A range whose steps are 1, and whose coarse steps lead to the next power of two."""
        return cls(minimum, maximum, Stepping.INTEGERS)

    @property
    def first(self) -> int:
        """The lowest stop."""
        if self.stepping is Stepping.INTEGERS:
            return self.minimum
        return min(1 << (self.minimum - 1).bit_length(), self.last)

    @property
    def last(self) -> int:
        """The highest stop."""
        if self.stepping is Stepping.INTEGERS:
            return self.maximum
        # A range that holds no power of two, such as 5 to 7, has its minimum as its only stop.
        return max(1 << (self.maximum.bit_length() - 1), self.minimum)

    def __contains__(self, value: int) -> bool:
        return self.minimum <= value <= self.maximum

    def clamp(self, value: int) -> int:
        """The value of the range nearest to a number."""
        return max(self.minimum, min(self.maximum, value))

    def step(self, value: int, by: int) -> int:
        """The value some stops further up, or down where `by` is negative."""
        if self.stepping is Stepping.INTEGERS:
            return self.clamp(value + by)
        return self._shift(value, by)

    def coarse(self, value: int, by: int) -> int:
        """The value some coarse steps further up, or down where `by` is negative."""
        if self.stepping is Stepping.INTEGERS:
            return self.clamp(_shift_power(self.clamp(value), by))
        return self._shift(value, by * COARSE_POWERS)

    def position(self, value: int) -> float:
        """Where a value lies on the track, from 0 at the minimum to 1 at the maximum."""
        if self.minimum == self.maximum:
            return 0.0
        return math.log(self.clamp(value) / self.minimum) / math.log(self.maximum / self.minimum)

    def at(self, position: float) -> int:
        """The stop nearest to a position on the track."""
        exact = self.minimum * (self.maximum / self.minimum) ** max(0.0, min(1.0, position))
        if self.stepping is Stepping.INTEGERS:
            return self.clamp(round(exact))
        return max(self.first, min(self.last, 1 << round(math.log2(exact))))

    def _shift(self, value: int, by: int) -> int:
        """Move over powers of two; a value beyond the outermost stop stays where it is."""
        value = self.clamp(value)
        shifted = _shift_power(value, by)
        if by > 0:
            return max(value, min(shifted, self.last))
        return min(value, max(shifted, self.first))


def _shift_power(value: int, by: int) -> int:
    """The power of two `by` powers further, counted from the neighbouring one where value is none."""
    if by == 0:
        return value
    # Downwards, counting starts at the power not below the value; upwards, at the one not above it.
    exponent = value.bit_length() - 1 if by > 0 else (value - 1).bit_length()
    return 1 << max(0, exponent + by)
