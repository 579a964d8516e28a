"""What holds of the evidence checks whatever answers and chunks say."""

from __future__ import annotations

import time
from itertools import product

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, IndexCache, ShownEvidence
from raggate_action.core.evidence_checks.nearest_evidence import nearest_sentence
from raggate_action.core.text import tokens
from raggate_action.core.text.sentences import sentence_spans
from raggate_action.core.text.text import Text
from raggate_action.core.text.tokens import keys_of, tokens_of
from raggate_action.schema.case_run import Finding
from tests.builders import judge, make_case, make_rules, make_trace
from tests.thorough import THOROUGH, examples

WORDS = st.sampled_from((
    "the", "The", "a", "not", "never", "no", "must", "may", "can", "is", "are", "was", "and", "or", "within",
    "before", "after", "30", "60", "1,200", "2.5", "$10", "€7", "5", "%", "3", "days", "hours", "kg", "mg", "pm",
    "17:00", "June", "2026", "2026-06-02", "2018-19", "million", "k", "Basic", "Pro", "Berlin", "Alice", "Bob",
    "plan", "costs", "refunds", "returned", "approves", "notifies", "customer", "manager", "“quoted", "words",
    "stand", "here”", "[1]", "-", "1.", "`x", "7`", "|", ",", ".", ";", ":", "?", "(", ")", "Schuhe", "日本", "مرحبا",
    "😀", "höchstens", "es sei denn,", "fünfundzwanzig", "März", "15.", "1.250,50", "Uhr", "21.45", "nicht", "jusqu'à",
    "quatre-vingt-dix", "n'est", "21 h 45", "pas", "1er", "como máximo", "treinta y dos", "İ", "l’",
))  # fmt: skip
SENTENCES = st.lists(WORDS, min_size=1, max_size=14).map(lambda words: " ".join(words) + ".")
TEXTS = st.one_of(st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join), st.text(max_size=120))
LANGUAGES = st.sampled_from(["en", "en", "en", "de", "fr", "es", "fi"])
LAWS = settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def shown(*texts: str, language: str = "en") -> ShownEvidence:
    return IndexCache(language).shown([(f"c{number}", text) for number, text in enumerate(texts, 1)])


def absent(found: tuple[Finding, ...]) -> list[tuple[str, range]]:
    return [(f.code, range(f.start or 0, f.end or 0)) for f in found if f.kind == "absent"]


@given(claim=TEXTS, texts=st.lists(TEXTS, max_size=3), language=LANGUAGES)
@example(claim="1" * 5_000 + " million", texts=["2" * 5000 + " kg"], language="en")
@example(claim="٣٠ days", texts=["३० days 2²"], language="en")
@example(claim="\x00\ufeff\u202e30 kg\ud800", texts=["\x00 30 kg."], language="en")
@example(claim="99:99 0/0 0,0,0 0.0.0 31/31/31 2026-13-45 0x1F", texts=["1/2/3 . , 0 0 , 0"], language="en")
@LAWS
def test_whatever_is_said_spans_lie_inside(claim: str, texts: list[str], language: str) -> None:
    evidence = shown(*texts, language=language)
    for finding in findings_on(Text(claim, language), evidence, citations=("c1",)):
        assert finding.start is not None
        assert finding.end is not None
        assert finding.start < finding.end <= len(claim)
        assert finding.reason
        if finding.chunk_start is not None:
            assert finding.chunk_id is not None
            assert finding.chunk_end is not None
            text = texts[int(finding.chunk_id[1:]) - 1]
            assert 0 <= finding.chunk_start < finding.chunk_end <= len(text)


