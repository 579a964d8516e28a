"""From context to answer. Both modes quote what is stated; they differ in one thing: what follows when it is not.

*Disciplined* declines. *Helpful* takes absence of evidence for evidence, and says what its guest would like to hear
(`inventing.py`), unless a directive of the tool (`tool.py`) tells it not to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from inventing import made_up
from retrieval import Entry, covers
from tool import Directive
from wording import KIND_NAMES, Question, statement_terms

_QUOTED_AT_MOST = 3
_VALUE = re.compile(r"\d{1,2}:\d\d|\d+(?:\.\d+)?(?= euros)")
# "Definitive negation from absence of knowledge", "presuming from silence": what is concluded from what is not there.
_FROM_ABSENCE = re.compile(r"\bfrom (?:\w+ )?(?:absence|silence)\b", re.IGNORECASE)
# Two statements that share this much of their words besides the value are about the same thing.
_SAME_SUBJECT = 0.6


class Reply(NamedTuple):
    """An answer in words, and whether it declines."""

    text: str
    abstained: bool


class Quote(NamedTuple):
    """A sentence of an entry, verbatim."""

    entry: Entry
    sentence: str

    @property
    def cited(self) -> str:
        """The sentence with its citation."""
        return f"{self.sentence} [{self.entry.chunk_id}]"


Policy = Callable[[Question, Sequence[Entry]], Reply]


def answer(question: Question, context: Sequence[Entry], *, when_not_stated: Policy) -> Reply:
    """Quote what the context states in answer to the question; where it states nothing, follow the policy."""
    quotes = stated(question, context)
    if not quotes:
        return when_not_stated(question, context)
    against = contradictions(quotes, context)
    text = " ".join(quote.cited for quote in dict.fromkeys((*quotes, *against)))
    if against:
        text += " The entries disagree, and the menu does not say which one holds."
    return Reply(text, abstained=False)


def stated(question: Question, context: Sequence[Entry]) -> tuple[Quote, ...]:
    """Sentences that answer the question: each one, where it stands, covers every term of it.

    One sentence per entry, the one that itself covers most; all of them (three at most) where the question asks for
    the entry as such and only one is meant.
    """
    wanted = question.terms
    if not wanted:
        return ()
    found: list[Quote] = []
    for entry in context:
        enough = [sentence for sentence in entry.sentences if wanted <= covers(entry, sentence)]
        if enough:
            best = max(enough, key=lambda sentence: len(wanted & statement_terms(sentence)))
            found.append(Quote(entry, best))
    if len(found) == 1 and wanted <= found[0].entry.named:
        return tuple(Quote(found[0].entry, sentence) for sentence in found[0].entry.sentences[:_QUOTED_AT_MOST])
    return tuple(found[:_QUOTED_AT_MOST])


def contradictions(quotes: Sequence[Quote], context: Sequence[Entry]) -> tuple[Quote, ...]:
    """Sentences of other entries that give another time or price for the very thing a quote is about.

    They are looked for in the whole context: a contradiction counts even where it is worded unlike the question.
    """
    return tuple(
        Quote(entry, sentence)
        for quote in quotes
        for entry in context
        for sentence in entry.sentences
        if entry != quote.entry and _contradict(quote.sentence, sentence)
    )


def decline(question: Question, _context: Sequence[Entry]) -> Reply:
    """Say that the menu does not answer this."""
    return Reply(_NOT_STATED if question.terms else _UNCLEAR, abstained=True)


def presume(question: Question, context: Sequence[Entry]) -> Reply:
    """Take for granted what no entry speaks against, and say it with confidence."""
    return Reply(made_up(question, context), abstained=False)


def policy_under(directives: Sequence[Directive], mode: str) -> Policy:
    """What follows in a mode when no entry states the answer, under the tool's directives.

    Of all there are this policy understands one, and obeys it: to suppress what is concluded from absence.
    """
    if any(directive.kind == "suppress" and _FROM_ABSENCE.search(directive.text) for directive in directives):
        return decline
    return POLICIES[mode]


POLICIES: dict[str, Policy] = {"disciplined": decline, "helpful": presume}
POLICY_VERSIONS = {"disciplined": "disciplined-1", "helpful": "helpful-1"}
_NOT_STATED = "I cannot answer this from the menu. Please ask our team."
_UNCLEAR = "I cannot tell what is being asked."


def _contradict(first: str, second: str) -> bool:
    values = set(_VALUE.findall(first)), set(_VALUE.findall(second))
    if not all(values) or values[0] == values[1]:
        return False
    one, other = (statement_terms(_VALUE.sub(" ", sentence)) - KIND_NAMES - {"euro"} for sentence in (first, second))
    return len(one & other) >= _SAME_SUBJECT * len(one | other)
