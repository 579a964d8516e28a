"""Deciding twice: the head's rows by the head's demands, and by the baseline's where those were more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.demand_changes import DemandChanges, HeadSuite, Seen
from raggate_action.core.counting.row_state import case_state, first_failed_stage
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.decide import decide
from raggate_action.schema.ab_run import RunAb
from raggate_action.schema.case_run import CaseRun, CaseState
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.decision import RunGate
from raggate_action.schema.outcome import Failed
from raggate_action.schema.policy import Gates, Waiver
from raggate_action.schema.policy_change import PolicyComparison
from raggate_action.schema.run import Policy, SuiteCase
from raggate_action.schema.self_test import SelfTest


def counted_by_baseline(row: CaseRun, seen: Seen, gates: Gates, *, judged_beside: bool) -> CaseRun:
    """The row with the outcomes, the levels and the slices of the baseline.

    Args:
        row: The row, as the head judges it.
        seen: The row beside the baseline's case.
        gates: The baseline's levels and bars.
        judged_beside: Second judgements in the row are this baseline's.
    """
    again = row.by_baseline if judged_beside and not seen.excused else None
    changed: dict[str, Any] = {}
    if again is not None and again.outcomes is not None:
        changed = {
            "outcomes": again.outcomes,
            "hallucinations": again.hallucinations or (),
            "flagged": bool(again.flagged),
            "score": again.score,
            "musts": again.musts,
            "by_rules": again.by_rules,
            "recalled": again.recalled,
        }
        if again.claims is not None:
            changed["claims"] = again.claims
        if isinstance(again.outcomes.get("admissibility"), Failed):
            changed["claims"] = ()
    if seen.past is not None and seen.past.demanded is not None:
        changed["slices"] = seen.past.demanded.slices
    elif again is not None and again.slices is not None:
        changed["slices"] = again.slices
    if seen.before is not None and seen.past is not None and not seen.excused:
        # Judged by what the baseline judged it by, so it is compared with how it came out there.
        changed["digest"] = seen.past.digest
        changed["kind"] = "must_release" if seen.before.released else "ordinary"
    outcomes = changed.get("outcomes", row.outcomes)
    stage = first_failed_stage(outcomes, gates)
    state: CaseState = case_state(outcomes, stage, gates)
    if row.state == "flaky" and state == "passed":
        # Another of its answers did not.
        state = "flaky"
    if (state, stage) != (row.state, row.first_failed_stage):
        changed |= {"state": state, "first_failed_stage": stage}
    return row.model_copy(update=changed) if changed else row


_SAID = frozenset(
    {"waivers", "waiver", "weaker", "changed", "stricter", "updates", "renamed", "unjudged", "unjudged_settings",
     "unknown_permissions", "judges_changed", "judges_out", "checks"}
)  # fmt: skip

# Cases that fail by the baseline's policy alone, named.
_NAMED = 20


class Counting(Protocol):
    """Counts the rows of a run, and holds them against its baseline."""

    def add(self, row: CaseRun) -> None:
        """One more case."""
        ...

    def counted(self, suite_cases: Iterable[SuiteCase]) -> tuple[Facts, Comparison | None]:
        """What was counted, and what moved against the baseline."""
        ...


class Twice:
    """Counts a head's rows by the baseline's demands, where the head's may be weaker; else it costs next to nothing."""

    def __init__(
        self,
        baseline: BaselineIndex,
        head: HeadSuite,
        cases: Callable[[], Iterable[SuiteCase]],
        counting: Callable[[Policy], Counting],
    ) -> None:
        """Hold the two suites beside each other.

        Args:
            baseline: The baseline run.
            head: What the head demands.
            cases: Gives every case of the head's suite; asked twice.
            counting: Counts rows as a run's are counted, by a policy.
        """
        self._cases = cases
        self._changes = DemandChanges(baseline, head, cases())
        self._policy = policy_by_baseline(baseline.suite.policy, head.policy)
        self._count: Counting | None = None
        self._carried: tuple[CaseRun, ...] | None = None
        self._failing: set[str] = set()
        if self._changes.may_matter:
            self._count = counting(self._policy)

    def to_ask(self) -> list[str]:
        """See `DemandChanges.to_ask`; once every row is in."""
        return self._changes.to_ask()

    def asked(self, rows: Iterable[CaseRun]) -> None:
        """Rows of cases that were taken out of the suite, as the app answers them today."""
        self._changes.asked(rows)

    def add(self, row: CaseRun) -> None:
        """One more case."""
        seen = self._changes.add(row)
        if self._count is not None:
            if row.state == "failed":
                self._failing.add(row.case_id)
            beside = self._changes.judged_beside
            self._count.add(counted_by_baseline(row, seen, self._policy.gates, judged_beside=beside))

    def result(self, self_test: SelfTest | None, ab: RunAb | None = None) -> PolicyComparison | None:
        """What demands less or more, and what is decided by the baseline's demands; None where nothing differs."""
        found = self._changes.found()
        if found.weakenings and self._count is not None:
            found = self._decided(found, self._count, self_test, ab)
        return found if any(getattr(found, name) for name in _SAID) else None

    def without_renamed(self, comparison: Comparison) -> Comparison:
        """The comparison without the cases that are only called otherwise now: those are not gone."""
        renamed = self._changes.renamed
        if not renamed:
            return comparison
        gone = tuple([case_id for case_id in comparison.removed if case_id not in renamed])
        hidden = comparison.not_listed.removed - (len(renamed) - (len(comparison.removed) - len(gone)))
        not_listed = comparison.not_listed.model_copy(update={"removed": hidden})
        return comparison.model_copy(update={"removed": gone, "not_listed": not_listed})

    def _decided(
        self, found: PolicyComparison, count: Counting, self_test: SelfTest | None, ab: RunAb | None
    ) -> PolicyComparison:
        if self._carried is None:
            self._carried = tuple(self._changes.carried())
            for row in self._carried:
                count.add(row)
        facts, comparison = count.counted(_with_carried(self._cases(), self._carried))
        if comparison is not None:
            comparison = self.without_renamed(comparison)
        decided = decide(facts, policy=self._policy, comparison=comparison, self_test=self_test, ab=ab)
        blocking = [gate for gate in decided.gates if gate.level == "block" and gate.status in {"failed", "unmeasured"}]
        # Those carried over have no answer of this run.
        gone = {row.case_id for row in self._carried}
        failing = [row for row in facts.listed.failing if row.case_id not in {*gone, *self._failing}]
        red = [part for part in decided.slices if part.status == "failed"]
        return found.model_copy(
            update={
                "decision": decided.decision.kind,
                "blocking": tuple([_first_offender(gate) for gate in blocking]),
                "failing": tuple(failing[:_NAMED]),
                "red_slices": tuple(red),
            }
        )


def policy_by_baseline(before: Policy, after: Policy) -> Policy:
    """The baseline's policy with the head's waivers, which count in both decisions."""
    return before.model_copy(update={"waivers": _all_waivers(before.waivers, after.waivers)})


def _all_waivers(before: tuple[Waiver, ...], after: tuple[Waiver, ...]) -> tuple[Waiver, ...]:
    named = {(waiver.case, waiver.gate, waiver.hallucination) for waiver in after}
    left = [each for each in before if (each.case, each.gate, each.hallucination) not in named]
    return (*after, *left)


def _with_carried(cases: Iterable[SuiteCase], carried: Iterable[CaseRun]) -> Iterator[SuiteCase]:
    """The suite's cases, and those carried over, which are then none that were taken out."""
    again = {row.case_id: row for row in carried}
    for case_id, digest, in_scope in cases:
        row = again.pop(case_id, None)
        yield case_id, row.digest if row is not None else digest, in_scope
    for row in again.values():
        yield row.case_id, row.digest, True


def _first_offender(gate: RunGate) -> RunGate:
    return gate.model_copy(update={"offenders": gate.offenders[:1]})
