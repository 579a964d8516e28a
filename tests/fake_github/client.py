"""A client that sends what it is told, right or wrong, and nothing else."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Reply(NamedTuple):
    """What came back; header names in lower case, `body` is JSON if it says so."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def reason(self) -> str:
        """The name that the fake refused by; empty when it did not."""
        return self.headers.get("x-fake-github-refusal", "")


def send(
    url: str,
    method: str,
    *,
    token: str | None = None,
    body: Any = None,
    raw: bytes | None = None,
    headers: Mapping[str, str | None] | None = None,
    timeout: float = 20,
) -> Reply:
    """Send a request with just these headers beside the usual ones; None takes one away."""
    parts = urlsplit(url)
    content = raw if raw is not None else None if body is None else json.dumps(body).encode()
    usual: dict[str, str | None] = {"User-Agent": "test", "Accept": "application/vnd.github+json"}
    if content is not None:
        usual["Content-Type"] = "application/json"
    if token is not None:
        usual["Authorization"] = f"Bearer {token}"
    sent = {name: value for name, value in {**usual, **(headers or {})}.items() if value is not None}
    connection = http.client.HTTPConnection(parts.netloc, timeout=timeout)
    try:
        connection.request(method, f"{parts.path}{'?' if parts.query else ''}{parts.query}", content, sent)
        answer = connection.getresponse()
        text = answer.read()
        is_json = answer.headers.get_content_type() == "application/json" and text
        received = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(answer.status, received, json.loads(text) if is_json else text)
    finally:
        connection.close()
