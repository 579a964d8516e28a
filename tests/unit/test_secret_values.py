"""What counts as a secret, and how it is found again in what an app says."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from raggate_action.isolation.secrets import NO_SECRETS, Secrets, is_struck
from raggate_action.schema.target import Target
from raggate_action.suite_files.target_secrets import secrets_of

TARGET: TypeAdapter[Target] = TypeAdapter(Target)


@pytest.mark.parametrize(
    ("name", "value", "struck"),
    [
        pytest.param("ANY", "hunter2x", True, id="letters and digits"),
        pytest.param("ANY", "Sw0rd", False, id="fewer than six characters"),
        pytest.param("ANY", "two words", True, id="several words"),
        pytest.param("ANY", "production", False, id="a plain word"),
        pytest.param("API_TOKEN", "production", True, id="a plain word that a name calls secret"),
        pytest.param("ANY", "xKqWzRtYpLmN", True, id="letters in turns of case"),
        pytest.param("ANY", "a" * 17, True, id="a word longer than words are"),
        pytest.param("ANY", "18080", False, id="a port"),
        pytest.param("ANY", "20260602", False, id="a number of eight digits"),
        pytest.param("ANY", "202606021", True, id="a number of nine digits"),
        pytest.param("ANY", "localhost:18080", False, id="this machine"),
        pytest.param("ANY", "http://127.0.0.1:8080/answer", False, id="an address of this machine"),
        pytest.param("ANY", "http://127.0.0.1:8080/answer?key=1", True, id="with a query"),
        pytest.param("ANY", "https://rag.internal.test", True, id="an address elsewhere"),
        pytest.param("GITHUB_SHA", "4cbe6218541814a49eb33728bd4c1f0b6309de65", False, id="what every log shows"),
        pytest.param("GITHUB_TOKEN", "ghs_0123456789", True, id="but not this"),
    ],
)
def test_which_values_are_struck(name: str, value: str, struck: bool) -> None:  # noqa: FBT001
    assert is_struck(name, value) is struck


def test_a_place_calls_a_value_secret_too() -> None:
    assert not is_struck("ANY", "opensesame")
    assert is_struck("ANY", "opensesame", place="Authorization")


def secrets(environment: dict[str, str], **target: Any) -> set[str]:
    section = {"kind": "http", "url": "http://localhost:1/", **target}
    return set(secrets_of(TARGET.validate_json(json.dumps(section)), environment))


@pytest.mark.parametrize(
    ("target", "environment", "expected"),
    [
        pytest.param({"headers": {"X": "${A}"}}, {"A": "value-1", "B": "value-2"}, {"value-1"}, id="only what is read"),
        pytest.param({"headers": {"X": "$${A} ${C}"}}, {"A": "value-1"}, set(), id="plain text and an unset one"),
        pytest.param({"headers": {"Authorization": "${A}"}}, {"A": "Bearer abc123"}, {"Bearer abc123", "abc123"}, id="bearer"),
        pytest.param({"headers": {"Authorization": "Basic ${A}"}}, {"A": "dTpzZXNhbWU="}, {"dTpzZXNhbWU=", "sesame"}, id="basic"),
        pytest.param({"url": "http://${H}/?key=${K}&m=${M}"}, {"H": "rag.test", "K": "sesame", "M": "strict"}, {"rag.test", "sesame", "strict"}, id="a query"),
        pytest.param({"url": "${U}"}, {"U": "http://u:se%2Fsame@h.test/?key=abcdef&m=fast1"}, {"http://u:se%2Fsame@h.test/?key=abcdef&m=fast1", "se%2Fsame", "se/same", "dTpzZS9zYW1l", "abcdef"}, id="a whole address"),
        pytest.param({"ready": {"url": "http://h/${A}"}}, {"A": "path-1"}, {"path-1"}, id="the address it is ready at"),
        pytest.param({"kind": "command", "command": ["run", "--key=${A}"], "env": {"B": "${B}"}}, {"A": "value-1", "B": "l-1234\nl-5678\n"}, {"value-1", "l-1234\nl-5678\n", "l-1234\nl-5678", "l-1234", "l-5678"}, id="a program and lines"),
        pytest.param({"kind": "function", "function": "m:f", "env": {"B": "x${B}"}}, {"B": "value-1"}, {"value-1"}, id="a function"),
        pytest.param({"kind": "recorded", "traces": "${A}"}, {"A": "value-1"}, set(), id="no variables there"),
    ],
)  # fmt: skip
def test_what_a_target_reads(target: dict[str, Any], environment: dict[str, str], expected: set[str]) -> None:
    if target.get("kind", "http") == "http":
        assert secrets(environment, **target) == expected
    else:
        assert set(secrets_of(TARGET.validate_json(json.dumps(target)), environment)) == expected


def reply_of(said: Any, *values: str) -> Any:
    return json.loads(Secrets(values).struck_reply(json.dumps(said).encode()))


@pytest.mark.parametrize(
    ("said", "struck"),
    [
        pytest.param("no s3cret/+", "no ***", id="text"),
        pytest.param({"s3cret/+": ["a s3cret/+ b", 1, None, True]}, {"***": ["a *** b", 1, None, True]}, id="keys too"),
        pytest.param({"n": 7741001, "m": 77410010}, {"n": "***", "m": 77410010}, id="a number"),
        pytest.param("a longer s3cret/+ and more", "a longer ***", id="the longer one first"),
        pytest.param("S3CRET/+", "S3CRET/+", id="another case is another text"),
    ],
)
def test_a_reply_is_struck(said: Any, struck: Any) -> None:
    assert reply_of(said, "s3cret/+", "s3cret/+ and more", "7741001") == struck


def test_a_reply_that_escapes_every_letter_is_read_first() -> None:
    raw = b'{"answer": "it is \\u0073\\u0033cret\\/\\u002B"}'
    assert Secrets(["s3cret/+"]).struck_reply(raw) == b'{"answer":"it is ***"}'


def test_a_reply_that_is_no_json_is_struck_as_text() -> None:
    assert Secrets(["s3cret/+"]).struck_reply(b"<p>s3cret%2f%2B \xff") == "<p>*** \ufffd".encode()


def test_a_reply_without_secrets_is_left_as_it_stands() -> None:
    raw = b'{ "answer" : "caf\\u00e9 1.0" , "n": 1e3 }'
    assert Secrets(["s3cret/+"]).struck_reply(raw) is raw
    assert NO_SECRETS.struck_reply(raw) is raw
    assert not NO_SECRETS
    assert not Secrets([""])


SECRET = st.text(st.characters(exclude_categories=["Cs"]), min_size=6, max_size=30).filter(lambda text: text.strip("*"))


@given(SECRET, st.text(max_size=10))
def test_no_spelling_of_a_secret_is_left(secret: str, around: str) -> None:
    strike = Secrets([secret]).struck
    nested = json.dumps(json.dumps(secret))[3:-3]
    for spelled in (
        secret,
        json.dumps(secret)[1:-1],
        nested,
        quote(secret, safe=""),
        quote(secret),
        quote_plus(secret),
    ):
        assert spelled not in strike(f"{around} {spelled} {around}")


@given(SECRET)
def test_a_struck_reply_is_the_same_json_but_for_the_secret(secret: str) -> None:
    assert reply_of({"": ["x", f"<{secret}>", 1.5]}, secret) == {"": ["x", "<***>", 1.5]}
