"""The commonest words of some languages, by which one tells which of them a text is in; all in small letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from raggate_action.core.text.languages.language_rules import KNOWN, others, rules_of
from raggate_action.schema.target import AUTO

_COMMON = {**{language: rules_of(language).common for language in KNOWN}, **others()["common"]}
# Those whose commonest words are known.
TOLD_APART = tuple(_COMMON)
# The languages a word is common in.
_LANGUAGES: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in _words.split():
        _LANGUAGES.setdefault(_word, []).append(_language)
COMMON_WORDS = frozenset(_LANGUAGES)
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
# The same of small letters.
_WORD_IN_ASCII = re.compile(r"[a-z]{2,}(?:'[a-z]+)?")
_LATIN = re.compile(r"[a-zA-ZÀ-ɏ]")
# Common words of another language that a text has more, and is surely in it: a short one has few of its own.
_SURELY = 3
_FEWEST = 2
# Words of an answer by which its language is told.
_SAMPLE = 60


def languages_of(text: str, known: Sequence[str]) -> tuple[str, ...] | None:
    """Which of the known languages a text may be in, in the order given.

    Args:
        text: An answer; untrusted.
        known: ISO 639-1 codes.

    Returns:
        Those of which it has the most common words, or more than half as many; all of them for a text without any.
        None for a text in another script, or with two common words or more of another language and fewer of each of
        these.
    """
    words = _sample(text)
    if words and not any(_LATIN.search(word) for word in words):
        return None
    if _LANGUAGES.keys().isdisjoint(words):
        return tuple(known)
    counts = _counted(words)
    best = max((counts[language] for language in known), default=0)
    if max(counts.values()) > max(best, 1):
        return None
    return tuple([language for language in known if counts[language] * 2 > best]) or tuple(known)


def reads_as_another(text: str, language: str) -> bool:
    """Whether a text is in another language than this one, told by three common words more of it, or by its script."""
    words = _sample(text)
    if words and not any(_LATIN.search(word) for word in words):
        return True
    counts = _counted(words)
    return max(counts.values()) >= counts[language] + _SURELY


def language_of(text: str, fewest: int = _FEWEST) -> str | None:
    """The language of which a text has so many common words and more than of any other; None where no one has."""
    (language, first), (_other, second), *_rest = Counter(_counted(_sample(text))).most_common(2)
    return language if first >= fewest and first > second else None


def language_read(declared: str, answer: str = "", beside: Iterable[str] = ()) -> str:
    """The language that an answer is read in, of those whose words the evidence checks know.

    Args:
        declared: The suite's `language`; `auto` reads each answer in its own, English where nothing tells it.
        answer: The answer; untrusted.
        beside: Question and passages, which tell with it what it does not tell alone.
    """
    if declared != AUTO:
        return declared
    told = language_of(answer) or language_of("\n".join((answer, *beside)), 1)
    return told if told in KNOWN else "en"


def _sample(text: str) -> list[str]:
    if text.isascii():
        return _WORD_IN_ASCII.findall(text.lower())[:_SAMPLE]
    return [word.lower().replace("’", "'") for word, _ in zip(_WORD.findall(text), range(_SAMPLE), strict=False)]


def _counted(words: Sequence[str]) -> dict[str, int]:
    """How many of the words are common in each language."""
    counts = dict.fromkeys(_COMMON, 0)
    for word in words:
        for language in _LANGUAGES.get(word, ()):
            counts[language] += 1
    return counts
