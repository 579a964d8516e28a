"""Replies within bounds: gzip is unpacked part by part, other packings are refused, JSON is measured before it is read."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator

import pytest

from raggate_action.network.bounded_reply import (
    MOST_NESTED,
    MOST_NODES,
    TOO_NESTED,
    BodyReader,
    TooLargeBodyError,
    UnreadableBodyError,
    json_problem,
)

LIMIT = 1000
TEXT = b'{"answer": "Tea is hot."}'


def in_parts(body: bytes, size: int) -> Iterator[bytes]:
    return (body[at : at + size] for at in range(0, len(body), size))


def unpacked(body: bytes, header: str, *, part: int = 7) -> bytes:
    """A body that comes in small parts."""
    reader = BodyReader(header, LIMIT)
    found = b"".join(map(reader.add, in_parts(body, part)))
    reader.end()
    return found


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
    assert unpacked(body, header, part=part) == TEXT


def test_no_body_is_an_empty_one_even_where_it_should_be_gzip() -> None:
    assert unpacked(b"", "gzip") == b""


@pytest.mark.parametrize("header", ["", "gzip"])
def test_the_limit_is_exact(header: str) -> None:
    def sent(size: int) -> bytes:
        return gzip.compress(b"x" * size) if header else b"x" * size

    assert unpacked(sent(LIMIT), header) == b"x" * LIMIT
    with pytest.raises(TooLargeBodyError):
        unpacked(sent(LIMIT + 1), header)


@pytest.mark.parametrize("part", [1, 64, 1 << 20])
def test_a_bomb_never_is_in_memory(part: int) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    assert len(bomb) < 10_000  # a thousandth
    reader, held = BodyReader("gzip", LIMIT), 0
    try:
        for each in in_parts(bomb, part):
            held += len(reader.add(each))
    except TooLargeBodyError as error:
        held += len(error.part)
    assert held == LIMIT


def test_packed_bytes_that_unpack_to_nothing_come_to_an_end() -> None:
    nothing = gzip.compress(b"") * 1000
    assert len(nothing) > 2 * LIMIT
    with pytest.raises(TooLargeBodyError) as caught:
        unpacked(nothing, "gzip")
    assert caught.value.part == b""


@pytest.mark.parametrize(("inner", "too_many"), [(MOST_NODES - 2, False), (MOST_NODES - 1, True)])
def test_values_are_counted_without_reading_them(inner: int, *, too_many: bool) -> None:
    raw = json.dumps({"candidates": ["c"] * inner}).encode()  # the object, the list and what is in it
    assert json_problem(raw) == ("it holds more than 100,000 values; answer with less" if too_many else None)
    assert json_problem(raw, most=None) is None


@pytest.mark.parametrize(("levels", "problem"), [(MOST_NESTED, None), (MOST_NESTED + 1, TOO_NESTED)])
@pytest.mark.parametrize("pair", ["[]", "{}"])
def test_levels_are_counted_without_going_down(levels: int, problem: str | None, pair: str) -> None:
    opened = "[" if pair == "[]" else '{"a":'
    raw = f"{opened * levels}1{pair[1] * levels}".encode()
    assert json_problem(raw) == problem
    assert json_problem(raw, most=None) == problem


def test_lists_beside_each_other_are_no_levels() -> None:
    assert json_problem(json.dumps([[[1]]] * 5_000).encode()) is None


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(json.dumps({"answer": "a, [b], {c} " * 100_000}), id="commas inside a text"),
        pytest.param(json.dumps({"answer": '\\", \\"' * 100_000}), id="quotes and backslashes inside a text"),
        pytest.param(json.dumps({"answer": "[" * 1_000}), id="brackets inside a text"),
        pytest.param('["' + '\\"' * 1_000_000, id="a text that never ends"),
        pytest.param("<p>1, 2, 3</p>" * 100_000, id="a page, not JSON"),
    ],
)
def test_what_stands_in_a_text_is_no_value(raw: str) -> None:
    assert json_problem(raw.encode()) is None


@pytest.mark.parametrize(
    "header", ["gzip, gzip", "gzip,gzip,gzip", "br", "deflate", "zstd, gzip", "gzip, identity, gzip"]
)
def test_other_packings_are_refused_before_a_byte_is_read(header: str) -> None:
    with pytest.raises(UnreadableBodyError) as caught:
        BodyReader(header, LIMIT)
    assert str(caught.value) == f"packed as {header!r}; send it plain, or packed once with gzip"


def test_a_header_of_any_length_makes_a_short_message() -> None:
    with pytest.raises(UnreadableBodyError) as caught:
        BodyReader("gzip," * 10_000, LIMIT)
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
        unpacked(body, "gzip")
