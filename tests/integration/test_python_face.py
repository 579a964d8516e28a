"""The Python face as programs use it: callables, threads, running loops, stored runs."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import raggate_action
from raggate_action import (
    DecidedRun,
    RaggateError,
    Source,
    audit_answer,
    audit_answer_async,
    load_panel,
    read_run,
    run_suite,
)
from raggate_action.errors import RunStoreError, SuiteError, UsageError
from raggate_action.schema.case_run import CaseRun

ROOT = Path(__file__).parents[2]
EVIDENCE = [
    {"chunk_id": "parcel", "version": "v1", "text": "Parcels can be returned within 30 days of delivery."},
    {"chunk_id": "hours", "version": "v1", "text": "The desk is open from 9 to 17 hours."},
]
CASES = [
    {"case_id": "parcel", "question": "How long can I return a parcel?", "required_source_ids": ["parcel"]},
    {"case_id": "hours", "question": "When is the desk open?", "required_source_ids": ["hours"]},
]
RIGHT = {
    "How long can I return a parcel?": {"answer": "Parcels can be returned within 30 days of delivery. [parcel]", "context": ["parcel"]},
    "When is the desk open?": {"answer": "The desk is open from 9 to 17 hours. [hours]", "context": ["hours"]},
}  # fmt: skip


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two cases; its own target needs a variable that is not set."""
    return write_suite(tmp_path, {"kind": "http", "url": "http://127.0.0.1:9/${NOT_SET}"})


def write_suite(folder: Path, target: Mapping[str, Any]) -> Path:
    (folder / "evidence.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in EVIDENCE))
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    written = {"suite": "desk", "evidence": ["evidence.jsonl"], "cases": ["cases.jsonl"], "target": dict(target)}
    (folder / "raggate.json").write_text(json.dumps(written))
    return folder / "raggate.json"


def right(case: Mapping[str, Any]) -> dict[str, Any]:
    return RIGHT[case["question"]]


async def right_later(case: dict[str, Any]) -> dict[str, Any]:
    await asyncio.sleep(0)
    return right(case)


class RightObject:
    async def __call__(self, case: dict[str, Any]) -> dict[str, Any]:
        return await right_later(case)


def rows_by_id(result: DecidedRun) -> dict[str, CaseRun]:
    return {row.case_id: row for row in result.rows()}


def test_a_callable_is_warmed_up_where_time_is_judged_and_asked_again_where_it_stumbles(suite: Path) -> None:
    asked: list[str] = []
    limited = [{**case, "max_latency_ms": 300} for case in CASES]
    (suite.parent / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in limited))

    def unsteady(case: dict[str, Any]) -> dict[str, Any]:
        asked.append(case["case_id"])
        if len(asked) == 1:
            time.sleep(0.5)
        return {**right(case), "answer": ""} if len(asked) == 2 else right(case)

    decided = run_suite(suite, unsteady)
    first, second = (case["case_id"] for case in CASES)
    assert asked == [first, first, second, first]
    assert {case_id: row.state for case_id, row in rows_by_id(decided).items()} == {first: "flaky", second: "passed"}
    assert decided.decision == "release"


@pytest.mark.parametrize("app", [right, right_later, RightObject(), partial(right_later)])
def test_a_callable_of_any_kind_is_asked(suite: Path, app: Callable[[dict[str, Any]], object]) -> None:
    result = run_suite(suite, target=app)
    assert result.decision == "release", result.comment()
    assert [row.state for row in result.rows()] == ["passed", "passed"]
    assert repr(result) == "<DecidedRun desk: release, 2 of 2 passed>"
    assert "**Release**" in result.comment()


def test_a_wrong_answer_blocks_and_says_which(suite: Path) -> None:
    def wrong(case: Mapping[str, Any]) -> dict[str, Any]:
        return {**right(case), "answer": "Parcels can be returned within 90 days of delivery. [parcel]"}

    result = run_suite(suite, target=wrong)
    assert result.decision == "block"
    assert rows_by_id(result)["parcel"].state == "failed"
    assert "parcel" in result.comment()


