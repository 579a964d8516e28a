from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import TargetError
from raggate_action.schema.target import FunctionTarget
from raggate_action.schema.trace import Answered
from raggate_action.targets.child_program import WORKER
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.process_targets import CommandApp, calling_of
from raggate_action.targets.reply_mapping import ReplyMapping
from tests.integration.asking import answer, ask_all, error, numbered, placed

APP = """
import asyncio, dataclasses, os, subprocess, sys

def trace(case):
    return {"answer": "to " + case["question"], "context": ["c1"]}

def text(case):
    return "to " + case["question"]

def prints(case):
    print("looking", case["case_id"], flush=True)
    sys.stdout.write("not JSON")
    os.write(1, b"{}\\n")
    subprocess.run(["echo", '{"answer": "from a child"}'])
    return "kept apart"

def reads(case):
    return "read " + repr(sys.stdin.read())

def raises(case):
    if case["case_id"] == "q1":
        raise ValueError("no index\\nfor q1")
    return "fine"

def exits(case):
    if case["case_id"] == "q1":
        sys.exit("enough")
    return "fine"

def dies(case):
    if case["case_id"] == "q1":
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(9)
    return "fine"

def nothing(case):
    pass

def asked(case):
    with open("asked", "a") as file:
        file.write(case["case_id"] + "\\n")

def a_list(case):
    asked(case)
    return ["c1"]

def a_list_once(case):
    return ["c1"] if case["case_id"] == "q1" else "fine"

def unwritable(case):
    return {"answer": "x", "tool_calls": [{"name": "t", "arguments": object}]}

@dataclasses.dataclass
class Reply:
    answer: str
    context: tuple

def a_dataclass(case):
    return Reply("from a dataclass", ("c1",))

class Model:
    def model_dump(self):
        return {"answer": "from a model", "context": {"c1"}}

def a_model(case):
    return Model()

class Plain:
    def __init__(self):
        self.answer = "from an object"

def an_object(case):
    return Plain()

class Document:
    __slots__ = ("id", "metadata", "page_content")

    def __init__(self, text):
        self.id, self.metadata, self.page_content = None, {"source": "refunds.md"}, text

class Node:
    node_id, ref_doc_id, metadata = "n-1", "doc-1", None

    def get_content(self):
        return "Orders ship."

def documents(case):
    return {"answer": "x", "source_documents": [(Document("Refunds take 30 days."), 0.5), Node()]}

def wants_text(words: str):
    return "to " + words

def takes_text(question):
    return f"to {question}"

def of_no_name(x):
    return "to " + x.strip()

def a_tuple(case):
    asked(case)
    return "to " + case["question"], ["c1"]

class Chain:
    def __init__(self, find):
        self.invoke = find

by_text = Chain(lambda given: "to " + given.strip())
by_input = Chain(lambda given: {"answer": "to " + given["input"]})
by_messages = Chain(lambda given: "to " + given["messages"][-1])
calls = []

def down(x):
    calls.append(x)
    raise ConnectionError(f"refused, call {len(calls)}")

loops = []

async def waits(case):
    await asyncio.sleep(0)
    loops.append(id(asyncio.get_running_loop()))
    assert len(set(loops)) == 1, "an app's clients belong to one loop"
    return "awaited"

class Bot:
    def ask(self, case):
        return "from a method"

bot = Bot()
number = 3
"""


def line_of(words: str) -> int:
    """The line of the app that has these words."""
    return next(number for number, line in enumerate(APP.splitlines(), start=1) if words in line)


def function_app(directory: Path, name: str, **settings: Any) -> CommandApp:
    (directory / "app.py").write_text(APP)
    target = FunctionTarget(kind="function", function=name, **settings)
    calling = calling_of(target, Surroundings(directory, dict(os.environ)), ReplyMapping())
    return CommandApp(calling._replace(grace_s=0.4))


