"""Gates on what moved against the baseline: faults, suspects, means, judges that are gone, and demands made weaker."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, Facts
from raggate_action.core.decision.run_gates import NO_CASES, at_most
from raggate_action.schema.change import Change, ChangeCount
from raggate_action.schema.decision import Bar, Measured, RunGate, RunGateStatus, Unit
from raggate_action.schema.later import Comparison
from raggate_action.schema.outcome import Level, Problem, RunGateName
from raggate_action.schema.policy import AmountGate, CeilingGate, CountGate, LevelGate
from raggate_action.schema.run import Policy

_NO_NEW_CASES = Bar(operator="==", amount=Decimal(0), unit="new cases")


def forbidden_phrases_gate(facts: Facts, rule: LevelGate, comparison: Comparison | None) -> RunGate:
    """Cases with a must_not_contain hit that the baseline did not have; any hit without a baseline."""
    if comparison is not None:
        return _new_faults("forbidden_phrases", rule.level, comparison, looked_at=facts.counts.forbidding)
    # Where no case forbids a phrase nothing was searched for, so nothing has passed.
    hits = facts.counts.flagged
    searched = max(facts.counts.forbidding, hits)
    return at_most("forbidden_phrases", rule.level, hits=hits, scored=searched, offenders=facts.flagged, bar=NO_CASES)


def new_fault_gates(facts: Facts, policy: Policy, comparison: Comparison) -> list[RunGate]:
    """Gates on what is certain and new against the baseline's answer to the same case: one case is enough.

    Shares cannot see it: one case of thirty-two is within a bar of 95 %. What a case misses (a phrase, tool, source or
    quote which the baseline had) is no gate where no case demands any, and unmeasured where sources were lost in first
    answers, and no case could be asked again to tell chance from change.
    """
    gates, missed = policy.gates, comparison.of("newly_missed")
    cited = comparison.compared if "citation_support" in facts.gate_counts else 0
    counted: list[tuple[RunGateName, CountGate, int | None]] = [
        ("newly_unanswered", gates.newly_unanswered, None),
        ("newly_miscited", gates.newly_miscited, cited),
        ("new_hallucinations", gates.new_hallucinations, None),
    ]
    if missed.of:
        counted.append(("newly_missed", gates.newly_missed, missed.of))
    # Nobody sets a bar for it.
    judged = [_new_faults("newly_inadmissible", "block", comparison).model_copy(update={"bar": NO_CASES})]
    for name, rule, looked_at in counted:
        judged.append(_new_faults(name, rule.level, comparison, most=rule.max, looked_at=looked_at))
    if missed.of and missed.unasked and not missed.asked and judged[-1].status == "passed":
        judged[-1] = judged[-1].model_copy(update={"status": "unmeasured", "unmeasured": missed.unasked})
    return judged


def _new_faults(
    name: RunGateName, level: Level, comparison: Comparison, *, most: int = 0, looked_at: int | None = None
) -> RunGate:
    """A gate on new faults of the cases compared; `looked_at` is how many of them where that is fewer."""
    hits = comparison.of(name).counted
    return at_most(
        name,
        level,
        hits=hits,
        scored=max(comparison.compared if looked_at is None else looked_at, hits),
        offenders=comparison.found(name),
        bar=Bar(operator="<=", amount=Decimal(most), unit="new cases") if most else _NO_NEW_CASES,
    )


def new_suspects_gate(rule: CeilingGate, comparison: Comparison) -> RunGate:
    """Cases with a suspect that the baseline's answer did not have.

    One of a sharp kind, or in a protected slice, blocks; others block where they are new in more cases than the
    policy's share, and than one, and else warn. Without a baseline nobody can tell what is new.

    Only the difference counts: a false alarm on an unchanged answer stands on both sides and cancels.
    """
    found, compared = comparison.of("new_suspects"), comparison.compared
    return at_most(
        "new_suspects",
        rule.level if blocks(found, rule, compared) or not found.new or rule.level == "off" else "warn",
        hits=found.new,
        scored=compared,
        offenders=comparison.found("new_suspects"),
        bar=_NO_NEW_CASES,
        waived=found.waived,
    )


def blocks(found: ChangeCount, rule: CeilingGate, compared: int) -> bool:
    """Whether new suspects are more than a warning.

    Args:
        found: What is new.
        rule: The gate.
        compared: Cases on both runs.
    """
    return bool(found.blocking) or (found.new > 1 and found.new > compared * rule.max)


def shift_gates(policy: Policy, comparison: Comparison) -> list[RunGate]:
    """A mean score that fell, and a hallucination rate that rose, by strictly more than the policy allows.

    Sums of whole numbers: a drop of exactly the bar passes.
    """
    gates, shared = policy.gates, comparison.shared
    score = Measured(kind="shift", before=shared.score_before, after=shared.score_after, cases=shared.scored)
    rate = Measured(
        kind="shift", before=shared.hallucinating_before, after=shared.hallucinating_after, cases=shared.ran
    )
    # Scores are summed in hundredths, and points are hundredths of all cases.
    shifts: tuple[tuple[RunGateName, AmountGate, Measured, Unit, int, Decimal], ...] = (
        ("score_drop", gates.score_drop, score, "score", score.before - score.after, Decimal(100)),
        ("hallucination_rise", gates.hallucination_rise, rate, "points", rate.after - rate.before, Decimal("0.01")),
    )
    judged = []
    for name, rule, shift, unit, worse, scale in shifts:
        bar = Bar(operator="<=", amount=Decimal(str(rule.max)), unit=unit)
        gate = RunGate(gate=name, level=rule.level, status="insufficient", bar=bar)
        if shift.cases:
            status = "failed" if worse > bar.amount * shift.cases * scale else "passed"
            gate = gate.model_copy(update={"status": status, "measured": shift})
        judged.append(gate)
    return judged


def judges_lost_gate(comparison: Comparison) -> RunGate | None:
    """Unmeasured if judges or labels measured cases on the baseline and neither does now.

    None where nothing was lost, and in a run that need not have the key: there it is told.
    """
    lost = comparison.judges_lost
    if lost is None or lost.excused == "no-key":
        return None
    is_waived = lost.excused == "waived"
    why = next((Problem(code="judge-lost", detail=f"{judge}: {detail}") for judge, detail in lost.unheard), None)
    return RunGate(
        gate="judges_lost",
        level="block",
        status="passed" if is_waived else "unmeasured",
        unmeasured=0 if is_waived else lost.cases,
        waived=lost.cases if is_waived else 0,
        bar=NO_CASES,
        offenders=tuple([Change(case_id=each, gate="judges_lost", problem=why) for each in lost.named]),
        offending=lost.cases,
    )


def policy_gate(judged: Sequence[RunGate], comparison: Comparison | None) -> RunGate | None:
    """Fails where a gate does not pass by the baseline's suite that passes by the head's; at the baseline's level.

    None where the suites are the same or decide alike. What somebody answers for passes.

    Args:
        judged: The gates on the run by the head's suite.
        comparison: Against the baseline.
    """
    policy = comparison.policy if comparison is not None else None
    if policy is None:
        return None
    # Those that block, or leave the decision open, by the baseline's suite and not by the head's.
    failed = {gate.gate for gate in judged if gate.level == "block" and gate.status == "failed"}
    is_open = failed | {gate.gate for gate in judged if gate.level == "block" and gate.status == "unmeasured"}
    worse = [each for each in policy.blocking if each.gate not in (failed if each.status == "failed" else is_open)]
    lost = policy.failing_removed
    if not (worse or lost or policy.unknown):
        return None
    status: RunGateStatus = "failed" if lost or (worse and policy.waiver is None) else "passed"
    if policy.unknown and status == "passed" and policy.waiver is None:
        status = "unmeasured"
    offenders = [Change(case_id=each.case_id, gate="policy_weakened", problem=each.fails) for each in lost]
    offenders += [Change(case_id="", gate=each.gate) for each in worse]
    if policy.unknown is not None:
        why = Problem(code="setting", detail=policy.unknown)
        offenders.append(Change(case_id="", gate="policy_weakened", problem=why))
    return RunGate(
        gate="policy_weakened",
        level=policy.level,
        status=status,
        waived=1 if (worse or policy.unknown) and policy.waiver is not None else 0,
        bar=NO_CASES,
        measured=Measured(kind="weakenings", weakenings=policy.changed, gates=len(worse)),
        offenders=tuple(offenders[:NAMED_AT_MOST]),
        offending=len(offenders),
    )
