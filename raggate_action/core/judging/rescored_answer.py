"""What a panel said of an answer, on the same answer read by other demands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import PointVote
from raggate_action.schema.verdicts import CheckIssues, Verdicts

_VERDICT = ("verdict", "supported_by", "quote", "quote_start", "note", "judged")


def rescored_verdicts(claims: Sequence[Claim], verdicts: Verdicts, check: CheckIssues | None) -> Verdicts:
    """The panel's verdicts on claims of the same words; what was closed then and is open now, nobody was asked about.

    So of the judges only those that were lost are why something stays open. Votes on facts and criteria hold for those
    of the same words.

    Args:
        claims: The claims as labels, quotation and rules judge them by the other demands.
        verdicts: What was said of the answer.
        check: What its custom check says by the other demands.
    """
    by_text = {claim.text: claim for claim in reversed(verdicts.claims)}
    ids: dict[str, str] = {}
    again = []
    for claim in claims:
        known = by_text.get(claim.text)
        if known is None:
            again.append(claim)
            continue
        ids.setdefault(known.claim_id, claim.claim_id)
        names = ("votes", *_VERDICT) if known.judged and is_open(claim) else ("votes",)
        again.append(claim.model_copy(update={name: getattr(known, name) for name in names}))
    return Verdicts(
        claims=tuple(again),
        check=check,
        judges=tuple([judge for judge in verdicts.judges if judge.lost is not None]),
        declines=verdicts.declines,
        points=tuple(_points_by_current_ids(verdicts.points, ids)),
        answer_votes=verdicts.answer_votes,
    )


def _points_by_current_ids(points: Sequence[PointVote], ids: Mapping[str, str]) -> Iterator[PointVote]:
    """The points by the claims' ids of now; without those whose claim is not there."""
    for each in points:
        if each.claim_id is None:
            yield each
        elif each.claim_id in ids:
            yield each.model_copy(update={"claim_id": ids[each.claim_id]})
