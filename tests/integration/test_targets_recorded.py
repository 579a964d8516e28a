from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.errors import TargetError
from raggate_action.schema.json_lines import trace_line
from raggate_action.schema.target import RecordedTarget
from raggate_action.schema.trace import Answered, NoTrace, Trace, TracedChunk
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.recorded_target import RecordedTraces
from raggate_action.targets.target_factory import build_target
from tests.builders import make_rules
from tests.integration.asking import answer, ask_all, error, latency_ms, numbered, placed

KNOWN = frozenset({*(f"q{n}" for n in range(1000)), "other"})


def line(case_id: str, **fields: Any) -> str:
    return json.dumps({"case_id": case_id, "answer": f"to {case_id}", **fields})


def recorded(directory: Path, *lines: str, labelled: bool = False) -> RecordedTraces:
    file = directory / "traces.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines))
    return RecordedTraces(file, labelled=labelled, known=KNOWN.__contains__)


def places(target: RecordedTraces) -> list[str]:
    """Problems without their directory."""
    return [problem.rpartition("/")[2] for problem in target.problems]


ORDERS: dict[str, Callable[[list[str]], list[str]]] = {
    "the cases' order": lambda lines: lines,
    "reversed": lambda lines: lines[::-1],
    "shuffled": lambda lines: random.Random(5).sample(lines, len(lines)),
    "others between": lambda lines: [other for line_ in lines for other in (line("other"), line_)],
    "rotated": lambda lines: lines[1:] + lines[:1],
}


@pytest.mark.parametrize("order", [pytest.param(order, id=name) for name, order in ORDERS.items()])
def test_traces_join_their_cases_whatever_their_order(tmp_path: Path, order: Callable[[list[str]], list[str]]) -> None:
    lines = [line(f"q{n}") for n in range(20)]
    replies = ask_all(recorded(tmp_path, *order(lines)), numbered(20))
    assert {case_id: answer(reply) for case_id, reply in replies.items()} == {f"q{n}": f"to q{n}" for n in range(20)}
    assert list(replies) == [f"q{n}" for n in range(20)]


def test_a_case_without_a_trace_is_unmeasured(tmp_path: Path) -> None:
    target = recorded(tmp_path, line("q0"), line("q2"))
    replies = ask_all(target, numbered(4))
    assert (
        replies["q1"] == replies["q3"] == NoTrace(reason="trace", detail=f"{tmp_path}/traces.jsonl has no trace of it")
    )
    assert answer(replies["q2"]) == "to q2"
    assert target.problems == ()


BROKEN = '{"case_id": "q1", "answer": oops}'


@pytest.mark.parametrize("swap", [False, True], ids=["in the cases' order", "in another order"])
@pytest.mark.parametrize(
    ("bad", "words"),
    [
        pytest.param(BROKEN, "traces.jsonl:2: not JSON at column 29: expected value; it starts", id="not JSON"),
        pytest.param(
            line("q1", context=[1.5]),
            "traces.jsonl:2: off schema: context[0]: write a chunk id",
            id="off schema",
        ),
        pytest.param('{"answer": 3, "case_id": "q1"}', "traces.jsonl:2: off schema: answer", id="id comes last"),
        pytest.param(line("q1", error="no index\nfound"), "no index found", id="the app's own error"),
    ],
)
def test_a_line_off_schema_is_its_cases_failure(tmp_path: Path, bad: str, words: str, swap: bool) -> None:  # noqa: FBT001
    last = [line("q3"), line("q2")] if swap else [line("q2"), line("q3")]
    target = recorded(tmp_path, line("q0"), bad, *last)
    replies = ask_all(target, numbered(4))
    assert words in error(replies["q1"])
    assert [answer(replies[f"q{n}"]) for n in (0, 2, 3)] == ["to q0", "to q2", "to q3"]
    assert target.problems == ()


