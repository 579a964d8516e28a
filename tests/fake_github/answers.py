"""What every operation's code stands on: answers, pages, who may do what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from tests.fake_github.bodies import Bodies
from tests.fake_github.checks import Refused, Request
from tests.fake_github.state import Artifact, Repository, Token
from tests.fake_github.world import World

T = TypeVar("T")
NOT_ACCESSIBLE = "Resource not accessible by integration"
_READS = "metadata=read"
_ACTIONS = "actions=read"
_CONTENTS = "contents=read"
_PULLS = "pull_requests=read"
_TALK_READ = "issues=read; pull_requests=read"
_TALK = "issues=write; pull_requests=write"
# Operation -> the permissions it asks for, as `x-accepted-github-permissions` tells them: one of the alternatives.
ACCEPTED = {
    "actions/download-artifact": _ACTIONS,
    "actions/get-artifact": _ACTIONS,
    "actions/get-workflow-run": _ACTIONS,
    "actions/list-artifacts-for-repo": _ACTIONS,
    "actions/list-workflow-run-artifacts": _ACTIONS,
    "issues/create-comment": _TALK,
    "issues/delete-comment": _TALK,
    "issues/get-comment": _TALK_READ,
    "issues/list-comments": _TALK_READ,
    "issues/update-comment": _TALK,
    "pulls/get": _PULLS,
    "pulls/list": _PULLS,
    "rate-limit/get": _READS,
    "repos/compare-commits-with-basehead": _CONTENTS,
    "repos/get": _READS,
    "repos/list-commits": _CONTENTS,
    "repos/list-pull-requests-associated-with-commit": _PULLS,
}


class Answer(NamedTuple):
    """What goes back: `body` is JSON, or text that is sent as it is; None for none."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}


class Asked(NamedTuple):
    """What an operation's code is handed.

    Attributes:
        world: All there is.
        bodies: How its things are told.
        request: What is asked.
        repository: Of which.
        blob_link: Makes a link to an artifact's blob.
    """

    world: World
    bodies: Bodies
    request: Request
    repository: Repository
    blob_link: Callable[[Artifact], str]

    @property
    def path(self) -> Mapping[str, Any]:
        return self.request.path

    @property
    def query(self) -> Mapping[str, Any]:
        return self.request.query

    def page(self, items: Sequence[T], *, size: int = 30) -> tuple[list[T], dict[str, str]]:
        """The page that the query asks for, and its `Link` header."""
        size, number = self.query.get("per_page", size), self.query.get("page", 1)
        last = -(-len(items) // size)
        relations = {"prev": number - 1, "next": number + 1, "last": last, "first": 1}
        wanted = {name: to for name, to in relations.items() if 1 <= to <= last and to != number}
        if number >= last:
            wanted.pop("last", None)
        address = self.request.operation.path.format_map({key: str(value) for key, value in self.path.items()})
        links = [
            f'<{self.bodies.api}{address}?{urlencode({**self.query, "page": to})}>; rel="{name}"'
            for name, to in wanted.items()
        ]
        return list(items[(number - 1) * size : number * size]), {"Link": ", ".join(links)} if links else {}


def not_found(name: str) -> Refused:
    """GitHub's answer for what is not there, or not to be seen."""
    return Refused(name, 404, "Not Found")


def repository_of(world: World, path: Mapping[str, Any], token: Token | None) -> Repository:
    """The repository of a path.

    Raises:
        Refused: There is none that this token may know of.
    """
    wanted = f"{path['owner']}/{path['repo']}".lower()
    for repository in world.repositories.values():
        if repository.full_name.lower() == wanted and (not repository.private or _is_for(token, repository)):
            return repository
    raise not_found("repository-unknown")


def check_permission(operation_id: str, repository: Repository | None, token: Token | None) -> None:
    """Whether a token may do this: reading what is public is free.

    Raises:
        Refused: It may not.
    """
    accepted = ACCEPTED[operation_id]
    writes = "=write" in accepted
    if token is None and writes:
        raise Refused("token-missing", 401, "Requires authentication")
    if repository is None or (not writes and not repository.private):
        return
    ours = token is not None and _is_for(token, repository)
    if accepted == _READS or (ours and token and any(_has(token, each) for each in accepted.split("; "))):
        return
    headers = {"x-accepted-github-permissions": accepted}
    raise Refused("permission-missing", 403, NOT_ACCESSIBLE, headers=headers)


def _is_for(token: Token | None, repository: Repository) -> bool:
    return token is not None and token.repository is not None and token.repository.id == repository.id


def _has(token: Token, wanted: str) -> bool:
    name, level = wanted.split("=")
    held: Mapping[str, str] = {str(key): value for key, value in token.permissions.items()}
    return held.get(name) in ({"read", "write"} if level == "read" else {"write"})
