"""A lead that announces an answer, or says where it is from, changes nothing of what is found on the statement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from raggate_action.core.claims.claim_extraction import Reading, itemise
from raggate_action.core.claims.claim_verdicts import adjudicate
from raggate_action.core.claims.model_context import context_of
from raggate_action.core.text.attribution_phrases import end_of_lead, without_source_lead
from raggate_action.core.text.text import normal_words
from raggate_action.schema.case_run import Claim
from raggate_action.schema.trace import Answer, TracedChunk
from tests.builders import judge, make_case, make_chunk, make_rules, make_store, make_trace

LEADS: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "bench/evidence_checks/leads_before_a_colon.yaml").read_text(encoding="utf-8")
)


def claims(answer: str, *evidence: str, language: str = "en") -> tuple[Claim, ...]:
    """The claims of an answer with their verdicts over chunks of these texts."""
    chunks = tuple(TracedChunk(chunk_id=f"c{number}", text=text) for number, text in enumerate(evidence, 1))
    context = context_of(chunks, None, language=language)
    drafts = itemise(Answer(text=answer), context, known=context.by_id, reading=Reading((), language))
    return adjudicate(drafts, (), context)


def faults(answer: str, language: str) -> list[tuple[str, str, str, bool]]:
    """What can block of the findings, and the verdict beside each."""
    return [
        (claim.verdict, finding.kind, finding.code, finding.certain)
        for claim in claims(answer, *evidence_in(language), language=language)
        for finding in claim.findings
        if not finding.advisory
    ]


def evidence_in(language: str) -> list[str]:
    """The chunks that are in a language."""
    return [text for text in LEADS["chunks"] if ("Haustiere" in text) == (language == "de")]


@pytest.mark.parametrize(
    ("language", "lead", "statement"),
    [("en", *pair) for pair in LEADS["harmful"]] + [("de", *pair) for pair in LEADS["harmful_german"]],
)
def test_a_lead_hides_no_fault(language: str, lead: str, statement: str) -> None:
    bare = faults(statement[0].upper() + statement[1:], language)
    assert bare
    assert faults(lead + statement, language) == bare


@pytest.mark.parametrize("answer", LEADS["quoted"])
def test_a_quotation_behind_a_lead_is_one(answer: str) -> None:
    found = claims(answer, *LEADS["chunks"])
    assert found
    assert {claim.verdict for claim in found} == {"supported"}


@pytest.mark.parametrize(
    ("language", "lead", "verdict"),
    [
        *[("en", lead, "supported") for lead in LEADS["courteous"]],
        *[("en", lead, "unverified") for lead in LEADS["not_courteous"]],
        *[("de", lead, "supported") for lead in LEADS["courteous_german"]],
        *[("de", lead, "unverified") for lead in LEADS["not_courteous_german"]],
    ],
)
def test_a_polite_lead_of_any_wording_is_cut_off(language: str, lead: str, verdict: str) -> None:
    right = (
        "Haustiere sind in allen Zimmern verboten." if language == "de" else "A parking ticket costs 6 euros per day."
    )
    found = claims(lead + right, *evidence_in(language), language=language)
    assert [claim.verdict for claim in found] == [verdict]
    assert found[0].text == (right if verdict == "supported" else lead + right)


@pytest.mark.parametrize("lead", LEADS["courteous"])
def test_a_polite_lead_hides_no_wrong_number(lead: str) -> None:
    wrong = "A parking ticket costs 9 euros per day."
    assert faults(lead + wrong, "en") == faults(wrong, "en") != []


@pytest.mark.parametrize("lead", ["Sure, 3 of them:", "Sure, here is all that was found today by me:"])
def test_a_list_behind_a_number_or_a_long_lead_keeps_it(lead: str) -> None:
    found = claims(f"{lead}\n- A parking ticket costs 6 euros per day.", *LEADS["chunks"])
    assert found[0].text == f"{lead} A parking ticket costs 6 euros per day."


def test_a_polite_lead_that_makes_a_required_point_is_a_part_of_the_answer() -> None:
    point = {"id": "p", "answer_phrases": ["of course"]}
    diagnosis = judge(
        make_case(question="May I park?", required_points=[point]),
        make_trace(answer="Of course, sir: a parking ticket costs 6 euros per day.", context=["c"]),
        make_rules(make_store(make_chunk("c", LEADS["chunks"][1]))),
    )
    assert [claim.points for claim in diagnosis.claims] == [("p",)]


@pytest.mark.parametrize("answer", LEADS["right"])
def test_a_right_statement_behind_a_lead_is_not_refuted(answer: str) -> None:
    assert faults(answer, "en") == []


@pytest.mark.parametrize(("evidence", "answer"), LEADS["part_of_it"])
def test_words_before_a_colon_that_are_a_part_of_what_is_said_stay(evidence: str, answer: str) -> None:
    found = claims(answer, evidence)
    assert [claim.verdict for claim in found] == ["unverified"]
    assert [finding for claim in found for finding in claim.findings if not finding.advisory] == []


@pytest.mark.parametrize(("words", "behind"), LEADS["left_out"])
def test_what_stands_behind_a_lead(words: str, behind: str | None) -> None:
    assert without_source_lead(normal_words(words)) == behind


@pytest.mark.parametrize(
    ("lead", "behind", "is_lead"),
    [
        ("Answer", "smoking is forbidden", True),
        ("Answer", "not allowed", False),
        # Nine words, then eleven.
        ("Here is what the documents and the answer say", "smoking is forbidden", True),
        ("Here is what the documents and the answer say to us", "smoking is forbidden", False),
        # Two words of the statement, then three.
        ("Regarding smoking indoors", "smoking indoors is forbidden", True),
        ("Regarding smoking near doors", "smoking near doors is forbidden", False),
        ("Regarding parking", "smoking is forbidden", False),
    ],
)
def test_a_lead_is_short_and_stands_before_a_statement(lead: str, behind: str, is_lead: bool) -> None:  # noqa: FBT001
    assert end_of_lead(f"{lead}: {behind}") == (len(f"{lead}: ") if is_lead else 0)
