"""The gate on a blind panel: it does not prefer the arm as it is to the one that is to replace it."""

from __future__ import annotations

from decimal import Decimal

from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.schema.change import Change
from raggate_action.schema.decision import Bar, Measured, RunGate, RunGateStatus
from raggate_action.schema.later import Aggregate
from raggate_action.schema.outcome import Problem
from raggate_action.schema.policy import LevelGate

# Fewer questions say nothing by a test, whatever it comes to.
LEAST_QUESTIONS = 10
LARGEST_CHANCE = Decimal("0.05")
_BAR = Bar(operator=">", amount=LARGEST_CHANCE, unit="p")


def ab_gate(aggregate: Aggregate | None, rule: LevelGate) -> list[RunGate]:
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
    wins, test = headline.wins, headline.test
    chance = test.control if test is not None else None
    is_enough = headline.questions >= LEAST_QUESTIONS
    is_ahead = chance is not None and chance.hits <= LARGEST_CHANCE * chance.total and wins.control > wins.treatment
    control_wins = is_enough and is_ahead
    # No rubric concern excuses them.
    lost = [
        each
        for each in (() if aggregate.untried else aggregate.questions)
        if each.consensus == "control" and not each.gates_passed
    ]
    harmed = [each for each in lost if each.protected and each.unanimous]
    named = sorted(
        lost if control_wins else harmed, key=lambda each: (each not in harmed, each.totals.mean_delta or 0.0)
    )
    # Whether so many questions can show that the control wins; where nothing differs there is nothing to show.
    smallest = test.smallest / 2 if test is not None else 1.0
    status: RunGateStatus = "insufficient"
    if control_wins or harmed:
        status = "failed"
    elif aggregate.unjudged or aggregate.untried:
        status = "unmeasured"
    elif is_enough and (not wins.judged or smallest <= LARGEST_CHANCE):
        status = "passed"
    offenders = []
    for question in named[:NAMED_AT_MOST]:
        votes, where = question.votes, ", protected" if question.protected else ""
        detail = f"{votes.control} of {votes.judged} judges prefer the other answer{where}"
        problem = Problem(code="lost-to-control", detail=detail)
        offenders.append(Change(case_id=question.question_id, gate="ab", problem=problem))
    gate = RunGate(
        gate="ab",
        level=rule.level,
        status=status,
        passed=wins.total - wins.control,
        scored=wins.total,
        unmeasured=aggregate.grid.questions - (0 if aggregate.untried else aggregate.headline.wins.total),
        bar=_BAR,
        measured=Measured(
            kind="arms",
            treatment=wins.treatment,
            control=wins.control,
            tie=wins.tie + wins.identical,
            p=chance,
            set_aside=len(aggregate.concerns),
            harmed=0 if control_wins else len(harmed),
        ),
        offenders=tuple(offenders),
        offending=len(named),
    )
    return [gate]
