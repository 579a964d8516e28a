"""What the API answers, with the fields that are used and no others; strangers chose many of the texts.

A field that may be null is None as well where it, or anything on the way to it, is missing.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.aliases import AliasPath

from raggate_action.github.connection import GitHubFault

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
    """Where a list of GraphQL goes on."""

    more: Literal[True] = Field(validation_alias="hasNextPage")
    cursor: str = Field(validation_alias="endCursor")


class LastPage(ApiRecord):
    """A list of GraphQL ends here."""

    more: Literal[False] = Field(validation_alias="hasNextPage")


class CommentPage(ApiRecord):
    """The pull request's last commit and one page of its comments; GraphQL has null for one that cannot be read."""

    head_sha: str = Field(validation_alias=AliasPath(*_PULL_REQUEST, "headRefOid"))
    comments: list[ListedComment | None] = Field(validation_alias=AliasPath(*_PULL_REQUEST, "comments", "nodes"))
    page: NextPage | LastPage = Field(validation_alias=AliasPath(*_PULL_REQUEST, "comments", "pageInfo"))


def record_of(kind: type[Answer], answer: object, asked: str) -> Answer:
    """What an answer holds, as a record or a list of records.

    Args:
        kind: The record, or list of it.
        answer: The answer's JSON.
        asked: What had been asked, for the message.

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
        raise GitHubFault(None, f"the API's answer cannot be read ({asked}): {what}") from None
