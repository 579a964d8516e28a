"""Cases by name: failing, unmeasured and waived ones, with the command that repeats each on a laptop."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.page import Code, Column, FirstEntries, Foreign, Item, Listing, Section, Table, Text
from raggate_action.report.problem_words import UNMEASURED, problem_in_words, unmeasured_in_words
from raggate_action.report.repeat_command import repeat_line
from raggate_action.report.report_input import Reporting
from raggate_action.report.size_ladder import Extent, listed_fold, table_fold
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.listed_cases import WaivedFailure
from raggate_action.schema.outcome import GateName, Outcome, Problem
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import NOTHING
from raggate_action.strings.visible_text import cut

_PROBLEMS = 5
_LONGEST_DETAIL = 300
# Their details hold ids and words of ours alone; the other gates quote the answer.
NAME_IDS_ONLY: frozenset[GateName] = frozenset(
    {"admissibility", "candidate_recall", "context_recall", "context_precision", "answered"}
)
# For a case that left no trace at all, not just too little for one gate.
_UNTRACED = "there is no trace of it"


def failing_section(reporting: Reporting, extent: Extent) -> Section:
    """Failing cases, heaviest first, each with its problems and the command that repeats it."""
    listed, counts = reporting.listed, reporting.run.counts
    items = failing_items(listed.failing, reporting, extent)
    return listed_fold("Failing cases", items, total=max(counts.failed, len(listed.failing)), extent=extent)


def failing_items(rows: Listing[CaseRun], reporting: Reporting, extent: Extent) -> Listing[Item]:
    """Failing cases as items: of rows in memory, or of any number that are read from disk while the page is written."""
    waived = frozenset([(failure.case_id, failure.gate) for failure in reporting.listed.waived])
    return FirstEntries(rows, lambda row: _failing_item(row, waived, reporting, extent), extent.rows)


def unmeasured_section(reporting: Reporting, extent: Extent) -> Section:
    """Unmeasured cases, and why each is."""
    rows = reporting.listed.unmeasured
    table = Table(
        (Column("Case"), Column("Gate"), Column("Why")),
        FirstEntries(rows, lambda row: _unmeasured_row(row, reporting), extent.rows),
    )
    total = max(reporting.run.counts.unmeasured, len(rows))
    return table_fold("Unmeasured cases", table, total=total, extent=extent)


def waived_section(reporting: Reporting, extent: Extent) -> Section:
    """Failures under a waiver that still holds."""
    waived = reporting.listed.waived
    columns = tuple([Column(title) for title in ("Case", "Gate", "Problem", "Reason", "Owner", "Until")])
    table = Table(columns, FirstEntries(waived, lambda failure: _waived_row(failure, reporting, extent), extent.rows))
    return table_fold("Waived failures", table, total=len(waived), extent=extent)


def place_and_command(row: CaseRun, run: Run) -> tuple[Text, Text]:
    """Where the case is written, and how it is run again; the latter is empty when it cannot be copied."""
    return Code(cut(f"{row.file}:{row.line}", 160)), repeat_line(row.case_id, run)


def problem_text(problem: Problem, gate: GateName, reporting: Reporting, *, longest: int = _LONGEST_DETAIL) -> Text:
    """Code and offenders of a problem; the code alone where the detail would quote an answer that may not be shown."""
    code = Code(cut(problem.code, 60))
    if not problem.detail or not (reporting.shows_texts or gate in NAME_IDS_ONLY):
        return code
    return code, " ", Foreign(cut(problem.detail, longest))


def problem_line(problem: str, reporting: Reporting, extent: Extent) -> Text:
    """A problem that is stored as one line, `code: detail`, in words; under `texts: ids` its code alone."""
    if not reporting.shows_texts:
        return Foreign(cut(problem.partition(": ")[0], 60), NOTHING)
    return Foreign(cut(problem_in_words(problem), min(extent.words, _LONGEST_DETAIL)), NOTHING)


def _failing_item(row: CaseRun, waived: frozenset[tuple[str, GateName]], reporting: Reporting, extent: Extent) -> Item:
    where, repeat = place_and_command(row, reporting.run)
    name: Text = (" ", Foreign(cut(row.name, 120))) if row.name else ""
    stage = f" · {row.first_failed_stage}" if row.first_failed_stage else ""
    must = " · must be released" if row.kind == "must_release" else ""
    times = f" · asked {len(row.asks) + 1} times" if row.asks else ""
    text = Code(cut(row.case_id, 80)), name, f"{stage}{must}{times} · ", where
    problems = list(_problems(row, waived, reporting, extent))
    listed: list[Text] = problems[:_PROBLEMS] + (
        [f"and {len(problems) - _PROBLEMS} more"] if len(problems) > _PROBLEMS else []
    )
    exchange = _asked_and_answered(row, reporting, extent) if extent.whole else []
    return Item(text, under=(*listed, *exchange, *([repeat] if repeat else [])))


def _problems(
    row: CaseRun, waived: frozenset[tuple[str, GateName]], reporting: Reporting, extent: Extent
) -> Iterator[Text]:
    """Problems of the failed gates, those that decide first; a problem that several gates share is listed once."""
    levels = reporting.run.policy.gates
    failed = [
        (gate, found)
        for gate, found in row.outcomes.items()
        if found.kind == "failed" and levels.of(gate).level != "off"
    ]
    failed.sort(key=lambda pair: levels.of(pair[0]).level != "block")
    seen: set[Problem] = set()
    for gate, outcome in failed:
        if outcome.kind == "failed":
            level = "" if levels.of(gate).level == "block" else " (only warns)"
            excused = " (waived)" if (row.case_id, gate) in waived else level
            longest = min(extent.words, _LONGEST_DETAIL)
            for problem in outcome.problems:
                if problem not in seen or not problem.detail:
                    yield problem_text(problem, gate, reporting, longest=longest), excused
            seen.update(outcome.problems)


def _asked_and_answered(row: CaseRun, reporting: Reporting, extent: Extent) -> list[Text]:
    lines: list[Text] = [("asked: ", Foreign(cut(row.question, extent.words)))] if row.question.strip() else []
    if reporting.shows_texts and row.answer is not None and row.answer.strip():
        lines.append(("answered: ", Foreign(cut(row.answer, extent.words))))
    return lines


def _unmeasured_row(row: CaseRun, reporting: Reporting) -> tuple[Text, ...]:
    """The first gate of the case that could not be measured and is counted."""
    for gate, outcome in row.outcomes.items():
        if outcome.kind == "unmeasured" and outcome.reason != "no-adjudicator":
            return Code(cut(row.case_id, 80)), gate.replace("_", " "), _why(gate, outcome, reporting)
    return Code(cut(row.case_id, 80)), NOTHING, NOTHING


def _why(gate: GateName, outcome: Outcome, reporting: Reporting) -> Text:
    if outcome.kind != "unmeasured":
        return NOTHING
    untraced = gate == "target" and outcome.reason == "trace"
    reason = _UNTRACED if untraced else UNMEASURED[outcome.reason]
    if not outcome.detail or not (reporting.shows_texts or gate in NAME_IDS_ONLY):
        return reason
    detail = Foreign(cut(unmeasured_in_words(outcome.detail), _LONGEST_DETAIL))
    return detail if untraced else (f"{reason}: ", detail)


def _waived_row(failure: WaivedFailure, reporting: Reporting, extent: Extent) -> tuple[Text, ...]:
    waiver = failure.waiver
    return (
        Code(cut(failure.case_id, 80)),
        failure.gate.replace("_", " "),
        problem_line(failure.problem, reporting, extent),
        Foreign(cut(waiver.reason, _LONGEST_DETAIL), NOTHING),
        Foreign(cut(waiver.owner, 80), NOTHING),
        waiver.expires.isoformat(),
    )
