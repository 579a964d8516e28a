"""The gate on suspects: what the keyless rules find anew against the baseline."""

from __future__ import annotations

from raggate_action.core.counting.facts import Facts, Offender
from raggate_action.core.decision.run_gates import Judged, first_of, named
from raggate_action.schema.comparison import Comparison, NewSuspects
from raggate_action.schema.policy import SuspectGate
from raggate_action.schema.run import RunGate
from raggate_action.visible_text import cut

_REASON_LENGTH = 200


def new_suspects_gate(facts: Facts, rule: SuspectGate, comparison: Comparison | None) -> list[Judged]:
    """Cases with a suspect that the baseline's answer did not have.

    A conflict with the evidence blocks; what no evidence holds blocks where it is new in as many cases as the policy
    says or in a protected slice, and else warns. Without a baseline nobody can tell what is new: there the gate is
    called `suspects`, and they warn. Nothing where there is no suspect to tell of.

    Source: rules 8 and 13; the false alarms of unchanged answers cancel in the difference.
    """
    if comparison is None:
        return _without_baseline(facts)
    new = comparison.new_suspects
    cases = new.conflict + new.absent
    blocks = bool(new.conflict or new.protected or new.absent >= rule.absent_cases)
    offenders = [Offender(each.case_id, cut(each.finding.reason, _REASON_LENGTH)) for each in new.listed]
    gate = RunGate(
        gate="new_suspects",
        level=rule.level if blocks or not cases or rule.level == "off" else "warn",
        status="failed" if cases else "passed" if comparison.compared else "insufficient",
        passed=comparison.compared - cases,
        scored=comparison.compared,
        bar="none new",
        value=f"{cases} of {comparison.compared} cases{_kinds(new)}",
        detail=named(offenders, new.suspects),
    )
    return [Judged(gate, first_of(offenders))]


def _kinds(new: NewSuspects) -> str:
    parts = [f"{new.conflict} in conflict"] if new.conflict else []
    parts += [f"{new.absent} absent"] if new.absent else []
    return f" ({', '.join(parts)})" if parts else ""


def _without_baseline(facts: Facts) -> list[Judged]:
    if not facts.counts.suspect:
        return []
    gate = RunGate(
        gate="suspects",
        level="warn",
        status="failed",
        passed=facts.ran - facts.counts.suspect,
        scored=facts.ran,
        bar="none",
        value=f"{facts.counts.suspect} of {facts.ran} cases",
    )
    return [Judged(gate)]
