"""Which brackets of an answer cite, and which are program text."""

from __future__ import annotations

import re

import pytest

from raggate_action.core.text.prose import read_prose
from raggate_action.replies.reply_forms import text_id
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS

PATTERNS = tuple(re.compile(pattern) for pattern in DEFAULT_CITATION_MARKERS)
SHOWN = ("c1", "c2", "c3")
OURS = tuple([text_id(f"A text without an id, number {n}.") for n in range(3)])


def cited(text: str, shown: tuple[str, ...] = SHOWN) -> list[str]:
    """What the claims of an answer cite, in order."""
    prose = read_prose(text, shown, patterns=PATTERNS, known=shown, language="en")
    return [chunk_id for claim in prose.claims for chunk_id in claim.citations]


@pytest.mark.parametrize(
    "text",
    [
        "The price is items[0].price in the reply.",
        "The price is items[1].price in the reply.",
        "Call handlers[1](event) to send it.",
        "Set limits[1]=30 before the run.",
        "Set limits[1] = 30 before the run.",
        "The field is rows[1][name] of the reply.",
        "The field is rows[0][1] of the reply.",
        "The first is items[0] of the reply.",
        "The first is user_ids[1] of the reply.",
        "The first is frame.rows[1] of the reply.",
        "The first is sorted(rows)[1] of the reply.",
        "The first is len(rows[1]) of the reply.",
        "The first is `rows[1]` of the reply.",
        "The first is ``rows[1]`` of the reply.",
        "The mark `[1]` cites.",
        "Use this, it is short:\n\n```python\nrows[1]\n# see [c1]\n```",
        "Use this, it is short.\n\n~~~\nsee [c1]\n~~~",
    ],
)
def test_program_text_cites_nothing(text: str) -> None:
    assert cited(text) == []


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("Refunds end after 30 days[1].", ["c1"]),
        ("Refunds end after 30 days.[1]", ["c1"]),
        ("Refunds end after 30 days [1].", ["c1"]),
        ("Refunds end after 30 days[1][2].", ["c1", "c2"]),
        ("Refunds end after 30 days [1][2].", ["c1", "c2"]),
        ("Refunds end after 30 days[c1][c3].", ["c1", "c3"]),
        ("Refunds end[1]. They are paid out[2].", ["c1", "c2"]),
        ("Refunds end after 30 days[1], said the clerk.", ["c1"]),
        ("It is sold in the U.S.[1]", ["c1"]),
        ("It weighs 3.5[1] pounds.", ["c1"]),
        ("It takes some day(s)[2].", ["c2"]),
        ("It is short (days[2]).", ["c2"]),
        ("It is *short*[2] and _brief_[3].", ["c2", "c3"]),
        ("茶は熱い[1]。", ["c1"]),
        ("Use `rows[2]`, it is short [1].", ["c1"]),
        ("```markdown\nRefunds end after 30 days [1].\n```", ["c1"]),
        # Nothing but a fence: a model has wrapped its prose.
        ("```\nRefunds end after 30 days [1].\n```", ["c1"]),
        ("Refunds end after 30 days [0].", ["0"]),
    ],
)
def test_marks_beside_words_cite(text: str, chunks: list[str]) -> None:
    assert cited(text) == chunks


@pytest.mark.parametrize(
    ("text", "shown", "chunks"),
    [
        pytest.param("Refunds end after 30 days [doc2].", SHOWN, ["c2"], id="Azure counts its citations"),
        pytest.param("Refunds end after 30 days [doc9].", SHOWN, ["doc9"], id="there is no ninth"),
        pytest.param("Refunds end after 30 days [doc1].", ("doc2", "doc5"), ["doc1"], id="the app's own id"),
        pytest.param("Refunds end after 30 days [doc1].", OURS, [OURS[0]], id="Azure's, without ids"),
        pytest.param("Refunds end after 30 days [doc9].", OURS, ["doc9"], id="no ninth, without ids"),
        pytest.param("Refunds end after 30 days【4:0†source】.", OURS, [], id="Assistants"),
        pytest.param("Refunds end after 30 days【4:1†fees_2025.pdf】.", OURS, [], id="Assistants, by file"),
        pytest.param("Refunds end after 30 days [fees-2025.pdf].", OURS, [], id="a file"),
        pytest.param("Refunds end after 30 days [fees-2025.pdf].", SHOWN, ["fees-2025.pdf"], id="a file, beside ids"),
        pytest.param("Refunds end after 30 days [0a1b2c3d4e5f].", OURS, ["0a1b2c3d4e5f"], id="a text never shown"),
        pytest.param("Refunds end after 30 days [9].", OURS, ["9"], id="a position never shown"),
    ],
)
def test_a_mark_that_names_nothing_in_the_reply_cites_nothing(
    text: str, shown: tuple[str, ...], chunks: list[str]
) -> None:
    assert cited(text, shown) == chunks
