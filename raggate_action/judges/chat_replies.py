"""What an endpoint's answer or error comes to: a reply, a lost call, another attempt, or a refusal of all calls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic_core import from_json

from raggate_action.isolation.error_line import ErrorLines
from raggate_action.judges.chat_call import Blame, ChatOutcome, ChatReply, LostCall
from raggate_action.judges.reply_form import OffSchemaError, once
from raggate_action.network.addresses import printable_address
from raggate_action.network.bounded_reply import BYTE_ORDER_MARK, json_problem
from raggate_action.schema.judgement import Lost, LostCode, Usage

_QUOTED = 200
_FILTERED = re.compile(r"content.?(?:filter|policy|management)|moderation|flagged", re.IGNORECASE)
# What endpoints say of a prompt that is longer than the model reads: OpenAI and those who speak as it does, vLLM,
# llama.cpp, Ollama, LM Studio, text-generation-inference, Anthropic, Bedrock, Gemini, Mistral.
_CONTEXT = re.compile(
    r"context.?(?:length|size|window|limit)|maximum (?:context|model length)|context.{0,12}overflow"
    r"|(?:prompt|input|inputs|request|messages).{0,40}too (?:long|large)|too many (?:input )?tokens"
    r"|input tokens? (?:count|length).{0,20}exceeds?|exceeds? .{0,40}(?:tokens|length)"
    r"|inputs?`? must have less than|inputs?`? tokens .{0,30}must be <=",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"too (?:long|large)|token limit", re.IGNORECASE)
# A limit of the reply, which is a setting of the suite.
_OF_THE_REPLY = re.compile(r"max_(?:completion_|new_)?tokens|completion tokens", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient.?(?:quota|credit|balance|funds)|exceeded your current quota", re.IGNORECASE)
# What another attempt may mend, beside every 5xx. 409: some gateways answer so while a model is being loaded.
_AGAIN: dict[int, tuple[LostCode, str]] = {
    408: ("judge-timeout", "the endpoint gave up waiting"),
    409: ("judge-server-error", "the endpoint is not ready"),
    425: ("judge-server-error", "the endpoint is not ready"),
    429: ("judge-rate-limited", "the endpoint takes no more calls for now"),
}


class CallContext(NamedTuple):
    """What of a call its answer is read by.

    Attributes:
        lines: Strikes the key from the endpoint's words.
        has_key: A key was sent.
        settings: What the suite sets for every call, as an error would name it: parameters, and the model.
    """

    lines: ErrorLines
    has_key: bool
    settings: tuple[str, ...]


def lost(code: LostCode, words: str, message: bytes | str, lines: ErrorLines) -> Lost:
    """A loss in our words, and what the endpoint says of it: on one line, cut, without the key."""
    quoted = lines.line(
        message.decode(errors="replace") if isinstance(message, bytes) else message,
        _QUOTED,
    )
    return Lost(code=code, detail=f"{words}: {quoted}" if quoted else words)


class ReportedError(NamedTuple):
    """An error as an endpoint writes it, in whichever of the usual forms.

    Attributes:
        message: For people.
        code: Its code and type, for machines.
        param: The field of the request that it is about.
        status: The status that it names itself.
    """

    message: str
    code: str
    param: str
    status: int | None

    @classmethod
    def of(cls, body: Any, raw: bytes) -> ReportedError:
        """Read an error.

        Args:
            body: It, where it is JSON.
            raw: As it came.
        """
        error = body.get("error", body) if isinstance(body, dict) else body
        if not isinstance(error, dict):
            text = error if isinstance(error, str) else raw.decode(errors="replace")
            return cls(text, "", "", None)
        message = next((error[key] for key in ("message", "detail", "error") if isinstance(error.get(key), str)), None)
        code = error.get("code")
        status = code if isinstance(code, int) and 400 <= code <= 599 else None
        codes = " ".join(str(error[key]) for key in ("code", "type") if error.get(key))
        return cls(message or raw.decode(errors="replace"), codes, str(error.get("param") or ""), status)


def read_error(status: int, problem: ReportedError, asking: CallContext) -> LostCall:
    """What an error comes to.

    Args:
        status: Of the answer; what is no error either is a redirect.
        problem: What the endpoint says.
        asking: The call.
    """
    message = f"{problem.code} {problem.message}"
    if status in {400, 403, 422} and _FILTERED.search(message):
        words = f"the provider's content filter took the call ({status})"
        return LostCall(lost("judge-filtered", words, problem.message, asking.lines))
    if status in {401, 402, 403} or (status == 429 and _NO_CREDIT.search(message)):
        words, blame = _of_key(status, has_key=asking.has_key)
        return LostCall(lost("judge-key", f"{words} ({status})", problem.message, asking.lines), refuses=blame)
    if status == 413 or (status >= 400 and status not in _AGAIN and _CONTEXT.search(message)):
        # Some servers answer 500: a prompt that was too long once is so again.
        words = f"the prompt is too long for the model ({status})"
        why = lost("judge-not-accepted", words, problem.message, asking.lines)
        return LostCall(why, too_long=True, refuses=Blame.CALL)
    if status in _AGAIN or status >= 500:
        code, words = _AGAIN.get(status, ("judge-server-error", "the endpoint failed"))
        return LostCall(lost(code, f"{words} ({status})", problem.message, asking.lines), again=True)
    words, blame = _not_accepted(status, message, problem.param, asking.settings)
    why = lost("judge-not-accepted", f"{words} ({status})", problem.message, asking.lines)
    return LostCall(why, refuses=blame)


def _of_key(status: int, *, has_key: bool) -> tuple[str, Blame]:
    if status == 401:
        words = "the endpoint refuses the key" if has_key else "the endpoint wants a key: name it by `api_key_env`"
        return words, Blame.ALL
    if status == 403:
        # Later it may be about one call: gateways answer so to what their moderation flags.
        return "the key may not be used for this model", Blame.ALL_AT_FIRST
    return "the account behind the key has no credit left", Blame.ALL


def _not_accepted(status: int, message: str, param: str, settings: tuple[str, ...]) -> tuple[str, Blame]:
    if status < 400:
        return "the endpoint sends elsewhere: write the whole address as `base_url`", Blame.ALL
    if status in {404, 405, 410}:
        return "the endpoint knows no such model, or `base_url` is no chat API", Blame.ALL_AT_FIRST
    if _TOO_LONG.search(message) and not _OF_THE_REPLY.search(message):
        return "the call is too long for the endpoint", Blame.CALL
    named = param in settings or any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message) for name in settings)
    return "the endpoint does not take the call", Blame.ALL_AT_FIRST if named else Blame.PERHAPS_ALL


_LARGEST_COUNT = 2**40


class HttpAnswer(NamedTuple):
    """What came over HTTP; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    raw: bytes