# Sentences with a value, in each language that is read, and values of every kind that is read in any of them.
FRAMES = {
    "en": ("The office is closed on {}.", "The limit is {} per day.", "It rose from {} to 12 weekly.", "{} costs less."),
    "de": ("Das Büro ist am {} geschlossen.", "Die Grenze ist {} pro Tag.", "Es stieg von {} auf 12.", "{} kostet weniger."),
    "fr": ("Le bureau est fermé le {}.", "La limite est {} par jour.", "Il passe de {} à 12.", "{} coûte moins."),
    "es": ("La oficina cierra el {}.", "El límite es {} por día.", "Subió de {} a 12.", "{} cuesta menos."),
}  # fmt: skip
VALUES = {
    "number": ("7", "1,200", "3.5", "1"), "money": ("$10", "€7.50", "20 Euro", "USD 5 million"),
    "unit": ("3 kg", "12 hours", "20 °C", "5 Tage"), "percent": ("5 %", "12.5%", "zehn Prozent", "0 %"),
    "date": ("2 June 2026", "2026-06-02", "02.06.2026", "June 2"), "time": ("5 pm", "17:00", "9:30 a.m.", "noon"),
    "weekday": ("Monday", "Tuesday", "Fridays", "mardi"), "month": ("May", "June 2026", "Juni", "mayo"),
    "phone": ("+49 30 1234567", "(030) 123-4567", "555-0100", "110"), "code": ("AB-1234", "`x7`", "0x1F", "2026-13-45"),
    "name": ("Berlin", "Alice Smith", "EU", "Frau Weiß"), "version": ("v2.3.1", "1.10", "3.0", "Python 3.12"),
    "range": ("5-7", "10 to 12", "2018-19", "1991–2000"), "words": ("two", "zwölf", "half", "la mitad"),
    "years": ("1998", "the 1980s", "1900s", "2026"), "order": ("3rd", "first", "IV", "2e"),
    "parts": ("1/2", "3/4", "½", "a third"), "place": ("https://a.example/x", "a@b.example", "/opt/a", "--all"),
    "nothing": ("it", "", "?", "-"),
}  # fmt: skip


@pytest.mark.parametrize("language", FRAMES)
@pytest.mark.parametrize("claimed", VALUES)
def test_a_value_of_any_kind_is_held_against_one_of_any_other(claimed: str, language: str) -> None:
    """ "closed on Monday" against "closed on Tuesday" ended the run: a weekday is a date without a value."""
    rules = make_rules(language=language)
    questions = list(enumerate(("When is it open?", "How many days a week?"), 1))
    for known, (shift, asked) in product(VALUES, questions if THOROUGH else questions[:1]):
        ours, theirs = VALUES[claimed], (*VALUES[known][shift:], *VALUES[known][:shift])
        said, held = (
            " ".join(frame.replace("{}", value) for frame, value in zip(FRAMES[language], values, strict=True))
            for values in (ours, theirs)
        )
        case = make_case(question=asked, reference_answer=held)
        trace = make_trace(answer=said, context=[{"chunk_id": "c1", "text": held}])
        assert judge(case, trace, rules).outcomes["target"].kind == "passed"
        for finding in findings_on(Text(said, language), shown(held, language=language)):
            assert finding.reason


@pytest.mark.parametrize(
    ("claim", "text", "codes"),
    [
        ("The office is closed on Monday.", "The office is closed on Tuesday.", ["date"]),
        ("The office is closed on Monday.", "The office is closed on Mondays.", []),
        ("The pass costs $120 per year.", "The pass costs $10 per month.", []),  # worked out
        ("The pass costs $130 per year.", "The pass costs $10 per month.", ["money"]),
    ],
)
def test_a_weekday_stands_against_another_and_works_nothing_out(claim: str, text: str, codes: list[str]) -> None:
    assert [each.code for each in findings_on(Text(claim), shown(text))] == codes


@given(claim=TEXTS, texts=st.lists(TEXTS, min_size=1, max_size=2), more=TEXTS, language=LANGUAGES)
@LAWS
def test_more_evidence_never_adds_what_is_absent(claim: str, texts: list[str], more: str, language: str) -> None:
    given_claim = Text(claim, language)
    before = absent(findings_on(given_claim, shown(*texts, language=language)))
    for code, place in absent(findings_on(given_claim, shown(*texts, more, language=language))):
        # Of several unknown names some may become known: the finding then stands on fewer words.
        assert any(code == known and set(place) <= set(where) for known, where in before)


@example(sentences=["“quoted `x `x the here”."], picked=0)  # code in a quotation
@given(sentences=st.lists(SENTENCES, min_size=1, max_size=4), picked=st.integers(0, 3))
@LAWS
def test_a_sentence_of_the_evidence_is_never_suspect(sentences: list[str], picked: int) -> None:
    text = " ".join(sentences)
    spans = sentence_spans(text, "en")
    claim = text[slice(*spans[picked % len(spans)])]
    assert findings_on(Text(claim), shown(text)) == ()


@given(claim=TEXTS, texts=st.lists(TEXTS, min_size=1, max_size=2))
@LAWS
def test_the_same_question_has_the_same_answer(claim: str, texts: list[str]) -> None:
    evidence, given_claim = shown(*texts), Text(claim)
    once = findings_on(given_claim, evidence)
    assert findings_on(given_claim, evidence) == once
    assert findings_on(given_claim, shown(*texts)) == once


