"""The gate on suspects: what the keyless rules find anew against the baseline."""

from __future__ import annotations

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, Facts
from raggate_action.core.decision.limit_gates import NO_CASES, NO_NEW_CASES
from raggate_action.schema.comparison import Comparison, NewSuspects
from raggate_action.schema.decision import FailedCase, RunGate
from raggate_action.schema.measured import CaseCount, SuspectCount
from raggate_action.schema.policy import SuspectGate
from raggate_action.strings.visible_text import cut

_REASON_LENGTH = 200


def new_suspects_gate(facts: Facts, rule: SuspectGate, comparison: Comparison | None) -> list[RunGate]:
    """Cases with a suspect that the baseline's answer did not have.

    One of a sharp kind blocks; others block where they are new in more cases than the policy's share, and than one,
    or in a protected slice, and else warn. Without a baseline nobody can tell what is new: there the gate is called
    `suspects`, and they warn. Nothing where there is no suspect to tell of.

    Only the difference counts: a false alarm on an unchanged answer stands on both sides and cancels.
    """
    if comparison is None:
        return _without_baseline(facts)
    new = comparison.new_suspects
    cases = new.conflict + new.absent
    offenders = [
        FailedCase(case_id=each.case_id, problem=cut(each.finding.reason, _REASON_LENGTH))
        for each in new.listed[:NAMED_AT_MOST]
    ]
    gate = RunGate(
        gate="new_suspects",
        level=rule.level
        if blocks(new, rule, compared=comparison.compared) or not cases or rule.level == "off"
        else "warn",
        status="failed" if cases else "passed" if comparison.compared else "insufficient",
        passed=comparison.compared - cases,
        scored=comparison.compared,
        bar=NO_NEW_CASES,
        measured=SuspectCount(conflict=new.conflict, absent=new.absent, compared=comparison.compared),
        offenders=tuple(offenders),
        offending=new.suspects,
    )
    return [gate]


def blocks(new: NewSuspects, rule: SuspectGate, *, compared: int) -> bool:
    """Whether new suspects are more than a warning.

    Args:
        new: What is new.
        rule: The gate.
        compared: Cases on both runs.
    """
    cases = new.conflict + new.absent
    return bool(new.sharp or new.protected) or (cases > 1 and cases > compared * rule.max)


def _without_baseline(facts: Facts) -> list[RunGate]:
    if not facts.counts.suspect:
        return []
    gate = RunGate(
        gate="suspects",
        level="warn",
        status="failed",
        passed=facts.ran - facts.counts.suspect,
        scored=facts.ran,
        bar=NO_CASES,
        measured=CaseCount(hits=facts.counts.suspect, looked_at=facts.ran),
    )
    return [gate]
