"""The state of a case after its waivers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.counting.run_totals import shortened
from raggate_action.schema.case_run import CaseRun, Hallucination
from raggate_action.schema.later import Waiver
from raggate_action.schema.outcome import GATES, Failed, GateName, Problem, StageName
from raggate_action.schema.policy import JUDGES_LOST, NEW_SUSPECTS, POLICY_WEAKENED, POORER, REMOVED
from raggate_action.schema.run import Policy

StandingState: TypeAlias = Literal["passed", "failed", "unmeasured", "waived", "flaky"]

# Waivers of these are about the suite, and no row tells of them.
_OF_THE_SUITE = frozenset({REMOVED, POLICY_WEAKENED, JUDGES_LOST})
# The gate whose failure a hallucination is part of: waiving the one excuses the other.
HALLUCINATION_GATES: Mapping[str, GateName] = {
    "claim": "faithfulness",
    "answered": "faithfulness",
    "phrase": "behaviour",
}
_NOTHING: Mapping[GateName, Waiver] = {}
# Problems of a gate that are hallucinations; with any other the gate fails for more than these.
_FALSE = frozenset(("claim-unsupported", "claim-contradicted", "answered-though-unanswerable", "forbidden-phrase"))


class Standing(NamedTuple):
    """A case after its waivers.

    Attributes:
        state: The row's state; `waived` when every block-level failure is waived and nothing else is unmeasured.
        stage: Stage of the first block-level failure that is not waived; None when there is none.
        waived: The failures covered, by gate.
        hallucinations: Those that are not part of a waived failure.
        flagged: A must_not_contain hit that is not waived.
        excused: Hallucinations waived by their id while their gate fails for something else too.
    """

    state: StandingState
    stage: StageName | None
    waived: Mapping[GateName, Waiver]
    hallucinations: tuple[Hallucination, ...]
    flagged: bool
    excused: tuple[tuple[Hallucination, Waiver], ...] = ()


class Waivers:
    """The waivers of a policy on one day.

    Attributes:
        expired: Waivers past their last day; they cover nothing.
        removed: Cases that may be gone from the suite.
        poorer: Cases whose answer may be poorer than main's; the empty id is every case.
        suspects: Cases whose new suspects may ship; the empty id is every case.
        judges_lost: Cases that may go without the judge or label of the baseline; the empty id is every case.
    """

    def __init__(self, policy: Policy, *, decided_on: date) -> None:
        """Sort the policy's waivers into those that hold on `decided_on` and the expired."""
        self.expired = tuple([waiver for waiver in policy.waivers if not waiver.holds_on(decided_on)])
        holding = [waiver for waiver in policy.waivers if waiver.holds_on(decided_on)]
        self.removed = frozenset([waiver.case for waiver in holding if waiver.gate == REMOVED])
        self.poorer = frozenset([waiver.case for waiver in holding if waiver.gate == POORER])
        self.suspects = frozenset([waiver.case for waiver in holding if waiver.gate == NEW_SUSPECTS])
        self.judges_lost = frozenset([waiver.case for waiver in holding if waiver.gate == JUDGES_LOST])
        self._holding: dict[str, dict[str, Waiver]] = {}
        self._by_id: dict[str, dict[tuple[str, str], Waiver]] = {}
        for waiver in holding:
            if waiver.hallucination is None:
                self._holding.setdefault(waiver.case, {})[waiver.gate] = waiver
            else:
                self._by_id.setdefault(waiver.case, {})[waiver.gate, waiver.hallucination] = waiver
        self.blocking = frozenset([gate for gate in GATES if policy.gates.of(gate).level == "block"])

    def standing(self, row: CaseRun) -> Standing:
        """The state of the row's case after its waivers; the row's own if no waiver covers a failure."""
        holding, by_id = self._holding.get(row.case_id), self._by_id.get(row.case_id)
        waived = _NOTHING
        if holding is not None:
            failed = [gate for gate, outcome in row.outcomes.items() if outcome.kind == "failed"]
            waived = {gate: holding[gate] for gate in failed if gate in holding}
        excused = [] if by_id is None else [(h, by_id[_id(h)]) for h in row.hallucinations if _id(h) in by_id]
        if excused:
            waived = {**_covered_by_id(row, [h for h, _waiver in excused], excused[0][1]), **waived}
        if not (waived or excused):
            return Standing(row.state, row.first_failed_stage, _NOTHING, row.hallucinations, row.flagged)
        state, stage = self._state(row, waived)
        gone = {_id(h) for h, _waiver in excused}
        left = tuple(
            [h for h in row.hallucinations if HALLUCINATION_GATES[h.kind] not in waived and _id(h) not in gone]
        )
        phrases = [h for h in row.hallucinations if h.kind == "phrase"]
        flagged = row.flagged and "behaviour" not in waived and not (phrases and {_id(h) for h in phrases} <= gone)
        alone = tuple([(h, waiver) for h, waiver in excused if HALLUCINATION_GATES[h.kind] not in waived])
        return Standing(state, stage, waived, left, flagged, alone)

    def _state(self, row: CaseRun, waived: Mapping[GateName, Waiver]) -> tuple[StandingState, StageName | None]:
        failed = [gate for gate in self._blocking_in(row) if row.outcomes[gate].kind == "failed"]
        left = [gate for gate in failed if gate not in waived]
        if row.state != "failed" or not failed:
            return row.state, row.first_failed_stage
        if left:
            return "failed", GATES[left[0]]
        if any(is_unmeasured(row, gate) for gate in self._blocking_in(row)):
            return "unmeasured", None
        return "waived", None

    def _blocking_in(self, row: CaseRun) -> list[GateName]:
        return [gate for gate in GATES if gate in self.blocking and gate in row.outcomes]

    def first_failure(self, row: CaseRun, standing: Standing) -> tuple[GateName, Problem]:
        """The gate behind `standing.stage`, and the first thing that it finds; the target's error where none is."""
        for gate in self._blocking_in(row):
            outcome = row.outcomes[gate]
            if isinstance(outcome, Failed) and gate not in standing.waived:
                return gate, shortened(outcome.problems[0])
        return "target", shortened(Problem(code="target-error", detail=row.error or ""))


