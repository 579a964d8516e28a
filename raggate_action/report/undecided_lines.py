"""What could not be decided: cases nobody measured, judges that are missed, answers that vary; and the ways out."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import NAMED, Extent, names, names_if_few
from raggate_action.report.decision_words import (
    measured_in_words,
    own_rate_in_words,
    problem_in_words,
    reason_in_words,
)
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.gate_faults import gate_line
from raggate_action.report.judge_messages import what_arms, why_it_advises
from raggate_action.report.page import Code, Foreign, Strong, Text, WithCode
from raggate_action.report.report_input import Reporting
from raggate_action.report.waiver_to_copy import waiver_to_copy
from raggate_action.schema.change import Change, ChangeCount
from raggate_action.schema.decision import Measured, RunGate
from raggate_action.schema.outcome import Problem, Unmeasured, is_out_of_date
from raggate_action.schema.policy import JUDGES_LOST, REMOVED
from raggate_action.strings.numbers import count, money
from raggate_action.strings.visible_text import cut

_LONGEST_SENTENCE = 300
_SPARED = {
    "waived": "Waived.",
    "no-key": "This does not block without the judge's key: a run that has it measures these cases.",
}


def undecided_lines(reporting: Reporting, extent: Extent) -> Iterator[FaultLine]:
    """What the decision is open for: nothing in scope, cases and gates not measured, judges lost."""
    if "nothing-in-scope" in reporting.run.decision.reasons:
        yield FaultLine(reason_in_words("nothing-in-scope", reporting.run), level="open")
    yield from outdated_lines(reporting, extent)
    gates = reporting.run.named_gates
    failed = [gate for gate in gates if gate.status == "failed"]
    budget = [(gate, found) for gate in failed if (found := gate.measures("unmeasured")) is not None]
    labels = len(_outdated(reporting))
    yield from (_over_budget(gate, found, reporting) for gate, found in budget if gate.offending > labels)
    yield from _judges_lost(reporting)
    for gate in gates:
        if _is_open(gate) and not (budget and _are_unmeasured(gate)):
            yield FaultLine(gate_line(gate, reporting, extent), level="open")


def outdated_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """How many cases only labels out of date keep from being measured, the new words of the first, and the way out."""
    rows = _outdated(reporting)
    if not rows:
        return
    gates = [each for each in reporting.run.gates if each.gate == "unmeasured" and each.status == "failed"]
    most = f" ({gates[0].bar.allowed:,} allowed)" if gates else ""
    found = rows[0]
    said: Text = (": ", Foreign(cut(found[1], _LONGEST_SENTENCE))) if found[1] else ""
    named = names([case_id for case_id, _words in rows], len(rows))
    lead = Strong(f"Labels out of date: {count(len(rows), 'case')} not measured"), most
    way = WithCode("`raggate-action accept` replaces them")
    ids = tuple([case_id for case_id, _words in rows])
    words = (*lead, said, ". ", named, ". ", Strong("Way out:"), " ", way, ", if the answers are right.")
    yield FaultLine(words, ids, level="open")


def _outdated(reporting: Reporting) -> list[tuple[str, str]]:
    """These cases, each with what the document says now."""
    found = []
    for row in reporting.listed.unmeasured:
        first = next((each for each in row.outcomes.values() if is_out_of_date(each)), None)
        if isinstance(first, Unmeasured):
            now = Problem(code="unmeasured-label", detail=first.detail)
            found.append((row.case_id, problem_in_words(now) if first.detail else ""))
    return found


def _is_open(gate: RunGate) -> bool:
    return gate.status == "unmeasured" and gate.gate not in {"judges_lost", "policy_weakened"}


def _are_unmeasured(gate: RunGate) -> bool:
    """Whether the gate is open for cases alone, which the line on the unmeasured ones tells of."""
    return bool(gate.offenders) and all(each.case_id and not _is_removed(each) for each in gate.offenders)


def _is_removed(change: Change) -> bool:
    return change.problem is not None and change.problem.code == REMOVED


def _over_budget(gate: RunGate, found: Measured, reporting: Reporting) -> FaultLine:
    """`**5 of 7 cases were not measured** (1 allowed): cut by the deadline. late-1 and 4 more`, and the way out."""
    allowed = f" ({gate.bar.allowed:,} allowed)" if gate.bar.allowed is not None else ""
    if found.faults and found.faults == found.unmeasured and not found.removed:
        allowed = " (no such fault is allowed)"
    lead = Strong(f"Not measured: {measured_in_words(gate)}"), allowed
    ids = [each.case_id for each in gate.offenders]
    problem = next((each.problem for each in gate.offenders if not _is_removed(each)), None)
    why: Text = (": ", Foreign(cut(problem_in_words(problem), _LONGEST_SENTENCE))) if problem is not None else ""
    named = names_if_few(ids, max(gate.offending, len(ids)))
    return FaultLine((*lead, why, ". ", named, ".", *_way_out(found, gate, ids, reporting)), level="open")


def _way_out(found: Measured, gate: RunGate, ids: list[str], reporting: Reporting) -> Iterator[Text]:
    removed = next((each.case_id for each in gate.offenders if _is_removed(each)), "ID")
    if found.faults:
        what = " report the fault; the log has the address. Until it is fixed, remove the case from the suite and copy "
        yield " ", Strong("Way out:"), what, waiver_to_copy("removed", reporting, case=ids[0] if ids else "ID"), "."
    elif found.removed:
        back = f" restore the {count(found.removed, 'removed case')}, or for each copy "
        yield " ", Strong("Way out:"), back, waiver_to_copy("removed", reporting, case=removed), "."


def _judges_lost(reporting: Reporting) -> Iterator[FaultLine]:
    """Which cases no judge or label measures any more, why, and what to do about it."""
    lost = reporting.comparison.judges_lost if reporting.comparison is not None else None
    if lost is None:
        return
    panel = reporting.run.panel
    unarmed = [] if panel is None else [each for each in panel.cards if not each.armed]
    reasons = dict(lost.unheard) or {each.judge: why_it_advises(each) for each in unarmed}
    why = [
        (" ", Code(cut(judge, 64)), ": ", Foreign(cut(reason.rstrip("."), _LONGEST_SENTENCE)), ".")
        for judge, reason in list(reasons.items())[:NAMED]
    ]
    cases = names(lost.named, lost.cases, len(lost.named))
    lead = Strong(f"Not measured as on the {reporting.base_name}:")
    words: tuple[Text, ...] = (lead, f" {count(lost.cases, 'case')}: ", cases, ".", *why)
    if lost.excused is not None:
        yield FaultLine((*words, " ", WithCode(_SPARED[lost.excused])), level="open")
        return
    if lost.unheard:
        outs = ["correct the judge's key, address or model, or raise `judges: {budget: ...}`"]
    elif panel is not None and panel.labels_usd is not None:
        dear = f"the labels cost {money(panel.labels_usd)} to judge, more than a run may spend"
        outs = [f"run `raggate-action judges check` and commit its file ({dear})"]
    else:
        outs = list(dict.fromkeys(map(what_arms, unarmed))) or ["put the judge or label back"]
    way = WithCode("; or ".join([*outs, "copy "])), waiver_to_copy(JUDGES_LOST, reporting)
    yield FaultLine((*words, " ", Strong("Way out:"), " ", *way, "."), level="open")


def unsteady_lines(reporting: Reporting, extent: Extent) -> Iterator[FaultLine]:
    """Answers that vary: flaky cases, cases that were to be asked again and were not, sources lost once."""
    counts = reporting.run.counts
    if counts.flaky:
        named = names([row.case_id for row in reporting.listed.flaky], counts.flaky)
        lead = Strong(f"Flaky: {count(counts.flaky, 'case')} failed once and passed on a retry")
        yield FaultLine((lead, ", so neither passed nor failed: ", named), level="open")
        yield from single_hallucination_lines(reporting, extent)
    lost = reporting.comparison.of("newly_missed") if reporting.comparison is not None else ChangeCount()
    first = "its first answer counts" if counts.unconfirmed == 1 else "their first answers count"
    share = f"they count as those that were ({lost.confirmed:,} of {lost.asked:,} lost their source each time)"
    for cases, how in ((counts.unconfirmed, first), (lost.unasked, share)):
        if cases:
            yield FaultLine((Strong("Not asked again:"), f" {count(cases, 'case')} in doubt; {how}."), level="open")


def single_hallucination_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """Cases of which one answer alone has a hallucination, which the base branch's rate explains; and both rates."""
    by_chance = [(row, row.own_rate) for row in reporting.listed.flaky if row.own_rate is not None]
    if by_chance:
        base, rate = reporting.base_name, by_chance[0][1]
        lead = Strong("Hallucination in a single answer:")
        named = names([row.case_id for row, _rate in by_chance], len(by_chance))
        why = "has as many" if rate.main_false else "has too few answers to tell it from chance"
        words = f". The {base} {why} ({own_rate_in_words(rate, base)}), so it is not counted as new."
        more = "" if rate.main_false else f" Run the {base} three times first; two such answers then count."
        yield FaultLine((lead, " ", named, words, more), level="open")
