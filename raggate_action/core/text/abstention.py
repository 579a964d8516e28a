"""What a sentence does for an answer: declines, says nothing, asserts, or nobody can tell.

Careful on both sides: a sentence that declines and then concludes something ("..., so you can deploy") has answered,
a courtesy with a fact in it is a claim, and what can be read both ways is said to be so. How a language says it
stands in `languages/`; a sentence is read by each language it may be in, and the kindest reading holds. Then it is
read by the sentences around it: a decline may have its reason beside it, something else, or the answer after all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from itertools import pairwise

from raggate_action.core.text.attribution_phrases import without_source_lead
from raggate_action.core.text.clauses import Clause, bare, clauses, with_subjects
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import (
    KNOWN,
    Expressions,
    Readers,
    expressions,
    in_any_language,
    readers,
)
from raggate_action.core.text.question_words import (
    BLANK,
    CONTACT,
    DIGITS,
    STATEMENT,
    Kind,
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

    DECLINES says that it cannot answer, and nothing else of substance. EMPTY is a courtesy, an offer or a bare
    referral. PROMISES says that somebody will come back to the asker: nothing beside an answer or a decline, and alone
    it may decline. BESIDE tells what the sources say or what was looked at: no claim beside a decline. ABOUT tells what
    the sources or the speaker are for: the same, and alone it may decline. REFERS sends elsewhere in other words than a
    bare referral, or tells nothing that the question does not say: the same. DOUBTFUL may be a decline. SOFT has words
    of referrals and offers, or a number beside words of sources: beside a decline it may be one. ASSERTS is a claim.
    """

    DECLINES = 0
    EMPTY = 1
    PROMISES = 2
    BESIDE = 3
    ABOUT = 4
    REFERS = 5
    DOUBTFUL = 6
    SOFT = 7
    ASSERTS = 8


_MAY_DENY = frozenset((Stance.DECLINES, Stance.REFERS, Stance.DOUBTFUL))
_MAY_BE_WHY = frozenset((Stance.DOUBTFUL, Stance.SOFT, Stance.ASSERTS))
_ON_SOURCES = frozenset((Stance.BESIDE, Stance.ABOUT, Stance.SOFT))
_DENYING = _MAY_DENY | {Stance.ABOUT}


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


def stance(sentence: str, question: str = "", before: str = "") -> Stance:
    """What a sentence does, by the kindest reading of the languages with rules that it may be in.

    Args:
        sentence: One sentence, without markers and emphasis; untrusted.
        question: What was asked, where a decline is expected: its words and numbers tell nothing new.
        before: The sentence before it, which may name the source that it goes on about.
    """
    if sentence.endswith(_ASKS):
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
    sentence, point = rules.denies_nothing.sub("", sentence), question_of(question)
    if point.words:
        sentence = _without_lead(sentence)
    found = list(clauses(sentence, rules))
    if point.words:
        found = with_subjects(found, rules, before, open_question=not point.asks_whether)
    parts: list[Stance] = []
    for clause in found:
        parts.append(_clause_stance(clause.text, rules, point, parts))
    for at, (topic, next_one) in enumerate(pairwise(found)):
        if next_one.turn.startswith(":") and parts[at + 1] is Stance.DECLINES and _is_topic(topic.text, rules, point):
            parts[at] = Stance.EMPTY
    parts = [_unless_aside(does, part, point, rules, parts) for does, part in zip(parts, found, strict=True)]
    parts = with_reasons(parts, found, point, rules)
    parts = sentences_by_declines(parts, found, point, rules)
    whole = max(parts, default=Stance.EMPTY)
    if whole <= Stance.REFERS and Stance.DECLINES in parts:
        return Stance.DECLINES
    if whole is Stance.SOFT and not _DENYING.isdisjoint(parts):
        return Stance.DOUBTFUL
    return whole


def _bare(sentence: str) -> str:
    return bare(sentence.replace("’", "'"))


def _without_lead(sentence: str) -> str:
    """The sentence without words before it that only name the sources: "Based on the context, ..."."""
    rest = without_source_lead(sentence.lower())
    return sentence if rest is None else sentence[len(sentence) - len(rest) :]


