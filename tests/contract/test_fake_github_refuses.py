"""What the fake GitHub refuses, each by name: a test that gets past it asked as GitHub wants to be asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from tests.fake_github.client import Reply, send
from tests.fake_github.fake import FakeGitHub

HOME = "/repos/acme/menu"
COMMENTS_QUERY = """
query($number: Int!, $after: String) {
  repository(owner: "acme", name: "menu") {
    pullRequest(number: $number) { comments(first: 100, after: $after) { nodes { body } } }
  }
}
"""


class Scene(NamedTuple):
    """A GitHub with one of everything; `names` stand in the paths of the table."""

    github: FakeGitHub
    names: Mapping[str, Any]
    tokens: Mapping[str, str]


@pytest.fixture
def scene() -> Iterator[Scene]:
    with FakeGitHub() as github:
        home = github.repository("acme/menu")
        tip = github.commit()
        run = github.run(tip)
        pull = github.pull(github.commit(branch="topic"))
        github.repository("acme/secret", private=True)
        other = github.repository("acme/other")
        elsewhere = github.artifact(github.run(github.commit(repository=other), repository=other))
        names = {
            "tip": tip.sha,
            "run": run.id,
            "pull": pull.number,
            "artifact": github.artifact(run).id,
            "expired": github.artifact(run, expired=True).id,
            "elsewhere": elsewhere.id,
            "own": github.comment(pull, "ours").id,
            "danas": github.comment(pull, "hers", author="dana").id,
        }
        assert github.home is home
        tokens = {"writing": github.writing_token(), "reading": github.reading_token(), "made up": "ghs_0"}
        yield Scene(github, names, tokens)


def wrong(sentence: str, reason: str, status: int, method: str, path: str, **options: Any) -> Any:
    """A row: a request, the name it is refused by, and the status. It is sent with the writing token unless `sender` says otherwise."""
    return pytest.param(reason, status, method, path, {"sender": "writing", **options}, id=sentence)


ARTIFACTS, COMMENTS = f"{HOME}/actions/artifacts", f"{HOME}/issues/{{pull}}/comments"

WRONG = [
    wrong("a path that GitHub has not", "path-unknown", 501, "GET", f"{HOME}/artefacts"),
    wrong("an operation that raggate does not use", "path-unknown", 501, "GET", "/repos/acme/menu/branches"),
    wrong("another method of a known path", "method-wrong", 405, "PUT", COMMENTS, body={"body": "x"}),
    wrong("deleting an artifact", "method-wrong", 405, "DELETE", f"{ARTIFACTS}/{{artifact}}"),
    wrong("HEAD", "method-wrong", 405, "HEAD", HOME),
    wrong("a misspelled query parameter", "query-unknown", 400, "GET", f"{ARTIFACTS}?names=x"),
    wrong("a query parameter of another operation", "query-unknown", 400, "GET", f"{HOME}?per_page=5"),
    wrong("a query parameter twice", "query-repeated", 400, "GET", f"{ARTIFACTS}?page=1&page=2"),
    wrong("500 in a page", "query-off-schema", 422, "GET", f"{ARTIFACTS}?per_page=500"),
    wrong("no page size at all", "query-off-schema", 422, "GET", f"{ARTIFACTS}?per_page=0"),
    wrong("a page that is no number", "query-off-schema", 422, "GET", f"{ARTIFACTS}?page=two"),
    wrong("a state that pulls do not have", "query-off-schema", 422, "GET", f"{HOME}/pulls?state=merged"),
    wrong("a head without its owner", "head-without-owner", 422, "GET", f"{HOME}/pulls?head=topic"),
    wrong("an id that is no number", "path-off-schema", 404, "GET", f"{ARTIFACTS}/latest"),
    wrong("an archive that is no zip", "archive-format-unknown", 404, "GET", f"{ARTIFACTS}/{{artifact}}/tar"),
    wrong("a comparison with two dots", "basehead-without-dots", 404, "GET", f"{HOME}/compare/main..topic"),
    wrong("a comment without a body", "body-off-schema", 422, "POST", COMMENTS, body={}),
    wrong("a comment whose body is no text", "body-off-schema", 422, "POST", COMMENTS, body={"body": 7}),
    wrong("a field that comments do not have", "body-off-schema", 422, "POST", COMMENTS, body={"body": "x", "event": "y"}),
    wrong("a blank comment", "body-blank", 422, "POST", COMMENTS, body={"body": " \n"}),
    wrong("a comment of 65,537 characters", "body-too-long", 422, "POST", COMMENTS, body={"body": "x" * 65_537}),
    wrong("a body that is no JSON", "body-not-json", 400, "POST", COMMENTS, raw=b"{body: x}"),
    wrong(
        "a form instead of JSON", "content-type-wrong", 415, "POST", COMMENTS,
        raw=b"body=x", headers={"Content-Type": "application/x-www-form-urlencoded"},
    ),
    wrong("a body where none is taken", "body-unexpected", 400, "DELETE", f"{HOME}/issues/comments/{{own}}", body={}),
    wrong("editing somebody else's comment", "comment-of-another", 403, "PATCH", f"{HOME}/issues/comments/{{danas}}", body={"body": "x"}),
    wrong("deleting somebody else's comment", "comment-of-another", 403, "DELETE", f"{HOME}/issues/comments/{{danas}}"),
    wrong("asking who an installation is", "user-of-an-installation", 403, "GET", "/user"),
    wrong("no User-Agent", "user-agent-missing", 403, "GET", HOME, headers={"User-Agent": None}),
    wrong("no Accept", "accept-missing", 415, "GET", HOME, headers={"Accept": None}),
    wrong("asking for a page for people", "accept-unsupported", 415, "GET", HOME, headers={"Accept": "text/html"}),
    wrong("a version of the API that is none", "api-version-unsupported", 400, "GET", HOME, headers={"X-GitHub-Api-Version": "2020-01-01"}),
    wrong("GraphQL by GET", "method-wrong", 405, "GET", "/graphql"),
    wrong("GraphQL without a query", "graphql-body-wrong", 400, "POST", "/graphql", body={"variables": {}}),
    wrong("GraphQL that does not parse", "graphql-syntax", 200, "POST", "/graphql", body={"query": "query {"}),
    wrong(
        "GraphQL with a field that a comment does not have", "graphql-off-schema", 200, "POST", "/graphql",
        body={"query": COMMENTS_QUERY.replace("body", "isMine"), "variables": {"number": 7}},
    ),
    wrong("GraphQL without its variables", "graphql-variable-wrong", 200, "POST", "/graphql", body={"query": COMMENTS_QUERY}),
    wrong(
        "GraphQL with a variable of the wrong type", "graphql-variable-wrong", 200, "POST", "/graphql",
        body={"query": COMMENTS_QUERY, "variables": {"number": "seven"}},
    ),
    wrong(
        "GraphQL with a variable that its query does not declare", "graphql-variable-unknown", 200, "POST", "/graphql",
        body={"query": COMMENTS_QUERY, "variables": {"number": 7, "first": 100}},
    ),
    wrong(
        "GraphQL for 101 comments at once", "graphql-page-too-large", 200, "POST", "/graphql",
        body={"query": COMMENTS_QUERY.replace("100", "101"), "variables": {"number": 7}},
    ),
    wrong(
        "GraphQL for comments without a number", "graphql-page-unbounded", 200, "POST", "/graphql",
        body={"query": COMMENTS_QUERY.replace("first: 100, ", ""), "variables": {"number": 7}},
    ),
    wrong(
        "GraphQL with a cursor that GitHub did not give", "graphql-cursor-wrong", 200, "POST", "/graphql",
        body={"query": COMMENTS_QUERY, "variables": {"number": 7, "after": "100"}},
    ),
]  # fmt: skip

# What GitHub may answer to a right client too: refused by name, and no test fails for it.
DENIED = [
    wrong("a token that GitHub does not know", "token-unknown", 401, "GET", HOME, sender="made up"),
    wrong("a comment without a token", "token-missing", 401, "POST", COMMENTS, body={"body": "x"}, sender=None),
    wrong("an artifact's content without a token", "token-missing", 401, "GET", f"{ARTIFACTS}/{{artifact}}/zip", sender=None),
    wrong("GraphQL without a token", "token-missing", 401, "POST", "/graphql", body={"query": "{ viewer { login } }"}, sender=None),
    wrong("a comment with a token that may only read", "permission-missing", 403, "POST", COMMENTS, body={"body": "x"}, sender="reading"),
    wrong("a repository that is private to others", "repository-unknown", 404, "GET", "/repos/acme/secret"),
    wrong("an artifact of another repository", "artifact-unknown", 404, "GET", f"{ARTIFACTS}/{{elsewhere}}"),
    wrong("an artifact whose time is over", "artifact-expired", 410, "GET", f"{ARTIFACTS}/{{expired}}/zip"),
    wrong("a run that there is not", "run-unknown", 404, "GET", f"{HOME}/actions/runs/1"),
    wrong("the history of a commit that there is not", "commit-unknown", 404, "GET", f"{HOME}/commits?sha={'0' * 40}"),
    wrong("a comment on a pull request that there is not", "pull-unknown", 404, "POST", f"{HOME}/issues/99/comments", body={"body": "x"}),
    wrong("editing a comment that is gone", "comment-unknown", 404, "PATCH", f"{HOME}/issues/comments/1", body={"body": "x"}),
    wrong("GraphQL for a pull request that there is not", "pull-unknown", 200, "POST", "/graphql", body={"query": COMMENTS_QUERY, "variables": {"number": 99}}),
]  # fmt: skip


def sent(scene: Scene, method: str, path: str, options: Mapping[str, Any]) -> Reply:
    """Send a row's request."""
    token = scene.tokens.get(str(options["sender"]))
    body = json.loads(json.dumps(options.get("body")).replace("{tip}", scene.names["tip"]))
    rest = {name: value for name, value in options.items() if name not in ("sender", "body")}
    url = scene.github.url + path.format_map(scene.names)
    return send(url, method, token=token, body=body, **rest)


