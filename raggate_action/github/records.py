"""What the API told, with the fields that are used and no others; strangers chose many of the texts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar


class Artifact(NamedTuple):
    """An artifact as the list tells of it: neither its event nor its workflow is among what is told.

    Attributes:
        artifact_id, name: Which one.
        size_bytes: Of the zip.
        expired: Its content is gone.
        created_at: When it was stored.
        digest: `sha256:` and the digest of the zip in hex; None for artifacts from before digests were kept.
        run_id: The workflow run that stored it; None when that run was deleted, as the four that follow.
        repository_id: Where the run was.
        head_repository_id: Where the run's commit was; another one for a fork, None for a deleted fork.
        head_branch, head_sha: What the run was for.
    """

    artifact_id: int
    name: str
    size_bytes: int
    expired: bool
    created_at: datetime
    digest: str | None
    run_id: int | None
    repository_id: int | None
    head_repository_id: int | None
    head_branch: str | None
    head_sha: str | None


class WorkflowRun(NamedTuple):
    """A workflow run.

    Attributes:
        run_id: Which one.
        event: What started it; alone tells apart whose code it ran.
        path: The workflow's file, without the `@` and the ref that may follow it.
        status: `completed` when it has ended.
        conclusion: How it ended; None while it goes on.
        repository_id, head_repository_id, head_branch, head_sha: As in `Artifact`.
    """

    run_id: int
    event: str
    path: str
    status: str
    conclusion: str | None
    repository_id: int
    head_repository_id: int | None
    head_branch: str | None
    head_sha: str


class Pull(NamedTuple):
    """A pull request.

    Attributes:
        number, is_open: Which one, and whether it is still open.
        head_sha: Its own head, not a merge commit made for a check.
        head_repository_id: Where its head is; None for a deleted fork.
        base_branch, base_sha, base_repository_id: What it is to be merged into.
    """

    number: int
    is_open: bool
    head_sha: str
    head_repository_id: int | None
    base_branch: str
    base_sha: str
    base_repository_id: int


class Commit(NamedTuple):
    """A commit and its parents; the first parent is the branch it was merged into."""

    sha: str
    parents: tuple[str, ...]


class OffSchemaError(ValueError):
    """An answer lacks a field, or holds something else in its place; the message names the field."""


def artifact_from(told: object) -> Artifact:
    """Read one item of the list of artifacts.

    Raises:
        OffSchemaError: A field is not what GitHub describes.
    """
    return Artifact(
        artifact_id=_must(told, int, "id"),
        name=_must(told, str, "name"),
        size_bytes=_must(told, int, "size_in_bytes"),
        expired=_must(told, bool, "expired"),
        created_at=_moment(told, "created_at"),
        digest=_may(told, str, "digest"),
        run_id=_may(told, int, "workflow_run", "id"),
        repository_id=_may(told, int, "workflow_run", "repository_id"),
        head_repository_id=_may(told, int, "workflow_run", "head_repository_id"),
        head_branch=_may(told, str, "workflow_run", "head_branch"),
        head_sha=_may(told, str, "workflow_run", "head_sha"),
    )


def workflow_run_from(told: object) -> WorkflowRun:
    """Read a workflow run. Raises as `artifact_from`."""
    return WorkflowRun(
        run_id=_must(told, int, "id"),
        event=_must(told, str, "event"),
        path=_must(told, str, "path").partition("@")[0],
        status=_may(told, str, "status") or "",
        conclusion=_may(told, str, "conclusion"),
        repository_id=_must(told, int, "repository", "id"),
        head_repository_id=_may(told, int, "head_repository", "id"),
        head_branch=_may(told, str, "head_branch"),
        head_sha=_must(told, str, "head_sha"),
    )


def pull_from(told: object) -> Pull:
    """Read a pull request. Raises as `artifact_from`."""
    return Pull(
        number=_must(told, int, "number"),
        is_open=_must(told, str, "state") == "open",
        head_sha=_must(told, str, "head", "sha"),
        head_repository_id=_may(told, int, "head", "repo", "id"),
        base_branch=_must(told, str, "base", "ref"),
        base_sha=_must(told, str, "base", "sha"),
        base_repository_id=_must(told, int, "base", "repo", "id"),
    )


def commit_from(told: object) -> Commit:
    """Read one item of the list of commits. Raises as `artifact_from`."""
    parents = _must(told, list, "parents")
    return Commit(_must(told, str, "sha"), tuple(_must(parent, str, "sha") for parent in parents))


def items_of(told: object, *place: str) -> list[Any]:
    """The list at `place` of an answer. Raises as `artifact_from`."""
    return _must(told, list, *place)


def text_at(told: object, *place: str) -> str:
    """The text at `place` of an answer. Raises as `artifact_from`."""
    return _must(told, str, *place)


def number_at(told: object, *place: str) -> int:
    """The whole number at `place` of an answer. Raises as `artifact_from`."""
    return _must(told, int, *place)


Kind = TypeVar("Kind", bool, int, str, list[Any])


def _must(told: object, kind: type[Kind], *place: str) -> Kind:
    found = _may(told, kind, *place)
    if found is None:
        raise OffSchemaError(f"its answer has no {'.'.join(place) or 'content'}")
    return found


def _may(told: object, kind: type[Kind], *place: str) -> Kind | None:
    """What stands at `place`; None where it, or anything on the way there, is missing or null."""
    found = told
    for key in place:
        found = found.get(key) if isinstance(found, dict) else None
    # Not isinstance: True is an int, and no id.
    if found is None or type(found) is kind:
        return found
    raise OffSchemaError(f"{'.'.join(place) or 'its answer'} is no {kind.__name__}")


def _moment(told: object, *place: str) -> datetime:
    text = _must(told, str, *place)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise OffSchemaError(f"{'.'.join(place)} is no date and time") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
