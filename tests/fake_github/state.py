"""What a GitHub knows, as plain objects that tests set and read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Permission = Literal["contents", "actions", "pull_requests", "issues"]
Level = Literal["read", "write"]
WRITING: Mapping[Permission, Level] = {
    "contents": "read",
    "actions": "read",
    "pull_requests": "write",
    "issues": "write",
}
READING: Mapping[Permission, Level] = dict.fromkeys(WRITING, "read")


@dataclass(frozen=True)
class Account:
    """A user, an organization or an app's bot."""

    login: str
    id: int
    type: Literal["User", "Bot", "Organization"] = "User"


ACTIONS_BOT = Account("github-actions[bot]", 41898282, "Bot")
DEPENDABOT = Account("dependabot[bot]", 49699333, "Bot")


@dataclass(frozen=True, eq=False)
class Commit:
    """A commit; `parents` in their order, the first is the branch it was made on; `network` is whose forks have it."""

    sha: str
    parents: tuple[Commit, ...]
    message: str
    at: datetime
    network: int


@dataclass
class Repository:
    """A repository; `branches` are names and their last commits."""

    id: int
    owner: Account
    name: str
    private: bool = False
    default_branch: str = "main"
    fork_of: Repository | None = None
    branches: dict[str, Commit] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    @property
    def network(self) -> int:
        """What a repository and all its forks have in common."""
        return self.fork_of.network if self.fork_of else self.id


@dataclass
class Pull:
    """A pull request; `head_repository` is None when the fork is gone, `merge_commit_sha` what its workflows check out."""

    id: int
    number: int
    repository: Repository
    base_ref: str
    base_sha: str
    head: Commit
    head_ref: str
    head_repository: Repository | None
    author: Account
    at: datetime
    title: str = "A change"
    state: Literal["open", "closed"] = "open"
    draft: bool = False
    merged: bool = False
    merge_commit_sha: str | None = None


@dataclass
class Comment:
    """A comment in the conversation of a pull request."""

    id: int
    pull: Pull
    body: str
    author: Account
    created_at: datetime
    updated_at: datetime
    minimized: bool = False


@dataclass
class WorkflowRun:
    """A run of a workflow; `head_repository` is None when the fork is gone."""

    id: int
    repository: Repository
    head: Commit
    head_branch: str | None
    head_repository: Repository | None
    event: str
    path: str
    workflow_id: int
    at: datetime
    actor: Account
    status: str = "completed"
    conclusion: str | None = "success"
    attempt: int = 1
    number: int = 1
    pulls: tuple[Pull, ...] = ()


@dataclass
class Artifact:
    """An artifact of a run.

    Attributes:
        content: The zip file, or what makes it when it is asked for.
        digest: As GitHub tells it, `sha256:...`; None for uploads of old.
        size_in_bytes: As GitHub tells it; a test may let it lie.
    """

    id: int
    run: WorkflowRun
    name: str
    content: bytes | Callable[[], bytes]
    digest: str | None
    size_in_bytes: int
    created_at: datetime
    expired: bool = False

    def blob(self) -> bytes:
        """The zip file."""
        return self.content if isinstance(self.content, bytes) else self.content()


@dataclass(frozen=True)
class Token:
    """A token: of whom, for which repository, and what it may do there."""

    value: str
    account: Account
    repository: Repository | None
    permissions: Mapping[Permission, Level]


def sha256_digest(content: bytes) -> str:
    """The digest as GitHub writes it."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def stamp(at: datetime) -> str:
    """A moment as GitHub writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
