"""The deploy-policy example from the command line: an average that is let through does not hide a failing workflow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.example_files import DEPLOY_POLICY


def test_the_release_is_blocked_by_its_slices_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "raggate_action", "run", str(DEPLOY_POLICY / "raggate.yaml"), "--out"]
    done = subprocess.run([*command, str(tmp_path / "run")], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1, done.stderr
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert [gate["gate"] for gate in run["gates"] if gate["status"] == "failed"] == ["slices"]
    assert {row["name"]: (row["passed"], row["scored"]) for row in run["slices"]} == {
        "workflow=release-freeze": (1, 2),
        "workflow=incident-hotfix": (2, 2),
        "workflow=schema-migration": (0, 1),
    }
    assert (run["counts"]["passed"], run["counts"]["cases"]) == (3, 5)
    assert (run["counts"]["known_bad_blocked"], run["counts"]["known_bad"]) == (11, 11)
    assert run["release_report"] == {
        "service_version": "policy-answerer-v4-eval",
        "source_traces": ["payment-freeze-deploy-001"],
        "required_policy_versions": ["deploy-policy/2026-06-01"],
        "checks": {
            "admissible_evidence_path": True,
            "supported_answer_released": True,
            "known_bad_answers_blocked": True,
            "slice_regression_clear": False,
        },
    }
    note = "bypass the freeze approval"
    assert note in (DEPLOY_POLICY / "evidence.jsonl").read_text()
    written = [Path(folder, name) for folder, _, names in os.walk(tmp_path) for name in names]
    assert written
    assert not [path for path in written if note in path.read_text()]
