"""How tests put things into the fake GitHub, each in one readable line."""

from __future__ import annotations

import hashlib
import io
import itertools
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

from tests.fake_github.state import (
    ACTIONS_BOT,
    WRITING,
    Account,
    Artifact,
    Comment,
    Commit,
    Level,
    Permission,
    Pull,
    Repository,
    Token,
    WorkflowRun,
    sha256_digest,
)

WORKFLOW = ".github/workflows/raggate.yml"
_START = datetime(2026, 11, 1, 9, tzinfo=UTC)


class World:
    """All that this GitHub knows. The first repository made is `home`, which its tokens are for.

    Attributes:
        finds_pulls_of_forks: Whether a commit leads to the pull requests of forks; GitHub's does not always.
    """

    def __init__(self) -> None:
        self.repositories: dict[int, Repository] = {}
        self.commits: dict[str, Commit] = {}
        self.pulls: dict[int, Pull] = {}
        self.comments: dict[int, Comment] = {}
        self.runs: dict[int, WorkflowRun] = {}
        self.artifacts: dict[int, Artifact] = {}
        self.tokens: dict[str, Token] = {}
        self.finds_pulls_of_forks = True
        self._ids = itertools.count(1001)
        self._minutes = itertools.count(1)
        self._accounts: dict[str, Account] = {}

    @property
    def home(self) -> Repository:
        """The repository that tests are about."""
        return next(iter(self.repositories.values()))

    def now(self) -> datetime:
        """The next minute of this world's clock."""
        return _START + timedelta(minutes=next(self._minutes))

    def new_id(self) -> int:
        """A number that nothing else has; later things have higher ones."""
        return next(self._ids)

    def account(self, login: str) -> Account:
        """The account of a login; a login that ends in `[bot]` is an app's."""
        kind: Literal["Bot", "User"] = "Bot" if login.endswith("[bot]") else "User"
        return self._accounts.setdefault(login, Account(login, self.new_id(), kind))

    def repository(
        self,
        full_name: str = "acme/menu",
        *,
        private: bool = False,
        default_branch: str = "main",
        fork_of: Repository | None = None,
    ) -> Repository:
        """A repository without commits, or with those of what it is a fork of."""
        owner, name = full_name.split("/")
        made = Repository(self.new_id(), self.account(owner), name, private, default_branch, fork_of)
        made.branches |= fork_of.branches if fork_of else {}
        self.repositories[made.id] = made
        return made

    def commit(
        self,
        message: str = "A change",
        *,
        branch: str | None = None,
        parents: Sequence[Commit] | None = None,
        repository: Repository | None = None,
        sha: str | None = None,
        at: datetime | None = None,
    ) -> Commit:
        """A commit, made on a branch (the default one) of a repository (home), whose tip it becomes.

        Args:
            message: Its text.
            branch: The branch.
            parents: Instead of the branch's tip.
            repository: Instead of home.
            sha: Instead of one made up.
            at: Instead of the next minute.
        """
        place = repository or self.home
        name = branch or place.default_branch
        before = place.branches.get(name, place.branches.get(place.default_branch))
        above = tuple(parents) if parents is not None else (before,) if before else ()
        made = place.branches[name] = self._unnamed(message, above, place, sha, at)
        return made

    def _unnamed(
        self,
        message: str,
        parents: tuple[Commit, ...],
        repository: Repository | None = None,
        sha: str | None = None,
        at: datetime | None = None,
    ) -> Commit:
        """A commit on no branch."""
        made_up = hashlib.sha1(f"{message} {self.new_id()}".encode(), usedforsecurity=False).hexdigest()
        made = Commit(sha or made_up, parents, message, at or self.now(), (repository or self.home).network)
        self.commits[made.sha] = made
        return made

    def history(self, count: int, *, branch: str | None = None) -> list[Commit]:
        """So many commits in a row, the oldest first."""
        return [self.commit(f"Change {number}", branch=branch) for number in range(1, count + 1)]

    def pull(
        self,
        head: Commit,
        *,
        base: str | None = None,
        base_sha: str | None = None,
        number: int | None = None,
        head_ref: str = "topic",
        head_repository: Repository | Literal["gone"] | None = None,
        author: str | Account = "dana",
        draft: bool = False,
        state: Literal["open", "closed"] = "open",
        merged: bool = False,
    ) -> Pull:
        """A pull request into home, from home unless `head_repository` says otherwise; "gone" is a deleted fork."""
        base_ref = base or self.home.default_branch
        tip = base_sha or (self.home.branches[base_ref].sha if base_ref in self.home.branches else head.sha)
        made = Pull(
            self.new_id(),
            number or len(self.pulls) + 7,
            self.home,
            base_ref,
            tip,
            head,
            head_ref,
            None if head_repository == "gone" else head_repository or self.home,
            self._who(author),
            self.now(),
        )
        made.draft, made.state, made.merged = draft, state, merged
        base_commit = self.commits.get(tip)
        merge = self._unnamed(f"Merge {head.sha} into {tip}", (base_commit, head) if base_commit else (head,))
        made.merge_commit_sha = merge.sha
        self.pulls[made.id] = made
        return made

    def comment(
        self, pull: Pull, body: str, *, author: str | Account = ACTIONS_BOT, minimized: bool = False
    ) -> Comment:
        """A comment of a pull request, by the account of the default token unless another is named."""
        at = self.now()
        made = Comment(self.new_id(), pull, body, self._who(author), at, at, minimized)
        self.comments[made.id] = made
        return made

    def run(
        self,
        head: Commit,
        *,
        event: str = "push",
        branch: str | None = "main",
        path: str = WORKFLOW,
        workflow_id: int = 501,
        repository: Repository | None = None,
        head_repository: Repository | Literal["gone"] | None = None,
        status: str = "completed",
        conclusion: str | None = "success",
        attempt: int = 1,
        pulls: Sequence[Pull] = (),
        actor: str | Account = "dana",
        at: datetime | None = None,
        id: int | None = None,  # noqa: A002 - its name at GitHub
    ) -> WorkflowRun:
        """A run of a workflow; a push run on main that has succeeded unless said otherwise."""
        place = repository or self.home
        source = None if head_repository == "gone" else head_repository or place
        conclusion = conclusion if status == "completed" else None
        made = WorkflowRun(
            id or self.new_id(),
            place,
            head,
            branch,
            source,
            event,
            path,
            workflow_id,
            at or self.now(),
            self._who(actor),
        )
        made.status, made.conclusion, made.attempt, made.pulls = status, conclusion, attempt, tuple(pulls)
        made.number = len(self.runs) + 1
        self.runs[made.id] = made
        return made

    def artifact(
        self,
        run: WorkflowRun,
        name: str = "raggate-menu",
        files: Mapping[str, bytes | str] | None = None,
        *,
        content: bytes | Callable[[], bytes] | None = None,
        digest: str | None = "right",
        size: int | None = None,
        expired: bool = False,
        at: datetime | None = None,
    ) -> Artifact:
        """An artifact of a run.

        Args:
            run: Whose.
            name: Its name; a run may have several of one.
            files: Its members, zipped as `actions/upload-artifact` does.
            content: A zip file instead, or what makes it when it is asked for; then `digest` and `size` are needed.
            digest: "right" for that of the content.
            size: Instead of the content's.
            expired: Whether its time is over.
            at: When it was made; the next minute otherwise.
        """
        blob = zipped(files or {"run.json": "{}"}) if content is None else content
        known = blob if isinstance(blob, bytes) else b""
        made = Artifact(
            self.new_id(),
            run,
            name,
            blob,
            sha256_digest(known) if digest == "right" else digest,
            len(known) if size is None else size,
            at or self.now(),
            expired,
        )
        self.artifacts[made.id] = made
        return made

    def token(
        self,
        permissions: Mapping[Permission, Level] = WRITING,
        *,
        account: str | Account = ACTIONS_BOT,
        repository: Repository | None = None,
    ) -> str:
        """A token for home, of the workflow's bot, that may do what these permissions say; `READING` is a fork's."""
        value = f"ghs_{self.new_id():036d}"
        self.tokens[value] = Token(value, self._who(account), repository or self.home, dict(permissions))
        return value

    def _who(self, account: str | Account) -> Account:
        return account if isinstance(account, Account) else self.account(account)


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip file with these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, 1, 9, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
