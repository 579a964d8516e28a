"""A model writes findings from numbers alone: no word of a question or an answer is within its reach.

What it writes is a proposal. Whoever asks holds it against the same numbers, and it is told once what is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from raggate_action.judges.asking import Size, cost_of, is_unsaid, random_token, usage_of_both
from raggate_action.judges.findings_reply import SCHEMA_NAME, findings_schema, problem_of, read_findings
from raggate_action.judges.interface import Chat, ChatReply, ChatRequest, Exchange
from raggate_action.judges.keys import content_key, fingerprint
from raggate_action.judges.prompts import FRAME_BYTES, MOST_CHARACTERS, RENDERING, Piece, template, user_part
from raggate_action.judges.shown_text import shown_text
from raggate_action.judges.strict_json import OffSchemaError
from raggate_action.schema.ab_findings import Finding, FindingKind, Rejection
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import Lost, Usage
from raggate_action.schema.judges import Member
from raggate_action.schema.synthesis import Synthesis

_REPLY_TOKENS: Final = 1_500
_LONGEST_DETAIL: Final = 300
_CLOSING: Final = "Write what these measures show and reply with the JSON object alone."

# Why findings cannot stand beside the numbers they are about; None where they can. No finding at all cannot.
Check: TypeAlias = Callable[[tuple[Finding, ...]], Rejection | None]


class OfferedNumber(NamedTuple):
    """A number as it may be written: `for the treatment`, `6 of 10 questions`."""

    label: str
    shown: str


class OfferedMeasure(NamedTuple):
    """Something that findings may be about.

    Attributes:
        name: `overall`, `dimension:groundedness`, ...
        kinds: What a finding on it may claim.
        numbers: Those it offers.
        questions: Ids that may be named with it.
    """

    name: str
    kinds: tuple[FindingKind, ...]
    numbers: tuple[OfferedNumber, ...]
    questions: tuple[str, ...] = ()


class SynthesisTask(NamedTuple):
    """All that a model is given. Nothing here holds a question's text, an answer's, or a judge's reasons.

    Attributes:
        measures: What there is to write about, names and numbers.
        most: Findings at most.
    """

    measures: tuple[OfferedMeasure, ...]
    most: int


class _Found(NamedTuple):
    """What one reply comes to: findings that stand, or what is wrong with it."""

    findings: tuple[Finding, ...] = ()
    rejection: Rejection | None = None
    lost: Lost | None = None
    problems: tuple[str, ...] = ()


async def write_findings(
    member: Member,
    chat: Chat,
    task: SynthesisTask,
    check: Check,
    *,
    calls_left: int = 2,
    draw: Callable[[], str] = random_token,
) -> Synthesis:
    """Have findings written. What goes wrong is a value, never raised.

    Args:
        member: The model.
        chat: Its endpoint.
        task: What it is given.
        check: Holds what it writes against the numbers.
        calls_left: Calls it may take; what is not accepted is sent back where two are left.
        draw: Draws the token of the call.
    """
    user = user_part(_pieces(task), _CLOSING, draw())
    characters = len(_system_part()) + len(user)
    if calls_left < 1:
        return never_written(member, task, Lost(code="budget", detail="what the suite allows for judging is used up"))
    if characters > MOST_CHARACTERS:
        detail = f"the prompt would be {characters:,} characters; no more than {MOST_CHARACTERS:,} are sent"
        return never_written(member, task, Lost(code="judge-not-accepted", detail=detail))
    request = ChatRequest(_system_part(), user, SCHEMA_NAME, findings_schema())
    usage, calls, found = Usage(), 0, _Found()
    for _ in range(min(calls_left, 2)):
        outcome = await chat.complete(request)
        usage, calls = (
            usage_of_both(usage, outcome.usage),
            calls + int(isinstance(outcome, ChatReply) or outcome.is_sent),
        )
        if not isinstance(outcome, ChatReply):
            # What it wrote before was not accepted either.
            found = found if found.rejection is not None else _Found(lost=outcome.lost)
            break
        found = _read(outcome.text, check, fenced=member.structured == "text")
        if not found.problems:
            break
        request = request._replace(earlier=(Exchange(outcome.text, _repair_part(found.problems)),))
    return _record(member, task, found, usage, calls)


def never_written(member: Member, task: SynthesisTask, lost: Lost) -> Synthesis:
    """The record of a model that was given no time to write."""
    return _record(member, task, _Found(lost=lost), Usage(), 0)


def written_before(earlier: Iterable[Synthesis], member: Member, task: SynthesisTask, check: Check) -> Synthesis | None:
    """What the same model wrote of the same numbers, where that still stands; None where it has to be asked.

    Args:
        earlier: What is kept of earlier runs. A stranger may have written it: it is held against the numbers anew.
        member: The model.
        task: What it would be given.
        check: Holds findings against the numbers.
    """
    key = synthesis_key(member, task)
    for each in earlier:
        if each.key == key and each.lost is None and (each.rejection or check(each.findings) is None):
            spent = {"usage": Usage(), "calls": 0, "cost_usd": 0.0, "reused": True}
            return each.model_copy(update={**spent, "judge": member.name})
    return None


def synthesis_key(member: Member, task: SynthesisTask) -> str:
    """What the findings of a task are known by."""
    return content_key(fingerprint(member), synthesis_digest(), task)


def synthesis_size(task: SynthesisTask) -> Size:
    """How large a call is, about."""
    texts = [piece.text for piece in _pieces(task)]
    prompt = len(_system_part().encode()) + sum(len(text.encode(errors="replace")) + FRAME_BYTES for text in texts)
    return Size(prompt, _REPLY_TOKENS)


@cache
def synthesis_digest() -> str:
    """Digest of all that is constant: of a prompt without a measure, and of what is said of a reply."""
    blank = SynthesisTask((OfferedMeasure("measure", ("note",), (OfferedNumber("label", "1"),), ("id",)),), 1)
    user = user_part(_pieces(blank), _CLOSING, "token")
    return digest_of([_system_part(), user, _repair_part([""]), dict(findings_schema()), RENDERING])


def _read(text: str, check: Check, *, fenced: bool) -> _Found:
    try:
        findings = read_findings(text, fenced=fenced)
    except OffSchemaError as wrong:
        detail = " ".join("; ".join(wrong.problems).split())[:_LONGEST_DETAIL]
        return _Found(lost=Lost(code="judge-off-schema", detail=detail), problems=wrong.problems)
    rejection = check(findings)
    return _Found(findings) if rejection is None else _Found(rejection=rejection, problems=(problem_of(rejection),))


def _record(member: Member, task: SynthesisTask, found: _Found, usage: Usage, calls: int) -> Synthesis:
    return Synthesis(
        judge=member.name,
        fingerprint=fingerprint(member),
        prompt=synthesis_digest(),
        key=synthesis_key(member, task),
        findings=found.findings,
        rejection=found.rejection,
        lost=found.lost,
        usage=usage,
        calls=calls,
        cost_usd=None if found.lost is None and is_unsaid(usage, member.price) else cost_of(usage, member.price),
    )


def _pieces(task: SynthesisTask) -> Iterable[Piece]:
    yield Piece("limits", f"At most {task.most} findings.")
    yield Piece("measures", "\n".join(map(_line, task.measures)))


def _line(measure: OfferedMeasure) -> str:
    """A measure as a line of JSON: no name can run into the next."""
    value = {
        "measure": measure.name,
        "kinds": measure.kinds,
        "numbers": dict(measure.numbers),
        **({"questions": measure.questions} if measure.questions else {}),
    }
    return json.dumps(value, ensure_ascii=False)


def _repair_part(problems: Iterable[str]) -> str:
    return template("findings.repair.j2").render(problems=[shown_text(problem) for problem in problems])


@cache
def _system_part() -> str:
    schema = json.dumps(findings_schema(), separators=(",", ":"))
    return template("findings.system.j2").render(schema=schema)
