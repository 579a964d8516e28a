"""What raggate reads from GitHub's API and writes to it. An answer without the fields it needs is a fault too."""

from __future__ import annotations

from typing import IO, Annotated, Final, Literal, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.aliases import AliasPath

from raggate_action.github.artifact_download import DownloadError, download
from raggate_action.github.comment_plan import Comment, PullComments
from raggate_action.github.pygithub_client import PER_PAGE, Connection, GitHubFault

Answer = TypeVar("Answer")


class ApiRecord(BaseModel):
    """Base of what is read from an answer: immutable, nothing converted, unknown keys left out.

    Unlike `schema.base.Record`, which is closed: GitHub adds keys to its answers whenever it likes.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, validate_by_name=True, defer_build=True)


class Artifact(ApiRecord):
    """An artifact as the list has it: neither its event nor its workflow is in there.

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

    artifact_id: int = Field(validation_alias="id")
    name: str
    size_bytes: int = Field(validation_alias="size_in_bytes")
    expired: bool
    created_at: Annotated[AwareDatetime, Field(strict=False)]
    digest: str | None = None
    run_id: int | None = Field(None, validation_alias=AliasPath("workflow_run", "id"))
    repository_id: int | None = Field(None, validation_alias=AliasPath("workflow_run", "repository_id"))
    head_repository_id: int | None = Field(None, validation_alias=AliasPath("workflow_run", "head_repository_id"))
    head_branch: str | None = Field(None, validation_alias=AliasPath("workflow_run", "head_branch"))
    head_sha: str | None = Field(None, validation_alias=AliasPath("workflow_run", "head_sha"))


class WorkflowRun(ApiRecord):
    """A workflow run.

    Attributes:
        run_id: Which one.
        event: What started it; alone tells apart whose code it ran.
        path: The workflow's file, without the `@` and the ref that may follow it.
        status: `completed` when it has ended.
        conclusion: How it ended; None while it goes on.
        repository_id, head_repository_id, head_branch, head_sha: As in `Artifact`.
    """

    run_id: int = Field(validation_alias="id")
    event: str
    path: Annotated[str, AfterValidator(lambda path: path.partition("@")[0])]
    status: str | None = None
    conclusion: str | None = None
    repository_id: int = Field(validation_alias=AliasPath("repository", "id"))
    head_repository_id: int | None = Field(None, validation_alias=AliasPath("head_repository", "id"))
    head_branch: str | None = None
    head_sha: str


class Pull(ApiRecord):
    """A pull request.

    Attributes:
        number, state: Which one, and whether it is still `open`.
        head_sha: Its own head, not a merge commit made for a check.
        head_branch, head_repository_id: The branch of its head, and where that is; None for a deleted fork.
        base_branch, base_sha, base_repository_id: What it is to be merged into.
    """

    number: int
    state: str
    head_sha: str = Field(validation_alias=AliasPath("head", "sha"))
    head_branch: str = Field(validation_alias=AliasPath("head", "ref"))
    head_repository_id: int | None = Field(None, validation_alias=AliasPath("head", "repo", "id"))
    base_branch: str = Field(validation_alias=AliasPath("base", "ref"))
    base_sha: str = Field(validation_alias=AliasPath("base", "sha"))
    base_repository_id: int = Field(validation_alias=AliasPath("base", "repo", "id"))

    @property
    def is_open(self) -> bool:
        """Neither merged nor closed."""
        return self.state == "open"


class Parent(ApiRecord):
    """A commit that another one follows."""

    sha: str


class Commit(Parent):
    """A commit and its parents; the first parent is the branch it was merged into."""

    parents: list[Parent]


class Repository(ApiRecord):
    """A repository; its number is what no renaming changes."""

    repository_id: int = Field(validation_alias="id")


class ArtifactPage(ApiRecord):
    """One page of a list of artifacts."""

    artifacts: list[Artifact]


class ComparedCommits(ApiRecord):
    """Two commits compared, as far as where their histories parted."""

    merge_base: str = Field(validation_alias=AliasPath("merge_base_commit", "sha"))


class WrittenComment(ApiRecord):
    """A comment just written: its number and its page."""

    comment_id: int = Field(validation_alias="id")
    url: str = Field(validation_alias="html_url")


