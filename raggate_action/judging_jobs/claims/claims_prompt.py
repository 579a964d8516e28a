"""What a judge of claims is shown: an answer, its claims and points, the chunks; each under a number of the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from raggate_action.core.evidence_checks.nearest_evidence import shares_meaning
from raggate_action.core.judging.vote_aggregation import is_short_of_a_subject
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.prompts import Piece
from raggate_action.judging_jobs.numbered_sentences import NumberedSentence, numbered_chunks, sentence_pieces


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


def pieces(task: ClaimsTask) -> Iterable[Piece]:
    """The material, in order."""
    yield Piece("question", task.question)
    yield from sentence_pieces(task.chunks)
    yield Piece("answer", task.answer)
    for number, claim in enumerate((*task.claims, *task.settled), 1):
        yield Piece(f"{'claim' if number <= len(task.claims) else 'settled claim'} {number}", claim.text)
    for number, point in enumerate(task.points, 1):
        yield Piece(f"point {number}", point.text)


def closing(task: ClaimsTask) -> str:
    """The last line: what is to be done, behind the last word of a stranger."""
    claims = len(task.claims)
    if not claims:
        what = "There is no claim to examine"
    else:
        which = f"claims 1 to {claims}" if claims > 1 else "claim 1"
        what = f"Examine {which} against {'the evidence' if task.chunks else 'nothing, for there is no evidence'}"
    points = ", look for the points" if task.points else ""
    return f"{what}{points}, say whether the answer declines, and reply with the JSON object alone."
