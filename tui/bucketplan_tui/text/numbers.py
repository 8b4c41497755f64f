"""Numbers as people read them: thousands separators, units, and differences with a glyph."""

from dataclasses import dataclass
from typing import Literal

from bucketplan.figures.figure import Figure, Number

UNKNOWN = "n/a"

# From so many times the baseline on, a factor reads better than percents.
_MANIFOLD = 10

Verdict = Literal["better", "worse", "neutral"]


@dataclass(frozen=True)
class Difference:
    """How a figure differs from the baseline's.

    Attributes:
        text: the difference and a glyph: a filled triangle is better, a hollow one worse, a dot neither.
        verdict: the same in a word.
    """

    text: str
    verdict: Verdict


def figure_text(figure: Figure, value: Number) -> str:
    """A figure's value with its unit."""
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        return value
    match figure.unit:
        case "count" | "tokens":
            return f"{value:,.0f}"
        case "share":
            return f"{value:.2%}"
        case "seconds":
            return seconds_text(value)
        case "hours":
            return hours_text(value)
        case "mean":
            return f"{value:,.2f}"
        case "ratio":
            return f"{value:.3f}"
        case "square":
            return compact(value)


def seconds_text(seconds: float) -> str:
    """Seconds in the unit that keeps three or four digits: `412 ms`, `7.54 s`, `11.7 min`, `2.98 h`."""
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    if seconds < 120:
        return f"{seconds:.2f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else hours_text(seconds / 3600)


def hours_text(hours: float) -> str:
    """Hours with two digits; shorter times in the unit below."""
    return f"{hours:,.2f} h" if hours >= 0.1 else seconds_text(hours * 3600)


def compact(value: float, digits: int = 2) -> str:
    """A number in a few characters: `950`, `1.2k`, `36M`; so many digits where the letter leaves room for fewer."""
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            scaled = value / size
            decimals = max(digits - len(f"{abs(scaled):.0f}"), 0)
            text = f"{scaled:.{decimals}f}"
            return (text.rstrip("0").rstrip(".") if decimals else text) + letter
    return f"{value:.0f}"


def power_text(power: int) -> str:
    """A power of two as an axis has it: `512`, `1k`, `16k`."""
    return f"{power // 1024}k" if power >= 1024 else str(power)


def difference(figure: Figure, value: Number, base: Number) -> Difference:
    """How a figure differs from the baseline's: shares in points, ratios and means as they are, others in percent."""
    if not isinstance(value, int | float) or not isinstance(base, int | float):
        return Difference("", "neutral")
    change = value - base
    match figure.unit:
        case "share":
            text = f"{change * 100:+.2f} pt"
        case "mean":
            text = f"{change:+,.2f}"
        case "ratio":
            text = f"{change:+.3f}"
        case _ if base and abs(change / base) >= _MANIFOLD:
            text = f"×{value / base:,.3g}"
        case _ if base:
            text = f"{change / base:+.1%}"
        case _:
            text = f"{change:+,.4g}"
    if not any(digit in text for digit in "123456789"):
        return Difference("=  ", "neutral")
    if figure.better is None:
        return Difference(f"{text} ·", "neutral")
    if (change < 0) == (figure.better == "lower"):
        return Difference(f"{text} {'▼' if change < 0 else '▲'}", "better")
    return Difference(f"{text} {'▽' if change < 0 else '△'}", "worse")