def _clause_stance(clause: str, rules: Expressions, question: Question, before: Sequence[Stance]) -> Stance:
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
    if question.words and rules.promises.match(clause) and not has_new_number(clause, rules, question):
        return Stance.PROMISES
    # "The report ends in 2019": a year bounds the source, also where it is not said in words known here.
    rest = without(question, stated)
    lacks = lacking and not guesses and rules.telling.search(rest) is not None
    on_sources = _on_sources(clause, rules)
    if has_new_number(_YEAR.sub(" ", clause) if lacks or on_sources is Stance.ABOUT else clause, rules, question):
        return Stance.SOFT if lacks or on_sources else Stance.ASSERTS
    if on_sources is not None:
        return on_sources
    if guesses:
        # "Perhaps the staff know more" only refers.
        guess = rules.guesses.sub(" ", clause)
        soft = Stance.SOFT if rules.courteous.search(guess) else Stance.ASSERTS
        return Stance.DOUBTFUL if rules.referring.search(guess) else soft
    denying = bool(question.words) and rules.bare_denials.search(rest) is not None
    doubtful = denying or (lacks and _YEAR.search(clause) is not None)
    return Stance.DOUBTFUL if doubtful else _unless_bare(_softly(stated, rules, before), stated, rules, question)


def _is_asked(clause: str, rules: Expressions, question: Question) -> bool:
    """Whether a clause declines only by words of a question for yes or no: "Does the letter say why?"."""
    if not question.asks_whether or rules.declines(without(question, clause)):
        return False
    return not _denies(clause, rules, question)


def _unless_aside(
    does: Stance, clause: Clause, question: Question, rules: Expressions, others: Sequence[Stance]
) -> Stance:
    """REFERS for what a speaker says of nothing but themselves beside a decline: "I don't want to mislead you"."""
    if does is not Stance.DOUBTFUL or Stance.DECLINES not in others or not question.words:
        return does
    aside = rules.speaker.match(clause.text) and not takes_up(clause.text, question)
    return Stance.REFERS if aside and not rules.guesses.search(clause.text) else does


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


def _on_sources(clause: str, rules: Expressions) -> Stance | None:
    """ABOUT, BESIDE or DOUBTFUL for a clause on what sources or speaker are for, hold or did; None for any other."""
    if rules.about.match(clause):
        return Stance.ABOUT
    harmless = rules.harmless.match(clause)
    if harmless is None:
        return None
    rest = clause[harmless.end() :]
    return Stance.DOUBTFUL if rules.hint.search(rest) and rules.knowing.search(rest) else Stance.BESIDE


def _unless_bare(read: Stance, clause: str, rules: Expressions, question: Question) -> Stance:
    """REFERS for a clause in doubt that only refers or has no word that tells something; else it may decline.

    A courtesy stays SOFT where it takes up the question: one that does not may offer help.
    """
    if not question.words or read not in {Stance.DOUBTFUL, Stance.SOFT}:
        return read
    rest = rules.embedded.sub(" ", without(question, CONTACT.sub(" ", clause)))
    refers = rules.referring.search(clause) or rules.refers.match(clause)
    if read is Stance.SOFT and not refers and (BLANK in rest or new_words(rest, rules) > STATEMENT):
        # "Please note that dogs are not allowed" answers in words of the question, "please take a towel" in its own.
        return read
    merely = refers is not None and rules.fact.search(rules.embedded.sub(" ", clause)) is None
    return Stance.REFERS if new_words(rest, rules) <= (_REFERRAL if merely else 0) else Stance.DOUBTFUL


def _denies(clause: str, rules: Expressions, question: Question) -> bool:
    """Whether a clause that lacks something declines, by what was question, where a decline is expected.

    Words of the question are left out: to "is it covered?" the answer "it is not covered" denies, and declines nothing.
    """
    if not question.words or len(clause) > _LONGEST_DENIAL:
        return False
    rest = without(question, clause)
    return rules.denies(rest) or (rules.barely_denies(rest) and not new_words(rest, rules))


