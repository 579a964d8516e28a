"""Texts as words: the same words are found again in another case, behind other punctuation, in other letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from raggate_action.strings.visible_text import without_invisible

_WORD = re.compile(r"[^\W_]+")
# All but those that part words.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
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
    """The words of a text in lower case, without punctuation and accents; letters and digits only."""
    text = _CONTROLS.sub("", text)
    if text.isascii():
        return _WORD.findall(text.lower())
    decomposed = unicodedata.normalize("NFKD", without_invisible(text))
    return _WORD.findall("".join([character for character in decomposed if not _is_accent(character)]).casefold())


def content_words(words: Iterable[str]) -> list[str]:
    """The words that say something: all but function words and what has fewer than three letters or digits."""
    return [word for word in words if len(word) >= _SAYS and word not in FUNCTION_WORDS]


@lru_cache(maxsize=4096)
def _is_accent(character: str) -> bool:
    """Whether it is drawn onto the letter before it: an accent, a stroke through it, an enclosing ring."""
    return unicodedata.category(character) in {"Mn", "Me"}
