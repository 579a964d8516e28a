"""A run and its rows without their judges: of a stranger's, what judges are said to have said counts for nothing."""

from __future__ import annotations

from typing import TypeVar

from raggate_action.core.comparison.judged_alike import without_panel
from raggate_action.core.counting.states import restated
from raggate_action.schema.ab_findings import Findings
from raggate_action.schema.ab_run import AbJudging
from raggate_action.schema.case_run import Ask, ByBaseline, CaseRun, Claim
from raggate_action.schema.outcome import JUDGED_GATES, GateName, Outcome, Unmeasured
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import RunDescription

AnyRun = TypeVar("AnyRun", bound=RunDescription)

_STRANGERS = "What judges said in a fork's run does not count: labels, quotation and rules decide."
_NOT_COMPARED = "What judges said in a fork's run does not count: its answers are not compared with the baseline's."
# What a panel may decide of an answer.
_BY_PANEL: tuple[GateName, ...] = ("answered", "faithfulness", "citation_support", "point_coverage")
_OPEN = Unmeasured(reason="no-adjudicator", detail="what judges said in a fork's run does not count")


def unjudged(row: CaseRun, gates: Gates) -> CaseRun:
    """The row as labels, quotation and rules alone judge it, with no word of a judge.

    Where it says that judges decided a claim and does not say how it comes out without them, what may rest on them is
    open.

    Args:
        row: A stranger's row.
        gates: The levels it counts by.
    """
    given, is_told = row, row.by_rules is not None or not any(claim.judged for claim in row.claims)
    row = without_panel(row, gates)
    # What only judges can feed is open, whether or not the row says that they fed it.
    outcomes = _opened(row.outcomes, *(() if is_told else _BY_PANEL), *JUDGED_GATES)
    bare = row.model_copy(
        update={
            "outcomes": outcomes,
            "hallucinations": row.hallucinations if is_told else (),
            "claims": tuple(map(_bare, row.claims)),
            "judges": (),
            "answer_votes": None,
            "by_rules": None,
            "by_baseline": _by_baseline(row.by_baseline),
            "asks": tuple([_ask(ask) for ask in row.asks]),
        }
    )
    if bare == given:
        return given
    return bare if row.state == "flaky" else restated(bare, gates)


def is_strangers(run: RunDescription) -> bool:
    """Whether a stored run is a fork's, or was run as if it were."""
    return run.origin is not None and run.origin.fork


def unbelieved(head: AnyRun) -> AnyRun:
    """A stranger's run: who is said to have been asked, and that nothing of it counts."""
    head = without_comparison(head, _NOT_COMPARED)
    if head.panel is None:
        return head
    nothing = {"quorum": 0, "cards": (), "unavailable": _STRANGERS, "demanded": False}
    return head.model_copy(update={"panel": head.panel.model_copy(update=nothing)})


def without_comparison(head: AnyRun, why: str) -> AnyRun:
    """A run of whose answers beside its baseline's nothing counts, and why; the same where it has none."""
    if head.ab is None:
        return head
    nothing = {
        "unavailable": why,
        "aggregate": None,
        "findings": Findings(),
        "judging": AbJudging(),
        "synthesis": None,
    }
    return head.model_copy(update={"ab": head.ab.model_copy(update=nothing)})


def _opened(outcomes: dict[GateName, Outcome], *gates: GateName) -> dict[GateName, Outcome]:
    return {
        gate: _OPEN if gate in gates and outcome.kind in {"passed", "failed"} else outcome
        for gate, outcome in outcomes.items()
    }


def _bare(claim: Claim) -> Claim:
    undecided = {"verdict": "unverified", "supported_by": (), "quote": None, "quote_start": None, "note": None}
    return claim.model_copy(update={**(undecided if claim.judged else {}), "judged": False, "votes": ()})


def _ask(ask: Ask) -> Ask:
    by_panel = _BY_PANEL if any(claim.judged for claim in ask.claims) else ()
    outcomes = _opened(ask.outcomes, *by_panel, *JUDGED_GATES)
    bare = {"outcomes": outcomes, "claims": tuple(map(_bare, ask.claims)), "judges": (), "answer_votes": None}
    return ask.model_copy(update=bare)


def _by_baseline(found: ByBaseline | None) -> ByBaseline | None:
    """By the baseline's demands without judges: as it comes out by the head's own, where nothing else is told."""
    alone = found.by_rules if found is not None else None
    if found is not None and found.claims is not None:
        found = found.model_copy(update={"claims": tuple(map(_bare, found.claims))})
    if found is not None and found.outcomes is not None:
        found = found.model_copy(update={"outcomes": _opened(found.outcomes, *JUDGED_GATES)})
    if found is None or alone is None:
        return found
    outcomes = _opened({**(found.outcomes or {}), **alone.outcomes}, *JUDGED_GATES)
    update = {"hallucinations": alone.hallucinations, "musts": alone.musts, "by_rules": None}
    return found.model_copy(update={**update, "outcomes": outcomes})
