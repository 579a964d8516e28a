"""The top of the page: may this ship, why, what to repair first, and what a first run can tell."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from raggate_action.report.case_view import place_and_command
from raggate_action.report.comment_size import Extent, cut_at_word, gate_name, left_out, names
from raggate_action.report.decision_words import SIGNS, passed_in_words, reason_in_words
from raggate_action.report.judge_messages import way_out, why_lost
from raggate_action.report.page import (
    Code,
    DecisionBox,
    FirstEntries,
    Foreign,
    Item,
    Section,
    Strong,
    Text,
    WithCode,
    joined,
)
from raggate_action.report.report_input import Reporting
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import StageCount
from raggate_action.schema.decision import (
    FailedCase,
    GateReason,
    Reason,
    RemovedCase,
    Stopped,
    UnmeasuredCount,
    WaiversExpired,
)
from raggate_action.schema.outcome import GATES, GATES_OF_ALL, GateName
from raggate_action.schema.partial_scope import NotCarried, PartialScope
from raggate_action.schema.policy import Waiver
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import NOTHING, count
from raggate_action.strings.visible_text import cut

_REASONS = 3
_REASONS_IN_SUMMARY = 30
_NAMED = 5
_LONGEST_SENTENCE = 300
_SHORT = 12
# So much of a first run verified says enough of what its gates can tell.
_MUCH = Decimal("0.5")
_ADVISES = "This suite only advises: the check passes whatever stands here."


def decision_box(reporting: Reporting, extent: Extent) -> DecisionBox:
    """The alert: decision, five counts, reasons."""
    if reporting.has_no_result:
        return _silent(reporting)
    decision = reporting.run.decision
    reasons = [reason for reason in decision.reasons if not _stands_above(reason)]
    most = _REASONS_IN_SUMMARY if extent.whole else _REASONS
    lines = [_reason_line(reason, extent.reason) for reason in reasons[:most]]
    if len(reasons) > most:
        lines.append(f"{count(len(reasons) - most, 'more reason')}: see the gates below.")
    named = [reason.gate.gate for reason in reasons[:most] if isinstance(reason, GateReason)]
    place = 1 if named[:1] == ["judges_lost"] else len(lines)
    lines[place:place] = _on_lost_judges(reporting, in_reasons="judges_lost" in named)
    lines += _on_faults(reporting.run)
    lines += _on_removed(reporting.run)
    lines += _on_comparison(reporting)
    lines += _on_first_run(reporting)
    if not decision.enforced:
        lines.append(_ADVISES)
    return DecisionBox(decision.kind, tuple(_above(reporting)), _line(reporting), tuple(lines))


def _silent(reporting: Reporting) -> DecisionBox:
    """For an app that answered nothing: why, and what to do about it, uncut; there is nothing else to say."""
    decision = reporting.run.decision
    sentences = [str(reason_in_words(reason)) for reason in decision.reasons if not _stands_above(reason)]
    reasons: list[Text] = [WithCode(reason[:1].upper() + reason[1:]) for reason in sentences]
    lines = reasons if decision.enforced else [*reasons, _ADVISES]
    return DecisionBox(decision.kind, tuple(_above(reporting)), _line(reporting), tuple(lines))


def _line(reporting: Reporting) -> Text:
    run, comparison = reporting.run, reporting.comparison
    counts = run.counts
    if reporting.has_no_result:
        moved = (f"{NOTHING} regressions", f"{NOTHING} hallucinations")
    elif comparison is None:
        moved = (f"{NOTHING} regressions", f"{counts.hallucinating:,} with hallucinations")
    else:
        moved = (count(comparison.regressed, "regression"), count(comparison.new_hallucinations, "new hallucination"))
    return joined(
        " · ",
        [
            Strong(run.decision.kind.capitalize()),
            ("suite ", Code(cut(run.suite, 64))),
            passed_in_words(counts),
            f"{counts.failed:,} failed",
            *([f"{counts.flaky:,} flaky"] if counts.flaky else []),
            f"{run.unmeasured:,} unmeasured",
            *moved,
        ],
    )


def _on_faults(run: Run) -> list[Text]:
    """How to go on where raggate itself failed at a case that has to be measured."""
    for gate in run.gates:
        if isinstance(gate.measured, UnmeasuredCount) and gate.measured.faults:
            first = next((each.case_id for each in gate.offenders if isinstance(each, FailedCase)), "ID")
            waiver = Code(f"{{case: {cut(first, 80)}, gate: removed}}")
            report = (Strong("Way out:"), " report the fault with the lines of the log, which names the address.")
            return [
                (*report, " To go on before it is mended, take the case out of the suite with a waiver ", waiver, ".")
            ]
    return []


def _on_removed(run: Run) -> list[Text]:
    """How to go on where cases taken out leave too few measured."""
    for gate in run.gates:
        open_cases = gate.measured if gate.level == "block" and gate.status == "failed" else None
        if isinstance(open_cases, UnmeasuredCount) and open_cases.removed and not open_cases.faults:
            first = next((each.case_id for each in gate.offenders if isinstance(each, RemovedCase)), "ID")
            waiver = Code(f"{{case: {cut(first, 80)}, gate: removed, reason: ..., owner: ..., expires: ...}}")
            back = f" put back the {count(open_cases.removed, 'removed case')}, or let each go with a waiver "
            return [(Strong("Way out:"), back, waiver, ".")]
    return []


def _on_comparison(reporting: Reporting) -> list[Text]:
    comparison = reporting.comparison
    if comparison is None:
        note = reporting.run.baseline
        if note is None or not note.missing:
            return ["No baseline run to compare with, so regressions are unknown."]
        why = Foreign(cut(note.missing, _LONGEST_SENTENCE))
        return [(Strong("No baseline."), " ", why, " Regressions are unknown.")]
    other = comparison.other_rules
    if not comparison.compared and other is not None and other.cases:
        left = "; what it judged is not at hand to be judged again, so nothing could be compared."
        return [("The baseline was made by raggate ", Code(cut(other.version, 40)), left)]
    if comparison.partial is not None:
        return [_of_a_part(comparison.partial, reporting.run)]
    if not comparison.compared:
        return ["No case stands unchanged on both runs, so nothing could be compared with the baseline."]
    return []


_SPARED = {
    "waived": "Waived.",
    "no-secrets": "Without the keys this decides nothing: a run that has them measures these cases.",
    "laptop": "In a workflow that gets secrets this leaves the decision open.",
}


def _on_lost_judges(reporting: Reporting, *, in_reasons: bool) -> list[Text]:
    """Which cases no judge measures any more, why, and what to do about it; `in_reasons`: the first one is a reason."""
    lost = reporting.comparison.judges_lost if reporting.comparison is not None else None
    if lost is None or lost.level == "off":
        return []
    cases = names([Code(cut(case_id, 80)) for case_id in lost.named], lost.cases)
    reasons: dict[str, list[Code]] = {}
    for each in lost.judges[in_reasons:_REASONS]:
        reasons.setdefault(why_lost(each).rstrip("."), []).append(Code(cut(each.judge, 64)))
    why = [
        (" ", names(judges, len(judges)), ": ", Foreign(cut(reason, _LONGEST_SENTENCE)), ".")
        for reason, judges in reasons.items()
    ]
    said: Text = f" {count(lost.cases, 'case')}: ", cases, "."
    if lost.excused is not None:
        return [(Strong("Judges lost, so not measured as on the baseline:"), said, *why, f" {_SPARED[lost.excused]}")]
    outs = dict.fromkeys(filter(None, map(way_out, lost.judges)))
    way = WithCode("; or ".join([*outs, "accept it with a waiver `{gate: policy_weakened}`"]))
    return [(Strong("Not measured as on the baseline:"), said, *why, " ", Strong("Way out:"), " ", way, ".")]


def _on_first_run(reporting: Reporting) -> list[Text]:
    found = first_run(reporting)
    if found is None:
        return []
    blind = ", and the app reports no context" if reporting.run.policy.no_context else ""
    why = f": neither a label nor a judge says there what is right{blind}."
    could_not: Text = (" It could not at ", found.could_not, why)
    return [
        (Strong("This run could have blocked at"), f" {found.could}.", could_not if found.could_not else ""),
        (Strong("Next:"), " ", found.next_step),
    ]


_NOT_CARRIED: dict[NotCarried, str] = {
    "version": "another version of raggate judged it",
    "policy": "its gates, or how answers are read, were others",
    "evidence": "its evidence was another",
    "judges": "other judges judged its answers, or none did",
}


def _of_a_part(partial: PartialScope, run: Run) -> Text:
    """What part of the suite was run, and where the figures of the rest come from."""
    ran = f"{run.in_scope:,} of {count(run.suite_size, 'case')} were run"
    if partial.because is not None:
        return (
            f"{ran}. No outcome of the baseline is carried over, for {_NOT_CARRIED[partial.because]}: "
            "a bar fails where fewer of the cases run pass than did."
        )
    unknown = f", and nothing is known of {partial.left_out:,}" if partial.left_out else ""
    return f"{ran}; of {count(partial.carried, 'other')} the baseline's outcome is carried over{unknown}."


def _reason_line(reason: Reason, longest: int) -> Text:
    """A reason cut to a number of characters; the gate's name at its start is bold."""
    words = reason_in_words(reason, SIGNS)
    line = cut_at_word(str(words), longest)
    if words.gate is None:
        return Foreign(line)
    return Strong(Foreign(gate_name(words.gate), NOTHING)), " ", Foreign(line[len(words.gate) + 1 :])


