"""The verdicts on one answer: what comes between its draft and its gates."""

from typing import NamedTuple

from raggate_action.schema.case_run import Claim
from raggate_action.schema.later import AnswerVotes, AskedJudge, PointVote


class CheckIssues(NamedTuple):
    """What a custom check says of an answer: its issues, or why it could not say anything."""

    issues: tuple[str, ...] = ()
    error: str | None = None


class Verdicts(NamedTuple):
    """Everything the gates on an answer need beside its draft.

    Attributes:
        claims: The answer's claims, each with its verdict.
        check: What the case's custom check says; None where it was not asked.
        judges: What became of asking each judge; empty where none was to be asked.
        declines: Whether the answer declines, by the armed judges; None where they were not asked or do not agree.
        points: The required points that they decided, each with the claim that makes it; None where no claim does.
        answer_votes: What judges say beside facts, criteria and relevance; None where nobody was asked.
        by_baseline: The same on the terms of the baseline's panel, of those judges that count today; None where it is
            no other, or its terms ask for no more.
    """

    claims: tuple[Claim, ...]
    check: CheckIssues | None = None
    judges: tuple[AskedJudge, ...] = ()
    declines: bool | None = None
    points: tuple[PointVote, ...] = ()
    answer_votes: AnswerVotes | None = None
    by_baseline: "Verdicts | None" = None
