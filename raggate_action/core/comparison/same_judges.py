"""Who judged the answers of a run, what they measured, and rows without their judges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from raggate_action.core.counting.case_state import with_state
from raggate_action.schema.base import digest_of
from raggate_action.schema.case_run import Ask, CaseRun, Claim
from raggate_action.schema.later import AskedJudge, NotJudgedAgain, Panel
from raggate_action.schema.outcome import JUDGED_GATES, GateName, Outcome, Unmeasured
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Provenance, RunDescription


class JudgedBy(NamedTuple):
    """What a case's outcome depends on, apart from its answer and the evidence that it was given."""

    version: str = ""
    policy: str = ""
    judges: str = ""

    @classmethod
    def of(cls, made: Provenance, panel: Panel | None = None) -> JudgedBy:
        """What the cases of a run were judged by; judges who only advise decide nothing."""
        return cls(made.raggate_version, made.judging_digest, deciding(panel))


def deciding(panel: Panel | None) -> str:
    """Digest of the judges whose verdicts count, and of how many make a verdict, at each job; empty without any."""
    if panel is None or panel.unavailable is not None:
        return ""
    cards = [each for each in panel.cards if each.armed and panel.counts_at(each.job)]
    members = {each.name: each.fingerprint for each in panel.members}
    found = sorted((each.job, members.get(each.judge, ""), each.prompt) for each in cards)
    return digest_of([panel.prompt, panel.quorum, found]) if found else ""


# Gates on a case that a panel may feed.
FED: frozenset[GateName] = frozenset({"answered", "faithfulness", "citation_support", "point_coverage", *JUDGED_GATES})
_SAID = frozenset({"passed", "failed"})
_UNDECIDED = {"verdict": "unverified", "supported_by": (), "quote": None, "quote_start": None, "judged": False}
_MISSED_FOR: tuple[NotJudgedAgain, ...] = ("budget", "cut", "judge")


def measured_gates(row: CaseRun, *, labelled: bool) -> frozenset[GateName]:
    """Gates of an answer at which a label decided a claim or a judge who counts was heard.

    What rules and quotation decide alone is not among them.

    Args:
        row: The answer.
        labelled: Its suite vouches for the labels inside its traces.
    """
    by_label = labelled and any(claim.labelled for claim in row.claims)
    by_judge = row.by_rules.outcomes if row.by_rules is not None else {}
    heard = [judge for judge in judges_of(row) if judge.lost is None]

    def is_measured(gate: GateName, outcome: Outcome) -> bool:
        if isinstance(outcome, Unmeasured):
            # The good word of a judge that counts by declaration may verify nothing.
            by_vote = [
                gate in each.armed_for if gate in JUDGED_GATES else each.armed and not each.armed_for for each in heard
            ]
            return outcome.reason == "no-adjudicator" and (by_label or any(by_vote))
        return outcome.kind in _SAID and (by_label or gate in by_judge)

    return frozenset([gate for gate, outcome in row.outcomes.items() if gate in FED and is_measured(gate, outcome)])


def judges_of(row: CaseRun) -> Iterable[AskedJudge]:
    """The judges of a row's answer, at every job."""
    return row.judges if row.answer_votes is None else (*row.judges, *row.answer_votes.judges)


def why_missed(row: CaseRun) -> NotJudgedAgain | None:
    """Why a judge's verdict on the answer is missing; None if none is."""
    reasons = {outcome.reason for outcome in row.outcomes.values() if outcome.kind == "unmeasured"}
    return next((why for why in _MISSED_FOR if why in reasons), None)


def without_panel(row: CaseRun, gates: Gates) -> CaseRun:
    """The row as labels, quotation and rules alone judge it; the same where no panel mattered.

    Args:
        row: The row.
        gates: The levels it counts by.
    """
    alone = row.by_rules
    if alone is None:
        return row
    claims = tuple([claim.model_copy(update=_UNDECIDED) if claim.judged else claim for claim in row.claims])
    changed = {
        "outcomes": {**row.outcomes, **alone.outcomes},
        "hallucinations": alone.hallucinations,
        "musts": alone.musts,
        "claims": claims,
        "by_rules": None,
    }
    found = row.model_copy(update=changed)
    return found if row.state == "flaky" else with_state(found, gates)


AnyRun = TypeVar("AnyRun", bound=RunDescription)

_STRANGERS = "What judges said in a fork's run does not count: labels, quotation and rules decide."
# What a panel may decide of an answer.
_GATES_OF_JUDGES: tuple[GateName, ...] = ("answered", "faithfulness", "citation_support", "point_coverage")
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
    outcomes = _opened(row.outcomes, *(() if is_told else _GATES_OF_JUDGES), *JUDGED_GATES)
    bare = row.model_copy(
        update={
            "outcomes": outcomes,
            "hallucinations": row.hallucinations if is_told else (),
            "claims": tuple(map(_bare, row.claims)),
            "judges": (),
            "answer_votes": None,
            "by_rules": None,
            "asks": tuple([_ask(ask) for ask in row.asks]),
        }
    )
    if bare == given:
        return given
    return bare if row.state == "flaky" else with_state(bare, gates)


def unbelieved(head: AnyRun) -> AnyRun:
    """A fork's run: its judges are named, and none of them counts."""
    if head.panel is None:
        return head
    nothing = {"quorum": 0, "cards": (), "unavailable": _STRANGERS}
    return head.model_copy(update={"panel": head.panel.model_copy(update=nothing)})


def _opened(outcomes: dict[GateName, Outcome], *gates: GateName) -> dict[GateName, Outcome]:
    return {
        gate: _OPEN if gate in gates and outcome.kind in {"passed", "failed"} else outcome
        for gate, outcome in outcomes.items()
    }


def _bare(claim: Claim) -> Claim:
    undecided = {"verdict": "unverified", "supported_by": (), "quote": None, "quote_start": None, "note": None}
    return claim.model_copy(update={**(undecided if claim.judged else {}), "judged": False, "votes": ()})


def _ask(ask: Ask) -> Ask:
    by_panel = _GATES_OF_JUDGES if any(claim.judged for claim in ask.claims) else ()
    outcomes = _opened(ask.outcomes, *by_panel, *JUDGED_GATES)
    bare = {"outcomes": outcomes, "claims": tuple(map(_bare, ask.claims)), "judges": (), "answer_votes": None}
    return ask.model_copy(update=bare)
