"""Small pictures of rows and runs, so that a test shows only what it is about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from raggate_action.core.comparison.baseline_index import BaselineIndex, past_cases
from raggate_action.core.comparison.comparer import Comparer
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.counting.tally import Tally
from raggate_action.core.decision.decide import Decided, decide
from raggate_action.core.decision.release_report import release_report
from raggate_action.report.decision_words import reason_in_words
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import Ask, CaseRun, Claim, Hallucination
from raggate_action.schema.change import Move
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.outcome import GATES, Failed, GateName, Outcome, Passed, Problem, RunGateName, Unmeasured
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy, Provenance, Run
from raggate_action.schema.summary import ReleaseNames

TODAY = date(2026, 6, 2)
DECIDED_AT = "2026-06-02T12:00:00+00:00"


def make_policy(**fields: Any) -> Policy:
    """A policy as a suite would write it in JSON; everything else at its default."""
    return Policy.model_validate_json(json.dumps(fields))


def waiver(case: str, gate: str, expires: str = "2026-12-31") -> dict[str, str]:
    return {"case": case, "gate": gate, "reason": "known", "owner": "@team", "expires": expires}


def failed(code: str = "broken", detail: str = "why", share: tuple[int, int] | None = None) -> Failed:
    return Failed(problems=(Problem(code=code, detail=detail),), share=rate(share))


def passed(share: tuple[int, int] | None = None) -> Passed:
    return Passed(share=rate(share))


def unmeasured(reason: str = "trace") -> Unmeasured:
    return Unmeasured.model_validate({"reason": reason, "detail": "nothing to read"})


def rate(share: tuple[int, int] | None) -> Rate | None:
    return None if share is None else Rate(hits=share[0], total=share[1])


def phrase(text: str = "free dessert") -> Hallucination:
    return Hallucination(kind="phrase", key=f"phrase:{text}", text=text)


def false_claim(text: str = "It is vegan.") -> Hallucination:
    return Hallucination(kind="claim", key=f"claim:{text}", text=text, chunk_id="c1", quote="with butter")


def suspicious(position: int, kind: str, *, sharp: bool = False, advisory: bool = False, **fields: Any) -> CaseRun:
    """A passing case with one suspect claim."""
    finding = {
        "kind": kind,
        "code": "number",
        "reason": "20 is in no chunk",
        "key": f"{kind}-{position}",
        "sharp": sharp,
        "advisory": advisory,
    }
    claim = {"claim_id": "claim-1", "text": "It costs 20.", "findings": [finding]}
    return make_row(position, claims=(Claim.model_validate_json(json.dumps(claim)),), **fields)


def make_row(position: int = 0, policy: Policy | None = None, **fields: Any) -> CaseRun:
    """A case that the target answered and that passed, but for `outcomes`; state and stage follow from them."""
    given: Mapping[GateName, Outcome] = fields.pop("outcomes", {})
    outcomes: dict[GateName, Outcome] = {"target": Passed(), "admissibility": Passed(), **given}
    derived = _derived(outcomes, (policy or Policy()).gates)
    place = {"case_id": f"q{position}", "digest": f"digest-{position}", "file": "cases.yaml", "line": position + 1}
    return CaseRun(**{**place, "position": position, "question": "?", "outcomes": outcomes, **derived, **fields})


def _derived(outcomes: Mapping[GateName, Outcome], gates: Gates) -> dict[str, Any]:
    """State and first failed stage by rules 1, waivers aside."""
    blocking = [outcome for gate, outcome in outcomes.items() if gates.of(gate).level == "block"]
    stages = [GATES[gate] for gate in GATES if isinstance(outcomes.get(gate), Failed) and outcomes[gate] in blocking]
    open_questions = [o for o in blocking if isinstance(o, Unmeasured) and o.reason != "no-adjudicator"]
    state = "failed" if stages else "unmeasured" if open_questions else "passed"
    return {"state": state, "first_failed_stage": stages[0] if stages else None}


def flaky(position: int = 0, *, first: Mapping[GateName, Outcome] | None = None, **fields: Any) -> CaseRun:
    """A case whose first answer failed (`first`, else for want of an answer) and whose second one passed."""
    faults: Mapping[GateName, Outcome] = first or {"answered": failed("declined")}
    outcomes: dict[GateName, Outcome] = {"target": Passed(), "admissibility": Passed(), **faults}
    stage = _derived(outcomes, Policy().gates)["first_failed_stage"]
    return make_row(position, state="flaky", asks=(Ask(outcomes=outcomes, first_failed_stage=stage),), **fields)


def known_bad(position: int, *, blocked: bool) -> CaseRun:
    """A known-bad case that should fail first at admissibility, and does or does not."""
    outcomes = {"admissibility": failed()} if blocked else {}
    return make_row(position, kind="known_bad", blocked_at="admissibility", outcomes=outcomes)


def count(rows: Iterable[CaseRun], policy: Policy | None = None) -> Facts:
    tally = Tally(policy or Policy(), decided_on=TODAY)
    for row in rows:
        tally.add(row)
    return tally.facts()


def make_run(rows: Sequence[CaseRun], policy: Policy | None = None, *, not_in_scope: Sequence[str] = ()) -> Run:
    """A finished run of these rows; `not_in_scope` are cases of the suite that it left out."""
    policy = policy or Policy()
    facts = count(rows, policy)
    decided = decide(facts, policy=policy, comparison=None)
    digests: dict[str, Any] = dict.fromkeys(("suite_digest", "cases_digest", "target_digest"), "0")
    listed = [(row.case_id, row.digest, True) for row in sorted(rows, key=lambda row: row.position)]
    return Run(
        suite="menu",
        suite_file="raggate.yaml",
        scope="full",
        started_at=DECIDED_AT,
        decided_at=DECIDED_AT,
        as_of=DECIDED_AT,
        provenance=Provenance(raggate_version="0", evidence_digest=None, git_sha="abc", **digests),
        policy=policy,
        counts=facts.counts,
        gate_counts=facts.gate_counts,
        gates=decided.gates,
        slices=decided.slices,
        stages=facts.stages,
        pipeline_versions=facts.pipeline_versions,
        summary=facts.summary,
        release_report=release_report(facts, decided, ReleaseNames()),
        decision=decided.decision,
        suite_size=len(listed) + len(not_in_scope),
        in_scope=len(listed),
        suite_cases=(*listed, *((case_id, f"digest-{case_id[1:]}", False) for case_id in not_in_scope)),
    )


def index(rows: Sequence[CaseRun], policy: Policy | None = None, *, not_in_scope: Sequence[str] = ()) -> BaselineIndex:
    return index_run(make_run(rows, policy, not_in_scope=not_in_scope), rows)


def index_run(run: Run, rows: Sequence[CaseRun]) -> BaselineIndex:
    """A run that was counted from these rows, indexed."""
    return BaselineIndex(run, run, past_cases(run.suite_cases, rows, run.policy, decided_on=TODAY))


def compare(head: Sequence[CaseRun], base: Sequence[CaseRun], policy: Policy | None = None) -> Comparison:
    """Head against baseline, both as whole suites under one policy."""
    comparer = Comparer(index(base, policy), policy or Policy(), decided_on=TODAY)
    for row in head:
        comparer.add(row)
    cases = [(row.case_id, row.digest, True) for row in sorted(head, key=lambda row: row.position)]
    return comparer.comparison(cases, count(head, policy))


def judge(rows: Sequence[CaseRun], policy: Policy | None = None, *, base: Sequence[CaseRun] | None = None) -> Decided:
    """The decision on these rows, against a baseline's rows where given."""
    comparison = None if base is None else compare(rows, base, policy)
    return decide(count(rows, policy), policy=policy or Policy(), comparison=comparison)


def in_words(decided: Decided | Run) -> tuple[str, ...]:
    """The reasons of a decision as a terminal shows them."""
    from tests.golden.builders import make_origin, make_reporting

    run = (
        make_reporting((), decided.decision, gates=decided.gates, origin=make_origin()).run
        if isinstance(decided, Decided)
        else decided
    )
    return tuple(reason_in_words(reason, run) for reason in decided.decision.reasons)


def named(comparison: Comparison, gate: RunGateName, move: Move = "new") -> tuple[str, ...]:
    """The cases that a gate names for what moved so."""
    return tuple(each.case_id for each in comparison.found(gate, move))


def gates_by_name(decided: Decided) -> dict[str, tuple[str, str]]:
    """Status and level of every gate on the run."""
    return {gate.gate: (gate.status, gate.level) for gate in decided.gates}
