"""A GitHub that hangs costs a run so much time in all, however it hangs; what it asks to wait is not hanging."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

import pytest

from raggate_action.github import artifact_download
from raggate_action.github.api import CommentApi, GitHubApi
from raggate_action.github.pygithub_client import ORDINARY, GitHubFault, WaitLimits
from raggate_action.github.wait_limits import HangError, HangTime, Patience

# A second for each byte, four tries more, and two seconds for everything.
BOUNDS = WaitLimits(timeout_s=1, tries_again=4, patience_s=120, hanging_s=2)
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
        hang_time = HangTime(BOUNDS.hanging_s)
        for each in (GitHubApi, CommentApi):
            with each(api_url=address, token=None, repository="acme/menu", bounds=BOUNDS, hang_time=hang_time) as api:
                for _request in range(3):
                    with pytest.raises(GitHubFault) as fault:
                        api.ask("GET", "")
                    said.append(fault.value.message)
        took = time.monotonic() - begun
    assert took < BOUNDS.hanging_s + _SLACK_S, said
    assert set(said) == {"no answer from GitHub (GET /repos/acme/menu): its answers took longer than 2 s in all"}


def test_a_run_waits_a_minute_for_a_github_that_hangs() -> None:
    """Once for its baseline, with an artifact whose store hangs at the end of it, and once to publish."""
    assert 2 * ORDINARY.hanging_s + artifact_download.TIMEOUT_S <= 60


def test_what_the_api_asks_to_wait_is_not_hanging() -> None:
    patience = Patience(120, time.sleep)
    hang_time = HangTime(0.3)

    def asked_to_wait() -> str:
        assert patience.wait(0.6)
        return "answer"

    assert hang_time.run(asked_to_wait, waited=lambda: patience.waited) == "answer"
    with pytest.raises(HangError, match=r"longer than 0\.3 s in all"):
        hang_time.run(lambda: time.sleep(0.6), waited=lambda: patience.waited)
    with pytest.raises(HangError):
        hang_time.run(lambda: pytest.fail("it was asked again"), waited=lambda: patience.waited)
