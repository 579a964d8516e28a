"""GitHub's GraphQL: a query is held against the published schema, then answered from the world."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema, build_schema, execute_sync, parse, validate

from tests.fake_github.answers import NOT_ACCESSIBLE, Answer
from tests.fake_github.bodies import Bodies
from tests.fake_github.checks import Raw, Refused, json_body
from tests.fake_github.state import Account, Comment, Pull, Repository, Token, stamp
from tests.fake_github.world import World

_KEYS = {"query", "variables", "operationName"}
_MOST = 100


class _Context(NamedTuple):
    """What resolvers know."""

    world: World
    bodies: Bodies
    token: Token


def answer(raw: Raw, world: World, bodies: Bodies, token: Token | None) -> Answer:
    """Answer a query.

    Raises:
        Refused: It is no query that GitHub would take.
    """
    if raw.method != "POST":
        raise Refused("method-wrong", 405, "GraphQL is asked by POST", wrong=True)
    if token is None:
        raise Refused("token-missing", 401, "This endpoint requires you to be authenticated.")
    body = _checked(json_body(raw))
    document = parse(body["query"])
    variables = body.get("variables") or {}
    done = execute_sync(
        _schema(), document, context_value=_Context(world, bodies, token), root_value=_Root(), variable_values=variables
    )
    ours = [
        each.original_error for each in done.errors or () if not isinstance(each.original_error, GraphQLError | None)
    ]
    if ours:
        raise ours[0]
    if done.errors:
        name = "graphql-variable-wrong" if done.data is None else "graphql-refused"
        raise _refused(name, [each.message for each in done.errors])
    return Answer(200, {"data": done.data})


def _checked(body: Any) -> Mapping[str, Any]:
    """The body of a request for one query that is valid by the schema and gives just its variables."""
    if not isinstance(body, dict) or not isinstance(body.get("query"), str) or body.keys() - _KEYS:
        raise Refused(
            "graphql-body-wrong", 400, "A query attribute must be specified and must be a string.", wrong=True
        )
    try:
        document = parse(body["query"])
    except GraphQLError as error:
        raise _refused("graphql-syntax", [error.message]) from None
    if problems := validate(_schema(), document):
        raise _refused("graphql-off-schema", [each.message for each in problems])
    declared = {
        each.variable.name.value
        for definition in document.definitions
        for each in getattr(definition, "variable_definitions", None) or ()
    }
    if unknown := (body.get("variables") or {}).keys() - declared:
        raise _refused("graphql-variable-unknown", [f"${name} is not declared" for name in sorted(unknown)])
    return body


def _refused(name: str, messages: Sequence[str]) -> Refused:
    """GraphQL tells its errors with status 200."""
    return Refused(name, 200, "; ".join(messages), wrong=True, errors=[{"message": each} for each in messages])


@cache
def _schema() -> GraphQLSchema:
    return build_schema((Path(__file__).parent / "schema.graphql").read_text("utf-8"))


class _Root:
    """Query."""

    def viewer(self, info: GraphQLResolveInfo[_Context]) -> Mapping[str, Any]:
        return _actor(info.context.token.account)

    def repository(self, info: GraphQLResolveInfo[_Context], owner: str, name: str, **_: Any) -> _Repository:
        context = info.context
        for each in context.world.repositories.values():
            visible = not each.private or context.token.repository is each
            if each.full_name.lower() == f"{owner}/{name}".lower() and visible:
                return _Repository(each)
        raise _missing(f"Could not resolve to a Repository with the name '{owner}/{name}'.", "repository")


class _Repository:
    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self.databaseId = repository.id
        self.nameWithOwner = repository.full_name

    def pullRequest(self, info: GraphQLResolveInfo[_Context], number: int) -> _Pull:  # noqa: N802 - GitHub's name
        context = info.context
        if self._repository.private and "pull_requests" not in context.token.permissions:
            raise Refused("permission-missing", 403, NOT_ACCESSIBLE)
        for each in context.world.pulls.values():
            if each.repository is self._repository and each.number == number:
                return _Pull(each)
        raise _missing(f"Could not resolve to a PullRequest with the number of {number}.", "pull")


def _missing(message: str, what: str) -> Refused:
    return Refused(f"{what}-unknown", 200, message, errors=[{"type": "NOT_FOUND", "message": message}])


class _Pull:
    def __init__(self, pull: Pull) -> None:
        self._pull = pull
        self.number = pull.number
        self.databaseId = pull.id
        self.headRefOid = pull.head.sha
        self.state = "MERGED" if pull.merged else pull.state.upper()

    def comments(self, info: GraphQLResolveInfo[_Context], **arguments: Any) -> Mapping[str, Any]:
        context = info.context
        found = [each for each in context.world.comments.values() if each.pull is self._pull]
        if order := arguments.get("orderBy"):
            found.sort(key=lambda each: each.updated_at, reverse=order["direction"] == "DESC")
        start, stop = _window(len(found), arguments)
        nodes = [_comment(each, context) for each in found[start:stop]]
        cursors = [_cursor(place) for place in range(start, stop)]
        page = {
            "startCursor": cursors[0] if cursors else None,
            "endCursor": cursors[-1] if cursors else None,
            "hasNextPage": stop < len(found),
            "hasPreviousPage": start > 0,
        }
        edges = [{"cursor": cursor, "node": node} for cursor, node in zip(cursors, nodes, strict=True)]
        return {"nodes": nodes, "edges": edges, "pageInfo": page, "totalCount": len(found)}


def _window(total: int, arguments: Mapping[str, Any]) -> tuple[int, int]:
    """Which of them a page holds."""
    sides = {side: arguments[side] for side in ("first", "last") if arguments.get(side) is not None}
    if len(sides) != 1:
        message = "You must provide a `first` or `last` value to properly paginate the `comments` connection."
        raise _refused("graphql-page-unbounded", [message])
    [(side, size)] = sides.items()
    if not 1 <= size <= _MOST:
        message = f"Requesting {size} records on the `comments` connection exceeds the `{side}` limit of 100 records."
        raise _refused("graphql-page-too-large", [message])
    low = _place(arguments["after"]) + 1 if arguments.get("after") is not None else 0
    high = _place(arguments["before"]) if arguments.get("before") is not None else total
    return (low, min(low + size, high)) if side == "first" else (max(high - size, low), high)


def _cursor(place: int) -> str:
    return base64.b64encode(f"cursor:v2:{place}".encode()).decode()


def _place(cursor: str) -> int:
    try:
        return int(base64.b64decode(cursor, validate=True).decode().removeprefix("cursor:v2:"))
    except (binascii.Error, ValueError):
        raise _refused("graphql-cursor-wrong", [f"`{cursor}` does not appear to be a valid cursor."]) from None


def _comment(comment: Comment, context: _Context) -> Mapping[str, Any]:
    return {
        "id": f"IC_{comment.id}",
        "databaseId": comment.id,
        "fullDatabaseId": str(comment.id),
        "body": comment.body,
        "author": _actor(comment.author),
        "viewerDidAuthor": comment.author == context.token.account,
        "isMinimized": comment.minimized,
        "createdAt": stamp(comment.created_at),
        "updatedAt": stamp(comment.updated_at),
        "url": context.bodies.comment_page(comment),
    }


def _actor(account: Account) -> Mapping[str, Any]:
    """A bot's login has no `[bot]` here."""
    kind = "Bot" if account.type == "Bot" else "User"
    return {"__typename": kind, "login": account.login.removesuffix("[bot]"), "databaseId": account.id}
