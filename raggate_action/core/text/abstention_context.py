"""What stands beside a decline: its reason, something else, or the answer after all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from raggate_action.core.text.clauses import Clause, clauses
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.rules import KNOWN, Expressions, expressions
from raggate_action.core.text.novelty import counts, news
from raggate_action.core.text.question_overlap import (
    NAMED,
    REPORT,
    Asked,
    Kind,
    asked_by,
    beside_the_point,
    takes_up,
    without,
)
from raggate_action.core.text.sentence_roles import DENYING, MAY_BE_WHY, MAY_DENY, ON_SOURCES, Stance

_YES_OR_NO = re.compile(r"(?:yes|no|ja|nein|oui|non|sí|si)\b(?=\W*$|[,.!:;])", re.IGNORECASE)
_HYPOTHETICAL = re.compile(
    r"\b(?:could|might|would|you'd|könnten?|müssten?|dürften?|würden?|wären?|pourrai\w+|serai\w+|podrían?|sería\w*)\b",
    re.IGNORECASE,
)


def beside_declines(stances: Sequence[Stance], sentences: Sequence[str], question: str) -> list[Stance]:
    """The stances of an answer's sentences by those beside them.

    SOFT for one that asserts beside a decline without a mark of an answer, or something else before it; DOUBTFUL for
    one that tells what the sources say on what was asked.
    """
    return beside_declining(stances, [Clause(sentence) for sentence in sentences], asked_by(question))


def beside_declining(
    stances: Sequence[Stance], parts: Sequence[Clause], asked: Asked, rules: Expressions | None = None
) -> list[Stance]:
    """The same, or with `rules` for the clauses of a sentence."""
    read = list(stances)
    for at, (does, part) in enumerate(zip(stances, parts, strict=True)):
        if does is Stance.BESIDE and _on_the_point(part.text, stances, parts, asked, rules):
            read[at] = Stance.DOUBTFUL
        if does is Stance.ASSERTS and not _YES_OR_NO.match(part.text) and _is_beside(at, stances, parts, asked, rules):
            read[at] = Stance.SOFT
    return read


def _is_beside(
    at: int, stances: Sequence[Stance], parts: Sequence[Clause], asked: Asked, rules: Expressions | None
) -> bool:
    """Whether what one part asserts is not what was asked, by what is declined beside it.

    Within a sentence a later part that may decline will do if the assertion is about sources.
    """
    part, later = parts[at], stances[at + 1 :]
    by = DENYING | ON_SOURCES if _HYPOTHETICAL.search(part.text) else DENYING
    behind = not DENYING.isdisjoint(stances[:at])
    if asked.words and not by.isdisjoint(stances) and not _may_answer(part, asked, rules, behind=behind):
        return True
    if rules is not None and rules.hint.search(part.text):
        # "It is not among the codes, so I cannot tell", "May isn't included: the data stops in April": it is why.
        explains = part.turn.startswith(":") and Stance.DECLINES in stances[:at]
        if explains or Stance.DECLINES in later or Stance.ABOUT in later:
            return True
    about_sources = rules is not None and rules.knowing.search(part.text) is not None
    declining = MAY_DENY if about_sources else MAY_DENY - {Stance.REFERS}
    others = _distinct(later, parts[at + 1 :], declining, asked)
    return any(beside_the_point(part.text, other, asked) for other in others)


def _distinct(
    stances: Sequence[Stance], parts: Sequence[Clause], declining: frozenset[Stance], asked: Asked
) -> list[str]:
    """One part for each choice of words that declining parts take up: a hostile answer repeats them without end."""
    texts = {part.text for does, part in zip(stances, parts, strict=True) if does in declining}
    return list({takes_up(text, asked): text for text in texts}.values())


def _may_answer(part: Clause, asked: Asked, rules: Expressions | None, *, behind: bool) -> bool:
    """Whether what is asserted beside a decline, or behind one, has a mark of an answer.

    What would or could be has none. One is a number, a guess, yes or no, a name where somebody is asked for, anything
    where steps are, a place behind a colon or in brackets, a word that points back ("it is closed"), words of the
    question, or what is said in spite of the decline or follows from it.
    """
    reads = rules or _rules_of(part.text)
    follows = part.objects or (part.concludes and not reads.hint.search(part.text))
    if behind and follows and news(without(asked, part.text), reads):
        return _HYPOTHETICAL.search(part.text) is None
    return any(_has_a_mark(clause, asked, reads) for clause in [part, *clauses(part.text, reads)])


def _has_a_mark(clause: Clause, asked: Asked, rules: Expressions) -> bool:
    text = clause.text
    if _YES_OR_NO.match(text) or rules.guesses.search(text) or counts(text, rules, asked):
        return True
    if _HYPOTHETICAL.search(text):
        return False
    if asked.kind is Kind.STEPS or (asked.kind is Kind.PERSON and NAMED.search(text)):
        return True
    points_back = clause.turn.startswith((":", "(")) or leans_back(text.lower(), rules.language)
    return points_back or bool(takes_up(text, asked))


def _rules_of(text: str) -> Expressions:
    return expressions(next(iter(languages_of(text, KNOWN) or KNOWN)))


def _on_the_point(
    text: str, stances: Sequence[Stance], parts: Sequence[Clause], asked: Asked, rules: Expressions | None
) -> bool:
    """Whether what is told of the sources beside a decline may be the answer: "I can't say; the flyer lists a pool".

    It is not where the decline takes up more of the question ("it lists parking, but nothing on bicycles"). Who it is
    is told by a name, how much by a number, yes or no by most of what was asked, anything else by some other word than
    those of the question, or by a report in a sentence of its own ("I can't say. It mentions that the term is over").
    """
    reads = rules or _rules_of(text)
    source = reads.harmless.match(text)
    is_why = rules is not None and source is None
    if Stance.DECLINES not in stances or is_why or reads.speaker.match(text):
        return False
    declined = _distinct(stances, parts, frozenset((Stance.DECLINES,)), asked)
    told = text[source.end() :] if source else text
    if asked.kind is Kind.PERSON:
        return NAMED.search(told) is not None
    if asked.kind is Kind.QUANTITY or any(beside_the_point(text, other, asked) for other in declined):
        return False
    takes = takes_up(told, asked)
    if asked.kind is Kind.YES_OR_NO:
        wanted = asked.words - takes_up(text[: len(text) - len(told)], asked)
        return bool(takes) and len(takes) * 2 >= len(wanted)
    if rules is None and REPORT.match(told):
        return True
    return bool(takes) and news(without(asked, told), reads) > 0


def with_reasons(stances: Sequence[Stance], found: Sequence[Clause], asked: Asked, rules: Expressions) -> list[Stance]:
    """The stances of a sentence's clauses; BESIDE for what is said only because nothing can be told.

    "The copy ends at clause 12, so I can't tell you": why is no answer, unless it has a number or takes up as much of
    the question as what it leads to.
    """
    read = list(stances)
    for at, does in enumerate(stances):
        if does not in MAY_BE_WHY or not asked.words:
            continue
        text = found[at].text
        led_to = [
            later.text
            for later, follows in zip(found[at + 1 :], stances[at + 1 :], strict=True)
            if follows is Stance.DECLINES and later.concludes and rules.telling.search(later.text)
        ]
        if not led_to or _YES_OR_NO.match(text) or rules.guesses.search(text) or counts(text, rules, asked):
            continue
        lacking = rules.hint.search(text) and (rules.knowing.search(text) or rules.speaker.match(text))
        beside = lacking or any(beside_the_point(text, other, asked) for other in led_to)
        read[at] = Stance.BESIDE if beside else min(does, Stance.SOFT)
    return read
