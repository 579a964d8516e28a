"""What a sentence does for an answer: declines, says nothing, asserts, or nobody can tell.

Careful on both sides: a sentence that declines and then concludes something ("..., so you can deploy") has answered,
a courtesy with a fact in it is a claim, and what can be read both ways is said to be so. How a language says it
stands in `languages/`; a sentence is read by each language it may be in, and the kindest reading holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from raggate_action.core.text.abstention_context import beside_declining, with_reasons
from raggate_action.core.text.clauses import bare, clauses, with_subjects
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.rules import KNOWN, Expressions, expressions
from raggate_action.core.text.novelty import CONTACT, STATEMENT, counts, news, without_reason
from raggate_action.core.text.question_overlap import BLANK, DIGITS, Asked, asked_by, without
from raggate_action.core.text.sentence_roles import DENYING, ON_SOURCES, Stance

_ASKS = ("?", "？", "؟", "⸮")
_LETTER = re.compile(r"[^\W\d_]")
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_EXCUSE_WITHIN = 40
# A sentence about the sources names them at once.
_BEGINNING = 30
# Words of a clause that may have no verb.
_FRAGMENT = 4
# "The caretaker's office at the harbour can assist": where to go may take so many words.
_REFERRAL = 3
# "The practice can tell you whether it is open": what may be asked there is not said.
_EMBEDDED = re.compile(
    r"\b(?:whether|how|what|which|who|ob|wie|welche\w*|quel\w*|cuál\w*|dónde)\b[^,;]*", re.IGNORECASE
)
# Longer ones are no courtesy; what a hostile sentence costs stays small.
_LONGEST = 600
_LONGEST_DENIAL = 300


def plain_stance(sentence: str, languages: Iterable[str]) -> Stance:
    """The same as `stance`, for an answer that declines nowhere: DECLINES, EMPTY, or ASSERTS for everything else.

    Args:
        sentence: One sentence, without markers and emphasis; untrusted.
        languages: ISO 639-1 codes of languages with rules that its answer may be in.
    """
    if _asks(sentence):
        return Stance.EMPTY
    plain = _bare(sentence)
    lowered = plain.lower()
    for language in languages:
        rules = expressions(language)
        if _is_courtesy_or_referral(plain, rules):
            return Stance.EMPTY
        if rules.may_decline(lowered) and stance_by(sentence, rules) is Stance.DECLINES:
            return Stance.DECLINES
    return Stance.ASSERTS


def stance(sentence: str, question: str = "", before: str = "") -> Stance:
    """What a sentence does, by the kindest reading of the languages with rules that it may be in.

    Args:
        sentence: One sentence, without markers and emphasis; untrusted.
        question: What was asked, where a decline is expected: its words and numbers tell nothing new.
        before: The sentence before it, which may name the source that it goes on about.
    """
    if _asks(sentence):
        return Stance.EMPTY
    read = Stance.ASSERTS
    for language in languages_of(sentence, KNOWN) or KNOWN:
        if read > Stance.EMPTY:
            read = min(read, stance_by(sentence, expressions(language), question, before))
    return read


def stance_by(sentence: str, rules: Expressions, question: str = "", before: str = "") -> Stance:
    """The same by given rules."""
    sentence = _bare(sentence)
    if not sentence or _is_courtesy_or_referral(sentence, rules):
        return Stance.EMPTY
    if len(sentence) > _LONGEST:
        return Stance.ASSERTS
    asked = asked_by(question)
    found = list(clauses(sentence, rules))
    if asked.words:
        found = with_subjects(found, rules, before)
    parts: list[Stance] = []
    for clause in found:
        parts.append(_clause_stance(clause.text, rules, asked, parts))
    for at, (topic, told) in enumerate(pairwise(found)):
        if told.turn.startswith(":") and parts[at + 1] is Stance.DECLINES and _is_topic(topic.text, rules, asked):
            parts[at] = Stance.EMPTY
    parts = with_reasons(parts, found, asked, rules)
    parts = beside_declining(parts, found, asked, rules)
    whole = max(parts, default=Stance.EMPTY)
    if whole <= Stance.REFERS and Stance.DECLINES in parts:
        return Stance.DECLINES
    if whole is Stance.SOFT and not DENYING.isdisjoint(parts):
        return Stance.DOUBTFUL
    return whole


def _asks(sentence: str) -> bool:
    return sentence.endswith(_ASKS)


def _bare(sentence: str) -> str:
    return bare(sentence.replace("’", "'"))


def _clause_stance(clause: str, rules: Expressions, asked: Asked, before: Sequence[Stance]) -> Stance:
    guesses = rules.guesses.search(clause) is not None
    lacking = rules.hint.search(clause) is not None
    stated = without_reason(clause, rules, asked)
    declining = (lacking and _found(rules.declines, stated, rules)) or _denies(stated, rules, asked)
    if declining and not _stated_before(stated, rules, asked):
        return Stance.DOUBTFUL if guesses or _qualified(clause, rules, asked) else Stance.DECLINES
    if not clause or _is_courtesy_or_referral(clause, rules):
        return Stance.EMPTY
    # "The report ends in 2019": a year bounds the source, also where it is not said in words known here.
    rest = without(asked, stated)
    lacks = lacking and not guesses and rules.telling.search(rest) is not None
    on_sources = _on_sources(clause, rules)
    if counts(_YEAR.sub(" ", clause) if lacks or on_sources is Stance.ABOUT else clause, rules, asked):
        return Stance.SOFT if lacks or on_sources else Stance.ASSERTS
    if on_sources is not None:
        return on_sources
    if guesses:
        return _guessing(rules.guesses.sub(" ", clause), rules)
    denying = bool(asked.words) and rules.bare_denials.search(rest) is not None
    doubtful = denying or (lacks and _YEAR.search(clause) is not None)
    return Stance.DOUBTFUL if doubtful else _unless_bare(_softly(stated, rules, before), stated, rules, asked)


def _is_topic(clause: str, rules: Expressions, asked: Asked) -> bool:
    """Whether a clause before a colon only names what was asked for: "Gift cards: not mentioned"."""
    rest = without(asked, clause)
    return BLANK in rest and not (rules.hint.search(clause) or rules.fact.search(clause) or news(rest, rules))


def _qualified(clause: str, rules: Expressions, asked: Asked) -> bool:
    """Whether more stands in a declining clause than that: a number, or what it lacks is an objection."""
    if rules.obstacles.search(clause) or counts(clause.partition(",")[2], rules, asked):
        return True
    # Between which hours calls are not answered is a fact of the house.
    return bool(asked.words) and counts(_YEAR.sub(" ", clause), rules, asked)


def _on_sources(clause: str, rules: Expressions) -> Stance | None:
    """ABOUT, BESIDE or DOUBTFUL for a clause on what sources or speaker are for, hold or did; None for any other."""
    if rules.about.match(clause):
        return Stance.ABOUT
    harmless = rules.harmless.match(clause)
    if harmless is None:
        return None
    rest = clause[harmless.end() :]
    return Stance.DOUBTFUL if rules.hint.search(rest) and rules.knowing.search(rest) else Stance.BESIDE


def _unless_bare(read: Stance, clause: str, rules: Expressions, asked: Asked) -> Stance:
    """REFERS for a clause in doubt that only refers or has no word that tells something; else it may decline.

    A courtesy stays SOFT where it takes up the question: one that does not may offer help.
    """
    if not asked.words or read not in {Stance.DOUBTFUL, Stance.SOFT}:
        return read
    rest = _EMBEDDED.sub(" ", without(asked, CONTACT.sub(" ", clause)))
    if read is Stance.SOFT and BLANK in rest:
        # "Please note that dogs are not allowed" has no other words than the question, and answers it.
        return read
    refers = rules.referring.search(clause) and not rules.fact.search(_EMBEDDED.sub(" ", clause))
    return Stance.REFERS if news(rest, rules) <= (_REFERRAL if refers else 0) else Stance.DOUBTFUL


def _denies(clause: str, rules: Expressions, asked: Asked) -> bool:
    """Whether a clause that lacks something declines, by what was asked, where a decline is expected.

    Words of the question are left out: to "is it covered?" the answer "it is not covered" denies, and declines nothing.
    """
    if not asked.words or len(clause) > _LONGEST_DENIAL:
        return False
    rest = without(asked, clause)
    return _found(rules.denials, rest, rules) or (_found(rules.bare_denials, rest, rules) and not news(rest, rules))


def _stated_before(stated: str, rules: Expressions, asked: Asked) -> bool:
    """Whether something is stated before what is lacking: "it goes with the lamb, nothing is listed against it"."""
    before = without(asked, stated).partition(",")[0] if asked.words and "," in stated else ""
    return news(before, rules) > STATEMENT and not (rules.hint.search(before) or _on_sources(before, rules))


def _softly(clause: str, rules: Expressions, before: Sequence[Stance]) -> Stance:
    """What a clause without numbers does that neither guesses, declines nor is known to say nothing."""
    lacking = rules.hint.search(clause) is not None
    if rules.referring.search(clause) or rules.speaker.match(clause) or (lacking and rules.knowing.search(clause)):
        return Stance.DOUBTFUL
    fragment = len(clause.split()) <= _FRAGMENT and rules.fact.search(clause) is None
    if (fragment or not ON_SOURCES.isdisjoint(before)) and rules.lacks.match(clause):
        return Stance.DOUBTFUL
    # Nothing but an address stands behind a colon.
    address = _LETTER.search(CONTACT.sub("", clause)) is None
    soft = address or rules.courteous.search(clause) or rules.knowing.search(clause, 0, _BEGINNING)
    return Stance.SOFT if soft else Stance.ASSERTS


def _guessing(clause: str, rules: Expressions) -> Stance:
    """What a clause without numbers does that guesses; "perhaps the staff know more" only refers."""
    if rules.referring.search(clause):
        return Stance.DOUBTFUL
    return Stance.SOFT if rules.courteous.search(clause) else Stance.ASSERTS


def _found(expression: re.Pattern[str], clause: str, rules: Expressions) -> bool:
    return any(
        # A window, because a hostile clause may hold as many finds as it has words.
        not rules.excuses.search(clause, max(0, match.start() - _EXCUSE_WITHIN), match.start())
        for match in expression.finditer(clause)
    )


def _is_courtesy_or_referral(text: str, rules: Expressions) -> bool:
    if rules.courtesy.fullmatch(text):
        return True
    referral = rules.refers.match(text)
    if referral is None:
        return False
    rest = text[referral.end() :]
    return not (DIGITS.search(rest) or rules.numbers.search(rest) or rules.fact.search(rest))
