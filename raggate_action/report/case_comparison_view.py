"""Cases that regressed or have a new hallucination, as a reviewer needs them: question, answer before, answer now."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent, left_out
from raggate_action.report.decision_words import problem_in_words
from raggate_action.report.page import Code, FirstEntries, Fold, Foreign, Item, Section, Strong, Text
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun, Hallucination
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.outcome import GATES, Failed, GateName
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

# Characters of a question, an answer or a chunk that stand open; folded there is room for more.
_OPEN_WORDS = 110
_EMPTY = "an empty answer"
_AGAINST_EVIDENCE: frozenset[GateName] = frozenset({"faithfulness"})


def news_section(reporting: Reporting, extent: Extent) -> Section:
    """The first of the cases that got worse, open: the question, both answers, and what speaks against the new one."""
    comparison = reporting.comparison
    if comparison is None or not reporting.shows_texts:
        return Section()
    rows = _worse(reporting, comparison)
    if not rows or not extent.news:
        return Section()
    items = [_item(row, reporting, comparison, min(extent.words, _OPEN_WORDS)) for row in rows[: extent.news]]
    more = len(rows) - len(items)
    rest = f" ({count(more, 'more case')} below)" if more else ""
    lead = Strong(f"Worse than on the baseline{rest}:")
    return Section(lead=lead, items=tuple(items))


def exchange_section(reporting: Reporting, extent: Extent) -> Section:
    """All such cases, folded, with more of their words."""
    comparison = reporting.comparison
    if comparison is None or not reporting.shows_texts:
        return Section()
    rows = _worse(reporting, comparison)
    if len(rows) <= extent.news or not extent.rows:
        return Section()
    items = FirstEntries(rows, lambda row: _item(row, reporting, comparison, extent.words), extent.rows)
    more = left_out(len(items), len(rows), extent)
    return Section(
        folds=(Fold(f"Worse cases: asked, answered before, answered now ({len(rows):,})", items, more=more),)
    )


def _worse(reporting: Reporting, comparison: Comparison) -> list[CaseRun]:
    """Cases with a new hallucination, then other regressed ones, as far as their rows are listed.

    Then those that fail by the base branch's suite alone, as they count by it.
    """
    listed = {row.case_id: row for row in (*reporting.listed.failing, *reporting.listed.hallucinating)}
    new = [each.case_id for each in comparison.hallucinations if each.move == "new"]
    ids = dict.fromkeys([*new, *(each.case_id for each in comparison.regressions)])
    by_base = comparison.policy.failing if comparison.policy is not None else ()
    worse = [listed[case_id] for case_id in ids if case_id in listed]
    return [*worse, *[row for row in by_base if row.case_id not in ids]]


def _item(row: CaseRun, reporting: Reporting, comparison: Comparison, words: int) -> Item:
    asked: Text = Foreign(cut(row.question, words), "no question")
    return Item((Code(cut(row.case_id, 80)), ": ", asked), under=tuple(_lines(row, reporting, comparison, words)))


def _lines(row: CaseRun, reporting: Reporting, comparison: Comparison, words: int) -> Iterator[Text]:
    before = comparison.answers.get(row.case_id)
    if before is not None:
        yield "before: ", Foreign(cut(before, words), _EMPTY)
    if row.answer is not None:
        yield "now: ", Foreign(_excerpt(row, comparison, words), _EMPTY)
    elif row.error is not None:
        yield "now: no answer, ", Foreign(cut(row.error, words), "an error")
    yield _against(row, reporting, comparison, words)


def _excerpt(row: CaseRun, comparison: Comparison, words: int) -> str:
    """The beginning of the answer, or of its new part where that comes later."""
    answer = row.answer or ""
    new = {each.hallucination.text for each in comparison.hallucinations if each.move == "new"}
    places = [claim.start for claim in row.claims if claim.start is not None and claim.text in new]
    ends = [claim.end or 0 for claim in row.claims if claim.start is not None and claim.text in new]
    if not places or ends[0] <= words or places[0] >= len(answer):
        return cut(answer, words)
    return f"… {cut(answer[places[0] :], words - 2)}"


def _against(row: CaseRun, reporting: Reporting, comparison: Comparison, words: int) -> Text:
    """The new hallucination and the chunk against it, else why the first failing gate fails the case.

    Where that gate holds answers against evidence, again the chunk that speaks against the answer.
    """
    by_base = comparison.policy.failing if comparison.policy is not None else ()
    suite = "by the base branch's suite, " if row in by_base else ""
    known = {each.hallucination.key for each in comparison.hallucinations if each.move == "new"}
    first: Hallucination | None = next((each for each in row.hallucinations if each.key in known), None)
    failed = _failed_first(row, reporting, suite)
    if first is None and failed is not None and failed[0] not in _AGAINST_EVIDENCE:
        problem = problem_in_words(str(failed[1].problems[0]))
        return f"why: {suite}", Foreign(cut(problem, words), "a gate failed")
    first = first or next(iter(row.hallucinations), None)
    if first is not None and first.chunk_id and first.quote:
        # What had to be declined may be true: the chunk is the nearest to it, and says nothing against it.
        label = "nearest evidence: " if first.kind == "answered" else "against it: "
        return label, Code(cut(first.chunk_id, 80)), " “", Foreign(cut(first.quote, words)), "”"
    findings = [each for claim in row.claims for each in claim.findings if not each.advisory and each.reason]
    if findings:
        return "against it: ", Foreign(cut(findings[0].reason, words))
    if failed is not None:
        return f"why: {suite}", Foreign(cut(problem_in_words(str(failed[1].problems[0])), words), "a gate failed")
    return f"why: it fails at {row.first_failed_stage}" if row.first_failed_stage else "why: it is false"


def _failed_first(row: CaseRun, reporting: Reporting, suite: str) -> tuple[GateName, Failed] | None:
    """The first gate in the order of diagnosis that fails the case: one that warns, is off or is waived does not.

    Of a row that counts by the base branch's suite its own stage tells, for the levels of that suite are not the run's.
    """
    levels = reporting.run.policy.gates
    waived = {each.gate for each in reporting.listed.waived if each.case_id == row.case_id}
    for gate in GATES:
        outcome = row.outcomes.get(gate)
        if not isinstance(outcome, Failed) or gate in waived:
            continue
        if GATES[gate].stage == row.first_failed_stage if suite else levels.of(gate).level == "block":
            return gate, outcome
    return None
