"""The claims job: whether chunks support each claim of an answer, and which required points the claims make.

Nothing is guessed. A reply is one JSON object or it is none; a number stands for what was shown under it or for
nothing; the words a vote rests on are taken from the chunk. Each entry stands or falls alone: what was not asked, or
names what does not exist, is left out and takes nothing else with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from pydantic import JsonValue

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LABELLED
from raggate_action.core.judging.claim_vote_aggregation import WORST_FIRST, fold, is_there
from raggate_action.core.judging.undecided_claims import known_decline, open_points
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.prompts import Piece, template_source
from raggate_action.judges.reply_form import LoosePart, OffSchemaError, entries
from raggate_action.judging_jobs.claims.claim_injections import PLANTS, WORKED, task_of_label
from raggate_action.judging_jobs.claims.claims_task import (
    ClaimQuestion,
    ClaimsTask,
    PointQuestion,
    PromptNames,
    prompt_names,
    without_unrelated_chunks,
)
from raggate_action.judging_jobs.numbered_sentences import (
    NumberedSentence,
    SentenceNumber,
    numbered_chunks,
    passages,
    sentence_pieces,
)
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, shown_answer, visible_chunks
from raggate_action.judging_jobs.reply_sizes import choice, list_of, number_up_to, size_for, strict_object
from raggate_action.schema.base import Positive
from raggate_action.schema.judgement import DroppedVote, JudgedVerdict, Judgement, PointVote, Support, Vote
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import Verdicts
from raggate_action.strings.visible_text import cut

_REPLY_TOKENS: Final = 50
_REPLY_TOKENS_A_CLAIM: Final = 90
_REPLY_TOKENS_A_POINT: Final = 20


_LONGEST_NOTE = 300
_LONGEST_ID = 80


class ClaimReply(LoosePart):
    """A claim, by the number it was shown with, and the numbers of the sentences that decide its verdict."""

    claim: Positive
    sentences: tuple[SentenceNumber, ...] = ()
    verdict: JudgedVerdict
    note: str | None = None


class PointReply(LoosePart):
    """A point, by its number, and the claims that state it."""

    point: Positive
    claims: tuple[int, ...] = ()


class ClaimsReply(LoosePart):
    """A whole reply; its lists are read entry by entry."""

    claims: tuple[JsonValue, ...] | None = None
    declines: JsonValue = None
    points: tuple[JsonValue, ...] | None = None


class ClaimSupportJob(RunJob[ClaimsTask, ClaimsReply]):
    """See `RunJob` for each member."""

    name = "claims"
    form = ClaimsReply
    schema_name = "examined_claims"
    labelled = (LABELLED["claims"],)
    plants = PLANTS
    worked = WORKED
    shortened = staticmethod(without_unrelated_chunks)
    task_of_label = staticmethod(task_of_label)

    @property
    def system_source(self) -> str:
        return template_source(__file__, "claims.system.j2")

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
        open_claims = [claim for claim in drafted.claims if asks_all or is_open(claim)] if chunks else []
        points = open_points(drafted.case, drafted.drafts, drafted.claims) if chunks else ()
        if not open_claims and not points and declined is not None:
            return None
        ids = {claim.claim_id for claim in open_claims}
        settled = [claim for claim in drafted.claims if claim.claim_id not in ids]
        return ClaimsTask(
            question=drafted.case.question_with_turns,
            answer=shown_answer(drafted),
            claims=tuple([ClaimQuestion(claim.claim_id, claim.text) for claim in open_claims]),
            chunks=chunks,
            points=tuple([PointQuestion(point.id, point.id) for point in points]),
            settled=tuple([ClaimQuestion(claim.claim_id, claim.text) for claim in settled]),
            cited=frozenset([cited for claim in open_claims for cited in claim.citations]),
        )

    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: ClaimsTask, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        chunks = {chunk.chunk_id: chunk.text for chunk in drafted.context.chunks}
        declined, question = known_decline(drafted.drafts, drafted.claims), drafted.case.asked
        folded = fold(drafted.claims, judgements, terms["claims"], chunks=chunks, declined=declined, question=question)
        return found.model_copy(update=folded._asdict())

    def read(self, reply: ClaimsReply, task: ClaimsTask) -> ReplyReading:
        """Votes on the claims it judged with what a verdict needs, in the order they were shown; the others are named.

        Raises:
            OffSchemaError: Nothing of what was asked for is in it.
        """
        names = prompt_names(task)
        declines = reply.declines if isinstance(reply.declines, bool) else None
        if task.claims and reply.claims is None:
            raise OffSchemaError("it has no `claims`")
        if not task.claims and not task.points and declines is None:
            raise OffSchemaError("it does not say whether the answer declines")
        examined = entries(reply.claims or (), ClaimReply)
        votes: list[Vote] = []
        dropped: list[DroppedVote] = []
        problems: list[str] = []
        for number, claim in enumerate(task.claims, 1):
            found = _vote(claim.claim_id, [each for each in examined if each.claim == number], names.sentences)
            if isinstance(found, Vote):
                votes.append(found)
            else:
                problems.append(f"claim {number}: {found}")
                dropped.append(DroppedVote(claim_id=claim.claim_id, reason=found))
        located = entries(reply.points or (), PointReply)
        points = [point for n, name in names.points.items() if (point := _point(n, name, located, names)) is not None]
        spoken = {point.point for point in points}
        problems += [f"point {n}: nothing was said of it" for n, name in names.points.items() if name not in spoken]
        fields = {"votes": tuple(votes), "dropped": tuple(dropped), "declines": declines, "points": tuple(points)}
        return ReplyReading(fields, len(votes) + len(points), tuple(problems))

    def left_over(self, task: ClaimsTask, reading: ReplyReading) -> ClaimsTask:
        """What of a task a reading says nothing of, as a task of its own; all of it where the reading says nothing."""
        judged = {vote.claim_id for vote in reading.fields.get("votes", ())}
        spoken = {point.point for point in reading.fields.get("points", ())}
        points = tuple([point for point in task.points if point.point not in spoken])
        settled = (*task.settled, *[claim for claim in task.claims if claim.claim_id in judged]) if points else ()
        return task._replace(
            claims=tuple([claim for claim in task.claims if claim.claim_id not in judged]),
            points=points,
            settled=settled,
        )

    def joined(self, task: ClaimsTask, first: ReplyReading, again: ReplyReading) -> ReplyReading:
        """Two readings of one task as one: the first says what it said, the second what was left over."""
        one, other = first.fields, again.fields
        votes = {vote.claim_id: vote for vote in (*one.get("votes", ()), *other.get("votes", ()))}
        points = {point.point: point for point in (*one.get("points", ()), *other.get("points", ()))}
        dropped = {each.claim_id: each for each in (*one.get("dropped", ()), *other.get("dropped", ()))}
        declines = one.get("declines")
        fields = {
            "votes": tuple([votes[claim.claim_id] for claim in task.claims if claim.claim_id in votes]),
            "dropped": tuple([each for claim_id, each in dropped.items() if claim_id not in votes]),
            "declines": other.get("declines") if declines is None else declines,
            "points": tuple([points[point.point] for point in task.points if point.point in points]),
        }
        return ReplyReading(fields, len(votes) + len(points), again.problems)

    def fits(self, judgement: Judgement, task: ClaimsTask) -> bool:
        """Whether a judgement speaks of the task's claims, points and chunks alone, and quotes what stands there."""
        claims = {claim.claim_id for claim in task.claims}
        anywhere = {*claims, *(claim.claim_id for claim in task.settled), None}
        texts = {chunk.chunk_id: chunk.text for chunk in task.chunks}
        points = {point.point for point in task.points}

        def is_sound(vote: Vote) -> bool:
            named = (*vote.support, *([vote.against] if vote.against is not None else []))
            backed = bool(vote.support) or vote.verdict != "supported"
            return vote.claim_id in claims and backed and all(is_there(each, texts) for each in named)

        return all(map(is_sound, judgement.votes)) and all(
            point.point in points and point.claim_id in anywhere for point in judgement.points
        )


