"""Forbidden chunks, indexed once, so that a text that repeats one is found in time linear in the text."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from raggate_action.core.disclosure.distinctive import LONGEST, SHORTEST, distinctive
from raggate_action.core.disclosure.words import content_words, forms_of, readings, word_line, word_lines, words_of
from raggate_action.schema.evidence import EvidenceChunk

# Words in a row: so many may be a coincidence, which is looked at more closely ...
RUN = 5
# ... and so many are none.
LONG_RUN = 8
# A chunk of at least two and fewer than eight words is also recognised whole.
_WHOLE = range(2, LONG_RUN)
_REMEMBERED = 1024
_REMEMBERED_LENGTH = 4096
_CONTENT_IN_RUN = 3
_CONTENT_IN_WHOLE = 2


_Key = TypeVar("_Key", bound=Hashable)


class Repeated(NamedTuple):
    """Words of a text that stand in a chunk of the index.

    Attributes:
        words: The words in a row; of a distinctive piece its letters and digits as one.
        certain: They are no coincidence, whatever else the asker was shown.
    """

    words: tuple[str, ...]
    certain: bool


def holds_words(lines: str, words: tuple[str, ...]) -> bool:
    """Whether words put together by `word_line` hold these in a row; a distinctive piece however it is spaced."""
    return words[0] in lines.replace(" ", "") if len(words) == 1 else word_line(words) in lines


class RestrictedIndex:
    """Chunks that not everybody may read: runs of their words, short ones whole, and their distinctive pieces.

    Attributes:
        chunks: The chunks.
        vocabulary: Every word in them.

    Memory: about 90 bytes a word; twice that for a chunk with markup.
    """

    def __init__(self, chunks: Iterable[EvidenceChunk], markers: Sequence[re.Pattern[str]] = ()) -> None:
        """Index the chunks.

        Args:
            chunks: Those that not everybody may read.
            markers: How citations look in the texts that are looked at.
        """
        self.chunks = tuple(chunks)
        self._markers = markers
        self._word_lines = [word_lines(chunk.text) for chunk in self.chunks]
        # By hash: the words themselves would take twice the memory, and a hit is checked against the chunk's text.
        self._runs: dict[int, Sequence[int]] = {}
        self._whole: dict[tuple[str, ...], Sequence[int]] = {}
        self._pieces: dict[str, Sequence[int]] = {}
        for place in range(len(self.chunks)):
            self._add(place)
        self._lengths = sorted({len(words) for words in self._whole})
        self._first = {words[0] for words in self._whole}
        self._openings = {piece[:end] for piece in self._pieces for end in range(1, len(piece) + 1)}
        # The same quotations and problems stand in many rows, and an answer is looked at as it comes and as it is kept.
        self._remembered = lru_cache(_REMEMBERED)(lambda text: tuple(self._repeated(text)))
        self.vocabulary = frozenset(word for text in self._word_lines for word in text.split())

    def repeated(self, text: str) -> Iterable[Repeated]:
        """Everything in `text` that stands in a chunk of the index, however it is marked up, escaped or parted."""
        return self._remembered(text) if len(text) <= _REMEMBERED_LENGTH else self._repeated(text)

    def _repeated(self, text: str) -> Iterator[Repeated]:
        if len(text) < SHORTEST and text.isalnum():
            # Versions, numbers, names of stages: too short for a distinctive piece, and one word is no run.
            return
        for reading in readings(text, self._markers):
            words = words_of(reading)
            yield from self._repeated_words(words)
            whole = words_of(reading, self.vocabulary)
            if len(whole) < len(words):
                yield from self._repeated_words(whole)

    def _repeated_words(self, words: list[str]) -> Iterator[Repeated]:
        if len(words) >= RUN:
            yield from self._runs_in(words)
        yield from self._whole_in(words)
        yield from self._pieces_in(words)

    def says(self, place: int, words: tuple[str, ...]) -> bool:
        """Whether the chunk at `place` says these words."""
        return holds_words(self._word_lines[place], words)

    def owners(self, words: tuple[str, ...]) -> list[int]:
        """Places of the chunks that say words which were found repeated."""
        if len(words) == 1:
            return list(self._pieces.get(words[0], ()))
        owners = self._whole.get(words) or self._runs.get(hash(words[:RUN]), ())
        return [place for place in owners if self.says(place, words)]

    def _add(self, place: int) -> None:
        owner = (place,)
        for line in self._word_lines[place].split("\n"):
            words = line.split()
            for run in _windows(words):
                _own(self._runs, hash(run), owner)
            if len(words) in _WHOLE and len(content_words(words)) >= _CONTENT_IN_WHOLE:
                _own(self._whole, tuple(words), owner)
        for piece in dict.fromkeys(p for form in forms_of(self.chunks[place].text) for p in distinctive(form)):
            _own(self._pieces, piece, owner)

    def _runs_in(self, words: list[str]) -> Iterator[Repeated]:
        runs = self._runs
        in_a_row = 0
        for end, run in enumerate(_windows(words), start=RUN):
            if hash(run) not in runs:
                in_a_row = 0
                continue
            in_a_row += 1
            if len(content_words(run)) >= _CONTENT_IN_RUN:
                yield Repeated(run, certain=False)
            if in_a_row > LONG_RUN - RUN:
                yield Repeated(tuple(words[end - LONG_RUN : end]), certain=True)

    def _whole_in(self, words: list[str]) -> Iterator[Repeated]:
        for start, word in enumerate(words):
            if word in self._first:
                for length in self._lengths:
                    run = tuple(words[start : start + length])
                    if run in self._whole:
                        yield Repeated(run, certain=False)

    def _pieces_in(self, words: list[str]) -> Iterator[Repeated]:
        openings = self._openings
        for start, word in enumerate(words):
            end, glued = start + 1, word[:LONGEST]
            while glued in openings:
                if glued in self._pieces:
                    yield Repeated((glued,), certain=True)
                if end == len(words) or len(glued) == LONGEST:
                    break
                glued = (glued + words[end])[:LONGEST]
                end += 1


def _windows(words: list[str]) -> Iterator[tuple[str, ...]]:
    """Every `RUN` words in a row."""
    return zip(*(words[start:] for start in range(RUN)), strict=False)


def _own(index: dict[_Key, Sequence[int]], key: _Key, owner: tuple[int]) -> None:
    owners = index.setdefault(key, owner)
    # One tuple for all runs of a chunk; most runs have one owner.
    if isinstance(owners, list):
        owners.append(owner[0])
    elif owners is not owner:
        index[key] = [*owners, *owner]
