"""The fake GitHub: a world behind a real HTTP server that takes and gives only what GitHub's description allows.

with FakeGitHub() as github:
    github.repository("acme/menu")
    tip = github.commit()
    github.artifact(github.run(tip), files={"run.json": "{}"})
    ...  # a client asks github.url with github.writing_token()
# here a wrong request fails the test
"""

from __future__ import annotations

import time
from types import SimpleNamespace, TracebackType
from typing import Self

import pytest

from tests.fake_github.bodies import Bodies
from tests.fake_github.server import Server
from tests.fake_github.service import Service
from tests.fake_github.state import READING, WRITING


class FakeGitHub(Service):
    """A GitHub on ports of its own, from `with` to the end of its block, where it fails when it was misused."""

    def __init__(
        self,
        *,
        bind: str = "127.0.0.1",
        host: str = "127.0.0.1",
        blob_host: str = "localhost",
        enterprise: bool = False,
    ) -> None:
        """Make it; it serves from `with` on.

        Args:
            bind: The address to listen on; 0.0.0.0 for clients in containers.
            host: The name that clients reach it by.
            blob_host: The same for the host of blobs: another name, since some clients drop a token by name alone.
            enterprise: Paths as on GitHub Enterprise Server: `/api/v3`, `/api/graphql`.
        """
        prefix, graphql = ("/api/v3", "/api/graphql") if enterprise else ("", "/graphql")
        super().__init__(prefix, graphql)
        self._api = Server(bind, self.serve)
        self._blobs = Server(bind, self.serve_blob)
        self.server_url = f"http://{host}:{self._api.port}"
        self.url = self.server_url + prefix
        self.graphql_url = self.server_url + graphql
        self.blob_url = f"http://{blob_host}:{self._blobs.port}"
        self.bodies = Bodies(self.url, self.server_url)

    def __enter__(self) -> Self:
        self._api.start()
        self._blobs.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, and fail the test for requests that no right client sends; a test that failed gets them as a note."""
        self.closing.set()
        self._api.close()
        self._blobs.close()
        complaint = "\n  ".join(["the fake GitHub refused:", *self.refusals])
        if error is not None:
            if self.refusals:
                error.add_note(complaint)
            return
        assert not self.refusals, complaint
        unseen = self.expected - {call.refused for call in self.calls}
        assert not unseen, f"refusals that were expected and never came: {sorted(unseen)}"

    def expect_refusal(self, *names: str) -> None:
        """Requests refused for these reasons are what the test is about; one that never comes fails it."""
        self.expected |= set(names)

    def count(self, operation: str) -> int:
        """How often an operation was called."""
        return sum(call.operation == operation for call in self.calls)

    def writing_token(self) -> str:
        """A new token as the README's workflow asks for it."""
        return self.token(WRITING)

    def reading_token(self) -> str:
        """A new token as a run of a fork's or of Dependabot's pull request has it."""
        return self.token(READING)


def recorded_pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that GitHub's client makes between tries, of which none is made."""
    pauses: list[float] = []
    monkeypatch.setattr("urllib3.util.retry.time", SimpleNamespace(sleep=pauses.append, time=time.time))
    return pauses