@cache
def _schema(claims: int, sentences: int, points: int, *, examines: bool = True) -> dict[str, JsonValue]:
    """The form of a reply about so many claims, sentences and points; keys of what is not asked are not in it."""
    examined = strict_object(
        {
            "claim": number_up_to(claims),
            "sentences": list_of(number_up_to(sentences)),
            "verdict": choice(WORST_FIRST),
            "note": {"type": "string"},
        }
    )
    located = strict_object({"point": number_up_to(points), "claims": list_of(number_up_to(claims))})
    parts: dict[str, JsonValue] = {"claims": list_of(examined)} if examines else {}
    parts["declines"] = {"type": "boolean"}
    return strict_object({**parts, "points": list_of(located)} if points else parts)


def _vote(claim_id: str, examined: Sequence[ClaimReply], sentences: Mapping[int, NumberedSentence]) -> Vote | str:
    """One claim's vote, or why it has none. No other verdict is put in the place of one that lacks what it rests on."""
    if not examined:
        return "nothing was said of it"
    first = examined[0]
    if any(each.verdict != first.verdict for each in examined[1:]):
        return "two entries give it different verdicts"
    deciding = passages([number for each in examined for number in each.sentences], sentences)
    places = tuple([Support(chunk_id=each.chunk_id, quote=each.words, quote_start=each.start) for each in deciding])
    if first.verdict in ("supported", "contradicted") and not places:
        return f"it is called {first.verdict}, and no sentence of the evidence is named"
    return Vote(
        claim_id=claim_id,
        verdict=first.verdict,
        support=places if first.verdict in ("supported", "partial") else (),
        against=places[0] if first.verdict == "contradicted" else None,
        note=_note(first, sentences),
    )


def _note(examined: ClaimReply, sentences: Mapping[int, NumberedSentence]) -> str | None:
    """The judge's words; a sentence that it names by our number is called by its chunk."""

    def named(found: re.Match[str]) -> str:
        number = int(found[1])
        known = number in sentences and number in examined.sentences
        return cut(sentences[number].chunk_id, _LONGEST_ID) if known else found[0]

    note = re.sub(r"\bS(\d{1,6})\b\|?", named, examined.note or "")
    return cut(note.strip(), _LONGEST_NOTE) or None


def _point(number: int, name: str, located: Sequence[PointReply], names: PromptNames) -> PointVote | None:
    """The vote on a point: the first claim named that was shown; None where the reply says nothing that can be read."""
    here = [each for each in located if each.point == number]
    if not here:
        return None
    makers = [claim for each in here for claim in each.claims]
    known = [names.claims[claim] for claim in makers if claim in names.claims]
    return None if makers and not known else PointVote(point=name, claim_id=known[0] if known else None)


CLAIMS: Final = ClaimSupportJob()
