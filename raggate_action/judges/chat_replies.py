"""What an endpoint's answer comes to: a reply, a reply that counts for nothing, or an attempt to be made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import from_json

from raggate_action.isolation.error_line import ErrorLines
from raggate_action.judges.chat_call import ChatReply, LostCall
from raggate_action.judges.chat_errors import Asking, Missed, Problem, Refused, lost, read_error
from raggate_action.network.addresses import shown_address
from raggate_action.schema.judgement import Lost, Usage

_LARGEST_COUNT = 2**40


class HttpAnswer(NamedTuple):
    """What came over HTTP; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    raw: bytes


Reading: TypeAlias = ChatReply | LostCall | Missed | Refused


def read_answer(answer: HttpAnswer, asking: Asking) -> Reading:
    """What an answer comes to; nothing of it raises.

    Args:
        answer: As it came.
        asking: The call.
    """
    body = _json(answer.raw)
    if 300 <= answer.status < 400:
        elsewhere = Problem(shown_address(answer.headers.get("location", "")), "", "", None)
        return read_error(answer.status, elsewhere, asking)
    if not 200 <= answer.status < 300:
        return read_error(answer.status, Problem.of(body, answer.raw), asking)
    if not isinstance(body, dict):
        return Missed(lost("judge-server-error", "the endpoint's reply is no JSON object", answer.raw, asking.lines))
    if body.get("error") and not body.get("choices"):
        # Gateways pass a provider's error on inside a 200.
        problem = Problem.of(body, answer.raw)
        return read_error(problem.status or 500, problem, asking)
    return _of_completion(body, asking.lines)


def _of_completion(body: Mapping[str, Any], lines: ErrorLines) -> ChatReply | LostCall | Missed:
    usage = usage_of(body.get("usage"))
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return LostCall(Lost(code="judge-empty", detail="the reply has no choices"), usage)
    if choice.get("finish_reason") == "error":
        return Missed(lost("judge-server-error", "the model broke off", str(choice.get("error") or ""), lines))
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text = _text(message.get("content"))
    why = _no_verdict(choice.get("finish_reason"), message.get("refusal"), text, lines)
    return ChatReply(text, usage) if why is None else LostCall(why, usage)


def _no_verdict(reason: Any, refusal: Any, text: str, lines: ErrorLines) -> Lost | None:
    """Why a choice holds nothing that may count; None where it does."""
    if reason == "content_filter":
        return Lost(code="judge-filtered", detail="the provider's content filter took the reply")
    if isinstance(refusal, str) and refusal.strip():
        return lost("judge-refused", "the model refused", refusal, lines)
    if reason == "length":
        words = "the reply was cut at its length: raise the limit of tokens in the judge's `parameters`"
        return Lost(code="judge-truncated", detail=words)
    return None if text.strip() else Lost(code="judge-empty", detail="the reply has no text")


def _text(content: Any) -> str:
    """A message's text; some gateways send it in parts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def usage_of(sent: Any) -> Usage:
    """Tokens as an endpoint counts them; what it leaves out, or writes as no count, is 0."""
    usage = sent if isinstance(sent, dict) else {}
    details = usage.get("prompt_tokens_details")
    asked = _count(usage.get("prompt_tokens"))
    kept = _count(details.get("cached_tokens")) if isinstance(details, dict) else 0
    return Usage(input=asked, cached=min(kept, asked), output=_count(usage.get("completion_tokens")))


def _count(value: Any) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_COUNT
    return value if is_count else 0


def _json(raw: bytes) -> Any:
    try:
        return from_json(raw)
    except ValueError:
        return None
