"""What counts as a secret, and how it is found again in what an app says."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import NO_SECRETS, Secrets, is_struck
from raggate_action.schema.target import TargetSection
from raggate_action.suite_files.secret_values import secrets_of

TARGET: TypeAdapter[TargetSection] = TypeAdapter(TargetSection)


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


VALUE = "s3cret/+k3y-Qx77"
# Each takes a value and hides it from whoever looks for the value itself; a reader still reads it.
COVERS: dict[str, Callable[[str], str]] = {
    "zero-width spaces": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "grapheme joiners": "\u034f".join,
    "variation selectors": "\ufe0f".join,
    "tag characters": "\U000e0041".join,
    "marks of direction": "\u202e".join,
    "accents": "\u0301".join,
    "strokes": "\u0336".join,
    "wide letters": lambda v: "".join(chr(ord(c) + 0xFEE0) for c in v),
    "bold": lambda v: f"{v[:4]}**{v[4:8]}**{v[8:]}",
    "empty bold": "****".join,
    "italics": lambda v: f"{v[:4]}*{v[4:8]}*{v[8:]}",
    "code": lambda v: f"{v[:4]}`{v[4:8]}`{v[8:]}",
    "struck out": lambda v: f"{v[:4]}~~{v[4:8]}~~{v[8:]}",
    "underlined": lambda v: f"{v[:4]}__{v[4:8]}__{v[8:]}",
    "tags": "<b></b>".join,
    "a tag with attributes": '<a href="x" title="y">'.join,
    "comments": "<!-- a > b -->".join,
    "citations": lambda v: f"{v[:4]}[1]{v[4:8]}[^2]{v[8:]}【3】",
    "Markdown's escapes": lambda v: "".join(c if c.isalnum() else f"\\{c}" for c in v),
    "entities by number": lambda v: "".join(f"&#{ord(c)};" for c in v),
    "entities by number in hex, escaped": lambda v: "".join(f"&amp;#x{ord(c):x};" for c in v),
    "entities that nobody sees": "&ZeroWidthSpace;".join,
    "soft hyphens as entities": "&shy;".join,
    "a url's escapes of every letter": lambda v: "".join(f"%{ord(c):02x}" for c in v),
    "a url's escapes, twice": lambda v: "".join(f"%25{ord(c):02X}" for c in v),
    "zero-width spaces in a url": "%E2%80%8B".join,
    "JSON's escapes of every letter": lambda v: "".join(f"\\u{ord(c):04x}" for c in v),
    "JSON inside JSON": lambda v: "".join(f"\\\\u{ord(c):04X}" for c in v),
    "zero-width spaces in JSON": "\\u200b".join,
    "hex": lambda v: v.encode().hex(),
    "hex in capitals": lambda v: v.encode().hex().upper(),
    "hex with colons": lambda v: v.encode().hex(":"),
    "hex of a program": lambda v: "".join(f"\\x{byte:02x}" for byte in v.encode()),
    "base64": lambda v: base64.b64encode(v.encode()).decode(),
    "base64 behind one byte": lambda v: base64.b64encode(b"a" + v.encode()).decode(),
    "base64 behind two bytes": lambda v: base64.b64encode(b"ab" + v.encode()).decode(),
    "base64 within a text": lambda v: base64.b64encode(b"user:" + v.encode() + b"; and more").decode(),
    "base64 without its end": lambda v: base64.b64encode(v.encode()).decode().rstrip("="),
    "base64 for a url": lambda v: base64.urlsafe_b64encode(b"??>" + v.encode()).decode(),
    "base64 with zero-width spaces": lambda v: "\u200b".join(base64.b64encode(v.encode()).decode()),
    "base64 in bold": lambda v: base64.b64encode(v.encode()).decode().replace("c", "**c**"),
    "all of these": lambda v: f"{v[:3]}&#x200b;**{v[3:6]}**<b>\u034f{v[6:9]}</b>\\u200b%E2%80%8B{v[9:]}",
}


def readable(text: str) -> str:
    """What could be read out of a text: marks gone, and whatever decodes decoded."""
    shown = re.sub(r"<!--.*?-->|<[^<>]*>|\[[^\[\]]*\]|【[^【】]*】|[*`~]|__", "", text)
    for _ in range(3):
        shown = html.unescape(unquote(re.sub(r"\\+u(.{4})", lambda m: chr(int(m[1], 16)), shown))).replace("\\", "")
    shown = "".join(c for c in unicodedata.normalize("NFKD", shown) if c.isascii())
    found = [shown]
    for run in re.findall("[A-Za-z0-9+/]{8,}", shown.replace("-", "+").replace("_", "/")):
        blocks = [run[start : start + (len(run) - start) // 4 * 4] for start in range(4)]
        found += [base64.b64decode(block).decode(errors="replace") for block in blocks]
    digits = re.sub(r"[^0-9a-fA-F]|x", "", shown)
    found += [
        bytes.fromhex(digits[start : len(digits) - (len(digits) - start) % 2]).decode(errors="replace")
        for start in range(2)
    ]
    return " ".join(found)


@pytest.mark.parametrize("cover", COVERS.values(), ids=COVERS.keys())
def test_a_covered_value_is_struck(cover: Callable[[str], str]) -> None:
    told = f"see {cover(VALUE)} ok"
    assert any(VALUE[start : start + 10] in readable(told) for start in range(len(VALUE) - 9)), "the test can read it"
    for struck in (
        Secrets([VALUE]).struck(told),
        reply_of({"answer": told}, VALUE)["answer"],
        Secrets([VALUE]).struck_reply(told.encode()).decode(),
        ErrorLines([VALUE]).line(told),
    ):
        assert "***" in struck
        assert struck.startswith("see ")
        assert struck.endswith(" ok")
        assert not any(VALUE[start : start + 6] in readable(struck) for start in range(len(VALUE) - 5))


def test_a_covered_value_is_struck_whole_where_a_part_of_it_is_a_secret_too() -> None:
    strike = Secrets([VALUE, VALUE[-6:]]).struck
    assert strike(f"see {VALUE[:4]}\u200b{VALUE[4:]} ok") == "see *** ok"
    assert strike(VALUE.replace("/", "\\/")) == "***"


def test_what_parts_a_value_in_one_string_does_not_hide_it_in_another() -> None:
    said = {"a": "x <b", "b": f"{VALUE[:5]}\u200b{VALUE[5:]}", "c": "c > y"}
    assert reply_of(said, VALUE) == {"a": "x <b", "b": "***", "c": "c > y"}


@pytest.mark.parametrize(
    "said",
    [
        "The **s3cret** of k3y [1] is <b>Qx77</b>.",
        "s3cret / k3y - Qx77",
        "S3CRET/+K3Y-QX77",
        base64.b64encode(b"s3cret/ and nothing else").decode(),
        b"s3cret/ only".hex(),
        "production in **bold**, _main_ in italics, caf\u00e9 at 100 %, a + b, C:\\new",
    ],
)
def test_what_is_like_a_value_stays(said: str) -> None:
    # Of `_production_` a plain word is left, which would blot out ordinary text.
    strike = Secrets([VALUE, "**production**", "`main-line`"])
    assert strike.struck(said) == said
    assert reply_of([said], VALUE, "**production**") == [said]


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
