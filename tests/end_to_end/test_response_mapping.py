"""A mapping that does not fit the app fails the cases by name and never ends a run; honest apps are judged as ever."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.command_line import raggate
from tests.integration.servers import ScriptedApp, scripted_app

CHUNK = "Parcels can be returned within 30 days of delivery."
SUITE = """\
suite: support
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: http, url: "%s", response: %s, concurrency: 1}
"""
GOOD = {"output": {"text": CHUNK, "docs": [{"id": "returns"}]}}
FITS = {"answer": "output.text", "context": "output.docs[].id"}
CASES = 12


def write(folder: Path, app: ScriptedApp, response: dict[str, str], chunk_id: str = "returns") -> None:
    (folder / "raggate.yaml").write_text(SUITE % (app.url, json.dumps(response)))
    (folder / "evidence.jsonl").write_text(json.dumps({"chunk_id": chunk_id, "text": CHUNK}))
    cases = [{"case_id": f"q{n}", "question": "How long?"} for n in range(CASES)]
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)))


def says(app: ScriptedApp, reply: Any, *case_ids: str) -> None:
    for case_id in case_ids or [f"q{n}" for n in range(CASES)]:
        app.replies[case_id] = json.dumps(reply).encode()


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return raggate("run", *more, cwd=folder)


def test_a_wrong_path_to_the_answer_fails_every_case_with_what_to_write(tmp_path: Path) -> None:
    with scripted_app(default="says") as app:
        says(app, GOOD)
        write(tmp_path, app, {**FITS, "answer": "output.answer"})
        done = run(tmp_path)
    assert done.returncode == 3
    assert (
        "reply-shape: `answer: output.answer` finds nothing in it; write under `target: response:` where it stands; "
        "the reply is {output: {text: string, docs: [{id: string}]}}"
    ) in done.stdout
    assert CHUNK not in done.stderr + done.stdout


def test_a_wrong_path_to_the_context_is_told_as_a_context_that_is_missing(tmp_path: Path) -> None:
    with scripted_app(default="says") as app:
        says(app, GOOD)
        write(tmp_path, app, {**FITS, "context": "output.documents"})
        done = run(tmp_path)
    assert done.returncode == 1
    assert "the trace has no context; write where a reply has it (response: under target:)" in done.stdout


def test_one_flaky_reply_and_some_without_context_are_judged_as_they_are(tmp_path: Path) -> None:
    with scripted_app(default="says") as app:
        says(app, GOOD)
        says(app, {"output": {"text": None, "docs": [{"id": "returns"}]}}, "q0")
        says(app, {"output": {"text": "I don't know.", "docs": None}}, "q1", "q2")
        write(tmp_path, app, FITS)
        done = run(tmp_path)
        rows = [json.loads(line) for line in (tmp_path / "raggate-run" / "cases.jsonl").read_text().splitlines()]
    assert done.returncode == 1
    stages = [row.get("first_failed_stage") for row in rows]
    assert stages == ["target", "admissibility", "admissibility"] + [None] * (CASES - 3)


def test_a_store_that_knows_no_id_is_said_once(tmp_path: Path) -> None:
    with scripted_app(default="says") as app:
        says(app, {"output": {"text": CHUNK, "docs": [{"id": "kb/1"}, {"id": "kb/2"}]}})
        write(tmp_path, app, FITS)
        strange = run(tmp_path)
        comment = (tmp_path / "raggate-run" / "comment.md").read_text()
        says(app, GOOD, "q3")
        some = run(tmp_path, "--out", "some")
    assert strange.returncode == 3
    why = strange.stdout.splitlines()[1].strip()
    assert why.startswith(
        "why: 0 of 24 ids known: the evidence store has no chunk id that 12 traces name; first: kb/1."
    )
    assert comment.count("ids known") == 1
    assert "unknown-chunk" not in comment
    # One id that is known shows that it is the right store.
    assert some.returncode == 1
    assert "admissibility failed: 1 of 12 passed" in some.stdout


def test_a_key_that_its_asker_may_not_read_is_not_shown(tmp_path: Path) -> None:
    with scripted_app(default="says") as app:
        says(app, {"answers": {"ZX-4471-QQ": CHUNK}})
        write(tmp_path, app, FITS)
        forbidden = {"chunk_id": "vault", "permitted": False, "text": "The vault opens with ZX-4471-QQ after midnight."}
        with (tmp_path / "evidence.jsonl").open("a") as evidence:
            evidence.write("\n" + json.dumps(forbidden))
        done = run(tmp_path)
    written = "".join(path.read_text() for path in (tmp_path / "raggate-run").iterdir() if path.is_file())
    assert done.returncode == 3
    assert "ZX-4471" not in done.stderr + done.stdout + written
