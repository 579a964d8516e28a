"""The form of a reply to the claims job."""

from __future__ import annotations

from raggate_action.judges.reply_form import ReplyPart
from raggate_action.schema.base import Positive
from raggate_action.schema.judgement import JudgedVerdict

SCHEMA_NAME = "examined_claims"


class Quoted(ReplyPart):
    """A chunk, by the name it was shown with, and its words."""

    chunk: str
    quote: str


class SplitOff(ReplyPart):
    """A statement that a claim joins with others."""

    span: str
    verdict: JudgedVerdict


class Examined(ReplyPart):
    """A claim, by the number it was shown with. The verdict stands last: a model writes it after what it rests on."""

    claim: Positive
    support: tuple[Quoted, ...] = ()
    against: Quoted | None = None
    note: str | None = None
    parts: tuple[SplitOff, ...] = ()
    verdict: JudgedVerdict


class Looked(ReplyPart):
    """A point, by its number, and the claim that states it."""

    point: Positive
    claim: Positive | None = None


class ClaimsReply(ReplyPart):
    """A whole reply."""

    claims: tuple[Examined, ...]
    declines: bool | None = None
    points: tuple[Looked, ...] = ()
