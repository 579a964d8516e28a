"""A RAG app behind an HTTP endpoint, and what its settings must be."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx
from pydantic import JsonValue

from raggate_action.errors import TargetError, UsageError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import Secrets
from raggate_action.network.addresses import EXAMPLE, address_problem
from raggate_action.network.attempts import AttemptError, Backoff, Breaker, with_attempts
from raggate_action.network.bounded_reply import TooLargeBodyError, UnreadableBodyError
from raggate_action.network.connection_errors import is_refused, retry_after_s, why
from raggate_action.network.limiter import Limiter
from raggate_action.network.transport import LONGEST_CONNECT_S, open_client
from raggate_action.replies.mapping import placeholder_problem, request_body
from raggate_action.replies.streamed_reply import BrokenStreamError
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.target import HttpTarget, Ready
from raggate_action.schema.trace import Reply, TargetFailure
from raggate_action.targets.event_stream import StreamBreakError, Streamed, read_stream, stream_kind
from raggate_action.targets.pacing import START_S, ask_concurrently, clock_s, milliseconds_since
from raggate_action.targets.read_reply import ReplyReader, Unread, excerpt_of
from raggate_action.targets.reply_mapping import ReplyMapping

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_NEVER_SECRET = frozenset({"accept", "accept-language", "content-type", "user-agent"})


def check_settings(target: HttpTarget) -> None:
    """Refuse what could not be sent for any case.

    Raises:
        UsageError: The url is none, a header cannot be sent, or the request body has an unknown placeholder.
    """
    _address("url", target.url)
    if target.ready is not None:
        _address("ready: url", target.ready.url)
    for name, value in target.headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise UsageError(
                f"target: headers: {name!r} cannot be sent",
                hint="Write a header name without spaces and a value of printable ASCII characters on one line.",
            )
    if problem := placeholder_problem(target.request.body):
        raise UsageError(f"target: request: body: {problem}", hint="Correct the placeholder or write it in words.")
    if target.request.method == "GET" and not isinstance(target.request.body, dict | None):
        raise UsageError(
            "target: request: body: a GET request sends it as query parameters, so it must be an object",
            hint='Write `body: {q: "{{question}}"}`, or use POST.',
        )


def shown_address(url: str) -> str:
    """The url as messages may show it: without user, password and query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def echoable_settings(target: HttpTarget) -> Iterator[str]:
    """Every string of the settings that an app could echo and no message may show."""
    for name, value in target.headers.items():
        if name.lower() not in _NEVER_SECRET:
            yield value
            # "Bearer abc": the token alone is the secret.
            yield value.rpartition(" ")[2]
    for url in (target.url, *([target.ready.url] if target.ready else [])):
        yield from _secrets_of_url(url)


