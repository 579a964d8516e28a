"""Forbidden text behind marks, escapes and invisible characters is found; permitted text behind the same marks is not."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import regex

from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.disclosure.withholding import WORDS
from raggate_action.core.gates.case_row import Evaluated, evaluate_reply
from raggate_action.report.escape import clean
from raggate_action.schema.answer_votes import AnswerVotes, ItemOpinion, JudgedItem
from raggate_action.schema.base import Record
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import ByRules, CaseRun, Claim, Finding, Hallucination, Musts, Tools
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

# How apps cite, and how a reader of a page sees none of it.
CITATIONS = {
    "a raised number": "<sup>1</sup>",
    "a raised link": '<sup><a href="#ref-1" class="cite">1</a></sup>',
    "a raised bracket": "<sup>[1]</sup>",
    "a link to a note": "[1](#ref-1)",
    "a link to a page": "[handbook](https://a.test/handbook#p-3 'Handbook')",
    "a bracket as a link": "[[1]](https://a.test/1)",
    "a link by reference": "[1][handbook]",
    "an anchor": '<a href="#1">source 1</a>',
    "a cite element": "<cite>handbook, page 3</cite>",
    "a ref element": '<ref name="handbook">page 3</ref>',
    "an empty ref element": '<ref name="handbook"/>',
    "a LaTeX citation": r"\cite{handbook2026}",
    "a LaTeX citation with a page": r"\parencite[see][p. 3]{handbook,rules}",
    "a LaTeX reference": r"\ref{fig:one}",
    "a LaTeX footnote mark": r"\footnotemark[3]",
    "a Pandoc note": "^1^",
    "a Pandoc note of two": "^1,2^",
    "a caret": "^1",
    "a keycap": "1\ufe0f\u20e3",
    "a web search's mark": "\ue200cite\ue202turn0search1\ue202turn2news3\ue201",
    "a web search's bare mark": "citeturn0search1",
    "a cite of a chat": "[cite: 1, 2]",
}


def cited(text: str, *, mark: str, every: int) -> str:
    words = text.split()
    return " ".join(f"{word}{mark}" if place % every == 0 else word for place, word in enumerate(words, start=1))


# Every spelling takes a text and hides its words behind marks. None changes what a reader of it reads.
SPELLINGS: dict[str, Callable[[str], str]] = {
    "a citation behind every word": lambda t: t.replace(" ", " [1] "),
    "a citation without spaces": lambda t: t.replace(" ", "[1] "),
    "a citation for every space": lambda t: t.replace(" ", "[1]"),
    "a chunk's id": lambda t: t.replace(" ", " [c1] "),
    "several ids": lambda t: t.replace(" ", " [1, c2; doc/3#4] "),
    "wide brackets": lambda t: t.replace(" ", "【1】 "),
    "wide brackets with a place": lambda t: t.replace(" ", "【1†L3-L9】 "),
    "footnote marks": lambda t: t.replace(" ", "[^1] "),
    "named footnotes": lambda t: t.replace(" ", "[^note] "),
    "superscript numbers": lambda t: t.replace(" ", "¹² "),
    "circled numbers": lambda t: t.replace(" ", "① "),
    "words in brackets": lambda t: t.replace(" ", " [source: handbook] "),
    "words in parentheses": lambda t: t.replace(" ", " (see the handbook) "),
    "words in braces": lambda t: t.replace(" ", " {handbook} "),
    "a citation in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1[1]\2", t),
    "a citation with spaces in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1 [c1] \2", t),
    "a comment between words": lambda t: t.replace(" ", " <!-- x --> "),
    "a comment in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1<!-- a > b -->\2", t),
    "all of it inside a comment": lambda t: "Well. <!-- " + t.replace(" ", " [1] ") + " -->",
    "in a comment that nothing ends": lambda t: "Well. <!-- " + t.replace(" ", " [1] "),
    "in a tag's attribute": lambda t: f'<span title="{t.replace(" ", " [1] ")}">Well.</span>',
    "tags between words": lambda t: "".join(f"<b>{word}</b> " for word in t.split()),
    "tags in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1<b></b>\2", t),
    "unknown tags in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1<x-y z='1'>\2", t),
    "a line break's tag in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1<br/>\2", t),
    "bold in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1**\2**", t),
    "italics in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1*\2*", t),
    "code in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1`\2`", t),
    "struck out in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1~~\2~~", t),
    "underscores in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1__\2__", t),
    "Markdown's escapes in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1\\\2", t.replace("B", "b")),
    "hyphens at a line's end": lambda t: re.sub(r"(\w{2})(\w)", "\\1-\n\\2", t),
    "hyphens in every word": lambda t: re.sub(r"(\w{2})(\w)", r"\1-\2", t),
    "links": lambda t: "".join(f"[{word}](https://a.test/{n}) " for n, word in enumerate(t.split())),
    "links with titles": lambda t: "".join(f'[{word}](https://a.test "it") ' for word in t.split()),
    "soft hyphens": "\u00ad".join,
    "soft hyphens as entities": "&shy;".join,
    "zero-width spaces by number": "&#8203;".join,
    "zero-width spaces by number, escaped": "&amp;#x200b;".join,
    "zero-width spaces as in JSON": "\\u200b".join,
    "zero-width spaces as in a url": "%E2%80%8B".join,
    "grapheme joiners": "\u034f".join,
    "variation selectors": "\ufe0f".join,
    "vowel separators": "\u180e".join,
    "inherent vowels": "\u17b4".join,
    "tag characters": "\U000e0041".join,
    "marks of direction": "\u202e".join,
    "fillers": "\u3164".join,
    "an accent on every letter": lambda t: re.sub(r"([A-Za-z])", "\\1\u0301", t),
    "a stroke through every letter": lambda t: re.sub(r"([A-Za-z])", "\\1\u0336", t),
    "wide letters": lambda t: "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in t),
    "mathematical letters": lambda t: "".join(
        chr(0x1D41A + ord(c) - ord("a")) if c.islower() else c for c in t.lower()
    ),
    "every letter by number": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "every letter as in a url": lambda t: "".join(f"%{ord(c):02x}" for c in t),
    "every letter as in JSON": lambda t: "".join(f"\\u{ord(c):04x}" for c in t),
    "escaped tags": lambda t: t.replace(" ", " &lt;b&gt; "),
    **{f"{name} {how}": partial(cited, mark=mark, every=every)
       for name, mark in CITATIONS.items()
       for how, every in (("behind every word", 1), ("behind every third word", 3))},
    "citations in bold words": lambda t: "".join(f"<b>{word}</b><sup>1</sup> " for word in t.split()),
    "all of these": lambda t: re.sub(
        r"(\w{2})(\w)", "\\1**\u034f\\2**", t.replace(" ", "<!-- x --> [c1] (2)¹ ", 3).replace("million", "mil<b>lion</b>")
    ),
}  # fmt: skip
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


# A chunk's own words are not put together where people part words by hand.
BY_HAND = ("a citation with spaces in every word", "Markdown's escapes in every word", "hyphens in every word")


@pytest.mark.parametrize(
    "spelling",
    [s for name, s in SPELLINGS.items() if name not in BY_HAND],
    ids=[n for n in SPELLINGS if n not in BY_HAND],
)
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


def test_the_suites_own_citation_markers_are_marks_too() -> None:
    said = SECRET.replace(" ", " @@open@@ ").replace("Northwind", "North~wind")
    rules = make_rules(STORE)
    assert RestrictedText(STORE, (re.compile("@@(?P<ids>[a-z]+)@@"),)).repeated_in(said, None) == ("hidden",)
    # Without them only the reading into claims brings the words together, and that is looked at as well.
    reading = rules.reading._replace(patterns=(re.compile("@@(?P<ids>[a-z]+)@@"),))
    case = make_case()
    placed = PlacedCase(case, 0, case_digest(case), "cases.yaml", 1)
    trace = make_trace(answer=SECRET.replace(" ", " @@open@@ "), context=["open"])
    done = evaluate_reply(placed, Answered(trace=trace), rules._replace(reading=reading), custom=None, finished_at="")
    assert done.withheld
    assert "Northwind" not in done.row.model_dump_json()


def test_a_table_is_looked_at_as_it_is_read() -> None:
    done = evaluated({"answer": "| The merger | closes on |\n|---|---|\n| with Northwind | Friday for nine |"})
    assert done.withheld
    assert "Northwind" not in done.row.model_dump_json()


def test_an_error_and_what_it_quotes_are_both_looked_at() -> None:
    case = make_case()
    placed = PlacedCase(case, 0, case_digest(case), "cases.yaml", 1)
    failure = TargetFailure(error=SECRET.replace(" ", " [1] "), excerpt="500")
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
    assert set(WORDS.get(record, ())) | OURS[record] == set(record.model_fields)
    assert not set(WORDS.get(record, ())) & OURS[record]


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
