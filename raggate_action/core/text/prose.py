"""Prose to claims: one proposition, list item or table row each, with its citations and its place in the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from typing import NamedTuple

from raggate_action.core.text.abstention import Stance, plain_stance, stance, together
from raggate_action.core.text.answer_sentences import (
    AnswerSentence,
    answer_sentences,
    items_of_lists,
    plain_words,
    without_courtesy,
)
from raggate_action.core.text.blocks import has_code, without_code, without_layout
from raggate_action.core.text.case_folding import folded
from raggate_action.core.text.citations import (
    Marker,
    MarkerPattern,
    find_markers,
    resolve,
    without_markers,
)
from raggate_action.core.text.footnotes import Footnotes, read_footnotes
from raggate_action.core.text.identifiers import addresses_in
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN, Readers, readers
from raggate_action.core.text.propositions import propositions
from raggate_action.core.text.text import Text

_WORD = re.compile(r"[^\W_]")
_DIGIT = re.compile(r"[0-9]")
# "Travel policy 2024" is the name of a source.
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_FEW_CHARACTERS = 12
# Answers of more sentences say something.
_MOST_DECLINING = 8
_WRAPPED = frozenset(("", "text", "txt", "markdown", "md"))
_NO_CLAIM = frozenset((Stance.DECLINES, Stance.EMPTY))


class Joined(NamedTuple):
    """A sentence that joins several claims: its words, and each claim's, as in `ProseClaim.text`."""

    whole: Text
    parts: tuple[str, ...]


class ProseClaim(NamedTuple):
    """A claim as it stands in prose.

    Attributes:
        text: What is asserted, markers and emphasis gone; a list item stands behind its lead-in, a table row
            behind its column heads, a part of a sentence behind the subject it shares.
        start, end: Its place in the answer.
        raw: Its words as they stand there, markers made blank in place.
        citations: Chunk ids it cites, resolved where possible.
        lead: The lead-in that `text` begins with, ending in a colon; empty without one.
        listed: Every item of its list, the lead-in left out; empty without a lead-in.
        heading: The heading a list item or table row stands under; empty without one.
        joined: The sentence it is a part of; None where it is the whole of it.
    """

    text: str
    start: int
    end: int
    raw: str
    citations: tuple[str, ...]
    lead: str = ""
    listed: frozenset[str] = frozenset()
    heading: str = ""
    joined: Joined | None = None


class Prose(NamedTuple):
    """An answer read.

    Attributes:
        claims: What it asserts, in order.
        declined: At least one sentence declines, and none asserts anything.
        may_decline: It makes claims, and each may be part of declining: of its words there are two readings, or they
            are in a language without rules. False unless it was asked for.
        referrals: Sentences that assert nothing and send the reader to an address: no claims, unless it is invented.
    """

    claims: tuple[ProseClaim, ...]
    declined: bool
    may_decline: bool = False
    referrals: tuple[ProseClaim, ...] = ()


class Expected(NamedTuple):
    """What the suite expects of an answer, as far as it decides how its sentences are read.

    Attributes:
        unanswerable: The question, where it is expected to be declined: then it is told, in more time, whether an
            answer that makes claims may decline. A number that stands in the question is no news. None elsewhere.
        phrases: What required points are recognised by, case-folded: a sentence that says one is a claim, though it
            may only refer: "Contact the travel desk" may be what was asked for.
        question: What was asked, where an answer is expected; empty when unknown.
        is_quotation: Whether words are a sentence of the evidence, which an answer may be: "The letter does not say why
            the premium rises".
        is_said: Whether a word, in small letters, stands in the question or in the evidence.
    """

    unanswerable: str | None = None
    phrases: tuple[str, ...] = ()
    question: str = ""
    is_quotation: Callable[[Text], bool] = lambda _text: False
    is_said: Callable[[str], bool] = lambda _word: False


