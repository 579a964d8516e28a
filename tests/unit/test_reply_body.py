"""Bodies of HTTP replies: gzip is unpacked part by part within a bound, anything else is refused in plain words."""

from __future__ import annotations

import gzip
import zlib

import pytest

from raggate_action.targets.reply_body import Unpacking, UnreadableBodyError

LIMIT = 1000
TEXT = b'{"answer": "Tea is hot."}'


def unpacked(body: bytes, header: str, *, limit: int = LIMIT, part: int = 7) -> Unpacking:
    """A body that comes in small parts; reading stops where no more is of use."""
    unpacking = Unpacking(header, limit)
    for at in range(0, len(body), part):
        if not unpacking.add(body[at : at + part]):
            break
    return unpacking


@pytest.mark.parametrize(
    ("body", "header"),
    [
        pytest.param(TEXT, "", id="plain"),
        pytest.param(TEXT, "identity", id="plain, and said so"),
        pytest.param(gzip.compress(TEXT), "gzip", id="gzip"),
        pytest.param(gzip.compress(TEXT), " X-GZip ,identity", id="gzip by its old name, and nothing else"),
        pytest.param(gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]), "gzip", id="two, one behind the other"),
        pytest.param(gzip.compress(TEXT) + bytes(20), "gzip", id="filled up with zeros"),
        pytest.param(gzip.compress(b"") + gzip.compress(TEXT), "gzip", id="the first of two is empty"),
    ],
)
@pytest.mark.parametrize("part", [1, 7, 1000])
def test_what_an_honest_server_sends_is_read_whole(body: bytes, header: str, part: int) -> None:
    found = unpacked(body, header, part=part)
    assert not found.is_too_large
    assert found.whole() == TEXT


def test_no_body_is_an_empty_one_even_where_it_should_be_gzip() -> None:
    assert unpacked(b"", "gzip").whole() == b""


@pytest.mark.parametrize("header", ["", "gzip"])
@pytest.mark.parametrize(("size", "too_large"), [(LIMIT, False), (LIMIT + 1, True)])
def test_the_limit_is_exact(header: str, size: int, *, too_large: bool) -> None:
    body = b"x" * size
    found = unpacked(gzip.compress(body) if header else body, header)
    assert found.is_too_large == too_large
    assert len(found.body) <= LIMIT + 1
    assert too_large or found.whole() == body


@pytest.mark.parametrize("part", [1, 64, 1 << 20])
def test_a_bomb_never_is_in_memory(part: int) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    assert len(bomb) < 10_000  # a thousandth
    found = unpacked(bomb, "gzip", part=part)
    assert found.is_too_large
    assert len(found.body) == LIMIT + 1


def test_packed_bytes_that_unpack_to_nothing_come_to_an_end() -> None:
    nothing = gzip.compress(b"") * 1000
    assert len(nothing) > 2 * LIMIT
    found = unpacked(nothing, "gzip")
    assert found.is_too_large
    assert not found.body


@pytest.mark.parametrize(
    "header", ["gzip, gzip", "gzip,gzip,gzip", "br", "deflate", "zstd, gzip", "gzip, identity, gzip"]
)
def test_other_packings_are_refused_before_a_byte_is_read(header: str) -> None:
    with pytest.raises(UnreadableBodyError) as caught:
        Unpacking(header, LIMIT)
    assert str(caught.value) == f"packed as {header!r}; send it plain, or packed once with gzip"


def test_a_header_of_any_length_makes_a_short_message() -> None:
    with pytest.raises(UnreadableBodyError) as caught:
        Unpacking("gzip," * 10_000, LIMIT)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param(TEXT, "not the gzip that its header says", id="plain, though the header says gzip"),
        pytest.param(zlib.compress(TEXT), "not the gzip that its header says", id="zlib without gzip's frame"),
        pytest.param(gzip.compress(TEXT)[:-9], "cut short: its gzip has no end", id="cut short"),
        pytest.param(gzip.compress(TEXT)[:-5] + b"12345", "not the gzip that its header says", id="a wrong checksum"),
        pytest.param(gzip.compress(TEXT) + b"more", "not the gzip that its header says", id="something behind it"),
    ],
)
def test_what_is_no_gzip_is_told(body: bytes, words: str) -> None:
    with pytest.raises(UnreadableBodyError, match=words):
        unpacked(body, "gzip").whole()
