"""Cases by name: failing, unmeasured, waived and flaky ones, and known-bad ones left to judges.

Each comes with the command that repeats it on a laptop.
"""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.case_evidence import evidence_line
from raggate_action.report.comment_size import Extent, folded, left_out, names
from raggate_action.report.decision_words import (
    own_rate_in_words,
    problem_in_words,
    reason_unmeasured,
    unmeasured_in_words,
)
from raggate_action.report.page import (
    Code,
    FirstEntries,
    Foreign,
    Item,
    Listing,
    Section,
    Strong,
    Text,
    joined,
)
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import Ask, CaseRun, Claim, Finding
from raggate_action.schema.listed_cases import WaivedFailure
from raggate_action.schema.outcome import GATES, GateName, Outcome, Problem
from raggate_action.strings.numbers import NOTHING, count
from raggate_action.strings.visible_text import cut

_PROBLEMS = 5
_NAMED = 3
_LEFT_OPEN = 3
_LONGEST_DETAIL = 300
# Their details hold ids and words of ours alone; the other gates quote the answer.
NAME_IDS_ONLY: frozenset[GateName] = frozenset(
    {"admissibility", "candidate_recall", "context_recall", "context_precision", "answered"}
)
# For a case that left no trace at all, not just too little for one gate.
_UNTRACED = "there is no trace of it"


def failing_section(reporting: Reporting, extent: Extent) -> Section:
    """Failing cases, heaviest first, each with its problems and its command; an app that died is one of them."""
    listed = reporting.listed
    first: dict[object, CaseRun] = {}
    for row in listed.failing:
        target = row.outcomes.get("target")
        first.setdefault(target.problems if target is not None and target.kind == "failed" else row.case_id, row)
    items = failing_items((*first.values(),), reporting, extent)
    others = len(reporting.run.failed_for)
    total = max(reporting.run.counts.failed - others, len(listed.failing))
    title = "All cases that fail a stage" if others else "All failing cases"
    found = folded(title, items=items, total=total, extent=extent)
    if len(first) == len(listed.failing) or not found.folds:
        return found
    more = f"{len(items):,} of {total:,} shown: of cases without an answer, the first for each reason. All stand in "
    return Section(folds=(found.folds[0]._replace(more=(more, Code("cases.jsonl"), " of the run directory.")),))


def failing_items(rows: Listing[CaseRun], reporting: Reporting, extent: Extent) -> Listing[Item]:
    """Failing cases as items: of rows in memory, or of any number that are read from disk while the page is written."""
    waived = frozenset([(failure.case_id, failure.gate) for failure in reporting.listed.waived])
    return FirstEntries(rows, lambda row: _failing_item(row, waived, reporting, extent), extent.rows)


def _evidence(row: CaseRun, reporting: Reporting, extent: Extent) -> Iterator[Text]:
    """What speaks against an answer: its findings; and of a hallucination the ids by which a waiver names it."""
    words = min(extent.words, _LONGEST_DETAIL)
    if row.hallucinations:
        against = evidence_line(row, reporting, words)
        ids = [Code(cut(each.key, 60)) for each in row.hallucinations[:_PROBLEMS]]
        yield against, " · " if against else "", "id ", joined(", ", ids)
    findings = [each for claim in row.claims for each in claim.findings if not each.advisory and each.reason]
    for each in findings[:_PROBLEMS] if reporting.shows_texts else ():
        yield "evidence: ", Foreign(cut(each.reason, words))


def doubtful_cases(reporting: Reporting) -> list[CaseRun]:
    """Cases that no blocking gate fails, with a hallucination or a suspect."""
    listed = reporting.listed
    rows = {row.case_id: row for row in (*listed.hallucinating, *listed.with_issues)}
    return [row for row in rows.values() if row.state != "failed" and (row.hallucinations or _suspects(row))]


def _suspects(row: CaseRun) -> list[tuple[Claim, Finding]]:
    claims = [claim for claim in row.claims if claim.verdict != "supported"]
    pairs = [(claim, each) for claim in claims for each in claim.findings if each.key and not each.advisory]
    return [(claim, each) for claim, each in pairs if each.kind != "structure"]


