"""`docs/adapt.md` cannot lie: its suite loads, its tool is asked, its recipes are programs, its numbers are computed again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import comb
from pathlib import Path

import pytest
import yaml

from bench.panel_cost import table
from raggate_action.cli import commands
from raggate_action.schema.ab import Ab
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.ab_section import members_of, shared_labs
from tests.contract.test_addresses_of_documents import anchors
from tests.example_files import MENU, read_cases, read_suite

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/adapt.md"
DOCUMENT = PAGE.read_text()
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL))
COMMANDS = re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_every_piece_is_found() -> None:
    assert sorted(FILES) == ["cases.yaml", "evidence.jsonl", "raggate.yaml", "session.py", "watch.py"]
    assert len(FILES) + len(COMMANDS) + DOCUMENT.count("```text") == DOCUMENT.count("```") / 2


def test_the_suite_shown_is_one(folder: Path) -> None:
    command = [sys.executable, "-m", "raggate_action", "check", "raggate.yaml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    loaded = load_suite(folder / "raggate.yaml", environment={})
    assert shared_labs(loaded.suite) == ()
    ab = loaded.suite.ab
    assert ab is not None
    assert ab.control is not None
    assert ab.treatment is not None
    assert (ab.control.model, ab.control.lab) == (ab.treatment.model, ab.treatment.lab)
    assert ab.treatment.target is not None
    asked, other = ab.treatment.target.model_dump(), loaded.suite.target.model_dump()
    assert [key for key in asked if asked[key] != other[key]] == ["url"]


def test_the_judges_shown_are_the_examples() -> None:
    shown = yaml.safe_load(FILES["raggate.yaml"])["ab"]["judges"]
    panel = {each["name"]: each for each in yaml.safe_load((MENU / "panel.yaml").read_text())["ab"]["judges"]}
    for each in shown:
        assert each.items() <= panel[each["name"]].items()


def test_the_tool_shown_is_asked_and_obeyed(folder: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(MENU)!r})\n"
        "from answering import policy_under, decline\nfrom tool import directives_of, tool_from\n"
        "said = directives_of(tool_from('watch:directives', {}), 'Is it open?')\n"
        "assert [each.kind for each in said] == ['amplify', 'suppress']\n"
        "assert policy_under(said, 'helpful') is decline\n"
    )
    assert "--tool watch:directives" in DOCUMENT
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_session_shown_is_opened_before_the_question(tmp_path: Path) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            opens = self.path == "/sessions"
            is_asked = self.path == "/sessions/s-7/messages" and json.loads(body or "{}") == {"text": "What is it?"}
            said = {"id": "s-7"} if opens else {"answer": "Tea."} if is_asked else {"error": "no session"}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        code = FILES["session.py"]
        assert "localhost:8000" in code
        (tmp_path / "session.py").write_text(code.replace("localhost:8000", f"127.0.0.1:{server.server_port}"))
        target = {"kind": "function", "function": "session:answer"}
        (tmp_path / "cases.jsonl").write_text('{"case_id": "q", "question": "What is it?"}')
        suite = {"suite": "s", "target": target, "cases": ["cases.jsonl"], "pipeline": {"context": "none"}}
        (tmp_path / "raggate.json").write_text(json.dumps(suite))
        command = [sys.executable, "-m", "raggate_action", "record", "raggate.json", "--out", "traces.jsonl"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        server.shutdown()
    assert done.returncode == 0, done.stderr
    (trace,) = (tmp_path / "traces.jsonl").read_text().splitlines()
    assert json.loads(trace)["answer"] == "Tea."


def test_the_cost_is_what_the_bench_computes() -> None:
    computed = "\n".join(table())
    block = re.compile(r"(?<=<!-- computed: bench.panel_cost -->\n).*?(?=\n\n[^|W])", re.DOTALL)
    if os.environ.get("RAGGATE_UPDATE_GOLDEN"):
        PAGE.write_text(block.sub(computed, PAGE.read_text()))
    assert block.findall(PAGE.read_text()) == [computed]
    assert "Computed, not measured" in DOCUMENT


def test_the_chances_are_those_of_a_sign_test() -> None:
    """Of 10 questions: all one way, either way; and at most two the other way."""
    assert (2 * comb(10, 0), 2**10) == (2, 1024)
    assert round(2**10 / (2 * sum(comb(10, other) for other in range(3)))) == 9
    assert "comes about by chance 2 times in 1,024; where two go the other way as far, 1 time in 9" in DOCUMENT


def test_every_variable_that_the_example_reads_has_its_row() -> None:
    rows = DOCUMENT.partition("## Who holds which key")[2].partition("\n## ")[0]
    code = "".join(path.read_text() for path in sorted(MENU.glob("*.py")))
    read = set(re.findall(r'"([A-Z]+_[A-Z_]+)"', code))
    assert {"MENU_TOOL_KEY", "OPENAI_API_KEY"} <= read
    assert [name for name in sorted(read) if f"`{name}`" not in rows] == []
    for name in re.findall(r"`([A-Z]+_[A-Z_]+)`", rows):
        assert name in read | {"OPENROUTER_API_KEY", "GITHUB_TOKEN"}


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", DOCUMENT)
    assert len(links) > 5
    for link in links:
        page, _, anchor = link.partition("#")
        path = (ROOT / "docs" / page).resolve()
        assert path.exists(), link
        assert not anchor or anchor in anchors(path.relative_to(ROOT).as_posix()), link


def test_every_command_named_is_one() -> None:
    lines = [line.partition("#")[0].split() for block in COMMANDS for line in block.splitlines()]
    ours = {words[1] for words in lines if words[0] == "raggate-action"}
    assert ours == {"check", "ab"}
    assert ours <= set(commands.COMMANDS)
    for words in lines:
        if words[0] == "python":
            done = subprocess.run(
                [sys.executable, words[1], "--help"], cwd=ROOT, capture_output=True, text=True, check=True
            )
            assert all(word in done.stdout for word in words if word.startswith("--"))


# The example's panel


def test_the_panel_of_the_example_is_four_labs_behind_one_key_and_says_who_is_of_the_producers() -> None:
    ports = {"MENU_CONTROL_PORT": "8081", "MENU_TREATMENT_PORT": "8082"}
    suite = load_suite(MENU / "panel.yaml", environment=ports).suite
    judges = members_of(suite)
    assert len({each.lab for each in judges}) == len(judges) == 4
    assert len({(each.base_url, each.api_key_env) for each in judges}) == 1
    assert all(each.price is not None for each in judges)
    (shared,) = shared_labs(suite)
    assert (len(shared.judges), len(shared.arms)) == (1, 2)
    text = (MENU / "panel.yaml").read_text()
    assert len(re.findall(r"- name: \w+ +# \w+", text)) == 4, "each says why"
    assert isinstance(suite.ab, Ab)
    assert (suite.ab.swap, suite.ab.same_lab, suite.ab.question_type) == (True, "disclose", "category")


def test_the_panel_asks_the_ten_tempting_questions_of_the_same_app() -> None:
    panel, menu = (yaml.safe_load((MENU / name).read_text()) for name in ("panel.yaml", "raggate.yaml"))
    assert panel["pipeline"] == menu["pipeline"]
    assert panel["evidence"] == menu["evidence"]
    assert panel["slices"]["protected"] == menu["slices"]["protected"]
    ten = yaml.safe_load((MENU / "cases.yaml").read_text())
    assert panel["cases"] == ["cases.yaml"]
    assert len(ten) == 10
    assert [case.case_id for case in read_cases(MENU)][:10] == [case["case_id"] for case in ten]
    assert read_suite(MENU).cases == ("cases.yaml", "plain.yaml")
