"""The agent suite's score arithmetic: penalties, flag, floor, the bar of 0.7 (lenient), a must that is one (strict)."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.gates.phrase_tool_latency_gates import Observation, behaviour
from raggate_action.schema.outcome import Failed, NotApplicable, Passed, Unmeasured
from raggate_action.schema.policy import BehaviourGate
from raggate_action.schema.verdicts import CheckIssues
from tests.builders import make_case

GATE = BehaviourGate(scoring="lenient")
STRICT = BehaviourGate()
TEXT = "Refunds take five days. Call us."


def score(
    case: dict[str, Any],
    *,
    text: str = TEXT,
    tools: tuple[str, ...] | None = (),
    latency: float | None = 100,
    gate: BehaviourGate = GATE,
) -> Any:
    return behaviour(make_case(**case), Observation(text, tools, latency, None), gate)


WORKED = pytest.mark.parametrize(
    ("case", "expected_score", "passed", "issues"),
    [
        pytest.param({"must_contain": ["REFUNDS"]}, 1.0, True, [], id="a phrase in any case"),
        pytest.param({"must_contain": ["a1"]}, 0.8, True, ['Missing: "a1"'], id="one missing phrase, 1.0 - 0.2, still passes"),
        pytest.param(
            {"must_contain": ["a1", "b2"]}, 0.6, False, ['Missing: "a1"', 'Missing: "b2"'], id="two missing, 0.6 < 0.7"
        ),
        pytest.param(
            {"must_not_contain": ["five days"]}, 0.7, False, ['Hallucinated: "five days"'],
            id="0.7 reaches the bar, the flag fails it",
        ),
        pytest.param(
            {"expected_tools": ["search"]}, 0.8, True, ["Missing tool: search"], id="an expected tool missing, 0.8"
        ),
        pytest.param({"max_latency_ms": 99}, 0.9, True, ["Latency 100ms > 99ms"], id="too slow, 0.9"),
        pytest.param({"max_latency_ms": 99.7}, 0.9, True, ["Latency 100ms > 99.7ms"], id="figures compared read apart"),
        pytest.param({"max_latency_ms": 100}, 1.0, True, [], id="latency at the limit is not over it"),
        pytest.param(
            {"must_contain": ["a1"], "max_latency_ms": 99}, 0.7, True, ['Missing: "a1"', "Latency 100ms > 99ms"],
            id="1.0 - 0.2 - 0.1 is 0.7 exactly and passes",
        ),
        pytest.param(
            {"must_contain": ["a1", "b2", "c3", "d4", "e5", "f6"]}, 0.0, False,
            [f'Missing: "{phrase}"' for phrase in ("a1", "b2", "c3", "d4", "e5", "f6")], id="never below 0",
        ),
        pytest.param(
            {"forbidden_tools": ["delete"], "expected_tools": ["delete"]}, 0.7, False, ["Forbidden tool: delete"],
            id="a forbidden tool fails at any score",
        ),
    ],
)  # fmt: skip


@WORKED
def test_score(case: dict[str, Any], expected_score: float, passed: bool, issues: list[str]) -> None:  # noqa: FBT001
    result = score(case, tools=("delete",) if "forbidden_tools" in case else ())
    assert result.score == expected_score
    assert isinstance(result.outcome, Passed if passed else Failed)
    assert list(result.issues) == issues


@WORKED
def test_strict_fails_on_any_must_and_scores_alike(
    case: dict[str, Any],
    expected_score: float,
    passed: bool,  # noqa: FBT001
    issues: list[str],
) -> None:
    result = score(case, tools=("delete",) if "forbidden_tools" in case else (), gate=STRICT)
    assert (result.score, list(result.issues)) == (expected_score, issues)
    missed = any(issue.startswith(("Missing: ", "Missing tool: ")) for issue in issues)
    assert isinstance(result.outcome, Passed if passed and not missed else Failed)


def test_a_missed_must_is_named_first_in_the_outcome() -> None:
    result = score({"must_contain": ["five days", "30 days"], "expected_tools": ["search"]}, gate=STRICT)
    assert [str(problem) for problem in result.outcome.problems] == [
        'phrase-missing: Missing: "30 days"',
        "tool-missing: Missing tool: search",
    ]
    # Demands by number: the two phrases, then the tool.
    assert (result.musts.met, result.musts.missed) == ((0,), (1, 2))


def test_being_slow_lowers_the_score_and_fails_nothing() -> None:
    result = score({"max_latency_ms": 99}, gate=STRICT)
    assert (result.score, type(result.outcome)) == (0.9, Passed)


def test_tools_that_nobody_reports_are_neither_met_nor_missed() -> None:
    result = score({"must_contain": ["five"], "expected_tools": ["search"]}, tools=None, gate=STRICT)
    assert (result.musts.met, result.musts.missed) == ((0,), ())


def test_only_must_not_contain_raises_the_hallucination_flag() -> None:
    assert score({"must_not_contain": ["five days"]}).flagged
    assert not score({"must_contain": ["nowhere"]}).flagged


def test_tool_names_are_exact() -> None:
    assert score({"expected_tools": ["Search"]}, tools=("search",)).missing_tools == ("Search",)


def test_nothing_asked_is_a_full_score_and_no_gate() -> None:
    result = score({})
    assert result.score == 1.0
    assert isinstance(result.outcome, NotApplicable)


@pytest.mark.parametrize(
    ("case", "given"),
    [
        pytest.param({"expected_tools": ["search"]}, {"tools": None}, id="no tool calls reported"),
        pytest.param({"max_latency_ms": 5}, {"latency": None}, id="no latency known"),
    ],
)
def test_what_nobody_reported_is_unmeasured_not_missing(case: dict[str, Any], given: dict[str, Any]) -> None:
    result = score(case, **given)
    assert isinstance(result.outcome, Unmeasured)
    assert (result.score, result.issues) == (None, ())


def test_a_known_failure_beats_what_is_unknown() -> None:
    result = score({"expected_tools": ["search"], "must_not_contain": ["five"]}, tools=None)
    assert isinstance(result.outcome, Failed)


@pytest.mark.parametrize(
    ("custom", "kind"),
    [
        pytest.param(CheckIssues(), Passed, id="no issue passes"),
        pytest.param(CheckIssues(issues=("refund is 12, should be 10",)), Failed, id="any issue fails"),
        pytest.param(CheckIssues(error="ZeroDivisionError"), Unmeasured, id="its own exception is unmeasured"),
    ],
)
def test_custom_check(custom: CheckIssues, kind: type) -> None:
    case = make_case(custom_check="checks:refund_math")
    result = behaviour(case, Observation(TEXT, (), 1, custom), GATE)
    assert isinstance(result.outcome, kind)
    assert result.issues == custom.issues


@pytest.mark.parametrize(
    ("answer", "phrase"),
    [
        pytest.param("Hauptstraße 5", "HAUPTSTRASSE", id="a letter with two capitals"),
        pytest.param("ΟΔΟΣ ΕΡΜΟΥ", "οδος ερμου", id="a letter with two small forms"),
        pytest.param("Caf\u00e9 Central", "cafe\u0301", id="accents composed or apart"),
    ],
)
def test_phrases_are_found_in_any_case_and_spelling(answer: str, phrase: str) -> None:
    assert score({"must_contain": [phrase]}, text=answer).score == 1
    assert score({"must_not_contain": [phrase]}, text=answer).flagged
