"""The chat API over the OpenAI client. The only door to openai; imported for the first call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import openai
from pydantic import JsonValue

from raggate_action.judges.chat_replies import HttpAnswer
from raggate_action.network.bounded_reply import UnreadableBodyError
from raggate_action.network.connection_errors import why
from raggate_action.network.transport import open_client

# Verdicts on the most claims that are judged come to a tenth of it.
_LARGEST_REPLY = 8 * 1024 * 1024


class NoReplyError(Exception):
    """No whole answer came over the connection. `connected`: there was one."""

    def __init__(self, reason: str, *, connected: bool) -> None:
        super().__init__(reason)
        self.connected = connected


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
            # Its annotation names httpx2 alone; it takes both.
            http_client=cast("Any", open_client(base_url, _LARGEST_REPLY)),
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
            UnreadableBodyError: The reply is beyond what is read of one.
        """
        try:
            response = await self._create(
                model=model, messages=cast("Any", messages), extra_body=dict(rest), extra_headers=self._headers
            )
        except openai.APIStatusError as error:
            refused = error.response
            return HttpAnswer(refused.status_code, dict(refused.headers), refused.content)
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, UnreadableBodyError):
                raise error.__cause__ from None
            connected = not type(error.__cause__).__name__.startswith("Connect")
            raise NoReplyError(why(error), connected=connected) from None
        return HttpAnswer(response.status_code, {}, response.content)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()
