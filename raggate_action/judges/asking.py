"""One judge at one job: asked once, shown its error once, never read for more than it said."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from pydantic import JsonValue

from raggate_action.judges.interface import Chat, ChatOutcome, ChatReply, ChatRequest, Exchange
from raggate_action.judges.keys import content_key, fingerprint
from raggate_action.judges.prompts import MOST_CHARACTERS
from raggate_action.schema.judgement import About, JobName, Judgement, Lost, Usage
from raggate_action.schema.judges import Member, Price

Task = TypeVar("Task", bound=tuple[Any, ...])
_Asked_contra = TypeVar("_Asked_contra", bound=tuple[Any, ...], contravariant=True)

_TOKEN_BYTES: Final = 12
_MILLION: Final = 1_000_000
_LONGEST_DETAIL: Final = 300


class Prompt(Protocol):
    """A prompt as it is sent."""

    @property
    def system(self) -> str:
        """The constant part, the same bytes in every call."""

    @property
    def user(self) -> str:
        """The material."""


class Reading(Protocol):
    """What a reply comes to, held against what was shown."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with it, in sentences for the judge; empty when nothing is."""

    @property
    def usable(self) -> bool:
        """What it says may stand, whatever else is wrong; False of a reply that is not in the form."""

    @property
    def amount(self) -> int:
        """How much it says: a reply that repairs another says no less than it."""

    def fields(self) -> Mapping[str, Any]:
        """What it says, by the fields of a `Judgement`."""


class Size(NamedTuple):
    """How large a call is.

    Attributes:
        prompt_bytes: Of its prompt, UTF-8.
        reply_tokens: A long reply.
    """

    prompt_bytes: int
    reply_tokens: int


class Job(Protocol[_Asked_contra]):
    """What judges are asked: a task is a tuple with all that its prompt holds beside the constant part."""

    @property
    def name(self) -> JobName:
        """As judgements have it."""

    @property
    def digest(self) -> str:
        """Of all that is constant: templates, the reply's schema, the way of rendering."""

    @property
    def schema_name(self) -> str:
        """Name of the reply's form."""

    def schema(self) -> Mapping[str, JsonValue]:
        """JSON Schema of a reply."""

    def prompt(self, task: _Asked_contra, token: str) -> Prompt:
        """The prompt for a task; pieces of it stand between lines that are known by the token."""

    def read(self, text: str, task: _Asked_contra, prompt: Any, *, fenced: bool) -> Reading:
        """Read a reply to the prompt. `fenced`: a fence of Markdown around the whole of it is no fault."""

    def repair(self, problems: Iterable[str]) -> str:
        """What a judge is told of a reply that cannot be used as it is."""

    def size(self, task: _Asked_contra) -> Size:
        """How large a call is, about, before a prompt is made."""

    def fits(self, judgement: Judgement, task: _Asked_contra) -> bool:
        """Whether a stored judgement speaks of the task alone, and quotes what stands there."""


def random_token() -> str:
    """A token that nobody who wrote the material could know."""
    return secrets.token_hex(_TOKEN_BYTES)


def cost_of(usage: Usage, price: Price | None) -> float | None:
    """US dollars for these tokens; None where the price is unknown."""
    if price is None:
        return None
    cached = min(usage.cached, usage.input)
    kept = price.input if price.cached is None else price.cached
    return ((usage.input - cached) * price.input + cached * kept + usage.output * price.output) / _MILLION


class _Asked(NamedTuple):
    """What calls came to: a reading, or why there is none; and what they took."""

    found: Reading | Lost
    usage: Usage
    calls: int


class _Of(NamedTuple):
    """What a judgement is of, as its record has it."""

    about: About
    id: str
    ask: int
    key: str