@pytest.mark.parametrize(("reason", "status", "method", "path", "options"), WRONG)
def test_a_wrong_request_is_refused_by_name(
    scene: Scene, reason: str, status: int, method: str, path: str, options: dict[str, Any]
) -> None:
    scene.github.expect_refusal(reason)
    before = {comment.id: comment.body for comment in scene.github.comments.values()}
    reply = sent(scene, method, path, options)
    assert (reply.status, reply.reason) == (status, reason)
    assert {comment.id: comment.body for comment in scene.github.comments.values()} == before


@pytest.mark.parametrize(("reason", "status", "method", "path", "options"), DENIED)
def test_what_github_denies_is_denied_by_name(
    scene: Scene, reason: str, status: int, method: str, path: str, options: dict[str, Any]
) -> None:
    reply = sent(scene, method, path, options)
    assert (reply.status, reply.reason) == (status, reason)
    assert scene.github.calls[-1].refused == reason
    assert not scene.github.refusals


def test_the_host_of_blobs_wants_no_token(scene: Scene) -> None:
    scene.github.expect_refusal("authorization-at-blob-host")
    link = scene.github.blob_link(scene.github.artifacts[scene.names["artifact"]])
    reply = send(link, "GET", token=scene.tokens["writing"])
    assert (reply.status, reply.reason) == (400, "authorization-at-blob-host")


