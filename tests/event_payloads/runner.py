"""The environment and the folders that a GitHub runner gives to a Docker action (its source: actions/runner 2.336)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from tests.event_payloads.events import Event
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.world import WORKFLOW

ACTION = Path(__file__).parents[2] / "action.yml"
# Mounted into the container under /github (runner, ContainerActionHandler).
FOLDERS = ("runner_temp", "home", "workflow", "file_commands", "workspace")
# A step's own files, under file_commands.
FILES = {
    "GITHUB_OUTPUT": "set_output",
    "GITHUB_STEP_SUMMARY": "step_summary",
    "GITHUB_ENV": "set_env",
    "GITHUB_PATH": "add_path",
    "GITHUB_STATE": "save_state",
}


class Job(NamedTuple):
    """What a job is, beyond its event; what the fake's tokens may do is said where they are made."""

    run_id: int = 9001
    run_number: int = 12
    run_attempt: int = 1
    workflow: str = WORKFLOW
    name: str = "raggate"


def runner_environment(
    github: FakeGitHub,
    event: Event,
    folder: Path,
    *,
    inputs: Mapping[str, str] | None = None,
    job: Job | None = None,
    mount: str | None = None,
) -> dict[str, str]:
    """Make the folders, write the event's file and the step's files, and return the whole environment.

    The files are `folder / "file_commands" / FILES[...]`, the checkout is `folder / "workspace"`.

    Args:
        github: Whose addresses the environment has.
        event: What started the workflow.
        folder: Where the folders are made.
        inputs: What the workflow has under `with:`; declared inputs left out have action.yml's defaults, and those
            of an expression nothing (the token comes with `inputs`).
        job: The job.
        mount: What the folders are called in the container, as `/github`; None where they are used as they are.
    """
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    # No test goes by a payload that GitHub would not send.
    assert event.problem() is None, event.problem()
    (folder / "workflow/event.json").write_text(json.dumps(event.payload, indent=2), "utf-8")
    for name in FILES.values():
        (folder / "file_commands" / name).touch()
    place = mount or str(folder)
    return {
        **_job(event, job or Job()),
        **_addresses(github),
        **_runner(place),
        **{name: f"{place}/file_commands/{file}" for name, file in FILES.items()},
        **_inputs(inputs or {}),
    }


def _job(event: Event, job: Job) -> dict[str, str]:
    """GITHUB_*, as GitHubContext.cs lets through; there is no GITHUB_TOKEN among them."""
    repository, branch = event.repository, event.ref.removeprefix("refs/heads/").removeprefix("refs/pull/")
    return {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION": "__raggate",
        "GITHUB_ACTION_REF": "",
        "GITHUB_ACTION_REPOSITORY": "",
        "GITHUB_ACTOR": event.actor.login,
        "GITHUB_ACTOR_ID": str(event.actor.id),
        "GITHUB_BASE_REF": event.base_ref,
        "GITHUB_EVENT_NAME": event.name,
        "GITHUB_HEAD_REF": event.head_ref,
        "GITHUB_JOB": job.name,
        "GITHUB_REF": event.ref,
        "GITHUB_REF_NAME": branch,
        "GITHUB_REF_PROTECTED": "false",
        "GITHUB_REF_TYPE": "branch",
        "GITHUB_REPOSITORY": repository.full_name,
        "GITHUB_REPOSITORY_ID": str(repository.id),
        "GITHUB_REPOSITORY_OWNER": repository.owner.login,
        "GITHUB_REPOSITORY_OWNER_ID": str(repository.owner.id),
        "GITHUB_RETENTION_DAYS": "90",
        "GITHUB_RUN_ATTEMPT": str(job.run_attempt),
        "GITHUB_RUN_ID": str(job.run_id),
        "GITHUB_RUN_NUMBER": str(job.run_number),
        "GITHUB_SHA": event.sha,
        "GITHUB_TRIGGERING_ACTOR": event.actor.login,
        "GITHUB_WORKFLOW": "raggate",
        "GITHUB_WORKFLOW_REF": f"{repository.full_name}/{job.workflow}@{event.ref}",
        "GITHUB_WORKFLOW_SHA": event.sha,
    }


def _addresses(github: FakeGitHub) -> dict[str, str]:
    """Where GitHub is; and what a Docker action gets for artifacts and caches, with a token of its own."""
    return {
        "GITHUB_API_URL": github.url,
        "GITHUB_GRAPHQL_URL": github.graphql_url,
        "GITHUB_SERVER_URL": github.server_url,
        "ACTIONS_CACHE_URL": f"{github.server_url}/cache/",
        "ACTIONS_RESULTS_URL": f"{github.server_url}/results/",
        "ACTIONS_RUNTIME_TOKEN": "runtime-token-of-the-job",
        "ACTIONS_RUNTIME_URL": f"{github.server_url}/runtime/",
    }


def _runner(place: str) -> dict[str, str]:
    return {
        "GITHUB_EVENT_PATH": f"{place}/workflow/event.json",
        "GITHUB_WORKSPACE": f"{place}/workspace",
        "HOME": f"{place}/home",
        "RUNNER_ARCH": "X64",
        "RUNNER_ENVIRONMENT": "github-hosted",
        "RUNNER_NAME": "GitHub Actions 2",
        "RUNNER_OS": "Linux",
        "RUNNER_TEMP": f"{place}/runner_temp",
        # Not mounted: a path of the host that leads nowhere in the container.
        "RUNNER_TOOL_CACHE": "/opt/hostedtoolcache",
        "RUNNER_WORKSPACE": "/home/runner/work/menu",
    }


def _inputs(given: Mapping[str, str]) -> dict[str, str]:
    """Every declared input exists, hyphens stay; one that nobody gave has its default."""
    declared = yaml.safe_load(ACTION.read_text("utf-8"))["inputs"]
    # Most tests store what a run leaves by themselves, as a step of the workflow would.
    given = {"upload": "off", **given}
    if unknown := given.keys() - declared.keys():
        raise LookupError(f"action.yml declares no {sorted(unknown)}")
    defaults = {name: str((about or {}).get("default", "")) for name, about in declared.items()}
    plain = {name: "" if "${{" in text else text for name, text in defaults.items()}
    return {f"INPUT_{name.upper().replace(' ', '_')}": text for name, text in {**plain, **given}.items()}
