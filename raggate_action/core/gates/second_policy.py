"""The baseline's policy as a second one: each answer judged by it, and the run counted and decided by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.case_changes import SuiteDemands, case_change
from raggate_action.core.comparison.demand_changes import BaselineCase, DemandChanges
from raggate_action.core.counting.case_state import case_state, first_failed_stage
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.decide import decide
from raggate_action.core.disclosure.withholding import ids_only, without_forbidden
from raggate_action.core.gates.case_demands import BaselineRules, case_with_demands, demands_before
from raggate_action.core.gates.diagnosis import Diagnosis, Drafted, Rulebook, draft, gate, keyless_outcomes
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.case_run import ByBaseline, ByRules, CaseRun, CaseState
from raggate_action.schema.chunk_permissions import HeldAgainst
from raggate_action.schema.comparison import CaseIds, Comparison
from raggate_action.schema.outcome import (
    GATES_OF_ALL,
    Failed,
    GateName,
    NotApplicable,
    Outcome,
    Problem,
    is_out_of_date,
)
from raggate_action.schema.policy import Gates, Waiver
from raggate_action.schema.policy_change import PolicyComparison
from raggate_action.schema.run import Policy, SuiteCase
from raggate_action.schema.slices import slice_names
from raggate_action.schema.trace import STAGES, Trace
from raggate_action.schema.verdicts import CheckIssues, Verdicts

if TYPE_CHECKING:
    pass

_NOT_JUDGED = NotApplicable(why="the baseline did not permit its evidence")
_JUDGED = ("outcomes", "hallucinations", "flagged", "score", "musts", "by_rules", "recalled")


def with_by_baseline(
    row: CaseRun, placed: PlacedCase, drafted: Drafted, verdicts: Verdicts, rules: Rulebook
) -> CaseRun:
    """The row, with how it comes out by the baseline's demands where they were more than the head's.

    Nothing is judged twice where case, permissions, how answers are read, the gates on single cases and the terms of
    judges are as they were.

    Args:
        row: The case as judged by the head's demands.
        placed: The case.
        drafted: Its answer, which may be judged.
        verdicts: On its claims, and what its custom check says.
        rules: What the run judges by.
    """
    baseline = rules.baseline
    if baseline is None or placed.case.known_bad:
        return row
    case, principals = _case_before(placed, row, baseline)
    relieved = case is not placed.case
    second: dict[str, Any] | None = None
    if (relieved or baseline.loosened) and (hidden := _hidden_chunks(drafted.traced.trace, principals, baseline)):
        second = _inadmissible(row, hidden)
    elif relieved or baseline.every_case or verdicts.by_baseline is not None:
        second = _second_outcomes(case, drafted, verdicts, rules, baseline, relieved=relieved)
        # A label that is out of date demands nothing any more.
        lapsed = [name for name, outcome in second["outcomes"].items() if is_out_of_date(outcome)]
        second["outcomes"] |= {name: row.outcomes[name] for name in lapsed}
    slices = None
    if placed.case.case_id not in baseline.cases:
        slices = slice_names(placed.case, baseline.slices_by)
        slices = slices if set(slices) != set(row.slices) else None
    if second is None and slices is None:
        return row
    differing = {} if second is None else _differing(row, second, placed.case, rules)
    judged = ByBaseline(**differing, slices=slices)
    if second is not None and not relieved and judged == ByBaseline():
        return row
    return row.model_copy(update={"by_baseline": judged})


def _case_before(placed: PlacedCase, row: CaseRun, baseline: BaselineRules) -> tuple[Case, tuple[str, ...]]:
    """The case with the baseline's demands if they were more, else as it is; and who asked it on the baseline."""
    case = placed.case
    before = demands_before(placed, baseline)
    if before is None or row.demands is None or before.released is False:
        return case, case.principals
    change = case_change(before, row.demands)
    if change.asks_otherwise:
        return case, case.principals
    if not change.reliefs or change.unknown:
        return case, before.principals or ()
    return case_with_demands(case, before), before.principals or ()


