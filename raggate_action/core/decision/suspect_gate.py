"""The gate on suspects: what the keyless rules find anew against the baseline."""

from __future__ import annotations

from raggate_action.core.counting.facts import Facts, Offender
from raggate_action.core.counting.rates import cut
from raggate_action.core.decision.run_gates import Judged, first_of, named
from raggate_action.schema.comparison import Comparison, NewSuspects
from raggate_action.schema.policy import SuspectGate
from raggate_action.schema.run import RunGate

_REASON_LENGTH = 200


def new_suspects_gate(facts: Facts, rule: SuspectGate, comparison: Comparison | None) -> list[Judged]:
    """Cases with a suspect that the baseline's answer did not have.

    One of a sharp kind blocks; others block where they are new in more cases than the policy's share, and than one,
    or in a protected slice, and else warn. Without a baseline nobody can tell what is new: suspects warn.
    Nothing where there is no suspect to tell of.

    Source: rules 8 and 13; the false alarms of unchanged answers cancel in the difference.
    """
    if comparison is None:
        return _without_baseline(facts)
    new = comparison.new_suspects
    cases = new.conflict + new.absent
    offenders = [Offender(each.case_id, cut(each.finding.reason, _REASON_LENGTH)) for each in new.listed]
    gate = RunGate(
        gate="new_suspects",
        level=rule.level
        if blocks(new, rule, compared=comparison.compared) or not cases or rule.level == "off"
        else "warn",
        status="failed" if cases else "passed" if comparison.compared else "insufficient",
        passed=comparison.compared - cases,
        scored=comparison.compared,
        bar="none new",
        value=f"{cases} of {comparison.compared} cases{_kinds(new)}",
        detail=named(offenders, new.suspects),
    )
    return [Judged(gate, first_of(offenders))]


def blocks(new: NewSuspects, rule: SuspectGate, *, compared: int) -> bool:
    """Whether new suspects are more than a warning.

    Args:
        new: What is new.
        rule: The gate.
        compared: Cases on both runs.
    """
    cases = new.conflict + new.absent
    return bool(new.sharp or new.protected) or (cases > 1 and cases > compared * rule.max)


def _kinds(new: NewSuspects) -> str:
    parts = [f"{new.conflict} in conflict"] if new.conflict else []
    parts += [f"{new.absent} absent"] if new.absent else []
    return f" ({', '.join(parts)})" if parts else ""


def _without_baseline(facts: Facts) -> list[Judged]:
    if not facts.counts.suspect:
        return []
    gate = RunGate(
        gate="new_suspects",
        level="warn",
        status="failed",
        passed=facts.ran - facts.counts.suspect,
        scored=facts.ran,
        bar="none new",
        value=f"{facts.counts.suspect} of {facts.ran} cases, no baseline",
    )
    return [Judged(gate)]
