"""Which values of the environment are secrets, and how they are struck from whatever an app says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic_core import from_json, to_json

STRUCK = "***"
_SHORTEST = 6
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
# JSON may write any character by its number; what is written so is seen only once it is read.
_BY_NUMBER = b"\\u00"
_NAMED_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_ENTITIES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "(?:apos|#39|#x27)"}


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
    if len(value) < _SHORTEST:
        return False
    if names_secret(variable) or names_secret(place):
        return True
    return variable not in _PUBLIC_NAMES and not _PLAIN.fullmatch(value)


class Secrets:
    """Strikes given values from what an app says, in every spelling that JSON, a url or HTML may give them.

    False when there are none; every method then returns what it is given.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        """Prepare to strike `values`; empty ones are left out."""
        self._values = frozenset(value for value in values if value)
        # Longest first: a secret that contains another must not leave its rest behind.
        spelled = "|".join(map(_spelled, sorted(self._values, key=lambda value: (-len(value), value))))
        self._text = re.compile(spelled) if spelled else None
        self._raw = re.compile(spelled.encode(errors="surrogatepass")) if spelled else None

    def __bool__(self) -> bool:
        return bool(self._values)

    def struck(self, text: str) -> str:
        """`text` with `***` for every secret."""
        return text if self._text is None else self._text.sub(STRUCK, text)

    def struck_reply(self, raw: bytes) -> bytes:
        """An app's reply without secrets: JSON with every string and key struck, anything else as text."""
        if self._raw is None or (self._raw.search(raw) is None and _BY_NUMBER not in raw):
            return raw
        try:
            value = from_json(raw)
        except ValueError:
            return self.struck(raw.decode(errors="replace")).encode()
        struck = self._struck_value(value)
        return raw if struck == value else to_json(struck)

    def _struck_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.struck(value)
        if isinstance(value, dict):
            return {self.struck(key): self._struck_value(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._struck_value(inner) for inner in value]
        return STRUCK if not isinstance(value, bool) and str(value) in self._values else value


def _spelled(value: str) -> str:
    """A pattern of every spelling of `value`: as it is, escaped in JSON to any depth, in a url, in HTML."""
    # Backslashes before the first character are left standing: looking for any number of them is slow.
    return _spelled_character(value[0], before="") + "".join(map(_spelled_character, value[1:]))


def _spelled_character(character: str, before: str = r"\\{0,8}") -> str:
    plain = re.escape(character)
    if character.isascii() and character.isalnum():
        # Nobody escapes these in a url or in HTML; `\u0061` is read before it is looked at.
        return plain
    units = character.encode("utf-16-be", errors="surrogatepass").hex()
    by_number = "".join(rf"\\{{1,8}}u(?i:{units[i : i + 4]})" for i in range(0, len(units), 4))
    octets = character.encode(errors="surrogatepass")
    in_url = "".join(f"%(?:25)*(?i:{octet:02x})" for octet in octets)
    forms = [before + plain, by_number, in_url]
    if character in _NAMED_ESCAPES:
        forms.append(rf"\\{{1,8}}{_NAMED_ESCAPES[character]}")
    if character in _ENTITIES:
        forms.append(f"&{_ENTITIES[character]};")
    if character == " ":
        forms.append(r"\+")
    return f"(?:{'|'.join(forms)})"


NO_SECRETS = Secrets()
