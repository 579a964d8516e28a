"""Failed gates whose cases are in no stage's line: known-bad cases, suspects, slices, speed, cost, what was carried."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report import catalogue
from raggate_action.report.case_view import place_text
from raggate_action.report.comment_size import NAMED, Extent, code, cut_at_word, gate_name, names
from raggate_action.report.decision_words import (
    bar_in_words,
    base_name,
    gate_in_words,
    measured_in_words,
    not_blocked,
)
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Foreign, Strong, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.report.stage_faults import are_in_stage_lines, stage_faults
from raggate_action.report.waiver_to_copy import release_by_waivers
from raggate_action.schema.decision import RunGate
from raggate_action.schema.outcome import GATES
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import NOTHING, count, counted
from raggate_action.strings.visible_text import cut

_GATES = 3
_GATES_IN_SUMMARY = 30
_LONGEST_NAME = 80


def unblocked_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """Known-bad cases that were not blocked where their author says they must be: the gate itself does not hold."""
    counts, rows = reporting.run.counts, reporting.listed.unblocked
    left = counts.known_bad_unmeasured + counts.known_bad_no_adjudicator
    total = max(counts.known_bad - counts.known_bad_blocked - left, len(rows))
    if not total:
        return
    lead = Strong(f"{total:,} of {count(max(counts.known_bad, total), 'known-bad case')} not blocked")
    more = f", and {total - 1:,} more" if total > 1 else ""
    first = [(": ", code(each.case_id), f" {not_blocked(each)} (", place_text(each), ")", more)
             for each in rows[:1]]  # fmt: skip
    yield FaultLine((lead, *first), tuple([each.case_id for each in rows[:1]]))


def renew_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """Known-bad cases that nobody can judge any more."""
    if found := reporting.run.counts.known_bad_to_renew:
        why = "a text that the answer was given from has changed or is gone. "
        named = Code("raggate-action explain"), " names ", "it" if found == 1 else "them", "."
        yield FaultLine((Strong(f"known-bad to renew: {found:,}"), ": ", why, *named), level="note")


def left_to_judges_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """Known-bad cases that no rule blocks, and that no judge was heard on who counts."""
    counts, rows = reporting.run.counts, reporting.listed.left_to_judges
    if total := max(counts.known_bad_unmeasured + counts.known_bad_no_adjudicator, len(rows)):
        lead = Strong(f"{total:,} of {count(max(counts.known_bad, total), 'known-bad case')} not measured")
        named = names([row.case_id for row in rows], total)
        yield FaultLine((lead, ": no rule blocks them, and only judges can: ", named), level="note")


def gate_lines(reporting: Reporting, extent: Extent) -> Iterator[FaultLine]:
    """A line for each other gate that fails, in the order of the decision; at most so many in a comment."""
    failed = [gate for gate in reporting.run.named_gates if gate.status == "failed" and not _is_told(gate, reporting)]
    most = _GATES_IN_SUMMARY if extent.whole else _GATES
    for gate in failed[:most]:
        yield _line(gate, reporting, extent)
    if len(failed) > most:
        yield FaultLine(f"{count(len(failed) - most, 'more gate')} failed: see the gates below.")


def _is_told(gate: RunGate, reporting: Reporting) -> bool:
    """Whether other lines tell why the gate fails."""
    if gate.measures("slices"):
        stages = stage_faults(reporting)
        return bool(stages) and all(each.failed for each in stages)
    if gate.gate == "hallucination_rise" and not gate.offenders:
        return any(stage.stage == "answer faithfulness" for stage in reporting.run.stages)
    stands_elsewhere = gate.gate in {"known_bad_blocked", "poorer"} or bool(gate.measures("unmeasured", "weakenings"))
    return stands_elsewhere or are_in_stage_lines(gate, reporting)


def _line(gate: RunGate, reporting: Reporting, extent: Extent) -> FaultLine:
    cases = tuple([each.case_id for each in gate.offenders if each.case_id and each.move != "same"])
    named = names(cases, gate.offending)
    if gate.gate == "new_suspects":
        return _suspect_line(gate, reporting)
    if (slices := gate.measures("slices")) is not None:
        red = [
            (Foreign(cut(each.name, _LONGEST_NAME), NOTHING), f" {counted(each.passed, each.scored)}")
            for each in reporting.run.slices
            if each.status == "failed"
        ]
        what = f"{count(slices.red, 'slice')} {'is' if slices.red == 1 else 'are'} below the bar"
        return FaultLine((Strong(what), f" ({bar_in_words(gate)}): ", joined(", ", red[:NAMED])), cases)
    answers = gate.measures("cases") if gate.gate in catalogue.GATES and len(cases) == len(gate.offenders) else None
    if answers is not None:
        return FaultLine((_lead(f"{count(answers.hits, 'answer')} {catalogue.GATES[gate.gate]}", gate), named), cases)
    return FaultLine(gate_line(gate, reporting, extent), cases)


def _suspect_line(gate: RunGate, reporting: Reporting) -> FaultLine:
    """`**1 more answer newly says what no evidence says** (0 new allowed)`: those that fail stand above."""
    comparison = reporting.comparison
    listed = comparison.found("new_suspects") if comparison is not None else gate.offenders
    failing = {row.case_id for row in reporting.listed.failing if row.first_failed_stage is not None}
    rest = [each for each in listed if each.case_id not in failing] or listed
    left = gate.offending - len(listed) + len(rest)
    noun = "more answer" if left < gate.offending else "answer"
    what = f"{count(left, noun)} {catalogue.GATES[gate.gate]}"
    cases = tuple([each.case_id for each in rest])
    words: list[Text] = [_lead(what, gate, ". "), catalogue.repair_of(GATES["faithfulness"]), ". "]
    words.append(names(cases, left))
    if waivers := release_by_waivers("new_suspects", reporting):
        words += [". ", Strong("Way out:"), " if these answers are right, give the evidence what they say, or copy ",
                  waivers, ", with ", Code("case: ..."), " in it for one"]  # fmt: skip
    return FaultLine((*words, "."), cases)


def _lead(what: str, gate: RunGate, end: str = ": ") -> Text:
    new = {"cases": "", "new cases": " new"}.get(gate.bar.unit)
    aside = bar_in_words(gate) if new is None else f"{int(gate.bar.amount):,}{new} allowed"
    return Strong(what), f" ({aside}){end}"


def gate_line(gate: RunGate, reporting: Reporting, extent: Extent) -> Text:
    """The gate's name, bold, and how it stands, cut to a number of characters."""
    words = cut_at_word(gate_in_words(gate, reporting.base_name), extent.reason)
    return Strong(Foreign(gate_name(gate.gate), NOTHING)), " ", Foreign(words)


