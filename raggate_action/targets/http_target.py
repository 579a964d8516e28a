"""A RAG app behind an HTTP endpoint, and what its settings must be. With `event_stream` the door to httpx."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import ssl
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy
from itertools import chain
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx
from pydantic import JsonValue

from raggate_action.errors import TargetError, UsageError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import Secrets
from raggate_action.network.addresses import EXAMPLE, address_problem, is_loopback
from raggate_action.network.bounded_reply import (
    ACCEPTED,
    TooLargeBodyError,
    UnreadableBodyError,
    page_of,
    whole_body,
)
from raggate_action.network.connection_errors import is_refused, retry_after_s, why
from raggate_action.replies.mapping import placeholder_problem, request_body
from raggate_action.replies.streamed_reply import BrokenStreamError
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.target import HttpTarget, Ready
from raggate_action.schema.trace import Reply, TargetFailure, Trace
from raggate_action.targets.event_stream import StreamBreakError, read_stream, stream_kind
from raggate_action.targets.pacing import Pacing, clock_s, milliseconds_since, side_by_side
from raggate_action.targets.read_reply import Unread, excerpt_of, read_trace, reply_from
from raggate_action.targets.reply_mapping import ReplyMapping

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_NEVER_SECRET = frozenset({"accept", "accept-language", "content-type", "user-agent"})


def check_settings(target: HttpTarget) -> None:
    """Refuse what could not be sent for any case.

    Raises:
        UsageError: The url is none, a header cannot be sent, or the request body has an unknown placeholder.
    """
    _check_url("url", target.url)
    if target.ready is not None:
        _check_url("ready: url", target.ready.url)
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


def _check_url(name: str, url: str) -> None:
    if problem := address_problem(url):
        raise UsageError(
            f"target: {name}: is not an address that can be asked: {problem}",
            hint=f"Write a whole one, as in {EXAMPLE}.",
        )


def as_query(value: JsonValue) -> str:
    """A value as a query parameter: text as it is, anything else as JSON."""
    # A lone surrogate has no place in a url.
    return value.encode(errors="replace").decode() if isinstance(value, str) else json.dumps(value)


_LONGEST_CONNECT_S = 10.0
_LONGEST_PAUSE_S = 30.0
_READY_POLL_S = 0.2
# The stage of `stage_latency_ms` that says when the first piece of an answer came.
FIRST_TOKEN = "first_token"  # noqa: S105
_READY_ANSWER_S = 5.0
_NOT_STARTED = (
    "Start the app before the run, or correct `target: url`. If it needs longer to start, say what to wait for and how "
    "long: `ready: {url: http://..., timeout_s: 120}` under `target:`."
)
# An error page is read this far, to be quoted far shorter.
_LARGEST_ERROR_PAGE = 64 * 1024
_QUOTED = 200


class _FailedAttempt(NamedTuple):
    """An attempt without a usable answer.

    Attributes:
        error: One line for people.
        again: Whether another attempt may help.
        retry_after_s: How long the app asked to be left alone.
        all_wait: The app asked every lane to wait, not only this one.
        unreachable: No connection was made at all.
        refused: The host is there, and nothing listens.
        excerpt: The app's error page, as far as a message may quote from it.
    """

    error: str
    again: bool = False
    retry_after_s: float | None = None
    all_wait: bool = False
    unreachable: bool = False
    refused: bool = False
    excerpt: str = ""


class _Body(NamedTuple):
    """A reply as JSON, and when the first piece of its answer came, where it came in pieces."""

    raw: bytes
    first_text_at: float | None = None


class HttpApp:
    """Asks a RAG app over HTTP; implements `Asked`. Its replies are read by `mapping`."""

    def __init__(
        self,
        target: HttpTarget,
        *,
        pacing: Pacing,
        tell: Callable[[str], object],
        secrets: Sequence[str] = (),
        warm_up: bool = False,
        mapping: ReplyMapping | None = None,
    ) -> None:
        """Prepare to ask; nothing is sent yet.

        Args:
            target: Its section of the suite, `${VARS}` already read.
            pacing: Waits between attempts.
            tell: Shows a line while the run goes on.
            secrets: Struck from whatever the app says.
            warm_up: Ask the first case once before it counts, and throw the answer away.
            mapping: Reads its replies; None where nothing is known of them.

        Raises:
            UsageError: The url, a header, the body or the mapping cannot be used.
        """
        check_settings(target)
        self._target = target
        self._pacing = pacing
        self._tell = tell
        self._url = _address("url", target.url)
        self._ready_url = _address("ready: url", target.ready.url) if target.ready is not None else self._url
        self._place = shown_address(target.url)
        self.mapping = mapping or ReplyMapping(target.response)
        self._secrets = Secrets(secrets)
        self._lines = ErrorLines([*secrets, *echoable_settings(target)])
        self._is_cold = warm_up

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
        """Ask every case over HTTP. See `Target.replies`."""
        source = iter(cases)
        first = next(source, None)
        if first is None:
            return
        if self._target.ready is not None:
            await self._until_ready(self._target.ready)
        async with _client(self._url, self._target) as client:
            if self._is_cold:
                self._is_cold = False
                await self._ask(client, first.case)

            async def lane(placed: PlacedCase) -> Reply | Unread:
                return await self._ask(client, placed.case)

            lanes = [lane] * self._target.concurrency
            async with aclosing(side_by_side(chain([first], source), lanes)) as answers:
                async for answer in answers:
                    yield answer

    async def _ask(self, client: httpx.AsyncClient, case: Case) -> Reply | Unread:
        begun = clock_s()
        attempt = 0
        while True:
            attempt += 1
            await self._pacing.wait_while_held()
            started = clock_s()
            found = await self._attempt(client, case)
            if isinstance(found, _Body):
                self._pacing.reached()
                return self._read(found, milliseconds_since(started), started)
            if found.refused and self._may_be_starting():
                await asyncio.sleep(_READY_POLL_S)
                # Not an attempt at this case, and not the app's time.
                attempt, begun = 0, clock_s()
                continue
            wait_s = found.retry_after_s or self._pacing.backoff_s(attempt)
            if found.all_wait:
                self._pacing.hold(wait_s)
            if not found.again or attempt >= self._target.attempts or (found.unreachable and self._pacing.gives_up):
                break
            await asyncio.sleep(wait_s)
        if found.unreachable:
            self._pacing.unreachable()
        else:
            self._pacing.reached()
        return TargetFailure(self._error(found), milliseconds_since(begun), found.excerpt)

    def _read(self, body: _Body, latency_ms: float, started: float, *, waits: bool = True) -> Reply | Unread:
        again = partial(self._read, body, latency_ms, started, waits=False) if waits else None
        read = read_trace(body.raw, self.mapping, self._secrets, again=again)
        if isinstance(read, Trace) and body.first_text_at is not None:
            first_ms = round((body.first_text_at - started) * 1000, 1)
            read = read.model_copy(update={"stage_latency_ms": {FIRST_TOKEN: first_ms, **read.stage_latency_ms}})
        return reply_from(read, body.raw, latency_ms, self._lines)

    def _may_be_starting(self) -> bool:
        """Whether a refused connection is still waited out; a message says when that begins."""
        if self._pacing.begins_to_wait():
            waits = f"waiting up to {self._pacing.start_s:g} s for the app to start"
            self._tell(self._lines.line(f"{self._place} refuses connections: {waits}"))
        return self._pacing.waits_for_start()

    def _error(self, found: _FailedAttempt) -> str:
        line = self._lines.line(found.error)
        if not found.refused or self._pacing.was_reached:
            return line
        return f"{line}, for {self._pacing.start_s:g} s. {_NOT_STARTED}"

    async def _attempt(self, client: httpx.AsyncClient, case: Case) -> _Body | _FailedAttempt:
        place = self._place
        try:
            # Around the whole attempt: with a timeout per read, an app that sends single bytes would never time out.
            async with asyncio.timeout(self._target.timeout_s):
                return await self._exchange(client, self._request(client, case))
        except TimeoutError:
            return _FailedAttempt(f"no answer within {self._target.timeout_s:g} s")
        except httpx.ConnectTimeout:
            words = f"cannot connect to {place}: no answer to the connection"
            return _FailedAttempt(words, again=True, unreachable=True)
        except (httpx.ConnectError, httpx.ProxyError) as error:
            words, refused = f"cannot connect to {place}: {why(error)}", is_refused(error)
            return _FailedAttempt(words, again=True, unreachable=True, refused=refused)
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            words = f"{place} closed the connection before its answer was whole: {why(error)}"
            return _FailedAttempt(words, again=True)
        except httpx.HTTPError as error:
            return _FailedAttempt(f"{place} cannot be asked: {why(error)}")

    async def _exchange(self, client: httpx.AsyncClient, request: httpx.Request) -> _Body | _FailedAttempt:
        response = await client.send(request, stream=True)
        packed = response.headers.get("content-encoding", "")
        async with aclosing(response):
            # Raw: the library would unpack everything at once, and packed content inside packed content as well.
            if response.is_success:
                return await self._body(response, packed)
            page = await page_of(response.aiter_raw(), packed, _LARGEST_ERROR_PAGE)
        status = response.status_code
        return _FailedAttempt(
            f"{status} {response.reason_phrase}: {self._quoted(response, page)}".rstrip(": "),
            again=status in self._target.retry_on,
            retry_after_s=retry_after_s(response.headers, datetime.now(UTC), at_most_s=_LONGEST_PAUSE_S),
            all_wait=status == HTTPStatus.TOO_MANY_REQUESTS,
            excerpt=excerpt_of(page),
        )

    async def _body(self, response: httpx.Response, packed: str) -> _Body | _FailedAttempt:
        limit = self._target.max_reply_mib * 1024 * 1024
        try:
            if (kind := stream_kind(response)) is None:
                return _Body(await whole_body(response.aiter_raw(), packed, limit))
            return _Body(*await read_stream(response, kind, limit))
        except StreamBreakError as error:
            # The app has done its work, and whoever asked has seen the beginning.
            return _FailedAttempt(f"{self._place} broke off its answer after the first piece: {error}")
        except BrokenStreamError as error:
            return _FailedAttempt(f"reply is {error}")
        except TooLargeBodyError as error:
            return _FailedAttempt(f"reply is {error}; answer with less, or raise `target: max_reply_mib`")
        except UnreadableBodyError as error:
            return _FailedAttempt(f"reply is {error}")

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
        async with _client(url, self._target) as client:
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


def _address(name: str, url: str) -> httpx.URL:
    try:
        return httpx.URL(url)
    except httpx.InvalidURL:
        # The library's own message quotes the address, which may hold a password.
        raise UsageError(
            f"target: {name}: is not an address that can be asked",
            hint="Write a whole address, such as http://localhost:8080/answer.",
        ) from None


def _client(url: httpx.URL, target: HttpTarget) -> httpx.AsyncClient:
    near = is_loopback(url.host)
    # A plain connection to this machine needs no certificates; loading them is most of a short run's start.
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if near and url.scheme == "http" else True
    return httpx.AsyncClient(
        verify=verify,
        # A proxy from the environment must not catch requests to this machine.
        trust_env=not near,
        follow_redirects=False,
        headers={"Accept-Encoding": ACCEPTED},
        # Cases are independent: a session cookie of one must not reach the next.
        cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        limits=httpx.Limits(max_connections=target.concurrency, max_keepalive_connections=target.concurrency),
        # Shorter than the attempt's own timeout, so that the message can say what was waited for.
        timeout=httpx.Timeout(None, connect=min(_LONGEST_CONNECT_S, target.timeout_s * 0.9)),
    )
