"""A run's answers beside its baseline's: one line that stays open, and folded below it who prefers which, and why."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.ab_run_view import judging_text
from raggate_action.report.ab_view import agreement_text, dimension_table, judge_table, question_table
from raggate_action.report.ab_words import RunArms, of_a_run, rejection_text, run_finding_text
from raggate_action.report.comment_size import COMMENT_EXTENTS, Extent
from raggate_action.report.origin_view import change_name
from raggate_action.report.page import (
    Code,
    Fold,
    Foreign,
    Item,
    Section,
    Strong,
    Table,
    Text,
    WithCode,
    joined,
    sentences,
)
from raggate_action.report.report_input import Reporting
from raggate_action.schema.ab_findings import FindingCode, Findings
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import NotPaired, RunAb
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_LONGEST_SENTENCE = 300
_LONGEST_ANSWER = 200
_LONGEST_ID = 80
# Told in the line that stays open, or by the table.
_TOLD: frozenset[FindingCode] = frozenset({"compared", "nothing"})
# What a reviewer needs; the others stand in the job summary and in findings.md.
_SHORT: frozenset[FindingCode] = frozenset(
    {
        "apart", "all-agreed", "control-won", "protected-lost", "concern", "gates-unknown", "unreachable", "same-lab",
        "one-judge", "lost", "identical", "judge-obeyed", "judge-order", "judge-one-score", "plants-lost",
    }
)  # fmt: skip
_NOT_PAIRED: dict[NotPaired, str] = {
    "new": "new, or another case than on the baseline",
    "flaky": "flaky",
    "no-answer": "without an answer on one side",
    "inadmissible": "made from evidence that it must not be made from",
}


def ab_run_section(reporting: Reporting, extent: Extent) -> Section:
    """Who is ahead in one line, and folded below it findings, judges and dimensions; nothing where nobody compared."""
    ab = reporting.run.ab
    if ab is None:
        return Section()
    arms = RunArms(change_name(reporting), reporting.base_name)
    lead: Text = (Strong("A/B:"), " ", sentences(*_outcome(ab, arms), *_left_out(reporting, ab)))
    total = ab.aggregate
    if total is None or not extent.rows or not ab.changed:
        return Section(lead=lead)
    example = tuple(_example(ab, reporting, extent, arms))
    pairs = count(ab.identical + ab.changed, "question")
    title = f"A/B by judge ({pairs}, {count(len(ab.judges), 'judge')})"
    took: Text = ("Judging took ", judging_text(ab)) if ab.judging.judgements else "No judge was asked."
    folds = [
        Fold(
            title,
            items=tuple([Item(text) for text in _findings(ab.findings, extent, arms)]),
            table=_table(judge_table(total), arms),
            more=sentences(Strong("How it was judged:"), of_a_run(agreement_text(total), arms), took, _WHERE),
        )
    ]
    if total.dimensions:
        folds.append(Fold("A/B by dimension", table=_table(dimension_table(total), arms)))
    if extent.whole:
        folds.append(Fold(f"A/B by question ({len(total.questions):,})", table=_table(question_table(total), arms)))
    return Section(lead=lead, items=example, folds=tuple(folds))


def _table(table: Table, arms: RunArms) -> Table:
    """A table about two arms, for a run."""
    columns = tuple([column._replace(title=str(of_a_run(column.title, arms))) for column in table.columns])
    return Table(columns, tuple([tuple([of_a_run(cell, arms) for cell in row]) for row in table.rows]))


def _example(ab: RunAb, reporting: Reporting, extent: Extent, arms: RunArms) -> Iterator[Item]:
    """One question with both answers, and why judges prefer one; nothing under `texts: ids`."""
    found = ab.example
    if found is None or not reporting.shows_texts:
        return
    words = min(extent.words, _LONGEST_ANSWER)
    ours = f"the {arms.control}'s" if found.prefers == "control" else f"{arms.treatment}'s"
    votes = f"{found.votes:,} of {count(found.judges, 'judge')} prefer{'s' if found.votes == 1 else ''} {ours}"
    because: Text = (": ", Foreign(cut(found.reason, words))) if found.reason.strip() else ""
    yield Item(
        (Code(cut(found.question_id, _LONGEST_ID)), ": ", Foreign(cut(found.question, words), "no question")),
        under=(
            (f"{arms.control}: ", Foreign(cut(found.before, words))),
            (f"{arms.treatment}: ", Foreign(cut(found.now, words))),
            (votes, because),
        ),
    )


def ab_run_lines(reporting: Reporting) -> list[Text]:
    """The line that stays open, for a terminal."""
    lead = ab_run_section(reporting, COMMENT_EXTENTS[-1]).lead
    return [lead] if lead else []


def run_arm_lines(ab: RunAb) -> Iterator[Text]:
    """Who was compared: the head of the findings."""
    yield Strong("Control:"), " the answers of the baseline, the run that was decided at ", Code(ab.baseline), "."
    yield Strong("Treatment:"), " the answers of this run."


_WHERE: Text = (
    "Every judge's row stands in ", Code("judge_rows.csv"), " and the findings with their limits in ",
    Code("findings.md"), " of the run directory.",
)  # fmt: skip


def _outcome(ab: RunAb, arms: RunArms) -> Iterator[Text]:
    total = ab.aggregate
    if ab.unavailable is not None:
        yield WithCode(cut(ab.unavailable, _LONGEST_SENTENCE))
        yield f"{count(ab.changed, 'changed answer')} {'was' if ab.changed == 1 else 'were'} not judged."
    elif total is None:
        yield "no answer stands beside one of the baseline."
    elif not ab.changed:
        same = "the answer is" if ab.identical == 1 else f"all {ab.identical:,} answers are"
        yield f"{same} the baseline's, and no judge was asked."
    else:
        lead = next((each for each in ab.findings.derived if each.measure == "overall"), None)
        nothing = Strong("No row has scores: there is nothing to compare.")
        yield run_finding_text(lead, arms) if lead is not None else nothing
        if total.untried:
            yield from (run_finding_text(each, arms) for each in ab.findings.derived if each.code == "plants-lost")
        yield from _not_at_hand(total)
        if lost := sum(each.judgements for each in ab.judging.lost):
            yield f"{lost:,} of {count(ab.judging.judgements, 'judgement')} lost."


def _not_at_hand(total: Aggregate) -> Iterator[Text]:
    """What to do where an answer cannot be judged since nobody kept what it was made from."""
    if not total.grid.lost.get("text"):
        return
    lost = sum(question.lost > 0 for question in total.questions)
    gone = f"Of {count(lost, 'changed answer')} not all texts are at hand any more: "
    yield gone, "a run keeps them with an evidence store whose chunks have versions, or with ", Code("texts: full"), "."


def _left_out(reporting: Reporting, ab: RunAb) -> Iterator[Text]:
    """Cases without a pair, and cases that were not run."""
    if ab.not_paired:
        parts: list[Text] = [f"{each.cases:,} {_NOT_PAIRED[each.reason]}" for each in ab.not_paired]
        yield "Not compared: ", joined(", ", parts), "."
    run = reporting.run
    if run.in_scope < run.suite_size:
        yield f"Only what was run is compared: {run.in_scope:,} of {count(run.suite_size, 'case')}."


def _findings(findings: Findings, extent: Extent, arms: RunArms) -> Iterator[Text]:
    """In a comment those that a reviewer needs, in a summary all; the one in the open line not again."""
    first = next((each for each in findings.derived if each.measure == "overall"), None)
    for each in findings.derived:
        is_open = each is first or "untried" in each.counts or each.code in _TOLD
        if not is_open and (extent.whole or each.code in _SHORT):
            yield run_finding_text(each, arms)
    for written in findings.written:
        yield f"In a model's words (its treatment is {arms.treatment}): ", Foreign(written.text)
    if findings.rejection is not None:
        yield rejection_text(findings.rejection)