def test_documents_are_known_by_their_attributes(tmp_path: Path) -> None:
    reply = ask_all(function_app(tmp_path, "app:documents"), numbered(1))["q0"]
    assert isinstance(reply, Answered)
    first, second = reply.trace.context_chunks
    assert (first.text, first.document_id) == ("Refunds take 30 days.", "refunds.md")
    assert (second.chunk_id, second.text, second.document_id) == ("n-1", "Orders ship.", "doc-1")


def test_an_object_with_invoke_that_takes_neither_is_told_with_the_wrapper_to_write(tmp_path: Path) -> None:
    told = error(ask_all(function_app(tmp_path, "app:by_messages"), placed("q"))["q"])
    assert "called with {\"input\": question}: KeyError: 'messages'" in told
    assert 'def answer(case): return by_messages.invoke(... case["question"] ...)' in told


def test_what_fails_for_another_reason_is_called_once_and_told_as_it_is(tmp_path: Path) -> None:
    told = error(ask_all(function_app(tmp_path, "app:down"), placed("q"))["q"])
    assert told == f"ConnectionError: refused, call 1 (app.py line {line_of('refused, call')})"


def test_a_module_that_is_not_found_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=f"No module named 'nowhere' .*; it is looked for in {tmp_path} first"):
        ask_all(function_app(tmp_path, "nowhere:ask"), placed("q"))
    with pytest.raises(TargetError, match=r"has no attribute 'nobody'$"):
        ask_all(function_app(tmp_path, "app:nobody"), placed("q"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("app:trace", "to What is q0?", id="a mapping is trace JSON"),
        pytest.param("app:text", "to What is q0?", id="text is the answer"),
        pytest.param("app:wants_text", "to What is q0?", id="a parameter that is a text gets the question"),
        pytest.param("app:takes_text", "to What is q0?", id="so does one that is called like one"),
        pytest.param("app:of_no_name", "to What is q0?", id="and one that cannot use the case"),
        pytest.param("app:by_text", "to What is q0?", id="an object with invoke gets the question"),
        pytest.param("app:by_input", "to What is q0?", id="or the question as its input"),
        pytest.param("app:waits", "awaited", id="an async function is awaited, always in one loop"),
        pytest.param("app:bot.ask", "from a method", id="a dotted attribute"),
        pytest.param("app:a_dataclass", "from a dataclass", id="a dataclass"),
        pytest.param("app:a_model", "from a model", id="a pydantic model"),
        pytest.param("app:an_object", "from an object", id="a plain object"),
        pytest.param("app:prints", "kept apart", id="prints, even of children, do not reach our lines"),
        pytest.param("app:reads", "read ''", id="stdin is not the app's to read"),
    ],
)
def test_a_function_answers(tmp_path: Path, name: str, text: str) -> None:
    replies = ask_all(function_app(tmp_path, name), numbered(3))
    assert answer(replies["q0"]) == text
    assert len(replies) == 3
    assert all(isinstance(reply, Answered) for reply in replies.values())


@pytest.mark.parametrize(
    ("name", "line"),
    [
        pytest.param("app:raises", f"ValueError: no index for q1 (app.py line {line_of('no index')})", id="it raises"),
        pytest.param("app:exits", f"SystemExit: enough (app.py line {line_of('enough')})", id="it exits"),
        pytest.param("app:dies", "the program ended with exit code 9 before its answer: out of memory", id="it dies"),
    ],
)
def test_what_a_function_raises_is_the_cases_reply_and_the_next_is_asked(tmp_path: Path, name: str, line: str) -> None:
    replies = ask_all(function_app(tmp_path, name), numbered(3))
    assert error(replies["q1"]) == line
    assert answer(replies["q0"]) == answer(replies["q2"]) == "fine"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("app:nothing", "the function returned NoneType; return a mapping or text", id="nothing"),
        pytest.param("app:a_list_once", "the function returned list; return a mapping or text", id="a list, once"),
        pytest.param("app:unwritable", "a type cannot be written as JSON", id="something JSON has no form for"),
    ],
)
def test_a_result_that_is_no_trace_says_so(tmp_path: Path, name: str, words: str) -> None:
    replies = ask_all(function_app(tmp_path, name), numbered(3))
    assert len(replies) == 3
    assert words in error(replies["q1"])