class ListedComment(ApiRecord):
    """A comment of a pull request, as GraphQL lists it.

    Attributes:
        comment_id: Rises with time; GraphQL writes it as text.
        body: What it says.
        own: Our token's account wrote it. What does not say so is a stranger's.
        minimized: Somebody has hidden it.
        url: Its page.
    """

    comment_id: Annotated[int, Field(strict=False, validation_alias="fullDatabaseId")]
    body: str
    own: bool | None = Field(None, validation_alias="viewerDidAuthor")
    minimized: bool | None = Field(None, validation_alias="isMinimized")
    url: str


_PULL_REQUEST = ("data", "repository", "pullRequest")


class NextPage(ApiRecord):
    """The cursor of the next page of a GraphQL list."""

    more: Literal[True] = Field(validation_alias="hasNextPage")
    cursor: str = Field(validation_alias="endCursor")


class LastPage(ApiRecord):
    """A list of GraphQL ends here."""

    more: Literal[False] = Field(validation_alias="hasNextPage")


class CommentListPage(ApiRecord):
    """The pull request's last commit and one page of its comments; GraphQL has null for one that cannot be read."""

    head_sha: str = Field(validation_alias=AliasPath(*_PULL_REQUEST, "headRefOid"))
    comments: list[ListedComment | None] = Field(validation_alias=AliasPath(*_PULL_REQUEST, "comments", "nodes"))
    page: NextPage | LastPage = Field(validation_alias=AliasPath(*_PULL_REQUEST, "comments", "pageInfo"))


def record_of(kind: type[Answer], answer: object, request: str) -> Answer:
    """What an answer holds, as a record or a list of records.

    Args:
        kind: The record, or list of it.
        answer: The answer's JSON.
        request: What was requested, for the message.

    Raises:
        GitHubFault: It lacks what is needed of it.
    """
    try:
        return TypeAdapter(kind).validate_python(answer)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        lacks = first["type"] == "missing"
        what = f"its answer has no {place}" if lacks else f"{place or 'its answer'}: {first['msg']}"
        raise GitHubFault(None, f"the API's answer cannot be read ({request}): {what}") from None


__all__ = ["ArtifactList", "GitHubApi", "GitHubFault"]

ARTIFACT_PAGES: Final = 3
COMMIT_PAGES: Final = 3
_UNKNOWN_COMMIT = frozenset({404, 409, 422})


class ArtifactList(NamedTuple):
    """The artifacts of one name, newest first as GitHub lists them; `whole`: the list is complete."""

    artifacts: tuple[Artifact, ...]
    whole: bool


