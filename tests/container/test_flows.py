"""Whole jobs: the real image against a fake GitHub that takes and gives only what GitHub's description allows."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from raggate_action.run_store.work_file import WORK
from tests.container.action_container import ActionContainer, Step
from tests.container.job import github_for, start, suite_files, upload
from tests.container.test_action_image import hostile_checkout
from tests.event_payloads.events import Event, Events
from tests.fake_github.artifact_service import ArtifactService, StoredFile, token_of
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.state import Commit, Pull, WorkflowRun
from tests.integration.asking import eventually

WRONG = "Parcels can be returned within 60 days of delivery."
NewContainer = Callable[[], ActionContainer]


@pytest.fixture
def new_container(image: str, tmp_path: Path) -> Iterator[NewContainer]:
    """Machines one after the other: each job has its own."""
    made: list[ActionContainer] = []

    def make() -> ActionContainer:
        made.append(ActionContainer(image, tmp_path / f"machine-{len(made)}"))
        return made[-1]

    yield make
    for container in made:
        container.give_back()


@pytest.fixture
def github(container: ActionContainer) -> Iterator[FakeGitHub]:
    with github_for(container) as github:
        github.repository("acme/menu")
        yield github


def judged_push(github: FakeGitHub, container: ActionContainer) -> tuple[Commit, Step]:
    """A push on main is judged, and its run directory stored."""
    tip = github.commit()
    container.checkout(suite_files())
    run = github.run(tip, status="in_progress")
    events = Events(github, github.bodies)
    step = start(container, github, events.push(tip), run, token=github.writing_token()).end()
    run.status, run.conclusion = "completed", "success" if step.code == 0 else "failure"
    if step.code in {0, 1}:
        upload(github, run, container.workspace / "raggate-run")
    return tip, step


def judged_pull(
    github: FakeGitHub, container: ActionContainer, pull: Pull, *, token: str | None = None, **answers: str
) -> Step:
    """A commit of a pull request is judged; without `answers` all are right."""
    container.checkout(suite_files(**answers))
    run = github.run(pull.head, event="pull_request", branch=pull.head_ref, head_repository=pull.head_repository)
    event = Events(github, github.bodies).pull_request(pull, "synchronize")
    return start(container, github, event, run, token=token or github.writing_token()).end()


def test_the_action_stores_its_run_and_the_next_job_finds_it(github: FakeGitHub, new_container: NewContainer) -> None:
    """As the runner starts it: with the service's address and a token, and without a step behind it."""
    host = urlsplit(github.url).hostname or ""

    def keep(file: StoredFile) -> int:
        content = file.content or b""
        return github.artifact(github.runs[int(file.run)], file.name, content=content, size=len(content)).id

    with ArtifactService(keep=keep, bind="0.0.0.0", host=host) as service:  # noqa: S104

        def job(event: Event, run: WorkflowRun, **answers: str) -> Step:
            container = new_container()
            container.checkout(suite_files(**answers))
            env = {"ACTIONS_RESULTS_URL": service.url, "ACTIONS_RUNTIME_TOKEN": token_of(str(run.id), "job")}
            token = github.writing_token()
            return start(container, github, event, run, token=token, inputs={"upload": "auto"}, env=env).end()

        events = Events(github, github.bodies)
        tip = github.commit()
        run = github.run(tip, status="in_progress")
        pushed = job(events.push(tip), run)
        run.status, run.conclusion = "completed", "success"
        assert pushed.code == 0, pushed.log
        assert "::warning" not in pushed.log
        pull = github.pull(github.commit(branch="topic"))
        run = github.run(pull.head, event="pull_request", branch=pull.head_ref)
        blocked = job(events.pull_request(pull), run, returns=WRONG)
        assert blocked.code == 1, blocked.log
        assert blocked.outputs["baseline-sha"] == tip.sha, blocked.log
        (comment,) = [each.body for each in github.comments.values()]
        assert f"]({blocked.outputs['report-url']}#case=returns)" in comment
        assert [file.name for file in service.files] == ["raggate-shop.html", "raggate-shop"] * 2


def test_a_release_on_main_says_so_and_writes_to_nobody(github: FakeGitHub, new_container: NewContainer) -> None:
    _tip, step = judged_push(github, new_container())
    assert step.code == 0, step.log
    assert step.outputs["decision"] == "release"
    assert "release" in step.summary.lower()
    assert not github.comments


def test_a_change_is_blocked_told_in_one_comment_and_turns_green_when_mended(
    github: FakeGitHub, new_container: NewContainer
) -> None:
    base, _step = judged_push(github, new_container())
    pull = github.pull(github.commit(branch="topic"))
    github.calls.clear()
    container = new_container()
    blocked = judged_pull(github, container, pull, returns=WRONG)
    assert blocked.code == 1, blocked.log
    assert blocked.outputs["decision"] == "block"
    assert blocked.outputs["baseline-sha"] == base.sha
    assert json.loads(blocked.outputs["result"])["new_hallucinations"] == 1
    assert "::error file=cases.jsonl,line=1" in blocked.stdout, blocked.log
    (comment,) = github.comments.values()
    assert comment.body.startswith("<!-- raggate:v1 suite=shop ")
    assert "60 days" in comment.body
    assert len(github.calls) < 12, [call.operation for call in github.calls]
    owner = container.workspace.stat().st_uid
    assert {path.lstat().st_uid for path in container.workspace.rglob("*")} == {owner}

    pull.head = github.commit(branch="topic")
    mended = judged_pull(github, new_container(), pull)
    assert mended.code == 0, mended.log
    assert [each.id for each in github.comments.values()] == [comment.id]
    assert "60 days" not in comment.body
    assert mended.outputs["comment-url"].endswith(f"#issuecomment-{comment.id}")


