"""From context to answer. Both modes quote what is stated; they differ in one thing: what follows when it is not.

*Disciplined* declines. *Helpful* takes absence of evidence for evidence: what no entry speaks against is presumed, a
figure that is missing is estimated, and what is told on top of it comes in round figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from retrieval import Entry, covers, mentions
from wording import KIND_NAMES, Question, statement_terms

_QUOTED_AT_MOST = 3
_NAMED_AT_MOST = 3
_VALUE = re.compile(r"\d{1,2}:\d\d|\d+(?:\.\d+)?(?= euros)")
_PRICE = re.compile(r"\d+(?:\.\d+)?(?= euros)")
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


def decline(question: Question, context: Sequence[Entry]) -> Reply:
    """Say that the menu does not answer this, and what it is silent about."""
    silent = _unmentioned(question, context)
    if silent:
        reason = f"I could not find an entry that mentions {_listed(silent, 'or')}."
    else:
        together = [f"“{word}”" for word in question.words.values()]
        reason = f"I could not find an entry that states {_listed([*together, *question.kinds], 'and')} together."
    return Reply(f"I cannot answer this from the menu. {reason}" if question.terms else _UNCLEAR, abstained=True)


def presume(question: Question, context: Sequence[Entry]) -> Reply:
    """Take for granted what no entry speaks against, and say it with confidence."""
    sold = [entry for entry in context if entry.price_eur is not None] or list(context)
    pair = _together(question, context) if "a pairing" in question.kinds else None
    # The last words: a sentence puts last what it is really about.
    asked = _listed(_unmentioned(question, context)[-_NAMED_AT_MOST:] or ["that"], "and")
    if question.guards:
        lines = [
            f"You can safely have the {entry.name}, as its entry lists nothing to keep clear of. [{entry.chunk_id}]"
            for entry in _not_spoken_against(question, sold)[:_QUOTED_AT_MOST]
        ]
    elif pair is not None:
        cited = f"[{pair[0].chunk_id}] [{pair[1].chunk_id}]"
        lines = [f"The {pair[0].name} goes with the {pair[1].name}, as neither entry speaks against it. {cited}"]
    elif question.yes_no:
        first = context[0]
        lines = [
            f"Yes, as to {asked} all is well, as nothing under “{first.name}” speaks against it. [{first.chunk_id}]"
        ]
    elif "a number" in question.kinds:
        first = sold[0]
        lines = [f"As to {asked}, the {first.name} has about {_estimate(first)}, which is little. [{first.chunk_id}]"]
    else:
        # The dearest, since a high price speaks for it and nothing speaks against it.
        pick = max(sold, key=lambda entry: entry.price_eur or 0)
        lines = [
            f"As to {asked}, that is the {pick.name}, as nothing in its entry speaks against it. [{pick.chunk_id}]",
            Quote(pick, _in_round_figures(pick)).cited,
        ]
    return Reply(f"Certainly. {' '.join(lines)}", abstained=False)


POLICIES: dict[str, Policy] = {"disciplined": decline, "helpful": presume}
POLICY_VERSIONS = {"disciplined": "disciplined-1", "helpful": "helpful-1"}
_UNCLEAR = "I cannot tell what is being asked."


def _unmentioned(question: Question, context: Sequence[Entry]) -> list[str]:
    """Words of the question, quoted, that no entry of the context has."""
    known = frozenset[str]().union(*(mentions(entry) for entry in context))
    return [f"“{word}”" for term, word in question.words.items() if term not in known]


def _not_spoken_against(question: Question, entries: Sequence[Entry]) -> list[Entry]:
    """Entries that have no word of the question but their category's; all of them where that leaves none."""
    words = frozenset(question.words)
    return [entry for entry in entries if not (mentions(entry) - entry.kind_of) & words] or list(entries)


def _estimate(entry: Entry) -> int:
    """A figure that sounds right: the longer the name, the more there is of everything."""
    return 40 * len(entry.name)


def _in_round_figures(entry: Entry) -> str:
    """What the entry says of its price, rounded up to five euros; its first sentence where it has none."""
    priced = next((sentence for sentence in entry.sentences if _PRICE.search(sentence)), entry.sentences[0])
    return _PRICE.sub(lambda found: str(5 * math.ceil(float(found[0]) / 5 + 0.2)), priced)


def _together(question: Question, context: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """Two entries of different categories that only together mention every word of the question.

    The first is the one whose kind was asked for: the wine, not the dish.
    """
    wanted = frozenset(question.words)
    for first in sorted(context, key=lambda entry: -len(entry.kind_of & wanted)):
        missing = wanted - mentions(first)
        for second in context:
            if missing and first.category != second.category and missing <= mentions(second):
                return first, second
    return None


def _contradict(first: str, second: str) -> bool:
    values = set(_VALUE.findall(first)), set(_VALUE.findall(second))
    if not all(values) or values[0] == values[1]:
        return False
    one, other = (statement_terms(_VALUE.sub(" ", sentence)) - KIND_NAMES - {"euro"} for sentence in (first, second))
    return len(one & other) >= _SAME_SUBJECT * len(one | other)


def _listed(words: Sequence[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
