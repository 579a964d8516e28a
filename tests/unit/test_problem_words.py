"""Problems in words: every code that a gate can give has some, and what is none of them stays as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from raggate_action.report.decision_words import problem_in_words, unmeasured_in_words
from raggate_action.schema.outcome import Problem
from raggate_action.strings.visible_text import cut

DOCUMENT = (Path(__file__).parents[2] / "docs/gates.md").read_text()
CODES = [
    code
    for codes in re.findall(r"^\| `\w+` \|.*?\|.*?\|([^|]*)\|", DOCUMENT, re.MULTILINE)
    for code in re.findall(r"`([a-z-]+)`", codes)
]


@pytest.mark.parametrize("code", sorted(set(CODES)))
def test_no_code_is_read_by_people(code: str) -> None:
    words = problem_in_words(Problem(code=code, detail="c1 in context"))
    assert code not in words.split()
    assert not words.startswith(f"{code}:")
    assert "c1 in context" in words


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        ("claim-unsupported: “{0} is free: of nuts.”", "no chunk supports “{0} is free: of nuts.”"),
        ("claim-unsupported", "said what no evidence says"),
        ("unknown-chunk: c1 in context", "not in the evidence: c1 in context"),
        (
            "unknown-chunk: 04d98476dd4d in context",
            "a text that no chunk of the evidence has, named by its digest: 04d98476dd4d in context",
        ),
        (
            "unmeasured-no-adjudicator: 1 of 1 claims need a judge",
            "no label and no armed judge tells: 1 of 1 claims need a judge",
        ),
        ("removed", "removed from the suite"),
        ("source-missing: c1 not in candidates", "c1 not in candidates"),
    ],
)
def test_a_problem_in_words(problem: str, words: str) -> None:
    code, _colon, detail = problem.partition(": ")
    assert problem_in_words(Problem(code=code, detail=detail)) == words


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("Refunds are paid within thirty days.", 21, "Refunds are paid…"),
        ("Refunds are paid within", 17, "Refunds are paid…"),
        ("Refunds", 7, "Refunds"),
        ("Donaudampfschifffahrtsgesellschaft", 10, "Donaudamp…"),
        ("ohne Donaudampfschifffahrtsgesellschaft", 10, "ohne…"),
        ("返金は30日以内に行われます。", 6, "返金は30…"),
    ],
)
def test_a_text_is_cut_between_words(text: str, most: int, shown: str) -> None:
    assert cut(text, most) == shown
    assert len(shown) <= most


def test_lost_calls_are_told_in_words_and_not_by_their_codes() -> None:
    left = "1 claim is left open: 1 of 2 judges lost, first lark (judge-filtered: the filter took the reply)"
    said = (
        "1 claim is left open: 1 of 2 judges lost, first lark (stopped by a content filter: the filter took the reply)"
    )
    assert unmeasured_in_words(left) == said
    assert problem_in_words(Problem(code="unmeasured-judge", detail=left)) == f"judges gave no usable verdict: {said}"
    assert (
        unmeasured_in_words("lost, first owl (budget: 3 calls a case)")
        == "lost, first owl (budget used up: 3 calls a case)"
    )
    assert (
        unmeasured_in_words("first: “judge-key: is a word of an answer”")
        == "first: “judge-key: is a word of an answer”"
    )
