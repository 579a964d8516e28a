"""The workflow run we are in, from the environment and the event file alone: no git, no call, nothing hardcoded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from raggate_action.errors import UsageError
from raggate_action.github.event_and_fork_rules import BaselineCommit, EventFacts, PullFacts, branch_of

# An event file is at most this large; GitHub cuts payloads at 25 MB.
_LARGEST_EVENT = 32 * 1024 * 1024
_NO_COMMIT = "0" * 40


class FinishedRun(NamedTuple):
    """The workflow run that a `workflow_run` event tells of.

    Attributes:
        run_id, run_attempt: Which.
        event: What had started it.
        head_sha, head_branch: What it ran on.
        head_owner: Owner of the repository that the code is from; empty when that is gone.
        head_repository_id: Its id; None likewise.
        actor: Login of who had started it.
    """

    run_id: int
    run_attempt: int
    event: str
    head_sha: str
    head_branch: str
    head_owner: str
    head_repository_id: int | None
    actor: str


class ActionContext(NamedTuple):
    """Where we run.

    Attributes:
        facts: What the event tells.
        finished: The run that a `workflow_run` event tells of.
        repository, repository_id: `owner/name` and the number that no renaming changes.
        server_url, api_url: Of the GitHub that started us, without a slash at the end.
        run_id, run_attempt: Of our own workflow run.
        workflow: Path of the workflow's file in the repository; empty when the environment does not tell.
        workspace: The checkout.
        output, summary: The files for outputs and for the job summary; None when there is none.
    """

    facts: EventFacts
    finished: FinishedRun | None
    repository: str
    repository_id: int
    server_url: str
    api_url: str
    run_id: int
    run_attempt: int
    workflow: str
    workspace: Path
    output: Path | None
    summary: Path | None


def read_context(environment: Mapping[str, str], *, pr_number: int | None = None) -> ActionContext:
    """Read the context.

    Args:
        environment: As a runner sets it.
        pr_number: A pull request the workflow's author named.

    Raises:
        UsageError: It is no workflow run, or its event file cannot be read.
    """
    event = environment.get("GITHUB_EVENT_NAME", "")
    repository = environment.get("GITHUB_REPOSITORY", "")
    if not event or "/" not in repository:
        raise UsageError(
            "this is no workflow run: GITHUB_EVENT_NAME and GITHUB_REPOSITORY are not set",
            hint="On a laptop and in other CI systems, use `raggate-action run`.",
        )
    payload = _payload(environment.get("GITHUB_EVENT_PATH", ""))
    return ActionContext(
        facts=_facts(event, environment, payload, pr_number),
        finished=_finished_run(_mapping(payload, "workflow_run")) if event == "workflow_run" else None,
        repository=repository,
        repository_id=_number(environment.get("GITHUB_REPOSITORY_ID")),
        server_url=environment.get("GITHUB_SERVER_URL", "").rstrip("/"),
        api_url=environment.get("GITHUB_API_URL", "").rstrip("/"),
        run_id=_number(environment.get("GITHUB_RUN_ID")),
        run_attempt=_number(environment.get("GITHUB_RUN_ATTEMPT")) or 1,
        # `owner/name/.github/workflows/gate.yml@refs/heads/main`.
        workflow=environment.get("GITHUB_WORKFLOW_REF", "").partition("@")[0].removeprefix(f"{repository}/"),
        workspace=Path(environment.get("GITHUB_WORKSPACE") or "."),
        output=_path(environment.get("GITHUB_OUTPUT")),
        summary=_path(environment.get("GITHUB_STEP_SUMMARY")),
    )


def _payload(path: str) -> Mapping[str, Any]:
    """The event's payload; empty for an event without a file, as some have none."""
    if not path or not Path(path).is_file():
        return {}
    try:
        with Path(path).open("rb") as stream:
            content = json.loads(stream.read(_LARGEST_EVENT))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the event file cannot be read: {error}", hint="It is written by the runner; leave it as it is."
        ) from None
    return content if isinstance(content, dict) else {}


def _facts(event: str, environment: Mapping[str, str], payload: Mapping[str, Any], pr_number: int | None) -> EventFacts:
    repository = _mapping(payload, "repository")
    before = _text(payload, "before") if event == "push" else ""
    return EventFacts(
        event=event,
        action=_text(payload, "action"),
        ref=environment.get("GITHUB_REF", ""),
        sha=environment.get("GITHUB_SHA", ""),
        before="" if before == _NO_COMMIT else before,
        deleted=event == "push" and payload.get("deleted") is True,
        default_branch=_text(repository, "default_branch"),
        pull=_pull(_mapping(payload, "pull_request")) if event == "pull_request" else None,
        queue=_queue(_mapping(payload, "merge_group")) if event == "merge_group" else None,
        pr_number=pr_number,
        actor=environment.get("GITHUB_ACTOR", ""),
    )


def _pull(pull: Mapping[str, Any]) -> PullFacts | None:
    base, head = _mapping(pull, "base"), _mapping(pull, "head")
    of, source = _mapping(base, "repo"), _mapping(head, "repo")
    number, base_id, head_id = pull.get("number"), of.get("id"), source.get("id")
    if not isinstance(number, int) or not isinstance(base_id, int):
        return None
    return PullFacts(
        number=number,
        author=_text(_mapping(pull, "user"), "login"),
        base_ref=_text(base, "ref"),
        base_sha=_text(base, "sha"),
        head_sha=_text(head, "sha"),
        head_repository_id=head_id if isinstance(head_id, int) else None,
        base_repository_id=base_id,
    )


def _queue(group: Mapping[str, Any]) -> BaselineCommit | None:
    base_ref, base_sha = _text(group, "base_ref"), _text(group, "base_sha")
    return BaselineCommit(branch_of(base_ref), base_sha) if base_ref and base_sha else None


def _finished_run(run: Mapping[str, Any]) -> FinishedRun | None:
    run_id = run.get("id")
    if not isinstance(run_id, int):
        return None
    source = _mapping(run, "head_repository")
    source_id = source.get("id")
    return FinishedRun(
        run_id=run_id,
        run_attempt=_number(run.get("run_attempt")) or 1,
        event=_text(run, "event"),
        head_sha=_text(run, "head_sha"),
        head_branch=_text(run, "head_branch"),
        head_owner=_text(_mapping(source, "owner"), "login"),
        head_repository_id=source_id if isinstance(source_id, int) else None,
        actor=_text(_mapping(run, "actor"), "login"),
    )


def _mapping(content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = content.get(key)
    return value if isinstance(value, dict) else {}


def _text(content: Mapping[str, Any], key: str) -> str:
    value = content.get(key)
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return int(value) if str(value).isascii() and str(value).isdigit() else 0


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
