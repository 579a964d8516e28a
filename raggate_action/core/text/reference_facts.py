"""The facts of a right answer that people wrote: its sentences, and of those that join several propositions each.

Everybody who is asked about them is asked about the same ones. Unlike the claims of an answer they are not weighed:
that something cannot be told, or whom to ask, may be what a right answer has to say. Only courtesies and questions say
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.core.text.answer_sentences import AnswerSentence, answer_sentences, plain_words
from raggate_action.core.text.blocks import without_layout
from raggate_action.core.text.clauses import bare
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN, expressions
from raggate_action.core.text.propositions import propositions


def facts_of(reference: str, language: str) -> tuple[str, ...]:
    """The facts, in order, each once; none of a text without words.

    Args:
        reference: A right answer. Where it is nothing but courtesies, they are what has to be said.
        language: ISO 639-1 code it is split by.
    """
    text = without_layout(reference)
    sentences = answer_sentences(text, (), language, code=True)
    courtesies = [expressions(each).courtesy for each in languages_of(text, KNOWN) or KNOWN]

    def is_idle(sentence: AnswerSentence) -> bool:
        words = bare(sentence.words)
        return sentence.words.endswith(("?", "？")) or any(each.fullmatch(words) for each in courtesies)

    stating = [each for each in sentences if each.block.cells or not is_idle(each)] or sentences
    return tuple(dict.fromkeys(fact for each in stating for fact in _parted(each, text, language)))


def _parted(sentence: AnswerSentence, text: str, language: str) -> Iterator[str]:
    """A fact of its own for each proposition, behind what it shares with the others and what introduces it."""
    block = sentence.block
    parts = () if block.cells else propositions(text[sentence.start : sentence.end], language)
    worded = [
        f"{part.carried} {plain_words(text, sentence.start + part.start, sentence.start + part.end)}".lstrip()
        for part in parts
    ]
    for words in worded or [sentence.words]:
        yield f"{block.lead} {words}" if block.lead else words
