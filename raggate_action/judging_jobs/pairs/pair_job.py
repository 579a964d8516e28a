"""The pair job: which of two answers to one question is better, by a rubric, for a judge that knows of no arms.

Only scores count. Totals that do not add up and a verdict that they do not bear out are no fault, and stand beside them
as what the judge claimed. Nothing is guessed: a reply has every score, or none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import JudgingJob, ReplyReading
from raggate_action.judges.prompts import (
    RENDERING,
    Piece,
    chunk_names,
    chunk_pieces,
    rendered,
    repair_part,
    template_source,
)
from raggate_action.judges.reply_form import OffSchemaError, ReplyPart, quoted_name
from raggate_action.judging_jobs.pairs.pair_task import PairTask
from raggate_action.judging_jobs.reply_sizes import strict_object
from raggate_action.schema.ab import Rubric
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import Judgement, PairScores
from raggate_action.strings.visible_text import cut

# Sources named by their place in the context: `[2]`, `[1, 3]`, `【2】`.
_BY_NUMBER: Final = re.compile(r"[\[\u3010](?:\d{1,3})(?:\s*[,;\u2013-]\s*\d{1,3})*[\]\u3011]")
_REPLY_TOKENS: Final = 400
_REPLY_TOKENS_A_DIMENSION: Final = 30
_LONGEST_REASON: Final = 500
_SCORES: Final = range(1, 6)


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


class PairJob(JudgingJob[PairTask, PairReply]):
    """See `JudgingJob` for each member.

    Attributes:
        rubric: What pairs are scored by; digest, schema and reading follow it.
    """

    name = "pair"
    form = PairReply
    schema_name = "scored_pair"

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric

    def pieces(self, task: PairTask) -> Iterable[Piece]:
        """The material, in order."""
        yield Piece("question", task.question)
        names = chunk_names(task.chunks)
        for name, chunk in names.items():
            yield from chunk_pieces({name: chunk})
            if name != chunk.chunk_id:
                # Answers cite it by that.
                yield Piece(f'id of chunk "{name}"', chunk.chunk_id)
        lines = [*names]
        # Where an id is a number, a number is an id.
        by_place = not any(chunk.chunk_id.isdecimal() for chunk in task.chunks)
        for letter, answer, order in (("A", task.answer_a, task.order_a), ("B", task.answer_b, task.order_b)):
            yield Piece(f"answer {letter}", answer)
            if order and by_place and _BY_NUMBER.search(answer):
                numbered = [f'[{number}] "{lines[place]}"' for number, place in enumerate(order, 1)]
                yield Piece(f"numbers in answer {letter}", "\n".join(numbered))

    def closing(self, task: PairTask) -> str:
        """The last line: what is to be done, behind the last word of a stranger."""
        harm = "A wrong answer to this question can do harm. " if task.harmful else ""
        ground = "the chunks" if task.chunks else "nothing, for there is no chunk"
        what = f"Score answer A and answer B by the rubric, against {ground}"
        return f"{harm}{what}, and reply with the JSON object alone."

    @property
    def system_source(self) -> str:
        return template_source(__file__, "pair.system.j2")

    @cached_property
    def system(self) -> str:
        schema = json.dumps(self.schema(), separators=(",", ":"))
        return rendered(self.system_source, dimensions=self.rubric.dimensions, schema=schema)

    @cached_property
    def digest(self) -> str:
        """Of a prompt whose material is empty, and of what is said of a reply out of form."""
        cited = "[1]"
        blank = PairTask(
            "", cited, cited, (VisibleChunk("chunk", ""), VisibleChunk(" ", "")), order_a=(0,), order_b=(1,)
        )
        users = [self.prompt(task, "token").user for task in (blank, PairTask("", "", "", (), harmful=True))]
        return digest_of([self.system, *users, self.repair([""]), self.schema(), RENDERING])

    def schema(self, task: PairTask | None = None) -> Mapping[str, JsonValue]:
        """The JSON Schema of a reply: every key required, no other allowed.

        Bounds of scores are not in it: many endpoints that hold a reply to its schema refuse them, and choices of
        numbers.
        """
        answer = strict_object({name: {"type": "integer"} for name in self.rubric.names})
        total: JsonValue = {"type": "integer"}
        return strict_object(
            {
                "scores": strict_object({"A": answer, "B": answer}),
                "totals": strict_object({"A": total, "B": total}),
                "verdict": {"type": "string", "enum": ["A", "B", "tie"]},
                "verdict_reason": {"type": "string"},
            }
        )

    def reply_tokens(self, task: PairTask) -> int:
        return _REPLY_TOKENS + 2 * _REPLY_TOKENS_A_DIMENSION * len(self.rubric.dimensions)

    def read(self, reply: PairReply, task: PairTask) -> ReplyReading:
        """The scores of both answers, with what the judge claims they come to.

        Raises:
            OffSchemaError: A dimension has no score, or a score is none.
        """
        dimensions = self.rubric.names
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

    def repair(self, problems: Iterable[str]) -> str:
        return repair_part(template_source(__file__, "pair.repair.j2"), problems)

    def fits(self, judgement: Judgement, task: PairTask) -> bool:
        """Whether it scores both answers in the rubric's dimensions and in no other, and speaks of nothing else."""
        scores = judgement.scores
        if judgement.job != "pair" or scores is None or judgement.votes or judgement.points or judgement.items:
            return False
        return all(
            given.keys() == set(self.rubric.names) and all(score in _SCORES for score in given.values())
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
            if given.get(name, 1) not in _SCORES
        ]
    if problems:
        raise OffSchemaError(*problems)
