"""Texts as words: the same words are found again in another case, behind other punctuation, escaped or spaced out."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

_WORD = re.compile(r"[^\W_]+")
# Soft hyphens, zero-width characters and marks of direction: nobody sees them, and they would part a word.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_ESCAPED = re.compile(r"\\|%[0-9A-Fa-f]{2}|&#?\w+;|</?[A-Za-z]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_JSON_ESCAPE = re.compile(r"\\+(?:u([0-9A-Fa-f]{4})|[nrtbf]|(?=[\"/\\]))")
_SAYS = 3
# Words that any two English texts share. Other languages have none here, so that more counts as their own.
FUNCTION_WORDS = frozenset(
    {
        "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been",
        "before", "but", "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he",
        "her", "his", "how", "i", "if", "in", "into", "is", "it", "its", "may", "more", "most", "must", "no",
        "not", "of", "on", "only", "or", "other", "our", "out", "over", "shall", "she", "should", "so",
        "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
        "those", "to", "under", "up", "upon", "was", "we", "were", "what", "when", "where", "which", "while",
        "who", "will", "with", "would", "you", "your",
    }
)  # fmt: skip


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation; letters and digits only."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    return _WORD.findall(text.lower())


def spellings(text: str) -> Iterator[list[str]]:
    """The words of a text, and those it has once escapes of JSON, urls and HTML are undone and tags are gone."""
    yield words_of(text)
    if _ESCAPED.search(text):
        yield words_of(html.unescape(unquote(_JSON_ESCAPE.sub(_unescaped, _TAG.sub(" ", text)))))


def told(words: Iterable[str]) -> str:
    """Words as one string in which a run of whole words can be looked for."""
    return f" {' '.join(words)} "


def content_words(words: Iterable[str]) -> list[str]:
    """The words that say something: all but function words and what has fewer than three letters or digits."""
    return [word for word in words if len(word) >= _SAYS and word not in FUNCTION_WORDS]


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else " "
