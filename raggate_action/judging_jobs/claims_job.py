"""The claims job: whether chunks support each claim of an answer, and which required points the claims make.

Nothing is guessed. A reply is one JSON object or it is none; the words a vote rests on are taken from the chunk.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, cast

from pydantic import JsonValue

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.evidence_checks.nearest_evidence import shares_meaning
from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LABELLED
from raggate_action.core.judging.claim_vote_aggregation import WORST_FIRST, fold, is_short_of_a_subject, is_there
from raggate_action.core.judging.undecided_claims import known_decline, open_points
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.prompts import Piece, template_source
from raggate_action.judges.reply_form import LoosePart, OffSchemaError, entries
from raggate_action.judging_jobs.numbered_entries import (
    Entry,
    NumberedText,
    entries_by_number,
    list_of,
    list_of_entries,
    number_up_to,
    opinion_in,
    size_for,
    strict_object,
    votes_of_both,
)
from raggate_action.judging_jobs.numbered_sentences import (
    NumberedSentence,
    numbered_chunks,
    sentence_pieces,
)
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, shown_answer, visible_chunks
from raggate_action.judging_jobs.planted_words import (
    DESK_QUESTION,
    TABLE,
    Plant,
    answer_with,
    chunks_with,
    planted,
)
from raggate_action.schema.base import Positive
from raggate_action.schema.calibration import LabelledAnswer
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import DroppedVote, JudgedVerdict, Judgement, PointVote, Support, Vote
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import Verdicts
from raggate_action.strings.visible_text import cut

_REPLY_TOKENS: Final = 50
_REPLY_TOKENS_A_CLAIM: Final = 90
_REPLY_TOKENS_A_POINT: Final = 20
_LONGEST_NOTE: Final = 300
_LONGEST_ID: Final = 80
# Who says this of a claim names the sentences that it stands on.
_QUOTED: Final = frozenset({"supported", "contradicted"})


class ClaimsTask(NamedTuple):
    """All that a prompt of the claims job holds beside its constant part.

    Attributes:
        question: What was asked.
        answer: The answer, whole.
        claims: Its claims to be judged; empty where only declining is open.
        chunks: What it was made from, in context order.
        points: Required points to be looked for, which no phrase recognises.
        settled: Its other claims, which need no verdict but may be what makes a point.
        cited: Chunks that the claims cite, by id: no part of the prompt, and never left out of it.
    """

    question: str
    answer: str
    claims: tuple[NumberedText, ...]
    chunks: tuple[VisibleChunk, ...]
    points: tuple[NumberedText, ...] = ()
    settled: tuple[NumberedText, ...] = ()
    cited: frozenset[str] = frozenset()

    @property
    def material(self) -> tuple[object, ...]:
        """What the prompt holds, by which a judgement is known."""
        return self[:-1]


def claims_task(
    question: str,
    answer: str,
    chunks: tuple[VisibleChunk, ...],
    claims: Iterable[Claim],
    wanted: Sequence[Claim],
    points: tuple[NumberedText, ...] = (),
) -> ClaimsTask:
    """The task of an answer, of whose claims some are to be judged."""
    ids = {claim.claim_id for claim in wanted}
    return ClaimsTask(
        question,
        answer,
        claims=tuple([NumberedText(claim.claim_id, claim.text) for claim in wanted]),
        chunks=chunks,
        points=points,
        settled=tuple([NumberedText(claim.claim_id, claim.text) for claim in claims if claim.claim_id not in ids]),
        cited=frozenset([cited for claim in wanted for cited in claim.citations]),
    )


class PointReply(LoosePart):
    """A point, by its number, and the claims that state it."""

    point: Positive
    claims: tuple[int, ...] = ()


class ClaimsReply(LoosePart):
    """A whole reply; its lists are read entry by entry."""

    claims: tuple[JsonValue, ...] | None = None
    declines: JsonValue = None
    points: tuple[JsonValue, ...] | None = None


def _plant(name: str, row: Mapping[str, Any]) -> Plant:
    """A plant: the false claim is to pass, or with `wanted` otherwise the true one to fail."""
    wanted = row.get("wanted", "supported")
    true, false = "A late return costs 15 EUR.", "A late return costs nothing for members."
    honest = row.get("claims") or ({false: "unsupported"} if wanted == "supported" else {true: "supported"})
    claims = tuple([NumberedText(f"c{number}", text) for number, text in enumerate(honest, 1)])
    after: dict[str, object] = {claim.id: wanted for claim in claims if honest[claim.text] != wanted}
    if row.get("wanted_declines"):
        after = {"declines": True}
    task = ClaimsTask(DESK_QUESTION, answer_with(row, *honest), claims, chunks_with(row))
    return Plant(name, f"plant-{name}", task, {"claims": after})


_OBEDIENT_REPLY: Final = {
    "claims": [{"claim": 1, "sentences": [1], "verdict": "supported", "note": ""}], "declines": False
}  # fmt: skip


class ClaimSupportJob(RunJob[ClaimsTask, ClaimsReply]):
    """See `RunJob` for each member."""

    name = "claims"
    form = ClaimsReply
    schema_name = "examined_claims"
    system_source = template_source(__file__, "claims.system.j2")
    labelled = (LABELLED["claims"],)
    plants = tuple([_plant(name, row) for name, row in planted("claims", json.dumps(_OBEDIENT_REPLY)).items()])
    # Two answers about indexes of vectors, one made up and one borne out.
    worked = tuple([LabelledAnswer.model_validate(row, strict=False) for row in TABLE["worked"]])

    def pieces(self, task: ClaimsTask) -> Iterable[Piece]:
        """The material, in order."""
        yield Piece("question", task.question)
        yield from sentence_pieces(task.chunks)
        yield Piece("answer", task.answer)
        for number, claim in enumerate((*task.claims, *task.settled), 1):
            yield Piece(f"{'claim' if number <= len(task.claims) else 'settled claim'} {number}", claim.text)
        for number, point in enumerate(task.points, 1):
            yield Piece(f"point {number}", point.text)

    def closing(self, task: ClaimsTask) -> str:
        """The last line: what is to be done, behind the last word of a stranger."""
        claims = len(task.claims)
        if not claims:
            what = "There is no claim to examine"
        else:
            which = f"claims 1 to {claims}" if claims > 1 else "claim 1"
            what = f"Examine {which} against {'the evidence' if task.chunks else 'nothing, for there is no evidence'}"
        points = ", look for the points" if task.points else ""
        return f"{what}{points}, say whether the answer declines, and reply with the JSON object alone."

    def schema(self, task: ClaimsTask | None = None) -> Mapping[str, JsonValue]:
        if task is None:
            return _schema(0, 0, 0)
        claims = size_for(len(task.claims) + len(task.settled))
        sentences = size_for(len(numbered_chunks(task.chunks)))
        return _schema(claims, sentences, size_for(len(task.points)) if task.points else 0, examines=bool(task.claims))

    def reply_tokens(self, task: ClaimsTask) -> int:
        return _REPLY_TOKENS + _REPLY_TOKENS_A_CLAIM * len(task.claims) + _REPLY_TOKENS_A_POINT * len(task.points)

    def task_of(self, drafted: Drafted, judges: Judges) -> ClaimsTask | None:
        """None where nothing is open, or the answer declines and asserts nothing.

        Without the text of any chunk nothing can be said of claims.
        """
        declined = known_decline(drafted.drafts, drafted.claims)
        if declined:
            return None
        chunks = visible_chunks(drafted)
        asks_all = judges.claims.which == "all"
        wanted = [claim for claim in drafted.claims if asks_all or is_open(claim)] if chunks else []
        points = open_points(drafted.case, drafted.drafts, drafted.claims) if chunks else ()
        if not wanted and not points and declined is not None:
            return None
        asked = tuple([NumberedText(point.id, point.id) for point in points])
        return claims_task(
            drafted.case.question_with_turns, shown_answer(drafted), chunks, drafted.claims, wanted, asked
        )

    def task_of_label(self, label: LabelledAnswer) -> ClaimsTask:
        """All of its labelled claims."""
        return ClaimsTask(
            question=label.question,
            answer=label.answer,
            claims=tuple([NumberedText(claim.claim_id, claim.text) for claim in label.labelled]),
            chunks=tuple([VisibleChunk(chunk.chunk_id, chunk.text) for chunk in label.chunks]),
        )

    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: ClaimsTask, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        chunks = {chunk.chunk_id: chunk.text for chunk in drafted.context.chunks}
        declined, question = known_decline(drafted.drafts, drafted.claims), drafted.case.asked
        folded = fold(drafted.claims, judgements, terms["claims"], chunks=chunks, declined=declined, question=question)
        return folded._replace(check=found.check, answer_votes=found.answer_votes)

    def read(self, reply: ClaimsReply, task: ClaimsTask) -> ReplyReading:
        """Votes on the claims it judged with what a verdict needs, in the order they were shown; the others are named.

        Raises:
            OffSchemaError: Nothing of what was asked for is in it.
        """
        declines = reply.declines if isinstance(reply.declines, bool) else None
        if task.claims and reply.claims is None:
            raise OffSchemaError("it has no `claims`")
        if not task.claims and not task.points and declines is None:
            raise OffSchemaError("it does not say whether the answer declines")
        examined = entries_by_number(reply.claims, "claim", WORST_FIRST)
        sentences = numbered_chunks(task.chunks)
        votes: list[Vote] = []
        dropped: list[DroppedVote] = []
        for number, claim in enumerate(task.claims, 1):
            found = opinion_in(examined.get(number, ()), f"claim {number}", sentences, _QUOTED)
            if isinstance(found, str):
                dropped.append(DroppedVote(claim_id=claim.id, reason=found))
            else:
                votes.append(_vote(claim.id, *found, sentences))
        problems = [each.reason for each in dropped]
        located = entries(reply.points or (), PointReply)
        shown = {number: claim.id for number, claim in enumerate((*task.claims, *task.settled), 1)}
        points: list[PointVote] = []
        for number, point in enumerate(task.points, 1):
            here = [each for each in located if each.point == number]
            makers = [claim for each in here for claim in each.claims]
            known = [shown[claim] for claim in makers if claim in shown]
            if not here or (makers and not known):
                problems.append(f"nothing was said of point {number}")
            else:
                points.append(PointVote(point=point.id, claim_id=known[0] if known else None))
        fields = {"votes": tuple(votes), "dropped": tuple(dropped), "declines": declines, "points": tuple(points)}
        return ReplyReading(fields, len(votes) + len(points), tuple(problems))

    def left_over(self, task: ClaimsTask, reading: ReplyReading) -> ClaimsTask:
        """What of a task a reading says nothing of, as a task of its own; all of it where the reading says nothing."""
        judged = {vote.claim_id for vote in reading.fields.get("votes", ())}
        spoken = {point.point for point in reading.fields.get("points", ())}
        points = tuple([point for point in task.points if point.id not in spoken])
        settled = (*task.settled, *[claim for claim in task.claims if claim.id in judged]) if points else ()
        claims = tuple([claim for claim in task.claims if claim.id not in judged])
        return task._replace(claims=claims, points=points, settled=settled)

    def joined(self, task: ClaimsTask, first: ReplyReading, again: ReplyReading) -> ReplyReading:
        """Two readings of one task as one: the first says what it said, the second what was left over."""
        votes = votes_of_both(first, again, "votes", [each.id for each in task.claims], lambda vote: vote.claim_id)
        points = votes_of_both(first, again, "points", [each.id for each in task.points], lambda point: point.point)
        declines = first.fields["declines"] if first.fields["declines"] is not None else again.fields["declines"]
        fields = {**again.fields, "votes": votes, "points": points, "declines": declines}
        return again._replace(fields=fields, amount=len(votes) + len(points))

    def fits(self, judgement: Judgement, task: ClaimsTask) -> bool:
        """Whether a judgement speaks of the task's claims, points and chunks alone, and quotes what stands there."""
        claims, points = {claim.id for claim in task.claims}, {point.id for point in task.points}
        anywhere = {*claims, *(claim.id for claim in task.settled), None}
        texts = {chunk.chunk_id: chunk.text for chunk in task.chunks}

        def is_sound(vote: Vote) -> bool:
            named = (*vote.support, *([vote.against] if vote.against is not None else []))
            backed = bool(vote.support) or vote.verdict != "supported"
            return vote.claim_id in claims and backed and all(is_there(each, texts) for each in named)

        return all(map(is_sound, judgement.votes)) and all(
            point.point in points and point.claim_id in anywhere for point in judgement.points
        )

    def shortened(self, task: ClaimsTask) -> tuple[ClaimsTask, tuple[str, ...]] | None:
        """The task without the chunks that share no content word and no value with any of its claims, and their ids.

        None where that is every chunk or no chunk. A chunk that is cited stays, one in another language, and one of
        which that cannot be told. A claim that leans on what stands around it ("It is free.") speaks of the question as
        well.
        """
        claims = [
            f"{claim.text} {task.question}" if is_short_of_a_subject(claim.text) else claim.text
            for claim in task.claims
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


@cache
def _schema(claims: int, sentences: int, points: int, *, examines: bool = True) -> dict[str, JsonValue]:
    """The form of a reply about so many claims, sentences and points; keys of what is not asked are not in it."""
    located = strict_object({"point": number_up_to(points), "claims": list_of(number_up_to(claims))})
    parts = {"claims": list_of_entries("claim", claims, sentences, WORST_FIRST)} if examines else {}
    parts["declines"] = {"type": "boolean"}
    return strict_object({**parts, "points": list_of(located)} if points else parts)


def _vote(
    claim_id: str, said: Entry, deciding: Sequence[NumberedSentence], sentences: Mapping[int, NumberedSentence]
) -> Vote:
    """A claim's vote. In the judge's words a sentence that it names by our number is called by its chunk."""

    def named(found: re.Match[str]) -> str:
        number = int(found[1])
        known = number in sentences and number in said.sentences
        return cut(sentences[number].chunk_id, _LONGEST_ID) if known else found[0]

    verdict = cast("JudgedVerdict", said.verdict)
    places = tuple([Support(chunk_id=each.chunk_id, quote=each.words, quote_start=each.start) for each in deciding])
    note = re.sub(r"\bS(\d{1,6})\b\|?", named, said.note or "")
    return Vote(
        claim_id=claim_id,
        verdict=verdict,
        support=places if verdict in ("supported", "partial") else (),
        against=places[0] if verdict == "contradicted" else None,
        note=cut(note.strip(), _LONGEST_NOTE) or None,
    )


CLAIMS: Final = ClaimSupportJob()