class Judge(Generic[Task]):
    """A member of a panel at a job.

    Attributes:
        member: As the suite has it.
        fingerprint: Digest of what it is.
        prompt: Digest of the constant part of the prompt.
        job: The job.
    """

    def __init__(self, member: Member, chat: Chat, job: Job[Task], draw: Callable[[], str] = random_token) -> None:
        """A judge.

        Args:
            member: Which one.
            chat: Its endpoint.
            job: What it is asked.
            draw: Draws the token of a call's lines around pieces.
        """
        self.member = member
        self.fingerprint = fingerprint(member)
        self.prompt = job.digest
        self.job = job
        self._chat = chat
        self._draw = draw

    def key(self, task: Task) -> str:
        """What the judgement of a task is known by."""
        return content_key(self.fingerprint, self.prompt, task)

    async def judge(
        self,
        task: Task,
        *,
        about: About,
        id: str,  # noqa: A002 - as the record has it
        ask: int = 0,
        key: str | None = None,
        calls_left: int,
    ) -> Judgement:
        """Ask about a task. What goes wrong is a judgement that is lost, never raised.

        Args:
            task: What to judge.
            about: What the judgement is of.
            id: Which of them.
            ask: How often that had been asked before.
            key: As `key` gives it, where it is at hand.
            calls_left: Calls it may take; a reply is sent back for repair where two are left.
        """
        of = _Of(about, id, ask, key if key is not None else self.key(task))
        return self._judgement(of, await self._asked(task, calls_left))

    def not_asked(self, why: Lost, *, about: About, id: str, ask: int, key: str) -> Judgement:  # noqa: A002
        """The judgement of a task that nobody was asked about.

        Args:
            why: Why not.
            about: As in `judge`.
            id: As in `judge`.
            ask: As in `judge`.
            key: What the judgement of the task is known by.
        """
        return self._judgement(_Of(about, id, ask, key), _Asked(why, Usage(), 0))

    def _judgement(self, of: _Of, asked: _Asked) -> Judgement:
        found, usage, calls = asked
        is_lost = isinstance(found, Lost)
        said: Mapping[str, Any] = {"lost": found} if isinstance(found, Lost) else found.fields()
        unsaid = not is_lost and is_unsaid(usage, self.member.price)
        cost = None if unsaid else cost_of(usage, self.member.price)
        return Judgement(
            **of._asdict(),
            job=self.job.name,
            judge=self.member.name,
            fingerprint=self.fingerprint,
            prompt=self.prompt,
            usage=usage,
            calls=calls,
            # What was not sent costs nothing at any price.
            cost_usd=cost if calls else 0.0,
            **said,
        )

    async def _asked(self, task: Task, calls_left: int) -> _Asked:
        if calls_left < 1:
            return _Asked(Lost(code="budget", detail="no call is left for this answer"), Usage(), 0)
        prompt = self.job.prompt(task, self._draw())
        characters = len(prompt.system) + len(prompt.user)
        if characters > MOST_CHARACTERS:
            return _Asked(_too_long(characters), Usage(), 0)
        request = ChatRequest(prompt.system, prompt.user, self.job.schema_name, self.job.schema())
        outcome = await self._chat.complete(request)
        first = _Asked(self._found(outcome, task, prompt), outcome.usage, _sent(outcome))
        if not isinstance(outcome, ChatReply) or isinstance(first.found, Lost) or not first.found.problems:
            return first
        if calls_left < 2:
            return first._replace(found=_standing(first.found))
        sent_back = Exchange(outcome.text, self.job.repair(first.found.problems))
        outcome = await self._chat.complete(request._replace(earlier=(sent_back,)))
        again = self._found(outcome, task, prompt)
        return _Asked(_better(first.found, again), usage_of_both(first.usage, outcome.usage), 1 + _sent(outcome))

    def _found(self, outcome: ChatOutcome, task: Task, prompt: Prompt) -> Reading | Lost:
        if not isinstance(outcome, ChatReply):
            return outcome.lost
        return self.job.read(outcome.text, task, prompt, fenced=self.member.structured == "text")


def _better(first: Reading, again: Reading | Lost) -> Reading | Lost:
    """What counts after a repair attempt: the repaired reply, unless it says less than the first could."""
    if isinstance(again, Lost):
        return first if first.usable else again
    if first.usable and (not again.usable or again.amount < first.amount):
        return first
    return _standing(again)


def _standing(reading: Reading) -> Reading | Lost:
    """What of a reply stands with its problems: all that is sound of one in the form, nothing of another."""
    if reading.usable:
        return reading
    detail = "; ".join(reading.problems)
    return Lost(code="judge-off-schema", detail=" ".join(detail.split())[:_LONGEST_DETAIL])


def is_unsaid(usage: Usage, price: Price | None) -> bool:
    """Whether a judge that costs something replied and its endpoint did not say how many tokens that took."""
    return not usage.input and price is not None and bool(price.input or price.output)


def _sent(outcome: ChatOutcome) -> int:
    return int(isinstance(outcome, ChatReply) or outcome.is_sent)


def _too_long(characters: int) -> Lost:
    detail = f"the prompt would be {characters:,} characters; no more than {MOST_CHARACTERS:,} are sent"
    return Lost(code="judge-not-accepted", detail=detail)


def usage_of_both(one: Usage, other: Usage) -> Usage:
    """The tokens of two calls together."""
    return Usage(input=one.input + other.input, cached=one.cached + other.cached, output=one.output + other.output)
