"""Texts as judges are shown them: a sentence a line, each behind a number of ours, so that a verdict names numbers.

The quotation is taken from the text itself. A model that has to copy one letter by letter fails at that more often
than at the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Final, NamedTuple, TypeAlias

from pydantic import BeforeValidator

from raggate_action.core.text.sentences import sentence_spans
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.prompts import Piece, chunk_names, prompt_text

# A heading, a list item, a row of a table, a quotation: it begins a block of its own.
_OWN_LINE = re.compile(r"\s*(?:#{1,6}\s|[-*+•‣]\s|\d{1,3}[.)]\s|\||>)")
# Nothing of the next line belongs to it.
_WHOLE_LINE = re.compile(r"\s*(?:#{1,6}\s|\|)")
_GOES_ON = re.compile(r"\s*[a-z(0-9$€£%&]")
_TITLE_AT_MOST: Final = 60
_UNFINISHED = ",;-–(/"
_STOPS = ".!?:。！？"
# What looks like one of our numbers inside a text, in letters of any width.
_MARK = re.compile(r"([SsＳｓ]\s{0,3}\d{1,6}\s{0,3})[|｜¦│❘]")
# A sentence as models name it that copy its line: "S4", "S4|The fee is 15 EUR.", "4".
_NAMED = re.compile(r"\s*[Ss]?(\d{1,6})\s*(?:\||$)")
_RULER = re.compile(r"[\s|:+=*_-]+")


def _named_number(value: object) -> object:
    named = _NAMED.match(value) if isinstance(value, str) else None
    return value if named is None else int(named[1])


# The number of a sentence in a reply; the line that was shown, or its mark, stands for the number.
SentenceNumber: TypeAlias = Annotated[int, BeforeValidator(_named_number)]


class NumberedSentence(NamedTuple):
    """A sentence of one of several texts.

    Attributes:
        chunk_id: The chunk it stands in; empty for the answer.
        text: The whole text.
        start, end: Its place there.
    """

    chunk_id: str
    text: str
    start: int
    end: int

    @property
    def words(self) -> str:
        """As the text has them."""
        return self.text[self.start : self.end]


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """Where each sentence of a text begins and ends, in order; none of a blank one.

    Headings, list items and rows of tables are sentences. Together they hold every character of the text that is no
    space, but for the rule of a table.
    """
    found = []
    for first, last in _blocks(text):
        for start, end in sentence_spans(text[first:last], "en"):
            if not _RULER.fullmatch(text, first + start, first + end):
                found.append((first + start, first + end))
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of lines that no sentence runs out of."""
    first, at, last = 0, 0, ""
    for line in text.splitlines(keepends=True):
        if at > first and _parts(last, line):
            yield first, at
            first = at
        last = line
        at += len(line)
    if at > first:
        yield first, at


def _parts(line: str, following: str) -> bool:
    """Whether a block ends between two lines."""
    if not line.strip() or not following.strip() or _OWN_LINE.match(following) or _WHOLE_LINE.match(line):
        return True
    ended = line.rstrip()
    is_title = len(ended) <= _TITLE_AT_MOST and ended[-1] not in _UNFINISHED + _STOPS
    return is_title and not _GOES_ON.match(following)


def numbered_chunks(chunks: Sequence[VisibleChunk]) -> dict[int, NumberedSentence]:
    """Every sentence of the chunks by its number, counted from 1 through all of them."""
    every = [
        NumberedSentence(chunk.chunk_id, chunk.text, start, end)
        for chunk in chunks
        for start, end in sentences_of(chunk.text)
    ]
    return dict(enumerate(every, 1))


def sentence_pieces(chunks: Sequence[VisibleChunk]) -> Iterator[Piece]:
    """The chunks as pieces, each sentence on a line behind its number."""
    number = 1
    for name, chunk in chunk_names(chunks).items():
        places = sentences_of(chunk.text)
        yield Piece(f'chunk "{name}"', lines([chunk.text[start:end] for start, end in places], number))
        number += len(places)


def lines(sentences: Iterable[str], first: int = 1) -> str:
    """Sentences behind their numbers; what in them looks like such a number does so no more."""
    return "\n".join(f"S{number}|{one_line(each)}" for number, each in enumerate(sentences, first))


def one_line(sentence: str) -> str:
    """A sentence as a judge sees it: on one line, without marks of turns, and with no number like ours."""
    return _MARK.sub(r"\1:", " ".join(prompt_text(sentence).split()))


def passages(numbers: Iterable[int], sentences: Mapping[int, NumberedSentence]) -> list[NumberedSentence]:
    """The sentences of these numbers, each once, in order; neighbours in one text are one passage.

    A number that nothing was shown under is left out.
    """
    joined: list[NumberedSentence] = []
    previous = 0
    for number in sorted({each for each in numbers if each in sentences}):
        sentence = sentences[number]
        last = joined[-1] if joined and number == previous + 1 else None
        if last is not None and last[:2] == sentence[:2] and last.end <= sentence.start:
            joined[-1] = last._replace(end=sentence.end)
        else:
            joined.append(sentence)
        previous = number
    return joined
