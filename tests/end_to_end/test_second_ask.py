"""An unsteady app over real HTTP: what one more answer excuses, and what every file and command says of it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import raggate
from tests.end_to_end.test_commands import http_suite, run_json
from tests.integration.servers import scripted_app


def test_an_app_that_stumbles_once_is_released_and_everything_says_so(tmp_path: Path) -> None:
    with scripted_app({"b": "says error then good"}) as app:
        http_suite(tmp_path, app)
        done = raggate("run", cwd=tmp_path)
        assert app.counts == {"a": 1, "b": 2, "c": 1}
    assert done.returncode == 0, done.stdout
    assert (
        "2 passed (0 verified, 2 not refuted: no fault found, but not proven) · 0 failed · 1 flaky · 0 not measured"
        in done.stdout
    )
    assert "raggate: asking 1 case again, 1 of at most 2 times\n" in done.stderr

    run = tmp_path / "raggate-run"
    stored = run_json(run)
    assert {name: stored["counts"][name] for name in ("cases", "passed", "failed", "flaky", "asked_again")} == {
        "cases": 3, "passed": 2, "failed": 0, "flaky": 1, "asked_again": 1,
    }  # fmt: skip
    assert next(gate for gate in stored["gates"] if gate["gate"] == "flaky")["status"] == "passed"
    rows = [json.loads(line) for line in (run / "cases.jsonl").read_text().splitlines()]
    assert [(row["case_id"], row["state"], len(row["asks"])) for row in rows] == [
        ("a", "passed", 0), ("b", "flaky", 1), ("c", "passed", 0),
    ]  # fmt: skip
    assert rows[1]["asks"][0]["error"] == "index is empty"
    traces = [json.loads(line) for line in (run / "traces.jsonl").read_text().splitlines()]
    assert [trace["case_id"] for trace in traces] == ["a", "b", "c"]
    assert [ask["error"] for ask in traces[1]["asks"]] == ["index is empty"]
    assert "answer" in traces[1]

    comment = (run / "comment.md").read_text()
    assert (
        "2 passed (0 verified, 2 not refuted: no fault found, but not proven) · 0 failed · 1 flaky · 0 not measured"
        in comment
    )
    assert "Flaky: 1 case failed once and passed on a retry" in comment
    assert "once: the app failed: index is empty" in comment
    again = raggate("report", "raggate-run", cwd=tmp_path)
    assert again.stdout == comment
    explained = raggate("explain", "raggate-run", "b", cwd=tmp_path).stdout
    assert explained.startswith("b: flaky")
    assert "Answer 2 of 2" in explained

    replayed = raggate("run", "--traces", "raggate-run/traces.jsonl", cwd=tmp_path)
    assert replayed.returncode == 0, "its passing answer stands for it"
    assert "3 passed" in replayed.stdout


def test_what_fails_every_time_blocks_and_compare_says_the_same(tmp_path: Path) -> None:
    with scripted_app() as app:
        http_suite(tmp_path, app)
        assert raggate("run", "--out", "base", cwd=tmp_path).returncode == 0
        app.script = {"b": "says error", "c": "says error then good"}
        app.asked.clear()
        done = raggate("run", "--out", "head", "--baseline", "base", cwd=tmp_path)
        assert app.counts == {"a": 1, "b": 3, "c": 2}
    assert done.returncode == 1
    assert (
        "1 passed (-1) (0 verified, 1 not refuted: no fault found, but not proven) · 1 failed · 1 flaky · 0 not measured"
        " · 1 regression" in done.stdout
    )
    comment = (tmp_path / "head" / "comment.md").read_text()
    compared = raggate("report", "head", "--baseline", "base", cwd=tmp_path)
    assert (compared.returncode, compared.stdout) == (1, comment)
    assert raggate("report", "head", cwd=tmp_path).stdout == comment
    assert "asked 3 times" in comment

    never = json.loads((tmp_path / "raggate.yaml").read_text()) | {"confirm": 0}
    (tmp_path / "raggate.yaml").write_text(json.dumps(never))
    with scripted_app({"c": "says error then good"}) as app:
        done = raggate("run", "--target-url", app.url, "--baseline", "base", cwd=tmp_path)
        assert app.counts == {"a": 1, "b": 1, "c": 1}
    assert done.returncode == 1, "with `confirm: 0` the first answer counts"
