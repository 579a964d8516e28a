"""Cases by name: failing, unmeasured and waived ones, with the command that repeats each on a laptop."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.escape import cell, command, inline_code, prose
from raggate_action.report.extent import Extent, joined, listed_fold, table_fold
from raggate_action.report.finding_view import finding_section
from raggate_action.report.page import Item, Section, Table
from raggate_action.report.repeat import repeat_command
from raggate_action.report.reporting import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.listed import WaivedFailure
from raggate_action.schema.outcome import GateName, Outcome, Problem
from raggate_action.schema.run import Run
from raggate_action.visible_text import cut

_PROBLEMS = 5
_LONGEST_DETAIL = 300
# Their details hold ids and words of ours alone; the other gates quote the answer.
NAME_IDS_ONLY: frozenset[GateName] = frozenset(
    {"admissibility", "candidate_recall", "context_recall", "context_precision", "answered"}
)
_REASONS = {
    "trace": "the trace does not show it",
    "judge": "no usable judge reply",
    "budget": "the judge budget was used up",
    "cut": "cut by the deadline",
    "no-adjudicator": "needs a judge",
}
# Of a case that left nothing at all, and not only too little for one gate.
_UNTRACED = "there is no trace of it"


def case_section(reporting: Reporting, extent: Extent) -> Section:
    """Failing, unmeasured and waived cases and the findings on claims, each folded."""
    listed, counts = reporting.listed, reporting.run.counts
    waived_gates = frozenset([(failure.case_id, failure.gate) for failure in listed.waived])
    failing = [_failing_item(row, waived_gates, reporting, extent) for row in listed.failing[: extent.rows]]
    unmeasured = [line for row in listed.unmeasured[: extent.rows] for line in _unmeasured_row(row, reporting)]
    waived = [_waived_row(failure, reporting, extent) for failure in listed.waived[: extent.rows]]
    return joined(
        [
            listed_fold("Failing cases", failing, total=max(counts.failed, len(listed.failing)), extent=extent),
            table_fold(
                "Unmeasured cases",
                Table(("Case", "Gate", "Why"), ("---",) * 3, tuple(unmeasured)),
                total=max(counts.unmeasured, len(listed.unmeasured)),
                extent=extent,
            ),
            table_fold(
                "Waived failures",
                Table(("Case", "Gate", "Problem", "Reason", "Owner", "Until"), ("---",) * 6, tuple(waived)),
                total=len(listed.waived),
                extent=extent,
            ),
            finding_section(reporting, extent),
        ]
    )


def place_and_command(row: CaseRun, run: Run) -> tuple[str, str]:
    """Where the case is written, and how it is run again; the command is empty when it cannot be copied."""
    repeat = command(repeat_command(row.case_id, run))
    return inline_code(cut(f"{row.file}:{row.line}", 160)), f"repeat: {repeat}" if repeat else ""


def problem_text(problem: Problem, gate: GateName, reporting: Reporting, *, longest: int = _LONGEST_DETAIL) -> str:
    """Code and offenders of a problem; the code alone where the detail would quote an answer that may not be shown."""
    code = inline_code(cut(problem.code, 60))
    if not problem.detail or not (reporting.shows_texts or gate in NAME_IDS_ONLY):
        return code
    return f"{code} {prose(cut(problem.detail, longest))}"


def problem_line(problem: str, reporting: Reporting, extent: Extent) -> str:
    """A problem that is stored as one line, `code: detail`."""
    if not reporting.shows_texts:
        return cell(cut(problem.partition(": ")[0], 60))
    return cell(cut(problem, min(extent.words, _LONGEST_DETAIL)))


def _failing_item(row: CaseRun, waived: frozenset[tuple[str, GateName]], reporting: Reporting, extent: Extent) -> Item:
    where, repeat = place_and_command(row, reporting.run)
    name = f" {prose(cut(row.name, 120))}" if row.name else ""
    stage = f" · {row.first_failed_stage}" if row.first_failed_stage else ""
    must = " · must be released" if row.kind == "must_release" else ""
    text = f"{inline_code(cut(row.case_id, 80))}{name}{stage}{must} · {where}"
    problems = list(_problems(row, waived, reporting, extent))
    shown = problems[:_PROBLEMS] + ([f"and {len(problems) - _PROBLEMS} more"] if len(problems) > _PROBLEMS else [])
    said = _asked_and_answered(row, reporting, extent) if extent.whole else []
    return Item(text, under=(*shown, *said, *([repeat] if repeat else [])))


def _problems(
    row: CaseRun, waived: frozenset[tuple[str, GateName]], reporting: Reporting, extent: Extent
) -> Iterator[str]:
    """Problems of the failed gates, those that decide first; what several gates tell alike is told once."""
    levels = reporting.run.policy.gates
    failed = [
        (gate, found)
        for gate, found in row.outcomes.items()
        if found.kind == "failed" and levels.of(gate).level != "off"
    ]
    failed.sort(key=lambda pair: levels.of(pair[0]).level != "block")
    told: set[Problem] = set()
    for gate, outcome in failed:
        if outcome.kind == "failed":
            level = "" if levels.of(gate).level == "block" else " (only warns)"
            excused = " (waived)" if (row.case_id, gate) in waived else level
            longest = min(extent.words, _LONGEST_DETAIL)
            for problem in outcome.problems:
                if problem not in told or not problem.detail:
                    yield problem_text(problem, gate, reporting, longest=longest) + excused
            told.update(outcome.problems)


def _asked_and_answered(row: CaseRun, reporting: Reporting, extent: Extent) -> list[str]:
    lines = [f"asked: {prose(cut(row.question, extent.words))}"] if row.question.strip() else []
    if reporting.shows_texts and row.answer is not None and row.answer.strip():
        lines.append(f"answered: {prose(cut(row.answer, extent.words))}")
    return lines


def _unmeasured_row(row: CaseRun, reporting: Reporting) -> Iterator[tuple[str, ...]]:
    """One table row per case: the first gate that could not be measured and is counted."""
    for gate, outcome in row.outcomes.items():
        if outcome.kind == "unmeasured" and outcome.reason != "no-adjudicator":
            yield inline_code(cut(row.case_id, 80)), cell(gate.replace("_", " ")), _why(gate, outcome, reporting)
            return
    yield inline_code(cut(row.case_id, 80)), "–", "–"


def _why(gate: GateName, outcome: Outcome, reporting: Reporting) -> str:
    if outcome.kind != "unmeasured":
        return "–"
    untraced = gate == "target" and outcome.reason == "trace"
    reason = _UNTRACED if untraced else _REASONS[outcome.reason]
    if not outcome.detail or not (reporting.shows_texts or gate in NAME_IDS_ONLY):
        return reason
    detail = prose(cut(outcome.detail, _LONGEST_DETAIL))
    return detail if untraced else f"{reason}: {detail}"


def _waived_row(failure: WaivedFailure, reporting: Reporting, extent: Extent) -> tuple[str, ...]:
    waiver = failure.waiver
    return (
        inline_code(cut(failure.case_id, 80)),
        failure.gate.replace("_", " "),
        problem_line(failure.problem, reporting, extent),
        cell(cut(waiver.reason, _LONGEST_DETAIL)),
        cell(cut(waiver.owner, 80)),
        waiver.expires.isoformat(),
    )
