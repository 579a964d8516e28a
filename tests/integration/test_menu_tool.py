"""The example app's tool slot: two arms that differ in one tool, over the real socket; and tools that fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from raggate_action.schema.trace import Trace
from tests.builders import judge, make_rules
from tests.example_files import MENU, read_cases, read_store, read_suite
from tests.integration.test_menu_app import (
    COMPLETION,
    MODEL_VARIABLES,
    ChatEndpoint,
    RunningApp,
    endpoint,
    read,
    running,
)

sys.path.insert(0, str(MENU))

from harness import directives
from tool import LONGEST_DIRECTIVE, MOST_DIRECTIVES, TIMEOUT_S, Directive, ToolError, directives_of, read_directives
from tool_kinds import tool_from

__all__ = ["endpoint"]

BUNDLED = "harness:directives"
ARMS = ("control", "treatment")
# Questions the suite does not ask.
NOT_STATED = [
    "Is the pilaf cooked without wheat?",
    "Are your oranges organic?",
    "Which white wine goes with the prawn orzo?",
    "What is the best starter you have?",
    "Does the chocolate mousse contain caffeine?",
    "I am intolerant of lactose, which desserts are safe for me?",
    "How many guests came yesterday?",
    "Is the owner here at the weekend?",
    "Who chose the music?",
    "Can we park behind the house?",
]
STATED = {
    "What does the fig tart cost?": "8.50 euros",
    "Which wine is paired with the orange cake?": "Samos Muscat",
    "Is there a heated terrace in winter?": "heated in winter",
}


@pytest.fixture(scope="module")
def arms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, RunningApp]]:
    folder = tmp_path_factory.mktemp("arms")
    with running("helpful", folder) as control, running("helpful", folder, "--tool", BUNDLED) as treatment:
        yield dict(zip(ARMS, (control, treatment), strict=True))


# Two arms


@pytest.mark.parametrize("question", NOT_STATED)
def test_what_one_arm_presumes_the_other_declines(question: str, arms: dict[str, RunningApp]) -> None:
    control, treatment = (arms[arm].trace(question) for arm in ARMS)
    assert control.reply.abstained is False
    assert read(control).claims
    assert treatment.reply.abstained is True
    assert read(treatment).declined
    assert (control.error, treatment.error) == (None, None)


@pytest.mark.parametrize("question", STATED)
def test_what_the_menu_states_both_arms_say_alike(question: str, arms: dict[str, RunningApp]) -> None:
    control, treatment = (arms[arm].trace(question) for arm in ARMS)
    assert control.reply == treatment.reply
    assert STATED[question] in control.reply.text


@pytest.mark.parametrize("question", [*NOT_STATED[:2], *STATED])
def test_the_arms_differ_in_the_tool_and_in_nothing_else(question: str, arms: dict[str, RunningApp]) -> None:
    control, treatment = (arms[arm].trace(question) for arm in ARMS)
    for stage in ("candidates", "rerank_input", "reranked", "context"):
        assert control.ids(stage) == treatment.ids(stage)
    assert dict(treatment.version_pairs) == {**dict(control.version_pairs), "tool": BUNDLED}
    assert control.tool_calls is None
    (call,) = treatment.tool_calls or ()
    assert not isinstance(call, str)
    assert (call.name, call.arguments) == (BUNDLED, {"question": question})
    assert treatment.stage_latency_ms.keys() - control.stage_latency_ms.keys() == {"tool"}


def test_with_the_tool_the_helpful_app_passes_the_suite(arms: dict[str, RunningApp]) -> None:
    suite, store = read_suite(MENU), read_store(MENU)
    assert suite.pipeline is not None
    rules = make_rules(store, pipeline=suite.pipeline.model_dump(mode="json"))
    cases = [case for case in read_cases(MENU) if not case.known_bad]
    failed = {
        arm: [
            case.case_id
            for case in cases
            if judge(case, arms[arm].trace(case.asked), rules, labelled=False).first_failed_stage is not None
        ]
        for arm in ARMS
    }
    assert failed["treatment"] == []
    assert failed["control"] == [case.case_id for case in cases if case.expect == "abstain"]


def test_the_bundled_tool_goes_by_kinds_of_question() -> None:
    """It says the same of any field, and something more where harm or a distinction is asked about."""
    plain, harm, distinction = (
        directives(question)["directives"]
        for question in (
            "Which port does the daemon listen on?",
            "Is this dose safe for somebody allergic to penicillin?",
            "What is your most famous release?",
        )
    )
    assert directives("Wann fährt der Zug?")["directives"] == plain
    assert [plain == other[: len(plain)] and len(other) - len(plain) for other in (harm, distinction)] == [1, 1]
    assert harm[-1].keys() == {"amplify"}
    assert distinction[-1].keys() == {"suppress"}


def test_only_a_directive_about_absence_makes_the_policy_decline(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        'def briefly(question):\n    return {"directives": [{"suppress": "long answers"}, {"amplify": "from absence"}]}\n'
        'def like_a_service(question):\n    return {"directives": [{"amplify": "absence of evidence is not evidence of '
        'absence"}, {"suppress": "definitive negation from absence of knowledge"}]}\n'
        'def nothing(question):\n    return {"directives": []}\n'
    )
    declined = {}
    for name in ("briefly", "like_a_service", "nothing"):
        with running("helpful", tmp_path, "--tool", f"mine:{name}", cwd=tmp_path) as app:
            trace = app.trace("Are your oranges organic?")
            assert trace.error is None
            declined[name] = trace.reply.abstained
    assert declined == {"briefly": False, "like_a_service": True, "nothing": False}


# Kinds of tool


class Scripted(BaseHTTPRequestHandler):
    """A tool behind HTTP; what it replies is up to the test."""

    received: list[tuple[str, str | None, Any]]
    reply: tuple[int, bytes]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.path, self.headers["Authorization"], json.loads(body)))
        status, content = self.reply
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Scripted) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def asking_service(service: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    tool = f"{service}/watch?token=hidden"
    with running(
        "helpful", tmp_path_factory.mktemp("http"), "--tool", tool, environment={"MENU_TOOL_KEY": "key-7"}
    ) as app:
        yield app


GOOD = json.dumps({"directives": [{"suppress": "concluding from silence"}]}).encode()


def test_an_address_is_asked_on_every_question(asking_service: RunningApp, service: str) -> None:
    Scripted.received, Scripted.reply = [], (200, GOOD)
    questions = ["Are your oranges organic?", "What does the fig tart cost?"]
    traces = [asking_service.trace(question) for question in questions]
    assert [trace.reply.abstained for trace in traces] == [True, False]
    assert Scripted.received == [("/watch?token=hidden", "Bearer key-7", {"question": each}) for each in questions]
    for trace in traces:
        assert trace.tool_names == (f"{service}/watch",)
        assert dict(trace.version_pairs)["tool"] == f"{service}/watch"
        assert not {"hidden", "key-7"} & set(trace.model_dump_json().replace('"', " ").split())


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param((500, b"secret words"), "answered 500", id="a server error"),
        pytest.param((302, b"secret words"), "answered 302", id="a redirect"),
        pytest.param((200, b"secret words"), "no JSON", id="prose"),
        pytest.param((200, b"[" * 60_000), "no JSON", id="nested without end"),
        pytest.param((200, b"\xff"), "no JSON", id="no text"),
        pytest.param((200, b'["secret words"]'), "no list of directives", id="a list"),
        pytest.param((200, b'{"directives": "secret words"}'), "no list of directives", id="a text"),
        pytest.param((200, b'{"directives": [{"answer": "secret words"}]}'), "directive 1", id="another kind"),
        pytest.param((200, b'{"directives": [{"amplify": 7}]}'), "no text", id="a number"),
        pytest.param((200, b'{"directives": [{"amplify": " \\u202e\\u0000"}]}'), "no text", id="nothing one can read"),
        pytest.param((200, b'{"directives": ["secret words"]}'), "directive 1", id="bare text"),
        pytest.param((200, b'{"directives": [' + b'"x",' * 30_000 + b"1]}"), "longer than", id="too many bytes"),
    ],
)
def test_a_failing_tool_is_an_error_and_never_an_answer_without_it(
    reply: tuple[int, bytes], said: str, asking_service: RunningApp
) -> None:
    Scripted.received, Scripted.reply = [], reply
    for question in ("Are your oranges organic?", "What does the fig tart cost?"):
        trace = asking_service.trace(question)
        assert trace.error is not None
        assert said in trace.error
        assert "secret" not in trace.error
        assert trace.reply.text == ""
        assert trace.tool_names is not None
        assert len(trace.context_chunks) == 4
    assert [path for path, _key, _body in Scripted.received] == ["/watch?token=hidden"] * 2


def test_a_tool_that_is_down_is_an_error(tmp_path: Path) -> None:
    with running("helpful", tmp_path, "--tool", "http://127.0.0.1:9/watch") as app:
        trace = app.trace("What does the fig tart cost?")
    assert trace.error == "the tool cannot be asked: URLError"
    assert trace.reply.text == ""


SERVER = """
import json, os, sys
from typing import Any
from mcp.server.mcpserver import MCPServer