def read_answer(answer: HttpAnswer, asking: CallContext) -> ChatOutcome:
    """What an answer comes to; nothing of it raises.

    Args:
        answer: As it came.
        asking: The call.
    """
    raw = answer.raw.removeprefix(BYTE_ORDER_MARK)
    is_reply = 200 <= answer.status < 300
    if is_reply and (unread := _unread(raw)) is not None:
        why = Lost(code="judge-off-schema", detail=f"the endpoint's reply is off schema: {unread}")
        return LostCall(why, unmetered=1)
    body = _json(raw)
    if 300 <= answer.status < 400:
        elsewhere = ReportedError(printable_address(answer.headers.get("location", "")), "", "", None)
        return read_error(answer.status, elsewhere, asking)
    if not is_reply:
        return read_error(answer.status, ReportedError.of(body, raw), asking)
    if not isinstance(body, dict):
        why = lost("judge-server-error", "the endpoint's reply is no JSON object", raw, asking.lines)
        return LostCall(why, again=True)
    if body.get("error") and not body.get("choices"):
        # Gateways pass a provider's error on inside a 200.
        problem = ReportedError.of(body, raw)
        return read_error(problem.status or 500, problem, asking)
    return _of_completion(body, asking.lines)


def _of_completion(body: Mapping[str, Any], lines: ErrorLines) -> ChatOutcome:
    usage = usage_of(body.get("usage"))
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return LostCall(Lost(code="judge-empty", detail="the reply has no choices"), usage)
    if choice.get("finish_reason") == "error":
        broken = lost("judge-server-error", "the model broke off", str(choice.get("error") or ""), lines)
        return LostCall(broken, again=True)
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
    prompt = _count(usage.get("prompt_tokens"))
    kept = _count(details.get("cached_tokens")) if isinstance(details, dict) else 0
    return Usage(input=prompt, cached=min(kept, prompt), output=_count(usage.get("completion_tokens")))


def _count(value: Any) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_COUNT
    return value if is_count else 0


def _unread(raw: bytes) -> str | None:
    """Why a reply is not read, whatever it says; None where it may be."""
    if (problem := json_problem(raw)) is not None:
        return problem
    try:
        json.loads(raw, object_pairs_hook=once)
    except OffSchemaError as twice:
        return "; ".join(twice.problems)
    except ValueError:
        return None
    return None


def _json(raw: bytes) -> Any:
    try:
        return from_json(raw)
    except ValueError:
        return None
