"""The command line as people use it: real processes, real files, a real app over HTTP."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate
from tests.integration.servers import ScriptedApp, scripted_app

ROOT = Path(__file__).parents[2]
TOKEN = "t0p-s3cret-value"  # noqa: S105  made up for the test
POLICY = ROOT / "examples" / "deploy_policy"


@pytest.fixture(scope="module")
def policy_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deploy policy, run once."""
    folder = tmp_path_factory.mktemp("policy")
    shutil.copytree(POLICY, folder / "suite")
    done = raggate("run", "suite/raggate.yaml", cwd=folder)
    assert done.returncode == 1, done.stderr
    return folder


def run_json(directory: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((directory / "run.json").read_text())
    return stored


def test_the_release_report_of_seed_001(policy_run: Path) -> None:
    stored = run_json(policy_run / "raggate-run")
    assert stored["release_report"]["service_version"] == "policy-answerer-v4-eval"
    assert stored["release_report"]["checks"] == {
        "admissible_evidence_path": True,
        "supported_answer_released": True,
        "known_bad_answers_blocked": True,
        "slice_regression_clear": False,
    }
    slices = {part["name"]: (part["passed"], part["scored"]) for part in stored["slices"]}
    assert slices == {
        "workflow=release-freeze": (1, 2),
        "workflow=incident-hotfix": (2, 2),
        "workflow=schema-migration": (0, 1),
    }
    counts = stored["counts"]
    assert (counts["passed"], counts["cases"], counts["known_bad"], counts["known_bad_blocked"]) == (3, 5, 11, 11)
    assert [gate["gate"] for gate in stored["gates"] if gate["status"] == "failed"] == ["slices"]


@pytest.mark.parametrize(("kind", "file"), [("comment", "comment.md"), ("summary", "summary.md")])
def test_report_gives_the_stored_text_byte_for_byte(policy_run: Path, kind: str, file: str) -> None:
    again = [raggate("report", "raggate-run", "--format", kind, cwd=policy_run) for _ in range(2)]
    stored = (policy_run / "raggate-run" / file).read_text()
    assert [done.stdout for done in again] == [stored, stored]
    assert all(done.returncode == 0 for done in again)


def test_compare_with_itself_finds_nothing_moved_and_exits_as_the_run(policy_run: Path) -> None:
    done = raggate("report", "raggate-run", "--baseline", "raggate-run", cwd=policy_run)
    assert done.returncode == 1
    assert "0 regressions · 0 new hallucinations" in done.stdout
    assert raggate("report", "raggate-run", "--baseline", "raggate-run", cwd=policy_run).stdout == done.stdout


def test_explain_shows_claims_evidence_and_the_gate_that_failed(policy_run: Path) -> None:
    done = raggate("explain", "raggate-run", "migration-freeze-001", cwd=policy_run)
    assert done.returncode == 0
    assert "Fails at answer completeness: it misses the point rollback-plan\nRepair: " in done.stdout
    assert "failed" in done.stdout.partition("Gates\n")[2].splitlines()[0]


def test_explain_an_unknown_case_suggests_the_near_ones(policy_run: Path) -> None:
    done = raggate("explain", "raggate-run", "migration-freeze-002", cwd=policy_run)
    assert done.returncode == 2
    assert "migration-freeze-001" in done.stderr


def test_one_case_leaves_the_whole_run_alone(policy_run: Path) -> None:
    before = (policy_run / "raggate-run" / "run.json").read_bytes()
    done = raggate("run", "suite/raggate.yaml", "--case", "payment-freeze-deploy-001", cwd=policy_run)
    assert "1 passed (1 verified) · 0 failed" in done.stdout
    assert (policy_run / "raggate-run" / "run.json").read_bytes() == before
    assert run_json(policy_run / "raggate-case")["counts"]["cases"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["run", "nowhere.yaml"], 2, "nowhere.yaml does not exist", id="no such suite"),
        pytest.param(["run", "suite/raggate.yaml", "--scope", "fulll"], 2, "Did you mean full?", id="unknown scope"),
        pytest.param(["run", "suite/raggate.yaml", "--case", "nope"], 2, "no case 'nope'", id="unknown case"),
        pytest.param(["run", "suite/raggate.yaml", "--baseline", "suite"], 2, "suite", id="a baseline that is no run"),
        pytest.param(["report", "suite"], 2, "suite", id="a report of no run"),
        pytest.param(["schema", "cases"], 0, "", id="a schema"),
        pytest.param(["check", "suite/raggate.yaml"], 0, "", id="a sound suite"),
        pytest.param([], 2, "", id="nothing at all"),
    ],
)
def test_exit_codes(policy_run: Path, arguments: list[str], code: int, said: str) -> None:
    done = raggate(*arguments, cwd=policy_run)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_advice_only_exits_0_and_says_so(policy_run: Path) -> None:
    done = raggate("run", "suite/raggate.yaml", "--no-enforce", "--out", "advice", cwd=policy_run)
    assert done.returncode == 0
    assert "BLOCK (advice only)" in done.stdout
    assert "advis" in (policy_run / "advice" / "comment.md").read_text()


