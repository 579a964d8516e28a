"""One judge's calls: admitted, paced, attempted again where that may mend it, and lost with a reason where not."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from pydantic import JsonValue

from raggate_action.isolation.error_line import ErrorLines
from raggate_action.judges.chat_call import Blame, ChatOutcome, ChatRequest, LostCall
from raggate_action.judges.chat_replies import CallContext, HttpAnswer, lost, read_answer
from raggate_action.judges.circuit_breaker import CircuitBreaker
from raggate_action.network.addresses import printable_address
from raggate_action.network.attempts import AttemptError, Backoff, with_attempts
from raggate_action.network.bounded_reply import UnreadableBodyError
from raggate_action.network.connection_errors import retry_after_s
from raggate_action.network.limiter import Limiter
from raggate_action.schema.judgement import Lost
from raggate_action.schema.judges import Member, Structured

if TYPE_CHECKING:
    from raggate_action.judges.openai_chat import OpenAIClient


# How an endpoint is told the form of a reply: as the suite may say it, or as an object with its schema beside it, which
# holds the replies of llama.cpp's Python server to the form and which others ignore or refuse.
_Way: TypeAlias = Structured | Literal["json_object_and_schema"]
# The strictest first.
_WAYS: Final[tuple[_Way, ...]] = ("json_schema", "json_object_and_schema", "json_object", "text")
# So a server answers that knows a field and not this value of it; 500 and 501 some that cannot make a grammar of it.
_REFUSES_FORM: Final = frozenset({400, 415, 422})
_FAILS_AT_FORM: Final = frozenset({500, 501})
# Who asks for a longer pause is not waited for in this run.
_LONGEST_PAUSE_S: Final = 120.0


class _FailedCall(AttemptError):  # noqa: N818 - as the value that it becomes
    """An attempt that another may mend."""

    def __init__(self, call: LostCall) -> None:
        super().__init__(call.lost.detail, again=True)
        self.call = call


class Endpoint:
    """What the judges of one base url and key share: the client, opened at the first call, and the limit.

    Attributes:
        limit: Of all their calls together.
        lines: Writes what the endpoint says, without the key.
    """

    def __init__(self, base_url: str, key: str | None, limit: Limiter) -> None:
        """Nothing is opened yet."""
        self.limit = limit
        self.lines = ErrorLines([key] if key is not None else [])
        self.has_key = key is not None
        self._base_url = base_url
        self._key = key
        self._client: OpenAIClient | None = None

    @property
    def place(self) -> str:
        """The address as a message may show it."""
        return self.lines.line(printable_address(self._base_url))

    @property
    def client(self) -> OpenAIClient:
        """Opened when it is first asked for: a run that reuses every judgement loads no client."""
        if self._client is None:
            from raggate_action.judges.openai_chat import OpenAIClient

            self._client = OpenAIClient(self._base_url, self._key)
        return self._client

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()


class JudgeChat:
    """A judge behind an endpoint; implements `Chat`."""

    def __init__(self, member: Member, endpoint: Endpoint, breaker: CircuitBreaker, backoff: Backoff) -> None:
        """Nothing is asked yet.

        Args:
            member: The judge.
            endpoint: Where it is, shared with others.
            breaker: Whether its calls are taken.
            backoff: Waits between attempts.
        """
        self._member = member
        self._endpoint = endpoint
        self._breaker = breaker
        self._backoff = backoff
        # One call is made alone until the endpoint is known to be there, and to take calls.
        self._own_limit = Limiter(member.concurrency, at_first=1)
        self._asking = CallContext(
            endpoint.lines, endpoint.has_key, (*member.parameters, "response_format", member.model)
        )
        self._ways: tuple[_Way, ...] = _WAYS if member.structured == "auto" else (member.structured,)

    async def complete(self, request: ChatRequest) -> ChatOutcome:
        """One call; as `Chat.complete`."""
        messages, ways = messages_of(request), self._ways
        sent = unmetered = 0

        async def ask(attempt: int) -> ChatOutcome:
            nonlocal ways, sent, unmetered
            is_last = attempt >= self._member.attempts
            while True:
                again = sent > 0
                async with self._own_limit.slot(first=again), self._endpoint.limit.slot(first=again) as entered:
                    if self._breaker.refusal is not None:
                        return LostCall(self._breaker.refusal)
                    # What another call has learned of the form since this one began.
                    ways = ways if again else self._ways
                    sent += 1
                    answer = await self._post(messages, self._rest(request, ways[0]))
                    found = answer if isinstance(answer, LostCall) else read_answer(answer, self._asking)
                    if isinstance(answer, HttpAnswer):
                        if len(ways) > 1 and _may_refuse_form(answer.status, found, attempt, is_last=is_last):
                            ways = ways[1:]
                            continue
                        # Inside the slot: what was learned has to hold before the next call takes the slot.
                        self._learn(found, answer, entered, attempt)
                    if isinstance(found, LostCall):
                        unmetered += found.unmetered
                        if found.again:
                            self._breaker.missed(found.lost, was_last=is_last)
                            raise _FailedCall(found)
                    return found

        try:
            found = await with_attempts(ask, self._member.attempts, self._backoff)
        except _FailedCall as failed:
            found = failed.call
        if isinstance(found, LostCall):
            return found._replace(attempts=sent, unmetered=unmetered)
        # What an endpoint took once it is told from now on.
        self._ways = ways[:1]
        return found._replace(by_words=ways[0] == "text", attempts=sent, unmetered=unmetered)

    async def aclose(self) -> None:
        """As `Chat.aclose`; whoever of the endpoint is asked afterwards opens new ones."""
        await self._endpoint.aclose()

    async def _post(self, messages: list[dict[str, str]], rest: dict[str, JsonValue]) -> HttpAnswer | LostCall:
        client = self._endpoint.client
        from raggate_action.judges.openai_chat import NoReplyError

        try:
            async with asyncio.timeout(self._member.timeout_s):
                return await client.post(self._member.model, messages, rest)
        except TimeoutError:
            self._own_limit.open()
            why = Lost(code="judge-timeout", detail=f"no reply within {self._member.timeout_s:g} s")
            return LostCall(why, unmetered=1, again=True)
        except UnreadableBodyError as error:
            # What a model says at such length it says again.
            self._own_limit.open()
            why = lost("judge-off-schema", f"the endpoint's reply is {error}", "", self._asking.lines)
            return LostCall(why, unmetered=1)
        except NoReplyError as error:
            if error.connected:
                self._own_limit.open()
            words = f"{'broken' if error.connected else 'no'} connection to {self._endpoint.place}"
            why = lost("judge-unreachable", words, str(error), self._asking.lines)
            return LostCall(why, unmetered=int(error.connected), again=True)

    def _learn(self, found: ChatOutcome, answer: HttpAnswer, entered: float, attempt: int) -> None:
        """What one answer says of the calls to come."""
        if isinstance(found, LostCall) and found.again:
            self._own_limit.open()
            self._slow_down(found, answer, entered, attempt)
        elif isinstance(found, LostCall) and found.refuses is not None:
            at_first = found.refuses is Blame.ALL_AT_FIRST and not self._breaker.was_answered
            if found.refuses is Blame.ALL or at_first:
                self._breaker.refused(found.lost)
            elif found.refuses is Blame.PERHAPS_ALL:
                self._breaker.refused_perhaps(found.lost)
        else:
            self._breaker.answered()
            self._own_limit.open()
            self._endpoint.limit.widen()

    def _slow_down(self, missed: LostCall, answer: HttpAnswer, entered: float, attempt: int) -> None:
        hasty = missed.lost.code == "judge-rate-limited"
        seconds = retry_after_s(answer.headers, datetime.now(UTC))
        if seconds is not None and seconds > _LONGEST_PAUSE_S:
            words = f"{missed.lost.detail}; it asks to be left alone for {seconds:.0f} s, which no run waits for"
            self._breaker.refused(Lost(code=missed.lost.code, detail=words))
            return
        if hasty:
            self._endpoint.limit.narrow(entered)
            seconds = self._backoff.seconds(attempt) if seconds is None else seconds
        if seconds is not None:
            self._own_limit.pause(seconds)
            self._endpoint.limit.pause(seconds)

    def _rest(self, request: ChatRequest, way: _Way) -> dict[str, JsonValue]:
        match way:
            case "json_schema":
                form: JsonValue = {"name": request.schema_name, "strict": True, "schema": dict(request.schema)}
                return {**self._member.parameters, "response_format": {"type": "json_schema", "json_schema": form}}
            case "json_object_and_schema":
                form = {"type": "json_object", "schema": dict(request.schema)}
                return {**self._member.parameters, "response_format": form}
            case "json_object":
                return {**self._member.parameters, "response_format": {"type": "json_object"}}
            case _:
                return dict(self._member.parameters)


def _may_refuse_form(status: int, found: ChatOutcome, attempt: int, *, is_last: bool) -> bool:
    """Whether an endpoint may have refused the form of the reply; the first failure is tried again before."""
    if not isinstance(found, LostCall):
        return False
    if found.again:
        # A server that failed at one form twice fails at the next for the same reason.
        return status in _FAILS_AT_FORM and attempt > 1 and not is_last
    return status in _REFUSES_FORM and found.refuses not in {None, Blame.CALL}


def messages_of(request: ChatRequest) -> list[dict[str, str]]:
    """A call as messages: the constant part first, then this call's, then what was sent back, in order."""
    texts = [("system", request.system), ("user", request.user)]
    for reply, problem in request.earlier:
        texts += [("assistant", reply), ("user", problem)]
    # A lone surrogate in an answer is no character, and no bytes could be made of it.
    return [{"role": role, "content": text.encode(errors="replace").decode()} for role, text in texts]
