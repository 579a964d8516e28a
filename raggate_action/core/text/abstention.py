"""What a sentence does for an answer: declines, says nothing, asserts, or nobody can tell.

Careful on both sides: a sentence that declines and then concludes something ("..., so you can deploy") has answered,
a courtesy with a fact in it is a claim, and what can be read both ways is said to be so. How a language says it
stands in `languages/`; a sentence is read by each language it may be in, and the kindest reading holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.rules import KNOWN, Expressions, expressions

_ASKS = ("?", "？", "؟", "⸮")
_DIGITS = re.compile(r"[0-9]+")
_ASIDE = re.compile(r"\(([^()]{1,200})\)")
# How to reach somebody: an address, a number in groups, the emergency numbers.
_CONTACT = re.compile(
    r"\S{1,100}@\S{1,100}|https?://\S{1,200}|\+?[0-9]{2,6}(?:[ /.-][0-9]{2,6}){1,5}|\b(?:112|911|999)\b"
)
_WORD = re.compile(r"[^\W\d_]")
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_COMMA = re.compile(r",\s*")
_EXCUSE_WITHIN = 40
# A sentence about the sources names them at once.
_BEGINNING = 30
_LONGEST_COURTESY = 60
# Words of a clause that may have no verb.
_FRAGMENT = 4
# "the 2023 report", "on page 12", "the first ten pages".
_NAME = 20
# Longer ones are no courtesy; what a hostile sentence costs stays small.
_LONGEST = 600


class Stance(IntEnum):
    """What a sentence does, from what asserts least to what asserts most.

    DECLINES says that it cannot answer, and nothing else of substance. EMPTY is a courtesy, an offer or a bare
    referral. BESIDE tells what the sources say or what was looked at: no claim beside a decline. ABOUT tells what the
    sources or the speaker are for: the same, and alone it may decline. DOUBTFUL may be a decline. SOFT has words of
    referrals and offers: beside a decline it may be one. ASSERTS is a claim.
    """

    DECLINES = 0
    EMPTY = 1
    BESIDE = 2
    ABOUT = 3
    DOUBTFUL = 4
    SOFT = 5
    ASSERTS = 6


def plain_stance(sentence: str, languages: Iterable[str]) -> Stance:
    """The same as `stance`, for an answer that declines nowhere: DECLINES, EMPTY, or ASSERTS for everything else.

    Args:
        sentence: One sentence, without markers and emphasis; untrusted.
        languages: ISO 639-1 codes of languages with rules that its answer may be in.
    """
    if _asks(sentence):
        return Stance.EMPTY
    bare = _bare(sentence)
    lowered = bare.lower()
    for language in languages:
        rules = expressions(language)
        if _is_courtesy_or_referral(bare, rules):
            return Stance.EMPTY
        if rules.may_decline(lowered) and stance_by(sentence, rules) is Stance.DECLINES:
            return Stance.DECLINES
    return Stance.ASSERTS


def stance(sentence: str, question: str = "") -> Stance:
    """What a sentence does, by the kindest reading of the languages with rules that it may be in.

    Args:
        sentence: One sentence, without markers and emphasis; untrusted.
        question: What was asked: a number that stands in it tells nothing new.
    """
    if _asks(sentence):
        return Stance.EMPTY
    read = Stance.ASSERTS
    for language in languages_of(sentence, KNOWN) or KNOWN:
        if read > Stance.EMPTY:
            read = min(read, stance_by(sentence, expressions(language), question))
    return read


def stance_by(sentence: str, rules: Expressions, question: str = "") -> Stance:
    """The same by given rules."""
    sentence = _bare(sentence)
    if not sentence or _is_courtesy_or_referral(sentence, rules):
        return Stance.EMPTY
    if len(sentence) > _LONGEST:
        return Stance.ASSERTS
    given = frozenset(_DIGITS.findall(question))
    whole = Stance.EMPTY
    parts: list[Stance] = []
    for clause in _clauses(sentence, rules):
        read = _clause_stance(clause, rules, given, parts)
        parts.append(read)
        whole = max(whole, read)
    if whole <= Stance.ABOUT and Stance.DECLINES in parts:
        return Stance.DECLINES
    if whole is Stance.SOFT and not {Stance.DECLINES, Stance.DOUBTFUL}.isdisjoint(parts):
        return Stance.DOUBTFUL
    return whole


def _asks(sentence: str) -> bool:
    return sentence.endswith(_ASKS)


def _bare(sentence: str) -> str:
    return _words(sentence.replace("’", "'"))


def _words(text: str) -> str:
    """The text without what stands around its words: stops, emphasis, pictures."""
    start, end = 0, len(text)
    while end and not (text[end - 1].isalnum() or text[end - 1] == ")"):
        end -= 1
    while start < end and not (text[start].isalnum() or text[start] == "("):
        start += 1
    return text[start:end]


def _clauses(sentence: str, rules: Expressions) -> Iterator[str]:
    for aside in _ASIDE.finditer(sentence):
        # What is put in brackets is often a place or a spelling; a sentence in them is read like any other.
        if rules.hint.search(aside[1]) or rules.guesses.search(aside[1]) or rules.fact.search(aside[1]):
            yield _words(aside[1])
    sentence = _ASIDE.sub(" ", sentence)
    opening = rules.subordinates.match(sentence)
    if opening is not None:
        first, _comma, sentence = sentence[opening.end() :].partition(",")
        yield from _parted(first, rules)
    yield from _parted(sentence, rules)


def _parted(text: str, rules: Expressions) -> Iterator[str]:
    at = 0
    for turn in rules.turns.finditer(text):
        yield from _at_commas(text[at : turn.start()], rules)
        at = turn.end()
    yield from _at_commas(text[at:], rules)


def _at_commas(text: str, rules: Expressions) -> Iterator[str]:
    """The text parted at commas: behind a courtesy, and before a guess ("not stated, probably 12")."""
    at = 0
    for comma in _COMMA.finditer(text):
        courtesy = at == 0 and comma.start() <= _LONGEST_COURTESY and rules.courtesy.fullmatch(text, 0, comma.start())
        if courtesy or rules.guesses.match(text, comma.end()):
            yield _words(text[at : comma.start()])
            at = comma.end()
    yield _words(text[at:])


def _clause_stance(clause: str, rules: Expressions, given: frozenset[str], before: Sequence[Stance]) -> Stance:
    guesses = rules.guesses.search(clause) is not None
    if rules.hint.search(clause) and _clause_declines(clause, rules):
        more = clause.partition(",")[2]
        return Stance.DOUBTFUL if guesses or _counts(more, rules, given) else Stance.DECLINES
    if not clause or _is_courtesy_or_referral(clause, rules):
        return Stance.EMPTY
    about = rules.about.match(clause) is not None
    # "The report ends in 2019": a year bounds the source.
    if _counts(_YEAR.sub(" ", clause) if about else clause, rules, given):
        return Stance.ASSERTS
    if about:
        return Stance.ABOUT
    harmless = rules.harmless.match(clause)
    if harmless is not None:
        rest = clause[harmless.end() :]
        return Stance.DOUBTFUL if rules.hint.search(rest) and rules.knowing.search(rest) else Stance.BESIDE
    return _guessing(rules.guesses.sub(" ", clause), rules) if guesses else _softly(clause, rules, before)


def _counts(clause: str, rules: Expressions, given: frozenset[str]) -> bool:
    """Whether a clause holds a number that neither the question, an address nor the name of a source explains."""
    counted = _CONTACT.sub(" ", clause)
    for number in (*_DIGITS.finditer(counted), *rules.numbers.finditer(counted)):
        around = counted[max(0, number.start() - _NAME) : number.end() + _NAME]
        if number[0] not in given and not rules.sources.search(around):
            return True
    return False


def _softly(clause: str, rules: Expressions, before: Sequence[Stance]) -> Stance:
    """What a clause without numbers does that neither guesses, declines nor is known to say nothing."""
    lacking = rules.hint.search(clause) is not None
    if rules.referring.search(clause) or rules.speaker.match(clause) or (lacking and rules.knowing.search(clause)):
        return Stance.DOUBTFUL
    fragment = len(clause.split()) <= _FRAGMENT and rules.fact.search(clause) is None
    if (fragment or not {Stance.BESIDE, Stance.ABOUT}.isdisjoint(before)) and rules.lacks.match(clause):
        return Stance.DOUBTFUL
    # Nothing but an address stands behind a colon.
    address = _WORD.search(_CONTACT.sub("", clause)) is None
    soft = address or rules.courteous.search(clause) or rules.knowing.search(clause, 0, _BEGINNING)
    return Stance.SOFT if soft else Stance.ASSERTS


def _guessing(clause: str, rules: Expressions) -> Stance:
    """What a clause without numbers does that guesses; "perhaps the staff know more" only refers."""
    if rules.referring.search(clause):
        return Stance.DOUBTFUL
    return Stance.SOFT if rules.courteous.search(clause) else Stance.ASSERTS


def _clause_declines(clause: str, rules: Expressions) -> bool:
    return any(
        # A window, because a hostile clause may hold as many finds as it has words.
        not rules.excuses.search(clause, max(0, match.start() - _EXCUSE_WITHIN), match.start())
        for match in rules.declines.finditer(clause)
    )


def _is_courtesy_or_referral(text: str, rules: Expressions) -> bool:
    if rules.courtesy.fullmatch(text):
        return True
    referral = rules.refers.match(text)
    if referral is None:
        return False
    rest = text[referral.end() :]
    return not (_DIGITS.search(rest) or rules.numbers.search(rest) or rules.fact.search(rest))
