"""One judge at one job: asked once, shown its error once, never read for more than it said."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final, Generic, NamedTuple, TypeAlias

from raggate_action.judges.chat_call import Chat, ChatOutcome, ChatReply, ChatRequest, LostCall
from raggate_action.judges.judging_job import JudgingJob, ReplyReading, Task
from raggate_action.judges.prompts import MOST_CHARACTERS
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.judgement import About, Judgement, Lost, Usage
from raggate_action.schema.judges import Member, Price
from raggate_action.schema.panel import PanelMember


def fingerprint(member: Member) -> str:
    """Digest of what a judge is: endpoint, model, parameters, form of replies.

    Not its name, its lab, its price, its key, or how it is called: none of them changes what it says.
    """
    return _digest([member.base_url.rstrip("/"), member.model, member.parameters, member.structured])


def panel_member(member: Member) -> PanelMember:
    """A judge as records name it."""
    return PanelMember(
        name=member.name,
        lab=member.lab,
        model=member.model,
        fingerprint=fingerprint(member),
        priced=member.price is not None,
    )


def content_key(judge: str, prompt: str, task: tuple[Any, ...]) -> str:
    """Digest of judge, prompt and all that the prompt holds but its token.

    Args:
        judge: The judge's fingerprint.
        prompt: The digest of the constant part.
        task: The material.
    """
    return _digest([judge, prompt, getattr(task, "material", task)])


def _digest(value: object) -> str:
    # In ASCII: half a surrogate pair, which an app may answer with, has no UTF-8.
    return digest_of_text(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True))


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


class CallResult(NamedTuple):
    """What calls came to: a reading, or why there is none; and what they took.

    Attributes:
        found: It.
        usage: Tokens, as far as they are known.
        calls: Calls made.
        attempts: Further attempts at them.
        unmetered: Attempts of whose tokens nobody knows.
        too_long: The endpoint refused the length of the prompt.
    """

    found: ReplyReading | Lost
    usage: Usage = Usage()
    calls: int = 0
    attempts: int = 0
    unmetered: int = 0
    too_long: bool = False

    @classmethod
    def of(cls, found: ReplyReading | Lost, *outcomes: ChatOutcome) -> CallResult:
        """What some calls came to together."""
        sent = [each for each in outcomes if each.attempts]
        usage = reduce(Usage.plus, [each.usage for each in outcomes])
        attempts, unmetered = sum(each.attempts for each in sent), sum(each.unmetered for each in sent)
        too_long = any(isinstance(each, LostCall) and each.too_long for each in outcomes)
        return cls(found, usage, len(sent), attempts - len(sent), unmetered, too_long)

    def behind(self, refused: CallResult) -> CallResult:
        """The same, with what an earlier call took that was refused."""
        return self._replace(
            usage=refused.usage.plus(self.usage),
            calls=refused.calls + self.calls,
            attempts=refused.attempts + self.attempts,
            unmetered=refused.unmetered + self.unmetered,
        )


# Whether a second call may be made after what the first took.
MayGoOn: TypeAlias = Callable[[Usage], bool]


def always(_usage: Usage) -> bool:
    """Nothing forbids a second call."""
    return True


class JudgingSubject(NamedTuple):
    """What is judged; the fields are those of `Judgement`."""

    about: About
    id: str
    ask: int = 0


class Judge(Generic[Task]):
    """A member of a panel at a job.

    Attributes:
        member: As the suite has it.
        fingerprint: Digest of what it is.
        prompt: Digest of the constant part of the prompt.
        job: The job.
    """

    def __init__(
        self, member: Member, chat: Chat, job: JudgingJob[Task, Any], draw: Callable[[], str] = random_token
    ) -> None:
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
        subject: JudgingSubject,
        *,
        key: str | None = None,
        calls_left: int,
        may_go_on: MayGoOn = always,
    ) -> Judgement:
        """Ask about a task, as `ask`. What goes wrong is a judgement that is lost.

        Args:
            task: What to judge.
            subject: What it is of.
            key: As `key` gives it, where it is at hand.
            calls_left: As in `ask`.
            may_go_on: As in `ask`.
        """
        found = await self.ask(task, calls_left, may_go_on)
        return self._judgement(subject, key if key is not None else self.key(task), found)

    async def ask(self, task: Task, calls_left: int, may_go_on: MayGoOn = always) -> CallResult:
        """Ask about a task. What goes wrong is a value, never raised.

        Where the endpoint refuses the length, it is asked once more without chunks that can decide nothing, and the
        reading says which these are.

        Args:
            task: What to judge.
            calls_left: Calls it may take; a reply is sent back for repair where two are left.
            may_go_on: Whether a second call may be made after what the first took.
        """
        whole = await self._exchange(task, calls_left, may_go_on)
        short = self.job.shortened(task) if whole.too_long and isinstance(whole.found, Lost) else None
        if short is None or whole.calls >= calls_left or not may_go_on(whole.usage):
            return whole
        rest, left_out = short
        again = (await self._exchange(rest, calls_left - whole.calls, may_go_on)).behind(whole)
        if isinstance(again.found, ReplyReading):
            told = again.found._replace(fields={**again.found.fields, "left_out": left_out})
            return again._replace(found=told)
        of = len(left_out) + len(getattr(rest, "chunks", ()))
        beside = f"; so it was without {len(left_out):,} of {of:,} chunks" if again.too_long else ""
        return again._replace(found=again.found.model_copy(update={"detail": f"{again.found.detail}{beside}"}))

    async def _exchange(self, task: Task, calls_left: int, may_go_on: MayGoOn) -> CallResult:
        """Ask about a task as it is, and once more about what the reply leaves over, or lacks."""
        if calls_left < 1:
            return CallResult(Lost(code="budget", detail="no call is left for this answer"))
        job, request = self.job, self._request(task)
        characters = len(request.system) + len(request.user)
        if characters > MOST_CHARACTERS:
            detail = f"the prompt would be {characters:,} characters; no more than {MOST_CHARACTERS:,} are sent"
            return CallResult(Lost(code="judge-not-accepted", detail=detail))

        def found_in(outcome: ChatOutcome, of: Task) -> ReplyReading | Lost:
            if not isinstance(outcome, ChatReply):
                return outcome.lost
            return job.reading(outcome.text, of, fenced=outcome.by_words)

        outcome = await self._chat.complete(request)
        first = found_in(outcome, task)
        if not isinstance(outcome, ChatReply) or isinstance(first, Lost) or not first.problems:
            return CallResult.of(first, outcome)
        # What is longer than a prompt may be is not sent back either.
        if calls_left < 2 or characters + len(outcome.text) > MOST_CHARACTERS or not may_go_on(outcome.usage):
            return CallResult.of(_standing(first), outcome)
        rest = job.left_over(task, first)
        if rest is None:
            sent_back = outcome.text, job.repair(first.problems)
            again = await self._chat.complete(request._replace(earlier=(sent_back,)))
            found = _better(first, found_in(again, task))
        else:
            # A call of its own: a judge that sees its faulty reply beside the question repeats it.
            again = await self._chat.complete(self._request(rest))
            found = _completed(job, task, first, found_in(again, rest))
        return CallResult.of(found, outcome, again)

    def _request(self, task: Task) -> ChatRequest:
        prompt = self.job.prompt(task, self._draw())
        return ChatRequest(prompt.system, prompt.user, self.job.schema_name, self.job.schema(task))

    def lost_judgement(self, why: Lost, subject: JudgingSubject, key: str) -> Judgement:
        """The judgement of a task, known by its key, that nobody was asked about."""
        return self._judgement(subject, key, CallResult(why))

    def _judgement(self, subject: JudgingSubject, key: str, call: CallResult) -> Judgement:
        found, usage, calls, attempts, unmetered, _too_long = call
        is_lost = isinstance(found, Lost)
        fields: Mapping[str, Any] = {"lost": found} if isinstance(found, Lost) else found.fields
        unsaid = (unmetered or not is_lost) and is_usage_missing(usage, self.member.price)
        cost = None if unsaid else cost_of(usage, self.member.price)
        return Judgement(
            **subject._asdict(),
            key=key,
            job=self.job.name,
            judge=self.member.name,
            fingerprint=self.fingerprint,
            prompt=self.prompt,
            usage=usage,
            calls=calls,
            attempts=attempts,
            unmetered=unmetered,
            # What was not sent costs nothing at any price.
            cost_usd=cost if calls else 0.0,
            **fields,
        )


def _better(first: ReplyReading, again: ReplyReading | Lost) -> ReplyReading | Lost:
    """What counts after a repair attempt: the repaired reply, unless it says less than the first could."""
    if isinstance(again, Lost):
        return first if first.usable else again
    if first.usable and (not again.usable or again.amount < first.amount):
        return first
    return _standing(again)


def _completed(
    job: JudgingJob[Task, Any], task: Task, first: ReplyReading, again: ReplyReading | Lost
) -> ReplyReading | Lost:
    """What counts after what a first reply left over was asked for."""
    if isinstance(again, Lost):
        return first if first.usable else again
    if not again.usable:
        return _standing(first if first.usable else again)
    return job.joined(task, first, again) if first.usable else again


def _standing(reading: ReplyReading) -> ReplyReading | Lost:
    """What of a reply stands with its problems: all that is sound of one in the form, nothing of another."""
    if reading.usable:
        return reading
    detail = "; ".join(reading.problems)
    return Lost(code="judge-off-schema", detail=" ".join(detail.split())[:_LONGEST_DETAIL])


def is_usage_missing(usage: Usage, price: Price | None) -> bool:
    """Whether a judge that costs something replied and its endpoint did not say how many tokens that took."""
    return not usage.input and price is not None and bool(price.input or price.output)
