"""An app of which answer or context cannot be told is told once; one that is understood is never held up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import MappingError, TargetError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import NO_SECRETS
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Answered, Reply, TargetFailure, Trace
from raggate_action.targets.mapping_probe import UnderstoodApp
from raggate_action.targets.read_reply import OffSchema, read_trace, reply_from
from raggate_action.targets.recorded_target import RecordedTraces, first_read
from raggate_action.targets.reply_mapping import ReplyMapping
from tests.builders import make_case, make_chunk, make_store
from tests.integration.asking import ask_all, error, numbered

TEXT = "Refunds take 30 days."
GOOD = {"answer": TEXT, "contexts": [TEXT], "model": "m"}


class Says:
    """An app that replies what it is given, in turn; an exception is raised in its place."""

    def __init__(self, replies: Iterable[Any], mapping: ReplyMapping) -> None:
        self._replies = list(replies)
        self._mapping = mapping
        self.given = 0

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        for placed, said in zip(cases, self._replies, strict=False):
            await asyncio.sleep(0)
            if isinstance(said, Exception):
                raise said
            self.given += 1
            raw = json.dumps(said).encode()
            yield placed, reply_from(read_trace(raw, self._mapping, NO_SECRETS), raw, 1.0, ErrorLines())


def asked(
    *replies: Any, asks_context: bool = True, stops: bool = True, expect: str = "answer"
) -> tuple[list[Reply], list[str], UnderstoodApp]:
    mapping, lines = ReplyMapping(), list[str]()
    app = UnderstoodApp(Says(replies, mapping), mapping, asks_context=asks_context, stops=stops, tell=lines.append)
    cases = [PlacedCase(make_case(case_id=f"q{n}", expect=expect), n, "d", "f", 1) for n in range(len(replies))]

    async def all_of() -> list[Reply]:
        return [reply async for _placed, reply in app.replies(cases)]

    return asyncio.run(all_of()), lines, app


def test_what_was_taken_is_told_once_and_kept() -> None:
    replies, lines, app = asked(GOOD, GOOD, GOOD)
    assert [reply.trace.reply.text for reply in replies if isinstance(reply, Answered)] == [TEXT] * 3
    assert lines == ["read from the app's replies: answer from `answer`, context from `contexts`; not read: model"]
    assert app.paths == {"answer": "answer", "context": "contexts"}
    assert app.problems == ()


def test_of_trace_json_nothing_has_to_be_told() -> None:
    replies, lines, app = asked({"answer": "A", "context": ["c1"]})
    assert (len(replies), lines, app.paths) == (1, [], {})


def test_keys_that_may_be_values_are_not_shown() -> None:
    _replies, lines, _app = asked({**GOOD, "the salary of the chief is 3 M": 1})
    assert lines[0].endswith("not read: model, (another key)")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param({"answer": "A", "output": "B"}, "both `answer` and `output` fit `answer`", id="two that differ"),
        pytest.param(
            {"answer": "A", "docs": [TEXT], "sources": ["a.md"]},
            "both `docs` and `sources` fit `context`",
            id="two contexts",
        ),
        pytest.param(
            {"spoken": "A", "contexts": [TEXT]}, "as in `response: {answer: spoken}`", id="an answer nobody knows"
        ),
        pytest.param({"answr": "A"}, "answr: unknown field; did you mean answer?", id="a slip"),
        pytest.param("A", "none of the app's first 12 answers says what context it was given", id="a plain string"),
        pytest.param({"answer": "A", "context": None}, "says what context it was given", id="a context that is null"),
        pytest.param(
            {"answer": "A", "x": 1}, "a reply is {answer: string, x: number}", id="no context, and another form"
        ),
    ],
)
def test_an_app_that_is_not_understood_ends_a_first_run(said: Any, words: str) -> None:
    with pytest.raises(MappingError) as told:
        asked(*[said] * 12)
    assert words.replace("12", "10") in str(told.value)
    later, _lines, _app = asked(*[said] * 12, stops=False)
    assert len(later) == 12, "what worked on the baseline fails case by case"


def test_one_reply_that_is_understood_is_enough() -> None:
    mixed = [{"answer": "A"}] * 4 + [{"answer": "A", "output": "B"}] * 4 + [GOOD] + [{"answer": "A"}] * 3
    replies, _lines, _app = asked(*mixed)
    assert [type(reply).__name__ for reply in replies] == ["Answered"] * 4 + ["TargetFailure"] * 4 + ["Answered"] * 4
    assert "both `answer` and `output`" in error(replies[4])


def test_an_app_whose_errors_hide_its_form_is_judged_by_its_errors() -> None:
    replies, _lines, _app = asked(*[{"error": "no index"}] * 12)
    assert [error(reply) for reply in replies] == ["no index"] * 12
    with pytest.raises(TargetError, match="gone"):
        asked({"answer": "A"}, TargetError("gone", hint="Start it."))


def given_before_the_end(*replies: Any) -> tuple[int, int]:
    """How many replies came out before the app's end, and how many the app had been asked for by its end."""
    mapping = ReplyMapping()
    says = Says(replies, mapping)
    app = UnderstoodApp(says, mapping, asks_context=True, stops=True, tell=lambda _line: None)
    cases = [PlacedCase(make_case(case_id=f"q{n}"), n, "d", "f", 1) for n in range(len(replies))]
    seen = 0

    async def read() -> None:
        nonlocal seen
        async for _answer in app.replies(cases):
            seen += 1

    with pytest.raises((MappingError, TargetError)):
        asyncio.run(read())
    return seen, says.given


def test_no_more_than_ten_replies_are_waited_for() -> None:
    assert given_before_the_end(*[{"answer": "A"}] * 30) == (0, 10)


