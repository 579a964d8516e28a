"""Two answers to one question, cut to where they differ, with the words that changed marked."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from raggate_action.report.page import Foreign, Strong, Text, joined
from raggate_action.strings.visible_text import cut

# Words before the first change that stay, so that it can be read.
_BEFORE = 6
# Above this share of new words the answers have little in common, and marking nearly everything marks nothing.
_MOST_MARKED = 0.7
# Longer answers are compared up to here: a matcher takes time that grows with the square.
_MOST_WORDS = 400


class Excerpts(NamedTuple):
    """The two answers as they are shown."""

    before: Text
    now: Text


class _Word(NamedTuple):
    text: str
    changed: bool


def excerpts(before: str, now: str, most: int) -> Excerpts:
    """The two answers around their first difference, with what is new marked in the second.

    Where words are only gone, those are marked in the first. Answers that share little are not marked.

    Args:
        before: The answer on the base branch.
        now: The answer under review.
        most: Longest excerpt, in characters.
    """
    old, new = before.split()[:_MOST_WORDS], now.split()[:_MOST_WORDS]
    blocks = [each for each in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if each[0] != "equal"]
    added = sum(end - start for _tag, _i, _j, start, end in blocks)
    if not blocks or not old or not new or added > _MOST_MARKED * len(new):
        return Excerpts(Foreign(cut(before, most)), Foreign(cut(now, most)))
    _tag, first_old, _end, first_new, _last = blocks[0]
    gone = {place for _tag, start, end, _s, _e in blocks for place in range(start, end)} if not added else set()
    come = {place for _tag, _s, _e, start, end in blocks for place in range(start, end)}
    return Excerpts(_around(old, gone, first_old, most), _around(new, come, first_new, most))


def _around(words: list[str], changed: set[int], first: int, most: int) -> Text:
    """The words from a little before a place on, as many as there is room for."""
    begin = max(first - _BEFORE, 0) if len(" ".join(words)) > most else 0
    kept: list[_Word] = []
    room = most - 2 * (begin > 0)
    for place in range(begin, len(words)):
        room -= len(words[place]) + 1
        if room < 0 and kept:
            break
        kept.append(_Word(cut(words[place], most), place in changed))
    head = ["… "] if begin else []
    tail = [" …"] if begin + len(kept) < len(words) else []
    return (*head, joined(" ", _runs(kept)), *tail)


def _runs(words: Iterable[_Word]) -> list[Text]:
    """Neighbours that are marked alike, together."""
    runs: list[list[_Word]] = []
    for word in words:
        if runs and runs[-1][0].changed == word.changed:
            runs[-1].append(word)
        else:
            runs.append([word])
    texts = [(Foreign(" ".join([word.text for word in run]), "…"), run[0].changed) for run in runs]
    return [Strong(text) if changed else text for text, changed in texts]