server = MCPServer("watch")
with open(sys.argv[1], "w") as told:
    json.dump([os.getpid(), dict(os.environ)], told)

@server.tool()
def watch(question: str) -> dict[str, Any]:
    if "bread" in question:
        raise ValueError("secret words")
    if "music" in question:
        os._exit(3)
    return {"directives": [{"suppress": "concluding from silence"}]}

@server.tool(structured_output=False)
def spoken(question: str) -> str:
    if "bread" in question:
        return "Presume nothing."
    return '{"directives": [{"suppress": "concluding from silence"}]}'

server.run()
"""


def server_spec(folder: Path, name: str) -> str:
    script = folder / "a server.py"
    script.write_text(SERVER)
    return f"mcp:{sys.executable} '{script}' {folder / 'told.json'}#{name}"


def test_a_tool_of_an_mcp_server_is_asked_and_what_fails_there_is_an_error(tmp_path: Path) -> None:
    with running("helpful", tmp_path, "--tool", server_spec(tmp_path, "watch")) as app:
        first, second = (
            app.trace(question) for question in ("Are your oranges organic?", "What does the fig tart cost?")
        )
        assert (first.reply.abstained, second.reply.abstained) == (True, False)
        assert first.tool_names == ("watch",)
        assert dict(first.version_pairs)["tool"] == f"mcp:{Path(sys.executable).name}#watch"
        failed = app.trace("Who bakes your bread?")
        assert failed.error == "the MCP server says that the tool failed"
        assert app.trace("Are your oranges organic?").error is None
        # The server dies; from then on no question is answered.
        for question in ("Who chose the music?", "Are your oranges organic?"):
            gone = app.trace(question)
            assert gone.error is not None
            assert gone.error.startswith("the MCP server gave no reply: ")
            assert gone.reply.text == ""
            assert gone.latency_ms is not None
            assert gone.latency_ms < 1000 * TIMEOUT_S, "a server that is gone is not waited for"


def test_a_server_may_speak_json_has_the_key_alone_and_ends_with_the_app(tmp_path: Path) -> None:
    given = {"MENU_TOOL_KEY": "key-7", "OTHER_KEY": "key-8"}
    with running("helpful", tmp_path, "--tool", server_spec(tmp_path, "spoken"), environment=given) as app:
        assert app.trace("Are your oranges organic?").reply.abstained is True
        assert app.trace("Who bakes your bread?").error == "the tool's reply is no JSON"
        process, environment = json.loads((tmp_path / "told.json").read_text())
    assert environment["MENU_TOOL_KEY"] == "key-7"
    assert "OTHER_KEY" not in environment
    for _ in range(500):
        if not alive(process):
            break
        threading.Event().wait(0.01)
    else:
        pytest.fail("the server is still there")


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has looked after does not."""
    told = subprocess.run(["ps", "-o", "stat=", str(process)], capture_output=True, text=True, check=False)
    return told.stdout.strip()[:1] not in {"", "Z"}


