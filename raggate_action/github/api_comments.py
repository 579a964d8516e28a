"""What raggate writes to GitHub: the comments of a pull request, and check runs."""

from __future__ import annotations

from typing import Any, Final

from raggate_action.github.comment_plan import Comment, PullComments
from raggate_action.github.connection import PER_PAGE, Connection, GitHubFault, reading
from raggate_action.github.publication import PostCheckRun
from raggate_action.github.records import OffSchemaError, items_of, number_at, text_at
from raggate_action.github.workflow_commands import Annotation

# GitHub takes 2,500 comments on a pull request.
COMMENT_PAGES: Final = 30
_LONGEST_TITLE = 255
# Whose a comment is, only GraphQL tells of every kind of token; and only its long form of a comment's number has
# room for the numbers of today.
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
_LEVELS = {"error": "failure", "warning": "warning", "notice": "notice"}


class CommentApi(Connection):
    """One repository of one GitHub, written to. What creates is sent once; what may be repeated is tried again."""

    def pull_comments(self, number: int) -> PullComments:
        """The pull request's last commit and all its comments, a request per hundred. Raises as `ask`."""
        owner, _slash, name = self.repository.partition("/")
        variables = {"owner": owner, "name": name, "number": number, "after": None}
        found: list[Comment] = []
        for _page in range(COMMENT_PAGES):
            with reading("POST /graphql"):
                told = self.graphql(_COMMENTS, variables)
                place = ("data", "repository", "pullRequest")
                found += [_comment(item) for item in items_of(told, *place, "comments", "nodes") if item is not None]
                head_sha, after = text_at(told, *place, "headRefOid"), _next_page(told, place)
            if after is None:
                return PullComments(head_sha, tuple(found))
            variables["after"] = after
        raise GitHubFault(None, f"pull request {number} has more comments than GitHub allows")

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a comment, sent once. Raises as `ask`; without a status below 500 it may have been written."""
        with reading("POST /issues/comments"):
            return _written(self.ask("POST", f"/issues/{number}/comments", body={"body": body}, again=False), body)

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Edit a comment. Raises as `ask`; status 404 when it is gone."""
        with reading("PATCH /issues/comments"):
            return _written(self.ask("PATCH", f"/issues/comments/{comment_id}", body={"body": body}), body)

    def delete_comment(self, comment_id: int) -> None:
        """Delete a comment, gone or not. Raises as `ask`."""
        try:
            self.ask("DELETE", f"/issues/comments/{comment_id}")
        except GitHubFault as fault:
            if fault.status != 404:
                raise

    def create_check_run(self, check: PostCheckRun) -> None:
        """Create a completed check run, sent once. Raises as `ask`."""
        output = {
            "title": check.title,
            "summary": check.summary,
            "annotations": [_annotation(each) for each in check.annotations],
        }
        body = {
            "name": check.name,
            "head_sha": check.head_sha,
            "status": "completed",
            "conclusion": check.conclusion,
            "output": output,
            **({"details_url": check.details_url} if check.details_url else {}),
        }
        self.ask("POST", "/check-runs", body=body, again=False)


def _comment(told: Any) -> Comment:
    """One comment of the list. What does not say that it is ours is a stranger's."""
    number = told.get("fullDatabaseId") if isinstance(told, dict) else None
    if not str(number).isdecimal():
        raise OffSchemaError("fullDatabaseId is no number")
    return Comment(
        comment_id=int(str(number)),
        body=text_at(told, "body"),
        own=told.get("viewerDidAuthor") is True,
        minimized=told.get("isMinimized") is True,
        url=text_at(told, "url"),
    )


def _next_page(told: object, place: tuple[str, ...]) -> str | None:
    page = told
    for key in (*place, "comments", "pageInfo"):
        page = page.get(key) if isinstance(page, dict) else None
    if not isinstance(page, dict):
        raise OffSchemaError("its answer has no pageInfo")
    return text_at(page, "endCursor") if page.get("hasNextPage") is True else None


def _written(told: object, body: str) -> Comment:
    return Comment(number_at(told, "id"), body, own=True, minimized=False, url=text_at(told, "html_url"))


def _annotation(annotation: Annotation) -> dict[str, str | int]:
    line = annotation.line or 1
    return {
        "path": annotation.file,
        "start_line": line,
        "end_line": line,
        "annotation_level": _LEVELS[annotation.level],
        "message": annotation.message,
        **({"title": annotation.title[:_LONGEST_TITLE]} if annotation.title else {}),
    }
