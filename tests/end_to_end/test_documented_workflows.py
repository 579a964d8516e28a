"""What the documents tell users to put into a workflow does what they say it does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.contract.test_workflows import shown_workflows
from tests.end_to_end.test_action import BAD, GOOD, SUITE, Workflow, comments, ended, opened
from tests.event_payloads.runner import runner_environment
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.state import Level, Permission
from tests.forked import Forks
from tests.integration.servers import scripted_app

GATE, RECORDED, WITHOUT_DOCKER, COMMENT = (yaml.safe_load(text) for text in shown_workflows())
GUIDE = (Path(__file__).parents[2] / "docs/pull-requests.md").read_text()


@pytest.fixture
def workflow(tmp_path: Path, forks: Forks) -> Iterator[Workflow]:
    with FakeGitHub() as github:
        yield Workflow(github, tmp_path, forks)


def rights(shown: Mapping[str, Any], job: str) -> dict[Permission, Level]:
    """A job's permissions as the fake GitHub knows them."""
    return {name.replace("-", "_"): level for name, level in shown["jobs"][job]["permissions"].items()}


def test_the_permissions_shown_are_enough_and_each_is_needed(workflow: Workflow) -> None:
    given = rights(GATE, "gate")
    workflow.pushed()
    workflow.token = workflow.github.token(given)
    pull = opened(workflow)
    step = workflow.step(workflow.events.pull_request(pull), BAD)
    assert step.outputs["baseline-sha"] == workflow.main[-1].sha, step.log
    assert len(comments(workflow)) == 1
    assert "::warning" not in step.log
    workflow.home.private = True
    for name in given:
        workflow.token = workflow.github.token({other: level for other, level in given.items() if other != name})
        lacking = workflow.step(workflow.events.pull_request(pull), BAD)
        assert lacking.code == 1
        assert not lacking.outputs["baseline-sha"] or "::warning" in lacking.log, f"nothing lacks without {name}"


def test_the_second_stages_permissions_are_enough(workflow: Workflow) -> None:
    github = workflow.github
    workflow.pushed()
    fork = github.repository("eve/support", fork_of=workflow.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    run = github.run(pull.head, event="pull_request", branch="topic", head_repository=fork, actor="eve")
    workflow.token = github.reading_token()
    first = workflow.step(workflow.events.pull_request(pull), BAD, run=run)
    assert comments(workflow) == []
    assert "/docs/pull-requests.md#forks" in first.log
    files = {path.name: path.read_bytes() for path in (workflow.last / "raggate-run").iterdir()}
    github.artifact(run=run, name="raggate-support", files=files)
    workflow.token = github.token(rights(COMMENT, "comment"))
    second = workflow.step(workflow.events.workflow_run(run), GOOD)
    assert second.code == 0, second.log
    assert len(comments(workflow)) == 1


def test_without_a_baseline_the_comment_says_what_the_guide_says(workflow: Workflow) -> None:
    workflow.step(workflow.events.pull_request(opened(workflow)), GOOD)
    said = next(line for line in comments(workflow)[0].splitlines() if "No baseline" in line)
    shown = re.search(r"<!-- said without a baseline -->\n((?:> .*\n)+)", GUIDE)
    assert shown is not None
    quoted = shown[1].replace("\n> ", " ").strip()
    assert quoted == said.replace("> - ", "> ").replace("raggate-support ", "raggate-shop ")


def test_without_docker_the_step_shown_comments_and_decides_like_the_container(
    workflow: Workflow, tmp_path: Path
) -> None:
    (step,) = [each for each in WITHOUT_DOCKER["jobs"]["gate"]["steps"] if each.get("run") == "raggate-action action"]
    inputs = {
        name: str(value).replace("${{ github.token }}", workflow.token).replace("${{ toJSON(matrix) }}", "null")
        for name, value in step["env"].items()
    }
    folder = tmp_path / "machine"
    workflow.checkout(folder / "workspace", BAD, {})
    told = runner_environment(workflow.github, workflow.events.pull_request(opened(workflow)), folder)
    # A `run:` step has no inputs of its own, and nothing of what lets an action store artifacts.
    told = {name: value for name, value in told.items() if not name.startswith(("INPUT_", "ACTIONS_"))}
    process = subprocess.Popen(
        [step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder / "workspace",
        env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **told, **inputs},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    done = ended(process, folder)
    assert done.code == 1, done.log
    assert done.outputs["decision"] == "block"
    assert len(comments(workflow)) == 1
    assert "**Block**" in done.summary


def test_what_the_step_shown_records_is_judged_by_the_action(workflow: Workflow, tmp_path: Path) -> None:
    *_, record, judge = RECORDED["jobs"]["gate"]["steps"]
    command = record["run"].splitlines()[-1].split()
    assert command[0] == "raggate-action"
    with scripted_app() as app:
        suite = SUITE.replace("{kind: recorded, traces: traces.jsonl}", f"{{kind: http, url: '{app.url}'}}")
        recording = tmp_path / "recording"
        workflow.checkout(recording, [], {"raggate.yaml": suite})
        program = [sys.executable, "-m", "raggate_action", *command[1:]]
        done = subprocess.run(program, cwd=recording, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        asked = len(app.asked)
    recorded = (recording / "traces.jsonl").read_text()
    files = {"raggate.yaml": suite, "traces.jsonl": recorded}
    step = workflow.step(workflow.events.push(workflow.main[-1]), [], files=files, inputs=judge["with"])
    assert step.result["unmeasured"] == 0, step.log
    assert len(app.asked) == asked == recorded.count("\n"), "the app was asked once for each case, when recording"