@pytest.mark.parametrize(
    ("extra", "problem"),
    [
        pytest.param(line("zzz"), "trace of case 'zzz', which the suite does not have", id="an unknown id"),
        pytest.param(line("q1"), "second trace of case 'q1'; the one on line 2 counts", id="a second trace"),
        pytest.param('{"answer": "x"}', "names no case; write `case_id`", id="no case_id"),
        pytest.param("Traceback:", "is not JSON (Expecting value: line 1 column 1 (char 0))", id="unreadable"),
        pytest.param("[]", "is no JSON object", id="no object"),
    ],
)
@pytest.mark.parametrize("position", [2, 4], ids=["in the middle", "at the end"])
def test_what_is_wrong_with_the_file_is_listed_with_its_line(
    tmp_path: Path, extra: str, problem: str, position: int
) -> None:
    lines = [line(f"q{n}") for n in range(4)]
    lines.insert(position, extra)
    target = recorded(tmp_path, *lines)
    replies = ask_all(target, numbered(4))
    assert [answer(replies[f"q{n}"]) for n in range(4)] == [f"to q{n}" for n in range(4)]
    assert len(target.problems) == 1
    assert places(target)[0].startswith(f"traces.jsonl:{position + 1}: {problem}")


def test_problems_are_listed_once_and_at_most_a_hundred(tmp_path: Path) -> None:
    target = recorded(tmp_path, "nope", line("q1"), *(line("q1") for _ in range(150)), line("q0"))
    ask_all(target, numbered(2))
    assert len(target.problems) == 100
    assert [place.split(": ")[0] for place in places(target)[:3]] == [f"traces.jsonl:{n}" for n in (1, 3, 4)]


def test_cases_of_the_suite_that_are_not_asked_are_no_problem(tmp_path: Path) -> None:
    target = recorded(tmp_path, *(line(f"q{n}") for n in range(5)))
    assert list(ask_all(target, placed("q3"))) == ["q3"]
    assert target.problems == ()
    assert ask_all(target, []) == {}
    assert target.problems == ()


def test_blank_lines_marks_line_ends_and_a_missing_last_one_are_read(tmp_path: Path) -> None:
    text = "\ufeff" + line("q0") + "\r\n\n  \n" + line("q1")
    (tmp_path / "traces.jsonl").write_bytes(text.encode())
    for cases in (placed("q0", "q1"), placed("q1", "q0")):
        target = RecordedTraces(tmp_path / "traces.jsonl", labelled=False, known=KNOWN.__contains__)
        assert {case_id: answer(reply) for case_id, reply in ask_all(target, cases).items()} == {
            "q0": "to q0",
            "q1": "to q1",
        }
        assert target.problems == ()


def test_ids_are_compared_as_text_however_they_are_escaped(tmp_path: Path) -> None:
    names = ["plain", 'quo"te', "back\\slash", "ä→😀", "tab\t"]
    lines = [json.dumps({"answer": name, "case_id": name}, ensure_ascii=n % 2 == 0) for n, name in enumerate(names)]
    file = tmp_path / "traces.jsonl"
    for order in (lines, lines[::-1]):
        file.write_text("\n".join(order))
        target = RecordedTraces(file, labelled=False, known=lambda _: True)
        replies = ask_all(target, placed(*names))
        assert [answer(replies[name]) for name in names] == names


@pytest.mark.parametrize(("labelled", "kept"), [(True, (("x",), "p")), (False, ((), None))])
def test_labels_count_only_where_the_author_vouches(tmp_path: Path, labelled: bool, kept: Any) -> None:  # noqa: FBT001
    claim = {"text": "x", "support_phrases": ["x"], "answer_point": "p"}
    target = recorded(tmp_path, json.dumps({"case_id": "q0", "answer": {"claims": [claim]}}), labelled=labelled)
    [case] = numbered(1)
    reply = ask_all(target, [case])["q0"]
    assert isinstance(reply, Answered)
    assert reply.labelled is labelled
    assert reply.latency_ms is None
    done = evaluate_reply(case, reply, make_rules(), custom=None, finished_at="2026-06-02T12:00:00Z")
    assert done.trace is not None
    assert done.trace.reply.claims is not None
    assert (done.trace.reply.claims[0].support_phrases, done.trace.reply.claims[0].answer_point) == kept


def test_the_latency_of_a_recorded_error_is_the_apps(tmp_path: Path) -> None:
    reply = ask_all(recorded(tmp_path, line("q0", error="down", latency_ms=31)), numbered(1))["q0"]
    assert (error(reply), latency_ms(reply)) == ("down", 31)


def test_an_empty_error_is_none(tmp_path: Path) -> None:
    assert answer(ask_all(recorded(tmp_path, line("q0", error="")), numbered(1))["q0"]) == "to q0"


