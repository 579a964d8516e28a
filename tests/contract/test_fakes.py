"""What other tests rely on at our fakes: wrong requests are refused by name, and no answer or payload is off GitHub's own description.

How a fake answers a right request is seen by the tests that use it.
"""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.event_payloads.events import Events
from tests.event_payloads.runner import runner_environment
from tests.fake_chat.actions import Hang, error, says, says_fenced, too_many
from tests.fake_chat.server import FakeChat, fake_chat
from tests.fake_github.client import send
from tests.fake_github.description import rest
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.service import HANDLERS

HOME = "/repos/acme/menu"
COMMENTS_QUERY = """
query($number: Int!, $after: String) {
  repository(owner: "acme", name: "menu") {
    pullRequest(number: $number) { comments(first: 100, after: $after) { nodes { body } } }
  }
}
"""

# GitHub


class Scene(NamedTuple):
    """A GitHub with one of everything; `names` stand in the paths of the table."""

    github: FakeGitHub
    names: Mapping[str, Any]
    token: str


@pytest.fixture
def scene() -> Iterator[Scene]:
    with FakeGitHub() as github:
        github.repository("acme/menu")
        artifact = github.artifact(github.run(github.commit()))
        pull = github.pull(github.commit(branch="topic"))
        names = {
            "pull": pull.number,
            "artifact": artifact.id,
            "own": github.comment(pull, "ours").id,
            "danas": github.comment(pull, "hers", author="dana").id,
        }
        yield Scene(github, names, github.writing_token())


def wrong(sentence: str, reason: str, status: int, method: str, path: str, **options: Any) -> Any:
    """A row: a request, the name it is refused by, and the status."""
    return pytest.param(reason, status, method, path, options, id=sentence)


ARTIFACTS, COMMENTS = f"{HOME}/actions/artifacts", f"{HOME}/issues/{{pull}}/comments"

WRONG = [
    wrong("a path that GitHub has not", "path-unknown", 501, "GET", f"{HOME}/artefacts"),
    wrong("an operation that raggate does not use", "path-unknown", 501, "GET", "/repos/acme/menu/branches"),
    wrong("deleting an artifact", "method-wrong", 405, "DELETE", f"{ARTIFACTS}/{{artifact}}"),
    wrong("a misspelled query parameter", "query-unknown", 400, "GET", f"{ARTIFACTS}?names=x"),
    wrong("a query parameter twice", "query-repeated", 400, "GET", f"{ARTIFACTS}?page=1&page=2"),
    wrong("500 in a page", "query-off-schema", 422, "GET", f"{ARTIFACTS}?per_page=500"),
    wrong("a state that pulls do not have", "query-off-schema", 422, "GET", f"{HOME}/pulls?state=merged"),
    wrong("a head without its owner", "head-without-owner", 422, "GET", f"{HOME}/pulls?head=topic"),
    wrong("an archive that is no zip", "archive-format-unknown", 404, "GET", f"{ARTIFACTS}/{{artifact}}/tar"),
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
    wrong("a version of the API that is none", "api-version-unsupported", 400, "GET", HOME, headers={"X-GitHub-Api-Version": "2020-01-01"}),
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


@pytest.mark.parametrize(("reason", "status", "method", "path", "options"), WRONG)
def test_a_wrong_request_is_refused_by_name(
    scene: Scene, reason: str, status: int, method: str, path: str, options: dict[str, Any]
) -> None:
    scene.github.expect_refusal(reason)
    before = {comment.id: comment.body for comment in scene.github.comments.values()}
    reply = send(scene.github.url + path.format_map(scene.names), method, token=scene.token, **options)
    assert (reply.status, reply.reason) == (status, reason)
    assert {comment.id: comment.body for comment in scene.github.comments.values()} == before


def test_a_wrong_request_fails_the_test_that_did_not_expect_it() -> None:
    with pytest.raises(AssertionError, match=r"path-unknown: GET /nowhere"), FakeGitHub() as github:
        send(f"{github.url}/nowhere", "GET")


def test_an_expected_refusal_that_never_comes_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="path-unknown"), FakeGitHub() as github:
        github.expect_refusal("path-unknown")


def test_an_answer_off_schema_is_a_defect_that_fails_the_test() -> None:
    def lying() -> None:
        with FakeGitHub() as github:
            github.repository()
            github.artifact(github.run(github.commit())).size_in_bytes = "many"  # type: ignore[assignment]
            assert send(f"{github.url}{HOME}/actions/artifacts", "GET").status == 500

    with pytest.raises(AssertionError, match=r"defect.*actions/list-artifacts-for-repo is off schema: .*'many'"):
        lying()


def test_each_operation_of_the_description_is_served() -> None:
    apart = {"users/get-authenticated", "rate-limit/get"}
    assert {operation.id for operation in rest().operations} == HANDLERS.keys() | apart


