"""Whether more cases turned worse than better by more than chance: McNemar's test with mid-p."""

from __future__ import annotations

from math import exp, lgamma, log

from raggate_action.core.statistics.intervals import beta_below


def mcnemar_mid_p(worse: int, better: int) -> float:
    """How often chance alone turns at least so many of the cases that moved worse; half of the count itself.

    Exact McNemar alarms far less often than its level says; with half the probability of what was found it comes close
    (Fagerland, Lydersen and Laake 2013).

    Args:
        worse: Cases that turned worse.
        better: Cases that turned better; those that stayed say nothing.

    Returns:
        One-sided, in (0, 1]; 0.5 where nothing moved.
    """
    moved = worse + better
    at_least = beta_below(0.5, worse, better + 1) if worse else 1.0
    exactly = exp(lgamma(moved + 1) - lgamma(worse + 1) - lgamma(better + 1) - moved * log(2))
    return at_least - exactly / 2
