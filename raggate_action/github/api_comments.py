"""What raggate writes to GitHub: the comments of a pull request, and check runs."""

from __future__ import annotations

from typing import Final

from raggate_action.github.api_records import CommentPage, ListedComment, NextPage, WrittenComment, record_of
from raggate_action.github.comment_plan import Comment, PullComments
from raggate_action.github.connection import PER_PAGE, Connection, GitHubFault
from raggate_action.github.publication import PostCheckRun
from raggate_action.github.workflow_commands import Annotation

# GitHub takes 2,500 comments on a pull request.
COMMENT_PAGES: Final = 30
_LONGEST_TITLE = 255
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
_LEVELS = {"error": "failure", "warning": "warning", "notice": "notice"}


class CommentApi(Connection):
    """One repository of one GitHub, written to. What creates is sent once; what may be repeated is tried again."""

    def pull_comments(self, number: int) -> PullComments:
        """The pull request's last commit and all its comments, a request per hundred. Raises as `ask`."""
        owner, _slash, name = self.repository.partition("/")
        variables = {"owner": owner, "name": name, "number": number, "after": None}
        found: list[Comment] = []
        for _page in range(COMMENT_PAGES):
            listed = record_of(CommentPage, self.graphql(_COMMENTS, variables), "POST /graphql")
            found += [_comment(each) for each in listed.comments if each is not None]
            if not isinstance(listed.page, NextPage):
                return PullComments(listed.head_sha, tuple(found))
            variables["after"] = listed.page.cursor
        raise GitHubFault(None, f"pull request {number} has more comments than GitHub allows")

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a comment, sent once. Raises as `ask`; without a status below 500 it may have been written."""
        answer = self.ask("POST", f"/issues/{number}/comments", body={"body": body}, again=False)
        return _written(record_of(WrittenComment, answer, "POST /issues/comments"), body)

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Edit a comment. Raises as `ask`; status 404 when it is gone."""
        answer = self.ask("PATCH", f"/issues/comments/{comment_id}", body={"body": body})
        return _written(record_of(WrittenComment, answer, "PATCH /issues/comments"), body)

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


def _comment(listed: ListedComment) -> Comment:
    return Comment(
        listed.comment_id, listed.body, own=bool(listed.own), minimized=bool(listed.minimized), url=listed.url
    )


def _written(written: WrittenComment, body: str) -> Comment:
    return Comment(written.comment_id, body, own=True, minimized=False, url=written.url)


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
