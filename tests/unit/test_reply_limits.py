"""How much an app may answer: counts decide before anything is judged, and each bound itself is allowed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.network.bounded_reply import MOST_NODES
from raggate_action.onboarding.app_probe import reply_parts
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.reply_limits import (
    LONGEST_ANSWER,
    MOST_CHUNKS,
    MOST_CLAIMS,
    has_too_many_nodes,
    reply_problem,
)
from raggate_action.schema.trace import Answered, Trace
from raggate_action.targets.read_reply import OffSchema, read_trace
from raggate_action.targets.recorded_target import trace_of
from raggate_action.targets.reply_mapping import ReplyMapping
from tests.builders import make_case, make_rules, make_trace

AS_IS = ReplyMapping()


def row_of(answer: Any, *, latency_ms: float | None = 12.0) -> CaseRun:
    placed = PlacedCase(make_case(must_not_contain=["aa"], expected_tools=["t"]), 0, "digest", "f", 1)
    reply = Answered(trace=make_trace(answer=answer, context=[{"chunk_id": "c1", "text": "a"}]), latency_ms=latency_ms)
    evaluated = evaluate_reply(placed, reply, make_rules(), custom=None, finished_at="now")
    assert (evaluated.trace is None) == (evaluated.row.first_failed_stage == "target")
    return evaluated.row


def structured(number: int, *, text: str = "a") -> dict[str, Any]:
    return {"text": "a", "claims": [{"text": text} for _ in range(number)]}


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param("a" * (LONGEST_ANSWER + 1), "it has 200,001 characters; at most 200,000 are judged", id="too long"),
        pytest.param(structured(MOST_CLAIMS + 1), "it makes 2,001 claims; at most 2,000 are judged", id="too many claims"),
        pytest.param(structured(11, text="a" * 20_000), "it has 220,000 characters", id="claims too long together"),
        pytest.param("Tea is hot today. " * 2_001, "it makes 2,001 claims", id="prose of too many claims"),
    ],
)  # fmt: skip
def test_too_much_of_an_answer_fails_at_the_target(answer: Any, error: str) -> None:
    row = row_of(answer)
    assert (row.state, row.first_failed_stage) == ("failed", "target")
    assert row.error is not None
    assert row.error.startswith(f"reply is off schema: answer: {error}")
    # As any other failure of the app: score 0, no flag, tools not correct, and no word of the answer is kept.
    assert (row.score, row.flagged, row.answer, row.claims, row.latency_ms) == (0.0, False, None, (), 12.0)
    assert row.tools is not None
    assert row.tools.missing == ("t",)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("ab " * (LONGEST_ANSWER // 3), id="the longest"),
        pytest.param(structured(MOST_CLAIMS), id="the most claims"),
        pytest.param("Tea is hot today. " * MOST_CLAIMS, id="prose of the most claims"),
    ],
)
def test_an_answer_at_the_bound_is_judged(answer: Any) -> None:
    assert row_of(answer).outcomes["target"].kind == "passed"


@pytest.mark.parametrize(("inner", "too_many"), [(MOST_NODES - 2, False), (MOST_NODES - 1, True)])
def test_values_of_a_reply_are_counted(inner: int, *, too_many: bool) -> None:
    value = {"candidates": ["c"] * inner}  # the object, the list and what is in it
    assert has_too_many_nodes(value) == too_many


@pytest.mark.parametrize(("stage", "most"), MOST_CHUNKS.items())
@pytest.mark.parametrize("more", [0, 1])
def test_chunks_of_a_stage_are_counted(stage: str, most: int, more: int) -> None:
    trace = make_trace(answer="Tea is hot.", **{stage: [f"c{number}" for number in range(most + more)]})
    told = f"{stage}: it has {most + 1:,} chunks; at most {most:,} are judged"
    assert reply_problem(trace) == (told if more else None)


def test_too_many_chunks_fail_at_the_target() -> None:
    placed = PlacedCase(make_case(), 0, "digest", "f", 1)
    reply = Answered(trace=make_trace(answer="Tea.", context=[f"c{number}" for number in range(50_000)]), latency_ms=1)
    row = evaluate_reply(placed, reply, make_rules(), custom=None, finished_at="now").row
    assert (row.state, row.first_failed_stage) == ("failed", "target")
    assert row.error == "reply is off schema: context: it has 50,000 chunks; at most 2,000 are judged"


def test_what_a_mapping_makes_many_of_is_counted_where_it_stands() -> None:
    # Twenty doublings of one value: a million places, and hardly any memory.
    doubled = " | ".join(["[@, @]"] * 20)
    read = read_trace(b'{"text": "Tea"}', ReplyMapping({"answer": "text", "candidates": doubled}))
    assert read == OffSchema(
        "off schema: as mapped by `response:`, it holds more than 100,000 values; answer with less"
    )


@pytest.mark.parametrize("number", [10, MOST_NODES])
def test_a_reply_of_many_values_may_be_mapped_to_few(number: int) -> None:
    raw = json.dumps({"text": "Tea", "vector": [0.5] * number}).encode()
    read = read_trace(raw, ReplyMapping({"answer": "text"}))
    assert isinstance(read, Trace)
    assert read.answer == "Tea"


def test_a_recorded_line_of_many_values_is_off_schema() -> None:
    line = json.dumps({"case_id": "a", "candidates": ["c"] * MOST_NODES}).encode()
    told = OffSchema("off schema: it holds more than 100,000 values; answer with less")
    assert trace_of(line) == told
    assert read_trace(line, AS_IS) == told


def test_a_first_reply_beyond_the_bound_is_told_and_not_judged() -> None:
    read = reply_parts(
        {"answer": "Tea is hot.", "context": [f"Rule {number}." for number in range(50_000)]}, ReplyMapping()
    )
    assert (read.trace, read.problem) == (None, "context: it has 50,000 chunks; at most 2,000 are judged")
