"""Whether an app cites: how many of its answers do, and the rows of an app that does not."""

from __future__ import annotations

from operator import attrgetter

from raggate_action.core.counting.case_state import with_state
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import Failed, GateName, NotApplicable, Outcome, Problem
from raggate_action.schema.policy import Gates

_CITATIONS, _START = attrgetter("citations"), attrgetter("start")


def cites(row: CaseRun) -> bool:
    """Whether an answer cites anything, rightly or not."""
    return any(map(_CITATIONS, row.claims))


def is_answer(row: CaseRun) -> bool:
    """Whether an ordinary case has an answer that could cite: one with claims, which does not decline."""
    answered = row.outcomes.get("answered")
    return bool(row.claims) and row.kind != "known_bad" and (answered is None or answered.kind != "failed")


def is_itemised(row: CaseRun) -> bool:
    """Whether the app gave the claims itself; such claims are held to their citations in any run."""
    return None in map(_START, row.claims)


class CitationTally:
    """Counts answers and those that cite; the app cites where at least half of them do.

    Attributes:
        answers: Answers that could cite.
        citing: Those that do.
    """

    def __init__(self) -> None:
        self.answers = self.citing = 0

    def add(self, row: CaseRun) -> None:
        """Count one case."""
        if is_answer(row):
            self.answers += 1
            self.citing += cites(row)

    @property
    def app_cites(self) -> bool:
        """At least half of the answers cite; False without an answer."""
        return 2 * self.citing >= self.answers > 0


_GATE: GateName = "citation_support"
_WHY = "fewer than half of the answers cite, and the suite does not declare citations"


def without_citation_gate(row: CaseRun, gates: Gates) -> CaseRun:
    """The row without an outcome for citations that its answer gives of its own accord; the same row where it has none.

    What fell short keeps its share, so that a new citation fault is found all the same.
    """
    if row.kind == "known_bad" or is_itemised(row):
        return row
    row = _without_panels(row)
    outcome = row.outcomes.get(_GATE)
    if outcome is None or isinstance(outcome, NotApplicable):
        return row
    share = outcome.share if isinstance(outcome, Failed) else None
    return _with_outcome(row, NotApplicable(why=_WHY, share=share), gates)


def is_uncited_answer(row: CaseRun) -> bool:
    """Whether an answer that could cite does not; where the one before did, it has stopped."""
    may_stop = row.state != "flaky" and isinstance(row.outcomes.get(_GATE), NotApplicable)
    return may_stop and is_answer(row) and not cites(row)


def with_lost_citation(row: CaseRun, gates: Gates) -> CaseRun:
    """The row of an answer that cites nothing, where the baseline's did: it fails for want of a citation."""
    text = row.claims[0].text
    problem = Problem(code="uncited-claim", detail=f"“{text}”, and the baseline's answer cited" if text else "")
    return _with_outcome(row, Failed(problems=(problem,)), gates)


def _without_panels(row: CaseRun) -> CaseRun:
    """The row, whose citations do not count without its panel either."""
    alone = row.by_rules
    if alone is None or _GATE not in alone.outcomes:
        return row
    outcomes = {gate: outcome for gate, outcome in alone.outcomes.items() if gate != _GATE}
    if isinstance(row.outcomes.get(_GATE), NotApplicable):
        outcomes[_GATE] = NotApplicable(why=_WHY)
    return row.model_copy(update={"by_rules": alone.model_copy(update={"outcomes": outcomes})})


def _with_outcome(row: CaseRun, outcome: Outcome, gates: Gates) -> CaseRun:
    row = row.model_copy(update={"outcomes": {**row.outcomes, _GATE: outcome}})
    return row if row.state == "flaky" else with_state(row, gates)