def _second_outcomes(
    case: Case, drafted: Drafted, verdicts: Verdicts, rules: Rulebook, baseline: BaselineRules, *, relieved: bool
) -> dict[str, Any]:
    """The fields of the row as the baseline's gates, terms of judges and reading have them."""
    if verdicts.by_baseline is not None:
        verdicts = verdicts.by_baseline.model_copy(update={"check": verdicts.check})
    then = rules._replace(gates=baseline.gates, reading=baseline.reading or rules.reading)
    if relieved or baseline.reading is not None:
        redrafted = draft(case, drafted.answered, then)
        if not isinstance(redrafted, Drafted):
            return _fields(redrafted, None)
        check = _check_of(case, drafted.case, verdicts.check)
        from raggate_action.core.judging.rescored_answer import rescored_verdicts

        drafted, verdicts = redrafted, rescored_verdicts(redrafted.claims, verdicts, check)
    found = gate(drafted, verdicts, then)
    claims = {} if baseline.reading is None else {"claims": found.claims}
    return _fields(found, keyless_outcomes(found, drafted, verdicts, then)) | claims


def _check_of(before: Case, now: Case, check: CheckIssues | None) -> CheckIssues | None:
    """The result of the baseline's custom check: a check that the head removed was not run."""
    if before.custom_check == now.custom_check:
        return check
    return None if before.custom_check is None else CheckIssues(error="it was taken out, so nobody asked it")


def _fields(found: Diagnosis, alone: ByRules | None) -> dict[str, Any]:
    behaved = found.behaviour
    return {
        "outcomes": found.outcomes,
        "hallucinations": found.hallucinations,
        "flagged": behaved.flagged if behaved else False,
        "score": behaved.score if behaved else None,
        "musts": behaved.musts if behaved else None,
        "by_rules": alone,
        "recalled": found.recalled,
    }


def _inadmissible(row: CaseRun, problems: tuple[Problem, ...]) -> dict[str, Any]:
    outcomes: dict[GateName, Outcome] = {"target": row.outcomes["target"], "admissibility": Failed(problems=problems)}
    outcomes |= dict.fromkeys((gate for gate in GATES_OF_ALL if gate not in outcomes), _NOT_JUDGED)
    nothing = {"hallucinations": (), "flagged": False, "score": None, "musts": None, "by_rules": None, "recalled": None}
    return {"outcomes": outcomes, **nothing}


def _hidden_chunks(trace: Trace, principals: Sequence[str], baseline: BaselineRules) -> tuple[Problem, ...]:
    """The traced chunks that these people could not read on the baseline."""
    where: dict[str, list[str]] = {}
    for stage in STAGES:
        for chunk_id in dict.fromkeys(trace.ids(stage) or ()):
            readers = baseline.readers.get(chunk_id)
            if readers is not None and readers.isdisjoint(principals):
                where.setdefault(chunk_id, []).append(stage)
    places = [f"{chunk_id} in {', '.join(seen)}" for chunk_id, seen in where.items()]
    return tuple([Problem(code="restricted-chunk", detail=place) for place in places])


def _differing(row: CaseRun, again: dict[str, Any], case: Case, rules: Rulebook) -> dict[str, Any]:
    """The fields that differ, as far as they may be written."""
    second = without_forbidden(row.model_copy(update=again), case, rules.restricted)
    second = ids_only(second) if rules.texts == "ids" else second
    outcomes = second.outcomes if second.outcomes != row.outcomes else None
    fields = ("hallucinations", "musts", "by_rules", "recalled", "claims")
    if outcomes is None and all(getattr(second, name) == getattr(row, name) for name in fields):
        return {}
    claims = {"claims": second.claims} if second.claims != row.claims else {}
    return {name: getattr(second, name) for name in _JUDGED} | {"outcomes": outcomes or row.outcomes} | claims


