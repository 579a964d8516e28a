"""Gate 8: phrases, tools and latency, and the score they leave an answer."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from raggate_action.core.text.spelling import folded
from raggate_action.numbers import apart, whole_number
from raggate_action.schema.case import Case
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Passed, Problem, Unmeasured
from raggate_action.schema.policy import BehaviourGate, Penalties
from raggate_action.schema.verdicts import CheckIssues

_NOT_ASKED = NotApplicable(why="the suite asks for no phrase, tool, latency or check")


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
        issues: Every issue (phrases, tools, latency, custom check), whether or not the gate failed.
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
    By default a missing phrase or tool takes 0.2, a forbidden one 0.3, latency strictly above the limit 0.1.
    """
    if not _asks(case):
        return _UNASKED
    faults = _faults(case, observed, gate.penalties)
    unreported = _unreported(case, observed)
    if not faults and unreported is None:
        return _CLEAN
    problems = tuple([fault.problem for fault in faults])
    score = max(Decimal(0), 1 - sum((fault.penalty for fault in faults), Decimal(0)))
    outcome: Outcome
    if score < gate.per_case or any(fault.fails_alone for fault in faults):
        outcome = Failed(problems=problems)
    else:
        outcome = unreported or Passed()
    return Behaviour(
        outcome,
        None if unreported is not None else float(round(score, 2)),
        flagged=any(problem.code == _FORBIDDEN for problem in problems),
        phrases=_forbidden_phrases(case, observed),
        issues=tuple([problem.detail for problem in problems]),
        missing_tools=_missing_tools(case, observed),
    )


class _Fault(NamedTuple):
    """An issue, what it takes from the score, and whether it fails the gate at any score."""

    problem: Problem
    penalty: Decimal
    fails_alone: bool = False


_FORBIDDEN = "forbidden-phrase"


def _faults(case: Case, observed: Observed, penalties: Penalties) -> list[_Fault]:
    """Every fault in the order it is listed in: phrases, tools, latency, custom check."""
    text = folded(observed.text)
    faults = [
        _Fault(Problem(code="phrase-missing", detail=f'Missing: "{phrase}"'), penalties.must_contain)
        for phrase in case.must_contain
        if folded(phrase) not in text
    ]
    faults += [
        _Fault(
            Problem(code=_FORBIDDEN, detail=f'Hallucinated: "{phrase}"'), penalties.must_not_contain, fails_alone=True
        )
        for phrase in _forbidden_phrases(case, observed)
    ]
    faults += [
        _Fault(Problem(code="tool-missing", detail=f"Missing tool: {tool}"), penalties.expected_tool)
        for tool in _missing_tools(case, observed)
    ]
    for tool in case.forbidden_tools:
        if tool in (observed.tools or ()):
            problem = Problem(code="tool-forbidden", detail=f"Forbidden tool: {tool}")
            faults.append(_Fault(problem, penalties.forbidden_tool, fails_alone=True))
    limit, measured = case.max_latency_ms, observed.latency_ms
    if limit is not None and measured is not None and measured > limit:
        took, most = apart(whole_number, measured, limit, 0)
        problem = Problem(code="too-slow", detail=f"Latency {took}ms > {most}ms")
        faults.append(_Fault(problem, penalties.latency))
    found = observed.custom.issues if observed.custom else ()
    return faults + [_Fault(Problem(code="custom-check", detail=i), Decimal(0), fails_alone=True) for i in found]


def _forbidden_phrases(case: Case, observed: Observed) -> tuple[str, ...]:
    if not case.must_not_contain:
        return ()
    text = folded(observed.text)
    return tuple([phrase for phrase in case.must_not_contain if folded(phrase) in text])


def _missing_tools(case: Case, observed: Observed) -> tuple[str, ...]:
    """Expected tools not called; none while the app does not report tools."""
    if observed.tools is None:
        return ()
    return tuple([tool for tool in case.expected_tools if tool not in observed.tools])


def _asks(case: Case) -> bool:
    return bool(
        case.must_contain
        or case.must_not_contain
        or case.expected_tools
        or case.forbidden_tools
        or case.max_latency_ms is not None
        or case.custom_check
    )


def _unreported(case: Case, observed: Observed) -> Unmeasured | None:
    """What the gate needed and nobody reported: a tool that nobody reports is not proven missing."""
    if (case.expected_tools or case.forbidden_tools) and observed.tools is None:
        return Unmeasured(reason="trace", detail="the trace reports no tool calls")
    if case.max_latency_ms is not None and observed.latency_ms is None:
        return Unmeasured(reason="trace", detail="the trace reports no latency")
    if observed.custom is not None and observed.custom.error is not None:
        return Unmeasured(reason="trace", detail=f"custom check: {observed.custom.error}")
    return None
