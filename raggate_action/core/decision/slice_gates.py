"""Slices: cases that share a field's value, each held to its own bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from raggate_action.core.counting.run_totals import SliceTally
from raggate_action.core.decision.bars import against_bar
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGateStatus
from raggate_action.schema.slices import Slices

# How results are listed: what needs work first.
_ORDER: tuple[RunGateStatus, ...] = ("failed", "unmeasured", "insufficient", "passed")


def judge_slices(tallies: Iterable[SliceTally], rules: Slices) -> tuple[SliceResult, ...]:
    """Judge every slice: red ones first, then unmeasured, watched and passed ones; by name within each."""
    protected = rules.protected_names
    results = [judge_slice(tally, rules, protected=tally.name in protected) for tally in tallies]
    return tuple(sorted(results, key=lambda result: (_ORDER.index(result.status), result.name)))


def telling_slices(results: tuple[SliceResult, ...], rules: Slices) -> tuple[SliceResult, ...]:
    """The slices that tell more than the whole run does.

    What the suite itself is cut by is kept whole. Of what is only watched, a field with one value alone parts nothing.
    """
    if not rules.watched_only:
        return results
    values = Counter(_field(result) for result in results)
    return tuple([result for result in results if values[_field(result)] > 1])


def _field(result: SliceResult) -> str:
    return result.name.partition("=")[0]


def judge_slice(tally: SliceTally, rules: Slices, *, protected: bool) -> SliceResult:
    """Judge one slice.

    Args:
        tally: Its cases; unmeasured ones say nothing about it.
        rules: `min` is the share of scored cases that must pass, `min_cases` the size from which that is judged.
        protected: Judged at any size and must pass whole.

    Returns:
        Failed at any size when scored and nothing passed; insufficient, shown as watch, under `min_cases`, where the
        suite asks nothing of slices, and where only flaky cases keep it under the bar; unmeasured when no case was
        scored.
    """
    return SliceResult(
        name=tally.name,
        passed=tally.passed,
        scored=tally.scored,
        unmeasured=tally.unmeasured,
        protected=protected,
        status=_status(tally, rules, protected=protected),
    )


def _status(tally: SliceTally, rules: Slices, *, protected: bool) -> RunGateStatus:
    if tally.scored == 0:
        return "unmeasured"
    if rules.watched_only:
        return "insufficient"
    if tally.passed == 0:
        return "failed"
    if protected:
        return "failed" if tally.failed else "passed"
    if tally.scored < rules.min_cases:
        return "insufficient"
    return against_bar(tally.passed, tally.scored, tally.flaky, rules.min)
