"""What an endpoint's error means for its call, and for those to come."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, NamedTuple

from raggate_action.isolation.error_line import ErrorLines
from raggate_action.judges.chat_call import LostCall
from raggate_action.schema.judgement import Lost, LostCode

_QUOTED = 200
_FILTERED = re.compile(r"content.?(?:filter|policy|management)|moderation|flagged", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context.?(?:length|size|window)|maximum context|too (?:long|large|many tokens)|token limit"
    r"|exceeds? .{0,40}(?:tokens|length)",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient.?(?:quota|credit|balance|funds)|exceeded your current quota", re.IGNORECASE)
# What another attempt may mend, beside every 5xx. 409: some gateways answer so while a model is being loaded.
_AGAIN: dict[int, tuple[LostCode, str]] = {
    408: ("judge-timeout", "the endpoint gave up waiting"),
    409: ("judge-server-error", "the endpoint is not ready"),
    425: ("judge-server-error", "the endpoint is not ready"),
    429: ("judge-rate-limited", "the endpoint takes no more calls for now"),
}


class Blame(Enum):
    """How far a refusal goes: this call, perhaps every call, every call until one was answered, or every call."""

    CALL = 0
    PERHAPS_ALL = 1
    ALL_AT_FIRST = 2
    ALL = 3


class Missed(NamedTuple):
    """An attempt that brought no reply, and that another may mend."""

    lost: Lost


class Refused(NamedTuple):
    """A call that the endpoint does not take, however often."""

    lost: Lost
    blame: Blame
    is_sent: bool = True


class Asking(NamedTuple):
    """What of a call its answer is read by.

    Attributes:
        lines: Strikes the key from the endpoint's words.
        has_key: A key was sent.
        settings: What the suite sets for every call, as an error would name it: parameters, and the model.
    """

    lines: ErrorLines
    has_key: bool
    settings: tuple[str, ...]


def lost(code: LostCode, words: str, said: bytes | str, lines: ErrorLines) -> Lost:
    """A loss in our words, and what the endpoint says of it: on one line, cut, without the key."""
    quoted = lines.line(said.decode(errors="replace") if isinstance(said, bytes) else said, _QUOTED)
    return Lost(code=code, detail=f"{words}: {quoted}" if quoted else words)


class Problem(NamedTuple):
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
    def of(cls, body: Any, raw: bytes) -> Problem:
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


def read_error(status: int, problem: Problem, asking: Asking) -> LostCall | Missed | Refused:
    """What an error comes to.

    Args:
        status: Of the answer; what is no error either is a redirect.
        problem: What the endpoint says.
        asking: The call.
    """
    said = f"{problem.code} {problem.message}"
    if status in {400, 403, 422} and _FILTERED.search(said):
        words = f"the provider's content filter took the call ({status})"
        return LostCall(lost("judge-filtered", words, problem.message, asking.lines))
    if status in {401, 402, 403} or (status == 429 and _NO_CREDIT.search(said)):
        words, blame = _of_key(status, has_key=asking.has_key)
        return Refused(lost("judge-key", f"{words} ({status})", problem.message, asking.lines), blame)
    if status in _AGAIN or status >= 500:
        code, words = _AGAIN.get(status, ("judge-server-error", "the endpoint failed"))
        return Missed(lost(code, f"{words} ({status})", problem.message, asking.lines))
    words, blame = _not_accepted(status, said, problem.param, asking.settings)
    return Refused(lost("judge-not-accepted", f"{words} ({status})", problem.message, asking.lines), blame)


def _of_key(status: int, *, has_key: bool) -> tuple[str, Blame]:
    if status == 401:
        words = "the endpoint refuses the key" if has_key else "the endpoint wants a key: name it by `api_key_env`"
        return words, Blame.ALL
    if status == 403:
        # Later it may be about one call: gateways answer so to what their moderation flags.
        return "the key may not be used for this model", Blame.ALL_AT_FIRST
    return "the account behind the key has no credit left", Blame.ALL


def _not_accepted(status: int, said: str, param: str, settings: tuple[str, ...]) -> tuple[str, Blame]:
    if status < 400:
        return "the endpoint sends elsewhere: write the whole address as `base_url`", Blame.ALL
    if status in {404, 405, 410}:
        return "the endpoint knows no such model, or `base_url` is no chat API", Blame.ALL_AT_FIRST
    if status == 413 or _TOO_LONG.search(said):
        return "the prompt is too long for the model", Blame.CALL
    named = param in settings or any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) for name in settings)
    return "the endpoint does not take the call", Blame.ALL_AT_FIRST if named else Blame.PERHAPS_ALL
