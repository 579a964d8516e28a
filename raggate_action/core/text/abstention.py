"""What a sentence does for an answer: declines, says nothing, may decline, or asserts.

Careful on both sides: a sentence that declines and then concludes something ("..., so you can deploy") has answered,
a courtesy with a fact in it is a claim, and what can be read both ways is said to be so. How a language says it
stands in `languages/`; a sentence is read by each language it may be in, and the kindest reading holds. Beside a
decline it is read once more: there it may be the reason, something else, or the answer after all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from raggate_action.core.text.attribution_phrases import without_source_lead
from raggate_action.core.text.clauses import Clause, bare, clauses, with_subjects
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import (
    KNOWN,
    Expressions,
    Readers,
    expressions,
    readers,
)
from raggate_action.core.text.question_words import (
    BLANK,
    CONTACT,
    DIGITS,
    STATEMENT,
    Question,
    has_new_number,
    is_off_point,
    new_words,
    question_of,
    takes_up,
    without,
)

_ASKS = ("?", "？", "؟", "⸮")
_LETTER = re.compile(r"[^\W\d_]")
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
# A sentence about the sources names them at once.
_BEGINNING = 30
# Words of a clause that may have no verb.
_FRAGMENT = 4
# "The caretaker's office at the harbour can assist": where to go may take so many words.
_REFERRAL = 3
# Longer ones are no courtesy; what a hostile sentence costs stays small.
_LONGEST = 600
_LONGEST_DENIAL = 300


class Stance(IntEnum):
    """What a sentence does, from what asserts least to what asserts most.

    DECLINES says that it cannot answer, and nothing else of substance. EMPTY asserts nothing: a courtesy, an offer, a
    bare referral; beside a decline also what tells of sources or of the speaker, which alone is DOUBTFUL. DOUBTFUL may
    decline; so may, beside a decline, what has words of referrals or takes up nothing of the question. ASSERTS is a
    claim.
    """

    DECLINES = 0
    EMPTY = 1
    DOUBTFUL = 2
    ASSERTS = 3


_MAY_DENY = frozenset((Stance.DECLINES, Stance.DOUBTFUL))


def together(stances: Sequence[Stance]) -> Stance:
    """What parts do as a whole: the most that one does; a decline where no other part does anything."""
    whole = max(stances, default=Stance.EMPTY)
    return Stance.DECLINES if whole is Stance.EMPTY and Stance.DECLINES in stances else whole


def plain_stance(sentence: str, readers: Readers) -> Stance:
    """The same as `stance`, for an answer that declines nowhere: DECLINES, EMPTY, or ASSERTS for everything else.

    Args:
        sentence: One sentence, without markers and emphasis; untrusted.
        readers: The languages with rules that its answer may be in.
    """
    if sentence.endswith(_ASKS):
        return Stance.EMPTY
    plain = _bare(sentence)
    may_be_idle, may_decline = readers.may_be_idle(plain), readers.may_decline(plain.lower())
    for rules in readers.each if may_be_idle or may_decline else ():
        if may_be_idle and _is_courtesy_or_referral(plain, rules):
            return Stance.EMPTY
        if may_decline and rules.hint.search(plain) and stance_by(sentence, rules) is Stance.DECLINES:
            return Stance.DECLINES
    return Stance.ASSERTS


def stance(sentence: str, question: str = "", before: str = "", *, beside_decline: bool = False) -> Stance:
    """What a sentence does, by the kindest reading of the languages with rules that it may be in.

    Args:
        sentence: One sentence, without markers and emphasis; untrusted.
        question: What was asked, where a decline is expected: its words and numbers tell nothing new.
        before: The sentence before it, which may name the source that it goes on about.
        beside_decline: Another sentence of the answer declines.
    """
    if sentence.endswith(_ASKS):
        return Stance.EMPTY
    read = Stance.ASSERTS
    for language in languages_of(sentence, KNOWN) or KNOWN:
        if read > Stance.EMPTY:
            rules = expressions(language)
            read = min(read, stance_by(sentence, rules, question, before, beside_decline=beside_decline))
    return read


def stance_by(
    sentence: str, rules: Expressions, question: str = "", before: str = "", *, beside_decline: bool = False
) -> Stance:
    """The same by given rules."""
    sentence = _bare(sentence)
    if not sentence or _is_courtesy_or_referral(sentence, rules):
        return Stance.EMPTY
    if len(sentence) > _LONGEST:
        return Stance.ASSERTS
    sentence, point = rules.denies_nothing.sub("", sentence), question_of(question)
    if point.words:
        sentence = _without_lead(sentence)
    found = list(clauses(sentence, rules))
    if point.words:
        found = with_subjects(found, rules, before, open_question=not point.asks_whether)
    parts = [_clause_stance(clause.text, rules, point, beside=beside_decline) for clause in found]
    for at, clause in enumerate(found) if Stance.DECLINES in parts else ():
        if parts[at] is not Stance.DECLINES:
            # What stands in brackets answers by itself: "I don't know whether it contains nuts (it does not)".
            parts[at] = _clause_stance(clause.text, rules, point, beside=clause.turn != "(")
        if parts[at] > Stance.EMPTY and _is_reason(at, parts, found, rules, point):
            parts[at] = Stance.EMPTY
    for at, clause in enumerate(found):
        later = [each.text for each, does in zip(found[at:], parts[at:], strict=True) if does in _MAY_DENY]
        # "Water boils at 100 °C, but no boiling point is given for acetone."
        if parts[at] is Stance.ASSERTS and not rules.yes_or_no.match(clause.text):
            is_beside = any(is_off_point(clause.text, other, point) for other in later)
            parts[at] = Stance.DOUBTFUL if is_beside else Stance.ASSERTS
    return together(parts)


def _bare(sentence: str) -> str:
    return bare(sentence.replace("’", "'"))


def _without_lead(sentence: str) -> str:
    """The sentence without words before it that only name the sources: "Based on the context, ..."."""
    rest = without_source_lead(sentence.lower())
    return sentence if rest is None else sentence[len(sentence) - len(rest) :]


def _clause_stance(clause: str, rules: Expressions, question: Question, *, beside: bool) -> Stance:
    """What a clause does; `beside` another one that declines some words do less."""
    soft = Stance.DOUBTFUL if beside else Stance.ASSERTS
    aside = Stance.EMPTY if beside else Stance.DOUBTFUL
    guesses = rules.guesses.search(clause) is not None
    lacking = rules.hint.search(clause) is not None
    reason = rules.subordinates.search(clause, 1)
    # What stands before a reason answers: "you can have pilaf, as no entry lists nuts".
    before_it = clause[: reason.start()] if reason is not None else clause
    stated = before_it if new_words(without(question, before_it), rules) >= STATEMENT else clause
    if (lacking and rules.declines(stated)) or _denies(stated, rules, question):
        is_doubtful = guesses or _qualified(clause, rules, question) or _is_asked(stated, rules, question)
        return Stance.DOUBTFUL if is_doubtful else Stance.DECLINES
    if not clause or _is_courtesy_or_referral(clause, rules):
        return Stance.EMPTY
    # "The report ends in 2019": a year bounds the source, also where it is not said in words known here.
    rest = without(question, stated)
    lacks = lacking and not guesses and rules.telling.search(rest) is not None
    about, harmless = rules.about.match(clause), rules.harmless.match(clause)
    if has_new_number(_YEAR.sub(" ", clause) if lacks or about else clause, rules, question):
        return soft if lacks or about or harmless else Stance.ASSERTS
    if about:
        return aside
    if harmless is not None:
        told = clause[harmless.end() :]
        return Stance.DOUBTFUL if rules.hint.search(told) and rules.knowing.search(told) else aside
    if guesses:
        # "Perhaps the staff know more" only refers.
        guess = rules.guesses.sub(" ", clause)
        polite = soft if rules.courteous.search(guess) else Stance.ASSERTS
        return Stance.DOUBTFUL if rules.referring.search(guess) else polite
    denying = bool(question.words) and rules.bare_denials.search(rest) is not None
    if denying or (lacks and _YEAR.search(clause) is not None):
        return Stance.DOUBTFUL
    speaks = rules.speaker.match(stated) is not None
    if speaks and beside and question.words and not takes_up(stated, question):
        # "I don't want to mislead you."
        return Stance.EMPTY
    curt = len(stated.split()) <= _FRAGMENT and rules.lacks.match(stated) and not rules.fact.search(stated)
    if speaks or curt or rules.referring.search(stated) or (rules.hint.search(stated) and rules.knowing.search(stated)):
        return _unless_bare(Stance.DOUBTFUL, stated, rules, question, aside)
    # Nothing but an address stands behind a colon.
    address = _LETTER.search(CONTACT.sub("", stated)) is None
    if address or rules.courteous.search(stated) or rules.knowing.search(stated, 0, _BEGINNING):
        return _unless_bare(soft, stated, rules, question, aside)
    # Beside a decline an answer says yes or no, takes up the question, or gives the steps that were asked for.
    answers = rules.yes_or_no.match(stated) or question.asks_how_to or takes_up(stated, question)
    return soft if question.words and not answers else Stance.ASSERTS


def _is_asked(clause: str, rules: Expressions, question: Question) -> bool:
    """Whether a clause declines only by words of a question for yes or no: "Does the letter say why?"."""
    if not question.asks_whether or rules.declines(without(question, clause)):
        return False
    return not _denies(clause, rules, question)


def _is_topic(clause: str, rules: Expressions, question: Question) -> bool:
    """Whether a clause before a colon only names what was asked for: "Gift cards: not mentioned"."""
    rest = without(question, clause)
    return BLANK in rest and not (rules.hint.search(clause) or rules.fact.search(clause) or new_words(rest, rules))


def _qualified(clause: str, rules: Expressions, question: Question) -> bool:
    """Whether more stands in a declining clause than that: a number, or what it lacks is an objection."""
    if rules.obstacles.search(clause) or has_new_number(clause.partition(",")[2], rules, question):
        return True
    # Between which hours calls are not answered is a fact of the house.
    return bool(question.words) and has_new_number(_YEAR.sub(" ", clause), rules, question)


def _unless_bare(read: Stance, clause: str, rules: Expressions, question: Question, aside: Stance) -> Stance:
    """`aside` for a clause in doubt that only refers or has no word that tells something; else it may decline.

    A courtesy asserts where it takes up the question: one that does not may offer help.
    """
    if not question.words:
        return read
    rest = rules.embedded.sub(" ", without(question, CONTACT.sub(" ", clause)))
    refers = rules.referring.search(clause) or rules.refers.match(clause)
    if read is Stance.ASSERTS and not refers and (BLANK in rest or new_words(rest, rules) > STATEMENT):
        # "Please note that dogs are not allowed" answers in words of the question, "please take a towel" in its own.
        return read
    merely = refers is not None and rules.fact.search(rules.embedded.sub(" ", clause)) is None
    return aside if new_words(rest, rules) <= (_REFERRAL if merely else 0) else Stance.DOUBTFUL


def _denies(clause: str, rules: Expressions, question: Question) -> bool:
    """Whether a clause that lacks something declines, by what was asked, where a decline is expected.

    Words of the question are left out: to "is it covered?" the answer "it is not covered" denies, and declines nothing.
    """
    if not question.words or len(clause) > _LONGEST_DENIAL:
        return False
    rest = without(question, clause)
    return rules.denies(rest) or (rules.barely_denies(rest) and not new_words(rest, rules))


def _is_courtesy_or_referral(text: str, rules: Expressions) -> bool:
    if not readers((rules.language,)).may_be_idle(text):
        return False
    if rules.courtesy.fullmatch(text):
        return True
    referral = rules.refers.match(text)
    if referral is None:
        return False
    rest = text[referral.end() :]
    return not (DIGITS.search(rest) or rules.numbers.search(rest) or rules.fact.search(rest))


def _is_reason(
    at: int, stances: Sequence[Stance], found: Sequence[Clause], rules: Expressions, point: Question
) -> bool:
    """Whether a clause only says why another one declines, or of what: it lacks something, or is off the point.

    "The copy ends at clause 12, so I can't tell you", "I can't tell: no terms are given there", and not "I can't tell:
    dogs are not allowed".
    """
    text = found[at].text
    followed = list(zip(found, stances, strict=True))[at + 1 :]
    if followed and followed[0][0].turn.startswith(":") and followed[0][1] is Stance.DECLINES:
        return _is_topic(text, rules, point)
    led_to = [later.text for later, does in followed if does is Stance.DECLINES and later.concludes(rules)]
    behind = Stance.DECLINES in stances[:at] and found[at].turn.strip().startswith((":", ";"))
    if not (led_to or behind) or not point.words or rules.guesses.search(text) or has_new_number(text, rules, point):
        return False
    rest = without(point, text)
    about = rules.knowing.search(rest) or rules.speaker.match(text)
    lacking = rules.hint.search(rest) is not None and about is not None
    return lacking or any(is_off_point(text, other, point) for other in led_to)
