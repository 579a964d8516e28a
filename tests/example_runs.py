"""The recorded examples run within this process, by a core of which a rule may be off."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from raggate_action.run import fault_check
from raggate_action.run.fault_check import MUST_BE_CAUGHT, FaultReport
from raggate_action.run.run_session import rulebook
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.run import Policy
from raggate_action.schema.trace import Answered, Trace
from raggate_action.schema.verdicts import CheckIssues
from raggate_action.suite_files import LoadedSuite, load_suite
from tests.example_files import DEPLOY_POLICY, EXAMPLES, read_traces
from tests.rule_switches import Core

HELPDESK = EXAMPLES / "helpdesk"
DAY = date(2026, 6, 2)
AS_OF = parse_moment("2026-06-02T12:00:00Z")


class ExampleRun(NamedTuple):
    """What came of an example: what was decided, and the two checks that watch the gates."""

    decision: DecisionKind
    known_bad_blocked: bool
    faults: FaultReport

    @property
    def has_hole(self) -> bool:
        """A fault got through that must not."""
        caught, made = self.faults.counts(*MUST_BE_CAUGHT)
        return caught < made


@cache
def suite_of(folder: Path) -> LoadedSuite:
    return load_suite(folder / "raggate.yaml", environment={})


@cache
def traces_of(folder: Path) -> dict[str | None, Trace]:
    return read_traces(folder)


@cache
def checks_of(folder: Path) -> ModuleType:
    return module_at(folder / "checks.py", f"checks_of_{folder.name}")


def module_at(path: Path, name: str) -> ModuleType:
    """A module anew, by whatever its imports find now."""
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_example(core: Core, folder: Path) -> ExampleRun:
    """Judge, test and decide an example by this core."""
    loaded = suite_of(folder)
    rules = rulebook(loaded, AS_OF)._replace(
        restricted=core["disclosure.restricted_text"].RestrictedText(loaded.evidence)
    )
    policy = Policy(gates=loaded.suite.gates, slices=loaded.suite.slices)
    tally = core["counting.tally"].Tally(policy, decided_on=DAY)
    check = module_at(Path(str(fault_check.__file__)), "raggate_fault_check_anew").FaultCheck(rules, seed=0)
    for placed in loaded.cases:
        case = placed.case
        trace = case.trace or traces_of(folder)[case.case_id]
        answered = Answered(trace, labelled=True)
        evaluate = core["gates.case_row"].evaluate_reply
        evaluated = evaluate(placed, answered, rules, custom=issues_of(case, trace, folder), finished_at="")
        tally.add(evaluated.row)
        check.offer(evaluated)
    facts = tally.facts()
    decided = core["decision.decide"].decide(facts, policy=policy, comparison=None)
    blocked: int = facts.counts.known_bad_blocked
    return ExampleRun(decided.decision.kind, blocked == facts.counts.known_bad, check.report())


def issues_of(case: Case, trace: Trace, folder: Path) -> CheckIssues | None:
    """What the example's own check says, asked here and not in a process of its own."""
    if case.custom_check is None:
        return None
    function: Any = getattr(checks_of(folder), case.custom_check.partition(":")[2])
    return CheckIssues(issues=tuple(function(case.model_dump(mode="json"), trace.model_dump(mode="json"))))


def turns_red(core: Core) -> list[str]:
    """What of the examples shows that a rule is off: a known-bad case, a hole, or another decision."""
    found = []
    for folder, decision in ((HELPDESK, "release"), (DEPLOY_POLICY, "block")):
        run = run_example(core, folder)
        found += [f"{folder.name}: a known-bad case got through"] if not run.known_bad_blocked else []
        found += [f"{folder.name}: a fault got through"] if run.has_hole else []
        found += [f"{folder.name}: {run.decision}"] if run.decision != decision else []
    return found
