"""Examples of a suite that demands less than its baseline's, for turning off each rule that notices it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import ByBaseline, CaseRun
from raggate_action.schema.chunk_permissions import HeldAgainst
from raggate_action.schema.demands import Demands
from raggate_action.schema.run import Policy, SuiteCase
from raggate_action.schema.trace import Answered
from raggate_action.schema.verdicts import CheckIssues
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace
from tests.row_builders import TODAY, failed, make_policy, make_row, make_run, passed

Core = dict[str, ModuleType]
Example = Callable[[Core], Any]
FAILS: dict[str, Any] = {"outcomes": {"behaviour": failed("phrase-missing")}}
PASSES: dict[str, Any] = {"outcomes": {"behaviour": passed()}}
HELD = "held"


def demanding(position: int, phrases: Sequence[str], asked: str = "a", **fields: Any) -> CaseRun:
    """A row of a case that demands these phrases; its digest follows from them."""
    demands = Demands(asked=asked, must_contain=tuple(phrases) or None, **fields.pop("demands", {}))
    digest = f"{position}-{asked}-{phrases}"
    return make_row(position, demands=demands, digest=digest, **fields)


RELIEVED = demanding(0, (), by_baseline=ByBaseline(**FAILS))
ASKED = demanding(0, ("x",), **PASSES)


class _Counting:
    """Counts rows by the modules of an example."""

    def __init__(self, core: Core, policy: Policy, index: Any) -> None:
        self._tally = core["counting.tally"].Tally(policy, decided_on=TODAY)
        self._comparer = core["comparison.comparer"].Comparer(index, policy, decided_on=TODAY)

    def add(self, row: CaseRun) -> None:
        self._tally.add(row)
        self._comparer.add(row)

    def counted(self, suite_cases: Iterable[SuiteCase]) -> Any:
        facts = self._tally.facts()
        return facts, self._comparer.comparison(suite_cases, facts)


def weakened(
    *rows: CaseRun,
    base: Sequence[CaseRun],
    before: dict[str, Any] | None = None,
    judged: bool = True,
    removed: Sequence[CaseRun] = (),
    checks: tuple[dict[str, str], dict[str, str]] = ({}, {}),
    **policy: Any,
) -> Example:
    """What is decided on rows of a suite that demands something else than its baseline's.

    `removed` are rows of cases that it no longer has, as the app answers them today; `checks` the files of checks.
    """

    def decision(core: Core) -> Any:
        run = make_run(base, make_policy(**(before or {})))
        module = core["comparison.baseline_index"]
        index = module.index_baseline(run, module.past_cases(run.suite_cases, base, run.policy, decided_on=TODAY))
        index = index._replace(suite=index.suite._replace(checks=checks[0]))
        by = make_policy(**policy)
        cases = [(row.case_id, row.digest, True) for row in rows]
        held = HeldAgainst(standard=index.suite.standard if judged else "another")
        head = core["comparison.case_changes"].SuiteDemands(by, "", None, None, None, checks[1])
        twice = core["gates.second_policy"].SecondPolicy(
            index,
            head,
            lambda: cases,
            lambda policy: _Counting(core, policy, index),
            held_against=held,
            decided_on=TODAY,
        )
        tally = core["counting.tally"].Tally(by, decided_on=TODAY)
        comparer = core["comparison.comparer"].Comparer(index, by, decided_on=TODAY)
        for row in rows:
            for each in (tally, comparer, twice):
                each.add(row)
        twice.add_answers(removed)
        found = twice.result(None)
        comparison = twice.without_renamed(comparer.comparison(cases, tally.facts()))
        comparison = comparison.model_copy(update={"policy": found})
        done = core["decision.decide"].decide(tally.facts(), policy=by, comparison=comparison)
        gates = [gate.model_dump() for gate in done.gates]
        return gates, done.decision.model_dump(), None if found is None else found.model_dump()

    return decision


STORE = make_store(make_chunk("c1", "Tea is hot and strong."), make_chunk("c2", "It is cold.", permitted=False))
OPENED = make_store(make_chunk("c1", "Tea is hot and strong."), make_chunk("c2", "It is cold."))


def judged_twice(
    before: dict[str, Any], now: dict[str, Any], *, gates: Any = None, gates_before: Any = None, **changed: Any
) -> Example:
    """The row of a case by what it demands now, held against a baseline on which it demanded something else."""

    def row(core: Core) -> Any:
        trace = make_trace(answer="Tea is hot and strong.", **{"context": ["c1"], **changed.get("trace", {})})

        def judge(fields: dict[str, Any], rules: Any, custom: CheckIssues | None = None) -> CaseRun:
            case = make_case(**fields)
            placed = PlacedCase(case, 0, case_digest(case), "f", 1)
            fresh = rules._replace(restricted=core["disclosure.restricted_text"].RestrictedText(rules.store))
            done = core["gates.case_row"].evaluate_reply(placed, Answered(trace), fresh, custom=custom, finished_at="")
            kept: CaseRun = done.row
            return kept

        first = judge(before, make_rules(STORE, gates=gates_before))
        module = core["comparison.baseline_index"]
        cases = module.past_cases([(first.case_id, first.digest, True)], [first], make_policy(), decided_on=TODAY)
        rules = make_rules(changed.get("store", STORE), gates=gates)
        beside = core["gates.case_demands"].BaselineRules(
            cases=cases,
            gates=make_rules(gates=gates_before).gates,
            slices_by=("workflow",),
            every_case=changed.get("every_case", False),
            readers={"c2": frozenset()},
            loosened="store" in changed,
        )
        return judge({**before, **now}, rules._replace(baseline=beside), changed.get("custom")).model_dump(mode="json")

    return row
