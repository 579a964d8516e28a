"""Texts as words: the same words are found again in another case, behind other punctuation, escaped or marked up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache

from raggate_action.strings.visible_text import COMMENT, EMPHASIS, TAG, unescaped, without_invisible

# Stands where a mark was taken out: words beside it may be the halves of one.
MARK = "\0"
_WORD = re.compile(r"[^\W_]+")
# Words with no space between them: the halves of one, or two joined by punctuation.
_JOINED = re.compile(r"(?<![^\W_])[^\W_]++(?:(?:[^\w\s]|_)++[^\W_]++)++")
# Longer words are not joined from halves: that would cost more time than it finds.
_LONGEST_WORD = 40
_RAISED = "²³¹⁰⁴-⁹₀-₉①-⓿❶-➓"
# A keycap around a digit; what a chat's web search writes around its sources, in characters of private use.
_KEYCAP = "\u20e3"
_SEARCH = "\ue200-\ue206"
_MARKED = re.compile(rf"[\\%&<(\[{{【*`~^{_RAISED}{_KEYCAP}{_SEARCH}]|__|-\n|turn\d")
_HIDDEN = re.compile(f"{COMMENT}|{TAG}|" + r"\]\([^()\s]*(?:\s[^()]*)?\)|(?<=[^\W\d_])-\n\s*(?=[^\W\d_])")
_EMPHASIS = re.compile(EMPHASIS)
# A citation: brackets around what looks like an id; superscript and circled numbers.
_CITATION = re.compile(r"\[(?=[^\[\]]*[\d^_:/#†-])[^\[\]]{1,100}\]|【[^【】]{0,100}】|" + f"[{_RAISED}]+")
# How apps cite by a link, by markup, in LaTeX, in Pandoc, by a keycap, from a search: "[1](#ref-1)", "<sup>1</sup>",
# "\\cite{handbook}", "^1^". The text inside is the citation's.
_CITING_LINK = re.compile(r"!?\[[^\[\]]{0,100}\]\([^()]{0,300}\)|!?\[[^\[\]]{0,100}\]\[[^\[\]]{0,100}\]")
_CITING_ELEMENT = re.compile(
    r"<(sup|sub|cite|ref|a|footnote|citation|source)\b[^<>]*>(?:[^<>]{0,200})</\1\s*>", re.IGNORECASE
)
_ELEMENT = re.compile(r"<([A-Za-z][\w-]*)\b[^<>]*>[^<>]{0,200}</\1\s*>")
_LATEX = re.compile(
    r"\\[A-Za-z]{0,12}(?:cite|ref|mark)[A-Za-z]{0,12}\*?(?:\[[^\[\]]{0,100}\]){0,2}(?:\{[^{}]{0,200}\})?"
)
_SHORT_MARK = re.compile(
    rf"\^[^\s^]{{1,40}}\^|(?<!~)~[^\s~]{{1,40}}~(?!~)|\^\d{{1,4}}|[0-9#*]{_KEYCAP}"
    rf"|\ue200[^\ue200\ue201]{{0,200}}\ue201|[{_SEARCH}]|(?:cite)?(?:turn\d{{1,4}}[a-z]{{2,12}}\d{{1,4}})+"
)
# A citation inside a citation, as in "<sup><a href='#1'>1</a></sup>".
_NESTED = 3
_BRACKETED = re.compile(r"\[[^\[\]]{0,200}\]|\([^()]{0,200}\)|\{[^{}]{0,200}\}")
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


def words_of(text: str, vocabulary: Container[str] = ()) -> list[str]:
    """The words of a text in lower case, without punctuation and accents; letters and digits only.

    Args:
        text: Any text; `MARK` in it stands for a mark that was taken out.
        vocabulary: Words that are put together from parts with nothing but marks and punctuation between them.
    """
    text = _folded(text)
    if vocabulary:
        # Spaces around a mark are the mark's.
        text = MARK.join([part.strip() for part in text.split(MARK)])
        text = _JOINED.sub(lambda found: _put_together(_WORD.findall(found[0]), vocabulary), text)
    return _WORD.findall(text)


def readings(text: str, markers: Sequence[re.Pattern[str]] = ()) -> tuple[str, ...]:
    """A text as it is and, where they differ, as it reads once escapes are undone and marks are gone.

    Marks are comments, tags, targets of links, emphasis, citations and hyphens at a line's end; then, as a second
    reading, links and elements that cite; as a third whatever stands in brackets or in an element. Each leaves a
    `MARK`. What a comment, a tag or a link's target says is a text of its own.

    Args:
        text: Any text; untrusted.
        markers: The suite's own citation markers.
    """
    if _MARKED.search(text) is None and not any(marker.search(text) for marker in markers):
        return (text,)
    hidden: list[str] = []
    found = [text, *_without_marks(text, markers, hidden)]
    for inner in hidden:
        found += (inner, *_without_marks(inner, markers, []))
    return tuple(dict.fromkeys(found))


def forms_of(text: str) -> tuple[str, ...]:
    """The readings of a text that is compared with, words that a mark parts whole as well as in their parts."""
    found = readings(text)
    return found if len(found) == 1 else tuple(dict.fromkeys(f for r in found for f in (r, r.replace(MARK, ""))))


def word_line(words: Iterable[str]) -> str:
    """Words as one string in which a run of whole words can be looked for."""
    return f" {' '.join(words)} "


def word_lines(forms: Sequence[str], vocabulary: Container[str] = ()) -> str:
    """All `forms_of` a text as `word_line`, one behind the other; see `words_of` for `vocabulary`."""
    found = [words_of(form) for form in forms]
    if vocabulary:
        found += [words_of(form, vocabulary) for form in forms]
    return "\n".join(dict.fromkeys(map(word_line, found)))


def content_words(words: Iterable[str]) -> list[str]:
    """The words that say something: all but function words and what has fewer than three letters or digits."""
    return [word for word in words if len(word) >= _SAYS and word not in FUNCTION_WORDS]


def _without_marks(text: str, markers: Sequence[re.Pattern[str]], hidden: list[str]) -> Iterator[str]:
    """The text without marks, without what cites, and without any brackets; comments, tags, links go into `hidden`."""

    def hide(found: re.Match[str]) -> str:
        if " " in found[0]:
            hidden.append(found[0][1:-1])
        return MARK

    def bare(text: str) -> str:
        text = _HIDDEN.sub(hide, text)
        for marker in markers:
            text = marker.sub(MARK, text)
        return _EMPHASIS.sub(MARK, _CITATION.sub(MARK, _SHORT_MARK.sub(MARK, text)))

    # LaTeX first: "\\ref" would be read as JSON's "\\r".
    without_latex = _seen(_LATEX.sub(MARK, text))
    plain = bare(_seen(text))
    yield from (plain, _BRACKETED.sub(MARK, plain))
    yield bare(_without(_CITING_LINK, _without(_CITING_ELEMENT, without_latex)))
    yield _BRACKETED.sub(MARK, bare(_without(_CITING_LINK, _without(_ELEMENT, without_latex))))


def _seen(text: str) -> str:
    """The text as its reader sees it, but for markup."""
    return without_invisible(unescaped(text))


def _without(mark: re.Pattern[str], text: str) -> str:
    """The text without a mark, nor one that stands in another."""
    for _ in range(_NESTED):
        text, found = mark.subn(MARK, text)
        if not found:
            break
    return text


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", without_invisible(text))
    return "".join([character for character in decomposed if not _is_accent(character)]).casefold()


@lru_cache(maxsize=4096)
def _is_accent(character: str) -> bool:
    """Whether it is drawn onto the letter before it: an accent, a stroke through it, an enclosing ring."""
    return unicodedata.category(character) in {"Mn", "Me"}


def _put_together(parts: list[str], vocabulary: Container[str]) -> str:
    """The parts, those joined that make a word of the vocabulary; of several such words the longest."""
    words: list[str] = []
    at = 0
    while at < len(parts):
        word, end = parts[at], at + 1
        glued = word
        for last in range(at + 1, len(parts)):
            glued += parts[last]
            if len(glued) > _LONGEST_WORD:
                break
            if glued in vocabulary:
                word, end = glued, last + 1
        words.append(word)
        at = end
    return " ".join(words)
