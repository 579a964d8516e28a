"""The example app as a process of its own, asked over its real socket: two modes, with a tool, with a model."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from raggate_action.core.text.prose import read_prose
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.trace import Trace
from tests.builders import judge, make_rules
from tests.example_files import MENU, read_cases, read_store, read_suite

MODES = ("disciplined", "helpful")
TOOL = "harness:directives"
MODEL_VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "MENU_MODEL")


class RunningApp(NamedTuple):
    url: str
    process: subprocess.Popen[str]
    client: httpx.Client

    def trace(self, question: str, case_id: str | None = None) -> Trace:
        reply = self.client.post("/answer", content=json.dumps({"question": question, "case_id": case_id}).encode())
        assert reply.status_code == 200, reply.text
        return Trace.model_validate_json(reply.content)


@contextmanager
def running(mode: str, folder: Path, *more: str, environment: Mapping[str, str] | None = None) -> Iterator[RunningApp]:
    port_file = folder / f"{mode}-{len(list(folder.iterdir()))}.port"
    clean = {name: value for name, value in os.environ.items() if name not in MODEL_VARIABLES}
    place = ["--port", "0", "--port-file", str(port_file)]
    command = [sys.executable, str(MENU / "app.py"), "--mode", mode, *place, *more]
    with subprocess.Popen(command, env={**clean, **(environment or {})}, stdout=subprocess.PIPE, text=True) as process:
        try:
            deadline = time.monotonic() + 60
            while not port_file.exists():
                assert process.poll() is None, "the app ended before it listened"
                assert time.monotonic() < deadline, "the app does not listen"
                time.sleep(0.01)
            url = f"http://127.0.0.1:{port_file.read_text().strip()}"
            with httpx.Client(base_url=url, trust_env=False, timeout=60) as client:
                yield RunningApp(url, process, client)
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, RunningApp]]:
    folder = tmp_path_factory.mktemp("menu")
    with (
        running(MODES[0], folder) as first,
        running(MODES[1], folder) as second,
        running(MODES[1], folder, "--tool", TOOL) as third,
    ):
        yield {MODES[0]: first, MODES[1]: second, TOOL: third}


@pytest.fixture(scope="module")
def store() -> EvidenceStore:
    return read_store(MENU)


# Questions the suite does not ask.
STATED = {
    "How much is a bottle of Xinomavro?": {"wine-xinomavro": "38 euros"},
    "Do the Fisherman's Potatoes contain fish?": {"side-fishermans-potatoes": "no fish goes into the pan"},
    "Can I pay in cash?": {"house-paying": "by card or in cash"},
    "Which starters are made with feta?": {"starter-courgette-fritters": "bound with feta"},
    "How late is the kitchen open on Saturdays?": {"house-hours": "22:30", "house-late-supper": "23:15"},
}
NOT_STATED = [
    "Are the chicken skewers kosher?",
    "Which mains can I have without mustard in them?",
    "Which wine goes with the giant beans?",
    "What is your most popular starter?",
    "Will you be open on New Year's Eve?",
    "How much protein is in the pork souvlaki?",
    "Who bakes your bread?",
]


@pytest.mark.parametrize("mode", [*MODES, TOOL])
@pytest.mark.parametrize("question", STATED)
def test_what_the_menu_states_is_quoted_with_its_source(
    mode: str, question: str, apps: dict[str, RunningApp], store: EvidenceStore
) -> None:
    trace = apps[mode].trace(question)
    quotes = re.findall(r"([^\[\]]+?) \[([\w-]+)\]", trace.reply.text)
    said = {chunk_id: words.strip() for words, chunk_id in quotes}
    assert said.keys() == STATED[question].keys()
    assert said.keys() <= set(trace.ids("context") or ())
    for chunk_id, words in STATED[question].items():
        chunk = store.get(chunk_id)
        assert chunk is not None
        assert words in said[chunk_id]
        assert said[chunk_id] in chunk.text
    assert trace.reply.abstained is False
    assert ("disagree" in trace.reply.text) == (len(said) == 2)


@pytest.mark.parametrize("question", NOT_STATED)
def test_what_the_menu_does_not_state_is_declined_or_made_up(question: str, apps: dict[str, RunningApp]) -> None:
    declined, made_up, directed = (apps[each].trace(question) for each in (*MODES, TOOL))
    for each in (declined, directed):
        assert each.reply.abstained is True
        assert read(each).declined, "every sentence has to decline in plain words"
    assert made_up.reply.abstained is False
    assert read(made_up).claims, "it has to be read as an answer"
    assert all(set(claim.citations) <= set(made_up.ids("context") or ()) for claim in read(made_up).claims)
    assert declined.ids("context") == made_up.ids("context") == directed.ids("context")


def read(trace: Trace) -> Any:
    patterns = [re.compile(pattern) for pattern in read_suite(MENU).citation_markers]
    ids = trace.ids("context") or ()
    return read_prose(trace.reply.text, ids, patterns=patterns, known=frozenset(ids), language="en")


@pytest.mark.parametrize("mode", [*MODES, TOOL])
def test_the_suite_tells_the_modes_apart(mode: str, apps: dict[str, RunningApp], store: EvidenceStore) -> None:
    suite = read_suite(MENU)
    assert suite.pipeline is not None
    rules = make_rules(store, pipeline=suite.pipeline.model_dump(mode="json"))
    failed = {}
    for case in read_cases(MENU):
        if case.known_bad:
            continue
        diagnosis = judge(case, apps[mode].trace(case.asked, case.case_id), rules, labelled=False)
        if diagnosis.first_failed_stage is not None:
            outcome = diagnosis.outcomes["faithfulness"]
            assert outcome.problems[0].code == "answered-though-unanswerable"  # type: ignore[union-attr]
            failed[case.case_id] = diagnosis.first_failed_stage
    unanswerable = [case.case_id for case in read_cases(MENU) if case.expect == "abstain" and not case.known_bad]
    assert len(unanswerable) == 8
    assert failed == (dict.fromkeys(unanswerable, "answer faithfulness") if mode == "helpful" else {})


def test_the_trace_tells_how_the_answer_came_about(apps: dict[str, RunningApp], store: EvidenceStore) -> None:
    trace = apps["disciplined"].trace("Which sides are dressed with lemon?", "q-7")
    candidates, reranked, context = trace.ids("candidates"), trace.ids("reranked"), trace.context_chunks
    assert trace.case_id == "q-7"
    assert trace.ids("rerank_input") == candidates
    assert sorted(reranked or ()) == sorted(candidates or ())
    assert len(reranked or ()) == 10
    assert tuple(chunk.chunk_id for chunk in context) == (reranked or ())[:4]
    assert all(chunk.version == store.get(chunk.chunk_id).version for chunk in context)  # type: ignore[union-attr]
    assert trace.stage_latency_ms.keys() == {"retrieve", "rerank", "answer"}


def test_the_arms_differ_in_one_thing(apps: dict[str, RunningApp]) -> None:
    first, second, directed = (apps[each].trace("How late is it?") for each in (*MODES, TOOL))
    versions = [dict(each.version_pairs) for each in (first, second, directed)]
    assert {key for key in versions[0] if versions[0][key] != versions[1][key]} == {"policy"}
    assert versions[2] == {**versions[1], "tool": TOOL}
    assert (second.tool_calls, directed.tool_names) == (None, (TOOL,))


@pytest.mark.parametrize("question", ['" OR * NEAR( --', "¿Qué? 🐙 \x00 \ud800", "Well?", "octopus " * 5000])
def test_strange_questions_get_a_whole_trace(question: str, apps: dict[str, RunningApp]) -> None:
    for mode in MODES:
        trace = apps[mode].trace(question)
        assert (len(trace.context_chunks), trace.error) == (4, None)
        assert trace.reply.text


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b'{"question": 7}'])
def test_a_bad_request_is_told_what_to_send(body: bytes, apps: dict[str, RunningApp]) -> None:
    reply = apps["disciplined"].client.post("/answer", content=body)
    assert reply.status_code == 400
    assert '{"question": "..."' in reply.json()["error"]


def test_sigterm_ends_it(tmp_path: Path) -> None:
    with running("disciplined", tmp_path) as app:
        app.process.terminate()
        said, _ = app.process.communicate(timeout=5)
        assert app.process.returncode == 0
        assert said == f"menu app (disciplined) on {app.url}\n"


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ({"MENU_MODEL": "m"}, [], "OPENAI_BASE_URL and OPENAI_API_KEY"),
        ({}, ["--tool", "nowhere:directives"], "no http(s) URL and no module:callable"),
        ({}, ["--tool", "harness:nothing"], "no http(s) URL and no module:callable"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_the_start(given: dict[str, str], options: list[str], said: str) -> None:
    clean = {name: value for name, value in os.environ.items() if name not in MODEL_VARIABLES}
    command = [sys.executable, str(MENU / "app.py"), "--port", "0", *options]
    done = subprocess.run(command, env={**clean, **given}, capture_output=True, text=True, check=False, timeout=10)
    assert done.returncode == 2
    assert said in done.stderr


# With a tool and a model behind HTTP


class Endpoint(BaseHTTPRequestHandler):
    """A tool at /watch, a model elsewhere; what each replies is up to the test."""

    received: list[tuple[str, str | None, dict[str, Any]]]
    replies: dict[str, tuple[int, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path = self.path.partition("?")[0]
        self.received.append((path, self.headers["Authorization"], json.loads(body)))
        status, sent = self.replies[path]
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


CHAT = "/v1/chat/completions"
DIRECTIVES = b'{"directives": [{"suppress": "concluding from\\n silence"}]}'
COMPLETION = {
    "choices": [{"message": {"role": "assistant", "content": "Bills are paid by card or in cash. [house-paying]"}}],
    "usage": {"prompt_tokens": 210, "completion_tokens": 14},
}


@pytest.fixture(scope="module")
def directed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, RunningApp]]:
    """The helpful app with a tool, without and with a model."""
    with HTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        keys = {"MENU_TOOL_KEY": "key-7"}
        model = dict(zip(MODEL_VARIABLES, (f"{address}/v1", "key-1", "small-model"), strict=True))
        folder = tmp_path_factory.mktemp("directed")
        tool = ("--tool", f"{address}/watch?token=hidden")
        with (
            running("helpful", folder, *tool, environment=keys) as plain,
            running("helpful", folder, *tool, environment=keys | model) as written,
        ):
            yield {"plain": plain, "written": written}
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _as_it_should_be() -> None:
    Endpoint.received = []
    Endpoint.replies = {"/watch": (200, DIRECTIVES), CHAT: (200, json.dumps(COMPLETION).encode())}


def test_a_tool_is_asked_on_every_question_and_its_keys_are_shown_nowhere(directed: dict[str, RunningApp]) -> None:
    questions = ["Are your oranges organic?", "What does the fig tart cost?"]
    traces = [directed["plain"].trace(question) for question in questions]
    assert [trace.reply.abstained for trace in traces] == [True, False]
    assert Endpoint.received == [("/watch", "Bearer key-7", {"question": each}) for each in questions]
    assert not re.search("hidden|key-7", "".join(trace.model_dump_json() for trace in traces))


def test_a_model_writes_from_the_same_context_under_directives_that_are_not_the_guests(
    directed: dict[str, RunningApp],
) -> None:
    trace = directed["written"].trace("Can I pay in cash?")
    assert trace.reply.text == "Bills are paid by card or in cash. [house-paying]"
    assert trace.usage is not None
    assert (trace.usage.input_tokens, trace.usage.output_tokens) == (210, 14)
    assert dict(trace.version_pairs)["model"] == "small-model"
    _asked, (path, key, sent) = Endpoint.received
    assert (path, key, sent["model"]) == (CHAT, "Bearer key-1", "small-model")
    system, under, user = (message["content"] for message in sent["messages"])
    assert [message["role"] for message in sent["messages"]] == ["system", "system", "user"]
    assert under.splitlines()[1:] == ["suppress: concluding from silence"]
    assert "silence" not in system + user
    assert "Bills are paid by card or in cash." in user


@pytest.mark.parametrize(
    ("path", "reply", "said"),
    [
        ("/watch", (500, b"secret words"), "raised HTTPError"),
        ("/watch", (302, b"secret words"), "raised HTTPError"),
        ("/watch", (200, b"secret words"), "raised JSONDecodeError"),
        ("/watch", (200, b'{"directives": "secret words"}'), "no list of at most 16 directives"),
        ("/watch", (200, b'{"directives": ["secret words"]}'), "directive 1"),
        ("/watch", (200, b'{"directives": [{"amplify": " \\u202e\\u0000"}]}'), "directive 1"),
        (CHAT, (401, b"{}"), "401"),
        (CHAT, (200, b'{"choices": []}'), "no chat completion"),
        (CHAT, (200, b'{"choices": [{"message": {"content": null}}]}'), "no text"),
    ],
)
def test_a_failing_tool_or_model_is_an_error_and_never_a_quiet_fallback(
    path: str, reply: tuple[int, bytes], said: str, directed: dict[str, RunningApp]
) -> None:
    Endpoint.replies[path] = reply
    trace = directed["written"].trace("Can I pay in cash?")
    assert trace.error is not None
    assert said in trace.error
    assert "secret" not in trace.error
    assert trace.reply.text == ""
    assert len(Endpoint.received) == (1 if path == "/watch" else 2), "without its directives the model is not asked"


def test_a_tool_that_hangs_is_left_in_time() -> None:
    code = (
        "import threading, tool\n"
        "try:\n    tool.directives_of(tool.Tool('hangs', lambda _: threading.Event().wait()), 'Open?', timeout_s=0.1)\n"
        "except tool.ToolError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=MENU, capture_output=True, text=True, check=False, timeout=20
    )
    assert done.stdout == "the tool did not reply within 0.1 s\n", done.stderr
