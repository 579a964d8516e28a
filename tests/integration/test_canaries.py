"""Forbidden text and secrets, told by an app in every place it has, reach no file and no terminal.

The words of the canaries stand nowhere else, so that each single one of them would be noticed.
"""

from __future__ import annotations

import base64
import html
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
import yaml

from tests.forked import Forks
from tests.integration.servers import ScriptedApp, scripted_app
from tests.opened_report import words_in

Say = Callable[[str], Any]

HIDDEN = "Quetzal marzipan orrery zeugma bumblebee: VX-90417-KUMQUAT."
SPELLINGS = {
    "as it is": HIDDEN,
    "in capitals": HIDDEN.upper(),
    "five words": "quetzal marzipan orrery zeugma bumblebee",
    "the code alone": "vx_90417_kumquat",
    "in lines": HIDDEN.replace(" ", "\n"),
    "in bold": HIDDEN.replace(" ", "** **"),
    "with invisible characters": HIDDEN.replace(" ", " \u034f").replace("-", "-\U000e0041"),
    "with points": re.sub(r"\W+", " ... ", HIDDEN),
}
WORDS = ("quetzal", "marzipan", "orrery", "zeugma", "bumblebee", "90417", "kumquat")

# Where an app can put words. `{"answer": ...}` alone is a good answer.
PLACES: dict[str, Say] = {
    "answer": lambda text: {"answer": f"It says: {text}"},
    "claim": lambda text: {"answer": {"claims": [{"text": text, "citation_ids": ["open"]}]}},
    "claim id": lambda text: {"answer": {"text": "x", "claims": [{"text": "Tea.", "claim_id": text}]}},
    "citation": lambda text: {"answer": {"text": "x", "claims": [{"text": "Tea.", "citation_ids": [text]}]}},
    "label": lambda text: {"answer": {"text": "x", "claims": [{"text": "Tea.", "support_phrases": [text]}]}},
    "answered case": lambda text: {"case_id": text, "answer": "Tea."},
    "candidate": lambda text: {"candidates": [text], "answer": "Tea."},
    "candidate's text": lambda text: {"candidates": [{"chunk_id": "open", "text": text}], "answer": "Tea."},
    "rerank input": lambda text: {"rerank_input": [{"chunk_id": "open", "text": text}], "answer": "Tea."},
    "reranked version": lambda text: {"reranked": [{"chunk_id": "open", "version": text}], "answer": "Tea."},
    "context": lambda text: {"context": [{"chunk_id": "open", "version": "v1", "text": text}], "answer": "Tea."},
    "context id": lambda text: {"context": ["open", text], "answer": "Tea."},
    "version": lambda text: {"versions": {"index": text}, "answer": "Tea."},
    "version key": lambda text: {"versions": [[text, "1"], [text, "1"]], "answer": "Tea."},
    "tool": lambda text: {"tool_calls": [text], "answer": "Tea."},
    "tool argument": lambda text: {"tool_calls": [{"name": "say", "arguments": {"it": [text]}}], "answer": "Tea."},
    "tool argument's key": lambda text: {"tool_calls": [{"name": "say", "arguments": {text: 1}}], "answer": "Tea."},
    "stage latency": lambda text: {"stage_latency_ms": {text: 1}, "answer": "Tea."},
    "error": lambda text: {"error": text},
    "long error": lambda text: {"error": f"{'x ' * 230} {text}"},
    "unknown field": lambda text: {"answer": "x", text: 1},
    "document of a chunk": lambda text: {"answer": "x", "context": [{"chunk_id": "open", "document_id": text}]},
    "source of a document": lambda text: {"answer": "x", "context": [{"id": "open", "metadata": {"source": text}}]},
    "text of a document": lambda text: {"answer": "x", "context": [{"page_content": text, "metadata": {}}]},
    "wrong type": lambda text: {"answer": "x", "latency_ms": text},
    "wrong usage": lambda text: {"answer": "x", "usage": {"input_tokens": text}},
}
PIECES: dict[str, dict[str, Any]] = {
    "number in an argument": {"tool_calls": [{"name": "say", "arguments": 8240913}], "answer": "Tea."},
    "number in the usage": {"usage": {"input_tokens": 8240913}, "answer": "Tea."},
    "number as a latency": {"latency_ms": 8240913, "answer": "Tea."},
}


