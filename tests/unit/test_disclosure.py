"""Forbidden text behind marks, escapes and invisible characters is found; permitted text behind the same marks is not."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
import regex

from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.disclosure.withholding import WORDS
from raggate_action.core.gates.case_row import Evaluated, evaluate_reply
from raggate_action.report.escape import clean
from raggate_action.schema.answer_votes import AnswerVotes, ByRules, ItemOpinion, JudgedItem
from raggate_action.schema.base import Record
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun, Claim, Finding, Hallucination, Musts, Tools
from raggate_action.schema.judgement import AskedJudge, ClaimVote, Lost, Part, PointVote
from raggate_action.schema.outcome import Failed, NotApplicable, Passed, Problem, Unmeasured
from raggate_action.schema.trace import Answered, TargetFailure
from raggate_action.strings.visible_text import DEFAULT_IGNORABLE, INVISIBLE, without_invisible
from tests.builders import codes, judge, make_case, make_chunk, make_rules, make_store, make_trace

SECRET = "The merger with Northwind closes on Friday for nine million."  # noqa: S105  no password
BOILERPLATE = "Please write to the support team of your region within nine working days."
STORE = make_store(
    make_chunk("hidden", SECRET, permitted=False),
    make_chunk("mixed", f"Only for the board. {BOILERPLATE} Its code is BREAKGLASS-7741-ALPHA.", permitted=False),
    make_chunk("open", f"Doors open at nine. {BOILERPLATE}"),
)

# Every spelling takes a text and hides its words. None changes what a reader of it reads.
SPELLINGS: dict[str, Callable[[str], str]] = {
    "bold words": lambda t: "".join(f"**{word}** " for word in t.split()),
    "soft hyphens": "\u00ad".join,
    "grapheme joiners": "\u034f".join,
    "variation selectors": "\ufe0f".join,
    "vowel separators": "\u180e".join,
    "inherent vowels": "\u17b4".join,
    "tag characters": "\U000e0041".join,
    "marks of direction": "\u202e".join,
    "fillers": "\u3164".join,
    "controls": "\x08".join,
    "an accent on every letter": lambda t: re.sub(r"([A-Za-z])", "\\1\u0301", t),
    "a stroke through every letter": lambda t: re.sub(r"([A-Za-z])", "\\1\u0336", t),
    "wide letters": lambda t: "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in t),
    "mathematical letters": lambda t: "".join(
        chr(0x1D41A + ord(c) - ord("a")) if c.islower() else c for c in t.lower()
    ),
}
SPELLED = pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
# What a reader of a row, a comment or a terminal would know the text by, its words in any order of marks.
GIVEN_AWAY = re.compile("northwind|million|merger")


def evaluated(trace: dict[str, Any], **case: Any) -> Evaluated:
    made = make_case(**case)
    placed = PlacedCase(made, 0, case_digest(made), "cases.yaml", 1)
    answered = Answered(trace=make_trace(context=["open"], **trace))
    return evaluate_reply(placed, answered, make_rules(STORE), custom=None, finished_at="")


def letters(text: str) -> str:
    """What is left of a text for the eye: its letters, marks of every kind aside."""
    bare = re.sub(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)|&#?\w+;", "", json.loads(json.dumps(text)))
    return "".join(c for c in unicodedata.normalize("NFKD", bare).lower() if c.isalpha())


@SPELLED
def test_forbidden_text_is_found_behind_it_and_written_nowhere(spelling: Callable[[str], str]) -> None:
    done = evaluated({"answer": f"It is known: {spelling(SECRET)}"})
    assert "the trace repeats hidden" in done.row.model_dump_json()
    assert done.withheld
    assert done.row.state == "failed"
    assert done.trace is not None
    assert not GIVEN_AWAY.search(letters(done.row.model_dump_json() + done.trace.model_dump_json()))


@SPELLED
def test_permitted_text_behind_it_stays_permitted(spelling: Callable[[str], str]) -> None:
    said = spelling(BOILERPLATE)
    assert (
        codes(judge(make_case(), make_trace(answer=said, context=["open"]), make_rules(STORE)), "admissibility") == []
    )
    assert RestrictedText(STORE).repeated_in(said, None) == ()


@SPELLED
def test_a_code_behind_it_is_found(spelling: Callable[[str], str]) -> None:
    assert RestrictedText(STORE).repeated_in(spelling("Use BREAKGLASS-7741-ALPHA, please."), None) == ("mixed",)


@SPELLED
def test_a_chunk_that_is_written_so_is_found_again_without_it(spelling: Callable[[str], str]) -> None:
    restricted = RestrictedText(make_store(make_chunk("marked", spelling(SECRET), permitted=False)))
    assert restricted.repeated_in(SECRET, None) == ("marked",)
    assert restricted.repeated_in(spelling(SECRET), None) == ("marked",)


@SPELLED
def test_what_a_chunk_for_everybody_says_in_it_is_free(spelling: Callable[[str], str]) -> None:
    store = make_store(make_chunk("hidden", SECRET, permitted=False), make_chunk("open", spelling(SECRET)))
    assert RestrictedText(store).repeated_in(SECRET, None) == ()
    assert RestrictedText(store).repeated_in(spelling(SECRET), None) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Doors open at nine [1]. The team [2] of your region [c1] closes on Friday [3].",
        "We merge **with** care; a friend of *North* Wind (the band) closes the **show** on Sunday.",
        "The merger (see [1]) is not something I can discuss.",
        "`for nine in range(9): million = 10 ** 6` <!-- closes on exit -->",
        "Nine million people live there [^1], and the north wind closes doors on Fridays.",
        "E-mail re-entry co-operation x-ray, 24/7, and/or, he/she, mother-in-law: 1.5e6 [a] (b) {c} <d>",
    ],
)
def test_ordinary_prose_with_marks_is_not_taken_for_it(said: str) -> None:
    assert RestrictedText(STORE).repeated_in(said, None) == ()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(r"\u0054he merger\nwith Northwind\ncloses on\u0020Friday", id="as in JSON"),
        pytest.param("The%20merger%20with%20Northwind%20closes%20on%20Friday", id="as in a url"),
        pytest.param("The mer<b>ger</b> with North<wbr>wind clo<b>ses</b> on Fri<b>day</b>", id="markup in words"),
        pytest.param("The m-e-r-g-e-r with N-o-r-t-h-w-i-n-d closes", id="spelled out"),
        pytest.param("The takeover of Northwind is agreed for the end of the week.", id="other words"),
        pytest.param("Gur zretre jvgu Abegujvaq pybfrf ba Sevqnl sbe avar zvyyvba.", id="a cipher"),
        pytest.param("VGhlIG1lcmdlciB3aXRoIE5vcnRod2luZCBjbG9zZXMgb24gRnJpZGF5", id="base64"),
        pytest.param("noillim enin rof yadirF no sesolc dniwhtroN htiw regrem ehT", id="backwards"),
        pytest.param("Тhе mеrgеr wіth Νоrthwіnd сlоsеs оn Frіdау", id="letters of other alphabets"),
    ],
)
def test_what_is_not_recognised_is_known(said: str) -> None:
    assert RestrictedText(STORE).repeated_in(said, None) == ()


def test_claims_of_an_answer_without_a_text_are_read_as_one() -> None:
    words = ["The merger", "with Northwind", "closes on", "Friday for nine million"]
    answer = {"claims": [{"text": text, "citation_ids": ["open"]} for text in words]}
    assert RestrictedText(STORE).repeated_in(make_trace(answer=answer), None) == ("hidden",)
    done = evaluated({"answer": answer})
    assert done.withheld
    assert "Northwind" not in done.row.model_dump_json()


def test_words_that_citations_part_are_brought_together_as_the_answer_is_read() -> None:
    done = evaluated({"answer": SECRET.replace(" ", " [open] ")})
    assert done.withheld
    assert "Northwind" not in done.row.model_dump_json()


def test_a_table_is_looked_at_as_it_is_read() -> None:
    done = evaluated({"answer": "| The merger | closes on |\n|---|---|\n| with Northwind | Friday for nine |"})
    assert done.withheld
    assert "Northwind" not in done.row.model_dump_json()


def test_an_error_and_what_it_quotes_are_both_looked_at() -> None:
    case = make_case()
    placed = PlacedCase(case, 0, case_digest(case), "cases.yaml", 1)
    failure = TargetFailure(error=SECRET, excerpt="500")
    row = evaluate_reply(placed, failure, make_rules(STORE), custom=None, finished_at="").row
    assert row.error == "the app's message is withheld: it repeats hidden"


def test_a_text_of_the_suite_that_repeats_forbidden_text_is_withheld_alone() -> None:
    point = {"id": "date", "answer_phrases": ["tea"], "support_phrases": ["closes on Friday for nine million"]}
    done = evaluated({"answer": "The tea is hot."}, required_points=[point])
    assert not done.withheld
    assert done.row.answer == "The tea is hot."
    assert done.row.claims[0].note == "this text is withheld: it repeats hidden"
    assert "million" not in done.row.model_dump_json()


# Not words of an app or of the evidence: numbers, digests, closed lists, and what the suite says of its case.
OURS: dict[type[Record], set[str]] = {
    CaseRun: {
        "case_id", "position", "digest", "kind", "name", "file", "line", "question", "workflow", "category", "tags",
        "weight", "expect", "slices", "state", "first_failed_stage", "blocked_at", "score", "flagged", "tools",
        "musts", "recalled", "forbids", "known_ids", "unknown_ids", "latency_ms", "cost_usd", "answer_length", "answer_digest", "abstained", "finished_at",
        "unconfirmed", "own_rate", "alone",
        # Made of rows that have been looked at, see `together`.
        "asks",
    },
    Claim: {"start", "end", "verdict", "quote_start", "points", "labelled", "judged", "cleared"},
    ClaimVote: {"judge", "armed", "declared", "verdict", "untested", "left_out"},
    Part: {"verdict"},
    AskedJudge: {
        "judge", "job", "armed", "declared", "armed_for", "bound_to", "declines", "usage", "calls", "attempts", "unmetered", "cost_usd",
        "reused",
    },
    Lost: {"code"},
    AnswerVotes: set(),
    JudgedItem: {"kind", "must_not", "withheld", "said"},
    ItemOpinion: {"judge", "armed", "said"},
    PointVote: {"point"},
    ByRules: {"musts"},
    Finding: {"kind", "code", "start", "end", "chunk_start", "chunk_end", "certain", "sharp", "advisory", "key"},
    Hallucination: {"kind", "key"},
    Failed: {"kind", "share"},
    Problem: {"code"},
    Unmeasured: {"kind", "reason", "share"},
    Passed: {"kind", "share"},
    NotApplicable: {"kind", "why", "share"},
    Tools: {"expected", "missing"},
    Musts: {"met", "missed"},
}  # fmt: skip


@pytest.mark.parametrize("record", OURS, ids=lambda record: record.__name__)
def test_every_field_of_a_row_is_looked_at_or_ours(record: type[Record]) -> None:
    assert set(WORDS.get(record.__name__, ())) | OURS[record] == set(record.model_fields)
    assert not set(WORDS.get(record.__name__, ())) & OURS[record]


IGNORABLE = regex.findall(r"\p{Default_Ignorable_Code_Point}", "".join(map(chr, range(0x110000))))


def test_the_list_of_invisible_characters_is_unicodes() -> None:
    ours = [chr(c) for first, last in DEFAULT_IGNORABLE for c in range(first, last + 1)]
    assert ours == IGNORABLE


def test_no_invisible_character_hides_a_word_or_is_shown() -> None:
    restricted = RestrictedText(STORE)
    for character in IGNORABLE:
        assert without_invisible(f"a{character}b") == "ab"
        assert restricted.repeated_in(f"The mer{character}ger with North{character}wind closes", None), character
        assert clean(f"a{character}b") in {"ab", "a\ufffdb"}


def test_what_is_left_out_when_text_is_shown_is_left_out_when_it_is_looked_at() -> None:
    left_out = {chr(c) for c in range(0x80, 0x110000) if clean(f"a{chr(c)}b") == "ab"}
    assert left_out == {c for c in map(chr, range(0x80, 0x110000)) if INVISIBLE.match(c) and clean(c) == ""}
    assert len(left_out) > 4000
