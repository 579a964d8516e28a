"""What the fake GitHub answers to right requests; it holds each of its answers against GitHub's description itself."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.fake_github.client import Reply, send
from tests.fake_github.description import Document, rest, webhooks
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.service import HANDLERS
from tests.fake_github.state import Commit

HOME = "/repos/acme/menu"
COMMENTS = """
query($number: Int!, $after: String) {
  viewer { login }
  repository(owner: "acme", name: "menu") {
    pullRequest(number: $number) {
      headRefOid
      comments(first: 100, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          author { login __typename } viewerDidAuthor isMinimized databaseId body createdAt updatedAt url
        }
      }
    }
  }
}
"""


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as made:
        made.repository("acme/menu")
        yield made


def get(github: FakeGitHub, path: str, token: str | None = None) -> Reply:
    return send(github.url + path, "GET", token=token)


def graphql(github: FakeGitHub, token: str, **variables: Any) -> Any:
    body = {"query": COMMENTS, "variables": variables}
    return send(github.graphql_url, "POST", token=token, body=body).body["data"]["repository"]["pullRequest"]


def test_each_operation_of_the_description_is_served() -> None:
    apart = {"users/get-authenticated", "rate-limit/get"}
    assert {operation.id for operation in rest().operations} == HANDLERS.keys() | apart


@pytest.mark.parametrize("document", [rest(), webhooks()], ids=["operations", "events"])
def test_the_trimmed_description_is_json_schema(document: Document) -> None:
    definitions = document.content["$defs"]
    for schema in definitions.values():
        Draft202012Validator.check_schema(schema)
    assert set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(document.content))) <= definitions.keys()


def test_everything_that_raggate_reads(github: FakeGitHub) -> None:
    tip, token = github.history(3)[-1], github.writing_token()
    fork = github.repository("eve/menu", fork_of=github.home)
    theirs = github.commit(repository=fork, branch="topic")
    pull = github.pull(theirs, head_repository=fork)
    gone = github.pull(theirs, head_repository="gone", author="dependabot[bot]", draft=True)
    run = github.run(tip)
    unfinished = github.run(theirs, event="pull_request", head_repository="gone", branch=None, status="in_progress")
    artifact = github.artifact(run)
    comment = github.comment(pull, "hello", author="dana")
    reads = [
        HOME,
        "/repos/eve/menu",
        f"{HOME}/actions/artifacts?name=raggate-menu&per_page=100&page=1",
        f"{HOME}/actions/artifacts/{artifact.id}",
        f"{HOME}/actions/runs/{run.id}",
        f"{HOME}/actions/runs/{run.id}/artifacts",
        f"{HOME}/actions/runs/{unfinished.id}?exclude_pull_requests=true",
        f"{HOME}/commits?sha={tip.sha}&per_page=100",
        f"{HOME}/commits/{theirs.sha}/pulls",
        f"{HOME}/compare/main...{theirs.sha}",
        f"{HOME}/pulls?head=eve:topic&state=all&base=main",
        f"{HOME}/pulls/{pull.number}",
        f"{HOME}/pulls/{gone.number}",
        f"{HOME}/issues/{pull.number}/comments",
        f"{HOME}/issues/comments/{comment.id}",
        "/rate_limit",
    ]
    assert [(path, get(github, path, token).status) for path in reads] == [(path, 200) for path in reads]
    assert get(github, f"{HOME}/pulls/{gone.number}").body["head"]["repo"] is None
    assert [call.status for call in github.calls] == [200] * (len(reads) + 1)


def test_an_answer_off_schema_is_a_defect_that_fails_the_test() -> None:
    def lying() -> None:
        with FakeGitHub() as github:
            github.repository()
            github.artifact(github.run(github.commit())).size_in_bytes = "many"  # type: ignore[assignment]
            assert get(github, f"{HOME}/actions/artifacts").status == 500

    with pytest.raises(AssertionError, match=r"defect.*actions/list-artifacts-for-repo is off schema: .*'many'"):
        lying()


def test_artifacts_come_newest_first_by_exact_name_in_pages(github: FakeGitHub) -> None:
    run = github.run(github.commit())
    ids = [github.artifact(run).id for _ in range(5)]
    github.artifact(run, "raggate-menu-2")
    first = get(github, f"{HOME}/actions/artifacts?name=raggate-menu&per_page=2")
    assert (first.body["total_count"], [each["id"] for each in first.body["artifacts"]]) == (5, ids[:2:-1])
    link = first.headers["link"]
    assert 'page=2>; rel="next"' in link
    assert 'page=3>; rel="last"' in link
    last = send(link.split("<")[2].split(">")[0], "GET")
    assert [each["id"] for each in last.body["artifacts"]] == ids[:1]
    assert 'rel="next"' not in last.headers["link"]


def test_an_artifact_is_a_redirection_to_another_host_and_a_zip(github: FakeGitHub) -> None:
    artifact = github.artifact(github.run(github.commit()), files={"run.json": '{"a": 1}'})
    told = get(github, f"{HOME}/actions/artifacts/{artifact.id}", github.reading_token()).body
    reply = send(told["archive_download_url"], "GET", token=github.reading_token())
    assert (reply.status, reply.body) == (302, b"")
    assert reply.headers["location"].startswith("http://localhost:")
    blob = send(reply.headers["location"], "GET").body
    assert told["digest"] == f"sha256:{hashlib.sha256(blob).hexdigest()}"
    assert told["size_in_bytes"] == len(blob)
    assert zipfile.ZipFile(io.BytesIO(blob)).read("run.json") == b'{"a": 1}'


def test_history_and_merge_base_follow_the_graph(github: FakeGitHub) -> None:
    base, middle, tip = github.history(3)
    side = github.commit("side", branch="topic", parents=[middle])
    merge = github.commit("merge", parents=[tip, side])
    # main: base - middle - tip - merge, topic: middle - side, merged
    assert shas(github, f"{HOME}/commits?sha={merge.sha}") == [each.sha for each in (merge, side, tip, middle, base)]
    assert shas(github, f"{HOME}/commits?sha=topic") == [each.sha for each in (side, middle, base)]
    listed = get(github, f"{HOME}/commits?sha=main&per_page=1").body
    assert [parent["sha"] for parent in listed[0]["parents"]] == [tip.sha, side.sha]
    assert compared(github, tip, side) == ("diverged", middle.sha, 1, 1)
    assert compared(github, merge, side) == ("behind", side.sha, 0, 2)
    assert compared(github, middle, tip) == ("ahead", middle.sha, 1, 0)
    assert compared(github, tip, tip) == ("identical", tip.sha, 0, 0)


def shas(github: FakeGitHub, path: str) -> list[str]:
    return [each["sha"] for each in get(github, path).body]


def compared(github: FakeGitHub, base: Commit, head: Commit) -> tuple[str, str, int, int]:
    body = get(github, f"{HOME}/compare/{base.sha}...{head.sha}").body
    return body["status"], body["merge_base_commit"]["sha"], body["ahead_by"], body["behind_by"]


def test_a_commit_leads_to_its_pulls_but_not_always_to_those_of_forks(github: FakeGitHub) -> None:
    github.commit()
    fork = github.repository("eve/menu", fork_of=github.home)
    head = github.commit(repository=fork, branch="topic")
    pull = github.pull(head, head_repository=fork)
    path = f"{HOME}/commits/{head.sha}/pulls"
    assert [each["number"] for each in get(github, path).body] == [pull.number]
    github.finds_pulls_of_forks = False
    assert get(github, path).body == []


def test_graphql_walks_all_comments_and_knows_whose_they_are(github: FakeGitHub) -> None:
    pull, token = github.pull(github.commit()), github.writing_token()
    texts = [f"comment {number}" for number in range(250)]
    made = [github.comment(pull, text, author="dana") for text in texts]
    made[119].author, made[119].minimized = github.tokens[token].account, True
    found: list[Any] = []
    after = None
    for page in (True, True, False):
        comments = graphql(github, token, number=pull.number, after=after)["comments"]
        found += comments["nodes"]
        after = comments["pageInfo"]["endCursor"]
        assert comments["pageInfo"]["hasNextPage"] is page
    assert [each["body"] for each in found] == texts
    assert [each["databaseId"] for each in found if each["viewerDidAuthor"] and each["isMinimized"]] == [made[119].id]
    assert found[119]["author"] == {"login": "github-actions", "__typename": "Bot"}


def test_comments_are_made_changed_and_deleted_by_their_author(github: FakeGitHub) -> None:
    pull, token = github.pull(github.commit()), github.writing_token()
    url = f"{github.url}{HOME}/issues/{pull.number}/comments"
    made = send(url, "POST", token=token, body={"body": "😀" * 65_536})
    assert (made.status, made.body["user"]["login"]) == (201, "github-actions[bot]")
    changed = send(made.body["url"], "PATCH", token=token, body={"body": "two"})
    assert (changed.status, changed.body["body"], changed.body["id"]) == (200, "two", made.body["id"])
    assert changed.body["updated_at"] > made.body["updated_at"]
    assert send(made.body["url"], "DELETE", token=token).status == 204
    assert get(github, f"{HOME}/issues/{pull.number}/comments").body == []


def test_a_token_that_may_only_read_is_told_what_it_lacks(github: FakeGitHub) -> None:
    pull = github.pull(github.commit())
    url = f"{github.url}{HOME}/issues/{pull.number}/comments"
    reply = send(url, "POST", token=github.reading_token(), body={"body": "x"})
    assert (reply.status, reply.body["message"]) == (403, "Resource not accessible by integration")
    assert reply.headers["x-accepted-github-permissions"] == "issues=write; pull_requests=write"
    assert github.comments == {}


def test_a_private_repository_shows_only_what_its_token_may_read() -> None:
    with FakeGitHub() as github:
        github.repository(private=True)
        pull = github.pull(github.commit())
        some = github.token({"contents": "read"})
        assert get(github, HOME).status == 404
        assert get(github, HOME, some).status == 200
        assert get(github, f"{HOME}/commits", some).status == 200
        refused = get(github, f"{HOME}/actions/artifacts", some)
        assert (refused.status, refused.headers["x-accepted-github-permissions"]) == (403, "actions=read")
        body = {"query": COMMENTS, "variables": {"number": pull.number}}
        assert send(github.graphql_url, "POST", token=some, body=body).status == 403


def test_enterprise_server_has_its_own_paths() -> None:
    with FakeGitHub(enterprise=True) as github:
        github.repository()
        pull = github.pull(github.commit())
        assert github.url.endswith("/api/v3")
        assert get(github, HOME).body["url"] == f"{github.url}{HOME}"
        assert graphql(github, github.writing_token(), number=pull.number)["headRefOid"] == pull.head.sha
        github.expect_refusal("path-unknown")
        assert send(f"{github.server_url}{HOME}", "GET").status == 404


def test_it_can_be_reached_by_another_name() -> None:
    with FakeGitHub(bind="0.0.0.0", host="localhost", blob_host="127.0.0.1") as github:  # noqa: S104 - as for containers
        github.repository()
        artifact = github.artifact(github.run(github.commit()))
        assert github.url.startswith("http://localhost:")
        assert get(github, HOME).status == 200
        assert send(github.blob_link(artifact), "GET").status == 200
        assert github.blob_link(artifact).startswith("http://127.0.0.1:")


def test_pygithub_gets_along_with_it(github: FakeGitHub) -> None:
    from github import Auth, Github

    tip = github.history(101)[-1]
    artifact = github.artifact(github.run(tip))
    pull = github.pull(github.commit(branch="topic"))
    client = Github(
        auth=Auth.Token(github.writing_token()), base_url=github.url, lazy=True, per_page=100, retry=None, timeout=20,
        seconds_between_requests=0, seconds_between_writes=0,
    )  # fmt: skip
    repository = client.get_repo("acme/menu")
    assert [each.id for each in repository.get_artifacts(name="raggate-menu")] == [artifact.id]
    assert len(list(repository.get_commits(sha=tip.sha))) == 101
    assert repository.compare("main", pull.head.sha).merge_base_commit.sha == tip.sha
    comment = repository.get_pull(pull.number).create_issue_comment("one")
    comment.edit("two")
    _, told = client.requester.graphql_query(COMMENTS, {"number": pull.number})
    assert told["data"]["repository"]["pullRequest"]["comments"]["nodes"][0]["body"] == "two"
    client.close()
