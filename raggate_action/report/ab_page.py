"""The page of a comparison: findings, tables, the best answers side by side, limits, how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.report.ab_view import (
    finding_text,
    footer,
    gate_text,
    judge_code,
    judging_text,
    one_variable_text,
    rejection_text,
    remark_text,
    synthesis_text,
    totals_table,
    unasked_text,
)
from raggate_action.report.catalogue import BY_VALUE, FINDINGS
from raggate_action.report.comment_size import SUMMARY_EXTENTS, folded, left_out
from raggate_action.report.page import Code, FirstEntries, Foreign, Item, Section, Strong, Text
from raggate_action.report.record_words import sentence, table
from raggate_action.schema.ab_result import Aggregate, QuestionResult
from raggate_action.schema.ab_run import AbRun, Findings
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import JudgeRow, RowsRemark
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.strings.numbers import NOTHING
from raggate_action.strings.visible_text import cut

_LONGEST_ANSWER = 2_000
_LONGEST_WORDS = 300
_MOST_ROWS = 32
_NAMED = 12
_MADE = "How it was made"
_IN_SUMMARY = frozenset({"The arms", "What is found", "Rubric concerns", "By judge", _MADE})


class Chapter(NamedTuple):
    """A part of the page under a title of its own; one whose section is empty is left out."""

    title: Text
    section: Section


class AbPage(NamedTuple):
    """The whole page: its title, what was compared, chapters in the order they are read, where it comes from."""

    title: Text
    lead: Text
    chapters: tuple[Chapter, ...]
    footer: Text = ""

    @property
    def findings(self) -> AbPage:
        """What is the same each time it is made: all but how it was made."""
        return self._replace(chapters=tuple([each for each in self.chapters if each.title != _MADE]), footer="")

    @property
    def summary(self) -> AbPage:
        """Its chapters that say who is ahead and how it was made."""
        return self._replace(chapters=tuple([each for each in self.chapters if each.title in _IN_SUMMARY]))


class AbFindings(NamedTuple):
    """What a page of findings is about.

    Attributes:
        aggregate: What the rows come to.
        findings: What is said of it.
        rows: Where the texts of answers and reasons come from; without them the best answers are not shown.
        remarks: What was cleaned in a file of rows.
        run: The comparison they are of; None of a file of rows.
    """

    aggregate: Aggregate
    findings: Findings
    rows: Sequence[JudgeRow] = ()
    remarks: Sequence[RowsRemark] = ()
    run: AbRun | None = None


def findings_page(panel: AbFindings) -> AbPage:
    """The page of a comparison."""
    aggregate, findings, run = panel.aggregate, panel.findings, panel.run
    by_chapter = {
        chapter: tuple([finding_text(each, aggregate) for each in findings.derived if each.code in rows])
        for chapter, rows in FINDINGS.items()
    }
    found = [*map(Item, by_chapter["What is found"])]
    if findings.written:
        written = tuple([Foreign(each.text) for each in findings.written])
        found.append(Item("Written by a model (each number stands in the counts):", under=written))
    if findings.rejection is not None:
        found.append(Item(rejection_text(findings.rejection)))
    judges = table(
        "ab judges",
        aggregate.judges,
        name=judge_code,
        shares=lambda each: " and ".join([BY_VALUE["shares"][whose] for whose in each.shares]),
    )
    families = tuple([Item(sentence("family", each, ways=len(each.harnesses))) for each in aggregate.families])
    agreement = sentence("agreement", aggregate.agreement)
    questions = table("ab questions", aggregate.questions)
    more = left_out(len(questions.rows), len(aggregate.questions), SUMMARY_EXTENTS[0], file="judge_rows.csv")
    chapters = (
        Chapter("What is found", Section(items=tuple(found))),
        Chapter("The arms", _arms(run) if run is not None else Section()),
        Chapter("Totals", Section(table=totals_table(aggregate))),
        Chapter("Rubric concerns", Section(items=tuple(map(Item, by_chapter["Rubric concerns"])))),
        Chapter("Where the control held", Section(items=tuple(map(Item, by_chapter["Where the control held"])))),
        Chapter("By judge", Section(lead=agreement, items=families, table=judges)),
        Chapter("By dimension", Section(table=table("ab dimensions", aggregate.dimensions))),
        Chapter("By question type", Section(table=table("ab types", aggregate.types))),
        Chapter("By question", Section(table=questions, more=more)),
        *_heroes(panel),
        Chapter("Limits", Section(items=tuple(map(Item, by_chapter["Limits"])))),
        Chapter("The file of rows", Section(items=tuple([Item(remark_text(each)) for each in panel.remarks]))),
        Chapter(_MADE, _made(run) if run is not None else Section()),
    )
    return AbPage(
        ("A/B: ", Foreign(cut(run.suite, 60))) if run is not None else "A/B findings",
        by_chapter["What was compared"],
        tuple([each for each in chapters if _has_content(each.section)]),
        footer(run) if run is not None else "",
    )


def _has_content(section: Section) -> bool:
    return bool(section.items or section.folds or (section.table is not None and section.table.rows))


def _arms(run: AbRun) -> Section:
    """Who was compared, and whether they differ in one thing."""
    one = run.one_variable
    arms = table(
        "ab arms",
        (run.control, run.treatment),
        arm=lambda each: "control" if each is run.control else "treatment",
        gates=lambda each: Rate(hits=each.passed, total=each.passed + each.failed),
    )
    apart = [
        *[sentence("version", each) for each in one.versions[:_NAMED]],
        *[
            sentence("retrieved apart", each, moved=not (each.control_only or each.treatment_only))
            for each in one.apart[:_NAMED]
        ],
    ]
    return Section(lead=one_variable_text(one), items=tuple(map(Item, apart)), table=arms)


def _made(run: AbRun) -> Section:
    """What judging took, and what nobody was asked about."""
    unasked = FirstEntries(run.unasked, lambda each: Item(unasked_text(each)), LISTED_AT_MOST)
    left = folded("Not judged", items=unasked, total=len(run.unasked), extent=SUMMARY_EXTENTS[0], file="ab.json")
    lines: list[Text] = [judging_text(run)]
    lines += [gate_text(run.gate)] if run.gate is not None else []
    lines += [synthesis_text(run.synthesis, run.findings)] if run.synthesis is not None else []
    lines += [Foreign(cut(note, _LONGEST_WORDS)) for note in run.notes[:_NAMED]]
    return left._replace(items=tuple(map(Item, lines)))


def _heroes(panel: AbFindings) -> Iterator[Chapter]:
    """The questions on which the treatment leads by most, both answers quoted."""
    results = {each.question_id: each for each in panel.aggregate.questions}
    for place, question_id in enumerate(panel.aggregate.heroes, 1):
        rows = [row for row in panel.rows if row.question_id == question_id]
        if rows:
            title: Text = (f"Widest lead of the treatment, {place}: ", Code(cut(question_id, 60)))
            yield Chapter(title, _hero(results[question_id], rows))


def _hero(result: QuestionResult, rows: Sequence[JudgeRow]) -> Section:
    first = next((row for row in rows if row.control_response or row.treatment_response), rows[0])
    scores = table(
        "ab scores",
        rows,
        _MOST_ROWS,
        name=judge_code,
        points=lambda row: Rate(hits=sum(row.treatment.values()), total=5 * len(row.treatment)),
        control=lambda row: Rate(hits=sum(row.control.values()), total=5 * len(row.control)),
        why=lambda row: Foreign(cut(row.reason, _LONGEST_WORDS), NOTHING),
    )
    question = Foreign(cut(first.question_text, _LONGEST_WORDS), "the rows do not say.")
    return Section(
        lead=sentence("hero", result, question=question),
        items=(
            Item(Strong("Control"), quoted=_answer(first.control_response)),
            Item(Strong("Treatment"), quoted=_answer(first.treatment_response)),
        ),
        table=scores,
        more=left_out(len(scores.rows), len(rows), SUMMARY_EXTENTS[0], file="judge_rows.csv"),
    )


def _answer(text: str) -> Text:
    return Foreign(cut(text, _LONGEST_ANSWER), "There is no text of it in the rows.")
