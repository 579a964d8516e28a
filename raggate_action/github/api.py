"""What raggate reads from GitHub's API and writes to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from operator import attrgetter
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

from raggate_action.github.artifact_download import DownloadError, download
from raggate_action.github.comment_plan import Comment, PullComments
from raggate_action.github.pygithub_client import PER_PAGE, Connection, GitHubFault

if TYPE_CHECKING:
    from github.Artifact import Artifact
    from github.PullRequest import PullRequest
    from github.Repository import Repository
    from github.WorkflowRun import WorkflowRun

Found = TypeVar("Found")
ARTIFACT_PAGES: Final = 3
MOST_ARTIFACTS: Final = ARTIFACT_PAGES * PER_PAGE
COMMIT_PAGES: Final = 3
_OF_A_PULL = ("number", "head.sha", "head.ref", "base.sha", "base.ref", "base.repo.id")
_UNKNOWN_COMMIT = frozenset({404, 409, 422})


def _whole(found: Found, needed: Sequence[str], others: Sequence[str] = ()) -> Found:
    """An object with all that is needed of it: what an answer lacks the library has as None, or asks for anew.

    What is of another kind than the library says, it raises for where it is read: here, not later.
    """
    for name in (*needed, *others):
        if attrgetter(name)(found) is None and name in needed:
            raise ValueError(name)
    return found


def _whole_artifact(found: Artifact) -> Artifact:
    return _whole(found, ("id", "name", "size_in_bytes", "expired", "created_at"), ["digest"])


class GitHubApi(Connection):
    """One repository of one GitHub, read. Its methods raise as `ask`."""

    def repository_id(self) -> int:
        """The number that no renaming of the repository changes."""
        return self.ask("GET the repository", lambda repository: _whole(repository.complete(), ["id"]).id)

    def artifacts_named(self, name: str) -> list[Artifact]:
        """The artifacts of exactly this name, newest first as GitHub lists them; at most three requests."""
        return self.ask(
            "GET /actions/artifacts",
            lambda repository: [*map(_whole_artifact, islice(repository.get_artifacts(name), MOST_ARTIFACTS))],
        )

    def artifacts_of_run(self, run_id: int) -> list[Artifact]:
        """The first hundred artifacts that one workflow run stored."""
        return self.ask(
            "GET /actions/runs/ID/artifacts",
            lambda there: [*map(_whole_artifact, there.get_workflow_run(run_id).get_artifacts().get_page(0))],
        )

    def workflow_run(self, run_id: int) -> WorkflowRun:
        """One workflow run."""
        needed, others = ("id", "event", "path", "head_sha", "repository.id"), ("head_branch", "status", "conclusion")

        def run(repository: Repository) -> WorkflowRun:
            return _whole(repository.get_workflow_run(run_id).complete(), needed, (*others, "head_repository"))

        return self.ask("GET /actions/runs", run)

    def first_parents(self, sha: str, *, limit: int = PER_PAGE) -> tuple[str, ...]:
        """The commit and the first parent of each, nearest first; at most `limit`, and three requests.

        GitHub lists every ancestor by date, the merged branches' own commits among them. So the chain is built from
        the parents, and listed on from the first that is missing; where much is merged it may stay short.
        """
        chain: list[str] = []
        next_sha: str | None = sha
        for _ in range(COMMIT_PAGES):
            commits = self._parents_listed(next_sha or "")
            if next_sha not in commits:
                break
            while next_sha in commits and len(chain) < limit:
                chain.append(next_sha)
                next_sha = next(iter(commits[next_sha]), None)
            if next_sha is None or len(chain) == limit:
                break
        return tuple(chain)

    def parents(self, sha: str) -> tuple[str, ...]:
        """The parents of a commit, those of a merge; empty for one that GitHub does not know."""
        try:
            return self._parents_listed(sha).get(sha, ())
        except GitHubFault as fault:
            if fault.status in _UNKNOWN_COMMIT:
                return ()
            raise

    def _parents_listed(self, sha: str) -> dict[str, tuple[str, ...]]:
        """The parents of a commit and of up to ninety-nine before it, by commit."""

        def listed(repository: Repository) -> dict[str, tuple[str, ...]]:
            commits = repository.get_commits(sha).get_page(0)
            return {commit.sha: tuple([parent.sha for parent in commit.parents]) for commit in commits}

        return self.ask("GET /commits", listed)

    def merge_base(self, base: str, head: str) -> str | None:
        """The commit where `head` left `base` (branches or commits); None when they have none."""
        try:
            return self.ask(
                "GET /compare",
                lambda repository: repository.compare(base, head, comparison_commits_per_page=1).merge_base_commit.sha,
            )
        except GitHubFault as fault:
            if fault.status == 404:
                return None
            raise

    def pull(self, number: int) -> PullRequest:
        """One pull request."""
        return self.ask("GET /pulls", lambda repository: _whole(repository.get_pull(number).complete(), _OF_A_PULL))

    def open_pulls(self, sha: str, owner: str, branch: str) -> list[PullRequest]:
        """Open pull requests, forks' too, that have a commit, or are from one branch of one owner; a hundred each."""
        of_commit = self.ask(
            "GET /commits/SHA/pulls", lambda repository: repository.get_commit(sha).get_pulls().get_page(0)
        )
        of_branch = self.ask(
            "GET /pulls", lambda repository: repository.get_pulls("open", head=f"{owner}:{branch}").get_page(0)
        )
        return [pull for pull in (*of_commit, *of_branch) if pull.state == "open"]

    def download_artifact(self, artifact_id: int, *, max_bytes: int) -> IO[bytes]:
        """The zip of an artifact, spooled to a file without a name; the caller closes it.

        Raises:
            GitHubFault: As `ask`; status 404 or 410 for an artifact that has expired, None for a store that fails.
        """

        def ask_for_place(repository: Repository) -> object:
            path = f"{repository.url}/actions/artifacts/{artifact_id}/zip"
            return repository.requester.requestJsonAndCheck("GET", path)[0].get("location")

        place = self.ask("GET /actions/artifacts/ID/zip", ask_for_place)
        if not isinstance(place, str):
            raise GitHubFault(None, f"the API did not say where artifact {artifact_id} is kept")
        try:
            plain = urlsplit(self.api_url).scheme == "http"
            return download(place, max_bytes=max_bytes, plain_http=plain)
        except DownloadError as error:
            raise GitHubFault(error.gone, f"artifact {artifact_id}: {error}") from None