def write_suite(folder: Path, cases: list[dict[str, Any]], **fields: Any) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    suite = {"suite": "canaries", "cases": ["cases.jsonl"], **fields}
    (folder / "raggate.yaml").write_text(yaml.safe_dump(suite))


def written(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file below a folder, as text, in lower case."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            words = words_in(path) if path.name == "report.html" else path.read_text(errors="replace")
            yield path.name, words.lower()


def found(words: tuple[str, ...], texts: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The lines that hold one of the words; five digits stand in a digest by chance."""
    return [
        (name, line[:200])
        for name, text in texts
        for line in re.sub(r"\b[0-9a-f]{16,64}\b", "", text).splitlines()
        if any(word in line for word in words)
    ]


def everything_said(forks: Forks, folder: Path, case_ids: list[str], **environment: str) -> list[tuple[str, str]]:
    """What every command prints about the suite in `folder`, and every file they write below `folder/out`."""
    commands = [
        ("check",),
        ("run", "--out", "out/run"),
        ("record", "--out", "out/traces.jsonl"),
        ("run", "--out", "out/again", "--traces", "out/traces.jsonl"),
        ("report", "out/run"),
        *(("report", "out/run", "--format", name) for name in ("junit", "sarif", "badge", "json")),
        ("report", "out/again", "--baseline", "out/run"),
        *(("explain", "out/run", case_id) for case_id in case_ids),
    ]
    known = {"PATH": "/usr/bin:/bin", "CI": "true", **environment}
    said = ""
    for command in commands:
        process = forks.start("-m", "raggate_action", *command, cwd=folder, env=known, stderr=subprocess.STDOUT)
        said += process.communicate(timeout=600)[0].lower()
        assert process.returncode in {0, 1, 3}, said
    return [("a command", said), *written(folder / "out")]


@pytest.fixture(scope="module")
def app() -> Iterator[ScriptedApp]:
    with scripted_app(default="says") as app:
        yield app


def forbidden_cases(app: ScriptedApp) -> list[dict[str, Any]]:
    """A case for every place and spelling, and what the app answers to each."""
    cases: list[dict[str, Any]] = []

    def add(reply: bytes, name: str = "") -> None:
        case_id = f"q{len(cases)}"
        app.replies[case_id] = reply
        cases.append({"case_id": case_id, "question": "What holds?", "name": name})

    for name, say in PLACES.items():
        for spelling in SPELLINGS.values():
            add(json.dumps({"context": ["open"], **say(spelling)}).encode(), name)
    for reply in PIECES.values():
        add(json.dumps({"context": ["open"], **reply}).encode())
    for spelling in SPELLINGS.values():
        add(f"{spelling} and no JSON".encode())
        add(f"{'x' * 150} {spelling}".encode())
        app.script[cases[-1]["case_id"]] = "fails saying"
    return cases


CHECKS = """
import json
HIDDEN = [json.loads(line)["text"] for line in open("evidence.jsonl")][1]
def repeats(case, trace):
    return ["see " + HIDDEN, "Tea is cold."]
def breaks(case, trace):
    raise ValueError(HIDDEN)
"""


def stage_and_problem(row: dict[str, Any]) -> tuple[str, str]:
    """The first failed stage of a row, and what says that words were withheld there."""
    gate = row["outcomes"]["target" if row["first_failed_stage"] == "target" else "admissibility"]
    told = [
        problem for problem in gate.get("problems", []) if "hidden" in problem["detail"] or "pay" in problem["detail"]
    ]
    return row["first_failed_stage"], told[0]["code"] if told else ""


def rows_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "cases.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("texts", ["full", "quotes", "ids"])
def test_forbidden_text_reaches_no_file_and_no_terminal(
    tmp_path: Path, forks: Forks, app: ScriptedApp, texts: str
) -> None:
    cases = forbidden_cases(app)
    for case_id, check in (("repeats", "checks:repeats"), ("breaks", "checks:breaks")):
        app.replies[case_id] = json.dumps({"answer": "Doors open at nine.", "context": ["open"]}).encode()
        cases.append({"case_id": case_id, "question": "When do doors open?", "custom_check": check})
    folder = tmp_path / "suite"
    target = {"kind": "http", "url": app.url, "attempts": 1}
    write_suite(folder, cases, texts=texts, target=target, evidence=["evidence.jsonl"])
    (folder / "checks.py").write_text(CHECKS)
    chunks = [
        {"chunk_id": "open", "version": "v1", "text": "Doors open at nine."},
        {"chunk_id": "hidden", "version": "v1", "text": HIDDEN, "permitted": False},
        {"chunk_id": "pay", "version": "v1", "text": "It is 8,240,913 a year.", "principals": ["hr"]},
    ]
    (folder / "evidence.jsonl").write_text("".join(f"{json.dumps(chunk)}\n" for chunk in chunks))

    said = everything_said(forks, folder, ["q0", "repeats", "breaks"])

    assert not found((*WORDS, "8240913", "8,240,913"), said)
    rows = {row["case_id"]: row for row in rows_of(folder / "out" / "run")}
    # Labels of a live app, and keys that no trace has, are dropped before anything is looked at.
    dropped = {"label", "unknown field"}
    leaks = [case["case_id"] for case in cases if case["case_id"][0] == "q" and case["name"] not in dropped]
    reasons = {stage_and_problem(rows[case_id]) for case_id in leaks}
    withheld = ("target", "target-error") if texts != "ids" else ("target", "")
    # A text that is a chunk's goes by its id; an error that is cut before it repeats anything is no leak.
    leaks_told = {("admissibility", "restricted-text"), ("admissibility", "restricted-chunk"), withheld}
    assert reasons | {("target", "")} == {*leaks_told, ("target", "")}
    if texts != "ids":
        assert rows["repeats"]["issues"] == ["the check's issue is withheld: it repeats hidden", "Tea is cold."]
        assert "the check's message is withheld: it repeats hidden" in json.dumps(rows["breaks"]["outcomes"])
    # Judged again from what was recorded, none of them is let through.
    again = {row["case_id"]: row["state"] for row in rows_of(folder / "out" / "again")}
    assert {again[case_id] for case_id in leaks} == {"failed"}


KEY = 'k3y/with+signs & "m4rks"=='
TOKEN = "t0ken-abcdef-123456"  # noqa: S105  made up for the test
PASSWORD = "pa55/wo:rd"  # noqa: S105  made up for the test
PAIR = base64.b64encode(f"reader:{PASSWORD}".encode()).decode()
SECRETS = {
    "the token": TOKEN,
    "in its header": f"Authorization: Bearer {TOKEN}, refused",
    "in JSON": json.dumps({"x": KEY}),
    "in JSON in JSON": json.dumps({"x": json.dumps({"x": KEY})}),
    "with another slash": KEY.replace("/", "\\/"),
    "in a url": f"https://app.test/?{quote(KEY, safe='')}",
    "in a form": quote_plus(KEY),
    "in HTML": html.escape(KEY),
    "in an address": f"http://reader:{quote(PASSWORD, safe='')}@app.test",
    "as basic": f"Basic {PAIR}",
    "the password": PASSWORD,
    "in bold": f"{TOKEN[:7]}**{TOKEN[7:9]}**{TOKEN[9:]}",
    "with what nobody sees": f"{TOKEN[:7]}\u200b{TOKEN[7:]} &shy;{KEY[:8]}\u034f{KEY[8:]}",
    "among tags": f"{PASSWORD[:6]}<b>{PASSWORD[6:]}</b>",
    "in base64": base64.b64encode(f"x{TOKEN}".encode()).decode(),
    "in hex": KEY.encode().hex(),
}
# What no spelling of them is without.
PIECES_OF_SECRETS = (
    "t0ken", "k3y", "signs", "m4rks", "pa55", "wo:rd", PAIR.lower()[:12], KEY.encode().hex()[:12],
    base64.b64encode(f"x{TOKEN}".encode()).decode().lower()[4:16],
)  # fmt: skip


def test_secrets_reach_no_file_and_no_terminal(tmp_path: Path, forks: Forks, app: ScriptedApp) -> None:
    cases: list[dict[str, Any]] = []
    for name, say in PLACES.items():
        for spelling in SECRETS.values():
            case_id = f"s{len(cases)}"
            app.replies[case_id] = json.dumps({"context": ["open"], **say(spelling)}).encode()
            cases.append({"case_id": case_id, "question": "What holds?", "name": name})
    for spelling in SECRETS.values():
        for reply, behaviour in ((f"{spelling} and no JSON", "says"), (f"{'x' * 150} {spelling}", "fails saying")):
            case_id = f"s{len(cases)}"
            app.replies[case_id], app.script[case_id] = reply.encode(), behaviour
            cases.append({"case_id": case_id, "question": "What holds?"})
    folder = tmp_path / "suite"
    target = {
        "kind": "http",
        "url": "http://reader:${DB_PASS}@127.0.0.1:${PORT}/answer?mode=fast",
        "headers": {"X-Credentials": "Bearer ${APP}", "X-Other": "${OTHER}", "X-Mode": "${MODE}"},
        "attempts": 1,
    }
    write_suite(folder, cases, texts="full", target=target)
    environment = {"DB_PASS": quote(PASSWORD, safe=""), "PORT": str(app.port), "OTHER": KEY, "APP": TOKEN}
    said = everything_said(forks, folder, ["s0"], **environment, MODE="holds")
    assert not found(PIECES_OF_SECRETS, said)
    # A plain word that no name calls secret is left in the texts.
    assert "what holds?" in (folder / "out" / "run" / "cases.jsonl").read_text().lower()


CERTIFICATE = "-----BEGIN THING-----\nZm9v/9f8e7d+6c\nYmFyMTIz4a5b\n-----END THING-----\n"
PROGRAM = """
import json, os, sys
value = os.environ["CERTIFICATE"]
for line in sys.stdin:
    how = json.loads(line)["case_id"]
    if how == "dies":
        sys.exit("x" * 480 + value.replace(chr(10), " "))
    if how == "rambles":
        print("x" * 30 + value.splitlines()[1], flush=True)
    print(json.dumps({"answer": {"answers": value, "tells a line": value.splitlines()[2]}.get(how, "x"), "context": ["c1"]}), flush=True)
"""


def test_a_secret_of_many_lines_reaches_nothing_of_a_program(tmp_path: Path, forks: Forks) -> None:
    cases = [
        {"case_id": name, "question": "x"} for name in ("answers", "tells a line", "rambles", "next", "dies", "end")
    ]
    folder = tmp_path / "suite"
    command = [sys.executable, "program.py"]
    target = {"kind": "command", "command": command, "env": {"CERTIFICATE": "${PEM}"}}
    write_suite(folder, cases, texts="full", target=target)
    (folder / "program.py").write_text(PROGRAM)
    said = everything_said(forks, folder, [case["case_id"] for case in cases], PEM=CERTIFICATE)
    # Both ends of both lines; four letters of them stand in some digest of every tenth run.
    assert not found(("zm9v/9f8", "8e7d+6c", "ymfymtiz", "iz4a5b"), said)
    rows = {row["case_id"]: row for row in rows_of(folder / "out" / "run")}
    assert rows["answers"]["answer"] == "***"
    assert rows["tells a line"]["answer"] == "***"
    assert rows["rambles"]["error"].endswith("***'")
