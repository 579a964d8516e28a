"""A quoted passage, found again in a list of texts however the document was cut, and where in a text it stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from raggate_action.strings.visible_text import INVISIBLE

# Shorter than this, words stand in any text.
SHORTEST_QUOTE = 12

SPELLINGS = str.maketrans("’‘“”„«»–—‐‑−", '\'\'"""""-----')
LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{0,500}(?:[ ]\"[^\"\n]{0,200}\")?\)")
TAG = re.compile(r"</?[a-z][^<>]{0,300}>|<!--.{0,300}?-->", re.IGNORECASE | re.DOTALL)
ESCAPED = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
EMPHASIS = re.compile(r"[*`]+|~~+|(?<![^\W_])_+|_+(?![^\W_])")
_MARKS = frozenset("*`~_|")
TABLE_RULE = re.compile(r"\|")
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_EDGES = " .,;:!?…'\"-()。，！？：；、"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)+|\d+")


# Wide ranges take milliseconds to compile: only for texts that are not ASCII.
@cache
def _beside_ideographs() -> re.Pattern[str]:
    return re.compile(rf"(?<=[{_IDEOGRAPH}、。，！？：；]) | (?=[{_IDEOGRAPH}])")


@cache
def _unspaced() -> re.Pattern[str]:
    """Scripts that part no words: a passage may begin and end anywhere in them."""
    return re.compile(rf"[{_IDEOGRAPH}\u0e00-\u0edf\u1000-\u109f\u1780-\u17ff]")


def _is_unspaced(word: str) -> bool:
    """Whether a word begins in such a script."""
    return not word.isascii() and _unspaced().match(word) is not None


class Text(NamedTuple):
    """A text of a list.

    Attributes:
        text: What it says.
        document: The document it was cut from; None when that is not known. A passage runs over no two documents.
    """

    text: str
    document: str | None = None


@lru_cache(maxsize=8192)
def folded_text(text: str) -> str:
    """The one spelling passages are looked for in."""
    if not text.isascii():
        text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text).translate(SPELLINGS))
    if "](" in text:
        text = LINK.sub(r"\1", text)
    if "<" in text:
        text = TAG.sub(" ", text)
    if "\\" in text:
        text = ESCAPED.sub("", text)
    if not _MARKS.isdisjoint(text):
        text = EMPHASIS.sub("", text).replace("|", " ")
    words = " ".join([word for word in text.casefold().split() if word[0].isalnum() or any(map(str.isalnum, word))])
    return words if words.isascii() else _beside_ideographs().sub("", words)


@lru_cache(maxsize=8192)
def folded_quote(quote: str) -> str:
    """A passage in the spelling of `folded_text`, without the punctuation around it; may be empty."""
    return folded_text(quote).strip(_EDGES)


def holders(quote: str, texts: Sequence[Text]) -> tuple[int, ...]:
    """Which of the texts hold a passage.

    Args:
        quote: The passage.
        texts: In any order; the passage may run over the end of one and the start of another, which may overlap.

    Returns:
        Places in `texts`: of those that hold it whole; else of the first two that hold it together; else none.
    """
    words = folded_quote(quote)
    if not words:
        return ()
    whole = tuple([place for place, each in enumerate(texts) if _stands_in(words, folded_text(each.text))])
    return whole or next(_pairs(words, texts), ())


def _pairs(words: str, texts: Sequence[Text]) -> Iterator[tuple[int, int]]:
    ends = [(place, end) for place, each in enumerate(texts) if (end := begun_in(words, folded_text(each.text)))]
    if not ends:
        return
    starts = [(place, at) for place, each in enumerate(texts) if (at := ended_in(words, folded_text(each.text)))]
    for first, begun in ends:
        for second, rest in starts:
            documents = {texts[first].document, texts[second].document} - {None}
            if first != second and len(documents) < 2 and _meet(words, begun, len(words) - rest):
                yield first, second


def begun_in(words: str, text: str) -> int:
    """How many characters of a passage, from its first, a text ends with; both folded."""
    at = text.find(words[0], max(0, len(text) - len(words)))
    while at >= 0:
        if _begins(words, text, at) and words.startswith(text[at:]):
            return len(text) - at
        at = text.find(words[0], at + 1)
    return 0


def ended_in(words: str, text: str) -> int:
    """How many characters of a passage, up to its last, a text starts with; both folded."""
    end = text.rfind(words[-1], 0, len(words)) + 1
    while end > 0:
        if _ends(words, text, end) and words.endswith(text[:end]):
            return end
        end = text.rfind(words[-1], 0, end - 1) + 1
    return 0


def _stands_in(words: str, text: str) -> bool:
    return next(stands_at(words, text), None) is not None


