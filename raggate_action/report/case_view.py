"""Cases by name, each with what is wrong with it; and waived failures."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.case_evidence import evidence_line
from raggate_action.report.comment_size import Extent, gate_name
from raggate_action.report.decision_words import outcome_words, own_rate_in_words, problem_in_words
from raggate_action.report.page import Code, Foreign, Item, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.later import WaivedFailure
from raggate_action.schema.outcome import Problem
from raggate_action.strings.numbers import NOTHING
from raggate_action.strings.visible_text import cut

_LINES = 5
_LONGEST_DETAIL = 300


def doubtful_cases(reporting: Reporting) -> list[CaseRun]:
    """Cases that no blocking gate fails, with a hallucination or a suspect."""
    listed = reporting.listed
    rows = {row.case_id: row for row in (*listed.hallucinating, *listed.with_issues)}
    return [row for row in rows.values() if row.state != "failed" and (row.hallucinations or _suspects(row))]


def _suspects(row: CaseRun) -> list[str]:
    """Claims that a rule speaks against."""
    claims = [claim for claim in row.claims if claim.verdict != "supported"]
    return [
        claim.text
        for claim in claims
        if any(each.key and not each.advisory and each.kind != "structure" for each in claim.findings)
    ]


def case_item(row: CaseRun, reporting: Reporting, extent: Extent) -> Item:
    """A case with what is wrong with it; in the job summary with question and answer."""
    words = min(extent.words, _LONGEST_DETAIL)
    name: Text = (" ", Foreign(cut(row.name, 120))) if row.name else ""
    stage = f" · {row.first_failed_stage}" if row.first_failed_stage else ""
    times = f" · asked {len(row.asks) + 1} times" if row.asks else ""
    text = Code(cut(row.case_id, 80)), name, f"{stage}{times} · ", place_text(row)
    wrong = list(_wrong(row, reporting, words))
    lines = wrong[:_LINES] + ([f"and {len(wrong) - _LINES} more"] if len(wrong) > _LINES else [])
    if extent.whole and row.question.strip():
        lines.append(("asked: ", Foreign(cut(row.question, extent.words))))
    if (extent.whole or row.state == "flaky") and row.answer is not None and row.answer.strip():
        lines.append(("answered: ", Foreign(cut(row.answer, extent.words))))
    return Item(text, under=(*lines, *dict.fromkeys(_evidence(row, reporting, words))))


def place_text(row: CaseRun) -> Text:
    """Where the case is written."""
    return Code(cut(f"{row.file}:{row.line}", 160))


def _wrong(row: CaseRun, reporting: Reporting, words: int) -> Iterator[Text]:
    """What is wrong with a case: failed gates, those that decide first; what is not measured; answers that failed.

    A problem that several gates share is listed once.
    """
    levels, base = reporting.run.policy.gates, reporting.base_name
    waived = {each.gate for each in reporting.listed.waived if each.case_id == row.case_id}
    failed = [(gate, each) for gate, each in row.outcomes.items() if each.kind == "failed"]
    told: set[Problem] = set()
    for gate, outcome in sorted(failed, key=lambda pair: levels.of(pair[0]).level != "block"):
        warns = "" if levels.of(gate).level == "block" else " (only warns)"
        for problem in outcome.problems if levels.of(gate).level != "off" else ():
            if problem not in told:
                told.add(problem)
                yield (
                    Foreign(reporting.told(gate, problem, words), NOTHING),
                    " (waived)" if gate in waived else warns,
                )
    for gate, each in row.outcomes.items() if row.state == "unmeasured" else ():
        if each.kind == "unmeasured" and each.reason != "no-adjudicator":
            yield f"{gate_name(gate)}: ", Foreign(cut(outcome_words(each)[0], words))
    for ask in row.asks if row.state == "flaky" else ():
        faults = [each for gate, each in ask.outcomes.items() if levels.of(gate).level != "off"]
        why = next((cut(outcome_words(each, base)[0], words) for each in faults if each.kind == "failed"), "in doubt")
        answer = ask.answer if ask.answer and ask.answer not in why else ""
        yield "once: ", Foreign(why), *((": “", Foreign(cut(answer, words)), "”") if answer else ())
    if row.own_rate is not None:
        yield f"a hallucination in one answer of {len(row.asks) + 1}; {own_rate_in_words(row.own_rate, base)}"
    claims = dict.fromkeys([*[each.text for each in row.hallucinations], *_suspects(row)])
    for text in claims:
        if text and not any(text in problem.detail for problem in told):
            yield "“", Foreign(cut(text, words)), "”"


def _evidence(row: CaseRun, reporting: Reporting, words: int) -> Iterator[Text]:
    """What speaks against an answer: its findings; and of a hallucination the ids by which a waiver names it."""
    if row.hallucinations:
        against = evidence_line(row, reporting, words)
        ids = [Code(cut(each.key, 60)) for each in row.hallucinations[:_LINES]]
        yield against, " · " if against else "", "id ", joined(", ", ids)
    findings = [each for claim in row.claims for each in claim.findings if not each.advisory]
    for each in findings[:_LINES]:
        # Under `texts: ids` its words are gone.
        yield (
            "evidence: ",
            Foreign(cut(each.reason, words)) if each.reason else Code(cut(each.chunk_id or each.code, 80)),
        )


def waived_row(failure: WaivedFailure, reporting: Reporting, extent: Extent) -> tuple[Text, ...]:
    """A failure with its waiver."""
    waiver = failure.waiver
    said = problem_in_words(failure.problem, reporting.base_name) if failure.problem is not None else ""
    return (
        Code(cut(failure.case_id, 80)),
        gate_name(failure.gate),
        Foreign(cut(said, min(extent.words, _LONGEST_DETAIL)), NOTHING),
        Foreign(cut(waiver.reason, _LONGEST_DETAIL), NOTHING),
        Foreign(cut(waiver.owner, 80), NOTHING),
        waiver.expires.isoformat(),
    )