# At the start


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        pytest.param("harness", "no http(s) URL, no module:callable and no mcp:COMMAND#tool", id="no form"),
        pytest.param("ftp://x/y", "no http(s) URL", id="another scheme"),
        pytest.param("harness:nobody", "harness:nobody is not there", id="no such function"),
        pytest.param("nowhere:directives", "nowhere:directives is not there", id="no such module"),
        pytest.param("harness:_ALWAYS", "cannot be called", id="no function"),
        pytest.param("http://me:key-9@127.0.0.1/x", "put the key into MENU_TOOL_KEY", id="a password"),
        pytest.param("mcp:python", "names a command", id="no tool"),
        pytest.param("mcp:no-such-program#x", "did not start: FileNotFoundError", id="no such program"),
        pytest.param(f"mcp:{sys.executable} -c pass#x", "did not start: ", id="no server"),
    ],
)
def test_a_tool_that_cannot_be_there_is_refused_at_the_start(spec: str, said: str) -> None:
    command = [sys.executable, str(MENU / "app.py"), "--port", "0", "--tool", spec]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr.splitlines()[-1]
    assert "key-9" not in done.stderr


def test_a_module_that_cannot_be_loaded_is_refused_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def directives(question):\n")
    command = [sys.executable, str(MENU / "app.py"), "--port", "0", "--tool", "broken:directives"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "menu app: cannot start: --tool broken:directives cannot be loaded: IndentationError: "
    )


