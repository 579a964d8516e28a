"""The gate on how steady the app is: cases that failed once and passed when they were asked again."""

from __future__ import annotations

from raggate_action.core.counting.row_suspects import suspects_in
from raggate_action.core.counting.run_totals import NAMED_AT_MOST, PROBLEM_LENGTH, Facts, problem_text
from raggate_action.schema.case_run import Ask
from raggate_action.schema.decision import FailedCase, RunGate
from raggate_action.schema.measured import Bar, CaseCount
from raggate_action.schema.outcome import Failed
from raggate_action.schema.policy import FlakyGate
from raggate_action.strings.visible_text import cut

# An app of which every answer goes wrong one time in twenty has three flaky cases in one of 28 runs of fifteen cases.
_FEWEST, _FEWEST_FROM_FIFTEEN = 2, 3
_FIFTEEN = 15


def flaky_gate(facts: Facts, rule: FlakyGate) -> list[RunGate]:
    """Flaky cases: max(2, floor(max * cases)) may be, from 15 cases at least three.

    Nothing where no case was asked again: nothing is known of how steady the app is.
    """
    cases, flaky = facts.counts.cases, facts.counts.flaky
    if not facts.counts.asked_again:
        return []
    found = [FailedCase(case_id=row.case_id, problem=first_fault(row.asks[0])) for row in facts.listed.flaky]
    allowed = max(_FEWEST if cases < _FIFTEEN else _FEWEST_FROM_FIFTEEN, int(rule.max * cases))
    gate = RunGate(
        gate="flaky",
        level=rule.level,
        status="passed" if flaky <= allowed else "failed",
        passed=cases - flaky,
        scored=cases,
        bar=Bar(operator="<=", amount=rule.max, unit="share", allowed=allowed),
        measured=CaseCount(hits=flaky, looked_at=cases),
        offenders=tuple(found[:NAMED_AT_MOST]),
        offending=flaky,
    )
    return [gate]


def first_fault(ask: Ask) -> str:
    """What stands against an answer, in a line: what its first failed gate names, else its first suspect claim."""
    failed = next((each for each in ask.outcomes.values() if isinstance(each, Failed)), None)
    if failed is not None:
        return problem_text(failed)
    return next((cut(finding.reason, PROBLEM_LENGTH) for _claim, finding in suspects_in(ask.claims)), "")