def _secrets_of_url(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    for part in (user, password):
        yield from (part, unquote(part))
    yield base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    yield parts.query
    for pair in parts.query.split("&"):
        yield pair.partition("=")[2]
    yield from (value for _name, value in parse_qsl(parts.query))


def _address(name: str, url: str) -> httpx.URL:
    problem = address_problem(url)
    try:
        if problem is None:
            return httpx.URL(url)
    except httpx.InvalidURL:
        # The library's own message quotes the address, which may hold a password.
        problem = "it cannot be read"
    raise UsageError(
        f"target: {name}: is not an address that can be asked: {problem}",
        hint=f"Write a whole one, as in {EXAMPLE}.",
    ) from None


def as_query(value: JsonValue) -> str:
    """A value as a query parameter: text as it is, anything else as JSON."""
    # A lone surrogate has no place in a url.
    return value.encode(errors="replace").decode() if isinstance(value, str) else json.dumps(value)


_LONGEST_PAUSE_S = 30.0
_READY_POLL_S = 0.2
# The stage of `stage_latency_ms` that says when the first piece of an answer came.
FIRST_TOKEN = "first_token"  # noqa: S105
_READY_ANSWER_S = 5.0
_NOT_STARTED = (
    "Start the app before the run, or correct `target: url`. If it needs longer to start, say what to wait for and how "
    "long: `ready: {url: http://..., timeout_s: 120}` under `target:`."
)
_QUOTED = 200


class _FailedAttempt(AttemptError):  # noqa: N818 - as the value that it becomes
    """An attempt without a usable answer; the message is one line for people.

    Attributes:
        unreachable: No connection was made at all.
        refused: The host is there, and nothing listens.
        excerpt: The app's error page, as far as a message may quote from it.
    """

    def __init__(
        self, error: str, *, unreachable: bool = False, refused: bool = False, excerpt: str = "", **rest: Any
    ) -> None:
        super().__init__(error, **rest)
        self.unreachable = unreachable
        self.refused = refused
        self.excerpt = excerpt


class HttpApp:
    """Asks a RAG app over HTTP; implements `Asked`. Its replies are read by `mapping`."""

    def __init__(
        self,
        target: HttpTarget,
        *,
        backoff: Backoff,
        tell: Callable[[str], object],
        start_s: float = START_S,
        secrets: Sequence[str] = (),
        warm_up: bool = False,
        mapping: ReplyMapping | None = None,
    ) -> None:
        """Prepare to ask; nothing is sent yet.

        Args:
            target: Its section of the suite, `${VARS}` already read.
            backoff: Waits between attempts.
            tell: Shows a line while the run goes on.
            start_s: How long, once in a run, an app that refuses connections is waited for.
            secrets: Struck from whatever the app says.
            warm_up: Ask the first case once before it counts, and throw the answer away.
            mapping: Reads its replies; None where nothing is known of them.

        Raises:
            UsageError: The url, a header, the body or the mapping cannot be used.
        """
        check_settings(target)
        self._target = target
        self._backoff = backoff
        self._tell = tell
        self._start_s = start_s
        self._starts_until: float | None = None
        self._was_reached = False
        self._breaker = Breaker()
        self._limiter = Limiter(target.concurrency)
        self._url = _address("url", target.url)
        self._ready_url = _address("ready: url", target.ready.url) if target.ready is not None else self._url
        self._place = shown_address(target.url)
        self.mapping = mapping or ReplyMapping(target.response)
        self._lines = ErrorLines([*secrets, *echoable_settings(target)])
        self._reader = ReplyReader(self.mapping, Secrets(secrets), self._lines)
        self._is_cold = warm_up

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
        """Ask every case over HTTP. See `Target.replies`."""
        source = iter(cases)
        first = next(source, None)
        if first is None:
            return
        if self._target.ready is not None:
            await self._until_ready(self._target.ready)
        async with self._open(self._url) as client:
            if self._is_cold:
                self._is_cold = False
                await self._ask(client, first.case)

            async def ask(placed: PlacedCase) -> Reply | Unread:
                return await self._ask(client, placed.case)

            workers = [ask] * self._target.concurrency
            async with aclosing(ask_concurrently(chain([first], source), workers)) as answers:
                async for answer in answers:
                    yield answer

    def _open(self, url: httpx.URL) -> httpx.AsyncClient:
        # Shorter than the attempt's own timeout, so that the message can say what was waited for.
        connect_s = min(LONGEST_CONNECT_S, self._target.timeout_s * 0.9)
        largest = self._target.max_reply_mib * 1024 * 1024
        return open_client(str(url), largest, connections=self._target.concurrency, connect_s=connect_s)

    async def _ask(self, client: httpx.AsyncClient, case: Case) -> Reply | Unread:
        begun = clock_s()

        async def ask(attempt: int) -> Reply | Unread:
            nonlocal begun
            while True:
                try:
                    return await self._attempt(client, case, attempt)
                except _FailedAttempt as failed:
                    if not (failed.refused and self._may_be_starting()):
                        raise
                await asyncio.sleep(_READY_POLL_S)
                # Not an attempt at this case, and not the app's time.
                begun = clock_s()

        try:
            reply = await with_attempts(ask, self._target.attempts, self._backoff)
        except _FailedAttempt as failed:
            self._breaker.record("lost" if failed.unreachable else "answered")
            self._was_reached = self._was_reached or not failed.unreachable
            return TargetFailure(self._error(failed), milliseconds_since(begun), failed.excerpt)
        self._breaker.record("answered")
        self._was_reached = True
        return reply

    def _may_be_starting(self) -> bool:
        """Whether a refused connection is still waited out; a message says when that begins."""
        if self._starts_until is None:
            self._starts_until = clock_s() + self._start_s
            waits = f"waiting up to {self._start_s:g} s for the app to start"
            self._tell(self._lines.line(f"{self._place} refuses connections: {waits}"))
        return clock_s() < self._starts_until

    def _error(self, failed: _FailedAttempt) -> str:
        line = self._lines.line(str(failed))
        if not failed.refused or self._was_reached:
            return line
        return f"{line}, for {self._start_s:g} s. {_NOT_STARTED}"

    async def _attempt(self, client: httpx.AsyncClient, case: Case, attempt: int) -> Reply | Unread:
        place = self._place
        async with self._limiter.slot(first=attempt > 1):
            started = clock_s()
            try:
                # Around the whole attempt: with one per read, an app that sends single bytes would never time out.
                async with asyncio.timeout(self._target.timeout_s):
                    streamed = await self._exchange(client, self._request(client, case), attempt)
                latency_ms = milliseconds_since(started)
            except TimeoutError:
                raise _FailedAttempt(f"no answer within {self._target.timeout_s:g} s") from None
            except (httpx.ConnectTimeout, httpx.ConnectError, httpx.ProxyError) as error:
                late = isinstance(error, httpx.ConnectTimeout)
                raise _FailedAttempt(
                    f"cannot connect to {place}: {'no answer to the connection' if late else why(error)}",
                    # Of an app that looks gone another attempt would only make the user wait.
                    again=not self._breaker.is_open,
                    unreachable=True,
                    refused=is_refused(error),
                ) from None
            except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
                words = f"{place} closed the connection before its answer was whole: {why(error)}"
                raise _FailedAttempt(words, again=True) from None
            except StreamBreakError as error:
                # The app has done its work, and whoever asked has seen the beginning.
                words = f"{place} broke off its answer after the first piece: {error}"
                raise _FailedAttempt(words) from None
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise _FailedAttempt(f"{place} cannot be asked: {why(error)}") from None
            except TooLargeBodyError as error:
                words = f"reply is {error}; answer with less, or raise `target: max_reply_mib`"
                raise _FailedAttempt(words) from None
            except (UnreadableBodyError, BrokenStreamError) as error:
                raise _FailedAttempt(f"reply is {error}") from None
        first_at = streamed.first_text_at
        stages_ms = {FIRST_TOKEN: round((first_at - started) * 1000, 1)} if first_at is not None else {}
        return self._reader.reply(streamed.raw, latency_ms, stages_ms)

    async def _exchange(self, client: httpx.AsyncClient, request: httpx.Request, attempt: int) -> Streamed:
        response = await client.send(request, stream=True)
        async with aclosing(response):
            if response.is_success:
                kind = stream_kind(response)
                return Streamed(await response.aread()) if kind is None else await read_stream(response, kind)
            page = await response.aread()
        status = response.status_code
        wait_s = retry_after_s(response.headers, datetime.now(UTC), at_most_s=_LONGEST_PAUSE_S)
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            # It asks everybody to wait, not only this one.
            wait_s = wait_s or self._backoff.seconds(attempt)
            self._limiter.pause(wait_s)
        raise _FailedAttempt(
            f"{status} {response.reason_phrase}: {self._quoted(response, page)}".rstrip(": "),
            again=status in self._target.retry_on,
            retry_after_s=wait_s,
            excerpt=excerpt_of(page),
        )

    def _quoted(self, response: httpx.Response, page: bytes) -> str:
        if response.has_redirect_location:
            return "redirects are not followed; write the final address as `target: url`"
        return self._lines.line(page.decode(errors="replace"), _QUOTED)

    def _request(self, client: httpx.AsyncClient, case: Case) -> httpx.Request:
        form = self._target.request
        body = request_body(form.body, case)
        if form.method == "GET":
            fields = body if isinstance(body, dict) else {}
            query = {key: as_query(value) for key, value in fields.items()}
            return client.build_request("GET", self._url.copy_merge_params(query), headers=self._target.headers)
        # ASCII escapes: a lone surrogate in a question is still JSON, and no exception here.
        headers = httpx.Headers({"Content-Type": "application/json"})
        headers.update(self._target.headers)
        return client.build_request(form.method, self._url, content=json.dumps(body).encode(), headers=headers)

    async def _until_ready(self, ready: Ready) -> None:
        url = self._ready_url
        clock = asyncio.get_running_loop().time
        deadline = clock() + ready.timeout_s
        same_app = (url.scheme, url.host, url.port) == (self._url.scheme, self._url.host, self._url.port)
        seen = ""
        place = shown_address(ready.url)
        async with self._open(url) as client:
            while (left := deadline - clock()) > 0:
                try:
                    async with asyncio.timeout(min(left, _READY_ANSWER_S)):
                        request = client.build_request("GET", url, headers=self._target.headers if same_app else None)
                        response = await client.send(request, stream=True)
                        await response.aclose()
                    if response.is_success:
                        return
                    now = f"{response.status_code} {response.reason_phrase}"
                except TimeoutError:
                    now = "no answer"
                except httpx.HTTPError as error:
                    now = why(error)
                if not seen:
                    self._tell(self._lines.line(f"waiting up to {ready.timeout_s:g} s for {place}: {now}"))
                seen = now
                await asyncio.sleep(min(_READY_POLL_S, max(deadline - clock(), 0)))
        raise TargetError(
            self._lines.line(f"{place} was not ready within {ready.timeout_s:g} s; last seen: {seen or 'no answer'}"),
            hint="Start the app before the run, correct `target: ready: url`, or raise its `timeout_s`.",
        )
