"""The verdicts on one answer: what comes between its draft and its gates."""

from raggate_action.schema.base import Record
from raggate_action.schema.case_run import Claim


class CheckIssues(Record):
    """What a custom check says of an answer: its issues, or why it could not say anything."""

    issues: tuple[str, ...] = ()
    error: str | None = None


class Verdicts(Record):
    """Everything the gates on an answer need beside its draft.

    Attributes:
        claims: The answer's claims, each with its verdict.
        check: What the case's custom check says; None where it was not asked.
    """

    claims: tuple[Claim, ...]
    check: CheckIssues | None = None