def test_text_alone_is_the_answer(suite: Path) -> None:
    written = json.loads(suite.read_text())
    suite.write_text(json.dumps({**written, "pipeline": {"context": "none"}}))
    rows = rows_by_id(run_suite(suite, target=lambda case: right(case)["answer"]))
    assert rows["hours"].state == "passed"
    assert rows["hours"].answer == "The desk is open from 9 to 17 hours. [hours]"


def test_an_app_that_says_no_context_fails_with_what_it_may_write(suite: Path) -> None:
    bare = run_suite(suite, target=lambda case: right(case)["answer"])
    assert bare.decision == "block"
    assert "pipeline: {context: none}" in bare.comment()
    shown = {"How long can I return a parcel?": EVIDENCE[0], "When is the desk open?": EVIDENCE[1]}
    texts = run_suite(suite, target=lambda case: {**right(case), "context": [f"{shown[case['question']]['text']} "]})
    assert [row.context for row in texts.rows()] == [("parcel",), ("hours",)]
    wrong = run_suite(suite, target=lambda question: question.strip(), out=suite.parent / "out")  # type: ignore[attr-defined]
    assert 'take case["question"]' in str(rows_by_id(wrong)["hours"].error)


def fails(_case: dict[str, Any]) -> str:
    raise ValueError("no index")


def leaves(_case: dict[str, Any]) -> str:
    sys.exit("gone")


def stops_iterating(_case: dict[str, Any]) -> str:
    return next(iter(()))


async def cancels_itself(_case: dict[str, Any]) -> str:
    raise asyncio.CancelledError


async def fails_later(_case: dict[str, Any]) -> str:
    raise KeyError("chunk")


@pytest.mark.parametrize(
    ("app", "error"),
    [
        (fails, "ValueError: no index (test_python_face.py line "),
        (leaves, "SystemExit: gone"),
        (stops_iterating, "StopIteration"),
        (cancels_itself, "the callable cancelled itself"),
        (fails_later, "KeyError: 'chunk' (test_python_face.py line "),
        (lambda _case: 7, "TypeError: the function returned int; return a mapping or text"),
        (lambda _case: {"answer": 7}, "reply is off schema"),
        (lambda _case: {"error": "quota"}, "quota"),
    ],
)
def test_what_goes_wrong_in_one_case_is_its_failure(
    suite: Path, app: Callable[[dict[str, Any]], object], error: str
) -> None:
    result = run_suite(suite, target=lambda case: app(case) if case["case_id"] == "hours" else right(case))
    rows = rows_by_id(result)
    assert rows["parcel"].state == "passed"
    assert (rows["hours"].error or "").startswith(error)
    assert "in_process.py" not in (rows["hours"].error or "")


@pytest.mark.parametrize("is_async", [True, False])
def test_time_and_cases_at_once_are_the_suites(tmp_path: Path, *, is_async: bool) -> None:
    suite = write_suite(tmp_path, {"kind": "function", "function": "a:b", "timeout_s": 0.5, "concurrency": 2})
    both, ended = threading.Barrier(2), threading.Event()

    def hangs(case: Mapping[str, Any]) -> dict[str, Any]:
        both.wait(5)  # only where both cases are under way at once
        if case["case_id"] == "hours":
            ended.wait(10)
        return right(case)

    under_way, all_under_way = [], asyncio.Event()

    async def hangs_later(case: dict[str, Any]) -> dict[str, Any]:
        under_way.append(case["case_id"])
        if len(under_way) == 2:
            all_under_way.set()
        await all_under_way.wait()
        if case["case_id"] == "hours":
            await asyncio.sleep(10)
        return right(case)

    begun = time.monotonic()
    rows = rows_by_id(run_suite(suite, target=hangs_later if is_async else hangs))
    ended.set()
    assert time.monotonic() - begun < 9
    assert rows["parcel"].state == "passed"
    assert rows["hours"].error == "no answer within 0.5 s"


def test_an_http_suites_default_of_eight_at_once_is_not_the_callables(suite: Path) -> None:
    under_way = 0

    async def alone(case: dict[str, Any]) -> dict[str, Any]:
        nonlocal under_way
        under_way += 1
        await asyncio.sleep(0.01)
        assert under_way == 1
        under_way -= 1
        return right(case)

    assert run_suite(suite, target=alone).decision == "release"


