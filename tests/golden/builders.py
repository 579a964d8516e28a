"""Small pictures of decided runs: a line per case, gate and slice, so that a golden file's source fits a screen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from raggate_action.core.counting.case_state import is_verified
from raggate_action.core.disclosure.withholding import ids_only
from raggate_action.report.decision_words import bar_in_words, measured_in_words
from raggate_action.report.page_sections import Reporting
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case_run import CaseRun, Hallucination
from raggate_action.schema.change import Change, ChangeCount, Move
from raggate_action.schema.comparison import BaselineAmounts, Comparison, GateDelta
from raggate_action.schema.counts import Counts, SliceResult, StageCount
from raggate_action.schema.decision import Bar, Decision, DecisionKind, Measured, Operator, Reason, RunGate, Unit
from raggate_action.schema.listed_cases import LISTED_AT_MOST, Listed
from raggate_action.schema.origin import Origin
from raggate_action.schema.outcome import GATES, Failed, GateName, Outcome, Passed, Problem, StageName, Unmeasured
from raggate_action.schema.run import Policy, Provenance, Run
from raggate_action.schema.summary import ReleaseReport, Summary
from raggate_action.schema.waived import Waiver

MORNING = "2026-06-02T09:00:00Z"
EVENING = "2026-06-02T18:00:00Z"
# An answer whose every claim is supported.
KNOWN: dict[GateName, Outcome] = {"answered": Passed(), "faithfulness": Passed()}


RELEASED = Decision(kind="release", reasons=("released",))


class Because(NamedTuple):
    """A decision with the gates for which it is taken, where a stored one only names them."""

    kind: DecisionKind
    reasons: tuple[Reason | RunGate, ...]
    enforced: bool = True

    @property
    def decision(self) -> Decision:
        """As a run stores it."""
        names = tuple([each.gate if isinstance(each, RunGate) else each for each in self.reasons])
        return Decision(kind=self.kind, reasons=names, enforced=self.enforced)

    def among(self, gates: Iterable[RunGate]) -> tuple[RunGate, ...]:
        """The gates of a run, those for which it is decided so in their place."""
        named = {each.gate: each for each in self.reasons if isinstance(each, RunGate)}
        return (*[named.pop(each.gate, each) for each in gates], *named.values())


def blocked(*reasons: Reason | RunGate) -> Because:
    """A block for these reasons; for one that is nobody's concern where none is given."""
    return Because("block", reasons or ("verified",))


def case_rows(picture: str, *, file: str = "cases/menu.yaml") -> tuple[CaseRun, ...]:
    """Rows from lines of columns, two spaces apart.

    house-wine   passed
    egg-free     failed      candidate_recall  source-missing: menu-44 not in candidates
    closing      unmeasured  target            trace: traces.jsonl has no trace of it
    lamb-wine    failed      faithfulness      answered-though-unanswerable: “A Rioja.”
      ! answered | A Rioja. | menu-12 | Slow-roasted lamb.     (a hallucination of the case above)
    """
    rows: list[CaseRun] = []
    for line in filter(str.strip, picture.splitlines()):
        if line.strip().startswith("!"):
            last = rows.pop()
            found = (*last.hallucinations, _hallucination(line))
            rows.append(last.model_copy(update={"hallucinations": found}))
        else:
            rows.append(_case_row(len(rows), re.split(r"\s{2,}", line.strip()), file))
    return tuple(rows)


def _case_row(position: int, columns: list[str], file: str) -> CaseRun:
    case_id, state, gate, problem = (*columns, "", "")[:4]
    outcomes: dict[Any, Outcome] = {"target": Passed(), "admissibility": Passed()}
    head, _colon, detail = problem.partition(": ")
    if state == "passed":
        outcomes |= KNOWN
    elif state == "failed":
        outcomes[gate] = Failed(problems=(Problem(code=head, detail=detail),))
    elif state == "unmeasured":
        outcomes[gate] = Unmeasured(reason=head, detail=detail)  # type: ignore[arg-type]
    return make_row(
        position,
        case_id=case_id,
        file=file,
        state=state,
        outcomes=outcomes,
        first_failed_stage=GATES[gate] if state == "failed" else None,  # type: ignore[index]
    )