class WaiverUse:
    """What the waivers of a policy still cover in a run."""

    def __init__(self, waivers: Waivers, policy: Policy) -> None:
        """Start from nothing."""
        self._all, self._expired = policy.waivers, frozenset(waivers.expired)
        # Only the comparison knows which cases are gone and what is weaker, so such waivers always count as missed.
        self._back = {waiver for waiver in self._expired if waiver.gate in _OF_THE_SUITE}
        self._mended: set[Waiver] = set()
        self._of_case: defaultdict[str, list[Waiver]] = defaultdict(list)
        for waiver in policy.waivers:
            self._of_case[waiver.case].append(waiver)

    def add(self, row: CaseRun) -> None:
        """Take note of what a case fails and passed; what it leaves open, or did not come to, is not mended.

        Nor is a hallucination that is only put in other words, while its gate fails.
        """
        own = self._of_case.get(row.case_id, [])
        waivers = [*own, *self._of_case.get("", [])]
        if not waivers:
            return
        self._back.update([each for each in waivers if each in self._expired and _fails(row, each)])
        is_open = any(each.kind == "failed" or is_unmeasured(row, gate) for gate, each in row.outcomes.items())
        mended = {"passed"} if is_open else {"passed", "not_applicable"}
        kinds = {str(gate): each.kind for gate, each in row.outcomes.items()}
        self._mended.update([each for each in own if kinds.get(each.gate) in mended and each not in self._expired])

    @property
    def missed(self) -> tuple[Waiver, ...]:
        """Those past their date whose failure is back."""
        return tuple([waiver for waiver in self._all if waiver in self._back])

    @property
    def idle(self) -> tuple[Waiver, ...]:
        """Those past their date of which nothing fails in this run."""
        return tuple([waiver for waiver in self._all if waiver in self._expired and waiver not in self._back])

    @property
    def mended(self) -> tuple[Waiver, ...]:
        """Those that hold and have nothing left to cover: their case was run, and their gate does not fail."""
        return tuple([waiver for waiver in self._all if waiver in self._mended])


def _fails(row: CaseRun, waiver: Waiver) -> bool:
    """Whether a case still has the failure that a waiver is about."""
    if waiver.gate == POORER:
        return row.beside_main is not None and bool(row.beside_main.reasons)
    if waiver.gate == NEW_SUSPECTS:
        return any(not finding.advisory for claim in row.claims for finding in claim.findings)
    if waiver.hallucination is not None:
        return any(_id(h) == (waiver.gate, waiver.hallucination) for h in row.hallucinations)
    return any(gate == waiver.gate and outcome.kind == "failed" for gate, outcome in row.outcomes.items())


def _id(hallucination: Hallucination) -> tuple[str, str]:
    """How a waiver names a hallucination: the gate it is part of, and its key."""
    return HALLUCINATION_GATES[hallucination.kind], hallucination.key


def _covered_by_id(row: CaseRun, excused: list[Hallucination], by: Waiver) -> Mapping[GateName, Waiver]:
    """The gates that fail for nothing but hallucinations that are waived one by one."""
    found: dict[GateName, Waiver] = {}
    for gate in dict.fromkeys(HALLUCINATION_GATES[each.kind] for each in excused):
        outcome = row.outcomes.get(gate)
        waived = [each for each in excused if HALLUCINATION_GATES[each.kind] == gate]
        if not isinstance(outcome, Failed) or len(waived) < len(outcome.problems):
            continue
        if _FALSE.issuperset(problem.code for problem in outcome.problems):
            found[gate] = by
    return found


def is_unmeasured(row: CaseRun, gate: GateName) -> bool:
    """Whether a gate went unmeasured for a reason that the budget counts."""
    outcome = row.outcomes.get(gate)
    return outcome is not None and outcome.kind == "unmeasured" and outcome.reason != "no-adjudicator"


def without_waived(row: CaseRun, standing: Standing) -> CaseRun:
    """The row with waived failures taken out of what it says first: state, stage, hallucinations, flag.

    A row knows no state `waived`: a case whose every failure is waived keeps its own, without a stage.
    """
    if not (standing.waived or standing.excused):
        return row
    return row.model_copy(
        update={
            "state": row.state if standing.state == "waived" else standing.state,
            "first_failed_stage": standing.stage,
            "hallucinations": standing.hallucinations,
            "flagged": standing.flagged,
        }
    )
