"""The claims job: whether chunks support each claim of an answer, and which required points the claims make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LABELLED
from raggate_action.core.judging.undecided_claims import known_decline, open_points
from raggate_action.core.judging.vote_aggregation import fold
from raggate_action.judges.prompts import template_source
from raggate_action.judging_jobs.claims.claim_injections import PLANTS, WORKED, task_of_label
from raggate_action.judging_jobs.claims.claims_prompt import ClaimQuestion, ClaimsTask, PointQuestion, closing, pieces
from raggate_action.judging_jobs.claims.claims_reading import SCHEMA_NAME, ClaimsReply, fits, read_reply
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, answer_of, chunks_of
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import Verdicts

_REPLY_TOKENS: Final = 300
_REPLY_TOKENS_A_CLAIM: Final = 250
_REPLY_TOKENS_A_POINT: Final = 40


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
    fits = staticmethod(fits)
    task_of_label = staticmethod(task_of_label)

    @property
    def system_source(self) -> str:
        return template_source(__file__, "claims.system.j2")

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
        )

    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: ClaimsTask, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        chunks = {chunk.chunk_id: chunk.text for chunk in drafted.context.chunks}
        declined, question = known_decline(drafted.drafts, drafted.claims), drafted.case.asked
        folded = fold(drafted.claims, judgements, terms["claims"], chunks=chunks, declined=declined, question=question)
        return found.model_copy(update=folded._asdict())


CLAIMS: Final = ClaimSupportJob()