def _stands_above(reason: Reason) -> bool:
    """Whether a reason repeats what is already shown above the decision."""
    return isinstance(reason, WaiversExpired | Stopped)


def _above(reporting: Reporting) -> Iterator[Text]:
    """What changes how everything below is read."""
    run = reporting.run
    if run.cancelled or not run.complete:
        done = run.counts.cases + run.counts.known_bad
        of_all = f"{done:,} of {count(run.in_scope, 'case')} had finished; everything below is of these alone."
        what = Strong("This run was cancelled"), " when" if run.cancelled else Strong("This run did not finish:")
        yield what, f" {of_all}"
    if reporting.reported_by_fork:
        label = Strong("Reported by a fork run:")
        yield label, " the fork's own workflow measured this, and nobody here has checked it."
    if run.origin is not None and run.origin.pull_head:
        label, last = Strong("Not the pull request's last commit:"), Code(run.origin.pull_head[:_SHORT])
        yield label, " this run is of ", Code(run.origin.head_sha[:_SHORT]), ", the pull request is at ", last, "."
    if reporting.listed.expired:
        yield _expired(reporting.listed.expired)


def _expired(expired: tuple[Waiver, ...]) -> Text:
    named: list[Text] = [
        (
            *((Code(cut(waiver.case, 80)), " ") if waiver.case else ()),
            Foreign(cut(waiver.gate, 40).replace("_", " ")),
            *(f" (until {waiver.expires.isoformat()}, ", Foreign(cut(waiver.owner, 80)), ")"),
        )
        for waiver in expired[:_REASONS]
    ]
    subject = "A waiver has expired" if len(expired) == 1 else f"{len(expired):,} waivers have expired"
    verb = "covers" if len(expired) == 1 else "cover"
    return Strong(subject), f" and no longer {verb} ", names(named, len(expired)), "."


