"""Quotes that cases require, held against the evidence: one that stands nowhere can never be found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from raggate_action.schema.evidence import EvidenceStore
from raggate_action.strings.passages import SHORTEST_QUOTE, Text, all_found, folded_quote
from raggate_action.suite_files.problems import value_text


class AbsentQuote(NamedTuple):
    """A quote that no chunk has which the case's asker may read.

    Attributes:
        case: Place of its case among those that were looked at.
        place: Its place among the case's quotes.
        text: What is wrong.
    """

    case: int
    place: int
    text: str


class Asked(NamedTuple):
    """The quotes of a case, and who asks."""

    quotes: tuple[str, ...]
    principals: tuple[str, ...]


def absent_quotes(cases: list[Asked], store: EvidenceStore) -> Iterator[AbsentQuote]:
    """The quotes that stand nowhere, in the order of the cases; too short ones have a message of their own.

    The evidence is read once for every group of cases that the same people ask.
    """
    readable: dict[frozenset[str], set[str]] = {}
    for asked in cases:
        quotes = [quote for quote in asked.quotes if len(folded_quote(quote)) >= SHORTEST_QUOTE]
        readable.setdefault(frozenset(asked.principals), set()).update(quotes)
    found = {who: _found(quotes, store, who) for who, quotes in readable.items()}
    hidden = _found({quote for each in found.values() for quote, is_there in each.items() if not is_there}, store, None)
    for number, asked in enumerate(cases):
        there = found[frozenset(asked.principals)]
        for index, quote in enumerate(asked.quotes):
            if not there.get(quote, True):
                yield AbsentQuote(number, index, _message(quote, hidden=hidden[quote]))


def _found(quotes: set[str], store: EvidenceStore, who: frozenset[str] | None) -> dict[str, bool]:
    if not quotes:
        return {}
    chunks = (chunk for chunk in store if who is None or chunk.permitted_for(who))
    return all_found(quotes, (Text(chunk.text, chunk.origin[0]) for chunk in chunks))


def _message(quote: str, *, hidden: bool) -> str:
    if hidden:
        # Its words are not repeated.
        text = "this stands only in evidence that the case's asker may not read, so it must never be found"
        return f"{text}; take it out of `required_quotes`, or give the case its `principals`"
    text = f"`required_quotes` has {value_text(quote)}, which stands in no chunk of the evidence"
    return f"{text}; copy a sentence of the source as it is now, or add the source to the evidence"
