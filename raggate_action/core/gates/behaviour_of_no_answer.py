"""Behaviour of an answer that is empty or declines where one was expected: that it lacks everything is told once."""

from __future__ import annotations

from raggate_action.core.gates.behaviour import Behaviour
from raggate_action.schema.case import Case
from raggate_action.schema.outcome import Failed, NotApplicable, Passed

_NOTHING_THERE = NotApplicable(why="the answer is empty or declines, which `answered` tells")
# What is there all the same; what is missing is missing because there is no answer.
_THERE = frozenset({"forbidden-phrase", "tool-forbidden", "custom-check"})


def of_no_answer(found: Behaviour, case: Case) -> Behaviour:
    """The same behaviour, held only to what the answer has: phrases and tools that must not be, what a check found.

    Score, flag and issues stay as they are, so that means and histories stay comparable.
    """
    outcome = found.outcome
    if isinstance(outcome, Passed):
        return found
    musts = found.musts
    if musts is not None:
        # Demands are numbered phrases first, then expected tools, then forbidden ones.
        missable = len(case.must_contain) + len(case.expected_tools)
        musts = musts.model_copy(update={"missed": tuple([number for number in musts.missed if number >= missable])})
    if isinstance(outcome, Failed):
        problems = tuple([problem for problem in outcome.problems if problem.code in _THERE])
        if problems:
            return found._replace(outcome=Failed(problems=problems), musts=musts)
    return found._replace(outcome=_NOTHING_THERE, musts=musts)
