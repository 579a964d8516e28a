"""PyGithub's requester with replies held to bounds: the library itself reads whatever it is sent, to its end.

Imported when the first request is made, as the library is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from github.Auth import Token
from github.GithubRetry import GithubRetry
from github.Requester import HTTPRequestsConnectionClass, HTTPSRequestsConnectionClass, Requester, RequestsResponse
from urllib3.response import BaseHTTPResponse
from urllib3.util import Retry

from raggate_action.network.bounded_reply import ACCEPTED, BodyReader, UnreadableBodyError, json_problem, parts_of

# A hundred comments of the longest there are, in a script of three bytes a character, come to two thirds of it.
LARGEST_ANSWER: Final = 32 * 1024 * 1024
# A hundred workflow runs with all they name have some thirty thousand.
MOST_VALUES: Final = 500_000
_READ_BYTES = 64 * 1024


class BoundedRequester(Requester):
    """Sends its requests over a connection of its own, that is kept until `close`."""

    def __init__(
        self,
        api_url: str,
        token: str | None,
        retry: GithubRetry,
        *,
        timeout_s: int,
        seconds: float,
        per_page: int,
        user_agent: str,
        pause_s: float | None,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            api_url: The API's address.
            token: None asks as anybody.
            retry: How a request is tried again.
            timeout_s: For the next byte of an answer.
            seconds: For the whole of one.
            per_page: Of lists.
            user_agent: What we are called.
            pause_s: Between writes; None makes none.
        """
        super().__init__(
            auth=Token(token) if token else None,
            base_url=api_url,
            timeout=timeout_s,
            user_agent=user_agent,
            per_page=per_page,
            verify=True,
            retry=retry,
            pool_size=None,
            # GitHub asks for pauses between writes; reads are few and one after the other.
            seconds_between_requests=None,
            seconds_between_writes=pause_s,
            lazy=True,
        )
        parts = urlsplit(api_url)
        kind = _Http if parts.scheme == "http" else _Https
        self._kept = kind(parts.hostname or "", parts.port, retry=retry, timeout=timeout_s)
        self._kept.seconds = seconds
        # Unread until `_Answer.read`.
        self._kept.session.stream = True

    def requestJson(  # noqa: N802 (the library's name)
        self,
        verb: str,
        url: str,
        parameters: dict[str, Any] | None = None,
        headers: dict[str, Any] | None = None,
        input: Any | None = None,  # noqa: A002 (the library's name)
        cnx: object = None,  # noqa: ARG002 (one of the library's own for another host, which is not asked)
        follow_302_redirect: bool = False,  # noqa: ARG002, FBT001, FBT002 (not followed)
    ) -> tuple[int, dict[str, Any], str]:
        """As the library's, over our connection."""
        all_headers = {**(headers or {}), "Accept-Encoding": ACCEPTED}
        return super().requestJson(verb, url, parameters, all_headers, input, self._kept)

    def close(self) -> None:
        """Let go of the connections."""
        super().close()
        self._kept.close()


class _Raw(Protocol):
    """What an answer's body is read from."""

    def stream(self, amt: int, *, decode_content: bool) -> Iterator[bytes]: ...


def _body(raw: _Raw, content_encoding: str, seconds: float) -> bytes:
    reader = BodyReader(content_encoding, LARGEST_ANSWER, seconds=seconds)
    return b"".join(parts_of(raw.stream(_READ_BYTES, decode_content=False), reader))


class _Answer(RequestsResponse):
    """An answer whose body is read once, within bounds."""

    seconds: float

    def read(self) -> str:
        """The body as text.

        Raises:
            UnreadableBodyError: It is beyond the bounds.
        """
        with self.response:
            found = _body(self.response.raw, self.headers.get("Content-Encoding", ""), self.seconds)
        if (problem := json_problem(found, most=MOST_VALUES)) is not None:
            raise UnreadableBodyError(f"more than is read: {problem}")
        return found.decode(errors="replace")


class _BoundedConnection:
    """A connection whose answers are read within bounds."""

    seconds: float

    def getresponse(self) -> RequestsResponse:
        answer = _Answer(super().getresponse().response)  # type: ignore[misc]  # beside one of the library's
        answer.seconds = self.seconds
        return answer


class _Http(_BoundedConnection, HTTPRequestsConnectionClass):
    pass


class _Https(_BoundedConnection, HTTPSRequestsConnectionClass):
    pass


class BoundedRetry(GithubRetry):
    """Tries again without reading more of a refusal than its bounds allow."""

    def increment(  # type: ignore[override]
        self, method: str | None = None, url: str | None = None, response: BaseHTTPResponse | None = None, **rest: Any
    ) -> Retry:
        """As the library's; a refused answer is left, where it would be read to its end to reuse the connection."""
        found = super().increment(method, url, response, **rest)  # type: ignore[arg-type]
        if response is not None:
            response.close()
        return found

    @staticmethod
    def get_content(resp: BaseHTTPResponse, url: str) -> bytes:  # noqa: ARG004 (the library's)
        """The body of a refusal; empty where it is beyond the bounds, which is no refusal for the rate."""
        try:
            return _body(resp, resp.headers.get("Content-Encoding", ""), float("inf"))
        except UnreadableBodyError:
            return b""
