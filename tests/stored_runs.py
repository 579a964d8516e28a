"""Small pictures of what a run directory holds: a header, rows, traces and a whole run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

from raggate_action.run_store.work_file import WORK, WorkFile
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.counts import Counts
from raggate_action.schema.decision import Bar, Decision, RunGate
from raggate_action.schema.outcome import Failed, Passed, Problem
from raggate_action.schema.run import Policy, Provenance, Run, StartedRun, SuiteCase
from raggate_action.schema.summary import ReleaseReport, Summary
from raggate_action.schema.trace import Trace

BAR = Bar(operator=">=", amount=Decimal("0.95"), unit="share")
MORNING = "2026-06-02T09:00:00Z"
EVENING = "2026-06-02T18:00:00Z"


def make_started(*, provenance: dict[str, Any] | None = None, **fields: Any) -> StartedRun:
    digests = {"suite_digest": "suite", "cases_digest": "cases", "evidence_digest": "store", "target_digest": "app"}
    origin = Provenance(**{"raggate_version": "0.1.0", **digests, **(provenance or {})})
    given = {"suite": "demo", "suite_file": "raggate.yaml", "scope": "full", "started_at": MORNING, "as_of": MORNING}
    return StartedRun(**{**given, "provenance": origin, "policy": Policy(), **fields})


def make_row(position: int, **fields: Any) -> CaseRun:
    """Row number `position`: case `case-<position>`, passed, one claim, one failed gate that only warns."""
    given: dict[str, Any] = {
        "case_id": f"case-{position}",
        "position": position,
        "digest": f"digest-{position}",
        "file": "cases.yaml",
        "line": position + 1,
        "question": "What holds?",
        "state": "passed",
        "outcomes": {
            "faithfulness": Passed(share=Rate(hits=1, total=1)),
            "citation_coverage": Failed(problems=(Problem(code="uncited", detail="claim 2"),)),
        },
        "claims": (Claim(claim_id="1", text=f"Answer {position}.", citations=("c1",), verdict="supported"),),
        "score": 1.0,
        "answer": f"Answer {position}. [c1]",
        "answer_length": 14,
        "answer_digest": "digest-of-answer",
        "finished_at": MORNING,
    }
    return CaseRun(**{**given, **fields})


def make_run(**fields: Any) -> Run:
    """A whole run that releases; its rows are not looked at."""
    started = make_started()
    given: dict[str, Any] = {
        **{name: getattr(started, name) for name in ("suite", "suite_file", "scope", "started_at", "as_of")},
        "decided_at": EVENING,
        "provenance": started.provenance,
        "policy": Policy(),
        "counts": Counts(cases=2, passed=2),
        "gate_counts": {},
        "gates": (RunGate(gate="answered", level="block", status="passed", passed=2, scored=2, bar=BAR),),
        "slices": (),
        "stages": (),
        "pipeline_versions": (),
        "summary": Summary(
            cases=2,
            passed=2,
            failed=0,
            mean_score=1.0,
            mean_latency_ms=None,
            p50_latency_ms=None,
            p95_latency_ms=None,
            hallucination_rate=0.0,
            flag_rate=0.0,
            tool_use=None,
        ),
        "release_report": ReleaseReport(
            service_version="unknown", source_traces=(), required_policy_versions=(), checks={}
        ),
        "decision": Decision(kind="release", reasons=()),
        "suite_size": 2,
        "in_scope": 2,
    }
    return Run(**{**given, **fields})


def suite_cases(count: int) -> list[SuiteCase]:
    return [(f"case-{position}", f"digest-{position}", True) for position in range(count)]


def answer_of(position: int) -> Trace:
    """The trace behind `make_row(position)`."""
    return Trace(
        case_id=f"case-{position}", answer=f"Answer {position}. [c1]", context=("c1",), latency_ms=float(position)
    )


def in_work_file(place: Path, statement: str) -> list[Any]:
    """What the work file of a run holds, whether or not the run goes on; nothing while there is none."""
    file = place / WORK
    if not file.exists():
        return []
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        has_tables = database.execute("SELECT 1 FROM sqlite_master").fetchone()
        return database.execute(statement).fetchall() if has_tables else []


def leave_rows(place: Path, lines: Iterable[bytes]) -> None:
    """The work file as a kill leaves it when these rows were finished."""
    with closing(WorkFile.at(place)) as work:
        for line in lines:
            work.add_case(json.loads(line)["position"], line, None)


def finished_cases(place: Path) -> int:
    """How many cases have their row by now."""
    return len(in_work_file(place, "SELECT position FROM cases"))