def _hallucination(line: str) -> Hallucination:
    kind, text, chunk_id, quote = (*(part.strip() for part in line.strip()[1:].split("|")), "", "")[:4]
    key = kind if kind == "answered" else f"{kind}:{digest_of_text(text)[:16]}"
    return Hallucination(kind=kind, key=key, text=text, chunk_id=chunk_id or None, quote=quote or None)  # type: ignore[arg-type]


def make_row(position: int, **fields: Any) -> CaseRun:
    """Row number `position`; passed, unless `fields` say otherwise."""
    given: dict[str, Any] = {
        "case_id": f"case-{position}",
        "position": position,
        "digest": f"digest-{position}",
        "file": "cases/menu.yaml",
        "line": 4 + 7 * position,
        "question": f"What is asked in case {position}?",
        "state": "passed",
        "outcomes": {"target": Passed(), **KNOWN},
    }
    return CaseRun(**{**given, **fields})


def gates(picture: str) -> tuple[RunGate, ...]:
    """Gates on the run: name, level, status, passed/scored, bar, and an amount where the gate has one."""
    found = []
    for line in filter(str.strip, picture.splitlines()):
        name, level, status, counts, bar, value = (*re.split(r"\s{2,}", line.strip()), "")[:6]
        passed, scored = _two(counts)
        fields = {"passed": passed, "scored": scored, "bar": bar_of(bar), "measured": measured_of(value, bar_of(bar))}
        gate = RunGate(gate=name, level=level, status=status, **fields)  # type: ignore[arg-type]
        # What is pictured is what is read.
        read = bar_in_words(gate).replace("≥", ">=").replace("≤", "<=")
        assert read == bar, (read, bar)
        assert (measured_in_words(gate) or "") == value, (measured_in_words(gate), value)
        found.append(gate)
    return tuple(found)


_BAR = re.compile(r"(each )?(?:([<>]=) )?(?:(\d+) (%|ms)|\$([\d.]+)|(none)( new)?)(?:, here (\d+))?")
_CASES = re.compile(r"(?:[\d.]+ % \()?(\d+) of (\d+) cases\)?(?: and (\d+) removed)?")


def bar_of(picture: str) -> Bar:
    """A bar from the words people read."""
    found = _BAR.fullmatch(picture)
    assert found is not None, picture
    each, operator, number, unit, dollars, none, new, allowed = found.groups()
    units: dict[str | None, Unit] = {"%": "share", "ms": "ms"}
    amount = Decimal(dollars or number or 0)
    operators: dict[str | None, Operator] = {">=": ">=", "<=": "<=", None: "=="}
    return Bar(
        operator=operators[operator],
        amount=amount / 100 if unit == "%" else amount,
        unit="usd" if dollars else ("new cases" if new else "cases") if none else units[unit],
        each=bool(each),
        allowed=int(allowed) if allowed else None,
    )


def measured_of(picture: str, bar: Bar) -> Measured | None:
    """What was measured, from the words people read."""
    if found := re.fullmatch(r"(\d+) of (\d+) red(?:, (\d+) on watch)?(?:, (\d+) not measured)?", picture):
        red, total, watched, unmeasured = (int(each or 0) for each in found.groups())
        return Measured(kind="slices", red=red, slices=total, watched=watched, unmeasured=unmeasured)
    if found := re.fullmatch(r"(?:([\d.]+) ms|\$([\d.]+))", picture):
        return Measured(kind="amount", amount=float(found[1] or found[2]))
    if found := _CASES.fullmatch(picture):
        hits, total, removed = (int(each or 0) for each in found.groups())
        if bar.allowed is not None:
            return Measured(kind="unmeasured", unmeasured=hits, cases=total, removed=removed)
        return Measured(kind="cases", hits=hits, looked_at=total)
    assert not picture, picture
    return None


def gate_reason(picture: str, *offenders: Change) -> RunGate:
    """A gate from its line, as `gates` reads it, and its offenders."""
    (gate,) = gates(picture)
    named = tuple([each.model_copy(update={"gate": gate.gate}) for each in offenders])
    return gate.model_copy(update={"offenders": named, "offending": len(named)})


def first(case_id: str, problem: str = "", **fields: Any) -> Change:
    """A case that a gate names, its problem as `code: detail`."""
    return Change(**{"case_id": case_id, "gate": "behaviour", "problem": problem_of(problem), **fields})


