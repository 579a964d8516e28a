"""A GitHub that hangs costs a run so much time in all, however it hangs."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

import pytest

from raggate_action.github.api import CommentApi, GitHubApi
from raggate_action.github.pygithub_client import ORDINARY, Deadline, GitHubFault, WaitLimits
from tests.fake_github.fake import FakeGitHub

# A second for each byte, four tries more, and two seconds for everything.
BOUNDS = WaitLimits(timeout_s=1, tries_again=4, in_all_s=2)
_SLACK_S = 1.0


@contextmanager
def hanging(*, drips: bool) -> Iterator[str]:
    """An API that takes connections and says nothing, or a byte now and then for ever."""
    over = threading.Event()

    def hang(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            while not over.wait(0.1):
                if drips:
                    connection.sendall(b"H")

    def serve(listening: socket.socket) -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                threading.Thread(target=hang, args=(listening.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        over.set()
        thread.join()


@pytest.mark.parametrize("drips", [False, True], ids=["says nothing", "drips"])
def test_all_requests_together_wait_so_long_and_no_longer(*, drips: bool) -> None:
    import_module("github")  # which takes as long as hanging does, on a busy machine
    said = []
    with hanging(drips=drips) as address:
        begun = time.monotonic()
        deadline = Deadline(BOUNDS.in_all_s)
        for each in (GitHubApi, CommentApi):
            with each(api_url=address, token=None, repository="acme/menu", bounds=BOUNDS, deadline=deadline) as api:
                for _request in range(3):
                    with pytest.raises(GitHubFault) as fault:
                        api.ask("GET the repository", lambda repository: repository.id)
                    said.append(fault.value.message)
        took = time.monotonic() - begun
    assert took < BOUNDS.in_all_s + _SLACK_S, said
    assert set(said) == {"no answer from GitHub (GET the repository): its answers took longer than 2 s in all"}


def test_a_github_that_asks_to_wait_an_hour_is_left_when_the_time_is_over() -> None:
    begun = time.monotonic()
    with FakeGitHub() as github:
        github.repository("acme/menu")
        github.fail("*", "secondary limit", status=429, retry_after=3600, times=None)
        with GitHubApi(api_url=github.url, token=None, repository="acme/menu", bounds=BOUNDS) as api:
            with pytest.raises(GitHubFault, match=r"longer than 2 s in all"):
                api.repository_id()
            assert not api.pause(1), "nothing is left for a pause of ours"
    assert time.monotonic() - begun < BOUNDS.in_all_s + 2 * _SLACK_S


def test_a_github_that_asks_to_wait_a_minute_is_waited_for() -> None:
    assert ORDINARY.in_all_s > 60 + ORDINARY.timeout_s