def doubtful_item(row: CaseRun, reporting: Reporting, extent: Extent) -> Item:
    """A case with what speaks against its answer."""
    words, suspects = min(extent.words, _LONGEST_DETAIL), _suspects(row)
    claims = dict.fromkeys([*[each.text for each in row.hallucinations], *[claim.text for claim, _each in suspects]])
    texts: list[Text] = [("“", Foreign(cut(text, words)), "”") for text in claims] if reporting.shows_texts else []
    lines: list[Text] = [*texts[:_PROBLEMS], *dict.fromkeys(_evidence(row, reporting, extent))]
    if not reporting.shows_texts:
        lines += [Code(cut(each.chunk_id or each.code, 80)) for _claim, each in suspects[:_PROBLEMS]]
    return Item((Code(cut(row.case_id, 80)), " · ", place_text(row)), under=tuple(lines))


def place_text(row: CaseRun) -> Text:
    """Where the case is written."""
    return Code(cut(f"{row.file}:{row.line}", 160))


def problem_text(problem: Problem, gate: GateName, reporting: Reporting, *, longest: int = _LONGEST_DETAIL) -> Text:
    """Code and offenders of a problem; the code alone where the detail would quote an answer that may not be shown."""
    code = Code(cut(problem.code, 60))
    if not problem.detail or not (reporting.shows_texts or gate in NAME_IDS_ONLY):
        return code
    return code, " ", Foreign(cut(problem.detail, longest))


def problem_line(problem: Problem, reporting: Reporting, extent: Extent) -> Text:
    """A problem as a sentence; under `texts: ids` its code alone."""
    if not reporting.shows_texts:
        return Foreign(cut(problem.code, 60), NOTHING)
    return Foreign(cut(problem_in_words(problem, reporting.base_name), min(extent.words, _LONGEST_DETAIL)), NOTHING)


def _failing_item(row: CaseRun, waived: frozenset[tuple[str, GateName]], reporting: Reporting, extent: Extent) -> Item:
    name: Text = (" ", Foreign(cut(row.name, 120))) if row.name else ""
    stage = f" · {row.first_failed_stage}" if row.first_failed_stage else ""
    must = " · must be released" if row.kind == "must_release" else ""
    times = f" · asked {len(row.asks) + 1} times" if row.asks else ""
    text = Code(cut(row.case_id, 80)), name, f"{stage}{must}{times} · ", place_text(row)
    problems = list(_problems(row, waived, reporting, extent))
    listed: list[Text] = problems[:_PROBLEMS] + (
        [f"and {len(problems) - _PROBLEMS} more"] if len(problems) > _PROBLEMS else []
    )
    exchange = _question_and_answer(row, reporting, extent) if extent.whole else []
    evidence = dict.fromkeys(_evidence(row, reporting, extent))
    return Item(text, under=(*listed, *exchange, *evidence))


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


def _question_and_answer(row: CaseRun, reporting: Reporting, extent: Extent) -> list[Text]:
    lines: list[Text] = [("asked: ", Foreign(cut(row.question, extent.words)))] if row.question.strip() else []
    if reporting.shows_texts and row.answer is not None and row.answer.strip():
        lines.append(("answered: ", Foreign(cut(row.answer, extent.words))))
    return lines


def unmeasured_row(row: CaseRun, reporting: Reporting, _extent: Extent) -> tuple[Text, ...]:
    """The first gate of the case that could not be measured and is counted."""
    for gate, outcome in row.outcomes.items():
        if outcome.kind == "unmeasured" and outcome.reason != "no-adjudicator":
            return Code(cut(row.case_id, 80)), gate.replace("_", " "), _why(gate, outcome, reporting)
    return Code(cut(row.case_id, 80)), NOTHING, NOTHING


def _why(gate: GateName, outcome: Outcome, reporting: Reporting) -> Text:
    if outcome.kind != "unmeasured":
        return NOTHING
    untraced = gate == "target" and outcome.reason == "trace"
    reason = _UNTRACED if untraced else reason_unmeasured(outcome.reason)
    if not outcome.detail or not (reporting.shows_texts or gate in NAME_IDS_ONLY):
        return reason
    detail = Foreign(cut(unmeasured_in_words(outcome.detail), _LONGEST_DETAIL))
    return detail if untraced else (f"{reason}: ", detail)


def waived_row(failure: WaivedFailure, reporting: Reporting, extent: Extent) -> tuple[Text, ...]:
    """A failure with its waiver."""
    waiver = failure.waiver
    return (
        Code(cut(failure.case_id, 80)),
        failure.gate.replace("_", " "),
        problem_line(failure.problem, reporting, extent) if failure.problem is not None else NOTHING,
        Foreign(cut(waiver.reason, _LONGEST_DETAIL), NOTHING),
        Foreign(cut(waiver.owner, 80), NOTHING),
        waiver.expires.isoformat(),
    )


