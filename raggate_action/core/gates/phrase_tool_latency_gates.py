"""Gate 8: phrases and tools, the score that they and latency leave an answer; and the gate on latency itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from typing import NamedTuple

from raggate_action.core.gates.outdated_labels import out_of_date
from raggate_action.core.text.phrases import Answer
from raggate_action.schema.case import Case, Phrase, phrase_in_words
from raggate_action.schema.case_run import Musts
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Passed, Problem, Unmeasured
from raggate_action.schema.policy import BehaviourGate
from raggate_action.schema.verdicts import CheckIssues
from raggate_action.strings.numbers import apart, whole_number

_PASSED = Passed()
_NO_LIMIT = NotApplicable(why="the case has no max_latency_ms")
_NOT_ASKED = NotApplicable(why="the suite asks for no phrase, tool, latency or check")


class Observation(NamedTuple):
    """What behaviour is judged by.

    Attributes:
        text: The answer.
        tools: Names of the tools called; None when the app does not report tools.
        latency_ms: Time to the answer; None when nobody measured it.
        custom: What the case's custom check said; None when it has none.
        says_now: What stands in the place of a required phrase that is out of date; empty for any other.
    """

    text: str
    tools: tuple[str, ...] | None
    latency_ms: float | None
    custom: CheckIssues | None
    says_now: Callable[[Phrase], str] = lambda _phrase: ""


class Behaviour(NamedTuple):
    """The gate's outcome and what stands in the case's row.

    Attributes:
        outcome: Passed, failed, not applicable or unmeasured.
        score: In [0, 1], two decimals; 1.0 where nothing was asked, None where it could not be measured.
        flagged: A must_not_contain phrase was found.
        phrases: The phrases found that must not be there.
        musts: Which demands on phrases and tools were met; None when there is none.
        issues: Every issue (phrases, tools, latency, custom check), whether or not the gate failed.
        missing_tools: Expected tools that were not called.
    """

    outcome: Outcome
    score: float | None
    flagged: bool
    phrases: tuple[Phrase, ...]
    issues: tuple[str, ...]
    missing_tools: tuple[str, ...]
    musts: Musts | None = None


_UNASKED = Behaviour(_NOT_ASKED, 1.0, flagged=False, phrases=(), issues=(), missing_tools=())


def behaviour(case: Case, observed: Observation, gate: BehaviourGate) -> Behaviour:
    """Score an answer against its case: 1.0 less a penalty per issue, never below 0; computed in exact decimals.

    Passed at `gate.per_case` (0.7) or more with no hallucination flag, no forbidden tool and no custom issue; under
    `strict` scoring with no phrase and no tool missing either. Being slow lowers the score alone. Unmeasured where only
    phrases that are out of date keep it from passing: they are neither met nor missed.

    Raises:
        UsageError: There was no end to a regular expression of the case.

    By default a missing phrase or tool takes 0.2, a forbidden one 0.3, latency strictly above the limit 0.1.
    """
    if not (
        case.must_contain
        or case.must_not_contain
        or case.expected_tools
        or case.forbidden_tools
        or case.max_latency_ms is not None
        or case.custom_check
    ):
        return _UNASKED
    answer = Answer(observed.text)
    missing = tuple([number for number, phrase in enumerate(case.must_contain) if not answer.says(phrase)])
    forbidden = tuple([phrase for phrase in case.must_not_contain if answer.says(phrase)])
    faults = _faults(case, observed, gate, missing=missing, forbidden=forbidden)
    unreported = _unreported(case, observed)
    if not faults and unreported is None:
        musts = _musts(case, observed.tools, missing)
        return Behaviour(_PASSED, 1.0, flagged=False, phrases=(), issues=(), missing_tools=(), musts=musts)
    now = {number: words for number in missing if (words := observed.says_now(case.must_contain[number]))}
    if now and _fails(faults, gate):
        missing = tuple([number for number in missing if number not in now])
        faults = _faults(case, observed, gate, missing=missing, forbidden=forbidden)
        unreported = unreported or out_of_date(now)
    problems = tuple([fault.problem for fault in faults])
    outcome: Outcome = unreported or _PASSED
    if _fails(faults, gate):
        outcome = Failed(problems=problems)
    return Behaviour(
        outcome,
        None if unreported is not None else float(round(_score(faults), 2)),
        flagged=any(problem.code == _FORBIDDEN for problem in problems),
        phrases=forbidden,
        issues=tuple([problem.detail for problem in problems]),
        missing_tools=_missing_tools(case, observed),
        musts=_musts(case, observed.tools, missing, outdated=now),
    )


def _score(faults: Sequence[_Fault]) -> Decimal:
    return max(Decimal(0), 1 - sum((fault.penalty for fault in faults), Decimal(0)))


def _fails(faults: Sequence[_Fault], gate: BehaviourGate) -> bool:
    return _score(faults) < gate.per_case or any(fault.fails_alone for fault in faults)


class _Fault(NamedTuple):
    """An issue, what it takes from the score, and whether it fails the gate at any score."""

    problem: Problem
    penalty: Decimal
    fails_alone: bool = False


_FORBIDDEN = "forbidden-phrase"


def _faults(
    case: Case, observed: Observation, gate: BehaviourGate, *, missing: tuple[int, ...], forbidden: tuple[Phrase, ...]
) -> list[_Fault]:
    """Every fault in the order it is listed in: phrases, tools, latency, custom check."""
    penalties, strict = gate.penalties, gate.scoring == "strict"
    faults: list[_Fault] = []
    for number in missing:
        problem = Problem(code="phrase-missing", detail=f"Missing: {phrase_in_words(case.must_contain[number])}")
        faults.append(_Fault(problem, penalties.must_contain, fails_alone=strict))
    for phrase in forbidden:
        problem = Problem(code=_FORBIDDEN, detail=f"Hallucinated: {phrase_in_words(phrase)}")
        faults.append(_Fault(problem, penalties.must_not_contain, fails_alone=True))
    for tool in _missing_tools(case, observed):
        problem = Problem(code="tool-missing", detail=f"Missing tool: {tool}")
        faults.append(_Fault(problem, penalties.expected_tool, strict))
    for tool in case.forbidden_tools:
        if tool in (observed.tools or ()):
            problem = Problem(code="tool-forbidden", detail=f"Forbidden tool: {tool}")
            faults.append(_Fault(problem, penalties.forbidden_tool, fails_alone=True))
    if (late := _too_slow(case, observed.latency_ms)) is not None:
        faults.append(_Fault(late, penalties.latency))
    if found := observed.custom.issues if observed.custom else ():
        faults += [_Fault(Problem(code="custom-check", detail=i), Decimal(0), fails_alone=True) for i in found]
    return faults


def slow(case: Case, latency_ms: float | None) -> Outcome:
    """The gate on the time a case took: failed strictly above its limit, not applicable without one.

    Args:
        case: The case.
        latency_ms: Time to the answer; None when nobody measured it.
    """
    if case.max_latency_ms is None:
        return _NO_LIMIT
    if latency_ms is None:
        return Unmeasured(reason="trace", detail="the trace reports no latency")
    late = _too_slow(case, latency_ms)
    return _PASSED if late is None else Failed(problems=(late,))


def _too_slow(case: Case, latency_ms: float | None) -> Problem | None:
    limit = case.max_latency_ms
    if limit is None or latency_ms is None or latency_ms <= limit:
        return None
    took, most = apart(whole_number, latency_ms, limit, 0)
    return Problem(code="too-slow", detail=f"Latency {took}ms > {most}ms")


def _musts(
    case: Case, tools: tuple[str, ...] | None, missing: tuple[int, ...], outdated: Collection[int] = ()
) -> Musts | None:
    """Which demands are met, by number; None without demands. If the app reports no tools, theirs are left out."""
    total = len(case.must_contain)
    missed = [*missing, *outdated]
    if tools is not None:
        for demanded, is_expected in ((case.expected_tools, True), (case.forbidden_tools, False)):
            for tool in demanded:
                if (tool in tools) is not is_expected:
                    missed.append(total)
                total += 1
    if not total:
        return None
    met = range(total) if not missed else [number for number in range(total) if number not in missed]
    return Musts(met=tuple(met), missed=tuple([number for number in missed if number not in outdated]))


def _missing_tools(case: Case, observed: Observation) -> tuple[str, ...]:
    """Expected tools not called; none while the app does not report tools."""
    if observed.tools is None:
        return ()
    return tuple([tool for tool in case.expected_tools if tool not in observed.tools])


def _unreported(case: Case, observed: Observation) -> Unmeasured | None:
    """What the gate needs and the trace lacks: a tool is not missing if the app reports no tools."""
    if (case.expected_tools or case.forbidden_tools) and observed.tools is None:
        return Unmeasured(reason="trace", detail="the trace reports no tool calls")
    if case.max_latency_ms is not None and observed.latency_ms is None:
        return Unmeasured(reason="trace", detail="the trace reports no latency")
    if observed.custom is not None and observed.custom.error is not None:
        return Unmeasured(reason="trace", detail=f"custom check: {observed.custom.error}")
    return None


_NOTHING_THERE = NotApplicable(why="the answer is empty or declines, which `answered` tells")
# What is there all the same; what is missing is missing because there is no answer.
_THERE = frozenset({"forbidden-phrase", "tool-forbidden", "custom-check"})


def of_no_answer(found: Behaviour, case: Case) -> Behaviour:
    """The same behaviour, held only to what the answer has: phrases and tools that must not be, what a check found.

    Score, flag and issues stay as they are, so that means and histories stay comparable.
    """
    outcome = found.outcome
    if isinstance(outcome, Passed):
        return found
    musts = found.musts
    if musts is not None:
        # Demands are numbered phrases first, then expected tools, then forbidden ones.
        missable = len(case.must_contain) + len(case.expected_tools)
        musts = musts.model_copy(update={"missed": tuple([number for number in musts.missed if number >= missable])})
    if isinstance(outcome, Failed):
        problems = tuple([problem for problem in outcome.problems if problem.code in _THERE])
        if problems:
            return found._replace(outcome=Failed(problems=problems), musts=musts)
    return found._replace(outcome=_NOTHING_THERE, musts=musts)
