"""How each case of a run stands in its list: state, stage and what is wrong with it, said once."""

from __future__ import annotations

from collections.abc import Callable

from raggate_action.core.counting.case_state import known_as, suspects_in
from raggate_action.core.counting.judge_only_findings import unblocked_reason
from raggate_action.core.counting.waivers import Waivers
from raggate_action.report.comment_size import gate_name
from raggate_action.report.counting_cases import counting_cases
from raggate_action.report.decision_words import (
    base_name,
    not_blocked,
    outcome_words,
    problem_in_words,
)
from raggate_action.report.page_cases import CaseChange, ListedCase, PageState
from raggate_action.schema.base import day_of
from raggate_action.schema.case_run import CaseRun, ListedRow
from raggate_action.schema.later import Comparison
from raggate_action.schema.outcome import GATES, GateName, StageName, Unmeasured
from raggate_action.schema.run import Run, StartedRun

# An app that fails says at the end what to do about it.
_WORDS = 1000
_TITLE = 120


class CaseList:
    """The list of the cases of a stored run, finished or not.

    Args:
        stored: The run.
        comparison: What it was compared with.
    """

    def __init__(self, stored: Run | StartedRun, comparison: Comparison | None) -> None:
        """Look once at what waivers, gates on the run and the comparison say of cases by name."""
        run, policy = stored if isinstance(stored, Run) else None, stored.policy
        self._waivers = Waivers(policy, decided_on=day_of(stored.started_at))
        self._waived = frozenset([waiver.case for waiver in policy.waivers])
        self._rules_tell = policy.gates.new_suspects.level != "off"
        self._counting = {} if run is None else counting_cases(run, comparison)
        self._base, self._gates = base_name(run) if run is not None else "", policy.gates
        self._advises = run is not None and run.panel is not None and run.panel.only_advises
        self._slices: dict[str, int] = {}
        self._changes: dict[str, CaseChange] = {}
        if comparison is not None:
            self._changes |= dict.fromkeys([each.case_id for each in comparison.states("fixed")], "fixed")
            self._changes |= dict.fromkeys(comparison.added.named, "new")
            self._changes |= dict.fromkeys(comparison.changed.named, "edited")
            self._changes |= dict.fromkeys(comparison.regressions, "regressed")

    @property
    def slices(self) -> tuple[str, ...]:
        """The slices of the cases so far, by their numbers."""
        return tuple(self._slices)

    def add(
        self, row: ListedRow, whole: Callable[[], CaseRun], number: int = 0, *, has_findings: bool = True
    ) -> ListedCase:
        """The next case.

        Args:
            row: Its row, or the few fields of it.
            whole: Gives the whole row; asked for where a waiver names the case, or a rule finds something.
            number: Its place in the run directory.
            has_findings: A rule may have found something.
        """
        state: PageState
        stage: StageName | None = row.first_failed_stage
        waived: frozenset[GateName] = frozenset()
        if row.kind == "known_bad":
            if stage is not None and stage == row.blocked_at:
                state, stage = "blocked", None
            else:
                left_open = unblocked_reason(whole(), self._gates, panel_advises=self._advises)
                state = "not-blocked" if left_open is None else "unmeasured"
        else:
            state = row.state
            standing = None
            if row.case_id in self._waived:
                standing = self._waivers.standing(whole())
                state, stage, waived = standing.state, standing.stage, frozenset(standing.waived)
            if row.case_id in self._counting:
                state, stage = "failed", None
            elif state == "passed" and has_findings:
                full = whole()
                known = known_as(full, standing or self._waivers.standing(full), rules_tell=self._rules_tell)
                state = "look" if known == "to_look_at" else state
        gate, why = self._why(row, whole, state, waived)
        numbers = [self._slices.setdefault(each, len(self._slices)) for each in row.slices]
        title = (row.name or row.question or row.case_id)[:_TITLE]
        change = self._changes.get(row.case_id, "")
        return ListedCase(
            row.case_id, title, state, stage, change, why[:_WORDS], gate, tuple(numbers), number, row.weight
        )

    def _why(
        self, row: ListedRow, whole: Callable[[], CaseRun], state: PageState, waived: frozenset[GateName]
    ) -> tuple[GateName | None, str]:
        """The gate that decides, and its words."""
        if state in {"passed", "blocked"}:
            return None, ""
        if row.case_id in self._counting:
            gates = self._counting[row.case_id].items()
            named = [(gate_name(gate), problem_in_words(each, self._base) if each else "") for gate, each in gates]
            return None, "; ".join([": ".join(filter(None, each)) for each in named])
        if state == "look":
            return None, next((finding.reason for _claim, finding in suspects_in(whole().claims)), "")
        if state == "not-blocked":
            return None, not_blocked(row)
        if row.kind == "known_bad" and not isinstance(row.outcomes.get("target"), Unmeasured):
            return None, f"only judges could tell whether it is blocked at {row.blocked_at}"
        if state == "flaky":
            return None, "it passed when it was asked again"
        kind = "unmeasured" if state == "unmeasured" else "failed"
        for gate in GATES:
            outcome = row.outcomes.get(gate)
            is_told = outcome is not None and outcome.kind == kind and gate in self._waivers.blocking
            if outcome is not None and is_told and (state == "waived" or gate not in waived):
                return gate, outcome_words(outcome, self._base or "baseline")[0]
        return None, row.error or ""
