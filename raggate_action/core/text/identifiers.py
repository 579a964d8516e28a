"""Addresses of a claim that nothing shown holds: URLs, e-mail addresses, phone numbers, paths, options, identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias, get_args

AddressKind: TypeAlias = Literal["url", "email", "phone", "path", "option", "identifier"]
ADDRESSES = frozenset(get_args(AddressKind))

# Between the digits of a number; a stop before a blank ends the sentence, and the digits behind it are others. One
# before a hyphen ends a day: "3.-5.12.2024".
_BETWEEN = r"(?:(?!\.[\s-])[ .()/\u00a0\u202f-]){0,3}"
_YEAR = r"(?:1\d|20)\d\d"
_HOUR = r"(?:[01]\d|2[0-4])\.?(?:00|15|30|45)"
# Where a number of several parts is a date, years, hours of opening or seasons, and no phone number.
_NO_PHONE = (
    r"\d{1,2}[./]\d{1,2}[./]\d{4}(?!\d)"
    rf"|[0-3]?\d[ -][01]?\d[ -]{_YEAR}(?!\d)"
    rf"|[01]?\d[-/]{_YEAR} ?- ?[01]?\d[-/]{_YEAR}(?!\d)|{_HOUR} ?- ?{_HOUR}(?!\d)"
    r"|\d\d(?:-\d\d(?:[ /]\d\d-\d\d)+|/\d\d-\d\d/\d\d)(?![ ./-]?\d)"
    rf"|\({_YEAR}\)|\(\d{{1,3}}\) ?{_YEAR} ?- ?{_YEAR}(?!\d)"
)
# How a phone number begins: with a country or trunk code, with its area code in brackets, or as in North America. A
# bracket alone may hold any numbers: "(1991-2000)".
_DIALS = (
    r"\+(?!0)|00?(?=[1-9])|\((?=0\)|(?:0 )?\d{2,6}\))0?"
    r"|(?=(?:1[-. ]\(?)?\d{3}(?:\)[-. ]?|[-. ])\d{3}[-. ]\d{4}\b)"
)
ADDRESS = re.compile(
    r"(?P<email>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+)"
    r"|(?P<url>(?:https?://|\bwww\.)[^\s<>()\[\]\"'`“”|]{2,500})"
    rf"|(?P<phone>(?<![\w.,/$€£+-])(?!{_NO_PHONE})(?:{_DIALS})\d(?:{_BETWEEN}\d){{6,14}}(?![\w%]|[.,]\d))"
    r"|(?P<path>(?<![\w/.:~])(?:~|\.{1,2})?(?:/[\w.@+-]{1,100}){2,20}/?)"
    r"|(?P<option>(?<![\w-])--[A-Za-z][\w-]{1,60})"
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`([^`\n]{1,200})`", re.DOTALL)
# In code alone a single word is a name of something: `max_length`, `client.retry()`, `maxLength`, `ERR-42`.
_IDENTIFIER = re.compile(r"(?=.*[._()]|.*[a-z][A-Z]|[A-Z]+-?\d)[A-Za-z_][\w.:-]{2,100}(?:\(\))?")
_SIGNS = ("@", "://", "www.", "--", "/")
_ENDS = ".,;:!?*_"
_DIGITS = re.compile(rf"\d(?:{_BETWEEN}\d){{5,20}}")
# How every phone number begins; "c-1234567" and "1,234,567" are passed over. `%` are its digits: those of other scripts
# take five times as long to look for.
_LIKE_A_PHONE = rf"[+(%](?<![\w.,/$€£+-][+(%])(?:(?<=\d)|\d)(?:{_BETWEEN}\d){{6}}"
_LIKE_A_PHONE_IN_ASCII = re.compile(_LIKE_A_PHONE.replace("%", "0-9"))
# Digits that two spellings of one number share at its end, whatever country or trunk code stands before.
_FEWEST_DIGITS = 6


class Address(NamedTuple):
    """An address in a claim: what it is, where it stands, and how it is looked up."""

    kind: AddressKind
    start: int
    end: int
    key: str


def addresses_in(text: str) -> list[Address]:
    """The addresses of a text in order; names of things (`identifier`) only where they stand in code."""
    found = [_address(match) for match in _matches(text)]
    for code in _CODE.finditer(text) if "`" in text else ():
        name = _IDENTIFIER.fullmatch(code[1] or "")
        if name and not any(each.start < code.end(1) and code.start(1) < each.end for each in found):
            found.append(Address("identifier", code.start(1), code.end(1), name[0].lower().removesuffix("()")))
    return found


def without_addresses(text: str) -> str:
    """The text with its addresses blanked out, offsets staying true: "--no-check" denies nothing."""
    if not _matches(text):
        return text
    return ADDRESS.sub(lambda found: " " * len(_trimmed(found)) + found[0][len(_trimmed(found)) :], text)


def absent_addresses(text: str, known: Sequence[str]) -> Iterator[Address]:
    """The addresses of a claim that none of these texts holds, in any spelling of the same."""
    addresses = addresses_in(text)
    held = [each.lower() for each in known] if addresses else []
    digits: list[str] | None = None
    for address in addresses:
        if address.kind == "phone":
            if digits is None:
                digits = [_dialled(run) for each in held for run in _DIGITS.findall(each)]
            if not any(_is_one(address.key, other) for other in digits):
                yield address
        elif not any(_holds(each, address) for each in held):
            yield address


# An answer is asked for its addresses several times in a row, and the expression takes its time.
@lru_cache(maxsize=8)
def _matches(text: str) -> tuple[re.Match[str], ...]:
    return tuple(ADDRESS.finditer(text)) if may_hold_address(text) else ()


def may_hold_address(text: str) -> bool:
    """A quick look for what every address has."""
    # Asked several times of every claim: a loop takes half the time of a generator.
    for sign in _SIGNS:
        if sign in text:
            return True
    return (_LIKE_A_PHONE_IN_ASCII if text.isascii() else _like_a_phone()).search(text) is not None


@cache
def _like_a_phone() -> re.Pattern[str]:
    return re.compile(_LIKE_A_PHONE.replace("%", r"\d"))


def _trimmed(found: re.Match[str]) -> str:
    return found[0].rstrip(_ENDS)


def _address(found: re.Match[str]) -> Address:
    kind: AddressKind = found.lastgroup  # type: ignore[assignment]
    written = _trimmed(found)
    key = written.lower()
    if kind == "url":
        key = re.sub(r"^(?:https?://)?(?:www\.)?", "", key).rstrip("/")
    if kind == "phone":
        key = _dialled(written)
    return Address(kind, found.start(), found.start() + len(written), key)


def _holds(text: str, address: Address) -> bool:
    """Whether the text has the address as a whole; of a URL also as the beginning of a longer one."""
    start = text.find(address.key)
    while start >= 0:
        before, after = text[start - 1 : start] if start else "", text[start + len(address.key) :][:2]
        longer = after[:1].isalnum() or after[:1] in {"_", "-", "@"} or (after[:1] == "." and after[1:].isalnum())
        if not before.isalnum() and not longer:
            return True
        start = text.find(address.key, start + 1)
    return False


def _dialled(written: str) -> str:
    """The digits that are dialled, without a trunk zero in brackets."""
    return "".join(c for c in written.replace("(0)", "") if c.isdecimal())


def _is_one(one: str, other: str) -> bool:
    one, other = one.lstrip("0"), other.lstrip("0")
    short, long = sorted((one, other), key=len)
    return len(short) >= _FEWEST_DIGITS and long.endswith(short)
