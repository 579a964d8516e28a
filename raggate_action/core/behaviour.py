"""Gate 8: phrases, tools and latency, with the agent suite's score (seed 004)."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from raggate_action.schema.case import Case
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Passed, Problem, Unmeasured
from raggate_action.schema.suite import BehaviourGate

_NOT_ASKED = NotApplicable(why="the suite asks for no phrase, tool, latency or check")


class CheckIssues(NamedTuple):
    """What a custom check said: its issues, or why it could not say anything."""

    issues: tuple[str, ...] = ()
    error: str | None = None


class Observed(NamedTuple):
    """What behaviour is judged by.

    Attributes:
        text: The answer.
        tools: Names of the tools called; None when the app does not report tools.
        latency_ms: Time to the answer; None when nobody measured it.
        custom: What the case's custom check said; None when it has none.
    """

    text: str
    tools: tuple[str, ...] | None
    latency_ms: float | None
    custom: CheckIssues | None


class Behaviour(NamedTuple):
    """The gate's outcome and what stands in the case's row.

    Attributes:
        outcome: Passed, failed, not applicable or unmeasured.
        score: In [0, 1], two decimals; 1.0 where nothing was asked, None where it could not be measured.
        flagged: A must_not_contain phrase was found.
        phrases: The phrases found that must not be there.
        issues: Every issue in seed order, whether or not the gate failed.
        missing_tools: Expected tools that were not called.
    """

    outcome: Outcome
    score: float | None
    flagged: bool
    phrases: tuple[str, ...]
    issues: tuple[str, ...]
    missing_tools: tuple[str, ...]


_CLEAN = Behaviour(Passed(), 1.0, flagged=False, phrases=(), issues=(), missing_tools=())
_UNASKED = Behaviour(_NOT_ASKED, 1.0, flagged=False, phrases=(), issues=(), missing_tools=())


def behaviour(case: Case, observed: Observed, gate: BehaviourGate) -> Behaviour:
    """Score an answer against its case: 1.0 less a penalty per issue, never below 0; computed in exact decimals.

    Passed at `gate.per_case` (0.7) or more with no hallucination flag, no forbidden tool and no custom issue.

    Source: seed 004; rules 7.
    """
    if not _asks(case):
        return _UNASKED
    text = observed.text.lower()
    lacking = [phrase for phrase in case.must_contain if phrase.lower() not in text]
    found = tuple(phrase for phrase in case.must_not_contain if phrase.lower() in text)
    called = observed.tools if observed.tools is not None else case.expected_tools
    missing = tuple(tool for tool in case.expected_tools if tool not in called)
    forbidden = [tool for tool in case.forbidden_tools if tool in (observed.tools or ())]
    slow = _slowness(case, observed)
    custom = observed.custom.issues if observed.custom else ()
    problems = (
        *(Problem(code="phrase-missing", detail=f'Missing: "{phrase}"') for phrase in lacking),
        *(Problem(code="forbidden-phrase", detail=f'Hallucinated: "{phrase}"') for phrase in found),
        *(Problem(code="tool-missing", detail=f"Missing tool: {tool}") for tool in missing),
        *(Problem(code="tool-forbidden", detail=f"Forbidden tool: {tool}") for tool in forbidden),
        *(Problem(code="too-slow", detail=issue) for issue in slow),
        *(Problem(code="custom-check", detail=issue) for issue in custom),
    )
    unreported = _unreported(case, observed)
    if not problems and unreported is None:
        return _CLEAN
    penalties = gate.penalties
    lost = (
        len(lacking) * penalties.must_contain
        + len(found) * penalties.must_not_contain
        + len(missing) * penalties.expected_tool
        + len(forbidden) * penalties.forbidden_tool
        + len(slow) * penalties.latency
    )
    score = max(Decimal(0), 1 - lost)
    outcome: Outcome
    if score < gate.per_case or found or forbidden or custom:
        outcome = Failed(problems=problems)
    elif unreported is not None:
        outcome = unreported
    else:
        outcome = Passed()
    measured = None if unreported is not None else float(round(score, 2))
    issues = tuple([problem.detail for problem in problems])
    return Behaviour(outcome, measured, flagged=bool(found), phrases=found, issues=issues, missing_tools=missing)


def _asks(case: Case) -> bool:
    return bool(
        case.must_contain
        or case.must_not_contain
        or case.expected_tools
        or case.forbidden_tools
        or case.max_latency_ms is not None
        or case.custom_check
    )


def _slowness(case: Case, observed: Observed) -> tuple[str, ...]:
    limit, measured = case.max_latency_ms, observed.latency_ms
    if limit is None or measured is None or measured <= limit:
        return ()
    return (f"Latency {measured:.0f}ms > {limit:.0f}ms",)


def _unreported(case: Case, observed: Observed) -> Unmeasured | None:
    """What the gate needed and nobody reported: a tool that nobody reports is not proven missing."""
    if (case.expected_tools or case.forbidden_tools) and observed.tools is None:
        return Unmeasured(reason="trace", detail="the trace reports no tool calls")
    if case.max_latency_ms is not None and observed.latency_ms is None:
        return Unmeasured(reason="trace", detail="the trace reports no latency")
    if observed.custom is not None and observed.custom.error is not None:
        return Unmeasured(reason="trace", detail=f"custom check: {observed.custom.error}")
    return None
