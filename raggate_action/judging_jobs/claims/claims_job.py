"""The claims job: whether chunks support each claim of an answer, and which required points the claims make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from pydantic import JsonValue

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LABELLED
from raggate_action.core.judging.undecided_claims import known_decline, open_points
from raggate_action.core.judging.vote_aggregation import WORST_FIRST, fold
from raggate_action.judges.prompts import template_source
from raggate_action.judging_jobs.claims.claim_injections import PLANTS, WORKED, task_of_label
from raggate_action.judging_jobs.claims.claims_prompt import (
    ClaimQuestion,
    ClaimsTask,
    PointQuestion,
    closing,
    pieces,
    without_unrelated_chunks,
)
from raggate_action.judging_jobs.claims.claims_reading import (
    SCHEMA_NAME,
    ClaimsReply,
    fits,
    joined,
    left_over,
    read_reply,
)
from raggate_action.judging_jobs.numbered_sentences import numbered_chunks
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, answer_of, chunks_of
from raggate_action.judging_jobs.reply_sizes import choice, list_of, number_up_to, size_for, whole
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import Verdicts

_REPLY_TOKENS: Final = 50
_REPLY_TOKENS_A_CLAIM: Final = 90
_REPLY_TOKENS_A_POINT: Final = 20


class ClaimSupportJob(RunJob[ClaimsTask, ClaimsReply]):
    """See `RunJob` for each member."""

    name = "claims"
    form = ClaimsReply
    schema_name = SCHEMA_NAME
    labelled = (LABELLED["claims"],)
    plants = PLANTS
    worked = WORKED
    pieces = staticmethod(pieces)
    closing = staticmethod(closing)
    read = staticmethod(read_reply)
    left_over = staticmethod(left_over)
    joined = staticmethod(joined)
    shortened = staticmethod(without_unrelated_chunks)
    fits = staticmethod(fits)
    task_of_label = staticmethod(task_of_label)

    @property
    def system_source(self) -> str:
        return template_source(__file__, "claims.system.j2")

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
        chunks = chunks_of(drafted)
        asks_all = judges.claims.which == "all"
        open_claims = [claim for claim in drafted.claims if asks_all or is_open(claim)] if chunks else []
        points = open_points(drafted.case, drafted.drafts, drafted.claims) if chunks else ()
        if not open_claims and not points and declined is not None:
            return None
        ids = {claim.claim_id for claim in open_claims}
        settled = [claim for claim in drafted.claims if claim.claim_id not in ids]
        return ClaimsTask(
            question=drafted.case.question_with_turns,
            answer=answer_of(drafted),
            claims=tuple([ClaimQuestion(claim.claim_id, claim.text) for claim in open_claims]),
            chunks=chunks,
            points=tuple([PointQuestion(point.id, point.id) for point in points]),
            settled=tuple([ClaimQuestion(claim.claim_id, claim.text) for claim in settled]),
            cited=frozenset([cited for claim in open_claims for cited in claim.citations]),
        )

    def reordered(self, task: ClaimsTask) -> ClaimsTask | None:
        return task._replace(chunks=task.chunks[::-1]) if len(task.chunks) > 1 else None

    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: ClaimsTask, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        chunks = {chunk.chunk_id: chunk.text for chunk in drafted.context.chunks}
        declined, question = known_decline(drafted.drafts, drafted.claims), drafted.case.asked
        folded = fold(drafted.claims, judgements, terms["claims"], chunks=chunks, declined=declined, question=question)
        return found.model_copy(update=folded._asdict())


@cache
def _schema(claims: int, sentences: int, points: int, *, examines: bool = True) -> dict[str, JsonValue]:
    """The form of a reply about so many claims, sentences and points; keys of what is not asked are not in it."""
    examined = whole(
        {
            "claim": number_up_to(claims),
            "sentences": list_of(number_up_to(sentences)),
            "verdict": choice(WORST_FIRST),
            "note": {"type": "string"},
        }
    )
    located = whole({"point": number_up_to(points), "claims": list_of(number_up_to(claims))})
    parts: dict[str, JsonValue] = {"claims": list_of(examined)} if examines else {}
    parts["declines"] = {"type": "boolean"}
    return whole({**parts, "points": list_of(located)} if points else parts)


CLAIMS: Final = ClaimSupportJob()