def problem_of(text: str) -> Problem | None:
    """`code: detail`, or words alone."""
    code, colon, detail = text.partition(": ")
    return (Problem(code=code, detail=detail) if colon else Problem(code=text, detail="")) if text else None


def slices(picture: str) -> tuple[SliceResult, ...]:
    """Slices: name, status, passed/scored, and `protected`."""
    found = []
    for line in filter(str.strip, picture.splitlines()):
        name, status, counts, protected = (*re.split(r"\s{2,}", line.strip()), "")[:4]
        passed, scored = _two(counts)
        part = {"name": name, "status": status, "passed": passed or 0, "scored": scored or 0}
        found.append(SliceResult(**part, protected=bool(protected)))  # type: ignore[arg-type]
    return tuple(found)


def deltas(picture: str) -> tuple[GateDelta, ...]:
    """The baseline's counts: name, passed/scored."""
    lines = [re.split(r"\s{2,}", line.strip()) for line in picture.splitlines() if line.strip()]
    return tuple(
        GateDelta(name=name, passed=_two(counts)[0] or 0, scored=_two(counts)[1] or 0) for name, counts in lines
    )


def _two(counts: str) -> tuple[int | None, int | None]:
    if "/" not in counts:
        return None, None
    part, whole = counts.split("/")
    return int(part), int(whole)


def stages(rows: Iterable[CaseRun]) -> tuple[StageCount, ...]:
    """First failed stages, most cases first."""
    by_stage: dict[StageName, list[str]] = {}
    for row in rows:
        if row.first_failed_stage is not None and row.kind != "known_bad":
            by_stage.setdefault(row.first_failed_stage, []).append(row.case_id)
    ordered = sorted(by_stage.items(), key=lambda item: -len(item[1]))
    return tuple(StageCount(stage=stage, cases=len(ids), named=tuple(ids[:10])) for stage, ids in ordered)


def make_reporting(
    rows: tuple[CaseRun, ...],
    decision: Decision | Because,
    *,
    listed: dict[str, Any] | None = None,
    comparison: Comparison | None = None,
    **fields: Any,
) -> Reporting:
    """A decided run of these rows; `fields` replace fields of the run, `listed` fields of the listed cases."""
    ordinary = [row for row in rows if row.kind != "known_bad"]
    counts = counts_of(rows)
    if isinstance(decision, Because):
        fields["gates"] = decision.among(fields.get("gates", ()))
        decision = decision.decision
    given: dict[str, Any] = {
        "suite": "menu",
        "suite_file": "raggate.yaml",
        "scope": "full",
        "started_at": MORNING,
        "decided_at": EVENING,
        "as_of": MORNING,
        "provenance": Provenance(
            raggate_version="0.1.0",
            suite_digest="5" * 32,
            cases_digest="c" * 32,
            evidence_digest="4d1c2b3a" * 4,
            target_digest="7" * 32,
            git_sha="0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
        ),
        "policy": Policy(enforce=decision.enforced),
        "counts": counts,
        "gate_counts": {},
        "gates": (),
        "slices": (),
        "stages": stages(ordinary),
        "pipeline_versions": (),
        "summary": make_summary(counts),
        "release_report": make_report(),
        "decision": decision,
        "suite_size": len(rows),
        "in_scope": len(rows),
    }
    run = Run(**{**given, **fields})
    return Reporting(run, Listed(**{**lists(rows), **(listed or {})}), comparison)


def counts_of(rows: Iterable[CaseRun]) -> Counts:
    """What the rows add up to; nothing is waived."""
    found = list(rows)
    ordinary = [row for row in found if row.kind != "known_bad"]
    bad = [row for row in found if row.kind == "known_bad"]
    states = Counter(row.state for row in ordinary)
    return Counts(
        cases=len(ordinary),
        passed=states["passed"],
        failed=states["failed"],
        unmeasured=states["unmeasured"],
        known_bad=len(bad),
        known_bad_blocked=sum(row.blocked_as_named for row in bad),
        hallucinating=sum(bool(row.hallucinations) for row in ordinary),
        answered_by_target=len(ordinary),
        verified=sum(row.state == "passed" and is_verified(row) and not row.hallucinations for row in ordinary),
        refuted=sum(row.state == "passed" and bool(row.hallucinations) for row in ordinary),
        answered=len(ordinary) - states["unmeasured"],
    )


