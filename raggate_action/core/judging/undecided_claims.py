"""What labels, quotation and rules leave open of an answer, so that a panel may decide it; all else it may only see."""

from __future__ import annotations

from collections.abc import Container, Iterable

from raggate_action.core.claims.claim_extraction import Drafts
from raggate_action.schema.case import Case, RequiredPoint
from raggate_action.schema.case_run import Claim
from raggate_action.schema.later import PointVote


def known_decline(drafts: Drafts, claims: Iterable[Claim]) -> bool | None:
    """Whether the answer declines, as far as that is known without a panel; None where it is open.

    A claim that a label, a quotation or a rule has verified or refuted asserts something, so its answer does not
    decline. That a panel gave a claim a verdict shows nothing: a sentence that declines is backed by no chunk either.

    Args:
        drafts: How the answer was itemised.
        claims: Its claims with their verdicts.
    """
    if drafts.declined:
        return True
    found = list(claims)
    is_answer = drafts.declined is False and not drafts.may_decline
    if is_answer or not found or any(claim.verdict != "unverified" and not claim.judged for claim in found):
        return False
    return None


def with_panel_decline(drafts: Drafts, claims: Iterable[Claim], *, declines: bool | None) -> Drafts:
    """The drafts with the panel's word on whether the answer declines, where that is open and the panel agrees."""
    if declines is None or known_decline(drafts, claims) is not None:
        return drafts
    return drafts._replace(declined=declines, may_decline=False)


def open_points(case: Case, drafts: Drafts, claims: Iterable[Claim]) -> tuple[RequiredPoint, ...]:
    """The required points that nothing can recognise: without answer phrases, in an answer without its author's labels.

    Args:
        case: The case.
        drafts: How the answer was itemised.
        claims: Its claims; without any, no point is made.
    """
    if not any(True for _claim in claims) or any(draft.point for draft in drafts.claims):
        return ()
    return tuple([point for point in case.points if not point.is_recognisable])


def with_points(claims: Iterable[Claim], points: Iterable[PointVote], names: Container[str]) -> tuple[Claim, ...]:
    """The claims, each with the points it makes by the panel's word.

    Args:
        claims: The claims.
        points: What the panel decided.
        names: The points that are open; of the others it has no word.
    """
    made: dict[str, list[str]] = {}
    for each in points:
        if each.claim_id is not None and each.point in names:
            made.setdefault(each.claim_id, []).append(each.point)
    if not made:
        return tuple(claims)
    return tuple(
        [
            claim.model_copy(update={"points": tuple(dict.fromkeys((*claim.points, *made[claim.claim_id])))})
            if claim.claim_id in made
            else claim
            for claim in claims
        ]
    )
