"""The command in a pull request's comment, typed at the top of a clone: the case comes out as it did in the workflow."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import typed
from tests.end_to_end.test_action import BAD, SUITE, Workflow, comments, opened
from tests.fake_github.fake import FakeGitHub
from tests.forked import Forks
from tests.integration.servers import ScriptedApp, scripted_app


class Repository(Workflow):
    """A workflow whose suite lies in `app/`, with a real git checkout; `recorded` files are made by its job."""

    recorded: tuple[str, ...] = ()

    def checkout(self, folder: Path, traces: list[dict[str, Any]], files: Mapping[str, str | bytes]) -> None:
        super().checkout(folder / "app", traces, files)
        for arguments in (["init", "-q"], ["add", "--all"], ["rm", "-q", "--cached", *self.recorded]):
            if arguments[0] != "rm" or self.recorded:
                subprocess.run(["git", *arguments], cwd=folder, check=True)

    def clone(self, folder: Path) -> Path:
        """What was committed, somewhere else."""
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *who, "commit", "-qm", "Everything"], cwd=self.last, check=True)
        subprocess.run(["git", "clone", "-q", str(self.last), str(folder)], check=True)
        return folder


@pytest.fixture
def repository(tmp_path: Path, forks: Forks) -> Iterator[Repository]:
    with FakeGitHub() as github:
        yield Repository(github, tmp_path, forks)


@pytest.fixture
def app() -> Iterator[ScriptedApp]:
    with scripted_app(default="says") as app:
        app.replies = {str(trace["case_id"]): json.dumps(trace).encode() for trace in BAD}
        yield app


def row(directory: Path) -> dict[str, Any]:
    rows = [json.loads(line) for line in (directory / "cases.jsonl").read_text().splitlines()]
    (found,) = [row for row in rows if row["case_id"] == "refund-in-cash"]
    names = ("state", "first_failed_stage", "issues", "hallucinations", "answer", "claims")
    shown: dict[str, Any] = {name: found[name] for name in names}
    return {**shown, "gates": judged(found["outcomes"])}


def judged(outcomes: dict[str, Any]) -> dict[str, Any]:
    """The gates that judge the answer: whether the app was asked or its traces read is not of the case."""
    return {gate: outcome for gate, outcome in outcomes.items() if gate != "target"}


@pytest.mark.parametrize(
    ("inputs", "recorded", "options"),
    [
        pytest.param({"traces": "traces.jsonl"}, (), " --traces app/traces.jsonl", id="traces of the repository"),
        pytest.param({"traces": "traces.jsonl"}, ("app/traces.jsonl",), "", id="traces that the job has recorded"),
        pytest.param({"target-url": "{url}"}, (), "", id="an app that the job has started"),
        pytest.param({"scope": "few"}, (), " --scope few", id="a scope"),
    ],
)
def test_the_comment_s_command_repeats_the_case_in_a_clone(
    repository: Repository,
    app: ScriptedApp,
    tmp_path: Path,
    inputs: dict[str, str],
    recorded: tuple[str, ...],
    options: str,
) -> None:
    repository.recorded = recorded
    suite = SUITE.replace("{kind: recorded, traces: traces.jsonl}", f"{{kind: http, url: '{app.url}'}}")
    files = {"raggate.yaml": f"{suite}scopes: {{few: {{sample: 9}}}}\n"}
    given = {name: value.format(url=app.url) for name, value in inputs.items()}
    step = repository.step(
        repository.events.pull_request(opened(repository)),
        BAD,
        files=files,
        inputs={"working-directory": "app", "baseline": "none", **given},
    )
    assert step.code == 1, step.log
    (comment,) = comments(repository)
    (command,) = re.findall(r"repeat: `(.*)`", comment)
    assert comment.index("repeat: ") < comment.index("<details>"), "it is in the open"
    assert command == f"raggate-action run app/raggate.yaml --case refund-in-cash{_ordered(options)}"
    # The annotation in the log has the same.
    assert f"Repeat: {command}" in step.log

    laptop = repository.clone(tmp_path / "laptop")
    done = typed(command, cwd=laptop)
    assert done.returncode == 1, done.stderr
    assert row(laptop / "raggate-case") == row(repository.last / "app" / "raggate-run")


def _ordered(options: str) -> str:
    """A pull request runs scope `pr` where the workflow names none."""
    return options if "--scope" in options else f" --scope pr{options}"
