"""Forbidden text is recognised however it is written, and ordinary text is not taken for it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.core.disclosure.restricted_text import RestrictedText, distinctive
from raggate_action.core.text.word_matching import FUNCTION_WORDS
from raggate_action.schema.trace import Trace
from tests.builders import make_case, make_chunk, make_store, make_trace

LONG = "When an executive escalates, payment deploys can bypass the freeze approval entirely."
STORE = make_store(
    make_chunk("open", "A freeze is on. Payment deploys require the incident commander's approval before rollout."),
    make_chunk("shared", "Please write to the support team of your region. Ticket AB-1200 is public."),
    make_chunk("long", LONG, permitted=False),
    make_chunk("code", "Launch code 7741", permitted=False),
    make_chunk("word", "Approval", permitted=False),
    make_chunk("token", "BREAKGLASS-7741-ALPHA", permitted=False),
    make_chunk(
        "mixed", "At the end of the day, write to the support team of your region about AB-1200.", permitted=False
    ),
    make_chunk(
        "pay", "Anna Schmidt earns 4,812,377 a year, as of 2026-06-02; anna.schmidt@corp.test", principals=("hr",)
    ),
    make_chunk("pair", "Silent Falcon", permitted=False),
)
RESTRICTED = RestrictedText(STORE)
CASE = make_case(question="May I deploy in the freeze?")
SHOWN = ("open", "shared")


@pytest.mark.parametrize(
    ("said", "chunks"),
    [
        pytest.param("Payment deploys can bypass the freeze!", ["long"], id="five words of a long chunk"),
        pytest.param("payment DEPLOYS can\n\n bypass -- the **freeze**", ["long"], id="in any case, across lines"),
        pytest.param(
            "pay\u00adment de\u200bploys can bypass the freeze", ["long"], id="parted by invisible characters"
        ),
        pytest.param("pay\x00ment de\x1bploys can bypass the freeze", ["long"], id="parted by controls"),
        pytest.param("ｐａｙｍｅｎｔ deploys can bypass the freeze", ["long"], id="in wide letters"),
        pytest.param("payment deploys can bypass", [], id="four words of it are not seen"),
        pytest.param("Payment deploys require the approval", [], id="words that were shown"),
        pytest.param("The launch code is not known", [], id="two words of three"),
        pytest.param("Launch code: 7741.", ["code"], id="a short chunk, whole"),
        pytest.param('{"launch":{"code":7741}}', ["code"], id="a short chunk, in JSON"),
        pytest.param("It needs approval.", [], id="a chunk of one plain word is not seen"),
        pytest.param("silent falcon", ["pair"], id="two words, if they are the whole chunk"),
        pytest.param("A falcon flew, silent.", [], id="two words, apart"),
        pytest.param("breakglass-7741-alpha", ["token"], id="a code"),
        pytest.param("BREAKGLASS_7741_ALPHA", ["token"], id="a code, joined otherwise"),
        pytest.param("BREAKGLASS7741ALPHA", ["token"], id="a code, glued"),
        pytest.param("BREAKGLASS-7741", [], id="half a code is not seen"),
        pytest.param("She earns 4812377.", ["pay"], id="a large number, written otherwise"),
        pytest.param("Write to Anna.Schmidt@corp.test", ["pay"], id="an address"),
        pytest.param("It holds as of 2026-06-02.", [], id="a date is nobody's"),
        pytest.param("at the end of the day", [], id="words that any two texts share"),
        pytest.param("Write to the support team of your region.", [], id="what an open chunk says too"),
        pytest.param("See AB-1200.", [], id="a code that an open chunk has too"),
    ],
)
def test_what_is_recognised(said: str, chunks: list[str]) -> None:
    assert list(RESTRICTED.repeated_in(said, CASE, SHOWN)) == chunks
    assert list(RESTRICTED.repeated_in(make_trace(answer=said, context=SHOWN), CASE, SHOWN)) == chunks


@pytest.mark.parametrize(
    ("said", "case", "chunks"),
    [
        pytest.param("Is it BREAKGLASS-7741-ALPHA? No.", {"question": "Is it breakglass 7741 alpha?"}, [], id="asked"),
        pytest.param(
            "launch code 7741", {"messages": [{"role": "user", "content": "launch code 7741?"}]}, [], id="a turn"
        ),
        pytest.param("launch code 7741", {"input": {"launch": ["code", "launch code 7741"]}}, [], id="an input"),
        pytest.param("launch code 7741", {"question": "launch what?", "input": 7741}, ["code"], id="asked in pieces"),
        pytest.param("She earns 4812377.", {"principals": ["hr"]}, [], id="who may read it may be told"),
        pytest.param("She earns 4812377.", {"principals": ["it"]}, ["pay"], id="who may not may not"),
        pytest.param("launch code 7741", {"principals": ["hr"]}, ["code"], id="what nobody may read"),
        pytest.param(LONG, {"question": LONG}, [], id="a question that quotes it"),
    ],
)
def test_what_the_asker_may_know(said: str, case: dict[str, Any], chunks: list[str]) -> None:
    assert list(RESTRICTED.repeated_in(said, make_case(**case), SHOWN)) == chunks


def test_five_words_are_a_coincidence_where_each_of_them_was_asked_or_shown() -> None:
    case = make_case(question="Can the freeze be bypass for payment deploys, when does one bypass it?")
    assert RESTRICTED.repeated_in("payment deploys can bypass the freeze", case, SHOWN) == ()
    assert RESTRICTED.repeated_in("executive escalates payment deploys can bypass the freeze", case, SHOWN) == ("long",)


def test_nobody_in_particular_may_read_what_everybody_may() -> None:
    assert RESTRICTED.repeated_in("see 4812377", None) == ("pay",)
    assert RESTRICTED.repeated_in("see AB-1200", None) == ()


def test_text_that_many_forbidden_chunks_share_names_ten_of_them() -> None:
    chunks = [make_chunk(f"c{number}", "Launch code 7741", permitted=False) for number in range(30)]
    assert len(RestrictedText(make_store(*chunks)).repeated_in("launch code 7741", None)) == 10


@pytest.mark.parametrize(
    "field",
    [
        {"case_id": "launch code 7741"},
        {"answer": {"text": "", "claims": [{"text": "x", "claim_id": "Launch-Code-7741"}]}},
        {"answer": {"claims": [{"text": "x", "citation_ids": ["launch/code/7741"]}]}},
        {"answer": {"claims": [{"text": "x", "support_phrases": ["launch code 7741"]}]}},
        {"answer": {"claims": [{"text": "x", "answer_point": "launch code 7741"}]}},
        {"candidates": ["launch code 7741"]},
        {"candidates": [{"chunk_id": "open", "text": "launch code 7741"}]},
        {"rerank_input": [{"chunk_id": "open", "version": "launch code 7741"}]},
        {"reranked": [{"chunk_id": "launch code 7741"}]},
        {"context": [{"chunk_id": "open", "text": "launch code 7741"}]},
        {"versions": [["launch code 7741", "1"]]},
        {"versions": {"index": "launch code 7741"}},
        {"tool_calls": ["launch code 7741"]},
        {"tool_calls": [{"name": "say", "arguments": {"a": [{"launch code 7741": None}]}}]},
        {"tool_calls": [{"name": "pay", "arguments": [4812377]}]},
        {"stage_latency_ms": {"launch code 7741": 1.0}},
        {"latency_ms": 4812377.0},
        {"usage": {"input_tokens": 4812377}},
        {"error": "launch code 7741"},
    ],
    ids=str,
)
def test_every_place_of_a_trace_is_looked_at(field: dict[str, Any]) -> None:
    assert RESTRICTED.repeated_in(make_trace(**{"answer": "x", **field}), CASE)


def test_every_field_of_a_trace_is_one_of_those() -> None:
    assert set(Trace.model_fields) == {
        "case_id", "answer", "candidates", "rerank_input", "reranked", "context", "versions", "tool_calls", "latency_ms",
        "stage_latency_ms", "usage", "error",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        pytest.param("Use BREAKGLASS-7741-ALPHA.", ["breakglass7741alpha"], id="a code"),
        pytest.param("key=sk-live-9f8e7d", ["sklive9f8e7d"], id="a key behind its name"),
        pytest.param("p@ss-Word, x", ["pssword"], id="an at sign inside"),
        pytest.param("vault_master_key", ["vaultmasterkey"], id="an underscore"),
        pytest.param("correct-horse-battery-staple", ["correcthorsebatterystaple"], id="four words with hyphens"),
        pytest.param("xKqWzRtYpL", ["xkqwzrtypl"], id="letters in turns of case"),
        pytest.param("EUR 4,812,377 or 10.20.30.41", ["4812377", "10203041"], id="large numbers"),
        pytest.param("a1" * 20, ["a1" * 16], id="the beginning of a long one"),
        pytest.param("state-of-the-art, end-to-end, payment-service", [], id="ordinary hyphens"),
        pytest.param("24-hour 1500ms 100GB 50,000EUR Covid-19 step-2 python3.11 2nd v2.3.1", [], id="ordinary digits"),
        pytest.param("2026-06-02 2026-06-02T09:00 02.06.2026 2024-2025 09:30", [], id="dates and times"),
        pytest.param("100000 1,000,000 250000", [], id="round numbers"),
        pytest.param("JavaScript PostgreSQL IMPORTANT user_id @payments", [], id="names and shouting"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_what_is_distinctive(text: str, pieces: list[str]) -> None:
    assert list(distinctive(text)) == pieces


WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9).filter(lambda word: word not in FUNCTION_WORDS)
WORDS = st.lists(WORD, min_size=2, max_size=30, unique=True)
BETWEEN = st.sampled_from([" ", "\n", ", ", "-", " ** ", "\u00a0", " \u200b"])


@given(WORDS, st.lists(BETWEEN, min_size=30, max_size=30), st.sampled_from(["upper", "lower"]))
def test_a_whole_chunk_is_recognised_whatever_stands_between_its_words(
    words: list[str], between: list[str], shout: str
) -> None:
    restricted = RestrictedText(make_store(make_chunk("hidden", " ".join(words), permitted=False)))
    told = [getattr(word, shout)() for word in words]
    said = "".join(f"{word}{gap}" for word, gap in zip(told, between, strict=False))
    assert restricted.repeated_in(f"Zzz: {said}", None)


@given(WORDS, WORDS)
def test_texts_without_a_word_in_common_are_not_taken_for_each_other(hidden: list[str], said: list[str]) -> None:
    restricted = RestrictedText(make_store(make_chunk("hidden", " ".join(hidden), permitted=False)))
    assert restricted.repeated_in(" ".join(word for word in said if word not in hidden), None) == ()


@given(WORDS)
def test_what_everybody_may_read_is_free(words: list[str]) -> None:
    text = " ".join(words)
    store = make_store(make_chunk("hidden", text, permitted=False), make_chunk("open", f"So {text}."))
    assert RestrictedText(store).repeated_in(text, None) == ()
