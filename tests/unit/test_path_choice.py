"""Where an app's replies have answer and context is chosen once, by its first three; one case never ends a run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import TargetError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import NO_SECRETS
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Answered, Reply, TargetFailure, Trace
from raggate_action.targets.path_choice import ChoosingApp
from raggate_action.targets.read_reply import OffSchema, Unread, read_trace, reply_from
from raggate_action.targets.recorded_target import RecordedTraces
from raggate_action.targets.reply_mapping import ReplyMapping, shape_of
from tests.builders import make_case, make_chunk, make_store
from tests.integration.asking import ask_all, error, numbered

TEXT = "Refunds take 30 days."
PASSAGE = "Refunds take 30 days from the day of purchase."
GOOD = {"reply": TEXT, "hits": [{"id": "c1", "body": PASSAGE}], "model": "m"}
DECLINED = {"reply": "I do not know.", "hits": [], "model": "m"}
PATHS = {"answer": "reply", "context": "hits"}


class Says:
    """An app that takes all its cases at once and replies what it is given, in the order it is given."""

    def __init__(self, replies: Sequence[tuple[int, Any]], mapping: ReplyMapping) -> None:
        self._replies = list(replies)
        self.mapping = mapping
        self.given = 0

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
        taken = list(cases)
        for number, said in self._replies:
            await asyncio.sleep(0)
            if isinstance(said, Exception):
                raise said
            self.given += 1
            raw = json.dumps(said).encode()
            yield taken[number], self._read(raw, waits=True)

    def _read(self, raw: bytes, *, waits: bool) -> Reply | Unread:
        read = read_trace(
            raw, self.mapping, NO_SECRETS, again=(lambda: self._read(raw, waits=False)) if waits else None
        )
        return reply_from(read, raw, 1.0, ErrorLines())


class Asked:
    """A run of an app: its replies as they came out, what was told, and how many the app had given by then."""

    def __init__(self, *replies: Any, order: Sequence[int] | None = None, asks_context: bool = True) -> None:
        self.told: list[str] = []
        self.stored: list[dict[str, str]] = []
        self.came: list[tuple[str, Reply, int]] = []
        says = Says([(n, replies[n]) for n in order or range(len(replies))], ReplyMapping())
        says.mapping.keep = self.stored.append
        self.app = ChoosingApp(says, asks_context=asks_context, tell=self.told.append)
        cases = [PlacedCase(make_case(case_id=f"q{n}"), n, "d", "f", 1) for n in range(len(replies))]

        async def take() -> None:
            async for placed, reply in self.app.replies(cases):
                self.came.append((placed.case.case_id, reply, says.given))

        asyncio.run(take())

    @property
    def replies(self) -> dict[str, Reply]:
        return {case_id: reply for case_id, reply, _given in self.came}


def text(reply: Reply) -> str:
    assert isinstance(reply, Answered), reply
    return reply.trace.reply.text


def test_the_paths_are_chosen_by_the_first_three_with_an_answer_and_passages_told_once_and_kept() -> None:
    run = Asked(DECLINED, GOOD, GOOD, GOOD, GOOD)
    assert [text(reply) for reply in run.replies.values()] == ["I do not know.", *[TEXT] * 4]
    assert [given for _case, _reply, given in run.came] == [4, 4, 4, 4, 5], "the decline waits with the three"
    assert run.told == ["read from the app's replies: answer from `reply`, context from `hits`"]
    assert run.stored == [PATHS]


def test_the_first_in_the_suites_order_choose_though_others_arrive_before_them() -> None:
    other = {"completion": TEXT, "passages": GOOD["hits"]}
    late = Asked(GOOD, GOOD, GOOD, other, other, other, order=[5, 4, 3, 2, 1, 0])
    assert late.app.mapping.paths == PATHS
    assert [given for _case, _reply, given in late.came] == [6] * 6
    early = Asked(other, other, other, GOOD, GOOD, GOOD, order=[5, 4, 3, 2, 1, 0])
    assert early.app.mapping.paths == {"answer": "completion", "context": "passages"}


def test_no_more_than_twenty_replies_wait() -> None:
    run = Asked(*[DECLINED] * 30)
    assert run.came[0][2] == 20
    assert len(run.came) == 30


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"answer": TEXT, "context": ["c1"]}, id="a trace"),
        pytest.param(TEXT, id="plain text"),
        pytest.param({"response": TEXT, "source_nodes": [{"node": {"id_": "c1", "text": PASSAGE}}]}, id="a known form"),
        pytest.param({"error": "no index"}, id="an error"),
    ],
)
def test_what_needs_no_choice_passes_at_once(said: Any) -> None:
    run = Asked(said, said)
    assert [given for _case, _reply, given in run.came] == [1, 2]
    assert (run.stored, run.told) == ([], [])


def test_a_later_reply_is_read_by_the_paths_else_by_a_known_form_else_it_fails_with_the_path() -> None:
    openai = {"choices": [{"message": {"role": "assistant", "content": "Thirty days."}}]}
    other = {"reply_text": TEXT, "hits": GOOD["hits"]}
    run = Asked(GOOD, GOOD, GOOD, openai, other, {"status": "failed", "message": "no index"}, GOOD)
    assert text(run.replies["q3"]) == "Thirty days."
    assert error(run.replies["q4"]) == (
        "reply is off schema: reply-shape: `answer: reply` finds nothing in it; write under `target: response:` where "
        "it stands; the reply is {reply_text: string, hits: [{id: string, body: string}]}"
    )
    assert error(run.replies["q5"]) == "no index"
    assert text(run.replies["q6"]) == TEXT


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param(
            {"answer": "It is A.", "output": "It is B.", "hits": GOOD["hits"]},
            "its answer is not clear (several texts could be it): `answer`, `output`; write which is meant under "
            "`target:`, as in `response: {answer: answer}`",
            id="two answers",
        ),
        pytest.param(
            {"reply": TEXT, "sources": ["a.md", "b.md"]},
            "its context is not clear (it names sources without their texts): `sources`; write which is meant under "
            "`target:`, as in `response: {answer: reply, context: sources}`",
            id="names of sources",
        ),
        pytest.param(
            {"took": 3},
            "nothing in it is an answer; write where it stands under `target:`, as in `response: {answer: output.text}`; "
            "the reply is {took: number}",
            id="nothing",
        ),
    ],
)
def test_replies_that_nobody_can_read_fail_case_by_case(said: Any, words: str) -> None:
    run = Asked(said, said, said)
    assert [error(reply) for reply in run.replies.values()] == [f"reply is off schema: reply-shape: {words}"] * 3
    assert run.stored == []


def test_one_reply_that_nobody_can_read_spoils_no_other() -> None:
    run = Asked({"took": 3}, GOOD, GOOD, GOOD)
    assert [isinstance(reply, Answered) for reply in run.replies.values()] == [False, True, True, True]


def test_ids_alone_are_the_context_where_a_store_has_their_texts() -> None:
    mapping = ReplyMapping(store=make_store(make_chunk("c1", TEXT)))
    app = Says([(0, {"reply": TEXT, "sources": ["c1"]})], mapping)
    reply = ask_all(ChoosingApp(app, asks_context=True, tell=lambda _line: None), numbered(1))["q0"]
    assert isinstance(reply, Answered)
    assert reply.trace.ids("context") == ("c1",)


def test_without_a_context_asked_for_none_is_needed() -> None:
    said = {"reply": TEXT, "sources": ["a.md"]}
    assert [text(reply) for reply in Asked(said, said, asks_context=False).replies.values()] == [TEXT, TEXT]
    bare = Asked(*[{"reply": TEXT, "x": 1}] * 2)
    assert [isinstance(reply, Answered) and reply.trace.context for reply in bare.replies.values()] == [None, None]


def test_an_app_that_is_gone_loses_no_reply_it_gave() -> None:
    says = Says([(0, GOOD), (1, TargetError("gone", hint="Start it."))], ReplyMapping())
    app, seen = ChoosingApp(says, asks_context=True, tell=lambda _line: None), list[Reply]()

    async def take() -> None:
        async for _placed, reply in app.replies(numbered(2)):
            seen.append(reply)

    with pytest.raises(TargetError, match="gone"):
        asyncio.run(take())
    assert [text(reply) for reply in seen] == [TEXT]


def test_a_run_that_goes_on_reads_by_the_paths_that_it_chose_before() -> None:
    mapping = ReplyMapping()
    mapping.read_by({"answer": "said", "context": "hits"})
    says = Says([(0, {**GOOD, "said": "Thirty days."})], mapping)
    replies = ask_all(ChoosingApp(says, asks_context=True, tell=lambda _line: None), numbered(1))
    assert text(replies["q0"]) == "Thirty days."


def test_repeated_chunks_are_noted_once() -> None:
    twice = {"reply": TEXT, "hits": [*GOOD["hits"], *GOOD["hits"]]}
    run = Asked(twice, GOOD, twice)
    assert run.app.problems == ("In 2 replies a chunk stands more than once in a stage; it is counted once.",)


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


@pytest.mark.parametrize("raw", ["7", "null", "true"])
def test_what_is_neither_object_nor_text_is_no_reply(raw: str) -> None:
    read = read_trace(raw.encode(), ReplyMapping())
    assert isinstance(read, OffSchema)
    assert "write one JSON object" in read.problem


def test_the_shape_of_a_reply_shows_keys_and_types_and_no_value() -> None:
    reply: Any = {"output": {"text": "It takes 30 days.", "docs": [{"id": "c1", "score": 0.5}]}, "cached": False}
    assert shape_of(reply) == "{output: {text: string, docs: [{id: string, score: number}]}, cached: boolean}"
    filed_under_text: Any = {"answers": {"The vault opens with ZX-4471-QQ after midnight.": "yes"}}
    assert shape_of(filed_under_text) == "{answers: {(another key): string}}"
    assert shape_of({f"key{n}": n for n in range(20)}).endswith("key11: number, ...}")
    deep: Any = "x"
    for _ in range(50):
        deep = {"a": deep}
    assert shape_of(deep) == "{a: {a: {a: {a: {a: {a: {...}}}}}}}"


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
    assert all(trace.context_chunks[0].text in {TEXT, PASSAGE} for trace in traces)
    assert target.problems == ()


def test_a_recorded_reply_nobody_can_read_is_its_cases_failure(tmp_path: Path) -> None:
    lines = [{"case_id": f"q{n}", **(GOOD if n < 3 else {"took": 3})} for n in range(4)]
    replies = ask_all(recorded(tmp_path, lines), numbered(4))
    assert isinstance(replies["q0"], Answered)
    assert isinstance(replies["q3"], TargetFailure)
    assert "answers.jsonl:4: off schema: reply-shape: `answer: reply` finds nothing in it" in error(replies["q3"])