def read_prose(
    text: str,
    context_ids: Sequence[str],
    *,
    patterns: Sequence[MarkerPattern],
    known: Container[str],
    language: str,
    expected: Expected = Expected(),  # noqa: B008  it is immutable
) -> Prose:
    """Split an answer into the claims it makes. Linear in its length.

    Questions, greetings and courtesy carry no claim; sentences that decline are no claims either, nor are headings,
    rules, definitions of footnotes and links, lists of sources, and fenced code beside which anything else stands.

    Args:
        text: The answer; untrusted.
        context_ids: What the model was shown, in order, for citations by position.
        patterns: Citation marker expressions of the suite.
        known: Chunk ids.
        language: ISO 639-1 code of the suite, for splitting sentences; declining is looked for in every language
            with rules that the answer may be in.
        expected: What the suite expects of the answer.
    """
    notes = read_footnotes(without_layout(text), known)
    found, bare = _read(without_code(notes.text), notes, patterns, known, language)
    found = [without_courtesy(sentence, bare, expected.is_said, expected.phrases) for sentence in found]
    if not found and has_code(notes.text):
        # An answer that is nothing but a fence may be prose that a model has wrapped.
        wrapped = without_code(notes.text, fenced_prose=_WRAPPED)
        found, bare = _read(wrapped, notes, patterns, known, language, code=True)
    languages = languages_of(text, KNOWN)
    read_by = readers(languages or KNOWN)
    stances = _stances(found, text, read_by, expected)
    referrals = _referrals(text, found, stances, lambda sentence: _cited(sentence, notes, context_ids, known))
    sayings = frozenset(stances) - {Stance.EMPTY}
    if together(stances) is Stance.DECLINES:
        return Prose((), declined=True, referrals=referrals)
    doubtful = bool(sayings) and Stance.ASSERTS not in sayings
    lists = items_of_lists(found)
    claims: list[ProseClaim] = []
    for sentence, does in zip(found, stances, strict=True):
        if does in _NO_CLAIM:
            continue
        block = sentence.block
        parts = _stating(sentence, bare, language, read_by)
        texts = tuple([_behind(block.lead, part.words) for part in parts])
        joined = Joined(Text(_behind(block.lead, sentence.words)), texts) if len(parts) > 1 else None
        listed = lists[block.listing] if block.lead else frozenset()
        for part, words in zip(parts, texts, strict=True):
            cited = _cited(part, notes, context_ids, known)
            raw = bare[part.start : part.end]
            claims.append(
                ProseClaim(words, part.start, part.end, raw, cited, block.lead, listed, block.heading, joined)
            )
    doubtful = expected.unanswerable is not None and (doubtful or languages is None)
    return Prose(tuple(claims), declined=False, may_decline=bool(claims) and doubtful, referrals=referrals)


def _referrals(
    text: str,
    found: Sequence[AnswerSentence],
    stances: Sequence[Stance],
    cited: Callable[[AnswerSentence], tuple[str, ...]],
) -> tuple[ProseClaim, ...]:
    """Sentences that assert nothing and name an address."""
    referrals = []
    for sentence, does in zip(found, stances, strict=True):
        raw = text[sentence.start : sentence.end]
        if does is Stance.EMPTY and addresses_in(raw):
            referrals.append(ProseClaim(raw, sentence.start, sentence.end, raw, cited(sentence)))
    return tuple(referrals)


def _stances(sentences: Sequence[AnswerSentence], text: str, read_by: Readers, expected: Expected) -> list[Stance]:
    """What each sentence does for an answer of which this is expected."""
    if expected.unanswerable is not None:
        stances = _stances_by_themselves(sentences, text, read_by, expected.unanswerable)
    else:
        stances = _stances_with_question(sentences, text, read_by, expected)
    pairs = zip(stances, sentences, strict=True)
    return [_unless_claimed(does, sentence, expected.phrases) for does, sentence in pairs]


def _stances_by_themselves(
    sentences: Sequence[AnswerSentence], text: str, read_by: Readers, unanswerable: str | None
) -> list[Stance]:
    """What each sentence does; weighed only where it matters, since hardly any answer declines."""
    question = unanswerable or ""
    # A splitter takes "k. A." and "n. a." for two sentences.
    if len(text) <= _FEW_CHARACTERS and stance(text.strip(), question) is Stance.DECLINES:
        return [Stance.DECLINES] * len(sentences)
    if unanswerable is None:
        plain = [_plain_stance(sentence, read_by) for sentence in sentences]
        if Stance.DECLINES not in plain:
            return plain
    words = [sentence.words for sentence in sentences]
    befores = ["", *words][: len(words)]
    read = [_stance(sentence, question, before) for sentence, before in zip(sentences, befores, strict=True)]
    if Stance.DECLINES not in read:
        return read
    return [
        does if does <= Stance.EMPTY else _stance(sentence, question, before, beside_decline=True)
        for sentence, before, does in zip(sentences, befores, read, strict=True)
    ]