@given(claim=TEXTS, texts=st.lists(TEXTS, min_size=1, max_size=2))
@LAWS
def test_what_is_absent_is_never_certain_and_what_only_warns_is_absent(claim: str, texts: list[str]) -> None:
    for finding in findings_on(Text(claim), shown(*texts)):
        assert finding.kind == "conflict" or not finding.certain
        assert finding.kind == "absent" or not finding.advisory


@given(text=TEXTS)
@LAWS
def test_tokens_stand_in_order_and_inside(text: str) -> None:
    at = 0
    for token in tokens_of(text):
        assert at <= token.start < token.end <= len(text)
        at = token.end


# What reaches over a blank, and what looks like it.
OVER_BLANKS = st.sampled_from((
    "per", "Per", "cent", "per cent.", "kilo", "kilowatt", "Watt", "watts", "hour", "watt-hour", "10", "10.30", "a.", "m.",
    "p.m.", "pm", "am", "o'clock", "hrs", "h", "5th", "th", "s", "G", "4G", "mid", "mid-", "1990s", "Euro", "euros", "US",
    "one", "two", "hundred", "and", "second", "half", "noon", "May", "may", "June", "of", "Monday", "don't", "cannot", "can't",
    "ain't", "°C", "%", "$", "$5", "–", "-", "/", "x/y", "\n", "a\nb", "\u00a0", "5\u00a0kg", "", "’s", "it’s", "(so", "so)", "ﬁ",
))  # fmt: skip


@given(pieces=st.lists(st.one_of(WORDS, OVER_BLANKS), max_size=14), first=st.integers(0, 12), cut=st.integers(0, 12))
@example(pieces=["x", "10", "a.", "m.,", "so"], first=0, cut=0)
@example(pieces=["20", "watt", "hours"], first=0, cut=0)
@LAWS
def test_words_that_are_read_by_themselves_are_read_as_in_the_text(pieces: list[str], first: int, cut: int) -> None:
    text = " ".join(pieces)
    last = max(first, len(text) - cut)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_plain_pieces", lambda given: [None] * len(given))
        read = tokens_of(text, first, last)
    assert tokens_of(text, first, last) == read
    assert keys_of(text[first:last]) == {token.key for token in tokens_of(text[first:last]) if token.kind != "mark"}


@given(claim=TEXTS, texts=st.lists(TEXTS, max_size=3))
@LAWS
def test_the_nearest_sentence_stands_in_its_chunk(claim: str, texts: list[str]) -> None:
    nearest = nearest_sentence(Text(claim), shown(*texts))
    if nearest is not None:
        assert 0 <= nearest.start < nearest.end <= len(texts[int(nearest.chunk_id[1:]) - 1])


LONG = {
    "one sentence without an end": "word " * 20_000,
    "digits": "1" * 100_000,
    "digits and commas": "1," * 50_000,
    "number words": "hundred and " * 8_000,
    "brackets": "[" * 50_000 + "1" + "]" * 50_000,
    "quotation marks": '"a b c d e" ' * 8_000,
    "open quotation marks": "“" * 100_000,
    "back ticks": "`" * 100_000,
    "blanks": " " * 100_000,
    "months": "May 5 " * 16_000,
    "negations": "not " * 25_000,
    "ideographs": "退货期限三十天" * 14_000,
    "emoji": "😀" * 100_000,
    "apostrophes": "a'" * 50_000,
}


@pytest.mark.parametrize("name", LONG)
def test_a_large_text_takes_seconds(name: str) -> None:
    text = LONG[name]
    started = time.process_time()
    index = EvidenceIndex(text, "en")
    evidence = ShownEvidence((("c1", index),))
    findings_on(Text("The Basic plan costs $10 for 5 users in Berlin."), evidence)
    findings_on(Text(text), shown("The Basic plan costs $10 per month."))
    assert time.process_time() - started < 30


def test_a_thousand_claims_on_a_large_chunk() -> None:
    text = "The Basic plan costs $10 per month and the Pro plan costs $20 per month. " * 2000
    evidence = shown(text)
    started = time.process_time()
    for number in range(1000):
        findings_on(Text(f"The Basic plan costs ${number} per month."), evidence)
    assert time.process_time() - started < 30
