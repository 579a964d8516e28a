"""The page of findings about a panel: what is found, by what tables, the best answers side by side, and the limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from raggate_action.report.ab_view import (
    agreement_text,
    dimension_table,
    family_lines,
    judge_table,
    question_table,
    totals_table,
    totals_text,
    type_table,
)
from raggate_action.report.ab_words import finding_text, rejection_text, remark_text
from raggate_action.report.comment_size import SUMMARY_EXTENTS, left_out
from raggate_action.report.page import Code, Column, Foreign, Item, Section, Strong, Table, Text
from raggate_action.schema.ab_findings import FindingCode, Findings, judge_name
from raggate_action.schema.ab_result import Aggregate, QuestionResult
from raggate_action.schema.judge_rows import JudgeRow, RowsRemark
from raggate_action.strings.numbers import NOTHING, count, rate, signed
from raggate_action.strings.visible_text import cut

_LONGEST_ANSWER = 2_000
_LONGEST_QUESTION = 300
_LONGEST_REASON = 300
_LONGEST_NAME = 60
_MOST_ROWS = 32
_HELD: frozenset[FindingCode] = frozenset({"control-won", "protected-lost", "tied", "identical", "gates-unknown"})
_LIMITS: frozenset[FindingCode] = frozenset(
    {
        "one-run", "unreachable", "same-lab", "labs-unknown", "one-judge", "plants-lost", "one-order", "position",
        "ceiling", "lost", "miscounts", "dimension-informational",
    }
)  # fmt: skip
_SCORES = (
    Column("Judge"), Column("Order", numeric=True), Column("Its A"), Column("Treatment", numeric=True),
    Column("Control", numeric=True),
    Column("Ahead"), Column("Why, in the judge's words"),
)  # fmt: skip


class Chapter(NamedTuple):
    """A part of the page under a title of its own; one whose section is empty is left out."""

    title: Text
    section: Section


class FindingsPage(NamedTuple):
    """The whole page: paragraphs on top, then chapters."""

    lead: tuple[Text, ...]
    chapters: tuple[Chapter, ...]


class AbFindings(NamedTuple):
    """What a page of findings is about.

    Attributes:
        aggregate: What the rows come to.
        findings: What is said of it.
        rows: Where the texts of answers and reasons come from; without them the best answers are not shown.
        remarks: What was cleaned in a file of rows.
        arms: Who was compared, a line each, where somebody knows.
    """

    aggregate: Aggregate
    findings: Findings
    rows: Sequence[JudgeRow] = ()
    remarks: Sequence[RowsRemark] = ()
    arms: Sequence[Text] = ()


def findings_page(panel: AbFindings) -> FindingsPage:
    """The page: findings, totals, where the control held, rubric concerns, tables, best answers, limits, cleaning."""
    texts = {each.code: finding_text(each) for each in panel.findings.derived}
    compared, totals = texts.get("compared", ""), totals_text(panel.aggregate)
    chapters = (
        Chapter("What is found", Section(items=tuple(_found(panel.findings)))),
        Chapter("Totals", Section(lead=totals, table=totals_table(panel.aggregate)) if totals else Section()),
        Chapter("Rubric concerns", _findings_section(panel.findings, frozenset({"concern"}))),
        Chapter("Where the control held", _findings_section(panel.findings, _HELD)),
        Chapter("By judge", _judges(panel.aggregate)),
        Chapter("By dimension", _table(dimension_table(panel.aggregate))),
        Chapter("By question type", _table(type_table(panel.aggregate))),
        Chapter("By question", _questions(panel.aggregate)),
        *_heroes(panel),
        Chapter("Limits", _findings_section(panel.findings, _LIMITS)),
        Chapter("The file of rows", Section(items=tuple([Item(remark_text(each)) for each in panel.remarks]))),
    )
    lead = tuple([each for each in (*panel.arms, compared) if each])
    return FindingsPage(lead, tuple([each for each in chapters if each.section != Section()]))


def _found(findings: Findings) -> Iterator[Item]:
    apart = _HELD | _LIMITS | {"compared", "concern"}
    for each in findings.derived:
        if each.code not in apart:
            yield Item(finding_text(each))
    if findings.written:
        written = tuple([Foreign(each.text) for each in findings.written])
        yield Item("Written by a model (each number stands in the counts):", under=written)
    if findings.rejection is not None:
        yield Item(rejection_text(findings.rejection))


def _findings_section(findings: Findings, codes: frozenset[FindingCode]) -> Section:
    return Section(items=tuple([Item(finding_text(each)) for each in findings.derived if each.code in codes]))


def _judges(aggregate: Aggregate) -> Section:
    if not aggregate.judges:
        return Section()
    families = tuple([Item(line) for line in family_lines(aggregate)])
    return Section(lead=agreement_text(aggregate), items=families, table=judge_table(aggregate))


def _table(table: Table) -> Section:
    return Section(table=table) if len(table.rows) else Section()


def _questions(aggregate: Aggregate) -> Section:
    table = question_table(aggregate)
    rows = len(table.rows)
    more = left_out(rows, len(aggregate.questions), SUMMARY_EXTENTS[0], file="judge_rows.csv")
    return Section(table=table, more=more) if rows else Section()


def _heroes(panel: AbFindings) -> Iterator[Chapter]:
    """The questions on which the treatment leads by most, both answers quoted."""
    results = {each.question_id: each for each in panel.aggregate.questions}
    rows: Mapping[str, list[JudgeRow]] = {each: [] for each in panel.aggregate.heroes}
    for row in panel.rows:
        if row.question_id in rows:
            rows[row.question_id].append(row)
    for place, question_id in enumerate(panel.aggregate.heroes, 1):
        found = rows[question_id]
        if found:
            title: Text = (f"Widest lead of the treatment, {place}: ", Code(cut(question_id, _LONGEST_NAME)))
            yield Chapter(title, _hero(results[question_id], found))


def _hero(result: QuestionResult, rows: Sequence[JudgeRow]) -> Section:
    first = next((row for row in rows if row.control_response or row.treatment_response), rows[0])
    votes, totals = result.votes, result.totals
    for_it = f"{votes.treatment:,} of {count(votes.judged, 'judge')} for the treatment"
    scored = f"mean delta {signed(totals.mean_delta)} points"
    question = Foreign(cut(first.question_text, _LONGEST_QUESTION), if_blank="the rows do not say.")
    listed = rows[:_MOST_ROWS]
    return Section(
        lead=(f"{for_it[:1].upper()}{for_it[1:]}, {scored}. The question: ", question),
        items=(
            Item(Strong("Control"), quoted=_answer(first.control_response)),
            Item(Strong("Treatment"), quoted=_answer(first.treatment_response)),
        ),
        table=Table(_SCORES, tuple(map(_scores, listed))),
        more=left_out(len(listed), len(rows), SUMMARY_EXTENTS[0], file="judge_rows.csv"),
    )


def _answer(text: str) -> Text:
    return Foreign(cut(text, _LONGEST_ANSWER), if_blank="There is no text of it in the rows.")


def _scores(row: JudgeRow) -> tuple[Text, ...]:
    most = 5 * len(row.control)
    return (
        Code(cut(judge_name(row.judge, row.harness), _LONGEST_NAME)),
        f"{row.order}",
        row.shown_first or NOTHING,
        rate(sum(row.treatment.values()), most),
        rate(sum(row.control.values()), most),
        row.winner or "lost",
        Foreign(cut(row.reason, _LONGEST_REASON), if_blank=NOTHING),
    )
