"""Strings that programs write for programs: identifiers, states, moments, JSON; none of them answers a person."""

from __future__ import annotations

import re
from functools import cache

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*|\d{10}(?:\d{3})?(?:\.\d+)?")
_ADDRESS = re.compile(r"(?:https?|s3|gs|file)://\S+|data:\S+;base64,\S*")
_STATES = frozenset({
    "ok", "okay", "success", "succeeded", "successful", "complete", "completed", "done", "finished", "finish", "ready",
    "error", "failed", "failure", "fail", "pending", "queued", "running", "processing", "in_progress", "in progress",
    "active", "stop", "stopped", "end_turn", "length", "max_tokens", "tool_calls", "tool_use", "content_filter",
    "incomplete", "cancelled", "canceled", "expired", "true", "false", "null", "none", "undefined", "assistant", "user",
    "ai", "human", "system", "model", "tool", "text", "message", "response", "answer", "json", "string", "object",
})  # fmt: skip
_JSON = re.compile(r"\s*(?:\{\s*[\"'}]|\[\s*[\"'{\[])")


@cache
def _identifier() -> re.Pattern[str]:
    """Names that programs make up; compiled for the first reply of a form that is not raggate's own."""
    return re.compile(
        r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"  # UUID
        r"|[0-9a-f]{16,}"  # a digest
        r"|(?=[\w.:-]*\d)[a-z][a-z0-9]{1,24}[_-][A-Za-z0-9_-]{10,}"  # asst_abc123DEF456, chatcmpl-9aBc...
        r"|(?:asst|msg|thread|run|resp|chatcmpl|cmpl|file|req|gen|call|toolu|conv|sess|trace|step|evt|vs|ws|fs|rs)[_-][A-Za-z0-9]{3,}"
        r"|arn:\S+|urn:\S+|projects/\S+|[0-9A-HJKMNP-TV-Z]{26}",  # names of clouds, ULID
        re.IGNORECASE,
    )


def is_identifier(text: str) -> bool:
    """Whether a program made it up as a name: a UUID, a digest, `asst_abc123...`, a cloud's resource name."""
    return _identifier().fullmatch(text.strip()) is not None


def is_machine_value(text: str) -> bool:
    """Whether a string is an identifier, a state, a moment, an address, JSON or a widget's markup, or blank."""
    plain = text.strip()
    return (
        not plain
        or plain.lower() in _STATES
        or is_identifier(plain)
        or _MOMENT.fullmatch(plain) is not None
        or _ADDRESS.fullmatch(plain) is not None
        or holds_json(plain)
        or plain[:7].lower() in _WIDGETS
    )


_WIDGETS = frozenset({"<style>", "<style ", "<script"})


def holds_json(text: str) -> bool:
    """Whether a text is JSON (or a Python literal) rather than words: it begins as an object or a list of them does."""
    return _JSON.match(text) is not None and text.rstrip()[-1:] in {"}", "]"}


def is_prose(text: str) -> bool:
    """Whether a text says something in words: at least three, or, where a language writes no spaces, ten characters."""
    plain = text.strip()
    if is_machine_value(plain):
        return False
    words = plain.split()
    return len(words) >= _FEWEST_WORDS or (not plain.isascii() and len(plain) >= _FEWEST_CHARACTERS)


def is_passage(text: str) -> bool:
    """Whether a text can be what an answer rests on: a sentence, or as many words as no title has."""
    plain = text.strip()
    return is_prose(plain) and (plain[-1] in ".!?。！？…:|)" or len(plain.split()) >= _NO_TITLE or not plain.isascii())


def asks(text: str) -> bool:
    """Whether a text is one question, and nothing else."""
    return text.rstrip()[-1:] in {"?", "？", "؟"} and not _SENTENCE_END.search(text.strip())


_SENTENCE_END = re.compile(r"[.!]\s|[。！\n]")
_NO_TITLE = 8
_FEWEST_WORDS = 3
_FEWEST_CHARACTERS = 10