def test_history_and_merge_base_follow_the_graph(scene: Scene) -> None:
    github = scene.github

    def get(path: str) -> Any:
        return send(f"{github.url}{HOME}/{path}", "GET").body

    # main: tip - merge, topic: tip - side, merged
    tip = github.commit()
    side = github.commit("side", branch="topic", parents=[tip])
    merge = github.commit("merge", parents=[tip, side])
    assert [each["sha"] for each in get(f"commits?sha={merge.sha}")][:3] == [merge.sha, side.sha, tip.sha]
    for base, head, status, ancestor in ((merge, side, "behind", side), (tip, merge, "ahead", tip)):
        found = get(f"compare/{base.sha}...{head.sha}")
        assert (found["status"], found["merge_base_commit"]["sha"]) == (status, ancestor.sha)


def test_a_token_has_the_rights_that_it_was_given(scene: Scene) -> None:
    scene.github.home.private = True
    some = scene.github.token({"contents": "read"})
    assert send(f"{scene.github.url}{HOME}/commits", "GET", token=some).status == 200
    refused = send(f"{scene.github.url}{HOME}/actions/artifacts", "GET", token=some)
    assert (refused.status, refused.headers["x-accepted-github-permissions"]) == (403, "actions=read")


@pytest.mark.parametrize("after_write", [False, True], ids=["not written", "written"])
def test_a_fault_comes_as_often_as_asked_before_or_after_the_write(scene: Scene, *, after_write: bool) -> None:
    scene.github.comments.clear()
    scene.github.fail("issues/create-comment", times=2, skip=1, after_write=after_write, status=502)
    url = f"{scene.github.url}{COMMENTS}".format_map(scene.names)
    replies = [send(url, "POST", token=scene.token, body={"body": str(number)}) for number in range(4)]
    assert [reply.status for reply in replies] == [201, 502, 502, 201]
    assert [comment.body for comment in scene.github.comments.values()] == list("0123" if after_write else "03")


def test_a_payload_off_schema_fails_the_test_that_hands_it_over(scene: Scene, tmp_path: Path) -> None:
    tip = scene.github.commit()
    made = Events(scene.github).push(tip)
    assert runner_environment(scene.github, made, tmp_path)["GITHUB_SHA"] == tip.sha
    made.payload["commits"] = None
    with pytest.raises(AssertionError, match=r"\$.commits: None is not of type 'array'"):
        runner_environment(scene.github, made, tmp_path)


# Judges

GOOD: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "one two"}]}
STRICT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


def post(chat: FakeChat, body: Any) -> tuple[int, Any]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", chat.port, timeout=10)
    try:
        connection.request("POST", "/v1/chat/completions", raw, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def form(schema: Mapping[str, Any]) -> dict[str, Any]:
    shape = {"name": "verdicts", "strict": True, "schema": schema}
    return {**GOOD, "response_format": {"type": "json_schema", "json_schema": shape}}


def test_a_script_says_what_each_request_meets() -> None:
    with fake_chat({"m": [too_many(retry_after="2"), error(503), says_fenced({"a": 1}), says("plain")]}) as chat:
        replies = [post(chat, GOOD) for _ in range(5)]
    assert [status for status, _ in replies] == [asked.status for asked in chat.of("m")] == [429, 503, 200, 200, 200]
    assert [body["choices"][0]["message"]["content"] for _, body in replies[3:]] == ["plain", "plain"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"no json", "could not parse"),
        ({"model": "m"}, "messages"),
        ({"model": "m", "messages": [{"role": "judge", "content": "x"}]}, "role"),
        ({**GOOD, "stream": True}, "stream"),
        ({**GOOD, "response_format": {"type": "json_object"}}, "the word 'json'"),
        (form({**STRICT, "additionalProperties": True}), "additionalProperties"),
        (form({**STRICT, "required": []}), "every key"),
        ({**GOOD, "model": "other"}, "does not exist"),
    ],
)
def test_a_request_that_a_real_endpoint_refuses_is_refused(body: Any, message: str) -> None:
    with fake_chat({"m": says("x")}) as chat:
        status, said = post(chat, body)
    assert status in (400, 404)
    assert message in said["error"]["message"]
    assert (len(chat.refused), chat.asked) == (1, [])


def test_a_script_that_fails_ends_the_block() -> None:
    def broken(_body: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), fake_chat({"m": broken}) as chat:
        assert post(chat, GOOD)[0] == 500


def test_forty_at_once_are_counted_and_one_that_hangs_holds_nobody_up() -> None:
    with fake_chat({"m": says("x", after_s=0.3), "hung": Hang()}) as chat:
        hung = http.client.HTTPConnection("127.0.0.1", chat.port, timeout=10)
        hung.request(
            "POST", "/v1/chat/completions", json.dumps({**GOOD, "model": "hung"}), {"Content-Type": "application/json"}
        )
        threads = [threading.Thread(target=post, args=(chat, GOOD)) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        hung.close()
    assert chat.counts == {"m": 40, "hung": 1}
    assert 2 <= chat.peaks["m"] <= 40
