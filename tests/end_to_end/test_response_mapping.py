"""A mapping that does not fit the app ends the run or fails the cases by name; honest apps are judged as ever."""

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


def test_a_first_run_with_a_wrong_path_ends_with_what_to_write(tmp_path: Path) -> None:
    with scripted_app(default="says") as app:
        says(app, GOOD)
        write(tmp_path, app, {"answer": "output.text", "context": "output.documents[].id"})
        done = run(tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "`context: output.documents[].id` of `target: response` finds nothing in the first 10 replies" in done.stderr
    assert "a reply is {output: {text: string, docs: [{id: string}]}}" in done.stderr
    assert "The nearest that would fit: `context: output.docs[].id`." in done.stderr
    assert "docs/errors.md#response-mapping" in done.stderr
    assert CHUNK not in done.stderr


def test_what_worked_on_the_baseline_is_the_apps_change_and_fails_its_cases(tmp_path: Path) -> None:
    with scripted_app(default="says") as app:
        says(app, GOOD)
        write(tmp_path, app, FITS)
        assert run(tmp_path, "--out", "base").returncode == 0
        # Of twelve cases eleven lose their field, one keeps it: it comes too late to show that the path is right.
        says(app, {"output": {"text": CHUNK, "documents": [{"id": "returns"}]}}, *[f"q{n}" for n in range(CASES - 1)])
        done = run(tmp_path, "--baseline", "base", "--out", "head")
        rows = [json.loads(line) for line in (tmp_path / "head" / "cases.jsonl").read_text().splitlines()]
        write(tmp_path, app, {**FITS, "candidates": "output.docs[].id"})
        other = run(tmp_path, "--baseline", "base", "--out", "other")
    assert done.returncode == 1
    assert [row.get("first_failed_stage") for row in rows] == ["target"] * (CASES - 1) + [None]
    assert "`context: output.docs[].id` of `target: response` finds nothing in the first 10 replies" in rows[0]["error"]
    assert "The nearest that would fit: `context: output.documents[].id`." in rows[0]["error"]
    # The target's section is another one than the baseline's, so that nobody has seen it work.
    assert other.returncode == 2


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
    assert stages == ["answer completeness", "admissibility", "admissibility"] + [None] * (CASES - 3)


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
    assert done.returncode == 2
    assert "4471" not in done.stderr
    assert "vault" in done.stderr, "which chunk it repeats is said by its id"