def test_one_thread_calls_case_after_case(suite: Path) -> None:
    threads: list[int] = []

    def app(case: Mapping[str, Any]) -> dict[str, Any]:
        threads.append(threading.get_ident())
        return right(case)

    run_suite(suite, target=app)
    assert len(threads) == 2
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


def test_it_runs_inside_a_running_loop_and_in_two_threads_at_once(suite: Path) -> None:
    async def notebook() -> str:
        return run_suite(suite, target=right_later).decision

    async def beside() -> list[DecidedRun]:
        return await asyncio.gather(*(asyncio.to_thread(run_suite, suite, right_later) for _ in range(2)))

    before = gc.get_threshold(), gc.isenabled(), gc.get_freeze_count()
    assert asyncio.run(notebook()) == "release"
    assert [result.decision for result in asyncio.run(beside())] == ["release", "release"]
    assert (gc.get_threshold(), gc.isenabled(), gc.get_freeze_count()) == before


def test_an_error_inside_a_running_loop_is_the_same_error(suite: Path) -> None:
    async def notebook() -> None:
        run_suite(suite, target=right, scope="nightly")

    with pytest.raises(UsageError, match="no scope 'nightly'"):
        asyncio.run(notebook())


INTERRUPTED = """
import asyncio, sys
from raggate_action import run_suite

asked = []

async def app(case):
    asked.append(case["case_id"])
    print("asked", flush=True)
    await asyncio.sleep(50)

async def notebook():
    run_suite(sys.argv[1], target=app, out=sys.argv[2])

try:
    match sys.argv[3]:
        case "in asyncio.run":  # which handles Ctrl-C itself
            asyncio.run(notebook())
        case "in a notebook":  # whose loop leaves Ctrl-C to Python
            asyncio.new_event_loop().run_until_complete(notebook())
        case "in no loop":
            run_suite(sys.argv[1], target=app, out=sys.argv[2])
except KeyboardInterrupt:
    print("interrupted", len(asked), flush=True)
"""


@pytest.mark.parametrize("where", ["in asyncio.run", "in a notebook", "in no loop"])
def test_ctrl_c_ends_the_run_and_keeps_the_directory(suite: Path, tmp_path: Path, where: str) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-c", INTERRUPTED, str(suite), str(out), where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "asked\n"
        begun = time.monotonic()  # each case would take 50 s
        program.send_signal(signal.SIGINT)
        assert program.stdout.read() == "interrupted 1\n"
    assert program.returncode == 0
    assert time.monotonic() - begun < 20
    assert read_run(out).decision == "inconclusive"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_without_out_nothing_stays_on_disk(suite: Path, temporary: Path) -> None:
    before = sorted(path for path in suite.parent.iterdir() if path != temporary)
    result = run_suite(suite, target=right)
    assert list(temporary.iterdir()) == [result.directory]
    del result
    gc.collect()
    assert not any(temporary.iterdir())
    with pytest.raises(UsageError):
        run_suite(suite, target=right, scope="nightly")
    assert not any(temporary.iterdir())
    assert sorted(path for path in suite.parent.iterdir() if path != temporary) == before


