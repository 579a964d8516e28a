"""Which values of the environment are secrets, and how they are struck from whatever an app says."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from pydantic_core import from_json, to_json

from raggate_action.isolation.plain_text import is_covered, plain, replaced

STRUCK = "***"
# Shorter values are flags and numbers: striking them would blot out ordinary text.
SHORTEST = 6
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|SESSION|SIGNATURE|DSN", re.IGNORECASE)
# What every log of a workflow shows anyway, and what a trace may report as its version.
_PUBLIC_NAMES = frozenset(
    {
        "AGENT_VERSION", "GITHUB_ACTOR", "GITHUB_BASE_REF", "GITHUB_HEAD_REF", "GITHUB_REF", "GITHUB_REF_NAME",
        "GITHUB_REPOSITORY", "GITHUB_RUN_ATTEMPT", "GITHUB_RUN_ID", "GITHUB_RUN_NUMBER", "GITHUB_SERVER_URL",
        "GITHUB_SHA", "GITHUB_WORKSPACE",
    }
)  # fmt: skip
_PLAIN = re.compile(
    r"[A-Za-z]?[a-z]{1,15} | [A-Z]{1,16}"  # a word: production, Strict, DEBUG
    r"| \d{1,8} (?:\.\d{1,8})?"  # a port, a limit, a share
    r"| (?:https?://)? (?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]) (?::\d{1,5})? (?:/[\w./-]*)?",  # this machine
    re.VERBOSE,
)


def names_secret(name: str) -> bool:
    """Whether a name says that its value is secret: `RAG_APP_TOKEN`, `api-key`, `Authorization`."""
    return _SECRET_NAME.search(name) is not None


def is_struck(variable: str, value: str, *, place: str = "") -> bool:
    """Whether the value of a variable that the suite reads is struck wherever it turns up.

    Every value is, except what would blot out ordinary text: values of fewer than six characters, and plain ones (one
    word of letters, a number of up to eight digits, an address of this machine) that no name calls secret. What a
    workflow's log shows anyway (`GITHUB_SHA`) is none either.

    Args:
        variable: Its name.
        value: Its value, or a part of it that is secret by itself.
        place: The name of the header or the `env` key it stands in.
    """
    if len(value) < SHORTEST:
        return False
    if names_secret(variable) or names_secret(place):
        return True
    return variable not in _PUBLIC_NAMES and not _PLAIN.fullmatch(value)


def values_of_secret_names(named: Mapping[str, str]) -> list[str]:
    """Values whose name says that they are secret (`RAG_APP_TOKEN`, `api-key`)."""
    return [value for name, value in named.items() if names_secret(name)]


class Secrets:
    """Strikes given values from what an app says, however it spells them.

    That is: as they are; escaped for JSON, a url or HTML; in base64, also within a longer text, or in hex; and with
    marks, tags or characters in them that no reader sees.

    False when there are none; every method then returns what it is given.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        """Prepare to strike `values`; those of fewer than six characters are left out."""
        self._values = frozenset(value for value in values if len(value) >= SHORTEST)
        # Longest first: a secret that contains another must not leave its rest behind.
        longest = sorted(self._values, key=lambda value: (-len(value), value))
        self._spelled = _any_of([form for value in longest for form in (*_escaped(value), *_encoded(value))])
        self._plain = _any_of([form for value in longest for form in (*_laid_bare(value), *_encoded(value))])
        whole = [value for value in longest if not any(value in other for other in self._values - {value})]
        self._whole = _any_of([form for value in whole for form in _escaped(value)])

    def __bool__(self) -> bool:
        return bool(self._values)

    def struck(self, text: str) -> str:
        """`text` with `***` for every secret."""
        if self._spelled is None or self._plain is None or self._whole is None:
            return text
        if is_covered(text):
            # Values that are part of another come last: they would leave the rest of a covered one behind.
            text = self._whole.sub(STRUCK, text)
            # To know every character's place is slow: only where something is to be struck.
            text = replaced(self._plain, STRUCK, text) if self._plain.search(plain(text)) else text
        return self._spelled.sub(STRUCK, text)

    def struck_reply(self, raw: bytes) -> bytes:
        """An app's reply without secrets: JSON with every string and key struck, anything else as text."""
        if self._spelled is None:
            return raw
        text = raw.decode(errors="replace")
        # What opens in one string of JSON and closes in another covers nothing: those are looked at one by one.
        if not any(opening in text for opening in "<【") and self.struck(text) == text:
            return raw
        try:
            value = from_json(raw)
        except ValueError:
            struck = self.struck(text)
            return raw if struck == text else struck.encode(errors="replace")
        plain_value = self._struck_value(value)
        return raw if plain_value == value else to_json(plain_value)

    def _struck_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.struck(value)
        if isinstance(value, dict):
            return {self.struck(key): self._struck_value(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._struck_value(inner) for inner in value]
        return STRUCK if not isinstance(value, bool) and str(value) in self._values else value


def _any_of(patterns: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(dict.fromkeys(patterns))) if patterns else None


def _escaped(value: str) -> Iterator[str]:
    """Patterns of a value as it is, and as JSON, JSON inside JSON, a url, a form and HTML spell it."""
    forms = [value]
    for ascii_only in (True, False):
        once = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
        forms += (once, once.replace("/", r"\/"), json.dumps(once, ensure_ascii=ascii_only)[1:-1])
    forms += (quote(value, errors="surrogatepass"), quote(value, safe="", errors="surrogatepass"))
    forms += (quote_plus(value, errors="surrogatepass"), html.escape(value))
    return (re.escape(form) for form in sorted(set(forms), key=len, reverse=True))


def _laid_bare(value: str) -> Iterator[str]:
    """The pattern of a value in a text that `plain` has read; none where too little of the value is left to find."""
    bare = plain(value)
    if len(bare) >= SHORTEST and (bare == value or not _PLAIN.fullmatch(bare)):
        # Nobody sees how many spaces stand between two words; beside the value they are the text's own.
        yield re.sub(r"(?<=\S)(?:\\ )+(?=\S)", " +", re.escape(bare))


def _encoded(value: str) -> Iterator[str]:
    """Patterns of a value in base64, at each of the three places a byte can have in it, and in hex."""
    data = value.encode(errors="surrogatepass")
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + data).decode()
        # The characters at its ends are shared with what stands beside the value; they hold half a byte of it.
        core = re.escape(encoded[(0, 2, 3)[before] : 8 * (before + len(data)) // 6])
        yield core.replace(r"\+", "[+ -]").replace("/", "[/_]") + "[A-Za-z0-9+/_-]?={0,2}"
    octets = [re.sub("[a-f]", lambda digit: f"[{digit[0]}{digit[0].upper()}]", f"{octet:02x}") for octet in data]
    yield r"(?:[ :-]|\\+x)?".join(octets)


NO_SECRETS = Secrets()