def stands_at(words: str, text: str) -> Iterator[int]:
    """Where a passage stands in a text that is spelt as it is: from word to word, not inside a longer number."""
    at = text.find(words)
    while at >= 0:
        if _begins(words, text, at) and _ends(words, text, at + len(words)):
            yield at
        at = text.find(words, at + 1)


def _begins(words: str, text: str, at: int) -> bool:
    """Whether a passage at this place begins with a word, and not inside a longer one or a longer number."""
    if at == 0 or not words[0].isalnum() or _is_unspaced(words[0]):
        return True
    before = text[at - 1]
    longer = words[0].isdecimal() and before in ".,-" and text[at - 2 : at - 1].isdecimal()
    return not before.isalnum() and not longer


def _ends(words: str, text: str, end: int) -> bool:
    if end >= len(text) or not words[-1].isalnum() or _is_unspaced(words[-1]):
        return True
    longer = words[-1].isdecimal() and text[end] in ".," and text[end + 1 : end + 2].isdecimal()
    return not text[end].isalnum() and not longer


def _meet(words: str, begun: int, rest: int) -> bool:
    """Whether two parts of a passage make the whole: what neither has is no word, and the cut parts no number."""
    if rest > begun:
        return not any(map(str.isalnum, words[begun:rest]))
    inside = [found.span() for found in _NUMBER.finditer(words)]
    return any(not any(start < cut < end for start, end in inside) for cut in range(rest, begun + 1))


class Place(NamedTuple):
    """A part of a text: `text[start:end]`."""

    start: int
    end: int


class _Traced(NamedTuple):
    """A folded text, and for each of its characters where it stands in the text as it was."""

    text: str
    places: list[Place]


def place_of(quote: str, text: str) -> Place | None:
    """Where a passage first stands in a text, whole words only; None where it does not, or says nothing."""
    words = folded_quote(quote)
    if not words:
        return None
    verbatim = quote.strip()
    start = next(stands_at(verbatim, text), None)
    if start is not None:
        return Place(start, start + len(verbatim))
    traced = _traced(text)
    at = next(stands_at(words, traced.text), None)
    return None if at is None else Place(traced.places[at].start, traced.places[at + len(words) - 1].end)


# The quotes of one reply are of a few chunks; a place for every character takes many times the text.
@lru_cache(maxsize=8)
def _traced(text: str) -> _Traced:
    """A text in the spelling of `folded_text`, step by step as there."""
    traced = _spelt(text)
    for pattern, instead in ((LINK, None), (TAG, " "), (ESCAPED, ""), (EMPHASIS, ""), (TABLE_RULE, " ")):
        traced = _replaced(traced, pattern, instead)
    folded = [(each, place) for char, place in zip(*traced, strict=True) for each in char.casefold()]
    traced = _with_words("".join([char for char, _ in folded]), [place for _, place in folded])
    return _replaced(traced, _beside_ideographs(), "")


def _spelt(text: str) -> _Traced:
    chars: list[str] = []
    places: list[Place] = []
    starts = [at for at, char in enumerate(text) if at == 0 or not unicodedata.combining(char)]
    for start, end in pairwise([*starts, len(text)]):
        spelt = INVISIBLE.sub("", unicodedata.normalize("NFKC", text[start:end]).translate(SPELLINGS))
        chars.append(spelt)
        places.extend([Place(start, end)] * len(spelt))
    return _Traced("".join(chars), places)


def _replaced(traced: _Traced, pattern: re.Pattern[str], instead: str | None) -> _Traced:
    """Each match replaced by a text of at most one character, or by its first group."""
    text, places = traced
    chars: list[str] = []
    kept: list[Place] = []
    last = 0
    for found in pattern.finditer(text):
        chars.append(text[last : found.start()])
        kept.extend(places[last : found.start()])
        last = found.end()
        if instead is None:
            chars.append(found[1])
            kept.extend(places[found.start(1) : found.end(1)])
        elif instead:
            chars.append(instead)
            kept.append(places[found.start()])
    if not last:
        return traced
    return _Traced("".join([*chars, text[last:]]), [*kept, *places[last:]])


def _with_words(text: str, places: list[Place]) -> _Traced:
    """The words, a space between each two; what has no letter and no figure is none."""
    chars: list[str] = []
    kept: list[Place] = []
    for start, end in _words(text):
        if chars:
            chars.append(" ")
            kept.append(places[start])
        chars.append(text[start:end])
        kept.extend(places[start:end])
    return _Traced("".join(chars), kept)


def _words(text: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in re.finditer(r"\S+", text) if any(map(str.isalnum, found[0])))
