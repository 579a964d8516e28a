"""The texts of a first suite: what is written reads back as what was meant, whatever stands in a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.cli.commands import App
from raggate_action.cli.named_app import app_in_words, target_of_options
from raggate_action.errors import UsageError
from raggate_action.onboarding.app_probe import target_error
from raggate_action.onboarding.starter_cases import StarterCase, from_evidence
from raggate_action.onboarding.suite_text import cases_text
from raggate_action.schema.case import Case
from raggate_action.schema.target import FunctionTarget, HttpTarget
from raggate_action.schema.trace import TargetFailure, TracedChunk
from raggate_action.suite_files.located_records import read_record
from raggate_action.suite_files.located_tree import MappingNode, Scalar, SequenceNode
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.yaml_file import read_yaml, scalar


@given(st.text(min_size=1, max_size=40))
def test_any_text_is_read_back_as_it_was(text: str) -> None:
    problems = FileProblems("f")
    node = read_yaml(f"x: {scalar(text)}\n", problems)
    assert not len(problems), problems.kept
    assert isinstance(node, MappingNode)
    value = node.get("x")
    assert isinstance(value, Scalar)
    assert value.value == text


def test_half_a_surrogate_pair_is_no_character_of_a_file() -> None:
    assert scalar("a\ud800b") == '"a\\ufffdb"'


@pytest.mark.parametrize("text", ["no", "True", "null", "1.10", "007", "2026-06-02", "a: b", "a #b", "- a", "", "x "])
def test_a_text_that_looks_like_something_else_is_quoted(text: str) -> None:
    assert scalar(text).startswith('"')


def test_cases_are_read_as_they_were_meant() -> None:
    cases = (
        StarterCase(
            "how-long",
            'How "long"? # or: not',
            {"reference_answer": "30 days", "required_source_ids": ["a b", "c#1"]},
            remark="made\nup",
        ),
        StarterCase("cannot", "Who?", {"expect": "abstain"}),
    )
    problems = FileProblems("f")
    node = read_yaml(cases_text(cases), problems)
    assert isinstance(node, SequenceNode)
    read = [read_record(Case, item, problems) for item in node.items]
    assert [str(each) for each in problems.kept] == []
    assert read == [
        Case(case_id="how-long", question='How "long"? # or: not', reference_answer="30 days", required_source_ids=("a b", "c#1")),
        Case(case_id="cannot", question="Who?", expect="abstain"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("context", "questions"),
    [
        pytest.param(["# Returns\n\nParcels can be returned\nwithin 30 days.", "Refunds are paid in five days."], ["What do the documents say about “Parcels can be returned within 30 days”?", "What do the documents say about “Refunds are paid in five days”?"], id="a sentence of each, over line ends"),
        pytest.param(["It opens at nine. The fee is 20 EUR for each parcel sent abroad from here."], ["What do the documents say about “The fee is 20 EUR for each parcel…”?", "What do the documents say about “It opens at nine”?"], id="one chunk, each sentence once, the one with a number first"),
        pytest.param(["A repair takes ten days. It opens at nine.", "A repair takes ten days."], ["What do the documents say about “A repair takes ten days”?", "What do the documents say about “It opens at nine”?"], id="chunks that overlap"),
        pytest.param(["of delivery, and then"], [], id="a piece of a sentence"),
        pytest.param(["| a | b |\n|---|---|\n| 1 | 2 |"], [], id="a table"),
    ],
)  # fmt: skip
def test_questions_are_made_of_what_the_evidence_says(context: list[str], questions: list[str]) -> None:
    chunks = [TracedChunk(chunk_id=f"c{place}", text=text) for place, text in enumerate(context)]
    cases = from_evidence(chunks, question=None, own_ids=True)
    assert [case.question for case in cases] == questions
    assert all(case.labels["required_source_ids"] for case in cases)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(App(function="rag.ask"), "--function is 'rag.ask'", id="a dot for the colon"),
        pytest.param(App(url="localhost:8000/ask"), "--url is 'localhost:8000/ask', which is no address: it does not begin with http:// or https://", id="no scheme"),
        pytest.param(App(url="http://me:hunter2@host/ask"), "--url holds a password, which would be written into the suite", id="a password"),
        pytest.param(App(url="http://h/a", header=["Authorization: Bearer s3cret-value"]), "--header 'Authorization' holds a value that would be written into the suite", id="a key"),
        pytest.param(App(url="http://h/a", header=["Bearer s3cret-value"]), "--header is no header of the form 'Name: value' (it begins 'Bearer s3cret-value')", id="no header"),
        pytest.param(App(url="http://h/a", body="{question}"), "--body is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)", id="no JSON"),
        pytest.param(App(url="http://h/a", body='{"q": "hello"}'), "--body asks nothing of the case", id="no placeholder"),
        pytest.param(App(url="http://h/a", body='{"q": "{{query}}"}'), "--body: unknown placeholder '{{query}}'; known are question, messages, case_id, input", id="another placeholder"),
        pytest.param(App(url="http://h/a?q={question}"), "--url says {question}, which is sent as it stands", id="a placeholder in the address"),
        pytest.param(App(url="http://h/a", header=["X-Q: {{question}}"]), "--header says {{question}}, which is sent as it stands", id="a placeholder in a header"),
        pytest.param(App(function="a:b", env=["A=1"]), "--env is 'A=1', which names no variable", id="a value"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_or_must_not_be_written_is_refused(options: App, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        target_of_options(options)
    assert str(caught.value) == message


def test_the_hint_for_a_dotted_function_is_what_to_write() -> None:
    with pytest.raises(UsageError) as caught:
        target_of_options(App(function="shop.rag.ask"))
    assert caught.value.hint == "Write it as module:callable, as in shop.rag:ask."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("http://localhost:8000/ask", "url"),
        ("rag:ask", "function"),
        ("rag.ask", "function"),
        ("answers.jsonl", "PosixPath"),
        ("my app", "None"),
        ("", "None"),
    ],
)
def test_what_a_person_says_of_the_app_is_understood(text: str, kind: str) -> None:
    said = app_in_words(text)
    found = type(said).__name__ if not isinstance(said, App) else "url" if said.url else "function"
    assert found.removesuffix("Type") == kind


HTTP = HttpTarget(kind="http", url="http://shop.example/ask?key=s3cret-value")


@pytest.mark.parametrize(
    ("error", "excerpt", "message", "hint"),
    [
        pytest.param("cannot connect to shop.example: connection refused, for 3 s. x", "", "nothing listens at http://shop.example/ask", "Start your app", id="down"),
        pytest.param("cannot connect to shop.example: the host name is not known", "", "http://shop.example/ask: the host name is not known", "Correct the address", id="no such host"),
        pytest.param("no answer within 60 s", "", "http://shop.example/ask gave no answer within 60 s", "by hand", id="slow"),
        pytest.param("401 Unauthorized: no key", "no key", "http://shop.example/ask wants a key: 401 Unauthorized: no key", "--header 'Authorization: Bearer ${APP_KEY}'", id="a key"),
        pytest.param("401 Unauthorized: x", '{"detail": "Missing X-API-Key header"}', "http://shop.example/ask wants a key: 401 Unauthorized: x", "--header 'X-API-Key: ${APP_KEY}'", id="a key in its own header"),
        pytest.param("404 Not Found", "<html>", "there is nothing at http://shop.example/ask: 404 Not Found", "your front end asks", id="elsewhere"),
        pytest.param("422 Unprocessable Content: x", "x", "http://shop.example/ask refuses every usual form of a question: 422 Unprocessable Content: x", "--body", id="another form"),
        pytest.param("reply is not JSON: x", "<!DOCTYPE html><html>", "http://shop.example/ask answers with a page (HTML), not with JSON", "of its interface", id="a page"),
        pytest.param("reply is not JSON: x", "Hello", "http://shop.example/ask: reply is not JSON: x", "contexts", id="plain text"),
        pytest.param("500 Internal Server Error", "", "http://shop.example/ask failed: 500 Internal Server Error", "log", id="it fails"),
    ],
)  # fmt: skip
def test_an_app_that_gives_no_answer_is_told_of_with_what_to_do(
    error: str, excerpt: str, message: str, hint: str
) -> None:
    found = target_error(TargetFailure(error, 1.0, excerpt), HTTP)
    assert str(found) == message
    assert hint in found.hint
    assert "s3cret" not in f"{found}{found.hint}"


def test_a_function_that_lacks_its_key_says_which_to_name() -> None:
    target = FunctionTarget(kind="function", function="rag:ask")
    found = target_error(TargetFailure("KeyError: 'OPENAI_API_KEY' (rag.py line 3)"), target)
    assert found.hint == "Only variables that are named reach the app: give --env OPENAI_API_KEY."
