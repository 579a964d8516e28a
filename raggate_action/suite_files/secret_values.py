"""Secrets of the environment that no output may show: values that targets read, and keys of judges."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from raggate_action.isolation.secrets import SHORTEST, is_struck
from raggate_action.schema.later import Member
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import TargetSection
from raggate_action.suite_files.ab_section import members_of, synthesizer_of
from raggate_action.suite_files.target_section import REFERENCE, texts_of, with_variables

_WITH_SCHEME = re.compile(r"(?:bearer|basic|token|apikey)\s+(\S+)", re.IGNORECASE)


def secrets_of_suite(suite: Suite, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The secrets of every target that the file names, and of every judge."""
    ab = suite.ab
    targets = [suite.target]
    members = list(suite.judges.panel) if suite.judges is not None else []
    if ab is not None:
        targets += [arm.target for arm in (ab.control, ab.treatment) if arm.target is not None]
        members += [*members_of(suite), *filter(None, [synthesizer_of(suite)])]
    found = [secret for target in targets for secret in secrets_of(target, environment)]
    return tuple(dict.fromkeys((*found, *secrets_of_members(members, environment))))


def secrets_of(target: TargetSection, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The secrets of one target, see `is_struck`.

    Args:
        target: The suite's own target, variables not yet replaced; also when another one is asked, for recorded
            traces may hold what the app was given.
        environment: Where the variables come from; one that is not set is no secret.

    Returns:
        Values, and what an app may take from them: the lines of a long one, the token behind `Bearer`, user and
        password of an address with their base64.
    """
    found: dict[str, None] = {}
    for text in _texts(target):
        for reference in REFERENCE.finditer(text.text):
            name = reference.group(1)
            value = environment.get(name, "") if name is not None else ""
            place = "password" if _within_credentials(text, reference.start()) else text.place
            found.update(dict.fromkeys(_parts(name or "", value, place)))
        if text.is_address and REFERENCE.search(text.text):
            found.update(dict.fromkeys(_credentials(with_variables(text.text, environment))))
    return tuple(found)


class _Text(NamedTuple):
    """A text of the target's section that may hold variables; `place` is the header, `env` or body key it stands in."""

    text: str
    place: str = ""
    is_address: bool = False


def _texts(target: TargetSection) -> Iterator[_Text]:
    for path, text in texts_of(target, "url", "ready", "headers", "request", "env", "command"):
        keys = [step for step in path[1:] if isinstance(step, str)]
        yield _Text(text, keys[-1] if keys else "", is_address=path[0] in {"url", "ready"})


def _within_credentials(text: _Text, position: int) -> bool:
    """Whether a place in an address belongs to its user, password or query."""
    if not text.is_address:
        return False
    authority = text.text.partition("://")[2].partition("/")[0]
    end_of_user = text.text.find("://") + 3 + authority.rfind("@")
    query = text.text.find("?")
    return ("@" in authority and position < end_of_user) or -1 < query < position


def _parts(name: str, value: str, place: str) -> Iterator[str]:
    """A value and those parts of it that are secret by themselves."""
    bare = value.strip()
    token = found[1] if (found := _WITH_SCHEME.fullmatch(bare)) else bare
    for part in (value, bare, token, *value.splitlines()):
        if is_struck(name, part, place=place):
            yield part
    yield from _credentials(value)
    if encoded := _basic(value, place):
        yield encoded


def _credentials(address: str) -> Iterator[str]:
    """User and password of an address, and what an app is sent for them; a query's values where they look secret."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    if password:
        pair = f"{unquote(user)}:{unquote(password)}".encode()
        sent = (base64.b64encode(pair).decode(), base64.urlsafe_b64encode(pair).decode())
        yield from (text.rstrip("=") for text in sent)
        yield from (text for text in (password, unquote(password)) if is_struck("password", text))
    for key, value in parse_qsl(parts.query):
        if is_struck("", value, place=key):
            yield value


def _basic(value: str, place: str) -> str:
    """The password inside `user:password` in base64, as it stands in an Authorization header; empty for others."""
    if place.lower() != "authorization":
        return ""
    try:
        pair = base64.b64decode(value.strip().rpartition(" ")[2], validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
    password = pair.partition(":")[2]
    return password if pair.isprintable() and is_struck("password", password) else ""


def keys_of_members(members: Iterable[Member], environment: Mapping[str, str]) -> dict[str, str]:
    """The keys of some judges by the variable that holds them; one that is not set, or is empty, is left out."""
    names = [member.api_key_env for member in members if member.api_key_env is not None]
    return {name: value for name in names if (value := environment.get(name, "").strip())}


def secrets_of_members(members: Iterable[Member], environment: Mapping[str, str]) -> Iterator[str]:
    """Keys, which no output may show; values of fewer than six characters would blot out ordinary text."""
    for name, key in keys_of_members(members, environment).items():
        yield from (value for value in dict.fromkeys((key, environment[name])) if len(value) >= SHORTEST)
