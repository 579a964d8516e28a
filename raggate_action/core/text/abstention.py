"""Which sentences decline to answer, and which assert nothing at all.

Conservative on both sides: a sentence that declines and then concludes something ("..., so you can deploy")
has answered, and a courtesy with a fact in it is a claim. How a language says it stands in `languages/`; in a
language without rules nothing is recognised, and the gates that depend on it go unmeasured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from raggate_action.core.text.languages.rules import Expressions, expressions

_ASKS = ("?", "？", "؟", "⸮")
_MARKS = " \t.,;:!…-–—。！，"
_DIGIT = re.compile(r"[0-9]")
_EXCUSE_WITHIN = 40


def recognises(language: str) -> bool:
    """Whether declining can be told from answering in this language (ISO 639-1 code)."""
    return expressions(language) is not None


def declines(sentence: str, language: str) -> bool:
    """Whether a sentence says that it cannot answer, and asserts nothing beside that.

    Each of its clauses has to decline, to send the reader elsewhere or to say nothing of substance; at least one
    declines. False in a language without rules.
    """
    rules = expressions(language)
    return rules is not None and sentence_declines(sentence, rules)


def sentence_declines(sentence: str, rules: Expressions) -> bool:
    """The same by given rules."""
    sentence = sentence.replace("’", "'")
    if not rules.hint.search(sentence):
        return False
    declined = False
    for clause in _clauses(sentence, rules):
        if _clause_declines(clause, rules):
            declined = True
        elif not _says_nothing(clause, rules):
            return False
    return declined


def carries_no_claim(sentence: str, language: str) -> bool:
    """Whether a sentence asserts nothing: a question, a greeting, a courtesy, a pointer to somebody else.

    In a language without rules only questions are recognised.
    """
    if sentence.endswith(_ASKS):
        return True
    rules = expressions(language)
    return rules is not None and carries_no_claim_by(sentence, rules)


def carries_no_claim_by(sentence: str, rules: Expressions) -> bool:
    """Whether a sentence is a courtesy or a pointer elsewhere by given rules."""
    return _is_courtesy_or_referral(sentence.replace("’", "'").strip(_MARKS), rules)


def _clauses(sentence: str, rules: Expressions) -> Iterator[str]:
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


def _clause_declines(clause: str, rules: Expressions) -> bool:
    return any(
        # A window, because a hostile clause may hold as many finds as it has words.
        not rules.excuses.search(clause, max(0, match.start() - _EXCUSE_WITHIN), match.start())
        for match in rules.declines.finditer(clause)
    )


def _says_nothing(clause: str, rules: Expressions) -> bool:
    if not clause or _is_courtesy_or_referral(clause, rules):
        return True
    return rules.harmless.match(clause) is not None and _DIGIT.search(clause) is None


def _is_courtesy_or_referral(text: str, rules: Expressions) -> bool:
    if rules.courtesy.fullmatch(text):
        return True
    referral = rules.refers.match(text)
    return referral is not None and rules.fact.search(text, referral.end()) is None
