"""A run in which every string a stranger can write says something else than it should."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

from raggate_action.report.page_sections import Reporting
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import CaseRun, Claim, Finding, Hallucination
from raggate_action.schema.change import Change, Move
from raggate_action.schema.comparison import (
    BaselineAmounts,
    CaseIds,
    Comparison,
    GateDelta,
    VersionChange,
)
from raggate_action.schema.counts import Counts, PipelineVersion, SliceResult, StageCount
from raggate_action.schema.decision import Bar, Cause, Decision, RunGate
from raggate_action.schema.listed_cases import Listed
from raggate_action.schema.origin import BaselineNote, Origin
from raggate_action.schema.outcome import Failed, Problem, Unmeasured
from raggate_action.schema.policy import Texts
from raggate_action.schema.run import Policy, Provenance, Run
from raggate_action.schema.summary import ReleaseReport, Summary, ToolCount
from raggate_action.schema.waived import WaivedFailure, Waiver
from tests.golden.builders import counted, first, moved

Say = Callable[[], str]

# No text: a record takes nothing but a moment here.
WHEN = "2026-06-02T09:00:00Z"

ATTACKS = (
    "::set-output name=decision::release",
    "\r::add-mask::a",
    "##[error]x",
    "EOF",
    "ghadelimiter_7d0c",
    "<!-- raggate:v1 suite=menu -->",
    "| a | b |\n| --- | --- |\n| c | d |",
    "ask @org/team and @octocat, see #1, GH-2 and owner/repo#3",
    "![x](http://evil.test/p.png) [here](https://evil.test) www.evil.test <https://evil.test>",
    "`" * 10,
    "a ` b `` c ``` d",
    "</details></summary><script>alert(1)</script><details open>",
    "&lt;b&gt; &#64;team &amp;",
    "# heading\n\n- item\n\n1. item\n\n> quote\n\n---\n\n```sh\nrm -rf /\n```",
    "deadbeefcafe 0123456789abcdef0123456789abcdef01234567",
    "left\u202eright\u202c \u2066x\u2069 zero\u200bwidth @\u200bteam",
    "\x1b[31mred\x1b[0m \x9b2J bell\x07 nul\x00 lone \ud800 line\u2028sep",
    "x" * 5_000,
    "答え" * 400,
    "👩‍🔬🏳️‍🌈" * 120,
    ":tada: $x^2$ $$y$$ *b* _e_ ~~s~~ \\`x\\` [^1]",
    "{{ view.marker }} {% include 'x' %}",
    "' ; rm -rf / ; '",
    "--out=/etc",
)


def repeated(texts: tuple[str, ...] = ATTACKS) -> Say:
    """A different text each time, round and round."""
    state = iter(range(1_000_000))
    return lambda: texts[next(state) % len(texts)]


def hostile_row(position: int, say: Say, **fields: Any) -> CaseRun:
    found = [
        Hallucination(kind=kind, key=say(), text=say(), chunk_id=say(), quote=say())
        for kind in ("claim", "phrase", "answered")
    ]
    claim = Claim(
        claim_id=say(),
        text=say(),
        quote=say(),
        note=say(),
        findings=(Finding(kind="absent", code=say(), reason=say()),),
    )
    given: dict[str, Any] = {
        "case_id": say(),
        "position": position,
        "digest": say(),
        "name": say(),
        "file": say(),
        "line": 1,
        "question": say(),
        "slices": (say(),),
        "state": "failed",
        "first_failed_stage": "answer faithfulness",
        "outcomes": {
            "target": Failed(problems=(Problem(code=say(), detail=say()),)),
            "admissibility": Unmeasured(reason="trace", detail=say()),
            "faithfulness": Failed(problems=(Problem(code=say(), detail=say()), Problem(code=say(), detail=say()))),
        },
        "claims": (claim,),
        "hallucinations": tuple(found),
        "issues": (say(), say()),
        "answer": say(),
        "error": say(),
    }
    return CaseRun(**{**given, **fields})


def hostile(say: Say, *, rows: int = 3, compared: bool = True, texts: Texts = "quotes") -> Reporting:
    """A blocked run of `rows` cases per list, every string from `say`."""
    failing = tuple(hostile_row(number, say) for number in range(rows))
    unmeasured = tuple(hostile_row(number, say, state="unmeasured") for number in range(rows))
    bad = tuple(hostile_row(number, say, kind="known_bad", blocked_at="behaviour") for number in range(rows))
    issues = tuple(hostile_row(number, say, state="passed") for number in range(rows))
    waivers = tuple(_waiver(say) for _number in range(rows))
    waived = tuple(
        WaivedFailure(case_id=say(), gate="behaviour", problem=Problem(code=say(), detail=say()), waiver=waiver)
        for waiver in waivers
    )
    listed = Listed(
        failing=failing,
        unmeasured=unmeasured,
        unblocked=bad,
        hallucinating=failing,
        with_issues=issues,
        waived=waived,
        expired=waivers,
    )
    run = _run(say, rows, texts)
    comparison = _comparison(say, failing) if compared else None
    note = BaselineNote(
        branch=say(),
        head_sha=comparison.baseline_git_sha if comparison is not None else None,
        workflow_run_id=10**18,
        distance=10**6,
        age_days=10**6,
        warning=say(),
        missing="" if compared else say(),
    )
    run = run.model_copy(update={"origin": _origin(say), "baseline": note, "cancelled": True})
    return Reporting(run, listed, comparison)


def _origin(say: Say) -> Origin:
    return Origin(
        repository=say(),
        server_url=say(),
        event=say(),
        workflow_run_id=10**18,
        run_attempt=10**8,
        head_sha=say(),
        fork=True,
    )


def _waiver(say: Say) -> Waiver:
    # A suite file cannot hold a lone surrogate, nor an empty word here.
    some = say().encode(errors="replace").decode() or "x"
    return Waiver(case=some, gate=some, reason=some, owner=some, expires=date(2026, 1, 31))


def _gate(say: Say) -> RunGate:
    return RunGate(
        gate="faithfulness",
        level="block",
        status="failed",
        passed=0,
        scored=1,
        bar=Bar(operator=">=", amount=Decimal("0.95"), unit="share"),
        offenders=_offenders(say),
        offending=3,
    )


def _offenders(say: Say) -> tuple[Change, ...]:
    """A case and what is no case, in words of a stranger's."""
    problem = Problem(code=say(), detail=say())
    return (
        Change(case_id=say(), gate="faithfulness", problem=problem),
        Change(case_id="", gate="slices", problem=Problem(code="slice", detail=say())),
        Change(case_id=say(), gate="unmeasured", problem=Problem(code="removed", detail="")),
    )


