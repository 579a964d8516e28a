"""Which cases a scope runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from heapq import heappush, heappushpop

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.partial_scope import Scope


def select(cases: Iterable[PlacedCase], scope: Scope, *, seed: int, baseline: BaselineIndex | None) -> tuple[int, ...]:
    """Choose the cases of a scope: the union of what it names, and always the known-bad and must-release cases.

    The sample is drawn from the cases not chosen otherwise, by the smallest digest of seed and case id: adding or
    removing other cases changes few of its members.

    Args:
        cases: The suite's cases; read once, none is kept.
        scope: What to run; one that names nothing is everything.
        seed: Seed of the draw.
        baseline: The baseline run; without one `changed` and `failing_on_base` choose everything.

    Returns:
        Positions in suite order.
    """
    if scope == Scope():
        return tuple(sorted([placed.position for placed in cases]))
    chosen: list[int] = []
    # A heap of the smallest draws: the largest of them, negated, is on top and is replaced first.
    drawn: list[tuple[int, int]] = []
    for placed in cases:
        if _is_named(placed, scope, baseline):
            chosen.append(placed.position)
        elif len(drawn) < scope.sample:
            heappush(drawn, (-draw(seed, placed.case.case_id), -placed.position))
        elif scope.sample:
            heappushpop(drawn, (-draw(seed, placed.case.case_id), -placed.position))
    return tuple(sorted([*chosen, *(-position for _, position in drawn)]))


def _is_named(placed: PlacedCase, scope: Scope, baseline: BaselineIndex | None) -> bool:
    case = placed.case
    if case.released is not None or not set(scope.tags).isdisjoint(case.tags):
        return True
    if baseline is None:
        # Without a baseline every case is new: a first pull request must not be released on a handful of cases.
        return scope.changed or scope.failing_on_base
    past = baseline.cases.get(case.case_id)
    if scope.changed and (past is None or past.digest != placed.digest):
        return True
    if past is None or past.then is None:
        return False
    return scope.failing_on_base and past.then.state != "passed"


def draw(seed: int, case_id: str) -> int:
    """The lot of a case: the smallest ones are drawn."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{case_id}".encode(errors="replace")).digest())
