"""A judge asked to repair an answer: what nothing backs is dropped, softened or cited rightly, in one paragraph.

What comes back is a proposal like any answer: whoever asked has it judged before it is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from raggate_action.judges.asking import cost_of, random_token
from raggate_action.judges.claims_reply import ReplyPart, reply_schema
from raggate_action.judges.interface import AskedChunk, Chat, ChatReply, ChatRequest
from raggate_action.judges.keys import fingerprint
from raggate_action.judges.prompts import MOST_CHARACTERS, Piece, chunk_names, chunk_pieces, template, user_part
from raggate_action.judges.strict_json import OffSchemaError, parsed
from raggate_action.schema.base import digest_of, digest_of_text
from raggate_action.schema.case_run import Verdict
from raggate_action.schema.judgement import Judgement, Lost, Usage
from raggate_action.schema.judges import Member

# One short paragraph, in characters.
LONGEST: Final = 600
_SCHEMA_NAME: Final = "repaired_answer"


class FixReply(ReplyPart):
    """The whole reply."""

    fix: str | None


class FoundClaim(NamedTuple):
    """A claim as it was judged; `note` says what is wrong with it, where somebody said so."""

    text: str
    verdict: Verdict
    note: str | None


class FixTask(NamedTuple):
    """An answer to be repaired."""

    answer: str
    claims: tuple[FoundClaim, ...]
    chunks: tuple[AskedChunk, ...]


class WrittenFix(NamedTuple):
    """What came of asking.

    Attributes:
        text: The paragraph; None where the judge was lost, wrote none, or wrote more than one paragraph.
        asked: The call: what it cost, and why it was lost where it was. It holds no vote.
    """

    text: str | None
    asked: Judgement


async def write_fix(
    member: Member, chat: Chat, task: FixTask, *, about: str, draw: Callable[[], str] = random_token
) -> WrittenFix:
    """Ask a judge once for a repaired answer. What goes wrong is a value, never raised.

    Args:
        member: The judge.
        chat: Its endpoint.
        task: The answer.
        about: The id of the answer, for the record of the call.
        draw: Draws the token of the call.
    """
    user = user_part(_pieces(task), "Write the answer anew and reply with the JSON object alone.", draw())
    if len(user) > MOST_CHARACTERS:
        detail = f"the prompt would be longer than the {MOST_CHARACTERS:,} characters that are sent"
        lost: Lost | None = Lost(code="judge-not-accepted", detail=detail)
        return WrittenFix(None, _record(member, user, about, lost, Usage(), calls=0))
    outcome = await chat.complete(ChatRequest(_system_part(), user, _SCHEMA_NAME, reply_schema(FixReply)))
    text, lost, calls = None, None, 1
    if isinstance(outcome, ChatReply):
        try:
            text = _paragraph(parsed(outcome.text, FixReply, fenced=member.structured == "text").fix)
        except OffSchemaError as wrong:
            lost = Lost(code="judge-off-schema", detail="; ".join(wrong.problems)[:300])
    else:
        lost, calls = outcome.lost, int(outcome.is_sent)
    return WrittenFix(text, _record(member, user, about, lost, outcome.usage, calls=calls))


def _record(member: Member, user: str, about: str, lost: Lost | None, usage: Usage, *, calls: int) -> Judgement:
    return Judgement(
        id=about,
        judge=member.name,
        fingerprint=fingerprint(member),
        prompt=digest_of([_system_part()]),
        key=digest_of_text(user),
        lost=lost,
        usage=usage,
        calls=calls,
        cost_usd=cost_of(usage, member.price),
    )


def _paragraph(text: str | None) -> str | None:
    """The text in one line; None where it is empty, too long, or of several paragraphs."""
    lines = (text or "").strip().splitlines()
    if not lines or not all(map(str.strip, lines)):
        return None
    joined = " ".join(" ".join(lines).split())
    return joined if len(joined) <= LONGEST else None


def _pieces(task: FixTask) -> Iterable[Piece]:
    yield from chunk_pieces(chunk_names(task.chunks))
    yield Piece("answer", task.answer)
    for number, claim in enumerate(task.claims, 1):
        yield Piece(f"claim {number}, {claim.verdict}", claim.text)
        if claim.note and claim.verdict != "supported":
            yield Piece(f"note on claim {number}", claim.note)


@cache
def _system_part() -> str:
    schema = json.dumps(reply_schema(FixReply), separators=(",", ":"))
    return template("fix.system.j2").render(schema=schema, longest=LONGEST)