@pytest.mark.parametrize("kind", ["list", "tuple"])
def test_a_function_of_which_no_result_can_be_a_reply_is_asked_once(tmp_path: Path, kind: str) -> None:
    with pytest.raises(TargetError, match=f"app:a_{kind} .*: TypeError: the function returned {kind}; return a map"):
        ask_all(function_app(tmp_path, f"app:a_{kind}"), numbered(30))
    assert (tmp_path / "asked").read_text() == "q0\n"


def test_an_error_is_told_under_a_mapping_too(tmp_path: Path) -> None:
    replies = ask_all(function_app(tmp_path, "app:raises", response={"answer": "answer"}), numbered(2))
    assert error(replies["q1"]).startswith("ValueError: no index")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("no_such:f", "ModuleNotFoundError: No module named 'no_such'", id="no such module"),
        pytest.param("app:no_such", "has no attribute 'no_such'", id="no such function"),
        pytest.param("app:number", "TypeError: app:number is not callable", id="not callable"),
    ],
)
def test_a_function_that_cannot_be_called_is_an_error_before_any_case(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(TargetError) as caught:
        ask_all(function_app(tmp_path, name), numbered(3))
    assert f"{name} with {sys.executable} cannot be called: " in str(caught.value)
    assert words in str(caught.value)


def test_a_module_that_fails_to_load_names_its_line(tmp_path: Path) -> None:
    app = function_app(tmp_path, "app:trace")
    (tmp_path / "app.py").write_text("import json\nprint('loading')\nraise RuntimeError('no model file')\n")
    with pytest.raises(TargetError, match=r"RuntimeError: no model file \(app.py line 3\)"):
        ask_all(app, placed("q"))


def test_an_interpreter_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"'venv/bin/python' cannot be started"):
        ask_all(function_app(tmp_path, "app:trace", python="venv/bin/python"), placed("q"))


def test_a_module_named_like_ours_or_the_librarys_is_the_apps(tmp_path: Path) -> None:
    (tmp_path / "command.py").write_text("def f(case):\n    import http.client, json\n    return json.__file__\n")
    (tmp_path / "json.py").write_text("raise RuntimeError('found instead of the library')")
    assert "found instead" not in answer(ask_all(function_app(tmp_path, "command:f"), placed("q"))["q"])


def test_the_app_finds_nothing_of_ours(tmp_path: Path) -> None:
    """As in an interpreter in which raggate is not installed: only what the worker itself brings could be seen."""
    (tmp_path / "look.py").write_text(
        "import sys\ndef f(case):\n"
        "    ours = [name for name in sys.modules if name.startswith(('raggate', 'pydantic'))]\n"
        "    return repr((ours, [path for path in sys.path if 'targets' in path]))\n"
    )
    assert answer(ask_all(function_app(tmp_path, "look:f"), placed("q"))["q"]) == "([], [])"


def test_env_reaches_the_app(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "deep.py").write_text("import os\ndef f(case):\n    return os.environ['MODE']\n")
    app = function_app(tmp_path, "deep:f", env={"PYTHONPATH": "lib", "MODE": "strict"})
    assert answer(ask_all(app, placed("q"))["q"]) == "strict"


def test_the_worker_is_written_for_old_interpreters() -> None:
    assert ast.parse(WORKER.read_text(), feature_version=(3, 8))
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(ast.parse(WORKER.read_text()))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.12", "3.13"])
def test_the_worker_runs_in_other_interpreters(tmp_path: Path, version: str) -> None:
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"no python{version} here")
    replies = ask_all(function_app(tmp_path, "app:waits", python=python), numbered(2))
    assert answer(replies["q1"]) == "awaited"
