"""The form of a reply to the pair job, and its JSON Schema as endpoints take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from raggate_action.judges.reply_form import ReplyPart

SCHEMA_NAME = "scored_pair"


class BothScores(ReplyPart):
    """Dimension -> score, of each answer."""

    A: dict[str, int]
    B: dict[str, int]


# Of no more digits than a wrong sum has.
_Total = Annotated[int, Field(ge=-9_999, le=9_999)]


class BothTotals(ReplyPart):
    """What the judge says its scores add up to."""

    A: _Total
    B: _Total


class PairReply(ReplyPart):
    """A whole reply. Scores decide; what is made of them may be missing."""

    scores: BothScores
    totals: BothTotals | None = None
    verdict: Literal["A", "B", "tie"] | None = None
    verdict_reason: str | None = None


def pair_schema(dimensions: Sequence[str]) -> dict[str, JsonValue]:
    """The JSON Schema of a reply: every key required, no other allowed.

    Bounds of scores are not in it: many endpoints that hold a reply to its schema refuse them, and choices of numbers.
    """
    answer = _object({name: {"type": "integer"} for name in dimensions})
    total: JsonValue = {"type": "integer"}
    return _object(
        {
            "scores": _object({"A": answer, "B": answer}),
            "totals": _object({"A": total, "B": total}),
            "verdict": {"type": "string", "enum": ["A", "B", "tie"]},
            "verdict_reason": {"type": "string"},
        }
    )


def _object(properties: dict[str, JsonValue]) -> dict[str, JsonValue]:
    required: list[JsonValue] = [*properties]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
