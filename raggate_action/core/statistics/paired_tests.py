"""Whether paired differences are of one side by more than chance: the sign-flip test."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from raggate_action.core.statistics.agreement import seeded_bytes
from raggate_action.schema.ab_result import SignFlip
from raggate_action.schema.base import Rate

# Up to so many differences every way of turning their signs is counted.
EXACT_UP_TO = 20
DRAWS = 9_999


def sign_flip(differences: Sequence[Fraction], *, seed: str, still: int = 0) -> SignFlip | None:
    """The test; differences of 0 stay in, and turn into themselves.

    Where there are too many ways to count them, 9,999 are drawn, and what was found is counted as one more: so no
    p-value is 0, and the test keeps its level.

    Args:
        differences: Exact, in any order.
        seed: Of the draws.
        still: Of the differences, those that could be nothing but 0; they make `smallest` no smaller.

    Returns:
        None of no difference.
    """
    if not differences:
        return None
    whole = lcm(*[each.denominator for each in differences])
    # In one order, so that what is drawn does not depend on that of the questions.
    steps = sorted([int(each * whole) for each in differences])
    if len(steps) <= EXACT_UP_TO:
        return _exact_sign_flip(steps, still)
    return _drawn(steps, seed, still)


def _exact_sign_flip(steps: Sequence[int], still: int) -> SignFlip:
    """All ways: those of one half sorted, beside each of the other half's."""
    total, n = sum(steps), len(steps)
    one, others = sorted(_sums(steps[: n // 2])), _sums(steps[n // 2 :])
    low = sum(bisect_right(one, total - other) for other in others)
    far = 2**n
    if total:
        far = sum(bisect_right(one, -abs(total) - other) for other in others)
        far += sum(len(one) - bisect_left(one, abs(total) - other) for other in others)
    return SignFlip(
        two_sided=Rate(hits=far, total=2**n),
        control=Rate(hits=low, total=2**n),
        exact=True,
        smallest=_smallest(n - still),
    )


def _sums(steps: Sequence[int]) -> list[int]:
    """The sum of `steps` under every choice of signs."""
    sums = [0]
    for step in steps:
        sums = [each + signed for each in sums for signed in (step, -step)]
    return sums


def _drawn(steps: Sequence[int], seed: str, still: int) -> SignFlip:
    total = sum(steps)
    # A byte is the signs of eight differences. Where all of them are alike, how many signs are turned says it all, and
    # whole stretches of such bytes are counted at once; of the others a table has the sum for each of 256 values.
    parts = [steps[start : start + 8] for start in range(0, len(steps), 8)]
    stretches = _stretches(parts)
    tables = {place: _by_byte(part) for place, part in enumerate(parts) if not _is_even(part)}
    drawn = seeded_bytes(f"{seed}:signs", DRAWS * len(parts))
    low = far = 1
    for start in range(0, len(drawn), len(parts)):
        found = sum([table[drawn[start + place]] for place, table in tables.items()])
        for step, first, after in stretches:
            turned = int.from_bytes(drawn[start + first : start + after]).bit_count()
            found += step * (8 * (after - first) - 2 * turned)
        low += found <= total
        far += abs(found) >= abs(total)
    return SignFlip(
        two_sided=Rate(hits=far, total=DRAWS + 1),
        control=Rate(hits=low, total=DRAWS + 1),
        exact=False,
        smallest=max(_smallest(len(steps) - still), 1 / (DRAWS + 1)),
    )


def _is_even(part: Sequence[int]) -> bool:
    """Whether eight differences are one number; the last part may have fewer."""
    return len(part) == 8 and part[0] == part[-1]


def _stretches(parts: Sequence[Sequence[int]]) -> list[tuple[int, int, int]]:
    """Neighbouring parts of one number, sorted as they are: the number, the first place, the place behind the last."""
    found: list[tuple[int, int, int]] = []
    for place, part in enumerate(parts):
        if not _is_even(part):
            continue
        if found and found[-1][0] == part[0] and found[-1][2] == place:
            found[-1] = (part[0], found[-1][1], place + 1)
        else:
            found.append((part[0], place, place + 1))
    return found


def _smallest(moving: int) -> float:
    """The p-value where all that can differ are of one side: so, or all the other way round."""
    return min(1.0, 2.0 ** (1 - moving))


def _by_byte(steps: Sequence[int]) -> list[int]:
    sums = _sums(steps)
    return [sums[byte % len(sums)] for byte in range(256)]