def test_an_app_that_is_gone_loses_no_reply_it_gave() -> None:
    assert given_before_the_end({"answer": "A"}, {"answer": "A"}, TargetError("gone", hint="Start it.")) == (2, 2)


def test_declines_alone_do_not_speak_against_an_app() -> None:
    replies, _lines, _app = asked({"answer": "I do not know."}, {"answer": "I do not know."}, expect="abstain")
    assert len(replies) == 2


def test_without_a_context_asked_for_none_is_needed() -> None:
    replies, lines, _app = asked("A", "B", asks_context=False)
    assert [reply.trace.reply.text for reply in replies if isinstance(reply, Answered)] == ["A", "B"]
    assert lines == ["read from the app's replies: answer from `@`"]


def test_an_app_that_is_asked_again_is_known() -> None:
    _replies, _lines, app = asked(GOOD, {"answer": "A"})
    again = UnderstoodApp(app.app, app.mapping, asks_context=True, stops=True, tell=lambda _line: None)
    bare = PlacedCase(make_case(case_id="q1"), 1, "d", "f", 1)

    async def twice() -> list[Reply]:
        first = [reply async for _placed, reply in again.replies([bare])]
        again.app = Says([{"answer": "A"}], again.mapping)
        return first + [reply async for _placed, reply in again.replies([bare])]

    assert len(asyncio.run(twice())) == 2


def test_repeated_chunks_are_noted_once() -> None:
    twice = {"answer": TEXT, "contexts": [TEXT, TEXT]}
    _replies, _lines, app = asked(twice, GOOD, twice)
    assert app.problems == ("In 2 replies a chunk stands more than once in a stage; it is counted once.",)


def test_a_mapping_of_the_suite_reads_texts_documents_and_messages_too() -> None:
    store = make_store(make_chunk("refunds", TEXT))
    mapping = ReplyMapping({"answer": "state.messages[-1]", "context": "state.found"}, store)
    message = {"type": "ai", "content": [{"type": "text", "text": "Thirty days."}]}
    reply = {"state": {"messages": [message], "found": [{"page_content": f" {TEXT}"}, "Another text."]}}
    trace = read_trace(json.dumps(reply).encode(), mapping)
    assert isinstance(trace, Trace)
    assert trace.reply.text == "Thirty days."
    assert trace.context_chunks[0].chunk_id == "refunds"
    assert [chunk.text for chunk in trace.context_chunks] == [None, "Another text."]


@pytest.mark.parametrize("raw", ["[1]", "7", "null", "true"])
def test_what_is_neither_object_nor_text_is_no_reply(raw: str) -> None:
    read = read_trace(raw.encode(), ReplyMapping())
    assert isinstance(read, OffSchema)
    assert "write one JSON object" in read.problem


# Recorded


def recorded(folder: Path, lines: Iterable[Any], response: Any = "auto") -> RecordedTraces:
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return RecordedTraces(file, labelled=False, known=lambda _id: True, mapping=ReplyMapping(response))


@pytest.mark.parametrize("order", [1, -1], ids=["in the cases' order", "reversed"])
@pytest.mark.parametrize(
    ("line", "response"),
    [
        pytest.param(lambda n: {"case_id": f"q{n}", **GOOD}, "auto", id="auto"),
        pytest.param(lambda n: {"case_id": f"q{n}", "answer": TEXT, "context": [TEXT]}, "auto", id="texts in a trace"),
        pytest.param(
            lambda n: {"id": f"q{n}", "out": {"said": TEXT, "found": [TEXT]}},
            {"case_id": "id", "answer": "out.said", "context": "out.found"},
            id="a mapping with the case",
        ),
        pytest.param(
            lambda n: {"case_id": f"q{n}", "said": TEXT, "found": [TEXT]},
            {"answer": "said", "context": "found"},
            id="a mapping without it",
        ),
    ],
)
def test_recorded_replies_are_read_as_live_ones(tmp_path: Path, line: Any, response: Any, order: int) -> None:
    target = recorded(tmp_path, [line(n) for n in range(3)][::order], response)
    replies = ask_all(target, numbered(3))
    traces = [replies[f"q{n}"].trace for n in range(3) if isinstance(replies[f"q{n}"], Answered)]  # type: ignore[union-attr]
    assert [(trace.reply.text, trace.case_id) for trace in traces] == [(TEXT, f"q{n}") for n in range(3)]
    assert all(trace.context_chunks[0].text == TEXT for trace in traces)
    assert target.problems == ()


def test_a_recorded_reply_nobody_can_read_is_its_cases_failure(tmp_path: Path) -> None:
    clash = {"case_id": "q1", "answer": "A", "output": "B"}
    replies = ask_all(recorded(tmp_path, [{"case_id": "q0", **GOOD}, clash]), numbered(3))
    assert isinstance(replies["q0"], Answered)
    assert isinstance(replies["q1"], TargetFailure)
    assert "answers.jsonl:2: off schema: both `answer` and `output` fit `answer`" in error(replies["q1"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (GOOD, ["read from the app's replies: answer from `answer`, context from `contexts`; not read: model"]),
        ({"answer": "A", "context": ["c1"]}, []),
        (
            {"answer": "A", "output": "B"},
            ["the first of the recorded replies cannot be read: both `answer` and `output`"],
        ),
    ],
)
def test_what_check_suite_says_of_recorded_replies(tmp_path: Path, line: Any, words: list[str]) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("\n" + json.dumps(line) + "\n")
    found = list(first_read(file, ReplyMapping()))
    assert len(found) == len(words)
    assert all(said.startswith(word) for said, word in zip(found, words, strict=True))