def warnings_beside_baseline(run: Run) -> list[RunGate]:
    """The failed gates that compare with the baseline and only warn."""
    failed = [gate for gate in run.gates if (gate.status, gate.level) == ("failed", "warn")]
    return [
        gate
        for gate in failed
        if gate.bar.unit == "new cases"
        or gate.measures("shift", "arms", "weakenings")
        or (gate.gate == "poorer" and not gate.measures("alone"))
    ]


def why_it_warns(gate: RunGate, reporting: Reporting) -> str:
    """Why a gate that fails does not block, as a clause."""
    rule = dict(reporting.run.policy.gates).get(gate.gate)
    if gate.gate == "policy_weakened" or (rule is not None and rule.level == "warn"):
        return "its level is `warn`"
    poorer = reporting.comparison.poorer if reporting.comparison is not None else None
    if gate.gate == "poorer" and poorer is not None and poorer.recorded + poorer.unsure:
        return "recorded answers cannot be retried"
    return "too few answers for a block"


def what_blocks(run: Run) -> str:
    """`known-bad blocked: 3 of 4`: the first gate of a block without a failed case; empty for any other run."""
    failed = [gate for gate in run.named_gates if gate.status == "failed"]
    if run.decision.kind != "block" or not failed or run.counts.failed:
        return ""
    gate = failed[0]
    measured = measured_in_words(gate, base_name(run)) or (
        counted(gate.passed or 0, gate.scored) if gate.scored else ""
    )
    more = f" (and {count(len(failed) - 1, 'more gate')})" if len(failed) > 1 else ""
    return f"{gate_name(gate.gate)}{': ' if measured else ''}{measured}{more}"
