"""What a sentence does for an answer: declines, says nothing, asserts, or nobody can tell.

Careful on both sides: a sentence that declines and then concludes something ("..., so you can deploy") has answered,
a courtesy with a fact in it is a claim, and what can be read both ways is said to be so. How a language says it
stands in `languages/`; a sentence is read by each language it may be in, and the kindest reading holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

from raggate_action.core.text.languages.rules import Expressions, expressions

_ASKS = ("?", "？", "؟", "⸮")
_MARKS = " \t.,;:!…-–—。！，*_"
_DIGITS = re.compile(r"[0-9]+")
_ASIDE = re.compile(r"\(([^()]{1,200})\)")
# How to reach somebody: an address, or a number too long or too bare to count anything.
_CONTACT = re.compile(
    r"\S{1,100}@\S{1,100}|https?://\S{1,200}|\+?[0-9]{2,6}(?:[ /.-][0-9]{2,6}){1,5}|\b[0-9]{3,6}(?=\W*$)"
)
_EXCUSE_WITHIN = 40
# Longer ones are no courtesy; what a hostile sentence costs stays small.
_LONGEST = 600


class Stance(IntEnum):
    """What a sentence does, from what asserts least to what asserts most.

    DECLINES says that it cannot answer, and nothing else of substance. EMPTY is a courtesy, an offer or a bare
    referral. BESIDE tells what the sources deal with or what was looked at: no claim beside a decline. SOFT has words
    of referrals and offers: beside a decline it may be one. DOUBTFUL may be a decline. ASSERTS is a claim.
    """

    DECLINES = 0
    EMPTY = 1
    BESIDE = 2
    SOFT = 3
    DOUBTFUL = 4
    ASSERTS = 5


def stance(sentence: str, languages: Iterable[str], question: str = "") -> Stance:
    """What a sentence does, by the kindest reading of the languages given.

    Args:
        sentence: One sentence, without markers and emphasis.
        languages: ISO 639-1 codes; those without rules are passed over.
        question: What was asked: a number that stands in it tells nothing new.
    """
    if sentence.endswith(_ASKS):
        return Stance.EMPTY
    read = Stance.ASSERTS
    for language in languages:
        rules = expressions(language)
        if rules is not None and read > Stance.EMPTY:
            read = min(read, stance_by(sentence, rules, question))
    return read


def stance_by(sentence: str, rules: Expressions, question: str = "") -> Stance:
    """The same by given rules."""
    sentence = sentence.replace("’", "'").strip(_MARKS)
    if not sentence or _is_courtesy_or_referral(sentence, rules):
        return Stance.EMPTY
    if len(sentence) > _LONGEST:
        return Stance.ASSERTS
    given = frozenset(_DIGITS.findall(question))
    whole, parts = Stance.EMPTY, []
    for clause in _clauses(sentence, rules):
        read = _clause_stance(clause, rules, given, parts)
        parts.append(read)
        whole = max(whole, read)
    if whole in {Stance.EMPTY, Stance.BESIDE} and Stance.DECLINES in parts:
        return Stance.DECLINES
    if whole is Stance.SOFT and Stance.DECLINES in parts:
        return Stance.DOUBTFUL
    return whole


def _clauses(sentence: str, rules: Expressions) -> Iterator[str]:
    for aside in _ASIDE.finditer(sentence):
        # What is put in brackets is often a place or a spelling; a sentence in them is read like any other.
        if rules.hint.search(aside[1]) or rules.guesses.search(aside[1]) or rules.fact.search(aside[1]):
            yield aside[1].strip(_MARKS)
    sentence = _ASIDE.sub(" ", sentence)
    opening = rules.subordinates.match(sentence)
    if opening is not None:
        first, _comma, sentence = sentence[opening.end() :].partition(",")
        yield from _parted(first, rules)
    yield from _parted(sentence, rules)


def _parted(text: str, rules: Expressions) -> Iterator[str]:
    at = 0
    for turn in rules.turns.finditer(text):
        yield text[at : turn.start()].strip(_MARKS)
        at = turn.end()
    yield text[at:].strip(_MARKS)


def _clause_stance(clause: str, rules: Expressions, given: frozenset[str], before: Sequence[Stance]) -> Stance:
    guesses = rules.guesses.search(clause) is not None
    if rules.hint.search(clause) and _clause_declines(clause, rules):
        return Stance.DOUBTFUL if guesses else Stance.DECLINES
    if not clause or _is_courtesy_or_referral(clause, rules):
        return Stance.EMPTY
    counted = _CONTACT.sub(" ", clause)
    if not given.issuperset(_DIGITS.findall(counted)) or rules.numbers.search(clause):
        return Stance.ASSERTS
    if rules.harmless.match(clause):
        return Stance.BESIDE
    return _softly(rules.guesses.sub(" ", clause), guesses, rules, before)


def _softly(clause: str, guesses: bool, rules: Expressions, before: Sequence[Stance]) -> Stance:
    """What a clause without numbers does that neither declines nor is known to say nothing."""
    if not guesses and rules.hint.search(clause):
        if rules.knowing.search(clause) or (Stance.BESIDE in before and rules.lacks.match(clause)):
            return Stance.DOUBTFUL
    if rules.offering.search(clause) or (not guesses and rules.knowing.search(clause)):
        return Stance.SOFT
    return Stance.ASSERTS


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
