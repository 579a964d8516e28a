from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.errors import UsageError
from raggate_action.replies.mapping import (
    ReplyMismatchError,
    compile_response,
    expression_problem,
    placeholder_problem,
    request_body,
)
from raggate_action.schema.case import Case, Message
from raggate_action.schema.trace import Trace

ASKED = Case(case_id="q1", question="How long?", input={"tenant": "eu"}, must_contain=("30",), tags=("smoke",))
TALK = Case(case_id="q2", messages=(Message(role="user", content="Hi"), Message(role="user", content="And now?")))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        pytest.param("docs[].id", None, id="a path is fine"),
        pytest.param("sort_by(docs, &rank)[].id", None, id="a known function is fine"),
        pytest.param("", "empty", id="an empty expression"),
        pytest.param("docs[", "column 6: the expression ends too early", id="an expression that stops"),
        pytest.param("a..b", "column 3: '.' does not fit here", id="a token too many"),
        pytest.param("a#b", "column 2: Unknown token", id="a sign JMESPath does not have"),
        pytest.param("{x: shout(a)}", "column 5: unknown function shout()", id="a function JMESPath does not have"),
    ],
)
def test_a_bad_expression_is_named_with_its_column(expression: str, words: str | None) -> None:
    problem = expression_problem(expression)
    assert problem is None if words is None else words in str(problem)


@pytest.mark.parametrize(
    ("response", "reply", "expected"),
    [
        pytest.param(
            {"answer": "output.text", "context": "docs[].id", "candidates": "hits"},
            {"output": {"text": "30 days"}, "docs": [{"id": "c1"}, {"id": "c2"}]},
            {"answer": "30 days", "context": ["c1", "c2"]},
            id="paths are applied and what finds nothing is left out",
        ),
        pytest.param(
            {"answer": "t", "abstained": "no", "claims": "cs"},
            {"t": "x", "no": True, "cs": [{"text": "x"}]},
            {"answer": {"text": "x", "abstained": True, "claims": [{"text": "x"}]}},
            id="abstained and claims go inside the answer",
        ),
    ],
)
def test_a_reply_becomes_trace_json(response: dict[str, str], reply: Any, expected: Any) -> None:
    mapped = compile_response(response).trace_json(reply)
    assert mapped == expected
    assert Trace.model_validate_json(json.dumps(mapped))


@pytest.mark.parametrize(
    ("response", "reply", "words"),
    [
        pytest.param({"answer": "output.text"}, {"detail": "no"}, "answer (output.text)", id="nothing mapped is there"),
        pytest.param(
            {"answer": "length(docs)"},
            {"docs": 3},
            "`response: answer`: length() needs string or array or object, found number",
            id="type",
        ),
    ],
)
def test_a_reply_that_does_not_fit_says_why(response: dict[str, str], reply: Any, words: str) -> None:
    with pytest.raises(ReplyMismatchError) as caught:
        compile_response(response).trace_json(reply)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("response", "words"),
    [
        pytest.param({"anwser": "a"}, "unknown field 'anwser'", id="an unknown field"),
        pytest.param({"answer": "a["}, "column 3", id="a bad expression"),
    ],
)
def test_a_mapping_that_cannot_work_is_refused(response: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        compile_response(response)


@pytest.mark.parametrize(
    ("body", "case", "expected"),
    [
        pytest.param(
            None,
            ASKED,
            {"case_id": "q1", "question": "How long?", "input": {"tenant": "eu"}},
            id="default: what it asks",
        ),
        pytest.param(
            None,
            TALK,
            {"case_id": "q2", "messages": [{"role": "user", "content": "Hi"}, {"role": "user", "content": "And now?"}]},
            id="default: a question is not made up from messages",
        ),
        pytest.param(
            {"q": "{{question}}", "meta": ["{{input}}", 3, None], "id": "{{ case_id }}"},
            ASKED,
            {"q": "How long?", "meta": [{"tenant": "eu"}, 3, None], "id": "q1"},
            id="a whole placeholder becomes the value",
        ),
        pytest.param(
            {"p": "Q: {{question}} ({{case_id}}, {{input}})"},
            ASKED,
            {"p": 'Q: How long? (q1, {"tenant": "eu"})'},
            id="inside a longer string it becomes text",
        ),
        pytest.param("{{question}}", TALK, "And now?", id="the question of a conversation is its last turn"),
        pytest.param(
            {"m": "{{messages}}"},
            ASKED,
            {"m": [{"role": "user", "content": "How long?"}]},
            id="the messages of a plain question are one user turn",
        ),
        pytest.param({"i": "{{input}}", "t": "<{{input}}>"}, TALK, {"i": None, "t": "<>"}, id="no input is null"),
    ],
)
def test_a_case_becomes_a_request(body: Any, case: Case, expected: Any) -> None:
    assert request_body(body, case) == expected


def test_no_expectation_reaches_the_app() -> None:
    whole = Case(case_id="q", question="?", must_contain=("secret phrase",), reference_answer="secret", weight=3)
    assert request_body(None, whole) == {"case_id": "q", "question": "?"}


def test_an_unknown_placeholder_names_the_known_ones() -> None:
    body: Any = {"deep": ["x {{questoin}}"]}
    with pytest.raises(UsageError, match="questoin") as caught:
        request_body(body, ASKED)
    assert all(name in caught.value.hint for name in ("question", "messages", "case_id", "input"))
    assert "questoin" in str(placeholder_problem(body))
    assert placeholder_problem({"q": "{{question}}"}) is None


@given(st.text())
def test_a_question_is_never_taken_for_a_template(question: str) -> None:
    case = Case(case_id="q", question="{{case_id}}" + question)
    assert request_body("say: {{question}}", case) == "say: {{case_id}}" + question


def test_jmespath_is_loaded_only_when_a_mapping_is_used() -> None:
    code = (
        "import sys; from raggate_action.targets.reply_mapping import ReplyMapping; ReplyMapping();"
        "assert 'jmespath' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("expression", "reply", "found"),
    [
        ("body.from_json(@).answer", {"body": '{"answer": "A b."}'}, "A b."),
        ("lines.from_json(@)[].n", {"lines": '{"n": 1}\n{"n": 2}\n'}, [1, 2]),
        ("body.from_json(@)", {"body": "A b."}, None),
        ("body.from_json(@)", {"body": 7}, None),
        (
            "last_said(c)",
            {"c": [{"type": "text", "text": "I look."}, {"type": "tool_use"}, {"type": "text", "text": "A b."}]},
            "A b.",
        ),
        ("last_said(c)", {"c": [{"type": "text", "text": "A "}, {"type": "text", "text": "b."}]}, "A b."),
        ("last_said(c)", {"c": [{"type": "text", "text": "A b."}, {"type": "tool_use"}]}, "A b."),
        ("last_said(c)", {"c": [{"type": "tool_use"}]}, None),
        ("last_said(c)", {"c": "A b."}, None),
    ],
)
def test_functions_that_jmespath_has_not(expression: str, reply: Any, found: Any) -> None:
    assert compile_response({"answer": expression}).value("answer", reply) == found