# GitHub takes 2,500 comments on a pull request.
COMMENT_PAGES: Final = 30
# Only GraphQL says for every kind of token whose a comment is; and only its long form of a comment's number has room
# for the numbers of today.
_COMMENTS = f"""
query Comments($owner: String!, $name: String!, $number: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{
      headRefOid
      comments(first: {PER_PAGE}, after: $after) {{
        pageInfo {{ hasNextPage endCursor }}
        nodes {{ fullDatabaseId body viewerDidAuthor isMinimized url }}
      }}
    }}
  }}
}}
"""


class CommentApi(Connection):
    """One repository of one GitHub, written to. What creates is sent once; what may be repeated is tried again."""

    def pull_comments(self, number: int) -> PullComments:
        """The pull request's last commit and all its comments, a request per hundred. Raises as `ask`."""
        owner, _slash, name = self.repository.partition("/")
        variables: dict[str, Any] = {"owner": owner, "name": name, "number": number, "after": None}
        found: list[Comment] = []

        def listed(repository: Repository) -> tuple[str, bool]:
            """The last commit, and whether another page follows."""
            answer = repository.requester.graphql_query(_COMMENTS, variables)[1]
            pull = answer["data"]["repository"]["pullRequest"]
            # GraphQL has null for a comment that cannot be read. What does not say so is a stranger's.
            found.extend(
                Comment(
                    int(each["fullDatabaseId"]),
                    str(each["body"]),
                    own=each["viewerDidAuthor"] is True,
                    minimized=each["isMinimized"] is True,
                    url=str(each["url"]),
                )
                for each in pull["comments"]["nodes"]
                if each is not None
            )
            page = pull["comments"]["pageInfo"]
            variables["after"] = page["endCursor"]
            return str(pull["headRefOid"]), page["hasNextPage"] is not False

        for _page in range(COMMENT_PAGES):
            head_sha, goes_on = self.ask("POST /graphql", listed)
            if not goes_on:
                return PullComments(head_sha, tuple(found))
        raise GitHubFault(None, f"pull request {number} has more comments than GitHub allows")

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a comment, sent once. Raises as `ask`; without a status below 500 it may have been written."""

        def create(repository: Repository) -> Comment:
            made = _whole(repository.get_issue(number).create_comment(body), ["id", "html_url"])
            return Comment(made.id, body, own=True, minimized=False, url=made.html_url)

        return self.ask("POST /issues/comments", create, writes=True)

    def update_comment(self, comment_id: int, body: str) -> str:
        """Edit a comment; returns its page. Raises as `ask`; status 404 when it is gone."""

        def edit(repository: Repository) -> str:
            comment = repository.get_issue(0).get_comment(comment_id)
            comment.edit(body)
            return _whole(comment, ["html_url"]).html_url

        return self.ask("PATCH /issues/comments", edit, writes=True)

    def delete_comment(self, comment_id: int) -> None:
        """Delete a comment, gone or not. Raises as `ask`."""
        try:
            self.ask(
                "DELETE /issues/comments",
                lambda repository: repository.get_issue(0).get_comment(comment_id).delete(),
                writes=True,
            )
        except GitHubFault as fault:
            if fault.status != 404:
                raise
