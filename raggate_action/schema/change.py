"""One change of one case: what a gate finds, how that stands beside the baseline, and what it means for the release."""

from operator import not_
from typing import Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Natural, Record
from raggate_action.schema.outcome import Problem, RunGateName

# Unknown: not found again and not known to be gone either, or there is nothing to compare with.
Move: TypeAlias = Literal["new", "same", "fixed", "unknown"]
# Codes of a missed phrase or tool, in the order in which these demands are numbered.
DEMANDS_ON_AN_ANSWER = ("phrase-missing", "tool-missing", "tool-forbidden")
Counts: TypeAlias = Literal["block", "warn", "waived"]


class Change(Record):
    """A case that a gate names.

    Attributes:
        case_id: The case.
        gate: Who finds it: the gate on the case that fails first, or the gate on the run that names the case.
        problem: What it finds; None where nothing more is known than the gate's name.
        move: How that stands beside the baseline.
        counts: Whether it counts against a gate that blocks, only warns, or is waived.
        key: Which of the case's falsehoods it is, as its row has it; empty for what is no falsehood.
    """

    case_id: str
    gate: RunGateName
    problem: Problem | None = Field(default=None, exclude_if=not_)
    move: Move = Field(default="unknown", exclude_if=lambda move: move == "unknown")
    counts: Counts = Field(default="block", exclude_if=lambda counts: counts == "block")
    key: str = Field(default="", exclude_if=not_)


class ChangeCount(Record):
    """How many changes a gate has beside a baseline.

    Attributes:
        new, same, fixed, unknown: Those that count, by move.
        blocking: New ones of which one is enough.
        waived: New ones that somebody answers for; they are in no other count.
        of: How many cases it could be told of.
        unasked: First answers that were to be asked again and were not, so that they are in no other count.
        asked, confirmed: Those that were asked again for the same, and of them those that stayed so.
    """

    new: Natural = Field(default=0, exclude_if=not_)
    same: Natural = Field(default=0, exclude_if=not_)
    fixed: Natural = Field(default=0, exclude_if=not_)
    unknown: Natural = Field(default=0, exclude_if=not_)
    blocking: Natural = Field(default=0, exclude_if=not_)
    waived: Natural = Field(default=0, exclude_if=not_)
    of: Natural = Field(default=0, exclude_if=not_)
    unasked: Natural = Field(default=0, exclude_if=not_)
    asked: Natural = Field(default=0, exclude_if=not_)
    confirmed: Natural = Field(default=0, exclude_if=not_)

    def by(self, move: Move) -> int:
        """How many moved so."""
        return {"new": self.new, "same": self.same, "fixed": self.fixed, "unknown": self.unknown}[move]

    @property
    def counted(self) -> int:
        """The new ones, with those not asked at the share confirmed of the asked, rounded half up."""
        return self.new + ((2 * self.unasked * self.confirmed + self.asked) // (2 * self.asked) if self.asked else 0)
