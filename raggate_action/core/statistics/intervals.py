"""Intervals of a share that was counted, exact by the binomial distribution (Clopper and Pearson).

They promise their level for every true share and every number of trials, at the price of being somewhat wide.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p
from typing import NamedTuple

from raggate_action.schema.base import Rate

# Far below any digit that is shown or compared; bisection reaches it in fifty steps.
_CLOSE = 1e-15
_STEPS = 80
_MOST_TERMS = 100_000
_NO_NUMBER = 1e-300


class Interval(NamedTuple):
    """Where a share lies; 0 <= low <= high <= 1."""

    low: float
    high: float


def clopper_pearson(rate: Rate, *, confidence: float = 0.95) -> Interval:
    """The two-sided interval; (0, 1) of no trials."""
    tail = (1 - confidence) / 2
    return Interval(lower_limit(rate, confidence=1 - tail), upper_limit(rate, confidence=1 - tail))


def upper_limit(rate: Rate, *, confidence: float = 0.95) -> float:
    """The share that true shares stay below, one-sided; 1.0 of no trials and where all trials are hits."""
    if rate.hits == rate.total:
        return 1.0
    return beta_quantile(confidence, rate.hits + 1, rate.total - rate.hits)


def lower_limit(rate: Rate, *, confidence: float = 0.95) -> float:
    """The share that true shares stay above, one-sided; 0.0 of no trials and where no trial is a hit."""
    if not rate.hits:
        return 0.0
    return beta_quantile(1 - confidence, rate.hits, rate.total - rate.hits + 1)


def at_least(hits: int, trials: int, share: float) -> float:
    """How often so many of the trials hit, or more, where each does with the chance `share`; 1.0 of no hits."""
    return beta_below(share, hits, trials - hits + 1) if hits else 1.0


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Where the beta distribution of `a` and `b`, both above 0, has `probability` below it."""
    low, high = 0.0, 1.0
    for _step in range(_STEPS):
        middle = (low + high) / 2
        if beta_below(middle, a, b) < probability:
            low = middle
        else:
            high = middle
        if high - low <= _CLOSE * high:
            break
    return (low + high) / 2


def beta_below(x: float, a: float, b: float) -> float:
    """The beta distribution's probability below `x`: the regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    # The fraction converges quickly below the mean only; above it the other end is taken.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method from the front."""
    c, d = 1.0, _inverse(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = _inverse(1 + term * d)
            c = 1 + term / c
            c = c if abs(c) > _NO_NUMBER else _NO_NUMBER
            value *= d * c
        if abs(d * c - 1) < _CLOSE:
            break
    return value


def _inverse(number: float) -> float:
    return 1 / (number if abs(number) > _NO_NUMBER else _NO_NUMBER)
