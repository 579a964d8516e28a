"""Whose line it is: told by its first key as by reading it whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.schema.json_lines import case_id_of

IDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(IDS, st.none() | st.integers(0, 10**9), st.booleans(), st.booleans())
def test_the_first_key_is_the_one_that_a_parser_finds(
    case_id: str,
    position: int | None,
    ascii_only: bool,  # noqa: FBT001
    spaced: bool,  # noqa: FBT001
) -> None:
    keys = {"case_id": case_id, **({} if position is None else {"position": position}), "answer": '"case_id":"x"'}
    separators = (" , ", " : ") if spaced else (",", ":")
    line = json.dumps(keys, ensure_ascii=ascii_only, separators=separators).encode()
    assert case_id_of(line) == case_id


@pytest.mark.parametrize(
    ("line", "case_id"),
    [
        pytest.param(b'{"answer": "x", "case_id": "q1"}', "q1", id="not first"),
        pytest.param(b'{"case_id": 7}', None, id="no text"),
        pytest.param(b'{"case_id": "q1" "answer"', None, id="no JSON after it"),
        pytest.param(b'{"case_id": "q1', None, id="cut in the id"),
        pytest.param(b'{"case_id": "\\ud83d"}', "\ud83d", id="half a pair, which only the parser takes"),
        pytest.param(b'{"case_id": "\xff"}', None, id="no UTF-8"),
        pytest.param(b'["case_id"]', None, id="no object"),
        pytest.param(b"", None, id="nothing"),
    ],
)
def test_a_line_that_does_not_begin_with_its_case_is_read_whole(line: bytes, case_id: str | None) -> None:
    assert case_id_of(line) == case_id