def repair_section(reporting: Reporting, _extent: Extent) -> Section:
    """The stage where most cases fail first, what repairs it, and the next one."""
    stages, failed = reporting.run.stages, reporting.run.counts.failed
    if not stages:
        return Section()
    first = stages[0]
    of_all = f"{first.cases:,} of {count(failed, 'failing case')}" if failed else count(first.cases, "case")
    lead = Strong("Repair first:"), " ", _repair(first), f" ({of_all}: ", _named(first), ")"
    if len(stages) == 1:
        return Section(lead=lead)
    then = stages[1]
    more = Strong("Then:"), " ", _repair(then), f" ({count(then.cases, 'case')}: ", _named(then), ")"
    return Section(lead=lead, more=more)


def _repair(stage: StageCount) -> Text:
    return f"{stage.stage} → ", Foreign(cut(stage.repair, 120))


def _named(stage: StageCount) -> Text:
    return names([Code(cut(case_id, 80)) for case_id in stage.named[:_NAMED]], stage.cases)


def unblocked_section(reporting: Reporting, extent: Extent) -> Section:
    """Known-bad cases that were not blocked where their author says they must be; never folded away."""
    counts = reporting.run.counts
    left = counts.known_bad_unmeasured + counts.known_bad_no_adjudicator
    total = max(counts.known_bad - counts.known_bad_blocked - left, len(reporting.listed.unblocked))
    if not total:
        return Section()
    most = extent.rows if extent.whole else min(extent.rows, extent.above)
    lead = Strong(f"❌ {total:,} of {count(max(counts.known_bad, total), 'known-bad case')} not blocked:")
    items = FirstEntries(reporting.listed.unblocked, lambda row: _unblocked_item(row, reporting.run), most)
    return Section(lead=lead, items=items, more=left_out(len(items), total, extent))


