"""The `ab:` section: two arms that differ in one thing, and the judges that compare what they answer, blind."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Positive, Record
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.judges import JudgeBudget, Member
from raggate_action.schema.target import TargetSection


class Arm(Record):
    """One of two ways of making answers.

    Attributes:
        model: The language model that writes them, as its provider calls it; None where nobody says.
        lab: Who trained it: a judge of the same lab is not a stranger to its answers.
        target: Where it is asked; None is the suite's target.
    """

    model: NonEmpty | None = None
    lab: NonEmpty | None = None
    target: TargetSection | None = None


class PairBudget(JudgeBudget):
    """What judging pairs may cost at most.

    Attributes:
        calls_per_case: Calls per pair and judge: both orders, each with a reply that repairs the first.
        tokens, usd: As of a run.
    """

    calls_per_case: Positive = 4


# Editors see the file as it is written: of the treatment that is what differs, and nothing else.
_WHAT_DIFFERS = {
    "type": "object",
    "description": "What differs from the control.",
    "properties": {
        "model": {"type": "string", "minLength": 1, "description": "Another language model."},
        "lab": {"type": "string", "minLength": 1, "description": "Who trained it."},
        "target": {"type": "object", "description": "The keys of the control's target that differ."},
    },
    "additionalProperties": False,
}


class Ab(Record):
    """Two arms and their judges.

    Attributes:
        control: The arm as it is today.
        treatment: The other one: only what differs, which the loader writes over the control, key by key.
        judges: Names of judges of `judges:`, or judges of this comparison alone.
        swap: Every judge sees each pair in both orders, and a win counts only where it survives.
        seed: Of the order a judge sees first; None is the suite's.
        question_type: The field of a case that says of what kind it is.
        same_lab: What follows where two judges, or a judge and an arm, are of one lab.
        rubric: File of another rubric, beside the suite file.
        synthesizer: Who writes findings from the counts: a judge's name, or a model of its own; None leaves it to
            rules.
        budget: What judging the pairs may cost.
    """

    control: Arm
    treatment: Annotated[Arm, WithJsonSchema(_WHAT_DIFFERS)]
    judges: Annotated[tuple[NonEmpty | Member, ...], Field(min_length=1, max_length=16)]
    swap: bool = True
    seed: int | None = None
    question_type: Literal["category", "workflow"] = "category"
    same_lab: Literal["disclose", "refuse"] = "disclose"
    rubric: NonEmpty | None = None
    synthesizer: NonEmpty | Member | None = None
    budget: PairBudget = PairBudget()

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.control == self.treatment:
            raise PydanticCustomError("ab", "`treatment:` says nothing that differs from `control:`")
        names = [each if isinstance(each, str) else each.name for each in self.judges]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise PydanticCustomError("ab", "two judges are named {name}", {"name": twice})
        return self


class Level(Record):
    """What a score of a dimension stands for.

    Attributes:
        score: 1 to 5.
        means: What an answer of this score does.
        example: A short one.
    """

    score: Annotated[int, Field(ge=1, le=5)]
    means: NonEmpty
    example: NonEmpty | None = None


class Dimension(Record):
    """One thing answers are scored for, 1 to 5.

    Attributes:
        name: In replies, rows and reports.
        asks: What it looks at.
        levels: What its scores stand for; those between two are between them.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
    asks: NonEmpty
    levels: Annotated[tuple[Level, ...], Field(min_length=2, max_length=5)]


class Rubric(Record):
    """What a pair of answers is scored by.

    Attributes:
        dimensions: In the order of columns and tables.
        protected: Question types of which wrong answers do harm: there, an honest refusal outranks a confident list.
    """

    dimensions: Annotated[tuple[Dimension, ...], Field(min_length=1, max_length=12)]
    protected: tuple[NonEmpty, ...] = ()

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = self.names
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise PydanticCustomError("rubric", "two dimensions are named {name}", {"name": twice})
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The dimensions' names, in order."""
        return tuple([each.name for each in self.dimensions])
