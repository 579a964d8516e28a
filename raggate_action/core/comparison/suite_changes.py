"""What became of the suite itself between two runs: cases changed, added, removed, not run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import PastCase
from raggate_action.schema.run import SuiteCase


class SuiteChanges(NamedTuple):
    """Case ids in suite order; known-bad cases are in the suite like any other.

    Attributes:
        changed: In both suites, with another digest: not compared.
        added: In the head's suite alone.
        removed: In the baseline's suite alone; those a waiver excuses stand first, so that cutting loses none of them.
        not_run: To be run on the baseline, in the head's suite, and out of its scope.
    """

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    not_run: int


def suite_changes(
    head_cases: Iterable[SuiteCase], past: Mapping[str, PastCase], *, excused: Collection[str]
) -> SuiteChanges:
    """Compare the head's suite with the baseline's. A case that is only out of scope is not removed.

    Args:
        head_cases: Every case of the head's suite, in suite order.
        past: Every case of the baseline's suite.
        excused: Removed cases that a waiver names.
    """
    seen: set[str] = set()
    changed: list[str] = []
    added: list[str] = []
    not_run = 0
    for case_id, digest, in_scope in head_cases:
        seen.add(case_id)
        before = past.get(case_id)
        if before is None:
            added.append(case_id)
            continue
        if before.digest != digest:
            changed.append(case_id)
        not_run += before.in_scope and not in_scope
    removed = [case_id for case_id in past if case_id not in seen]
    removed.sort(key=lambda case_id: case_id not in excused)
    return SuiteChanges(tuple(changed), tuple(added), tuple(removed), not_run)
