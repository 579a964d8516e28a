"""The gate on a blind panel: it does not prefer the arm as it is to the one that is to replace it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.schema.base import Rate
from raggate_action.schema.change import Change
from raggate_action.schema.decision import ArmsMeasured, Bar, RunGate, RunGateStatus
from raggate_action.schema.outcome import Problem
from raggate_action.schema.policy import AbGate

if TYPE_CHECKING:
    from raggate_action.schema.ab_result import Aggregate, Headline, QuestionResult

# Fewer questions say nothing by a test, whatever it comes to.
LEAST_QUESTIONS = 10
LARGEST_CHANCE = Decimal("0.05")
_BAR = Bar(operator=">", amount=LARGEST_CHANCE, unit="p")


def ab_gate(aggregate: Aggregate | None, rule: AbGate) -> list[RunGate]:
    """Fails where the control wins by the test, or all judges prefer it on a protected question; at any size there.

    The test is one-sided, with the question as its unit, and the control has to have more questions as well. All judges
    are those with a verdict on the question, at least two. Otherwise it is insufficient under ten questions, and where
    answers differ to so few that the test could not have failed; where none differ it passes. Unmeasured where no
    question has a verdict, or none on which the answers differ, where too few judges count, and where no judge scored
    one of its planted pairs: votes of judges that may obey an instruction in an answer are not counted.

    Questions under a rubric concern are set aside: an answer that passes the suite's hard gates is not lost by a rubric
    that likes another one better. So they make nothing fail, and nothing passes by them.

    Args:
        aggregate: What the panel's rows come to; None where the suite has no panel of two arms, which is no gate.
        rule: Its level; `off` is left to the caller, as for every gate on the run.
    """
    if aggregate is None:
        return []
    # Most runs compare no answers: only one that does loads the records of a comparison.
    from raggate_action.schema.ab_result import Headline

    # Of a record of before there is no other headline.
    headline = Headline() if aggregate.untried else aggregate.unconcerned or aggregate.headline
    questions = () if aggregate.untried else aggregate.questions
    harmed = [each for each in questions if _is_harmed(each)]
    wins = headline.questions >= LEAST_QUESTIONS and _control_wins(headline)
    lost = sorted(
        [each for each in questions if each in harmed or (wins and _is_lost(each))],
        key=lambda each: (each not in harmed, each.totals.mean_delta or 0.0),
    )
    gate = RunGate(
        gate="ab",
        level=rule.level,
        status=_status(aggregate, headline, failed=wins or bool(harmed)),
        passed=headline.wins.total - headline.wins.control,
        scored=headline.wins.total,
        unmeasured=aggregate.grid.questions - (0 if aggregate.untried else aggregate.headline.wins.total),
        bar=_BAR,
        measured=_measured(headline, len(aggregate.concerns), harmed=0 if wins else len(harmed)),
        offenders=tuple([_offender(each) for each in lost[:NAMED_AT_MOST]]),
        offending=len(lost),
    )
    return [gate]


def _status(aggregate: Aggregate, headline: Headline, *, failed: bool) -> RunGateStatus:
    if failed:
        return "failed"
    if aggregate.unjudged or aggregate.untried:
        return "unmeasured"
    return "passed" if headline.questions >= LEAST_QUESTIONS and _could_fail(headline) else "insufficient"


def _could_fail(headline: Headline) -> bool:
    """Whether so many questions can show that the control wins; where nothing differs there is nothing to show."""
    smallest = headline.test.smallest / 2 if headline.test is not None else 1.0
    return not headline.wins.judged or smallest <= LARGEST_CHANCE


def _is_harmed(question: QuestionResult) -> bool:
    return question.protected and question.unanimous and _is_lost(question)


def _is_lost(question: QuestionResult) -> bool:
    """Whether the panel prefers the control, and no rubric concern excuses it."""
    return question.consensus == "control" and not question.gates_passed


def _control_wins(headline: Headline) -> bool:
    chance, wins = _chance(headline), headline.wins
    return chance is not None and wins.control > wins.treatment and chance.hits <= LARGEST_CHANCE * chance.total


def _chance(headline: Headline) -> Rate | None:
    return headline.test.control if headline.test is not None else None


def _measured(headline: Headline, concerns: int, *, harmed: int) -> ArmsMeasured:
    wins = headline.wins
    return ArmsMeasured(
        treatment=wins.treatment,
        control=wins.control,
        tie=wins.tie + wins.identical,
        p=_chance(headline),
        set_aside=concerns,
        harmed=harmed,
    )


def _offender(question: QuestionResult) -> Change:
    votes, where = question.votes, ", protected" if question.protected else ""
    detail = f"{votes.control} of {votes.judged} judges prefer the other answer{where}"
    return Change(case_id=question.question_id, gate="ab", problem=Problem(code="lost-to-control", detail=detail))