def test_a_fork_is_judged_without_rights_and_told_by_the_second_stage(
    github: FakeGitHub, new_container: NewContainer
) -> None:
    judged_push(github, new_container())
    fork = github.repository("mallory/menu", fork_of=github.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="mallory")
    first = new_container()
    step = judged_pull(github, first, pull, token=github.reading_token(), returns=WRONG)
    assert step.code == 1, step.log
    assert not github.comments
    run = max(github.runs.values(), key=lambda each: each.id)
    run.status, run.conclusion = "completed", "failure"
    upload(github, run, first.workspace / "raggate-run")

    # The checkout of the second stage has nothing of the fork's.
    event = Events(github, github.bodies).workflow_run(run)
    own = github.run(github.home.branches["main"], event="workflow_run", path=".github/workflows/publish.yml")
    second = start(new_container(), github, event, own, token=github.writing_token()).end()
    assert second.code == 0, second.log
    (comment,) = github.comments.values()
    assert "fork" in comment.body
    assert "60 days" in comment.body


def test_f11_in_a_hostile_checkout_the_same_is_decided(github: FakeGitHub, new_container: NewContainer) -> None:
    judged_push(github, new_container())
    pull = github.pull(github.commit(branch="topic"))
    container = new_container()
    container.checkout(hostile_checkout())
    step = judged_pull(github, container, pull, returns=WRONG)
    assert step.code == 1, step.log
    assert len(github.comments) == 1
    assert not (container.workspace / "OWNED").exists()


def test_f1_a_github_that_is_away_changes_no_decision(github: FakeGitHub, new_container: NewContainer) -> None:
    pull = github.pull(github.commit(branch="topic"), base_sha=github.commit().sha)
    container = new_container()
    container.checkout(suite_files(returns=WRONG))
    run = github.run(pull.head, event="pull_request", branch="topic")
    event = Events(github, github.bodies).pull_request(pull)
    away = {"GITHUB_API_URL": "http://127.0.0.1:9", "GITHUB_GRAPHQL_URL": "http://127.0.0.1:9/graphql"}
    step = start(container, github, event, run, token=github.writing_token(), env=away).end()
    assert step.code == 1, step.log
    assert step.summary
    assert step.outputs["decision"] == "block"


def test_f6_what_an_app_says_gives_the_runner_no_commands(github: FakeGitHub, new_container: NewContainer) -> None:
    container = new_container()
    said = "::error::pwned ##[add-mask]release \\r::set-output name=decision::release"
    app = f"import sys\nprint('::error::pwned')\nsys.stderr.write('{said}')\nsys.exit(3)\n"
    suite = "suite: shop\ntarget: {kind: command, command: [python3, app.py], per_case: true}\ncases: [cases.jsonl]\n"
    container.checkout(suite_files() | {"app.py": app, "raggate.yaml": suite})
    tip = github.commit()
    token = github.writing_token()
    step = start(container, github, Events(github, github.bodies).push(tip), github.run(tip), token=token).end()
    assert step.code == 3, step.log
    assert step.outputs["decision"] == "inconclusive"
    lines = [line.strip() for line in re.split(r"[\r\n]+", f"{step.stdout}\n{step.stderr}")]
    commands = [line for line in lines if line.startswith("::") or "##[" in line]
    assert f"::add-mask::{token}" in commands
    assert {re.split("[ :]", command)[2] for command in commands} <= {"add-mask", "error", "warning", "notice"}
    assert not [command for command in commands if command.startswith("::error::pwned")]
    assert "pwned" in step.summary


def test_f12_a_cancelled_pull_request_run_is_told_as_such(github: FakeGitHub, new_container: NewContainer) -> None:
    judged_push(github, new_container())
    pull = github.pull(github.commit(branch="topic"))
    container = new_container()
    app = "import json, sys, time\nfor line in sys.stdin:\n    time.sleep(0.2)\n    print(json.dumps({'answer': 'Fine.', 'context': []}), flush=True)\n"
    cases = "".join(f"- {{case_id: q{number}, question: How are you?}}\n" for number in range(200))
    suite = "suite: shop\ntarget: {kind: command, command: [python3, app.py]}\ncases: [cases.yaml]\n"
    container.checkout({"app.py": app, "cases.yaml": cases, "raggate.yaml": suite})
    run = github.run(pull.head, event="pull_request", branch="topic")
    event = Events(github, github.bodies).pull_request(pull)
    running = start(container, github, event, run, token=github.writing_token())
    # A batch of cases is some pages of the work file's log.
    log = container.workspace / f"raggate-run/{WORK}-wal"
    assert eventually(lambda: log.exists() and log.stat().st_size >= 16 * 4096, within_s=60)
    told = time.monotonic()
    running.interrupt()
    step = running.end()
    assert time.monotonic() - told < 5, step.log
    assert step.code == 130, step.log
    assert "cancelled" in step.summary.lower(), step.log
    (comment,) = github.comments.values()
    assert "cancelled" in comment.body.lower()
