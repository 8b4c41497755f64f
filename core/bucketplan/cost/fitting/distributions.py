"""The distributions that judge a fit: F and Student's t, from the incomplete beta function."""

import math

_CLOSE = 1e-15
_TINY = 1e-300
_MOST_TERMS = 10_000


def f_tail(value: float, numerator: int, denominator: int) -> float:
    """The chance that an F-distributed value exceeds this one.

    Args:
        value: at least 0.
        numerator: degrees of freedom of what was explained, at least 1.
        denominator: degrees of freedom of what is left, at least 1.
    """
    if math.isinf(value):
        return 0.0
    return incomplete_beta(denominator / 2, numerator / 2, denominator / (denominator + numerator * value))


def t_quantile(confidence: float, freedom: int) -> float:
    """How many standard errors to either side hold a t-distributed value with this confidence.

    Args:
        confidence: above 0 and below 1, such as 0.95.
        freedom: degrees of freedom, at least 1.
    """
    outside = 1 - confidence

    def tail(t: float) -> float:
        return f_tail(t * t, 1, freedom)

    low, high = 0.0, 1.0
    while tail(high) > outside:
        low, high = high, 2 * high
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if tail(middle) > outside else (low, middle)
    return high


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b) for a, b > 0 and 0 <= x <= 1.

    By its continued fraction (Abramowitz and Stegun 26.5.8), evaluated by Lentz's method where it converges fast and
    by I_x(a, b) = 1 - I_(1 - x)(b, a) elsewhere.
    """
    if x in (0, 1):
        return float(x)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    scale = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    return scale / a / _continued_fraction(a, b, x)


def _continued_fraction(a: float, b: float, x: float) -> float:
    """1 + d_1 / (1 + d_2 / (1 + ...))."""
    result = numerator = 1.0
    denominator = 0.0
    for step in range(1, _MOST_TERMS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        denominator = 1 / (1 + term * denominator or _TINY)
        numerator = 1 + term / numerator or _TINY
        change = numerator * denominator
        result *= change
        if abs(change - 1) < _CLOSE:
            break
    return result
