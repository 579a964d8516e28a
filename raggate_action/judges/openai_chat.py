"""The chat API over the OpenAI client. The only door to openai and to its transport; imported for the first call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urlsplit

import httpx2
import openai
from pydantic import JsonValue

from raggate_action.judges.chat_replies import HttpAnswer
from raggate_action.network.addresses import is_loopback
from raggate_action.network.bounded_reply import ACCEPTED, BodyReader, TooLargeBodyError, UnreadableBodyError
from raggate_action.network.connection_errors import why

_LONGEST_CONNECT_S = 10.0
# Verdicts on the most claims that are judged come to a tenth of it.
LARGEST_REPLY: Final = 8 * 1024 * 1024
# An error page is read this far, to be quoted far shorter.
_LARGEST_ERROR_PAGE = 64 * 1024


class NoReplyError(Exception):
    """No whole answer came over the connection. `connected`: there was one."""

    def __init__(self, reason: str, *, connected: bool) -> None:
        super().__init__(reason)
        self.connected = connected


class UnreadReplyError(Exception):
    """A reply came, and is beyond what is read of one; the message stands behind "reply is"."""


class _BoundedStream(httpx2.AsyncByteStream):
    """A reply's body, unpacked within its bounds; of an error page the first part."""

    def __init__(self, response: httpx2.Response) -> None:
        self._raw = response.stream
        self._is_error = response.status_code >= HTTPStatus.BAD_REQUEST
        # Taken away, so that the library does not unpack it a second time.
        self._packed = response.headers.pop("content-encoding", "")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            reader = BodyReader(self._packed, _LARGEST_ERROR_PAGE if self._is_error else LARGEST_REPLY)
            async for part in cast("httpx2.AsyncByteStream", self._raw):
                yield reader.add(part)
            reader.end()
        except UnreadableBodyError as error:
            if not self._is_error:
                raise UnreadReplyError(str(error)) from None
            if isinstance(error, TooLargeBodyError):
                yield error.part

    async def aclose(self) -> None:
        await cast("httpx2.AsyncByteStream", self._raw).aclose()


async def _bound(response: httpx2.Response) -> None:
    """A hook of the client: it is called before a byte of the body is read."""
    response.stream = _BoundedStream(response)


class _Client(openai.AsyncOpenAI):
    """The client as it is told to be: nothing that it would read from the environment is sent."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        # Not the parent's: they hold OPENAI_ORG_ID, OPENAI_PROJECT_ID, OPENAI_CUSTOM_HEADERS, and this machine's kind.
        return {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "raggate-action"}


class OpenAIClient:
    """One endpoint: one pool of connections, one TLS context."""

    def __init__(self, base_url: str, key: str | None) -> None:
        """Prepare to call; nothing is sent yet.

        Args:
            base_url: Of the chat API, without `/chat/completions`.
            key: Sent as the bearer; None sends none.
        """
        parts = urlsplit(base_url)
        near = is_loopback(parts.hostname or "")
        # A plain connection needs no certificates, and loading them takes longer than many a call.
        pool = openai.DefaultAsyncHttpxClient(
            verify=parts.scheme == "https",
            trust_env=not near,
            follow_redirects=False,
            headers={"Accept-Encoding": ACCEPTED},
            event_hooks={"response": [_bound]},
        )
        self._headers = {} if key is not None else {"Authorization": openai.Omit()}
        self._client = _Client(
            # Never None: the client would take the environment's.
            api_key=key or "none",
            # The client would put the path of a call behind the query.
            base_url=parts._replace(query="").geturl(),
            default_query=dict(parse_qsl(parts.query)),
            organization="",
            project="",
            webhook_secret="",
            # Attempts are ours, and so is the time of one.
            max_retries=0,
            timeout=openai.Timeout(None, connect=_LONGEST_CONNECT_S),
            http_client=pool,
        )
        self._create = self._client.chat.completions.with_raw_response.create

    async def post(self, model: str, messages: list[dict[str, str]], rest: Mapping[str, JsonValue]) -> HttpAnswer:
        """One request, one answer of any status.

        Args:
            model: As the endpoint calls it.
            messages: Roles and texts.
            rest: Every other field of the body.

        Raises:
            NoReplyError: The connection could not be made, or broke.
            UnreadReplyError: The reply is beyond what is read of one.
        """
        try:
            response = await self._create(
                model=model, messages=cast("Any", messages), extra_body=dict(rest), extra_headers=self._headers
            )
        except openai.APIStatusError as error:
            refused = error.response
            return HttpAnswer(refused.status_code, dict(refused.headers), refused.content)
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, UnreadReplyError):
                raise error.__cause__ from None
            connected = not type(error.__cause__).__name__.startswith("Connect")
            raise NoReplyError(why(error), connected=connected) from None
        return HttpAnswer(response.status_code, {}, response.content)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()
