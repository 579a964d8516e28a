"""A failure that somebody answers for, and a case's own that a waiver covers."""

from datetime import date
from typing import Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Record
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.outcome import GateName, Problem
from raggate_action.schema.policy import OF_THE_CHANGE, is_past


class Waiver(Record):
    """A failure somebody answers for until a date.

    Attributes:
        case: The case id; may be left out for `policy_weakened`, `judges_lost`, `poorer` and `new_suspects` alone.
        gate: The gate waived for it, `removed` for a case taken out of the suite, `policy_weakened`: without a case
            for the weaker suite as a whole; `judges_lost`, `poorer` and `new_suspects`: without a case for all answers
            of the change.
        hallucination: Only this hallucination of the case, by its id in the comment; None is the whole gate. A claim
            and an answer where none was possible belong to `faithfulness`, a phrase to `behaviour`.
        reason: Why it may ship.
        owner: Who answers for it.
        expires: Last day it holds (ISO date).
    """

    case: str = ""
    gate: NonEmpty
    hallucination: NonEmpty | None = None
    reason: NonEmpty
    owner: NonEmpty
    expires: date

    def __str__(self) -> str:
        return f"{self.gate} of {self.case}" if self.case else self.gate

    def holds_on(self, day: date) -> bool:
        """Whether it covers its failure on this day."""
        return not is_past(self.expires, day)

    @model_validator(mode="after")
    def _names_its_case(self) -> Self:
        if not self.case and self.gate not in OF_THE_CHANGE:
            raise PydanticCustomError("waiver", "a waiver names its case: write `case:` and a case id")
        return self


class WaivedFailure(Record):
    """A failure that a waiver covers."""

    case_id: str
    gate: GateName
    problem: Problem | None
    waiver: Waiver