@pytest.mark.parametrize("name", ["absent.jsonl", "."], ids=["a missing file", "a directory"])
def test_a_file_that_cannot_be_read_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    target = RecordedTraces(tmp_path / name, labelled=False, known=KNOWN.__contains__)
    with pytest.raises(TargetError, match="cannot be read: ") as caught:
        ask_all(target, numbered(1))
    assert str((tmp_path / name).name) in str(caught.value)
    assert "record" in caught.value.hint


def held_kib(target: RecordedTraces, count: int) -> float:
    """Memory held when the last of `count` cases has been read, none kept; what waits for the collector is not held."""
    case = numbered(1)[0]
    cases = (case._replace(case=case.case.model_copy(update={"case_id": f"q{n}"})) for n in range(count))
    held = 0.0

    async def read() -> None:
        nonlocal held
        left = count
        async for _placed, reply in target.replies(cases):
            assert isinstance(reply, Answered)
            left -= 1
            if not left:
                gc.collect()
                held = tracemalloc.get_traced_memory()[0] / 1024

    tracemalloc.start()
    try:
        asyncio.run(read())
    finally:
        tracemalloc.stop()
    return held


def test_memory_is_flat_in_order_and_an_index_is_small(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    lines = [line(f"q{n}", candidates=["c" * 100] * 10) for n in range(6000)]

    def target() -> RecordedTraces:
        return RecordedTraces(file, labelled=False, known=lambda _: True)

    file.write_text("\n".join(lines))
    # The parser's own store of short texts fills up once in a process.
    held_kib(target(), 6000)
    file.write_text("\n".join(lines[:2000]))
    few = held_kib(target(), 2000)
    file.write_text("\n".join(lines))
    many = held_kib(target(), 6000)
    assert many - few < 100
    file.write_text("\n".join(lines[::-1]))
    assert held_kib(target(), 6000) - many < 0.2 * 6000


def test_recorded_traces_load_no_network_library() -> None:
    code = (
        "import sys, pathlib\n"
        "from raggate_action.schema.target import RecordedTarget\n"
        "from raggate_action.targets.target_factory import build_target\n"
        "from raggate_action.targets.interface import Surroundings\n"
        "surroundings = Surroundings(pathlib.Path(), {})\n"
        "build_target(RecordedTarget(kind='recorded', traces='t'), surroundings, seed=0, known=bool)\n"
        "sys.exit(str({'httpx', 'jmespath', 'asyncio', 'subprocess'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_the_file_is_found_beside_the_suite(tmp_path: Path) -> None:
    recorded(tmp_path, line("q0"))
    section = RecordedTarget(kind="recorded", traces="traces.jsonl")
    target = build_target(section, Surroundings(tmp_path, os.environ), seed=0, known=KNOWN.__contains__)
    assert answer(ask_all(target, numbered(1))["q0"]) == "to q0"


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
CHUNKS = st.none() | st.lists(
    TEXTS | st.builds(TracedChunk, chunk_id=TEXTS, version=st.none() | TEXTS, text=st.none() | TEXTS), max_size=3
).map(tuple)
TRACES = st.builds(
    Trace,
    answer=TEXTS,
    candidates=CHUNKS,
    context=CHUNKS,
    versions=st.none() | st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple),
    latency_ms=st.none() | st.floats(0, 1e6),
    error=st.none() | TEXTS,
)


@given(TEXTS.filter(bool), TRACES)
def test_a_recorded_line_reads_back_as_the_same_trace(case_id: str, trace: Trace) -> None:
    written = trace_line(case_id, trace)
    assert written.count(b"\n") == 1
    assert written.endswith(b"\n")
    assert b":null" not in written
    assert Trace.model_validate_json(written) == trace.model_copy(update={"case_id": case_id})


def test_a_line_stands_under_the_suites_id_with_the_apps_own_beside_it() -> None:
    answer = {"text": "x", "claims": [{"text": "x", "citation_ids": ["c1"], "support_phrases": []}]}
    trace = Trace.model_validate_json(json.dumps({"case_id": "theirs", "answer": answer}))
    assert json.loads(trace_line("ours", trace)) == {"case_id": "ours", "answer": answer, "reported_case_id": "theirs"}


def test_what_utf_8_and_json_cannot_hold_is_written_as_what_can_be_read_again() -> None:
    written = trace_line("q0", Trace(answer="half \ud83d", stage_latency_ms={"a": float("inf"), "b": 1.0}))
    assert Trace.model_validate_json(written) == Trace(case_id="q0", answer="half ?", stage_latency_ms={"b": 1.0})


@pytest.mark.parametrize("reported", [None, "q0", "q9", ""], ids=["no id", "its own", "another's", "an empty one"])
def test_a_recorded_line_gives_back_the_id_the_app_reported(tmp_path: Path, reported: str | None) -> None:
    written = trace_line("q0", Trace(case_id=reported, answer="x")).decode().rstrip()
    reply = ask_all(recorded(tmp_path, written), numbered(1))["q0"]
    assert isinstance(reply, Answered)
    assert reply.trace == Trace(case_id="q0" if reported is None else reported, answer="x")
    assert type(reply.trace) is Trace


@pytest.mark.parametrize("field", ["asks", "grounds", "earlier"])
def test_what_a_run_keeps_beside_a_trace_is_no_part_of_it(tmp_path: Path, field: str) -> None:
    kept = {
        "asks": {"answer": "y"},
        "grounds": {"shown": True},
        "earlier": {"text": "z", "run": "2026-11-23T08:00:00Z"},
    }
    reply = ask_all(recorded(tmp_path, line("q0", answer="x", **{field: [kept[field]]})), numbered(1))["q0"]
    assert isinstance(reply, Answered)
    assert reply.trace == Trace(case_id="q0", answer="x")
    assert type(reply.trace) is Trace


def test_a_withheld_answer_is_not_judged_as_an_empty_one(tmp_path: Path) -> None:
    withheld = '{"case_id": "q0", "context": ["c1"], "withheld": true}'
    detail = (
        f"{tmp_path}/traces.jsonl:1: its answer was kept out of the file, "
        "for it repeated text that its asker may not read"
    )
    assert ask_all(recorded(tmp_path, withheld), numbered(1))["q0"] == NoTrace(reason="trace", detail=detail)


ASKED = (("q0", "How long is it?"), ("q1", "What is it?"), ("q2", "Where is it?"), ("q3", "Where  IS it"))


def joined(directory: Path, *lines: dict[str, Any]) -> RecordedTraces:
    file = directory / "traces.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return RecordedTraces(file, labelled=False, known=KNOWN.__contains__, questions=lambda: ASKED)


@pytest.mark.parametrize("first", [{"case_id": "q0"}, {"question": "HOW long is it"}], ids=["by id", "by question"])
def test_a_trace_without_an_id_of_the_suite_joins_the_case_that_asks_its_question(
    tmp_path: Path, first: dict[str, str]
) -> None:
    lines = [{**first, "answer": "a"}, {"case_id": "row-17", "user_input": "What  is it?", "answer": "b"}]
    target = joined(tmp_path, *lines)
    replies = ask_all(target, numbered(2))
    assert (answer(replies["q0"]), answer(replies["q1"])) == ("a", "b")
    assert target.problems == ()
    # The file's own name of the question is none that the app reported.
    assert isinstance(replies["q1"], Answered)
    assert replies["q1"].trace.case_id is None


def test_a_question_of_two_cases_names_both(tmp_path: Path) -> None:
    target = joined(tmp_path, {"case_id": "q0", "answer": "a"}, {"question": "where is it", "answer": "b"})
    replies = ask_all(target, numbered(4))
    assert isinstance(replies["q2"], NoTrace)
    assert places(target) == ["traces.jsonl:2: its question is that of 2 cases, 'q2', 'q3'; write `case_id`"]


def test_what_the_file_has_and_the_suite_has_not_is_one_line(tmp_path: Path) -> None:
    others = [{"question": f"Who is number {n}?", "answer": "x"} for n in range(120)]
    target = joined(tmp_path, {"question": "What is it?", "answer": "b"}, *others, {"case_id": "zzz", "answer": "x"})
    assert answer(ask_all(target, placed("q1"))["q1"]) == "b"
    assert places(target) == [
        (
            "traces.jsonl:2: 121 traces of cases that the suite does not have: 'Who is number 0?', 'Who is number 1?', "
            "'Who is number 2?' and 118 more"
        )
    ]
