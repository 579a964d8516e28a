"""A lead before a quotation says where it is from; one that says more makes it a claim of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from raggate_action.core.text.attribution_phrases import without_source_lead
from raggate_action.core.text.quotation import chunk_text, find_quotation
from raggate_action.core.text.text import Text, normal_words

BLIND: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "bench/evidence_checks/leads_blind.yaml").read_text(encoding="utf-8")
)
CHUNK = chunk_text(BLIND["chunk"], "en")


@pytest.mark.parametrize("claim", BLIND["lead"])
def test_behind_a_lead_that_names_the_evidence_a_quotation_is_one(claim: str) -> None:
    found = find_quotation(Text(claim), CHUNK, after=None)
    assert found is not None
    assert found.words in BLIND["chunk"]


@pytest.mark.parametrize("claim", BLIND["lead_that_says_more"])
def test_behind_a_lead_that_says_more_it_is_none(claim: str) -> None:
    assert find_quotation(Text(claim), CHUNK, after=None) is None


@pytest.mark.parametrize(
    ("words", "behind"),
    [
        ("According to the policy documents you provided, tea is hot.", "tea is hot."),
        ("As set out in our guidelines: tea is hot.", "tea is hot."),
        ("Auf Grundlage der vorliegenden Dokumente: Tee ist heiß.", "tee ist heiß."),
        ("Comme indiqué dans le guide : le thé est chaud.", "le thé est chaud."),
        ("De acuerdo con el manual, el té está caliente.", "el té está caliente."),
        ("Here is what your policy says: tea is hot.", "tea is hot."),
        ("This is what our documents state about it: tea is hot.", "tea is hot."),
        # What looks like one and says when, for whom, or that it is not so.
        ("This does not apply: tea is hot.", None),
        ("It is false that: tea is hot.", None),
        ("Except on Sundays: tea is hot.", None),
        ("Only for members: tea is hot.", None),
        ("Here is what your policy does not say: tea is hot.", None),
        ("Here is what your old policy says: tea is hot.", None),
        ("Here is what your policy says about children: tea is hot.", None),
        # Where, when, by whom and for whom: more than the quotation says.
        ("According to the new policy, tea is hot.", None),
        ("According to the policy of May, tea is hot.", None),
        ("According to most documents, tea is hot.", None),
        ("According to the tea policy, tea is hot.", None),
        ("From Monday, tea is hot.", None),
        ("Laut Entwurf der Richtlinie: Tee ist heiß.", None),
        ("Selon certains documents, le thé est chaud.", None),
        ("Según el manual antiguo, el té está caliente.", None),
        ("The documents are long, tea is hot.", None),
    ],
)
def test_only_words_for_the_evidence_as_a_whole_lead(words: str, behind: str | None) -> None:
    assert without_source_lead(normal_words(words)) == behind
