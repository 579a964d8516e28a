"""A reply to the pair job, held against the rubric: scores, and what is wrong with the reply.

Only scores count. Totals that do not add up and a verdict that they do not bear out are no fault, and stand beside them
as what the judge claimed. Nothing is guessed: a reply has every score, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue

from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.reply_form import OffSchemaError, ReplyPart, quoted_name
from raggate_action.schema.judgement import Judgement, PairScores
from raggate_action.strings.visible_text import cut

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


SCORES: Final = range(1, 6)
_LONGEST_REASON: Final = 500


def read_reply(reply: PairReply, dimensions: Sequence[str]) -> ReplyReading:
    """The scores of both answers, with what the judge claims they come to.

    Raises:
        OffSchemaError: A dimension has no score, or a score is none.
    """
    _see_scores(reply, dimensions)
    reason = cut(" ".join((reply.verdict_reason or "").split()), _LONGEST_REASON)
    missing = {"totals": reply.totals is None, "verdict": reply.verdict is None, "verdict_reason": not reason}
    scores = PairScores(
        a={name: reply.scores.A[name] for name in dimensions},
        b={name: reply.scores.B[name] for name in dimensions},
        total_a=None if reply.totals is None else reply.totals.A,
        total_b=None if reply.totals is None else reply.totals.B,
        verdict=reply.verdict,
        reason=reason,
    )
    says_nothing = [key for key, is_missing in missing.items() if is_missing]
    return ReplyReading(
        {"scores": scores},
        # The scores, and the other things that are asked for.
        1 + len(missing) - len(says_nothing),
        tuple([f'"{key}" says nothing' for key in says_nothing]),
    )


def fits(judgement: Judgement, dimensions: Sequence[str]) -> bool:
    """Whether a judgement scores both answers in these dimensions and in no other, and speaks of nothing else."""
    scores = judgement.scores
    if judgement.job != "pair" or scores is None or judgement.votes or judgement.points or judgement.items:
        return False
    return all(
        given.keys() == set(dimensions) and all(score in SCORES for score in given.values())
        for given in (scores.a, scores.b)
    )


def _see_scores(reply: PairReply, dimensions: Sequence[str]) -> None:
    """See that both answers have a score in each dimension and in no other.

    Raises:
        OffSchemaError: They have not; every problem is named.
    """
    problems: list[str] = []
    for answer, given in (("A", reply.scores.A), ("B", reply.scores.B)):
        problems += [f'answer {answer} has no score for "{name}"' for name in dimensions if name not in given]
        problems += [
            f"{quoted_name(name)}, scored for answer {answer}, is no dimension"
            for name in given
            if name not in dimensions
        ]
        problems += [
            f'"{name}" of answer {answer} is {given[name]}: a score is a whole number from 1 to 5'
            for name in dimensions
            if given.get(name, 1) not in SCORES
        ]
    if problems:
        raise OffSchemaError(*problems)
