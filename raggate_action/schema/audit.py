"""The audit of one answer: which chunks support which claim. What `raggate-action audit` prints."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Record
from raggate_action.schema.case_run import Verdict

AuditVerdict: TypeAlias = Literal["faithful", "partial", "unfaithful", "unverified"]


class AuditedClaim(Record):
    """One claim of the answer.

    Attributes:
        span: The claim, verbatim; a citation marker behind it left out.
        offset: Where it begins in the answer, in characters.
        supported_by: Ids of the chunks that support it, and no others, in the order given.
        verdict: What the chunks say of it; unverified is what rules cannot tell.
        quote: What the first of these chunks, or the chunk that disagrees, says, verbatim; absent without one.
        note: Which facts lack support, which chunk disagrees, or which citation leads elsewhere; absent where there is
            nothing to say.
    """

    span: str
    offset: Annotated[int, Field(ge=0)]
    supported_by: tuple[str, ...] = ()
    verdict: Verdict
    quote: str | None = None
    note: str | None = None


class AuditReport(Record):
    """An answer, audited.

    Attributes:
        claims: Its claims, in order.
        unsupported: The spans that did not earn `supported`, unverified ones among them.
        verdict: Unfaithful with an unsupported or contradicted claim, else partial with a partial one, else unverified
            with an unverified one or without any claim, else faithful.
        suggested_fix: One short paragraph that would pass this audit; absent for a faithful answer, and where the
            chunks hold nothing that could stand in.
    """

    claims: tuple[AuditedClaim, ...]
    unsupported: tuple[str, ...]
    verdict: AuditVerdict
    suggested_fix: str | None = None