def test_a_stored_run_reads_back_as_it_was_decided(suite: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run_suite(suite, target=right, out=out)
    again = read_run(str(out))
    assert again == result
    assert again.comment() == (out / "comment.md").read_text()
    compared = run_suite(suite, target=lambda case: {**right(case), "answer": ""}, baseline=out)
    assert compared.comparison is not None
    assert (compared.decision, compared.comparison.regressed) == ("block", 2)


def test_a_forged_row_is_refused(suite: Path, tmp_path: Path) -> None:
    run_suite(suite, target=lambda case: {**right(case), "answer": ""}, out=tmp_path / "out")
    rows = tmp_path / "out" / "cases.jsonl"
    forged = rows.read_text().replace('"state":"failed"', '"state":"passed"')
    assert forged != rows.read_text()
    rows.write_text(forged)
    with pytest.raises(RunStoreError, match=r"cases\.jsonl is not the file that the run ended with"):
        read_run(tmp_path / "out")


def test_the_suites_own_target_is_asked_without_a_callable(tmp_path: Path) -> None:
    lines = [{"case_id": case["case_id"], **RIGHT[case["question"]]} for case in CASES]  # type: ignore[index]
    (tmp_path / "traces.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = run_suite(write_suite(tmp_path, {"kind": "recorded", "traces": "traces.jsonl"}))
    assert (result.decision, result.run.notes) == ("release", ())


def test_the_run_says_that_a_callable_was_asked(suite: Path) -> None:
    (note,) = run_suite(suite, target=right).run.notes
    assert "callable" in note
    assert f"{right.__module__}:right;" in note


def test_secrets_of_the_suite_are_struck_from_what_the_callable_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "t0p-s3cret-value")
    suite = write_suite(tmp_path, {"kind": "http", "url": "http://h/", "headers": {"Authorization": "${DESK_TOKEN}"}})
    result = run_suite(
        suite,
        target=lambda case: {
            "answer": f"I was asked with {os.environ['DESK_TOKEN']} for {case['case_id']}.",
            "context": ["hours"],
        },
    )
    assert all("t0p-s3cret" not in path.read_text() for path in result.directory.iterdir())
    assert "***" in (rows_by_id(result)["hours"].answer or "")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda folder: run_suite(folder / "none.yaml"), SuiteError),
        (lambda folder: run_suite(folder / "raggate.json"), SuiteError),  # its own target's variable is not set
        (lambda folder: run_suite(folder / "raggate.json", target="app:answer"), UsageError),  # type: ignore[arg-type]
        (lambda folder: run_suite(folder / "raggate.json", target=right, baseline=folder / "none"), RunStoreError),
        (lambda folder: run_suite(folder / "raggate.json", target=right, out=folder), RunStoreError),
        (read_run, RunStoreError),
        (lambda _folder: audit_answer("A.", [Source("a", ""), Source("a", "")]), UsageError),
        (lambda folder: run_suite(folder / "raggate.json", target=right, out=7), UsageError),  # type: ignore[arg-type]
        (lambda folder: run_suite(folder / "raggate.json", target=right, scope=["pr"]), UsageError),  # type: ignore[arg-type]
        (lambda _folder: read_run(None), UsageError),  # type: ignore[arg-type]
        (lambda _folder: load_panel(None), UsageError),  # type: ignore[arg-type]
        (lambda _folder: audit_answer("A.", ["A."], panel=7), UsageError),  # type: ignore[arg-type]
        (lambda _folder: audit_answer("A.", ["A."], language=None), UsageError),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_done_is_an_error_with_a_hint(
    suite: Path, call: Callable[[Path], object], error: type[RaggateError]
) -> None:
    with pytest.raises(error) as raised:
        call(suite.parent)
    assert isinstance(raised.value, RaggateError)
    assert raised.value.hint


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (lambda: audit_answer("A.", None), "the chunks are of type NoneType, and not a list of chunks", '{"id"'),  # type: ignore[arg-type]
        (lambda: audit_answer("A.", "A chunk."), "the chunks are of type str", "a list of texts"),
        (lambda: audit_answer(None, ["A chunk."]), "the answer is of type NoneType, and not text", "audit_answer("),  # type: ignore[arg-type]
        (lambda: audit_answer("A.", ["A chunk.", 7]), "chunk 2, of type int, has no `text` that is text", "Source"),  # type: ignore[list-item]
        (lambda: audit_answer("A.", [{"text": "A chunk."}]), "chunk 1, of type dict, has no `id` that is text", "Source"),
        (lambda: run_suite(7, target=right), "the suite is of type int, and not a path or a list", "run_suite(["),  # type: ignore[arg-type]
        (lambda: run_suite([7], target=right), "case 1 is of type int, and not a mapping or a question", "run_suite(["),  # type: ignore[list-item]
        (lambda: run_suite(["Is it open?"]), "the cases name no app to ask", "target=my_app"),
        (lambda: run_suite([{"question": print}], target=right), "cases cannot be read: ", "lists and mappings"),
        (lambda: run_suite({"cases": ["A?"], "judges": {}}, target=right), "its `judges` needs files beside it", "a file"),
    ],
)  # fmt: skip
def test_an_error_of_types_shows_what_to_write(call: Callable[[], object], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        call()
    assert message in str(raised.value)
    assert hint in raised.value.hint


def test_cases_in_memory_are_judged_as_those_of_a_file(suite: Path, temporary: Path) -> None:
    by_file = run_suite(suite, target=right, out=suite.parent / "by-file")
    here = run_suite({"suite": "desk", "cases": CASES, "evidence": EVIDENCE}, target=right)
    assert (here.decision, here.run.counts) == (by_file.decision, by_file.run.counts)
    assert here.run.provenance.cases_digest == by_file.run.provenance.cases_digest
    # Of what was laid down to be read nothing stays, and no text names it.
    assert list(temporary.iterdir()) == [here.directory]
    assert all(str(temporary) not in path.read_text() for path in here.directory.iterdir())
    wrong = run_suite(iter(CASES), target=lambda case: {**right(case), "answer": "", "context": ["x"]})
    assert wrong.decision == "block"
    assert "raggate-action run" not in wrong.comment()


def test_a_question_alone_is_a_case_and_two_that_begin_alike_have_two_names() -> None:
    shown = {
        "answer": "Parcels can be returned within 30 days.",
        "contexts": ["Parcels can be returned within 30 days."],
    }
    asked: list[dict[str, Any] | str] = [
        "How long?",
        "How long!",
        {"question": "How long?", "case_id": "own", "must_contain": ["31 days"]},
    ]
    result = run_suite(asked, target=lambda _case: shown)
    assert {row.case_id: row.state for row in result.rows()} == {
        "how-long": "passed",
        "how-long-2": "passed",
        "own": "failed",
    }


def test_a_mistake_in_a_case_in_memory_names_the_case() -> None:
    with pytest.raises(SuiteError) as raised:
        run_suite(["When?", {"question": "Q?", "must_contian": ["x"]}], target=right)
    assert str(raised.value).startswith("cases.jsonl:2:")
    assert "`must_contian`" in str(raised.value)
    assert raised.value.hint == "Line 2 of cases.jsonl is the second of the cases that were given."


def test_texts_alone_are_chunks_called_by_their_place() -> None:
    texts = ["The desk is open from 9 to 17 hours.", "The fee is 20 EUR."]
    [claim] = audit_answer("The fee is 20 EUR [2].", texts).claims
    assert (claim.verdict, claim.supported_by) == ("supported", ("2",))
    mixed = audit_answer("The fee is 20 EUR.", [texts[0], {"id": "fees", "text": texts[1]}])
    assert mixed.claims[0].supported_by == ("fees",)
    assert asyncio.run(audit_answer_async("The fee is 20 EUR [2].", texts)).verdict == "faithful"


def test_a_notebook_shows_a_run_and_an_audit_and_nothing_of_an_answer_is_alive(suite: Path) -> None:
    result = run_suite(suite, target=lambda case: {**right(case), "answer": "<script>alert(1)</script> 90 days | x"})
    assert result._repr_markdown_() == result.comment()
    audit = audit_answer("The fee <b>is</b> 30 EUR for | @team.", ["The fee is 20 EUR for @team."])
    shown = audit._repr_markdown_()
    assert shown.startswith("**unfaithful** · 1 claim, 1 not supported\n\n| claim | verdict | supported by | note |\n")
    assert "<script" not in result._repr_markdown_()
    assert "<b>" not in shown
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    assert [row.count("|") for row in rows] == [5, 5, 5]
    assert "Suggested fix: The fee is 20 EUR for `@team`." in shown


def test_the_face_has_these_names_and_no_others() -> None:
    assert set(raggate_action.__all__) <= set(dir(raggate_action))
    assert all(getattr(raggate_action, name) is not None for name in raggate_action.__all__)
    with pytest.raises(AttributeError, match="no attribute 'run_sweet'"):
        _ = raggate_action.run_sweet  # type: ignore[attr-defined]