class GitHubApi(Connection):
    """One repository of one GitHub, read."""

    def repository_id(self) -> int:
        """The number that no renaming of the repository changes. Raises as `ask`."""
        return record_of(Repository, self.ask("GET", ""), "GET the repository").repository_id

    def artifacts_named(self, name: str, *, max_pages: int = ARTIFACT_PAGES) -> ArtifactList:
        """The artifacts of exactly this name; at most `max_pages` requests. Raises as `ask`."""
        found: list[Artifact] = []
        for page in range(1, max_pages + 1):
            parameters = {"name": name, "per_page": PER_PAGE, "page": page}
            answer = self.ask("GET", "/actions/artifacts", parameters=parameters)
            listed = record_of(ArtifactPage, answer, "GET /actions/artifacts").artifacts
            found += listed
            if len(listed) < PER_PAGE:
                return ArtifactList(tuple(found), whole=True)
        return ArtifactList(tuple(found), whole=False)

    def artifacts_of_run(self, run_id: int) -> tuple[Artifact, ...]:
        """The first hundred artifacts that one workflow run stored. Raises as `ask`."""
        answer = self.ask("GET", f"/actions/runs/{run_id}/artifacts", parameters={"per_page": PER_PAGE})
        return tuple(record_of(ArtifactPage, answer, "GET /actions/runs/ID/artifacts").artifacts)

    def workflow_run(self, run_id: int) -> WorkflowRun:
        """One workflow run. Raises as `ask`."""
        return record_of(WorkflowRun, self.ask("GET", f"/actions/runs/{run_id}"), "GET /actions/runs")

    def first_parents(self, sha: str, *, limit: int = PER_PAGE) -> tuple[str, ...]:
        """The commit and the first parent of each, nearest first; at most `limit`, and three requests.

        GitHub lists every ancestor by date, the merged branches' own commits among them. So the chain is built from
        the parents, and listed on from the first that is missing; where much is merged it may stay short.

        Raises:
            GitHubFault: As `ask`.
        """
        chain: list[str] = []
        next_sha: str | None = sha
        for _ in range(COMMIT_PAGES):
            answer = self.ask("GET", "/commits", parameters={"sha": next_sha, "per_page": PER_PAGE})
            commits = {commit.sha: commit for commit in record_of(list[Commit], answer, "GET /commits")}
            if next_sha not in commits:
                break
            while next_sha in commits and len(chain) < limit:
                chain.append(next_sha)
                next_sha = next((parent.sha for parent in commits[next_sha].parents), None)
            if next_sha is None or len(chain) == limit:
                break
        return tuple(chain)

    def parents(self, sha: str) -> tuple[str, ...]:
        """The parents of a commit, those of a merge; empty for one that GitHub does not know. Raises as `ask`."""
        try:
            answer = self.ask("GET", "/commits", parameters={"sha": sha, "per_page": 1})
        except GitHubFault as fault:
            if fault.status in _UNKNOWN_COMMIT:
                return ()
            raise
        found = [commit for commit in record_of(list[Commit], answer, "GET /commits") if commit.sha == sha]
        return tuple([parent.sha for commit in found for parent in commit.parents])

    def merge_base(self, base: str, head: str) -> str | None:
        """The commit where `head` left `base` (branches or commits); None when they have none. Raises as `ask`."""
        compared = f"{quote(base, safe='')}...{quote(head, safe='')}"
        try:
            answer = self.ask("GET", f"/compare/{compared}", parameters={"per_page": 1})
            return record_of(ComparedCommits, answer, "GET /compare").merge_base
        except GitHubFault as fault:
            if fault.status == 404:
                return None
            raise

    def pull(self, number: int) -> Pull:
        """One pull request. Raises as `ask`."""
        return record_of(Pull, self.ask("GET", f"/pulls/{number}"), "GET /pulls")

    def pulls_of_commit(self, sha: str) -> tuple[Pull, ...]:
        """Up to a hundred pull requests that have this commit, those of forks too. Raises as `ask`."""
        answer = self.ask("GET", f"/commits/{quote(sha, safe='')}/pulls", parameters={"per_page": PER_PAGE})
        return tuple(record_of(list[Pull], answer, "GET /commits/SHA/pulls"))

    def pulls_from(self, owner: str, branch: str) -> tuple[Pull, ...]:
        """Up to a hundred open pull requests from one branch of one owner, forks too. Raises as `ask`."""
        parameters = {"state": "open", "head": f"{owner}:{branch}", "per_page": PER_PAGE}
        return tuple(record_of(list[Pull], self.ask("GET", "/pulls", parameters=parameters), "GET /pulls"))

    def download_artifact(self, artifact_id: int, *, max_bytes: int) -> IO[bytes]:
        """The zip of an artifact, spooled to a file without a name; the caller closes it.

        Raises:
            GitHubFault: As `ask`; status 404 or 410 for an artifact that has expired, None for a store that fails.
        """
        headers = self.exchange("GET", f"/actions/artifacts/{artifact_id}/zip", None, None, again=True)[0]
        place = headers.get("location")
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
        variables = {"owner": owner, "name": name, "number": number, "after": None}
        found: list[Comment] = []
        for _page in range(COMMENT_PAGES):
            listed = record_of(CommentListPage, self.graphql(_COMMENTS, variables), "POST /graphql")
            found += [
                Comment(each.comment_id, each.body, own=bool(each.own), minimized=bool(each.minimized), url=each.url)
                for each in listed.comments
                if each is not None
            ]
            if not isinstance(listed.page, NextPage):
                return PullComments(listed.head_sha, tuple(found))
            variables["after"] = listed.page.cursor
        raise GitHubFault(None, f"pull request {number} has more comments than GitHub allows")

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a comment, sent once. Raises as `ask`; without a status below 500 it may have been written."""
        answer = self.ask("POST", f"/issues/{number}/comments", body={"body": body}, again=False)
        return _comment_as_written(record_of(WrittenComment, answer, "POST /issues/comments"), body)

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Edit a comment. Raises as `ask`; status 404 when it is gone."""
        answer = self.ask("PATCH", f"/issues/comments/{comment_id}", body={"body": body})
        return _comment_as_written(record_of(WrittenComment, answer, "PATCH /issues/comments"), body)

    def delete_comment(self, comment_id: int) -> None:
        """Delete a comment, gone or not. Raises as `ask`."""
        try:
            self.ask("DELETE", f"/issues/comments/{comment_id}")
        except GitHubFault as fault:
            if fault.status != 404:
                raise


def _comment_as_written(written: WrittenComment, body: str) -> Comment:
    return Comment(written.comment_id, body, own=True, minimized=False, url=written.url)
