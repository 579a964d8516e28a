"""What goes wrong at the fake GitHub goes wrong as often as a test asks, before or after the write."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.fake_github.client import Reply, send
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.faults import Kind


class Scene(NamedTuple):
    """A pull request, and how to write below it."""

    github: FakeGitHub
    url: str
    token: str

    def comment(self, text: str, *, timeout: float = 20) -> Reply:
        return send(self.url, "POST", token=self.token, body={"body": text}, timeout=timeout)


@pytest.fixture
def scene() -> Iterator[Scene]:
    with FakeGitHub() as github:
        github.repository("acme/menu")
        pull = github.pull(github.commit())
        yield Scene(github, f"{github.url}/repos/acme/menu/issues/{pull.number}/comments", github.writing_token())


FAULTS: list[Any] = [
    pytest.param({"status": 403}, 403, {}, id="forbidden"),
    pytest.param({"status": 404}, 404, {}, id="not found"),
    pytest.param({"status": 422}, 422, {}, id="unprocessable"),
    pytest.param({"status": 429, "retry_after": 7}, 429, {"retry-after": "7"}, id="too many requests"),
    pytest.param({"status": 502}, 502, {}, id="bad gateway"),
    pytest.param({"kind": "secondary limit", "retry_after": 60}, 403, {"retry-after": "60"}, id="secondary limit"),
    pytest.param({"kind": "primary limit", "status": 429}, 429, {"x-ratelimit-remaining": "0"}, id="primary limit"),
    pytest.param({"kind": "not json"}, 200, {"content-type": "text/html"}, id="no JSON"),
]


@pytest.mark.parametrize("after_write", [False, True], ids=["not written", "written"])
@pytest.mark.parametrize(("fault", "status", "headers"), FAULTS)
def test_a_fault_comes_as_often_as_asked(
    scene: Scene, fault: dict[str, Any], status: int, headers: dict[str, str], *, after_write: bool
) -> None:
    scene.github.fail("issues/create-comment", times=2, skip=1, after_write=after_write, **fault)
    replies = [scene.comment(str(number)) for number in range(4)]
    assert [reply.status for reply in replies] == [201, status, status, 201]
    assert headers.items() <= replies[1].headers.items()
    written = "0123" if after_write else "03"
    assert [comment.body for comment in scene.github.comments.values()] == list(written)


@pytest.mark.parametrize(
    ("kind", "after_write", "written", "failure"),
    [
        pytest.param("drop", False, 0, http.client.RemoteDisconnected, id="dropped before it is done"),
        pytest.param("drop", True, 1, http.client.RemoteDisconnected, id="dropped after it was done"),
        pytest.param("truncated", True, 1, http.client.IncompleteRead, id="half an answer"),
    ],
)
def test_a_connection_breaks(
    scene: Scene, kind: Kind, *, after_write: bool, written: int, failure: type[Exception]
) -> None:
    scene.github.fail("issues/create-comment", kind, after_write=after_write)
    with pytest.raises(failure):
        scene.comment("x")
    assert len(scene.github.comments) == written


@pytest.mark.parametrize(("after_write", "written"), [(False, 0), (True, 1)], ids=["before", "after"])
def test_a_client_may_not_wait_for_a_slow_answer(scene: Scene, *, after_write: bool, written: int) -> None:
    scene.github.fail("issues/create-comment", "slow", after_write=after_write)
    with pytest.raises(TimeoutError):
        scene.comment("x", timeout=0.2)
    assert len(scene.github.comments) == written


def test_after_recovery_nothing_goes_wrong(scene: Scene) -> None:
    scene.github.fail("*", times=None, status=503)
    assert [scene.comment("x").status for _ in range(3)] == [503] * 3
    scene.github.recover()
    assert scene.comment("x").status == 201
    assert scene.github.count("issues/create-comment") == 4
