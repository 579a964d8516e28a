"""Whether the two answers to a case were judged by the same judges: what is newly judged is not newly wrong.

Where they were not, what labels, quotation and rules say of the one is held against what they say of the other.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

from raggate_action.core.counting.states import restated
from raggate_action.schema.baseline_answer import NotJudgedAgain
from raggate_action.schema.case_run import ByRules, CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.judgement import AskedJudge
from raggate_action.schema.outcome import JUDGED_GATES, GateName
from raggate_action.schema.policy import Gates

# Gates on a case that a panel may feed.
FED: frozenset[GateName] = frozenset({"answered", "faithfulness", "citation_support", "point_coverage", *JUDGED_GATES})
# Gates on the run whose counts hang on what a panel says.
_BY_PANEL: frozenset[str] = frozenset({*FED, "hallucination_rate", "verified"})
_SAID = frozenset({"passed", "failed"})
_UNDECIDED = {"verdict": "unverified", "supported_by": (), "quote": None, "quote_start": None, "judged": False}
_MISSED_FOR: tuple[NotJudgedAgain, ...] = ("budget", "cut", "judge")
_MISSED = frozenset(_MISSED_FOR)


class PanelOf(NamedTuple):
    """The panel that judged an answer; rows of one run share few.

    Attributes:
        bound_to: The judges whose verdicts counted, each with its prompt, by digest.
        matters: The answer would have come out otherwise without them.
        missed: Something is open because judges were lost, or too much was left to judge.
        settled: Nothing about the answer is open.
        measured: Gates that judges may feed and that came out passed or failed in the run itself, whoever decided.
    """

    bound_to: frozenset[str] = frozenset()
    matters: bool = False
    missed: bool = False
    settled: bool = False
    measured: frozenset[GateName] = frozenset()


def panel_of(row: CaseRun) -> PanelOf:
    """The panel that judged the answer of a row."""
    reasons = _reasons(row)
    return PanelOf(
        frozenset([judge.bound_to for judge in asked_of(row) if judge.armed]),
        matters=row.by_rules is not None,
        missed=not _MISSED.isdisjoint(reasons),
        settled=not reasons and all(claim.verdict != "unverified" for claim in row.claims),
        measured=frozenset([gate for gate, outcome in row.outcomes.items() if gate in FED and outcome.kind in _SAID]),
    )


def asked_of(row: CaseRun) -> Iterable[AskedJudge]:
    """The judges that were asked about the answer of a row, at every job."""
    return row.judges if row.answer_votes is None else (*row.judges, *row.answer_votes.judges)


def _reasons(row: CaseRun) -> set[str]:
    return {outcome.reason for outcome in row.outcomes.values() if outcome.kind == "unmeasured"}


def why_missed(row: CaseRun) -> NotJudgedAgain | None:
    """Why something about the answer of a row is open that judges might have said; None where that is not it."""
    reasons = _reasons(row)
    return next((why for why in _MISSED_FOR if why in reasons), None)


def is_judged_otherwise(row: CaseRun, panel: PanelOf) -> bool:
    """Whether what judges say of an answer cannot be held against what others said of the baseline's.

    Args:
        row: The head's.
        panel: Of the baseline's answer.
    """
    # Most rows have no panel, and are not looked through for one.
    return (row.by_rules is not None or panel.matters) and not are_alike(panel, panel_of(row))


def are_alike(one: PanelOf, other: PanelOf) -> bool:
    """Whether what the panels say of two answers can be held against each other.

    An answer of which rules leave nothing open says the same under any panel, so it stands beside every other.

    Args:
        one: Of the baseline's answer.
        other: Of the head's.
    """
    if not (one.matters or other.matters):
        return True
    if one.bound_to == other.bound_to:
        return not one.missed
    return (not one.bound_to and one.settled) or (not other.bound_to and other.settled)


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
    return found if row.state == "flaky" else restated(found, gates)


def under_panel(row: CaseRun, again: CaseRun, gates: Gates, *, keep: Container[GateName] = ()) -> CaseRun:
    """A row as another panel judges its answer: what labels, quotation, rules and checks said of it then stays.

    Args:
        row: As it was stored.
        again: The same answer, judged by the other panel; what is not its panel's is not taken from it.
        gates: The levels the row counts by.
        keep: Outcomes that stay whatever the panel says.
    """
    alone, by_rules = without_panel(row, gates), again.by_rules
    changed: dict[str, object] = {
        "claims": again.claims,
        "judges": again.judges,
        "answer_votes": again.answer_votes,
        "abstained": again.abstained,
    }
    if by_rules is not None:
        # What only judges can feed has no outcome where there were none.
        known = {*alone.outcomes, *JUDGED_GATES}
        names = [gate for gate in by_rules.outcomes if gate in known and gate not in keep]
        changed |= {
            "outcomes": {**alone.outcomes, **{gate: again.outcomes[gate] for gate in names}},
            "hallucinations": again.hallucinations,
            "musts": again.musts,
            "by_rules": ByRules(
                outcomes={gate: alone.outcomes.get(gate, by_rules.outcomes[gate]) for gate in names},
                hallucinations=alone.hallucinations,
                musts=alone.musts,
            ),
        }
    return restated(alone.model_copy(update=changed), gates)


def beside_its_like(comparison: Comparison) -> Comparison:
    """The comparison without the baseline's counts that hang on other judges: nothing is taken from those."""
    if comparison.other_panel is None or not comparison.other_panel.cases:
        return comparison
    slices = {part.name for part in comparison.slices}
    statuses = {
        name: status for name, status in comparison.statuses.items() if name not in _BY_PANEL and name not in slices
    }
    gates = tuple([gate for gate in comparison.gates if gate.name not in _BY_PANEL])
    return comparison.model_copy(update={"gates": gates, "slices": (), "statuses": statuses})
