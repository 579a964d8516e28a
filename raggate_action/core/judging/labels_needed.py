"""How many claims people would have to label at least before a judge may count."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from raggate_action.core.statistics.agreement import Table, gwet_ac1
from raggate_action.core.statistics.intervals import upper_limit
from raggate_action.schema.base import rate_of
from raggate_action.schema.judges import Arming

# Nobody labels more: a bar that is not met by then is out of reach.
_MOST = 100_000


class Missing(NamedTuple):
    """Labels that the terms need beyond those there are; `right` and `faulty` are among `labels`."""

    labels: int
    right: int
    faulty: int


def missing_labels(table: Table, arming: Arming, *, unjudged_right: int = 0, unjudged_faulty: int = 0) -> Missing:
    """The fewest further labels that meet the terms, if the judge does not err on one of them.

    Args:
        table: People first, the judge second.
        arming: The terms.
        unjudged_right: Labels of right claims that the judge has no verdict on yet; it is taken not to err on them.
        unjudged_faulty: The same of faulty claims.
    """
    has_right, has_faulty = table.good + unjudged_right, table.faulty + unjudged_faulty
    right = _fewest(has_right, lambda n: meets_limit(table.second_faulty, n, arming.false_block))
    faulty = _fewest(max(has_faulty, arming.faults), lambda n: meets_limit(table.second_good, n, arming.false_pass))

    def agrees(more: int) -> bool:
        whole = Table(
            right + more - table.second_faulty, table.second_faulty, table.second_good, faulty - table.second_good
        )
        return meets_ac1(whole, arming)

    labels = max(arming.labels, right + faulty + _fewest(0, agrees))
    return Missing(labels - has_right - has_faulty, right - has_right, faulty - has_faulty)


def meets_limit(errors: int, of: int, bar: Decimal) -> bool:
    """Whether a share of errors is shown to stay at or below a bar, one-sided at 95 %."""
    return upper_limit(rate_of(errors, of)) <= bar


def meets_ac1(table: Table, arming: Arming) -> bool:
    """Whether the judge agrees with people as much as the terms want."""
    ac1 = gwet_ac1(table)
    return ac1 is not None and ac1 >= arming.ac1


def _fewest(least: int, is_enough: Callable[[int], bool]) -> int:
    """The smallest number from `least` on that is enough, where a larger one is enough as well."""
    low, high = least, max(least, 1)
    if is_enough(low):
        return low
    while not is_enough(high):
        if high >= _MOST:
            return _MOST
        low, high = high, min(_MOST, 2 * high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