def flaky_item(row: CaseRun, reporting: Reporting, extent: Extent) -> Item:
    """A flaky case with each of its answers."""
    lines: list[Text] = [("asked: ", Foreign(cut(row.question, extent.words)))] if row.question.strip() else []
    for ask in row.asks:
        lines += _ask_lines(ask, reporting, extent)
    if row.own_rate is not None:
        rates = own_rate_in_words(row.own_rate, reporting.base_name)
        lines.append(f"a hallucination in one answer of {len(row.asks) + 1}; {rates}")
    if reporting.shows_texts and row.answer is not None and row.answer.strip():
        lines.append(("passed with: ", Foreign(cut(row.answer, extent.words))))
    return Item((Code(cut(row.case_id, 80)), " · ", place_text(row)), under=tuple(lines))


def _ask_lines(ask: Ask, reporting: Reporting, extent: Extent) -> Iterator[Text]:
    """An answer that was not in order: what its first failed gate says, or its suspect claims, and its words."""
    for gate, outcome in ask.outcomes.items():
        if outcome.kind == "failed" and reporting.run.policy.gates.of(gate).level != "off":
            problem = problem_text(outcome.problems[0], gate, reporting, longest=min(extent.words, _LONGEST_DETAIL))
            yield "failed with: ", problem
            break
    else:
        found = sum(not finding.advisory for claim in ask.claims for finding in claim.findings)
        yield f"in doubt for {count(found, 'finding')} on its claims" if found else "in doubt, though every gate passed"
    if reporting.shows_texts and ask.answer is not None and ask.answer.strip():
        yield "answered then: ", Foreign(cut(ask.answer, extent.words))


def left_to_judges_section(reporting: Reporting, extent: Extent) -> Section:
    """Known-bad cases that only judges could have blocked, and why they did not; never folded."""
    counts = reporting.run.counts
    total = max(counts.known_bad_unmeasured + counts.known_bad_no_adjudicator, len(reporting.listed.left_to_judges))
    if not total:
        return Section()
    most = extent.rows if extent.whole else min(extent.rows, _LEFT_OPEN)
    cases = count(max(counts.known_bad, total), "known-bad case")
    them = "it" if total == 1 else "them"
    lead = (
        Strong(f"⏳ {total:,} of {cases} not measured:"),
        f" rules let {them} through, and only judges can block {them}.",
    )
    items = FirstEntries(reporting.listed.left_to_judges, _left_open, most)
    return Section(lead=lead, items=items, more=left_out(len(items), total, extent))


def _left_open(row: CaseRun) -> Item:
    blocks = f" must be blocked at {row.blocked_at}: "
    text = Code(cut(row.case_id, 80)), blocks, *(_who_blocks(row) or (why_left_open(row),)), " · ", place_text(row)
    return Item(text)


def _who_blocks(row: CaseRun) -> tuple[Text, ...]:
    """Who would have blocked it: judges that only advise and call a claim of it faulty.

    Empty where none was heard, and where one of them counts.
    """
    votes = [vote for claim in row.claims if not claim.labelled for vote in claim.votes]
    declines = [each for each in row.judges if each.declines is not None]
    heard = dict.fromkeys([*[vote.judge for vote in votes], *[each.judge for each in declines]])
    if not heard or any(vote.armed for vote in votes) or any(each.armed for each in declines):
        return ()
    blocking = [vote.judge for vote in votes if vote.verdict != "supported"]
    blocking += [each.judge for each in declines if each.declines and row.expect == "answer"]
    named = [Code(cut(each, 40)) for each in dict.fromkeys(blocking)]
    if not named:
        return (f"none of {count(len(heard), 'judge')} would have blocked it, and none counts yet",)
    return names(named[:_NAMED], len(named)), " would have blocked it, and no judge counts yet"


def why_left_open(row: CaseRun) -> str:
    """Why it is unknown whether the case is blocked at the stage it must be."""
    for gate, outcome in row.outcomes.items():
        if outcome.kind == "unmeasured" and (gate == "target" or GATES[gate] == row.blocked_at):
            return reason_unmeasured(outcome.reason)
    return reason_unmeasured("no-adjudicator")