def lists(rows: Iterable[CaseRun]) -> dict[str, Any]:
    """Rows shown by name, cut as a run cuts them."""
    found = list(rows)
    ordinary = [row for row in found if row.kind != "known_bad"]
    chosen = {
        "failing": [row for row in ordinary if row.state == "failed"],
        "unmeasured": [row for row in ordinary if row.state == "unmeasured"],
        "hallucinating": [row for row in ordinary if row.hallucinations],
        "with_issues": [row for row in ordinary if row.state == "passed" and row.issues],
        "unblocked": [row for row in found if row.kind == "known_bad" and not row.blocked_as_named],
    }
    return {name: tuple(listed[:LISTED_AT_MOST]) for name, listed in chosen.items()}


def make_summary(counts: Counts, **fields: Any) -> Summary:
    ran = counts.cases - counts.unmeasured
    given: dict[str, Any] = {
        "cases": counts.cases,
        "passed": counts.passed,
        "failed": counts.failed,
        "mean_score": 0.9,
        "mean_latency_ms": 431.0,
        "p50_latency_ms": 380.0,
        "p95_latency_ms": 812.0,
        "hallucination_rate": -(-counts.hallucinating * 1000 // ran) / 10 if ran else 0.0,
        "flag_rate": 0.0,
        "tool_use": None,
    }
    return Summary(**{**given, **fields})


def make_report(**fields: Any) -> ReleaseReport:
    checks = {
        "admissible_evidence_path": True,
        "slice_regression_clear": True,
    }
    given = {"service_version": "menu-app 3", "source_traces": (), "required_policy_versions": (), "checks": checks}
    return ReleaseReport(**{**given, **fields})


def make_comparison(**fields: Any) -> Comparison:
    """Against the main branch's run of the day before, which released; nothing moved."""
    given: dict[str, Any] = {
        "baseline_decided_at": "2026-06-01T06:00:00Z",
        "baseline_git_sha": "99aa88bb77cc66dd55ee44ff33aa22bb11cc00dd",
        "baseline_decision": "release",
        "compared": 10,
        "baseline": BaselineAmounts(mean_score=0.97, p95_latency_ms=640.0, hallucination_rate=0.0, cost_usd=None),
    }
    return Comparison(**{**given, **fields})


def moved(case_id: str, move: Move, found: Hallucination) -> Change:
    """How a falsehood of a case moved."""
    problem = Problem(code=found.kind, detail=found.text)
    return Change(case_id=case_id, gate="hallucination_rate", problem=problem, move=move, key=found.key)


def counted(*changes: Change, **counts: Mapping[str, int]) -> dict[str, Any]:
    """The fields of a comparison with these changes; `counts` tell of a gate what the list does not."""
    found: dict[str, Counter[str]] = {}
    for each in changes:
        found.setdefault(each.gate, Counter())[each.move] += 1
    for gate, more in counts.items():
        found.setdefault(gate, Counter()).update(more)
    return {"changes": changes, "counts": {gate: ChangeCount(**moves) for gate, moves in found.items()}}


def make_origin(**fields: Any) -> Origin:
    """The second try of a pull request's workflow run."""
    given: dict[str, Any] = {
        "repository": "menu/app",
        "server_url": "https://github.com",
        "event": "pull_request",
        "workflow_run_id": 17234567890,
        "run_attempt": 2,
        "head_sha": "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
        "pull_request": 7,
    }
    return Origin(**{**given, **fields})


def make_waiver(**fields: Any) -> Waiver:
    given = {
        "case": "egg-free",
        "gate": "candidate_recall",
        "reason": "The new index is being built",
        "owner": "@menu-team",
        "expires": date(2026, 5, 31),
    }
    return Waiver(**{**given, **fields})


def wordless(reporting: Reporting) -> Reporting:
    """The run with its rows as `texts: ids` leaves them."""
    names = ("failing", "hallucinating", "with_issues", "unmeasured", "flaky")
    rows: dict[str, Any] = {name: tuple(map(ids_only, getattr(reporting.listed, name))) for name in names}
    advised = [
        (case, ids_only(case.row.model_copy(update={"claims": case.claims}))) for case in reporting.listed.advised
    ]
    rows["advised"] = tuple([case._replace(row=row, claims=row.claims) for case, row in advised])
    return reporting._replace(listed=reporting.listed._replace(**rows))