def _stances_with_question(
    sentences: Sequence[AnswerSentence], text: str, read_by: Readers, expected: Expected
) -> list[Stance]:
    """The same where an answer is expected: one declines if it does so read with its question, beyond any doubt."""
    plain = _stances_by_themselves(sentences, text, read_by, None)
    if not (expected.question and len(sentences) <= _MOST_DECLINING):
        return plain
    # All at once, for hardly any answer has a hint of declining.
    words = [each.words.lower() for each in sentences]
    if not (read_by.may_decline(" ".join(words)) and any(map(read_by.may_decline, words))):
        return plain
    read = _stances_by_themselves(sentences, text, read_by, expected.question)
    texts = [Text(sentence.words) for sentence in sentences]
    if together(read) is Stance.DECLINES and not any(map(expected.is_quotation, texts)):
        return read
    # Where the question takes the decline away, its sentences assert what was asked: "Does the letter say why?"
    if together(plain) is not Stance.DECLINES:
        return plain
    return [Stance.ASSERTS if does is Stance.DECLINES else does for does in plain]


def _unless_claimed(does: Stance, sentence: AnswerSentence, phrases: Sequence[str]) -> Stance:
    """A referral or a courtesy that cites, or says what a required point asks for, is a claim like any other."""
    if does is not Stance.EMPTY or sentence.words.endswith("?"):
        return does
    says = any(phrase in " ".join(folded(sentence.words).split()) for phrase in phrases)
    return Stance.ASSERTS if sentence.markers or says else does


def _plain_stance(sentence: AnswerSentence, read_by: Readers) -> Stance:
    return Stance.ASSERTS if sentence.block.cells else plain_stance(sentence.words, read_by)


class _Read(NamedTuple):
    """The sentences of an answer, and its text with the markers blanked out."""

    sentences: list[AnswerSentence]
    bare: str


def _read(
    cited: str,
    notes: Footnotes,
    patterns: Sequence[MarkerPattern],
    known: Container[str],
    language: str,
    *,
    code: bool = False,
) -> _Read:
    """The sentences of an answer with their markers; `cited` is its text where these may stand."""
    markers = find_markers(cited, patterns, known)
    bare = notes.without_marks(without_markers(notes.text, markers))
    return _Read(answer_sentences(bare, markers, language, code=code), bare)


def _stance(sentence: AnswerSentence, question: str, before: str, *, beside_decline: bool = False) -> Stance:
    """What a sentence does; a list item also by what introduces it, a table row always asserts."""
    if sentence.block.cells:
        return Stance.ASSERTS
    read = stance(sentence.words, question, before, beside_decline=beside_decline)
    if not sentence.block.lead or _DIGIT.search(_YEAR.sub("", sentence.words)):
        return read
    if stance(sentence.block.lead, question) in {Stance.DECLINES, Stance.DOUBTFUL}:
        return min(read, stance(sentence.block.lead, question, beside_decline=beside_decline))
    return read


def _behind(lead: str, words: str) -> str:
    return f"{lead} {words}" if lead else words


def _cited(
    sentence: AnswerSentence, notes: Footnotes, context_ids: Sequence[str], known: Container[str]
) -> tuple[str, ...]:
    if not sentence.markers:
        return ()
    tokens = [token for marker in sentence.markers for token in marker.tokens]
    cited = [chunk_id for token in tokens for chunk_id in notes.cited_by(token, known)]
    resolved = [resolve(token, context_ids, known) for token in cited]
    return tuple(dict.fromkeys(filter(None, resolved)))


def _stating(sentence: AnswerSentence, bare: str, language: str, read_by: Readers) -> list[AnswerSentence]:
    """The propositions a sentence states; a row and a sentence that makes one only stay as they are.

    A part that declines, or asserts nothing, is left out beside one that asserts something. A marker belongs to the
    parts before it back to the marker before.
    """
    block = sentence.block
    found = () if block.cells else propositions(bare[sentence.start : sentence.end], language)
    if not found:
        return [sentence]
    parts: list[AnswerSentence] = []
    later: tuple[Marker, ...] = ()
    stop = sentence.start
    for number in range(len(found) - 1, -1, -1):
        start, end = sentence.start + found[number].start, sentence.start + found[number].end
        own = tuple([m for m in sentence.markers if m.start >= start and (not parts or m.start < stop)])
        later, stop = own or later, start
        words = f"{found[number].carried} {plain_words(bare, start, end)}".lstrip()
        parts.insert(0, AnswerSentence(block, start, end, words, later))
    stating = [part for part in parts if plain_stance(part.words, read_by) not in _NO_CLAIM]
    return stating or [sentence]