def test_a_tool_that_the_server_does_not_have_is_refused_with_those_it_has(tmp_path: Path) -> None:
    command = [sys.executable, str(MENU / "app.py"), "--port", "0", "--tool", server_spec(tmp_path, "listen")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "has no tool 'listen'; it has watch, spoken" in done.stderr


# What is read


def test_directives_are_one_line_each_whatever_they_hold() -> None:
    reply = {"directives": [{"amplify": " say \x00what\n\u202eis\u2028not\ud800 known\t"}, {"suppress": "guessing"}]}
    assert read_directives(reply) == (Directive("amplify", "say what is not known"), Directive("suppress", "guessing"))


@pytest.mark.parametrize(
    "listed",
    [
        pytest.param([{"amplify": "x"}] * (MOST_DIRECTIVES + 1), id="too many"),
        pytest.param([{"amplify": "x" * (LONGEST_DIRECTIVE + 1)}], id="too long"),
        pytest.param([{"amplify": "x", "suppress": "y"}], id="two kinds in one"),
        pytest.param([{}], id="no kind"),
        pytest.param([None], id="nothing"),
    ],
)
def test_what_is_no_directive_is_none(listed: list[Any]) -> None:
    with pytest.raises(ToolError):
        read_directives({"directives": listed})


def test_the_bounds_are_still_read() -> None:
    listed = [{"amplify": "x" * LONGEST_DIRECTIVE}] * MOST_DIRECTIVES
    assert len(read_directives({"directives": listed})) == MOST_DIRECTIVES
    assert read_directives({"directives": []}) == ()


class Function:
    """A tool as an app may be handed one."""

    name = version = "a function"

    def __init__(self, function: Callable[[], object]) -> None:
        self._function = function

    def reply(self, _question: str) -> object:
        return self._function()


def test_a_tool_that_hangs_raises_or_ends_the_process_has_failed() -> None:
    forever = threading.Event()

    def broken() -> object:
        raise RuntimeError("secret words")

    found = {}
    for name, function in {"hangs": forever.wait, "raises": broken, "exits": lambda: sys.exit(9)}.items():
        with pytest.raises(ToolError) as caught:
            directives_of(Function(function), "Open?", timeout_s=0.05)
        found[name] = str(caught.value)
    forever.set()
    assert found == {
        "hangs": "the tool did not reply within 0.05 s",
        "raises": "the tool raised RuntimeError",
        "exits": "the tool raised SystemExit",
    }


def test_a_dripping_service_is_left_in_time() -> None:
    closed = threading.Event()

    class Dripping(Scripted):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not closed.wait(0.01):
                self.wfile.write(b" ")
                self.wfile.flush()

    with ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        tool = tool_from(f"http://127.0.0.1:{server.server_address[1]}/", os.environ)
        with pytest.raises(ToolError, match="did not reply within"):
            directives_of(tool, "Open?", timeout_s=0.2)
        closed.set()
        server.shutdown()
        thread.join()


# With a model


def test_directives_are_a_message_of_the_systems_and_never_in_the_guests_words(
    endpoint: Any,
    tmp_path: Path,
) -> None:
    ChatEndpoint.received, ChatEndpoint.reply = [], (200, COMPLETION)
    address = f"http://127.0.0.1:{endpoint.server_address[1]}/v1"
    given = dict(zip(MODEL_VARIABLES, (address, "key-1", "small-model"), strict=True))
    with (
        running("helpful", tmp_path, environment=given) as control,
        running("helpful", tmp_path, "--tool", BUNDLED, environment=given) as treatment,
    ):
        for app in (control, treatment):
            assert app.trace("Are your oranges organic?").error is None
    plain, directed = (body["messages"] for _path, _key, body in ChatEndpoint.received)
    assert [message["role"] for message in directed] == ["system", "system", "user"]
    assert [directed[0], directed[2]] == plain
    lines = directed[1]["content"].splitlines()[1:]
    said = directives("Are your oranges organic?")["directives"]
    assert lines == [f"{kind}: {text}" for each in said for kind, text in each.items()]


def test_a_failing_tool_leaves_the_model_unasked(endpoint: Any, service: str, tmp_path: Path) -> None:
    ChatEndpoint.received, ChatEndpoint.reply = [], (200, COMPLETION)
    Scripted.received, Scripted.reply = [], (503, b"")
    address = f"http://127.0.0.1:{endpoint.server_address[1]}/v1"
    given = dict(zip(MODEL_VARIABLES, (address, "key-1", "small-model"), strict=True))
    with running("helpful", tmp_path, "--tool", service, environment=given) as app:
        trace: Trace = app.trace("Are your oranges organic?")
    assert trace.error == "the tool answered 503"
    assert ChatEndpoint.received == []