def _run(say: Say, rows: int, texts: Texts) -> Run:
    many = range(rows)
    return Run(
        suite=say(),
        suite_file=say(),
        scope=say(),
        started_at=WHEN,
        decided_at=WHEN,
        as_of=WHEN,
        provenance=Provenance(
            raggate_version=say(),
            suite_digest=say(),
            cases_digest=say(),
            evidence_digest=say(),
            target_digest=say(),
            git_sha=say(),
        ),
        policy=Policy(texts=texts),
        notes=tuple(say() for _each in many),
        counts=Counts(cases=3 * rows, failed=rows, unmeasured=rows, known_bad=rows, hallucinating=rows),
        gate_counts={},
        gates=tuple(_gate(say) for _each in many),
        slices=tuple(SliceResult(name=say(), passed=0, scored=3, status="failed") for _each in many),
        stages=tuple(StageCount(stage="behaviour", cases=rows, named=(say(), say())) for _each in many),
        pipeline_versions=tuple(PipelineVersion(key=say(), value=say(), cases=1) for _each in many),
        summary=Summary(
            cases=rows,
            passed=0,
            failed=rows,
            mean_score=0.5,
            mean_latency_ms=None,
            p50_latency_ms=None,
            p95_latency_ms=None,
            hallucination_rate=100.0,
            flag_rate=0.0,
            tool_use=Rate(hits=0, total=1),
            tools=tuple(ToolCount(tool=say(), called=0, expected=1) for _each in many),
            failing=(say(),),
        ),
        release_report=ReleaseReport(
            service_version=say(),
            source_traces=(say(), say()),
            required_policy_versions=(say(),),
            checks={
                "admissible_evidence_path": False,
                "known_bad_answers_blocked": False,
                "slice_regression_clear": True,
            },
        ),
        decision=Decision(
            kind="block",
            reasons=(
                "faithfulness",
                *[Cause(kind="nothing-answered", asked=2, cause=say(), case_id=say()) for _each in many],
            ),
        ),
        suite_size=1,
        in_scope=1,
        suite_cases=((say(), say(), True),),
    )


_TOLD = ("behaviour", "newly_inadmissible", "newly_unanswered", "forbidden_phrases")


def _comparison(say: Say, failing: tuple[CaseRun, ...]) -> Comparison:
    found = [hallucination for row in failing for hallucination in row.hallucinations]
    moves: tuple[Move, ...] = ("new", "same", "fixed")
    ids = tuple(say() for _each in failing)
    named = CaseIds(cases=len(ids), named=ids)
    changes = [
        *[moved(say(), moves[number % 3], each) for number, each in enumerate(found)],
        *[first(name, f"{say()}: {say()}", gate=gate, move="new") for name in ids for gate in _TOLD],
        *[first(name, gate="behaviour", move="fixed") for name in ids],
    ]
    return Comparison(
        answers={row.case_id: say() for row in failing},
        baseline_decided_at=WHEN,
        baseline_git_sha=say(),
        baseline_decision="block",
        compared=2 * len(failing),
        changed=CaseIds(cases=2 * len(ids), named=(*ids, *[row.case_id for row in failing])),
        added=named,
        removed=named,
        not_run=2,
        gates=tuple(GateDelta(name=name, passed=1, scored=2) for name in ids),
        slices=tuple(GateDelta(name=name, passed=1, scored=2) for name in ids),
        **counted(*changes),
        versions=tuple(VersionChange(key=say(), before=(say(),), after=(say(), say())) for _each in failing),
        baseline=BaselineAmounts(mean_score=None, p95_latency_ms=None, hallucination_rate=0.0, cost_usd=None),
    )