def http_suite(folder: Path, app: ScriptedApp, **more: Any) -> None:
    cases = [{"case_id": name, "question": f"point {name}."} for name in ("a", "b", "c")]
    (folder / "cases.json").write_text(json.dumps(cases))
    (folder / "evidence.jsonl").write_text('{"chunk_id": "c1", "text": "A."}\n{"chunk_id": "c2", "text": "B."}\n')
    target = {"kind": "http", "url": app.url, "attempts": 1}
    suite = {"suite": "s", "cases": ["cases.json"], "evidence": ["evidence.jsonl"], "target": target, **more}
    (folder / "raggate.yaml").write_text(json.dumps(suite))


def test_an_app_that_fails_some_cases_fails_those_and_the_run_goes_on(tmp_path: Path) -> None:
    with scripted_app({"b": "500"}) as app:
        http_suite(tmp_path, app)
        done = raggate("run", cwd=tmp_path)
    assert done.returncode == 1
    assert "first fault: 1 case got no usable answer from the app (0 allowed). Repair: the app. b" in done.stdout
    stored = run_json(tmp_path / "raggate-run")
    assert (stored["counts"]["passed"], stored["counts"]["failed"]) == (2, 1)


def test_an_app_that_answers_nothing_is_inconclusive_with_one_message(tmp_path: Path) -> None:
    with scripted_app(default="500") as app:
        http_suite(tmp_path, app)
        done = raggate("run", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.count("  why:") == 1
    assert "INCONCLUSIVE" in done.stdout
    assert (tmp_path / "raggate-run" / "comment.md").read_text().count("Inconclusive") == 1


def test_an_app_that_is_not_there_is_inconclusive_too(tmp_path: Path) -> None:
    with scripted_app() as app:
        http_suite(tmp_path, app, slices={"by": ["category"], "protected": {"category": ["safety"]}})
    cases = json.loads((tmp_path / "cases.json").read_text())
    (tmp_path / "cases.json").write_text(json.dumps([{**case, "category": "safety"} for case in cases]))
    suite = json.loads((tmp_path / "raggate.yaml").read_text())
    # Without it the run would wait half a minute for the app.
    suite["target"]["ready"] = {"url": app.url.replace("/answer", "/health"), "timeout_s": 0.3}
    (tmp_path / "raggate.yaml").write_text(json.dumps(suite))
    done = raggate("run", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr == (f"raggate: waiting up to 0.3 s for {suite['target']['ready']['url']}: connection refused\n")
    advice = (
        f"he app did not answer any of 3 cases: {suite['target']['ready']['url']} was not ready within 0.3 s; last seen:"
        " connection refused. Start the app before the run, correct `target: ready: url`, or raise its `timeout_s`."
    )
    assert f"  why: t{advice}\n" in done.stdout, "whole, however long"
    assert "first fault" not in done.stdout
    assert "– hallucinations" in done.stdout
    for name in ("comment.md", "summary.md"):
        page = (tmp_path / "raggate-run" / name).read_text()
        assert f"> - T{advice}\n" in page.replace(
            f"`{suite['target']['ready']['url']}`", suite["target"]["ready"]["url"]
        )
        assert not [
            word for word in ("| ", "<details>", "Repair", "category", "0.0 %", "✅", "❌", "--case") if word in page
        ]
    stored = run_json(tmp_path / "raggate-run")
    assert {part["status"] for part in stored["slices"]} == {"unmeasured"}
    assert "passed" not in [
        gate["status"] for gate in stored["gates"] if gate["gate"] in {"hallucination_rate", "slices"}
    ]


def test_recorded_here_judged_there(tmp_path: Path) -> None:
    with scripted_app({"b": "500", "c": "labels itself"}) as app:
        http_suite(tmp_path, app)
        recorded = raggate("record", "--out", "out/traces.jsonl", cwd=tmp_path)
    assert recorded.returncode == 0
    assert "2 traces and 1 failures" in recorded.stdout
    lines = [json.loads(line) for line in (tmp_path / "out/traces.jsonl").read_text().splitlines()]
    assert [line["case_id"] for line in lines] == ["a", "b", "c"]
    claims = [claim for line in lines if line["case_id"] == "c" for claim in line["answer"]["claims"]]
    assert claims == [{"text": "x", "citation_ids": [], "support_phrases": []}]
    judged = raggate("run", "--traces", "out/traces.jsonl", cwd=tmp_path)
    assert judged.returncode == 1
    assert "first fault: 1 case got no usable answer from the app (0 allowed). Repair: the app. b" in judged.stdout


def test_a_token_in_the_suite_reaches_the_app_and_nothing_else(tmp_path: Path) -> None:
    with scripted_app({"a": "401 echo"}) as app:
        http_suite(tmp_path, app)
        suite = json.loads((tmp_path / "raggate.yaml").read_text())
        suite["target"]["headers"] = {"Authorization": "Bearer ${APP_TOKEN}"}
        (tmp_path / "raggate.yaml").write_text(json.dumps(suite))
        unset = raggate("run", cwd=tmp_path)
        assert unset.returncode == 2
        assert "APP_TOKEN" in unset.stderr
        done = raggate("run", cwd=tmp_path, APP_TOKEN=TOKEN)
        assert app.asked[0].headers["authorization"] == f"Bearer {TOKEN}"
    written = b"".join(path.read_bytes() for path in (tmp_path / "raggate-run").iterdir())
    assert TOKEN.encode() not in written
    assert TOKEN not in done.stdout + done.stderr


def test_the_demo_releases_and_then_blocks(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        [sys.executable, "examples/demo.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "raggate: RELEASE" in done.stdout
    assert "raggate: BLOCK" in done.stdout
    comment = (tmp_path / "demo" / "comment.md").read_text()
    assert "8 new hallucinations" in comment
    assert "answered what the evidence cannot answer: " in comment
    assert "the amount “560” is in no shown chunk" in comment
    assert "the claim says “20” where main-gardeners-peppers says “16”" in comment
    assert (tmp_path / "demo" / "baseline" / "run.json").exists()
    assert (tmp_path / "demo" / "changed" / "run.json").exists()


def test_a_closed_or_narrow_output_does_not_change_the_verdicts_exit_code(policy_run: Path) -> None:
    command = f"{sys.executable} -m raggate_action run suite/raggate.yaml --out narrow"
    for ending in (">&-", ">/dev/full"):
        shell = ["sh", "-c", f"{command} {ending}"]
        done = subprocess.run(shell, cwd=policy_run, capture_output=True, check=False)
        assert done.returncode == 1, (ending, done.stderr)
    narrow = raggate("run", "suite/raggate.yaml", "--out", "narrow", cwd=policy_run, PYTHONIOENCODING="ascii")
    assert narrow.returncode == 1, narrow.stderr


def test_a_baseline_of_another_suite_is_refused(policy_run: Path, tmp_path: Path) -> None:
    with scripted_app() as app:
        http_suite(tmp_path, app)
        raggate("run", cwd=tmp_path)
        done = raggate("run", "--baseline", policy_run / "raggate-run", "--out", "again", cwd=tmp_path)
    assert done.returncode == 2
    assert "suite 'deploy-policy', not of 's'" in done.stderr


def test_short_answers_with_their_required_phrase_are_released_and_have_no_hole(tmp_path: Path) -> None:
    (tmp_path / "raggate.yaml").write_text(
        "suite: short\nevidence: [e.jsonl]\ncases: [c.jsonl]\ntarget: {kind: recorded, traces: t.jsonl}\n"
    )
    text = "Parcels can be returned within 30 days. Returns are free: yes."
    (tmp_path / "e.jsonl").write_text(json.dumps({"chunk_id": "r", "text": text}))
    asked = {"30": "30", "Yes": "yes", "30 days.": "30 days"}
    cases = [{"case_id": answer, "question": "What holds?", "must_contain": [asked[answer]]} for answer in asked]
    traces = [{"case_id": answer, "answer": answer, "context": ["r"]} for answer in asked]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, cases)))
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, traces)))
    done = raggate("run", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    checked = raggate("check", "--faults", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    assert "required phrase lost" not in checked.stdout
    assert (
        "not tried, for no passing case has what it takes: candidate_recall, context_recall, behaviour, slow, "
        in checked.stdout
    )
    assert "30 days. failed at behaviour instead\n" in checked.stdout, "its phrase stops another unit already"


def test_the_faults_put_into_a_case_are_shown() -> None:
    helpdesk = ROOT / "examples" / "helpdesk" / "raggate.yaml"
    whole = raggate("check", "--faults", helpdesk, cwd=ROOT)
    assert whole.returncode == 0, whole.stderr
    shown = raggate("check", "--faults", helpdesk, "--show", "delivery-time", cwd=ROOT)
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    slow = json.loads(lines[lines.index("  latency blown: caught by slow") + 1])
    assert slow["latency_ms"] == 10 * 4000
    assert "Nordwind" not in shown.stdout, "a mutant repeats what the asker may not read, and is withheld"
    assert raggate("check", "--faults", helpdesk, "--show", "bad-number", cwd=ROOT).returncode == 3
    unknown = raggate("check", "--faults", helpdesk, "--show", "nobody", cwd=ROOT)
    assert unknown.returncode == 2
    assert "nobody" in unknown.stderr
