"""Where a sentence that joins several propositions is split, and where it stays whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.claims.claim_extraction import Reading, itemise
from raggate_action.core.claims.claim_verdicts import adjudicate
from raggate_action.core.claims.model_context import context_of
from raggate_action.core.text.propositions import propositions
from raggate_action.core.text.prose import ProseClaim, read_prose
from raggate_action.schema.case import RequiredPoint
from raggate_action.schema.case_run import Claim
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS
from raggate_action.schema.trace import Answer, TracedChunk

MARKERS = tuple(re.compile(p) for p in DEFAULT_CITATION_MARKERS)


def parts(sentence: str) -> list[str]:
    return [sentence[part.start : part.end] for part in propositions(sentence, "en")]


def claims_of(text: str, *, language: str = "en") -> tuple[ProseClaim, ...]:
    known = frozenset(("c1", "c2"))
    return read_prose(text, ("c1", "c2"), patterns=MARKERS, known=known, language=language).claims


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param("The fee is 20 EUR and the deposit is refunded.", ["The fee is 20 EUR", "the deposit is refunded."], id="each with its subject and verb"),
        pytest.param("The kofta contains nuts but the pilaf does not contain any.", ["The kofta contains nuts", "the pilaf does not contain any."], id="but"),
        pytest.param("The museum is small; the garden is large.", ["The museum is small", "the garden is large."], id="a semicolon between clauses"),
        pytest.param("The museum is small; the garden is open if it is dry.", ["The museum is small", "the garden is open if it is dry."], id="a condition reaches over no semicolon"),
        pytest.param("Refunds take five days, exchanges take two weeks.", ["Refunds take five days", "exchanges take two weeks."], id="nothing but a comma"),
        pytest.param("The plan costs 10 EUR a month, you can cancel it at any time.", ["The plan costs 10 EUR a month", "you can cancel it at any time."], id="a comma and a pronoun"),
        pytest.param("The museum is small; and the garden is large.", ["The museum is small", "the garden is large."], id="a semicolon and a word"),
        pytest.param("Pro costs 20 EUR, while Basic costs 10 EUR.", ["Pro costs 20 EUR", "Basic costs 10 EUR."], id="while, behind a comma"),
        pytest.param("The fee is 20 EUR, the deposit is 50 EUR, and parking is free.", ["The fee is 20 EUR", "the deposit is 50 EUR", "parking is free."], id="a row of clauses"),
        pytest.param("Tea is hot and cats and dogs are allowed.", ["Tea is hot", "cats and dogs are allowed."], id="a subject of two"),
        pytest.param("HNSW always outperforms IVF and is the only index FAISS supports", ["HNSW always outperforms IVF", "is the only index FAISS supports"], id="a shared subject"),
        pytest.param("The pool opens at 9:00 and closes at 17:00.", ["The pool opens at 9:00", "closes at 17:00."], id="a shared subject, full verbs"),
        pytest.param("Members pay 10 EUR and guests pay 20 EUR.", ["Members pay 10 EUR", "guests pay 20 EUR."], id="plain forms behind plurals"),
        pytest.param("The company launched the app and the team fixed the bug.", ["The company launched the app", "the team fixed the bug."], id="the past"),
        pytest.param("It's cheap and it's fast.", ["It's cheap", "it's fast."], id="contractions"),
        pytest.param("The museum (open daily and free) is small and the garden is large.", ["The museum (open daily and free) is small", "the garden is large."], id="not inside parentheses"),
        pytest.param("However, the fee is 20 EUR and the deposit is 5 EUR.", ["However, the fee is 20 EUR", "the deposit is 5 EUR."], id="behind an opening word"),
        pytest.param("For members, entry is free and parking costs 5 EUR.", ["For members, entry is free", "parking costs 5 EUR."], id="behind what is true of both"),
        pytest.param("The fee is 20 EUR\nand the deposit is refunded.", ["The fee is 20 EUR", "the deposit is refunded."], id="over a line's end"),
    ],
)  # fmt: skip
def test_joined_propositions_are_split(sentence: str, expected: list[str]) -> None:
    assert parts(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("Cats and dogs are allowed.", id="one verb"),
        pytest.param("It is refunded within 30 days or 14 days.", id="alternatives"),
        pytest.param("The fee is 20 EUR or the deposit is kept.", id="of two alternatives neither is asserted"),
        pytest.param("The fee is between 3 and 5 EUR.", id="a range"),
        pytest.param("If you cancel within 14 days, you receive a refund.", id="a comma behind a condition"),
        pytest.param("While the sale lasts for members, shipping is free for all.", id="a comma behind a time"),
        pytest.param("The day after the parcel arrives here, the fee is 5 EUR.", id="a comma behind a time that no joint opens"),
        pytest.param("The hotel, which opened in 2019, has ten rooms.", id="commas around a clause"),
        pytest.param("The board decided it, they say, the fee is 5 EUR.", id="commas around a report"),
        pytest.param("Prices for Berlin and Hamburg are equal.", id="two names"),
        pytest.param("The total costs and fees are shown.", id="a noun that could be a verb"),
        pytest.param("He tracks sales and costs per month.", id="a noun that could be a verb, on the right"),
        pytest.param("The plan covers Anna and Bob and Carl is excluded.", id="who belongs to which verb is open"),
        pytest.param("If you cancel, the fee is 20 EUR and the deposit is kept.", id="a condition before both"),
        pytest.param("Refunds are possible and shipping is free if you order online.", id="a condition behind both"),
        pytest.param("Refunds are possible and shipping is free if you order online; tea is hot.", id="a condition behind both, before a semicolon"),
        pytest.param("The fee is due when the order ships and the stock is low.", id="inside a condition"),
        pytest.param("She knows dogs and cats are friends.", id="what is reported"),
        pytest.param("It is not true that the fee is 20 EUR and the deposit is kept.", id="what is denied"),
        pytest.param("Prefer IVF over HNSW when memory is short or the corpus is large and a disk is required.", id="an instruction with conditions"),
        pytest.param('The sign says "entry is free and parking is cheap".', id="a quotation"),
        pytest.param('The "fee is 20 EUR and the deposit is kept.', id="a quotation that is not closed"),
        pytest.param("Ann, the head, is 30 and Bob is 40.", id="an aside"),
        pytest.param("In Germany the fee is 20 EUR and the deposit is 5 EUR.", id="where an opening ends is open"),
        pytest.param("The bug must be found and fixed the same day.", id="a shared auxiliary"),
        pytest.param("You can log in and have a look.", id="an infinitive"),
        pytest.param("There is a fee and is refunded.", id="there is no subject"),
        pytest.param("The fees are 20 and 30 EUR respectively and the tax is 5 EUR respectively.", id="respectively"),
        pytest.param("Not only is the fee 20 EUR but the deposit is kept.", id="not only"),
        pytest.param("The rules: the fee is 20 EUR and the deposit is kept.", id="behind a colon"),
        pytest.param("R and D is fun", id="nothing to the left"),
        pytest.param("The fee is due and", id="nothing to the right"),
        pytest.param("and but ; yet", id="joints only"),
        pytest.param("", id="nothing"),
    ],
)  # fmt: skip
def test_what_is_not_certain_stays_whole(sentence: str) -> None:
    assert parts(sentence) == []


def test_other_languages_stay_whole() -> None:
    assert propositions("The fee is 20 EUR and the deposit is refunded.", "de") == ()


def test_a_sentence_as_long_as_a_page_stays_whole() -> None:
    clause = "the fee is 20 EUR and "
    assert len(parts(clause * 40 + "tea is hot.")) == 41
    assert parts(clause * 50 + "tea is hot.") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("HNSW is fast but needs a lot of memory.", ["HNSW is fast", "HNSW needs a lot of memory."], id="the shared subject"),
        pytest.param("For members, entry is free and parking costs 5 EUR.", ["For members, entry is free", "For members, parking costs 5 EUR."], id="the opening"),
        pytest.param("For example, tea is hot and ice is cold.", ["For example, tea is hot", "ice is cold."], id="an example limits nothing"),
        pytest.param("For members, entry is free; parking costs 5 EUR.", ["For members, entry is free", "parking costs 5 EUR."], id="not over a semicolon"),
        pytest.param("What it costs:\n- The fee is 20 EUR and the tax is 5 EUR.", ["What it costs: The fee is 20 EUR", "What it costs: the tax is 5 EUR."], id="the introduction of a list"),
        pytest.param("**The fee** is 20 EUR and **the tax** is 5 EUR.", ["The fee is 20 EUR", "the tax is 5 EUR."], id="emphasis is no word"),
    ],
)  # fmt: skip
def test_a_part_is_read_with_what_it_stands_behind(text: str, expected: list[str]) -> None:
    assert [claim.text for claim in claims_of(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The fee is 20 EUR and the deposit is kept [c1].", [("c1",), ("c1",)], id="at the end it stands behind both"),
        pytest.param("The fee is 20 EUR [c1] and the deposit is kept [c2].", [("c1",), ("c2",)], id="each its own"),
        pytest.param("The fee is 20 EUR [c1] and the deposit is kept.", [("c1",), ()], id="in the middle it stands behind the first"),
        pytest.param("The fee is 20 EUR and the deposit is kept. [c1]", [("c1",), ("c1",)], id="behind the stop"),
        pytest.param("The fee is 20 EUR, the tax is 5 EUR [c1], and parking is free [c2].", [("c1",), ("c1",), ("c2",)], id="back to the marker before"),
    ],
)  # fmt: skip
def test_citations_stay_with_their_part(text: str, expected: list[tuple[str, ...]]) -> None:
    assert [claim.citations for claim in claims_of(text)] == expected


@pytest.mark.parametrize(
    "text",
    ["Hello!", "Great question!", "I hope this helps!", "Let me know if you have any questions!", "Would you like more?", "You're welcome."],
)  # fmt: skip
def test_courtesy_asserts_nothing(text: str) -> None:
    assert [claim.text for claim in claims_of(f"{text} The fee is 20 EUR.")] == ["The fee is 20 EUR."]


def test_a_part_that_declines_is_no_claim_beside_one_that_answers() -> None:
    text = "The menu does not list calories, but the kofta has 420."
    assert [claim.text for claim in claims_of(text)] == ["the kofta has 420."]


# Verdicts: a whole sentence of a chunk stays an exact quotation


def judged(answer: str, chunk: str, *points: RequiredPoint) -> list[Claim]:
    context = context_of((TracedChunk(chunk_id="c1", text=chunk),), None, language="en")
    drafts = itemise(Answer(text=answer), context, known={"c1"}, reading=Reading(MARKERS, "en"))
    return list(adjudicate(drafts, points, context))


BOTH = "The fee is 20 EUR and the deposit is refunded."


@pytest.mark.parametrize(
    ("answer", "chunk", "expected"),
    [
        pytest.param(BOTH, BOTH, "ss", id="the sentence, whole"),
        pytest.param(BOTH, "The fee is 20 EUR. The deposit is refunded.", "ss", id="each part"),
        pytest.param(BOTH, "The fee is 20 EUR. The deposit is kept.", "su", id="one part"),
        pytest.param("The fee is 20 EUR.", BOTH, "u", id="half a sentence of the chunk"),
        pytest.param(f"Tea is always served hot here. {BOTH} It is paid back at once.", f"{BOTH} It is paid back at once.", "usss",
                     id="what leans on the whole sentence behind it"),
        pytest.param("Tea is hot in winter. It is cheap today and it is brewed for long.", "Tea is hot in winter. It is cheap today and it is brewed for long.", "sss",
                     id="a sentence that leans back, whole, behind its own"),
        pytest.param("HNSW is fast but needs a lot of memory.", "HNSW needs a lot of memory.", "us", id="a part behind its subject"),
        pytest.param("For members, entry is free and parking costs 5 EUR.", "Parking costs 5 EUR.", "uu", id="not without its opening"),
    ],
)  # fmt: skip
def test_verdicts_of_parts(answer: str, chunk: str, expected: str) -> None:
    assert "".join(claim.verdict[0] for claim in judged(answer, chunk)) == expected


def test_a_quotation_knows_its_place() -> None:
    chunk = "Tea is hot in winter. The fee is 20 EUR today."
    (claim,) = judged("The fee is 20 EUR today.", chunk)
    assert claim.quote is not None
    assert claim.quote_start is not None
    assert chunk[claim.quote_start :] == claim.quote == "The fee is 20 EUR today."


def test_a_phrase_over_the_joint_is_said_by_both_sides() -> None:
    point = RequiredPoint(id="p", answer_phrases=("20 EUR and the deposit",))
    assert [claim.points for claim in judged(BOTH, BOTH, point)] == [("p",), ("p",)]


def test_a_phrase_within_a_part_is_said_by_that_part() -> None:
    point = RequiredPoint(id="p", answer_phrases=("deposit",))
    assert [claim.points for claim in judged(BOTH, BOTH, point)] == [(), ("p",)]


@pytest.mark.parametrize(
    ("answer", "chunk", "expected"),
    [
        pytest.param("## Sales\n- Returns are not accepted at all.", "## Sales\n- Returns are not accepted at all.", "s", id="under its heading"),
        pytest.param("## Gifts\n- Returns are not accepted at all.", "## Sales\n- Returns are not accepted at all.", "u", id="under another"),
        pytest.param("Returns are not accepted at all.", "## Sales\n- Returns are not accepted at all.", "u", id="without its heading"),
        pytest.param("Returns are not accepted at all.", "## Sales\nReturns are not accepted at all.", "s", id="a paragraph stands alone"),
        pytest.param("Gifts\n===\n| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |", "# Lunch\n| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |", "u", id="a row under another"),
        pytest.param("# Lunch\n| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |", "Lunch\n---\n| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |", "s", id="a row under its own"),
        pytest.param("# A\nIt holds:\n- one\n- two", "# B\nIt holds:\n- one\n- two", "uu", id="an introduced list under another"),
    ],
)  # fmt: skip
def test_items_and_rows_are_read_with_their_heading(answer: str, chunk: str, expected: str) -> None:
    assert "".join(claim.verdict[0] for claim in judged(answer, chunk)) == expected


# Laws

PIECES = st.lists(
    st.sampled_from(
        ["the fee is 20 EUR", "dogs", "and", "but", ";", ",", "is free", "costs 5 EUR", "if", "which", '"', "(", ")", "[c1]", ".", "\n",
         "- ", "# x\n", "| a | b |\n|---|---|\n", "For members,", "**", "it", "茶。", "لا", "\x00", "😀", "`", "however", "<b>", "</b>", "have", "May"]
    ),
    max_size=40,
).map(" ".join)  # fmt: skip


@given(st.one_of(PIECES, st.text(max_size=200)))
def test_parts_are_in_order_apart_and_lose_no_word_but_the_joints(sentence: str) -> None:
    found = propositions(sentence, "en")
    assert len(found) != 1
    at = 0
    for part in found:
        between = sentence[at : part.start].strip(" ,;\t\r\n")
        assert not between or set(between.replace(";", " ").split()) <= {"and", "but", "while", "whereas", "yet"}
        assert at <= part.start < part.end
        at = part.end
    if found:
        assert not sentence[at:].strip(" ,\t\r\n")


@settings(deadline=None)  # the first one compiles the expressions of every language
@given(PIECES)
def test_claims_stand_verbatim_in_the_answer(answer: str) -> None:
    at = 0
    for claim in claims_of(answer):
        assert at <= claim.start < claim.end <= len(answer)
        assert len(claim.raw) == claim.end - claim.start
        # Where a marker was blanked the two differ, and nowhere else.
        assert all(
            mine in {theirs, " "} for mine, theirs in zip(claim.raw, answer[claim.start : claim.end], strict=True)
        )
        at = claim.end
