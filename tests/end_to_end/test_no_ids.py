"""`docs/no-ids.md` cannot lie: its files are written and its commands run; and the same app over HTTP."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from raggate_action.replies.reply_forms import text_id
from tests.command_line import raggate
from tests.integration.servers import scripted_app
from tests.stored_comparison import compared, moves

DOCUMENT = (Path(__file__).parents[2] / "docs/no-ids.md").read_text()
SAMPLES = dict(re.findall(r"<!-- sample: (\S+) -->\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL))
RUNS: dict[str, str] = dict(re.findall(r"<!-- run: (\S+) -->\n```console\n(.*?)```", DOCUMENT, re.DOTALL))
CODES = {"shop": 0, "recorded": 1, "bare": 1, "without": 0}
REFUNDS, SHIPPING = "Refunds are paid within 30 days of purchase.", "Orders ship on the next working day."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in SAMPLES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def command(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return raggate(*line.removeprefix("raggate-action ").split(), cwd=cwd)


def written(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "raggate-run" / name).read_text().splitlines()]


def test_every_command_of_the_page_is_run() -> None:
    assert RUNS.keys() == CODES.keys()
    assert len(RUNS) == DOCUMENT.count("$ raggate-action")


@pytest.mark.parametrize("name", RUNS)
def test_a_command_of_the_page_prints_what_it_says(name: str, folder: Path) -> None:
    first, *lines = RUNS[name].splitlines()
    done = command(first.removeprefix("$ "), folder)
    printed = [*done.stderr.splitlines(), *done.stdout.splitlines()]
    assert [line for line in lines if line not in printed] == []
    assert done.returncode == CODES[name]


def test_a_stored_passage_goes_by_the_id_of_its_text(folder: Path) -> None:
    assert command("raggate-action run", folder).returncode == 0
    context = written(folder, "traces.jsonl")[0]["context"]
    assert context == [{"chunk_id": text_id(each), "text": each} for each in (REFUNDS, SHIPPING)]
    run = json.loads((folder / "raggate-run" / "run.json").read_text())
    assert run["taken"] == {"answer": "answer", "context": "contexts"}


def test_without_context_the_comment_says_what_is_unguarded(folder: Path) -> None:
    done = command("raggate-action run without.yaml", folder)
    comment = (folder / "raggate-run" / "comment.md").read_text()
    assert "The suite says that the app reports no context" in comment
    assert "a claim that no evidence backs (the app shows no contexts)" in done.stdout
    assert "required_source_ids" not in done.stdout, "a label that nothing could be held against"
    outcomes = written(folder, "cases.jsonl")[0]["outcomes"]
    assert outcomes["faithfulness"] == {"kind": "not_applicable", "why": "the app reports no context"}


HTTP = """\
suite: shop
texts: quotes
cases: [cases.yaml]
target: {kind: http, url: "%s", request: {body: {case_id: "{{case_id}}"}}, concurrency: 1}
"""


def run_over_http(folder: Path, reply: Any, *more: str, suite: str = HTTP) -> subprocess.CompletedProcess[str]:
    with scripted_app(default="says") as app:
        app.replies |= dict.fromkeys(("refunds", "shipping", "gift-cards"), json.dumps(reply).encode())
        (folder / "raggate.yaml").write_text(suite % app.url)
        return command(" ".join(["run", *more]), folder)


def test_over_http_texts_are_enough(folder: Path) -> None:
    reply = {"output": {"answer": REFUNDS, "docs": [{"page_content": REFUNDS, "metadata": {}}]}, "took": 3}
    done = run_over_http(folder, reply)
    assert done.returncode == 0
    # Verified is that the evidence says it, in whatever answer: the sentence about refunds answers all three questions.
    assert "3 passed (3 verified)" in done.stdout
    assert "answer from `output.answer`, context from `output.docs`" in done.stderr


def test_with_a_store_a_text_goes_by_the_stores_id(folder: Path) -> None:
    (folder / "evidence.jsonl").write_text(json.dumps({"chunk_id": "refund-rule", "text": REFUNDS.replace(" ", "  ")}))
    reply = {"answer": REFUNDS, "contexts": [REFUNDS, REFUNDS]}
    done = run_over_http(folder, reply, suite=HTTP + "evidence: [evidence.jsonl]\n")
    assert done.returncode == 0
    assert written(folder, "traces.jsonl")[0]["context"] == [
        "refund-rule",
        {"chunk_id": "refund-rule", "repeated": True},
    ]
    assert (
        "In 3 replies a chunk stands more than once in a stage" in (folder / "raggate-run" / "comment.md").read_text()
    )


def test_a_replay_of_the_stored_traces_gives_every_case_its_outcomes(folder: Path) -> None:
    (folder / "evidence.jsonl").write_text(json.dumps({"chunk_id": "refund-rule", "text": REFUNDS}))
    document = {"page_content": REFUNDS, "metadata": {"source": "refunds.md"}}
    suite = HTTP + "evidence: [evidence.jsonl]\n"
    assert run_over_http(folder, {"answer": REFUNDS, "docs": [document, [document, 0.5]]}, suite=suite).returncode == 0
    before = written(folder, "cases.jsonl")
    assert written(folder, "traces.jsonl")[0]["context"] == [
        {"chunk_id": "refund-rule", "document_id": "refunds.md"},
        {"chunk_id": "refund-rule", "document_id": "refunds.md", "repeated": True},
    ]
    assert command("run --traces raggate-run/traces.jsonl --out again", folder).returncode == 0
    again = [json.loads(line) for line in (folder / "again" / "cases.jsonl").read_text().splitlines()]
    assert [row["outcomes"] for row in again] == [row["outcomes"] for row in before]


def test_a_chunk_worded_anew_makes_nothing_of_an_unchanged_answer_new(folder: Path) -> None:
    """The honest change: the same claim, supported by a chunk that says it in a longer sentence."""
    invented = f"{REFUNDS} Orders ship within 9 days."
    first = ["Refunds are paid within 30 days of purchase.", "Orders ship within 2 days."]
    assert run_over_http(folder, {"answer": invented, "contexts": first}, "--out", "base").returncode == 1
    again = [f"{first[0]} Ask the desk.", "Our orders ship within 2 days."]
    done = run_over_http(folder, {"answer": invented, "contexts": again}, "--out", "raggate-run", "--baseline", "base")
    assert "new" not in [move for _case, move, _words in moves(folder / "raggate-run")], done.stdout
    assert compared(folder / "raggate-run").regressions == ()