def _softly(clause: str, rules: Expressions, before: Sequence[Stance]) -> Stance:
    """What a clause without numbers does that neither guesses, declines nor is known to say nothing."""
    lacking = rules.hint.search(clause) is not None
    if rules.referring.search(clause) or rules.speaker.match(clause) or (lacking and rules.knowing.search(clause)):
        return Stance.DOUBTFUL
    fragment = len(clause.split()) <= _FRAGMENT and rules.fact.search(clause) is None
    if (fragment or not _ON_SOURCES.isdisjoint(before)) and rules.lacks.match(clause):
        return Stance.DOUBTFUL
    # Nothing but an address stands behind a colon.
    address = _LETTER.search(CONTACT.sub("", clause)) is None
    soft = address or rules.courteous.search(clause) or rules.knowing.search(clause, 0, _BEGINNING)
    return Stance.SOFT if soft else Stance.ASSERTS


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


def declines_in_context(stances: Sequence[Stance], sentences: Sequence[str], question: str) -> list[Stance]:
    """The stances of an answer's sentences by those beside them.

    SOFT for one that asserts beside a decline without a mark of an answer, or something else before it; DOUBTFUL for
    one that tells what the sources say on what was question.
    """
    point = question_of(question)
    read = list(stances)
    if point.words and len(read) > 1 and Stance.DECLINES in read[1:] and _is_heading(sentences[0], read[0], point):
        read[0] = Stance.EMPTY
    return sentences_by_declines(read, [Clause(sentence) for sentence in sentences], point)


def _is_heading(sentence: str, does: Stance, question: Question) -> bool:
    """Whether a line without a stop only names what was asked for: "Refunds for unused classes"."""
    if does is not Stance.ASSERTS or not sentence[-1:].isalnum():
        return False
    return _is_topic(sentence, _rules_of(sentence), question)


def sentences_by_declines(
    stances: Sequence[Stance], parts: Sequence[Clause], question: Question, rules: Expressions | None = None
) -> list[Stance]:
    """The same, or with `rules` for the clauses of a sentence."""
    read = list(stances)
    for at, (does, part) in enumerate(zip(stances, parts, strict=True)):
        if does is Stance.BESIDE and _on_the_point(part.text, stances, parts, question, rules):
            read[at] = Stance.DOUBTFUL
        if does is Stance.ASSERTS and not _is_yes_or_no(part.text) and _is_beside(at, stances, parts, question, rules):
            read[at] = Stance.SOFT
        if does is Stance.ASSERTS and Stance.DECLINES in stances and _is_promise(part.text, question, rules):
            read[at] = Stance.PROMISES
    return read


def _is_promise(text: str, question: Question, rules: Expressions | None) -> bool:
    """Whether somebody will come back to the asker, which was not asked: "We will call you at 10:00"."""
    promises = (rules or _rules_of(text)).promises
    return bool(question.words) and promises.match(text) is not None and not takes_up(text, question)


def _is_beside(
    at: int, stances: Sequence[Stance], parts: Sequence[Clause], question: Question, rules: Expressions | None
) -> bool:
    """Whether what one part asserts is not what was question, by what is declined beside it.

    Within a sentence a later part that may decline will do if the assertion is about sources.
    """
    part, later = parts[at], stances[at + 1 :]
    behind = not _DENYING.isdisjoint(stances[:at])
    if question.words and not _DENYING.isdisjoint(stances) and not _may_answer(part, question, rules, behind=behind):
        return True
    if rules is not None and rules.hint.search(part.text):
        # "It is not among the codes, so I cannot tell", "May isn't included: the data stops in April": it is why.
        explains = part.turn.startswith(":") and Stance.DECLINES in stances[:at]
        if explains or Stance.DECLINES in later or Stance.ABOUT in later:
            return True
    about_sources = rules is not None and rules.knowing.search(part.text) is not None
    declining = _MAY_DENY if about_sources else _MAY_DENY - {Stance.REFERS}
    others = _distinct(later, parts[at + 1 :], declining, question)
    return any(is_off_point(part.text, other, question) for other in others)


def _distinct(
    stances: Sequence[Stance], parts: Sequence[Clause], declining: frozenset[Stance], question: Question
) -> list[str]:
    """One part for each choice of words that declining parts take up: a hostile answer repeats them without end."""
    texts = {part.text for does, part in zip(stances, parts, strict=True) if does in declining}
    return list({takes_up(text, question): text for text in texts}.values())


