"""Findings written by a model: what it is given of an aggregate and no more, and what becomes of what it writes."""

from __future__ import annotations

import json
import os
from contextlib import closing
from typing import Final

from raggate_action.core.ab.aggregate_measures import Measure, OfferedValue, kinds_of, measures_of
from raggate_action.core.ab.finding_check import rejection_of
from raggate_action.core.ab.rule_findings import findings_of
from raggate_action.judges.judge_exchange import JudgingSubject
from raggate_action.judging_jobs.findings.findings_job import FindingsJob, MeasureLines, findings_in
from raggate_action.run.ab.pairs import Comparison, OpenJudges
from raggate_action.run.progress import Progress
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import Findings, Rejection
from raggate_action.schema.judgement import Judgement
from raggate_action.strings.numbers import count, signed, whole_number
from raggate_action.suite_files.ab_section import synthesizer_of

# Questions that are given one by one; the others are in the sums.
_MOST_QUESTIONS: Final = 40
_OF_ONE_QUESTION: Final = "question:"
_PLACES: Final = 2
# The smallest p-value of an exact test of twenty questions is two in a million.
_PLACES_OF_P: Final = 6


async def written_findings(aggregate: Aggregate, by: Comparison, open_judges: OpenJudges) -> Judgement | None:
    """What a model writes of an aggregate; None where none is asked, or there is nothing to write of.

    Args:
        aggregate: What it writes of.
        by: Who is asked, and until when.
        open_judges: `opened_judges` with the comparison's budget and journal.
    """
    member = synthesizer_of(by.suite)
    if member is None or not aggregate.headline.questions:
        return None
    job = FindingsJob(lambda findings: rejection_of(findings, aggregate))
    with closing(Progress(1, environment=os.environ, what="findings")) as progress:
        async with open_judges([member], job, tell=progress.tell) as writer:
            [written] = await writer.ask_until(by.ends, measure_lines(aggregate), JudgingSubject("case", job.name))
            return written


def findings_with(aggregate: Aggregate, written: Judgement | None) -> Findings:
    """What follows from an aggregate by rule, and what a model has written of it, where one was asked.

    A stranger may have written what is kept of an earlier comparison: it is held against the numbers each time.
    """
    derived = findings_of(aggregate)
    if written is None:
        return Findings(derived=derived)
    if written.lost is not None:
        return Findings(derived=derived, rejection=Rejection(code="no-reply", found=written.lost.detail))
    findings = findings_in(written)
    rejection = rejection_of(findings, aggregate)
    return Findings(derived=derived, written=findings if rejection is None else (), rejection=rejection)


def measure_lines(aggregate: Aggregate) -> MeasureLines:
    """What a model is given to write findings from: names and numbers of the aggregate's measures.

    Of single questions those are given that stand out: on which the treatment leads most, the control won, or the
    rubric may be at fault.
    """
    stand_out = [*aggregate.heroes, *aggregate.control_won, *aggregate.concerns]
    named = {f"{_OF_ONE_QUESTION}{question_id}" for question_id in stand_out[:_MOST_QUESTIONS]}
    every = measures_of(aggregate).values()
    chosen = [each for each in every if not each.name.startswith(_OF_ONE_QUESTION) or each.name in named]
    return tuple([_line(each) for each in chosen if each.numbers])


def _line(measure: Measure) -> str:
    questions = measure.questions[:_MOST_QUESTIONS]
    value = {
        "measure": measure.name,
        "kinds": kinds_of(measure),
        "numbers": {each.label: _value_text(each) for each in measure.numbers},
        **({"questions": questions} if questions else {}),
    }
    return json.dumps(value, ensure_ascii=False)


def _value_text(number: OfferedValue) -> str:
    """The number as it may be written, with what it counts and what it is a part of."""
    if number.kind == "difference":
        return signed(number.value)
    if number.kind != "count":
        return whole_number(number.value, _PLACES_OF_P if number.kind == "p" else _PLACES)
    value, of = int(number.value), number.whole
    if of is not None:
        return f"{value:,} of {count(of, number.unit) if number.unit else f'{of:,}'}"
    return count(value, number.unit) if number.unit else f"{value:,}"
