"""What a judge of claims is shown: an answer, its claims and points, the chunks; each under a number of the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.core.evidence_checks.nearest_evidence import shares_meaning
from raggate_action.core.judging.claim_vote_aggregation import is_short_of_a_subject
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.numbered_sentences import NumberedSentence, numbered_chunks


class ClaimQuestion(NamedTuple):
    """A claim that a judge is asked about; its id is unique in the answer."""

    claim_id: str
    text: str


class PointQuestion(NamedTuple):
    """A required point that no phrase recognises; `text` is what the suite says of it."""

    point: str
    text: str


class ClaimsTask(NamedTuple):
    """All that a prompt of the claims job holds beside its constant part.

    Attributes:
        question: What was asked.
        answer: The answer, whole.
        claims: Its claims to be judged; empty where only declining is open.
        chunks: What it was made from, in context order.
        points: Required points to be looked for.
        settled: Its other claims, which need no verdict but may be what makes a point.
        cited: Chunks that the claims cite, by id: no part of the prompt, and never left out of it.
    """

    question: str
    answer: str
    claims: tuple[ClaimQuestion, ...]
    chunks: tuple[VisibleChunk, ...]
    points: tuple[PointQuestion, ...] = ()
    settled: tuple[ClaimQuestion, ...] = ()
    cited: frozenset[str] = frozenset()

    @property
    def material(self) -> tuple[object, ...]:
        """What the prompt holds, by which a judgement is known."""
        return self[:-1]


class PromptNames(NamedTuple):
    """What the names in a prompt stand for.

    Attributes:
        claims: Number -> id of a claim, the settled ones behind those to be examined.
        examined: How many are to be examined.
        sentences: Number -> sentence of a chunk.
        points: Number -> point.
    """

    claims: Mapping[int, str]
    examined: int
    sentences: Mapping[int, NumberedSentence]
    points: Mapping[int, str]


def prompt_names(task: ClaimsTask) -> PromptNames:
    """The numbers under which a task's claims, sentences and points are shown."""
    claims = [claim.claim_id for claim in (*task.claims, *task.settled)]
    points = {number: point.point for number, point in enumerate(task.points, 1)}
    return PromptNames(dict(enumerate(claims, 1)), len(task.claims), numbered_chunks(task.chunks), points)


def without_unrelated_chunks(task: ClaimsTask) -> tuple[ClaimsTask, tuple[str, ...]] | None:
    """The task without the chunks that share no content word and no value with any of its claims, and their ids.

    None where that is every chunk or no chunk. A chunk that is cited stays, one in another language, and one of which
    that cannot be told. A claim that leans on what stands around it ("It is free.") speaks of the question as well.
    """
    claims = [
        f"{claim.text} {task.question}" if is_short_of_a_subject(claim.text) else claim.text for claim in task.claims
    ]
    kept = tuple(
        [
            chunk
            for chunk in task.chunks
            if chunk.chunk_id in task.cited
            or any(shares_meaning(claim, chunk.text, around=task.question) is not False for claim in claims)
        ]
    )
    left = tuple([chunk.chunk_id for chunk in task.chunks if chunk not in kept])
    return (task._replace(chunks=kept), left) if kept and left else None