def row_by_baseline_policy(row: CaseRun, seen: BaselineCase, gates: Gates, *, judged_by_both: bool) -> CaseRun:
    """The row with the outcomes, the levels and the slices of the baseline.

    Args:
        row: The row, as the head judges it.
        seen: The row beside the baseline's case.
        gates: The baseline's levels and bars.
        judged_by_both: Second judgements in the row are this baseline's.
    """
    again = row.by_baseline if judged_by_both and not seen.excused else None
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
        # JudgedAnswer by what the baseline judged it by, so it is compared with how it came out there.
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
    {"waivers", "waiver", "weaker", "changed", "stricter", "renamed", "unjudged", "unjudged_settings",
     "unknown_permissions", "judges_changed", "checks"}
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


class SecondPolicy:
    """Counts a head's rows by the baseline's demands, where the head's may be weaker; else it costs next to nothing."""

    def __init__(
        self,
        baseline: BaselineIndex,
        head: SuiteDemands,
        cases: Callable[[], Iterable[SuiteCase]],
        counting: Callable[[Policy], Counting],
        *,
        held_against: HeldAgainst | None,
        decided_on: date,
    ) -> None:
        """Compare the two suites.

        Args:
            baseline: The baseline run.
            head: What the head demands.
            cases: Gives every case of the head's suite; asked twice.
            counting: Counts rows as a run's are counted, by a policy.
            held_against: See `DemandChanges`.
            decided_on: See `DemandChanges`.
        """
        self._cases = cases
        self._changes = DemandChanges(baseline, head, cases(), held_against=held_against, decided_on=decided_on)
        self._policy = policy_by_baseline(baseline.suite.policy, head.policy)
        self._count: Counting | None = None
        self._carried: tuple[CaseRun, ...] | None = None
        self._failing: set[str] = set()
        if self._changes.may_matter:
            self._count = counting(self._policy)

    def cases_to_ask(self) -> list[str]:
        """See `DemandChanges.cases_to_ask`; once every row is in."""
        return self._changes.cases_to_ask()

    def add_answers(self, rows: Iterable[CaseRun]) -> None:
        """Rows of cases that were taken out of the suite, as the app answers them today."""
        self._changes.add_answers(rows)

    def add(self, row: CaseRun) -> None:
        """One more case."""
        seen = self._changes.add(row)
        if self._count is not None:
            if row.state == "failed":
                self._failing.add(row.case_id)
            judged = self._changes.judged_by_both
            self._count.add(row_by_baseline_policy(row, seen, self._policy.gates, judged_by_both=judged))

    def result(self) -> PolicyComparison | None:
        """What demands less or more, and what is decided by the baseline's demands; None where nothing differs."""
        found = self._changes.result()
        if found.weakenings and self._count is not None:
            found = self._decided(found, self._count)
        return found if any(getattr(found, name) for name in _SAID) else None

    def without_renamed(self, comparison: Comparison) -> Comparison:
        """The comparison without renamed cases, which are not removed."""
        renamed = self._changes.renamed
        if not renamed:
            return comparison
        removed = comparison.removed
        gone = tuple([case_id for case_id in removed.named if case_id not in renamed])
        return comparison.model_copy(update={"removed": CaseIds(cases=removed.cases - len(renamed), named=gone)})

    def _decided(self, found: PolicyComparison, count: Counting) -> PolicyComparison:
        if self._carried is None:
            self._carried = tuple(self._changes.carried())
            for row in self._carried:
                count.add(row)
        facts, comparison = count.counted(_with_carried(self._cases(), self._carried))
        if comparison is not None:
            comparison = self.without_renamed(comparison)
        decided = decide(facts, policy=self._policy, comparison=comparison)
        blocking = [gate for gate in decided.gates if gate.level == "block" and gate.status in {"failed", "unmeasured"}]
        # Those carried over have no answer of this run.
        gone = {row.case_id for row in self._carried}
        failing = [row for row in facts.listed.failing if row.case_id not in {*gone, *self._failing}]
        red = [part for part in decided.slices if part.status == "failed"]
        return found.model_copy(
            update={
                "decision": decided.decision.kind,
                "blocking": tuple([gate.model_copy(update={"offenders": gate.offenders[:1]}) for gate in blocking]),
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