def _may_answer(part: Clause, question: Question, rules: Expressions | None, *, behind: bool) -> bool:
    """Whether what is asserted beside a decline, or behind one, has a mark of an answer.

    One is a number, a guess, yes or no, anything where steps are asked for, a place behind a colon or in brackets, a
    word that points back ("it is closed"), words of the question, or what is said in spite of the decline or follows
    from it.
    """
    reads = rules or _rules_of(part.text)
    follows = part.objects(reads) or (part.concludes(reads) and not reads.hint.search(part.text))
    if behind and follows and new_words(without(question, part.text), reads):
        return True
    return any(_has_a_mark(clause, question, reads) for clause in [part, *clauses(part.text, reads)])


def _has_a_mark(clause: Clause, question: Question, rules: Expressions) -> bool:
    text = clause.text
    if _is_yes_or_no(text) or rules.guesses.search(text) or has_new_number(text, rules, question):
        return True
    if question.kind is Kind.STEPS:
        return True
    points_back = clause.turn.startswith((":", "(")) or leans_back(text.lower(), rules.language)
    return points_back or bool(takes_up(text, question))


def _is_yes_or_no(text: str) -> bool:
    return in_any_language("yes_or_no").match(text) is not None


def _rules_of(text: str) -> Expressions:
    return expressions(next(iter(languages_of(text, KNOWN) or KNOWN)))


def _on_the_point(
    text: str, stances: Sequence[Stance], parts: Sequence[Clause], question: Question, rules: Expressions | None
) -> bool:
    """Whether what is told of the sources beside a decline may be the answer: "I can't say; the flyer lists a pool".

    It is not where the decline takes up more of the question ("it lists parking, but nothing on bicycles"). How much
    is told by a number, yes or no by most of what was asked, anything else by some other word than the question's.
    """
    reads = rules or _rules_of(text)
    source = reads.harmless.match(text)
    is_why = rules is not None and source is None
    if Stance.DECLINES not in stances or is_why or reads.speaker.match(text):
        return False
    declined = _distinct(stances, parts, frozenset((Stance.DECLINES,)), question)
    rest = text[source.end() :] if source else text
    if question.kind is Kind.QUANTITY or any(is_off_point(text, other, question) for other in declined):
        return False
    takes = takes_up(rest, question)
    if question.kind is Kind.YES_OR_NO:
        wanted = question.words - takes_up(text[: len(text) - len(rest)], question)
        return bool(takes) and len(takes) * 2 >= len(wanted)
    return bool(takes) and new_words(without(question, rest), reads) > 0


def with_reasons(
    stances: Sequence[Stance], found: Sequence[Clause], question: Question, rules: Expressions
) -> list[Stance]:
    """The stances of a sentence's clauses; BESIDE for what is said only because nothing can be told, or was.

    "The copy ends at clause 12, so I can't tell you": why is no answer, unless it has a number or takes up as much of
    the question as what it leads to.
    """
    read = list(stances)
    for at, does in enumerate(stances):
        if does not in _MAY_BE_WHY or not question.words:
            continue
        text = found[at].text
        if _is_why_not(at, stances, found, question, rules):
            read[at] = Stance.BESIDE
            continue
        led_to = [
            later.text
            for later, follows in zip(found[at + 1 :], stances[at + 1 :], strict=True)
            if follows is Stance.DECLINES and later.concludes(rules) and rules.telling.search(later.text)
        ]
        if not led_to or _is_yes_or_no(text) or rules.guesses.search(text) or has_new_number(text, rules, question):
            continue
        lacking = rules.hint.search(text) and (rules.knowing.search(text) or rules.speaker.match(text))
        declines = lacking or any(is_off_point(text, other, question) for other in led_to)
        read[at] = Stance.BESIDE if declines else min(does, Stance.SOFT)
    return read


def _is_why_not(
    at: int, stances: Sequence[Stance], found: Sequence[Clause], question: Question, rules: Expressions
) -> bool:
    """Whether a clause behind a colon or a semicolon only says that sources lack what was just declined.

    "I can't tell: no terms are given there", and not "I can't tell: dogs are not allowed".
    """
    text = found[at].text
    if not found[at].turn.strip().startswith((":", ";")) or Stance.DECLINES not in stances[:at]:
        return False
    if _is_yes_or_no(text) or rules.guesses.search(text) or has_new_number(text, rules, question):
        return False
    rest = without(question, text)
    return rules.hint.search(rest) is not None and rules.knowing.search(rest) is not None