def _unblocked_item(row: CaseRun, run: Run) -> Item:
    if row.first_failed_stage is not None:
        instead = f"failed first at {row.first_failed_stage}"
    else:
        instead = "could not be measured" if row.state == "unmeasured" else "passed"
    where, repeat = place_and_command(row, run)
    text = Code(cut(row.case_id, 80)), f" had to be blocked at {row.blocked_at}, but {instead} · ", where
    return Item(text, under=(repeat,) if repeat else ())


_KEEP = "Keep this run as the baseline, so that the next one blocks on what turns worse."


class FirstRun(NamedTuple):
    """What a first run can tell and what it cannot.

    Attributes:
        could: Gates that had something to measure and would have blocked, by the names people read.
        could_not: Gates that block, too, and had nothing to measure.
        next_step: What to do about it.
    """

    could: str
    could_not: str
    next_step: Text


def first_run(reporting: Reporting) -> FirstRun | None:
    """The note on a first run; None where it had a baseline, nothing passed, or enough passing answers are verified."""
    run = reporting.run
    counts, gates = run.counts, run.policy.gates
    known = Rate(hits=counts.verified, total=counts.passed)
    if reporting.comparison is not None or not counts.passed or meets(known, gates.verified.min or _MUCH):
        return None
    could = [gate.gate for gate in run.gates if gate.level == "block" and gate.status in {"passed", "failed"}]
    # Gates that only judges can feed are nobody's question unless the suite asks it.
    asked = {gate.gate for gate in run.gates} | set(GATES_OF_ALL)
    missing = [gate for gate in GATES if gate in asked and gates.of(gate).level == "block" and gate not in could]
    names = [gate_name(gate) for gate in missing]
    names += [gate_name(gate.gate) for gate in run.gates if gate.gate not in GATES and gate.status == "insufficient"]
    step: Text = "look through the answers that are not verified and write what is wrong with them as known-bad cases. "
    if unseen := list(_unseen(run, missing)):
        step = "this suite cannot see ", joined("; ", unseen), ". ", Code("raggate-action accept"), " proposes labels. "
    return FirstRun(", ".join([gate_name(gate) for gate in could]), ", ".join(names), (step, _KEEP))


def _unseen(run: Run, missing: list[GateName]) -> Iterator[Text]:
    """What passes whatever the answers say, each with the reason."""
    if {"point_coverage", "behaviour"} <= set(missing):
        yield "a wrong answer in good form (no case says what is right)"
    if run.policy.no_context:
        yield "a claim that no evidence backs (the app shows no contexts)"
    if not run.counts.unanswerable:
        yield "an answer made up where there is none (no case has ", Code("expect: abstain"), ")"
