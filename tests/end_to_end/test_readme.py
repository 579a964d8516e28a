"""README and the first pages cannot lie: samples are run, commands typed, printed output printed again."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate
from tests.forked import Forks

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BY_HAND, APP, RECORDED, DEMO = (
    (ROOT / f"docs/{name}.md").read_text() for name in ("by-hand", "start-app", "start-answers", "start-demo")
)
ANSWERS = {
    "How long do I have to return a parcel?": "Parcels can be returned within 30 days of delivery. [refund-rule]",
    "Can I get the refund in cash?": "I do not know: the policy does not say how a refund is paid.",
}


class SupportApp(BaseHTTPRequestHandler):
    """An app that speaks its own format, as the README's suite expects it."""

    answers = ANSWERS

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/health" else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["question"]
        body = json.dumps({"output": {"text": self.answers[question], "docs": [{"id": "refund-rule"}]}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it so
        """Be quiet."""


@pytest.fixture
def support_port() -> Iterator[int]:
    with served(SupportApp) as port:
        yield port


@contextmanager
def served(app: type[SupportApp]) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), app)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()
    thread.join()


def samples(page: str = BY_HAND) -> dict[str, str]:
    return dict(re.findall(r"<!-- sample: (\S+) -->\n```\w+\n(.*?)```", page, re.DOTALL))


def typed_commands(page: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    lines = [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("raggate-action ")]


def test_the_samples_and_the_commands_work_as_they_stand(tmp_path: Path, support_port: int) -> None:
    files = samples()
    assert sorted(files) == ["cases.yaml", "evidence.jsonl", "raggate.yaml"]
    for name, text in files.items():
        (tmp_path / name).write_text(text.replace("localhost:8080", f"127.0.0.1:{support_port}"))
    commands = typed_commands(BY_HAND)
    assert len(commands) == 4
    for command in commands:
        if "--baseline main-run" in command:
            shutil.copytree(tmp_path / "raggate-run", tmp_path / "main-run")
        done = raggate(*shlex.split(command)[1:], cwd=tmp_path)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    assert "**Release**" in (tmp_path / "raggate-run" / "comment.md").read_text()


def test_the_printed_demo_and_its_comment_are_what_the_demo_leaves(tmp_path: Path) -> None:
    printed = re.search(r"<!-- demo output -->\n```text\n(.*?)```", DEMO, re.DOTALL)
    shown = re.search(r"<!-- demo comment -->\n(.*?)<!-- end of the demo comment -->", README, re.DOTALL)
    assert printed is not None
    assert shown is not None
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        [sys.executable, "examples/demo.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == printed[1]
    assert shown[1] in (tmp_path / "demo" / "comment.md").read_text()


POLICY = (
    "Parcels can be returned within 30 days of delivery.",
    "Refunds are paid within 10 days of the return.",
    "Our depot in Leeds is open from Monday to Friday.",
)


class PlainApp(SupportApp):
    """An app as people have it: it answers with the sentence that shares most words with the question, and no ids."""

    def reply_to(self, question: str) -> dict[str, Any]:
        words = question.lower()
        shared = {text: sum(word in words for word in re.findall(r"\b\w{5}", text.lower())) for text in POLICY}
        nearest = sorted(POLICY, key=lambda text: -shared[text])
        answer = nearest[0] if shared[nearest[0]] else "I do not know: our policy does not say."
        return {"answer": answer, "contexts": nearest[:2]}

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["question"]
        body = json.dumps(self.reply_to(question)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_the_entrances_are_one_command_each_and_print_what_is_shown(tmp_path: Path, forks: Forks) -> None:
    """From an empty folder to a verdict: beside a running app, and with recorded answers alone."""
    of_app, ask, *later = [shlex.split(line) for line in typed_commands(APP)]
    (of_answers,) = [shlex.split(line) for line in typed_commands(RECORDED)]

    def done(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        folder.mkdir(exist_ok=True)
        return forks.run("-m", "raggate_action", *command[1:], cwd=folder, env=os.environ)

    shop = tmp_path / "shop"
    with served(PlainApp) as port:
        at_port = [word.replace("localhost:8000", f"127.0.0.1:{port}") for word in of_app]
        first = done(at_port, shop)
        assert first.returncode == 0, first.stderr
        assert re.sub(r"in [\d.,]+ m?s\b", "in 3 ms", first.stdout) == printed_of("init of an app", APP)
        asked = done(ask, shop)
        assert asked.returncode == 0, asked.stderr
        assert "Parcels can be returned within 30 days of delivery." in asked.stdout
        shutil.copytree(shop / "raggate-run", shop / "main-run")
        for command in later:
            each = done(command, shop)
            assert each.returncode == 0, (command, each.stdout, each.stderr)
    log = tmp_path / "log"
    log.mkdir()
    (log / "answers.jsonl").write_text(samples(RECORDED)["answers.jsonl"])
    second = done(of_answers, log)
    assert second.returncode == 0, second.stderr
    assert second.stdout == printed_of("init of recorded answers", RECORDED)


def printed_of(what: str, page: str) -> str:
    found = re.search(rf"<!-- output: {what} -->\n```text\n(.*?)```", page, re.DOTALL)
    assert found is not None, what
    return found[1]


def test_what_is_installed_is_this_project() -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]
    assert re.findall(r"^python -m pip install (\S+)$", README, re.MULTILINE) == [named]
