"""What only judges can decide about a row: open claims, what those who only advise say of them, known-bad cases."""

from __future__ import annotations

from collections import Counter
from typing import Final

from raggate_action.core.counting.top_n import TopN
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.later import ClaimAdvice, JudgedVerdict
from raggate_action.schema.listed_cases import LISTED_AT_MOST, AdvisedCase
from raggate_action.schema.outcome import GATES, GateName, Unmeasured, UnmeasuredReason
from raggate_action.schema.policy import Gates

# The worst first.
_FAULTS: Final[tuple[JudgedVerdict, ...]] = ("contradicted", "unsupported", "partial")
# Armed judges were asked, and too few of them were heard.
_NOT_HEARD: Final[frozenset[UnmeasuredReason]] = frozenset({"judge", "budget", "cut"})


def is_open(claim: Claim) -> bool:
    """Whether a claim's verdict is open: nothing has verified or refuted it, and no author's label speaks of it."""
    return claim.verdict == "unverified" and not claim.labelled and not any(each.certain for each in claim.findings)


def advised_claims(row: CaseRun) -> tuple[Claim, ...]:
    """The open claims of an answer that most of the judges heard call faulty, and none of these judges counts.

    What every judge heard calls faulty stands first. Every vote is looked at, whether or not a rule found anything. An
    answer that declines asserts nothing.
    """
    if row.abstained or row.kind == "known_bad":
        return ()
    found = []
    for claim in row.claims:
        if claim.votes and is_open(claim) and not any(vote.armed for vote in claim.votes):
            faulty = sum(vote.verdict != "supported" and not vote.is_blind for vote in claim.votes)
            found += [claim] if 2 * faulty > len(claim.votes) else []
    return tuple(sorted(found, key=lambda claim: not is_called_so_by_all(claim)))


def fault_called(claim: Claim) -> JudgedVerdict:
    """What most of its judges who call a claim faulty call it; of equals the worse."""
    called = [vote.verdict for vote in claim.votes]
    return max(_FAULTS, key=called.count)


class AdviceTally:
    """Counts claims that judges call faulty without counting, and keeps the heaviest cases that have one.

    Attributes:
        listed: The heaviest cases.
    """

    def __init__(self) -> None:
        self.listed: TopN[AdvisedCase] = TopN(LISTED_AT_MOST)
        self._counts: Counter[str] = Counter()
        self._heard: int | None = None

    def add(self, row: CaseRun) -> None:
        """Count one case."""
        claims = advised_claims(row)
        if not claims:
            return
        by_all = [claim for claim in claims if is_called_so_by_all(claim)]
        self._counts["claims"] += len(by_all)
        self._counts["by_most"] += len(claims) - len(by_all)
        self._counts["answers" if by_all else "answers_by_most"] += 1
        self._counts.update([fault_called(claim) for claim in by_all])
        heard = [len(claim.votes) for claim in by_all]
        self._heard = min([*heard, *([self._heard] if self._heard is not None else [])], default=None)
        self.listed.offer(row.weight, row.position, AdvisedCase(row=row, claims=claims))

    @property
    def counts(self) -> ClaimAdvice:
        """What has been counted so far."""
        from raggate_action.schema.judging_counts import ClaimAdvice

        return ClaimAdvice(**self._counts, heard=self._heard or 0)


def is_called_so_by_all(claim: Claim) -> bool:
    """Whether no judge heard calls a claim supported."""
    return all(vote.verdict != "supported" and not vote.is_blind for vote in claim.votes)


def unblocked_reason(row: CaseRun, gates: Gates, *, panel_advises: bool) -> UnmeasuredReason | None:
    """Why it is open whether a known-bad case is blocked at its stage, if no rule blocks it; `trace` if it is to renew.

    Args:
        row: The case.
        gates: The levels it counts by.
        panel_advises: See `Panel.only_advises`.

    Returns:
        None where it is blocked, and where judges could not change that it is not: a gate before has failed, or nothing
        that they would be asked about is open at its stage; and where judges that count have let it through. What
        judges say who only advise blocks nothing and lets nothing through. A fault of ours leaves it open as well.
    """
    if row.blocked_as_named:
        return None
    if isinstance(target := row.outcomes.get("target"), Unmeasured):
        return target.reason
    for gate, outcome in row.outcomes.items():
        if gates.of(gate).level != "block":
            continue
        if outcome.kind == "failed":
            return None
        if outcome.kind == "unmeasured" and GATES[gate] == row.blocked_at:
            if outcome.reason in _NOT_HEARD:
                return outcome.reason
            if panel_advises and would_be_asked(gate, row):
                return "no-adjudicator"
        if panel_advises and _only_judges_refute(gate, row):
            return "no-adjudicator"
    return None


def _only_judges_refute(gate: GateName, row: CaseRun) -> bool:
    """Whether the points of a known-bad case are made by a claim that a panel might have refuted."""
    at_stake = gate == "point_coverage" and GATES[gate] == row.blocked_at
    return at_stake and row.outcomes[gate].kind == "passed" and any(is_open(c) for c in row.claims if c.points)


def would_be_asked(gate: GateName, row: CaseRun) -> bool:
    """Whether a panel judges what a gate left open."""
    unsure = [claim for claim in row.claims if claim.verdict == "unverified"]
    open_claims = [claim for claim in unsure if is_open(claim)]
    match gate:
        case "answered":
            return True
        case "faithfulness":
            # Where declining is expected, whether the answer does is open.
            return bool(open_claims) or row.expect == "abstain"
        case "citation_support":
            return any(claim.citations for claim in open_claims)
        case "point_coverage":
            # Made by no claim in doubt: it is a point that no phrase recognises.
            return any(claim.points for claim in open_claims) or not any(claim.points for claim in unsure)
        case "agreement" | "criteria":
            # Nobody else can feed them.
            return True
        case _:
            return False