def test_a_blob_needs_its_own_link(scene: Scene) -> None:
    scene.github.expect_refusal("blob-link-wrong")
    link = scene.github.blob_link(scene.github.artifacts[scene.names["artifact"]])
    reply = send(link.replace(f"/{scene.names['artifact']}?", f"/{scene.names['expired']}?"), "GET")
    assert (reply.status, reply.reason) == (403, "blob-link-wrong")


def test_more_than_thirty_wrong_requests_are_named() -> None:
    assert len(WRONG) + len(DENIED) >= 30


def test_a_wrong_request_fails_the_test_that_did_not_expect_it() -> None:
    with pytest.raises(AssertionError, match=r"path-unknown: GET /nowhere"), FakeGitHub() as github:
        send(f"{github.url}/nowhere", "GET")


def test_an_expected_refusal_that_never_comes_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="path-unknown"), FakeGitHub() as github:
        github.expect_refusal("path-unknown")


def test_a_failing_test_is_told_what_was_refused() -> None:
    def failing() -> None:
        with FakeGitHub() as github:
            send(f"{github.url}/nowhere", "GET")
            raise ValueError("its own trouble")

    with pytest.raises(ValueError, match="its own trouble") as caught:
        failing()
    assert "path-unknown" in caught.value.__notes__[0]
