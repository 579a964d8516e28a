"""What only judges can decide about a row: open claims, and known-bad cases that no rule blocks."""

from __future__ import annotations

from typing import Final

from raggate_action.core.counting.case_state import is_faulted
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.outcome import GATES, GateName, UnmeasuredReason
from raggate_action.schema.policy import Gates

# Armed judges were asked, and too few of them were heard.
_NOT_HEARD: Final[frozenset[UnmeasuredReason]] = frozenset({"judge", "budget", "cut"})


def is_open(claim: Claim) -> bool:
    """Whether a claim's verdict is open: nothing has verified or refuted it, and no author's label speaks of it."""
    return claim.verdict == "unverified" and not claim.labelled and not any(each.certain for each in claim.findings)


def unblocked_reason(row: CaseRun, gates: Gates, *, panel_unheard: bool) -> UnmeasuredReason | None:
    """Why it is open whether a known-bad case is blocked at its stage, if no rule blocks it.

    Args:
        row: The case.
        gates: The levels it counts by.
        panel_unheard: See `Panel.unheard`.

    Returns:
        None where it is blocked, and where judges could not change that it is not: a gate before has failed, or nothing
        that they would be asked about is open at its stage; and where judges that count have let it through. A fault of
        ours leaves it open as well.
    """
    if row.blocked_as_named:
        return None
    if is_faulted(row):
        return "fault"
    for gate, outcome in row.outcomes.items():
        if gates.of(gate).level != "block":
            continue
        if outcome.kind == "failed":
            return None
        if outcome.kind == "unmeasured" and GATES[gate].stage == row.blocked_at:
            if outcome.reason in _NOT_HEARD:
                return outcome.reason
            if panel_unheard and would_be_asked(gate, row):
                return "no-adjudicator"
        if panel_unheard and _only_judges_refute(gate, row):
            return "no-adjudicator"
    return None


def _only_judges_refute(gate: GateName, row: CaseRun) -> bool:
    """Whether the points of a known-bad case are made by a claim that a panel might have refuted."""
    at_stake = gate == "point_coverage" and GATES[gate].stage == row.blocked_at
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
