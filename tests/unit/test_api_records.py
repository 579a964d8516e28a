"""What the API answers, read: what may be missing, and what a fault says of an answer that lacks what is needed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from raggate_action.github.api import Artifact, CommentListPage, Commit, NextPage, Pull, WorkflowRun, record_of
from raggate_action.github.pygithub_client import GitHubFault

ARTIFACT: dict[str, Any] = {
    "id": 7,
    "name": "raggate-menu",
    "size_in_bytes": 10,
    "expired": False,
    "created_at": "2026-11-20T12:00:00Z",
    "digest": None,
    "workflow_run": {
        "id": 3,
        "repository_id": 1,
        "head_repository_id": 1,
        "head_branch": "main",
        "head_sha": "a" * 40,
    },
    "a key of tomorrow": {},
}
RUN: dict[str, Any] = {
    "id": 3,
    "event": "push",
    "path": ".github/workflows/gate.yml@refs/heads/main",
    "status": "completed",
    "conclusion": "success",
    "repository": {"id": 1},
    "head_repository": {"id": 1},
    "head_branch": "main",
    "head_sha": "a" * 40,
}
PULL: dict[str, Any] = {
    "number": 12,
    "state": "open",
    "head": {"ref": "topic", "sha": "b" * 40, "repo": {"id": 2}},
    "base": {"ref": "main", "sha": "a" * 40, "repo": {"id": 1}},
}


def page(info: dict[str, Any], *nodes: object) -> dict[str, Any]:
    comments = {"pageInfo": info, "nodes": list(nodes)}
    return {"data": {"repository": {"pullRequest": {"headRefOid": "a" * 40, "comments": comments}}}}


def node(**fields: Any) -> dict[str, Any]:
    return {
        "fullDatabaseId": "5000000001", "body": "x", "viewerDidAuthor": True, "isMinimized": False, "url": "u", **fields
    }  # fmt: skip


def test_records_are_read_from_where_the_answer_has_them() -> None:
    artifact = record_of(Artifact, ARTIFACT, "GET")
    assert (artifact.artifact_id, artifact.size_bytes, artifact.run_id) == (7, 10, 3)
    assert artifact.created_at == datetime(2026, 11, 20, 12, tzinfo=UTC)
    run = record_of(WorkflowRun, RUN, "GET")
    assert (run.path, run.repository_id, run.head_repository_id) == (".github/workflows/gate.yml", 1, 1)
    pull = record_of(Pull, PULL, "GET")
    assert pull.is_open
    assert (pull.base_branch, pull.base_repository_id, pull.head_repository_id) == ("main", 1, 2)
    assert not record_of(Pull, PULL | {"state": "closed"}, "GET").is_open
    (commit,) = record_of(list[Commit], [{"sha": "c", "parents": [{"sha": "p1"}, {"sha": "p2"}]}], "GET")
    assert [parent.sha for parent in commit.parents] == ["p1", "p2"]


@pytest.mark.parametrize("gone", [{"workflow_run": None}, {"workflow_run": {}}, {}], ids=["null", "empty", "missing"])
def test_an_artifact_whose_run_is_gone_has_none_of_its_facts(gone: dict[str, Any]) -> None:
    artifact = record_of(Artifact, {k: v for k, v in ARTIFACT.items() if k != "workflow_run"} | gone, "GET")
    run = artifact.run_id, artifact.repository_id, artifact.head_repository_id, artifact.head_branch, artifact.head_sha
    assert run == (None,) * 5


def test_a_deleted_fork_has_no_repository() -> None:
    assert (
        record_of(Pull, PULL | {"head": {"ref": "x", "sha": "b" * 40, "repo": None}}, "GET").head_repository_id is None
    )
    assert record_of(WorkflowRun, RUN | {"head_repository": None}, "GET").head_repository_id is None


@pytest.mark.parametrize(
    ("kind", "answer", "what"),
    [
        (Artifact, {k: v for k, v in ARTIFACT.items() if k != "name"}, "its answer has no name"),
        (Artifact, ARTIFACT | {"id": True}, "id: "),
        (Artifact, ARTIFACT | {"id": "7"}, "id: "),
        (Artifact, ARTIFACT | {"name": 7}, "name: "),
        (Artifact, ARTIFACT | {"created_at": "yesterday"}, "created_at: "),
        (Artifact, ARTIFACT | {"created_at": "2026-11-20T12:00:00"}, "created_at: "),
        (Artifact, ARTIFACT | {"workflow_run": {"id": "3"}}, "workflow_run.id: "),
        (WorkflowRun, RUN | {"repository": None}, "its answer has no repository.id"),
        (Pull, PULL | {"base": {"ref": "main", "sha": "a"}}, "its answer has no base.repo.id"),
        (Pull, "<html>", "its answer: "),
        (list[Commit], {"message": "no"}, "its answer: "),
        (list[Commit], [{"sha": "c", "parents": [{}]}], "its answer has no 0.parents.0.sha"),
        (CommentListPage, page({"hasNextPage": True, "endCursor": None}), "endCursor: "),
        (CommentListPage, page({}), "hasNextPage"),
        (CommentListPage, page({"hasNextPage": False}, node(fullDatabaseId=None)), "fullDatabaseId: "),
        (CommentListPage, page({"hasNextPage": False}, node(fullDatabaseId="x")), "fullDatabaseId: "),
        (CommentListPage, {"data": {"repository": {"pullRequest": None}}}, "pullRequest.headRefOid"),
    ],
)
def test_an_answer_that_lacks_what_is_needed_is_a_fault_that_names_the_place(kind: Any, answer: Any, what: str) -> None:
    with pytest.raises(GitHubFault) as fault:
        record_of(kind, answer, "GET /it")
    assert fault.value.message.startswith("the API's answer cannot be read (GET /it): ")
    assert what in fault.value.message
    assert fault.value.status is None


def test_a_comment_is_ours_only_where_the_answer_says_so() -> None:
    nodes = [node(), node(viewerDidAuthor=False), node(viewerDidAuthor=None), None]
    read = record_of(CommentListPage, page({"hasNextPage": True, "endCursor": "c"}, *nodes), "POST")
    assert [each and bool(each.own) for each in read.comments] == [True, False, False, None]
    assert read.page == NextPage(more=True, cursor="c")
    assert read.comments[0] is not None
    assert read.comments[0].comment_id == 5_000_000_001
