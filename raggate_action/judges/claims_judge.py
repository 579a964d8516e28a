"""One judge at the claims job: asked once about an answer, shown its error once, never read for more than it said."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from raggate_action.judges.claims_reading import Reading, read_reply
from raggate_action.judges.claims_reply import SCHEMA_NAME, reply_schema
from raggate_action.judges.interface import Chat, ChatOutcome, ChatReply, ChatRequest, ClaimsTask, Exchange
from raggate_action.judges.keys import content_key, fingerprint
from raggate_action.judges.prompts import MOST_CHARACTERS, Prompt, claims_prompt, claims_prompt_digest, repair_part
from raggate_action.schema.judgement import Judgement, Lost, Usage
from raggate_action.schema.judges import Member, Price

_TOKEN_BYTES: Final = 12
_MILLION: Final = 1_000_000
_LONGEST_DETAIL: Final = 300


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


def _is_unsaid(found: Reading | Lost, usage: Usage, price: Price | None) -> bool:
    """Whether a judge that costs something replied and its endpoint did not say how many tokens that took."""
    return isinstance(found, Reading) and not usage.input and price is not None and bool(price.input or price.output)


class _Asked(NamedTuple):
    """What calls came to: a reading, or why there is none; and what they took."""

    found: Reading | Lost
    usage: Usage
    calls: int


class _Of(NamedTuple):
    """What a judgement is of, as its record has it."""

    about: Literal["case", "label"]
    id: str
    ask: int
    key: str


class ClaimsJudge:
    """A member of the panel at the claims job.

    Attributes:
        member: As the suite has it.
        fingerprint: Digest of what it is.
        prompt: Digest of the constant part of the prompt.
    """

    def __init__(self, member: Member, chat: Chat, draw: Callable[[], str] = random_token) -> None:
        """A judge.

        Args:
            member: Which one.
            chat: Its endpoint.
            draw: Draws the token of a call's lines around pieces.
        """
        self.member = member
        self.fingerprint = fingerprint(member)
        self.prompt = claims_prompt_digest()
        self._chat = chat
        self._draw = draw

    def key(self, task: ClaimsTask) -> str:
        """What the judgement of a task is known by."""
        return content_key(self.fingerprint, self.prompt, task)

    async def judge(
        self,
        task: ClaimsTask,
        *,
        about: Literal["case", "label"],
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

    def not_asked(self, why: Lost, *, about: Literal["case", "label"], id: str, ask: int, key: str) -> Judgement:  # noqa: A002
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
        said = found if isinstance(found, Reading) else Reading()
        price = self.member.price
        cost = None if _is_unsaid(found, usage, price) else cost_of(usage, price)
        return Judgement(
            **of._asdict(),
            judge=self.member.name,
            fingerprint=self.fingerprint,
            prompt=self.prompt,
            lost=found if isinstance(found, Lost) else None,
            votes=said.votes,
            dropped=said.dropped,
            declines=said.declines,
            points=said.points,
            usage=usage,
            calls=calls,
            # What was not sent costs nothing at any price.
            cost_usd=cost if calls else 0.0,
        )

    async def _asked(self, task: ClaimsTask, calls_left: int) -> _Asked:
        if calls_left < 1:
            return _Asked(Lost(code="budget", detail="no call is left for this answer"), Usage(), 0)
        prompt = claims_prompt(task, self._draw())
        if prompt.characters > MOST_CHARACTERS:
            return _Asked(_too_long(prompt), Usage(), 0)
        request = ChatRequest(prompt.system, prompt.user, SCHEMA_NAME, reply_schema())
        outcome = await self._chat.complete(request)
        first = _Asked(self._found(outcome, task, prompt), outcome.usage, _sent(outcome))
        if not isinstance(outcome, ChatReply) or not isinstance(first.found, Reading):
            return first
        if not first.found.problems:
            return first
        if calls_left < 2:
            return first._replace(found=_standing(first.found))
        sent_back = Exchange(outcome.text, repair_part(first.found.problems))
        outcome = await self._chat.complete(request._replace(earlier=(sent_back,)))
        again = self._found(outcome, task, prompt)
        return _Asked(_better(first.found, again), _sum(first.usage, outcome.usage), 1 + _sent(outcome))

    def _found(self, outcome: ChatOutcome, task: ClaimsTask, prompt: Prompt) -> Reading | Lost:
        if not isinstance(outcome, ChatReply):
            return outcome.lost
        return read_reply(outcome.text, task, prompt.labels, fenced=self.member.structured == "text")


def _better(first: Reading, again: Reading | Lost) -> Reading | Lost:
    """What counts after a repair attempt: the repaired reply, unless it says less than the first could."""
    if isinstance(again, Lost):
        return first if first.usable else again
    if first.usable and (not again.usable or len(again.votes) < len(first.votes)):
        return first
    return _standing(again)


def _standing(reading: Reading) -> Reading | Lost:
    """What of a reply stands with its problems: all that is sound of one in the form, nothing of another."""
    if reading.usable:
        return reading
    detail = "; ".join(reading.problems)
    return Lost(code="judge-off-schema", detail=" ".join(detail.split())[:_LONGEST_DETAIL])


def _sent(outcome: ChatOutcome) -> int:
    return int(isinstance(outcome, ChatReply) or outcome.is_sent)


def _too_long(prompt: Prompt) -> Lost:
    detail = f"the prompt would be {prompt.characters:,} characters; no more than {MOST_CHARACTERS:,} are sent"
    return Lost(code="judge-not-accepted", detail=detail)


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(input=one.input + other.input, cached=one.cached + other.cached, output=one.output + other.output)
