"""A row of `judge_rows.csv`: one judge on the two answers to one question, in terms of arms, never of A and B."""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.base import Natural, Record
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.judgement import Lost

Winner: TypeAlias = Literal["control", "treatment", "tie"]
# Why nobody was asked about a pair: an arm has no answer, or one that was made from evidence it must not be made from,
# or an answer's words or its evidence's are not kept any more.
Unasked: TypeAlias = Literal["no-answer", "inadmissible"]
Score = Annotated[int, Field(ge=1, le=5)]


class Claimed(Record):
    """What a judge said its own scores come to; nothing is decided by it.

    Attributes:
        control, treatment: Totals; None where it did not say.
        verdict: Who it says is better; None where it did not say, or said something else.
    """

    control: int | None = None
    treatment: int | None = None
    verdict: Winner | None = None


class JudgeRow(Record):
    """One judge, one question, one order.

    Attributes:
        run_id, timestamp: Of the comparison, as it was written.
        question_id, question_text, question_type: The question; the type is empty where it has none.
        judge: The judge's name: its model where a file names no other.
        harness: How the judge works beside its model, as in `plain` and `tools`; empty where nobody says. Judges of one
            name and several harnesses are a family.
        lab: Who trained it; empty where nobody says.
        order: 1 for what a judge saw first, 2 for the pair swapped.
        shown_first: The arm that stood first; None where nobody says.
        control_response, treatment_response: The two answers.
        control, treatment: Dimension -> score, 1 to 5; empty where nothing was scored.
        claimed: What the judge said it comes to.
        reason: Its one sentence.
        lost: Why there are no scores; None of a row with scores, and of identical answers.
        identical: The answers are the same: a tie, and nobody was asked.
    """

    run_id: str = ""
    timestamp: str = ""
    question_id: NonEmpty
    question_text: str = ""
    question_type: str = ""
    judge: NonEmpty
    harness: str = ""
    lab: str = ""
    order: Annotated[int, Field(ge=1, le=2)] = 1
    shown_first: ArmName | None = None
    control_response: str = ""
    treatment_response: str = ""
    control: dict[str, Score] = {}
    treatment: dict[str, Score] = {}
    claimed: Claimed = Claimed()
    reason: str = ""
    lost: Lost | Unasked | None = None
    identical: bool = False

    @model_validator(mode="after")
    def _is_scored_or_not(self) -> Self:
        if self.control.keys() != self.treatment.keys():
            raise PydanticCustomError("row", "the two answers have scores for different dimensions")
        if self.lost is not None and self.identical:
            raise PydanticCustomError("row", "a row is `lost` or `identical`, not both; empty one of them")
        if self.control and (self.lost is not None or self.identical):
            column = "identical" if self.identical else "lost"
            text = "`{column}` says that there are no scores, and there are; empty it, or the scores"
            raise PydanticCustomError("row", text, {"column": column})
        if not self.control and self.lost is None and not self.identical:
            raise PydanticCustomError("row", "a row has scores, or says why it has none")
        return self

    @property
    def winner(self) -> Winner | None:
        """Who has the greater total; None of a lost row."""
        if self.lost is not None:
            return None
        ahead = sum(self.treatment.values()) - sum(self.control.values())
        return "treatment" if ahead > 0 else "control" if ahead < 0 else "tie"


RowsRemarkCode: TypeAlias = Literal[
    "trimmed",
    "decimals",
    "claim-unclear",
    "unscored",
    "pairs-unscored",
    "columns-ignored",
    "columns-absent",
    "answers-differ",
    "cells-missing",
]


class RowsRemark(Record):
    """Something that was cleaned in a file of rows, or that it lacks.

    Attributes:
        code: `trimmed`: spaces and tabs around a value; `decimals`: a whole number written with some;
            `claim-unclear`: a total or verdict that counts as not said; `unscored`: a row without scores, which counts
            as lost; `pairs-unscored`: pairs of columns that are no scores, and are not read; `columns-ignored`: nobody
            reads them; `columns-absent`: they are not there; `answers-differ`: a question's judges read different
            answers; `cells-missing`: a question and a judge without a row.
        count: Cells, rows, columns or questions.
        rows: Rows they are in; 0 where it is no matter of rows.
        lines: Of the file, the first of these rows.
        names: Of columns, of questions, or of question and judge; the first of them.
    """

    code: RowsRemarkCode
    count: Natural
    rows: Natural = 0
    lines: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


def judge_name(judge: str, harness: str) -> str:
    """A judge as it is called where judges of one name may work in several ways: `kimi (tools)`."""
    return f"{judge} ({harness})" if harness else judge
