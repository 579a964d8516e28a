"""The payloads that our tests hand to raggate are what GitHub's description says, and so is the runner around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from raggate_action.github.workflow_context import read_context
from tests.event_payloads.named import NAMED, event, small_world, write_event
from tests.event_payloads.runner import ACTION, FILES, runner_environment
from tests.fake_github.description import webhooks
from tests.fake_github.fake import FakeGitHub


@pytest.mark.parametrize("name", NAMED)
def test_a_payload_is_what_github_describes(name: str) -> None:
    made = event(name)
    assert made.problem() is None
    # A schedule has no webhook; three actions have the payload of an opened pull request.
    described = made.schema is not None or name in {"schedule", "pull_request_reopened"}
    assert described


def test_each_described_event_is_among_them() -> None:
    made = {event(name).schema for name in NAMED} - {None}
    assert made == webhooks().content["events"].keys()


def test_a_payload_off_schema_is_told() -> None:
    made = event("push", commits=None)
    assert made.problem() == "$.commits: None is not of type 'array'"


PULLS: list[Any] = [
    pytest.param("pull_request_opened", {"draft": False, "state": "open"}, id="opened"),
    pytest.param("pull_request_draft", {"draft": True}, id="a draft"),
    pytest.param("pull_request_closed", {"state": "closed", "merged": False}, id="closed"),
    pytest.param("pull_request_merged", {"state": "closed", "merged": True}, id="merged"),
]


@pytest.mark.parametrize(("name", "facts"), PULLS)
def test_a_pull_request_is_in_the_state_its_name_says(name: str, facts: dict[str, Any]) -> None:
    assert facts.items() <= event(name).payload["pull_request"].items()


def test_forks_are_told_by_their_repository() -> None:
    own = event("pull_request_opened").payload["pull_request"]
    fork = event("pull_request_fork").payload["pull_request"]
    gone = event("pull_request_deleted_fork").payload["pull_request"]
    assert own["head"]["repo"]["id"] == own["base"]["repo"]["id"]
    assert (fork["head"]["repo"]["id"] != fork["base"]["repo"]["id"], fork["head"]["repo"]["fork"]) == (True, True)
    assert (gone["head"]["repo"], gone["head"]["user"]) == (None, None)
    assert event("workflow_run_fork").payload["workflow_run"]["pull_requests"] == []
    assert event("workflow_run_deleted_fork").payload["workflow_run"]["head_repository"] is None


def test_changes_are_named_by_path(tmp_path: Path) -> None:
    path = write_event("pull_request_opened", tmp_path, number=12, pull_request__base__ref="release/2")
    payload = json.loads(path.read_text("utf-8"))
    assert (path.name, payload["number"], payload["pull_request"]["base"]["ref"]) == ("event.json", 12, "release/2")


@pytest.mark.parametrize("name", NAMED)
def test_the_environment_is_one_that_raggate_reads(name: str, tmp_path: Path) -> None:
    with FakeGitHub(enterprise=True) as github:
        github.repository()
        made = event(name)
        environment = runner_environment(github, made, tmp_path)
        context = read_context(environment)
    assert (context.facts.event, context.facts.ref, context.facts.sha) == (made.name, made.ref, made.sha)
    assert (context.api_url, context.graphql_url) == (github.url, github.graphql_url)
    assert (context.repository, context.repository_id) == ("acme/menu", made.repository.id)
    assert context.facts.action == made.payload.get("action", "")
    assert context.output == tmp_path / "file_commands" / FILES["GITHUB_OUTPUT"]
    assert (context.facts.pull is None) == (made.name != "pull_request")
    assert (context.finished is None) == (made.name != "workflow_run")


def test_a_pull_requests_workflow_runs_on_its_merge_commit() -> None:
    small = small_world()
    made = small.events.pull_request(small.pull)
    merge = small.world.commits[made.sha]
    assert [parent.sha for parent in merge.parents] == [small.tip.sha, small.pull.head.sha]
    assert made.ref == f"refs/pull/{small.pull.number}/merge"


def test_every_declared_input_exists_and_hyphens_stay(tmp_path: Path) -> None:
    declared = yaml.safe_load(ACTION.read_text("utf-8"))["inputs"]
    with FakeGitHub() as github:
        environment = runner_environment(
            github, event("push"), tmp_path, inputs={"github-token": "t", "fork": "advise"}
        )
        with pytest.raises(LookupError, match="forks"):
            runner_environment(github, event("push"), tmp_path, inputs={"forks": "advise"})
    given = {name for name in environment if name.startswith("INPUT_")}
    assert given == {f"INPUT_{name.upper()}" for name in declared}
    assert (environment["INPUT_GITHUB-TOKEN"], environment["INPUT_FORK"]) == ("t", "advise")
    assert environment["INPUT_SUITE"] == "raggate.yaml"
    assert "GITHUB_TOKEN" not in environment


def test_in_a_container_the_paths_are_its_own(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        environment = runner_environment(github, event("push"), tmp_path, mount="/github")
    assert environment["GITHUB_WORKSPACE"] == "/github/workspace"
    assert environment["GITHUB_EVENT_PATH"] == "/github/workflow/event.json"
    assert (tmp_path / "workflow" / "event.json").is_file()
    assert not [name for name, value in environment.items() if str(tmp_path) in value]
