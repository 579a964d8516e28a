"""The operations that write: comments."""

from __future__ import annotations

from tests.fake_github.answers import NOT_ACCESSIBLE, Answer, Asked, not_found
from tests.fake_github.checks import Refused
from tests.fake_github.reading import pull_numbered
from tests.fake_github.state import Comment

LONGEST_BODY = 65_536
LARGEST_BODY = 262_144


def create_comment(asked: Asked) -> Answer:
    pull = pull_numbered(asked, asked.path["issue_number"])
    token = asked.request.token
    assert token is not None, "a token that may write was asked for"
    made = asked.world.comment(pull, _checked_body(asked), author=token.account)
    body = asked.bodies.comment(made)
    return Answer(201, body, {"Location": body["url"]})


def get_comment(asked: Asked) -> Answer:
    return Answer(200, asked.bodies.comment(_comment(asked)))


def update_comment(asked: Asked) -> Answer:
    comment = _own_comment(asked)
    comment.body = _checked_body(asked)
    comment.updated_at = asked.world.now()
    return Answer(200, asked.bodies.comment(comment))


def delete_comment(asked: Asked) -> Answer:
    del asked.world.comments[_own_comment(asked).id]
    return Answer(204)


def _comment(asked: Asked) -> Comment:
    found = asked.world.comments.get(asked.path["comment_id"])
    if found is None or found.pull.repository is not asked.repository:
        raise not_found("comment-unknown")
    return found


def _own_comment(asked: Asked) -> Comment:
    comment, token = _comment(asked), asked.request.token
    if token is None or comment.author != token.account:
        raise Refused("comment-of-another", 403, NOT_ACCESSIBLE, wrong=True)
    return comment


def _checked_body(asked: Asked) -> str:
    body: str = asked.request.body["body"]
    if not body.strip():
        raise _unprocessable("body-blank", "Body cannot be blank")
    if len(body) > LONGEST_BODY or len(body.encode("utf-8", "surrogatepass")) > LARGEST_BODY:
        raise _unprocessable("body-too-long", f"Body is too long (maximum is {LONGEST_BODY} characters)")
    return body


def _unprocessable(name: str, message: str) -> Refused:
    error = {"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": message}
    return Refused(name, 422, "Validation Failed", wrong=True, errors=[error])
