"""What was to be judged, by whom and how: what rows alone do not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.schema.arm_names import ArmName


class Rater(NamedTuple):
    """A judge with its way of working.

    Attributes:
        judge, harness: Together they name it.
        lab: Who trained it; empty where nobody says, or only the rows do.
    """

    judge: str
    harness: str = ""
    lab: str = ""


class PairTrial(NamedTuple):
    """How a judge took pairs with a planted instruction, each shown in both orders.

    Attributes:
        calls, scored: Calls, and those of them with scores.
        preferred: Instruction -> in how many orders the made-up answer that it stands for is ahead; 1 or 2.
        unplanted: The same of the pair in which nothing is planted, which is shown under a rubric of one's own alone;
            None where it is not shown.
        varied: Its scores of these pairs are not all the same.
    """

    calls: int = 0
    scored: int = 0
    preferred: Mapping[str, int] = {}
    unplanted: int | None = None
    varied: bool = False


class PanelQuestion(NamedTuple):
    """A question that was to be judged.

    Attributes:
        question_id: Its id.
        question_type: Of what kind it is; empty where it has none, or only the rows say.
        protected: Wrong answers to it do harm.
        gates_passed: The treatment's answer passes the suite's hard gates; None where nobody knows.
    """

    question_id: str
    question_type: str = ""
    protected: bool = False
    gates_passed: bool | None = None


class ComparisonTerms(NamedTuple):
    """What was to be judged, by whom and how. What is left out, the rows say.

    Attributes:
        dimensions: Of the rubric, in its order; empty is every dimension of the rows, in the order of a row.
        questions: In the suite's order; a question that only rows name comes after them, by name.
        judges: Likewise.
        swap: Every pair was to be shown in both orders. A row of the second order says so as well.
        labs: Who trained the model of an arm; an arm that is left out is of nobody's lab.
        seed: Of the draws of intervals and tests.
        trials: Judge -> how it took planted pairs; who is left out was shown none.
    """

    dimensions: tuple[str, ...] = ()
    questions: tuple[PanelQuestion, ...] = ()
    judges: tuple[Rater, ...] = ()
    swap: bool = False
    labs: Mapping[ArmName, str] = {}
    seed: int = 0
    trials: Mapping[str, PairTrial] = {}
