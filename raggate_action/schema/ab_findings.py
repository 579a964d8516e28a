"""What a panel's aggregate says, as findings: those that follow from it by rule, and those that a model has written."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Record
from raggate_action.schema.case import NonEmpty

# Of the treatment, beside the control. A note claims neither.
FindingKind: TypeAlias = Literal["better", "worse", "no_difference", "note"]

FindingCode: TypeAlias = Literal[
    "nothing",
    "compared",
    "few-questions",
    "ahead",
    "behind",
    "not-told-apart",
    "apart",
    "dimension-up",
    "dimension-down",
    "dimension-informational",
    "type-up",
    "type-down",
    "control-won",
    "protected-lost",
    "tied",
    "identical",
    "concern",
    "gates-unknown",
    "too-few-judges",
    "judge-obeyed",
    "judge-order",
    "judge-one-score",
    "plants-lost",
    "all-agreed",
    "one-run",
    "unreachable",
    "same-lab",
    "labs-unknown",
    "one-judge",
    "one-order",
    "position",
    "ceiling",
    "lost",
    "miscounts",
]


class PanelFinding(Record):
    """A finding that follows from the aggregate by rule; its words are a report's.

    Attributes:
        code: Which rule.
        kind: What it claims of the treatment.
        measure: What it is about, by the names of `core.panel_ab.measures`.
        counts, amounts: Its numbers, by name.
        names: Questions, judges or dimensions it names, in the aggregate's order.
    """

    code: FindingCode
    kind: FindingKind = "note"
    measure: str
    counts: dict[str, int] = {}
    amounts: dict[str, float] = {}
    names: tuple[str, ...] = ()


class Finding(Record):
    """A finding that a model has written from the aggregate's numbers.

    Attributes:
        kind: What it claims of the treatment.
        measure: What it is about.
        numbers: Those it rests on.
        text: One or two sentences.
    """

    kind: FindingKind
    measure: NonEmpty
    numbers: tuple[Annotated[float, Field(allow_inf_nan=False)], ...] = ()
    text: Annotated[str, Field(min_length=1, max_length=600)]


RejectionCode: TypeAlias = Literal["none", "too-many", "measure", "kind", "number", "unit", "no-reply"]


class Rejection(Record):
    """Why what a model has written was left out; one fault is enough for all of it.

    Attributes:
        code: There is no finding at all, or too many; a measure that the aggregate has not; a kind that the test does
            not bear out; a number that the measure has not, or of other things than it counts; no reply that could be
            read.
        place: Which finding, from 1; 0 where it is none's.
        found: What stood there, cut; empty where there is nothing to show.
    """

    code: RejectionCode
    place: int = 0
    found: str = ""


class Findings(Record):
    """What is said of an aggregate.

    Attributes:
        derived: By rule, in the order they are read.
        written: By a model, each of them held against the aggregate; empty where none was asked, or one was faulty.
        rejection: Why what a model has written is not there; None where it is, or none was asked.
    """

    derived: tuple[PanelFinding, ...] = ()
    written: tuple[Finding, ...] = ()
    rejection: Rejection | None = None


def judge_name(judge: str, harness: str) -> str:
    """A judge as it is called where judges of one name may work in several ways: `kimi (tools)`."""
    return f"{judge} ({harness})" if harness else judge
