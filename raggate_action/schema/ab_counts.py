"""What a blind panel is counted in: rows of the grid, scores of both arms, wins, and what judges misstate."""

from __future__ import annotations

from typing import Literal, Self, TypeAlias

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Natural, Rate, Record, see_part
from raggate_action.schema.judge_rows import Unasked
from raggate_action.schema.judgement import LostCode

# `missing`: there is no row at all; `contradicting`: rows of the same question, judge and
# order have other scores; `other-dimensions`: scores for other dimensions than the rubric's.
LostReason: TypeAlias = Literal[LostCode, Unasked, "missing", "contradicting", "other-dimensions"]
NO_CALLS = Rate(hits=0, total=0)


class Grid(Record):
    """Rows that there should be, of every question, judge and order, and those that there are.

    Attributes:
        questions, judges: How many.
        orders: 2 where every pair is shown swapped as well, else 1.
        received: Rows with scores, and those of identical answers, of which nobody was asked.
        lost: Why the others have no scores -> rows; by name of the reason.
        unpaired: Of the received ones, those that count for nothing since the judge's other order is lost.
        repeated: Rows beside another of the same question, judge and order: one is enough.
    """

    questions: Natural = 0
    judges: Natural = 0
    orders: Natural = 1
    received: Natural = 0
    lost: dict[LostReason, Natural] = {}
    unpaired: Natural = 0
    repeated: Natural = 0

    @property
    def expected(self) -> int:
        """Rows that there should be."""
        return self.questions * self.judges * self.orders

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.received + sum(self.lost.values()) != self.expected:
            raise PydanticCustomError("grid", "rows received and lost are not those expected")
        see_part(self.unpaired, self.received)
        return self


class Totals(Record):
    """Scores of both arms, added up.

    Attributes:
        control, treatment: Sums over `scored` rows: of all dimensions, or of the one.
        scored: Rows with scores.
        rows: These, and rows of identical answers, whose difference is 0. Of a dimension the same as `scored`.
    """

    control: Natural = 0
    treatment: Natural = 0
    scored: Natural = 0
    rows: Natural = 0

    @model_validator(mode="after")
    def _is_part(self) -> Self:
        see_part(self.scored, self.rows)
        return self

    @property
    def difference(self) -> int:
        """The treatment's sum less the control's."""
        return self.treatment - self.control

    @property
    def mean_control(self) -> float | None:
        """Of a row with scores; None where there is none."""
        return self.control / self.scored if self.scored else None

    @property
    def mean_treatment(self) -> float | None:
        """Of a row with scores; None where there is none."""
        return self.treatment / self.scored if self.scored else None

    @property
    def mean_delta(self) -> float | None:
        """The treatment's lead in a row, identical answers among them; None of no row."""
        return self.difference / self.rows if self.rows else None


class Wins(Record):
    """Who came out ahead: of a question its judges, of a judge or of the whole panel the questions.

    Attributes:
        treatment, control, tie: How many for each.
        identical: Ties that nobody was asked about, for the answers are the same; not in `tie`.
    """

    treatment: Natural = 0
    control: Natural = 0
    tie: Natural = 0
    identical: Natural = 0

    @property
    def judged(self) -> int:
        """All that somebody was asked about."""
        return self.treatment + self.control + self.tie

    @property
    def total(self) -> int:
        """All, identical answers among them."""
        return self.judged + self.identical


class Miscounts(Record):
    """How often what judges say their scores come to is not what they come to, of the rows that say it.

    Attributes:
        totals: Rows where a total is another than the sum of the scores, of those that name one.
        verdicts: Rows where the verdict is another than the totals', of those that name one.
    """

    totals: Rate = NO_CALLS
    verdicts: Rate = NO_CALLS
