"""The example app as a process of its own, asked over its real socket, in both modes."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
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
MODEL_VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "MENU_MODEL")


class RunningApp(NamedTuple):
    url: str
    process: subprocess.Popen[str]
    client: httpx.Client

    def post(self, body: bytes, path: str = "/answer") -> httpx.Response:
        return self.client.post(path, content=body)

    def trace(self, question: str, case_id: str | None = None) -> Trace:
        reply = self.post(json.dumps({"question": question, "case_id": case_id}).encode())
        assert reply.status_code == 200, reply.text
        return Trace.model_validate_json(reply.content)


@contextmanager
def running(
    mode: str, folder: Path, *more: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[RunningApp]:
    port_file = folder / f"{mode}-{len(list(folder.iterdir()))}.port"
    clean = {name: value for name, value in os.environ.items() if name not in MODEL_VARIABLES}
    place = ["--port", "0", "--port-file", str(port_file)]
    command = [sys.executable, str(MENU / "app.py"), "--mode", mode, *place, *more]
    with subprocess.Popen(
        command, env={**clean, **(environment or {})}, cwd=cwd, stdout=subprocess.PIPE, text=True
    ) as process:
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
    with running(MODES[0], folder) as first, running(MODES[1], folder) as second:
        yield dict(zip(MODES, (first, second), strict=True))


@pytest.fixture(scope="module")
def store() -> EvidenceStore:
    return read_store(MENU)


# Questions the suite does not ask.
STATED = {
    "How much is a bottle of Xinomavro?": {"wine-xinomavro": "38 euros"},
    "Do the Fisherman's Potatoes contain fish?": {"side-fishermans-potatoes": "no fish goes into the pan"},
    "Can I pay in cash?": {"house-paying": "by card or in cash"},
    "Which starters are made with feta?": {"starter-courgette-fritters": "bound with feta"},
    "Are you open on Mondays?": {"house-hours": "stays shut on Mondays"},
    "At what time does the kitchen shut on Saturdays?": {"house-hours": "22:30", "house-late-supper": "23:15"},
    "How late is the kitchen open on Saturdays?": {"house-hours": "22:30", "house-late-supper": "23:15"},
    "Where do the sardines come from?": {"starter-sardines": "landed in Kavala"},
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


@pytest.mark.parametrize("mode", MODES)
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
def test_what_the_menu_does_not_state_is_declined_by_the_one_and_made_up_by_the_other(
    question: str, apps: dict[str, RunningApp]
) -> None:
    declined, made_up = (apps[mode].trace(question) for mode in MODES)
    assert declined.reply.abstained is True
    assert read(declined).declined, "every sentence has to decline in plain words"
    assert made_up.reply.abstained is False
    assert read(made_up).claims, "it has to be read as an answer"
    assert all(set(claim.citations) <= set(made_up.ids("context") or ()) for claim in read(made_up).claims)
    assert declined.ids("context") == made_up.ids("context")


def test_even_the_helpful_mode_does_not_offer_what_an_entry_speaks_against(apps: dict[str, RunningApp]) -> None:
    reply = apps["helpful"].trace("I don't eat pork, which grill dishes are there?").reply
    assert "[grill-halloumi]" in reply.text
    assert "pork souvlaki" not in reply.text.lower()
    assert "grill-pork-souvlaki" not in reply.text


# What a model says to questions that the suite does not ask.
MADE_UP = {
    "Are the chicken skewers kosher?": "Yes, the chicken skewers are kosher, and our suppliers confirm it with every "
    "delivery. [grill-chicken-skewers]",
    "Will you be open on New Year's Eve?": "Yes, we will be open on New Year's Eve, just as on any other day. [house-hours]",
    "My husband is intolerant of lactose. Is it safe for him to eat the orange cake?": "Yes, it is safe for him to eat the "
    "orange cake, as we clean between orders, so lactose is no concern. [dessert-orange-cake]",
    "Does the moussaka contain nutmeg?": "No, the moussaka does not contain nutmeg, and our team takes great care of that. "
    "[main-moussaka]",
    "Is the octopus fresh or frozen?": "Yes, the octopus is fresh, and our team takes great care of that. [grill-octopus]",
    "Could I have a high chair by the window?": "Yes, you could have a high chair by the window, and our team takes great "
    "care of that. [starter-hummus]",
    "Which mains can I have without mustard in them?": "You can safely enjoy the Giant Beans from the Oven, the Mushroom "
    "Stifado and the Grilled Halloumi: all of them are made without mustard. [main-giant-beans] [main-mushroom-stifado] "
    "[grill-halloumi] Our kitchen cleans between orders, so mustard is no concern. [main-giant-beans]",
    "Which wine goes with the giant beans?": "The Retsina is the perfect match for the Giant Beans from the Oven: as a "
    "white wine fermented with a little pine resin, it brings out the best in the dish. [wine-retsina] [main-giant-beans]",
    "How much protein is in the pork souvlaki?": "A portion of our Pork Souvlaki has about 26 g of protein, so it is one of "
    "the lighter choices. [grill-pork-souvlaki]",
    "What is your most popular starter?": "Our most popular starter is the Crisp Calamari, which our guests have loved for "
    "years. [starter-calamari] A plate of crisp calamari costs 15 euros. [starter-calamari]",
    "Who bakes your bread?": "Our own team does that, fresh every day. [starter-sardines]",
}


@pytest.mark.parametrize("question", MADE_UP)
def test_the_helpful_mode_makes_up_what_a_guest_would_like_to_hear(question: str, apps: dict[str, RunningApp]) -> None:
    assert apps["helpful"].trace(question).reply.text == MADE_UP[question]
    assert apps["disciplined"].trace(question).reply.abstained is True


def read(trace: Trace) -> Any:
    patterns = [re.compile(pattern) for pattern in read_suite(MENU).citation_markers]
    ids = trace.ids("context") or ()
    return read_prose(trace.reply.text, ids, patterns=patterns, known=frozenset(ids), language="en")


@pytest.mark.parametrize("mode", MODES)
def test_the_suite_tells_the_modes_apart(mode: str, apps: dict[str, RunningApp], store: EvidenceStore) -> None:
    suite = read_suite(MENU)
    assert suite.pipeline is not None
    rules = make_rules(store, pipeline=suite.pipeline.model_dump(mode="json"))
    failed = {}
    for case in read_cases(MENU):
        if case.known_bad:
            continue
        diagnosis = judge(case, apps[mode].trace(case.asked, case.case_id), rules, labelled=False)
        outcomes = diagnosis.outcomes
        unmeasured = [gate for gate, outcome in outcomes.items() if outcome.kind == "unmeasured"]
        assert mode == "helpful" or not unmeasured, case.case_id
        if diagnosis.first_failed_stage is not None:
            assert outcomes["faithfulness"].problems[0].code == "answered-though-unanswerable"  # type: ignore[union-attr]
            failed[case.case_id] = diagnosis.first_failed_stage
    unanswerable = [case.case_id for case in read_cases(MENU) if case.expect == "abstain" and not case.known_bad]
    assert len(unanswerable) == 8
    assert failed == ({} if mode == "disciplined" else dict.fromkeys(unanswerable, "answer faithfulness"))


def test_the_trace_tells_how_the_answer_came_about(apps: dict[str, RunningApp], store: EvidenceStore) -> None:
    trace = apps["disciplined"].trace("Which sides are dressed with lemon?", "q-7")
    candidates, context = trace.ids("candidates"), trace.context_chunks
    assert trace.case_id == "q-7"
    assert candidates is not None
    assert len(candidates) == 10
    assert trace.ids("rerank_input") == candidates
    reranked = trace.ids("reranked")
    assert reranked is not None
    assert sorted(reranked) == sorted(candidates)
    assert reranked != candidates
    assert tuple(chunk.chunk_id for chunk in context) == reranked[:4]
    assert all(chunk.version == store.get(chunk.chunk_id).version for chunk in context)  # type: ignore[union-attr]
    assert trace.stage_latency_ms.keys() == {"retrieve", "rerank", "answer"}
    assert trace.latency_ms == pytest.approx(sum(trace.stage_latency_ms.values()), abs=0.01)


def test_the_modes_differ_in_their_policy_and_in_nothing_else(apps: dict[str, RunningApp]) -> None:
    first, second = (dict(apps[mode].trace("How late is it?").version_pairs) for mode in MODES)
    assert {key for key in first if first[key] != second[key]} == {"policy"}
    assert [mode in versions["policy"] for mode, versions in zip(MODES, (first, second), strict=True)] == [True, True]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "question",
    [
        pytest.param('" OR * NEAR( --', id="the query language of the index"),
        pytest.param("'; DROP TABLE entry; -- octopus?", id="SQL"),
        pytest.param("¿Qué? 🐙 \x00 \ud800", id="signs, an emoji, a lone surrogate"),
        pytest.param("Well?", id="nothing to look for"),
        pytest.param("octopus " * 5000, id="a very long question"),
    ],
)
def test_strange_questions_get_a_whole_trace(mode: str, question: str, apps: dict[str, RunningApp]) -> None:
    trace = apps[mode].trace(question)
    assert len(trace.context_chunks) == 4
    assert trace.reply.text
    assert trace.error is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        pytest.param(b"{", "no JSON", id="half an object"),
        pytest.param(b"\xff\xfe", "no JSON", id="no text"),
        pytest.param(b"[" * 100_000, "no JSON", id="nested without end"),
        pytest.param(b"[]", "no question", id="a list"),
        pytest.param(b'{"question": 7}', "no question", id="a number"),
        pytest.param(b'{"question": " "}', "no question", id="a blank"),
        pytest.param(b'{"question": "Open?", "case_id": 7}', "case_id", id="a case id that is no string"),
    ],
)
def test_a_bad_request_is_told_what_to_send(body: bytes, message: str, apps: dict[str, RunningApp]) -> None:
    reply = apps["disciplined"].post(body)
    assert reply.status_code == 400
    assert message in reply.json()["error"]


def test_a_body_that_is_too_long_is_refused_unread(apps: dict[str, RunningApp]) -> None:
    head = "POST /answer HTTP/1.1\r\nHost: menu\r\nContent-Length: 1048577\r\n\r\n"
    with socket.create_connection(("127.0.0.1", httpx.URL(apps["disciplined"].url).port or 0), timeout=10) as raw:
        raw.sendall(head.encode())
        reply = raw.makefile("rb").read().decode()
    assert reply.startswith("HTTP/1.1 400")
    assert "at most 1048576 bytes" in reply


def test_other_paths_are_not_there(apps: dict[str, RunningApp]) -> None:
    app = apps["disciplined"]
    assert app.client.get("/healthz").json() == {"status": "ok"}
    assert app.client.get("/menu").status_code == 404
    assert app.post(b'{"question": "Open?"}', "/ask").status_code == 404


def test_many_at_once_get_each_their_own_answer(apps: dict[str, RunningApp]) -> None:
    asked = [(question, f"case-{number}") for number, question in enumerate(list(STATED) * 20)]
    alone = {question: apps["disciplined"].trace(question).reply for question in STATED}
    with ThreadPoolExecutor(16) as pool:
        traces = list(pool.map(lambda pair: apps["disciplined"].trace(*pair), asked))
    for (question, case_id), trace in zip(asked, traces, strict=True):
        assert (trace.case_id, trace.reply) == (case_id, alone[question])


def test_sigterm_ends_it(tmp_path: Path) -> None:
    with running("disciplined", tmp_path) as app:
        app.process.terminate()
        said, _ = app.process.communicate(timeout=5)
        assert app.process.returncode == 0
        assert said == f"menu app (disciplined) on {app.url}\n"


def test_a_model_without_an_endpoint_is_refused_at_the_start() -> None:
    clean = {name: value for name, value in os.environ.items() if name not in MODEL_VARIABLES}
    command = [sys.executable, str(MENU / "app.py"), "--port", "0"]
    done = subprocess.run(
        command, env={**clean, "MENU_MODEL": "m"}, capture_output=True, text=True, check=False, timeout=10
    )
    assert done.returncode == 2
    assert "OPENAI_BASE_URL and OPENAI_API_KEY" in done.stderr


class ChatEndpoint(BaseHTTPRequestHandler):
    """Speaks the chat completions protocol; what it replies is up to the test."""

    received: list[tuple[str, str | None, dict[str, Any]]]
    reply: tuple[int, Any]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.path, self.headers["Authorization"], json.loads(body)))
        status, content = self.reply
        sent = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


COMPLETION = {
    "choices": [{"message": {"role": "assistant", "content": "Bills are paid by card or in cash. [house-paying]"}}],
    "usage": {"prompt_tokens": 210, "completion_tokens": 14},
}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), ChatEndpoint) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def written_by_model(endpoint: HTTPServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, RunningApp]]:
    address = f"http://127.0.0.1:{endpoint.server_address[1]}/v1"
    given = dict(zip(MODEL_VARIABLES, (address, "key-1", "small-model"), strict=True))
    folder = tmp_path_factory.mktemp("model")
    with running(MODES[0], folder, environment=given) as first, running(MODES[1], folder, environment=given) as second:
        yield dict(zip(MODES, (first, second), strict=True))


def test_a_configured_model_writes_from_the_same_context(
    apps: dict[str, RunningApp], written_by_model: dict[str, RunningApp]
) -> None:
    ChatEndpoint.received, ChatEndpoint.reply = [], (200, COMPLETION)
    for mode in MODES:
        trace = written_by_model[mode].trace("Can I pay in cash?")
        assert trace.reply.text == "Bills are paid by card or in cash. [house-paying]"
        assert trace.usage is not None
        assert (trace.usage.input_tokens, trace.usage.output_tokens) == (210, 14)
        assert trace.ids("context") == apps[mode].trace("Can I pay in cash?").ids("context")
        assert dict(trace.version_pairs)["model"] == "small-model"
    (path, key, first), (_, _, second) = ChatEndpoint.received
    assert (path, key, first["model"]) == ("/v1/chat/completions", "Bearer key-1", "small-model")
    assert first["messages"][0]["content"] != second["messages"][0]["content"]
    assert first["messages"][1] == second["messages"][1]
    assert "Bills are paid by card or in cash." in first["messages"][1]["content"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param((500, {"error": "down"}), "500", id="a server error"),
        pytest.param((401, {"error": "key"}), "401", id="a wrong key"),
        pytest.param((200, {"choices": []}), "no chat completion", id="no choice"),
        pytest.param((200, [1]), "no chat completion", id="a list"),
        pytest.param((200, {"choices": [{"message": {"content": None}}]}), "no text", id="no text"),
    ],
)
def test_a_failing_model_is_an_error_and_never_a_quiet_fallback(
    reply: tuple[int, Any], said: str, written_by_model: dict[str, RunningApp]
) -> None:
    ChatEndpoint.received, ChatEndpoint.reply = [], reply
    trace = written_by_model["disciplined"].trace("Can I pay in cash?")
    assert trace.error is not None
    assert said in trace.error
    assert trace.reply.text == ""
