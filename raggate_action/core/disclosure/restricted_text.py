"""Forbidden text, recognised where it must not stand: in an answer, in an error message, in a check's issue.

Chunks are indexed once, so that a text that repeats one is found in time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from raggate_action.core.text.quotation import chunk_text
from raggate_action.core.text.text import Text, read_question
from raggate_action.core.text.word_matching import FUNCTION_WORDS, content_words, readings, word_line, words_of
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceChunk, EvidenceStore
from raggate_action.schema.trace import STAGES, ChunkForm, Trace

SHORTEST = 6
# More than this of a long piece gives it away.
LONGEST = 32
_PIECE = re.compile(r"""[^\s=:;,"'`()\[\]{}<>|]+""")
_NUMBER = re.compile(r"\d+(?:[.,'’\-]\d+)*")
_ROUND = 5
_DATE = re.compile(
    r"(?:19|20)\d\d[.-]\d\d?[.-]\d\d?(?!\d).* | \d\d?[.-]\d\d?[.-](?:(?:19|20)\d\d|\d\d) | (?:19|20)\d\d-(?:19|20)\d\d",
    re.VERBOSE,
)
# What everybody writes with a digit in it: 24-hour, 1500ms, 100GB, Covid-19, step-2, python3.11.
_ORDINARY = re.compile(
    r"\d{1,6}(?:\.\d+)?-?(?:[a-z]+(?:-[a-z]+)*|[A-Z][A-Za-z]{0,3}) | [A-Za-z][a-z]*-?\d{1,2}(?:\.\d+)*", re.VERBOSE
)
_PASSPHRASE_WORDS = 4
_TURNS = 3


def distinctive(text: str) -> Iterator[str]:
    """The distinctive pieces of a text, each as its letters and digits in lower case, at most `LONGEST` of them.

    Distinctive is, from six letters and digits on, a piece without spaces that has letters and digits
    (`BREAKGLASS-7741`), an `@` or, from eight on, a `_`; four or more words joined by hyphens; letters that change
    between small and capital three times; and a number of six or more digits that is neither round nor a date.
    """
    for found in _PIECE.findall(text):
        piece = found.strip(".!?-/*_#~")
        if piece.isalpha() and piece[1:].islower():
            continue
        glued = "".join(words_of(piece))
        if len(glued) >= SHORTEST and not _DATE.fullmatch(piece) and _is_distinctive(piece, glued):
            yield glued[:LONGEST]
    for found in _NUMBER.finditer(text):
        digits = "".join(character for character in found[0] if character.isdigit())
        if len(digits) >= SHORTEST and len(digits.rstrip("0")) >= _ROUND and not _DATE.fullmatch(found[0]):
            yield digits[:LONGEST]


def _is_distinctive(piece: str, glued: str) -> bool:
    if "@" in piece[1:]:
        return True
    has_digit = any(map(str.isdigit, glued))
    if has_digit and not glued.isdigit():
        return not _ORDINARY.fullmatch(piece)
    if "_" in piece and len(glued) > SHORTEST + 1:
        return True
    parts = piece.lower().split("-")
    if len(parts) >= _PASSPHRASE_WORDS and FUNCTION_WORDS.isdisjoint(parts) and all(parts):
        return not has_digit
    return sum(a.islower() and b.isupper() for a, b in pairwise(piece)) >= _TURNS


def words_of_app(trace: Trace, store: EvidenceStore, case: Case | None) -> Iterator[str]:
    """Every text of a trace, keys and numbers included, but for what the suite knows of itself.

    Left out are the case's own id, ids of the store, and of a chunk of the store its own version and text. Claims are
    there one by one and as one text, which is how an answer without a text of its own is shown.
    """
    case_id = case.case_id if case is not None else None
    if claims := trace.reply.claims:
        yield " ".join(claim.text for claim in claims)
    for name, value in vars(trace).items():
        if name in STAGES:
            for chunk in value or ():
                yield from _words_of_chunk(chunk, store)
        elif value is not None:
            yield from (text for text in strings_in(value) if text != case_id and text not in store)


def strings_in(value: Any) -> Iterator[str]:
    """Every string and number inside a value, keys included; truth and absence say nothing."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield f"{value:.17g}" if isinstance(value, float) else str(value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings_in(key)
            yield from strings_in(inner)
    elif isinstance(value, BaseModel):
        for inner in vars(value).values():
            yield from strings_in(inner)
    else:
        for inner in value:
            yield from strings_in(inner)


def _words_of_chunk(chunk: ChunkForm, store: EvidenceStore) -> Iterator[str]:
    if isinstance(chunk, str):
        if chunk not in store:
            yield chunk
        return
    known = store.get(chunk.chunk_id)
    if known is None:
        yield chunk.chunk_id
    if chunk.version is not None and (known is None or chunk.version != known.version):
        yield chunk.version
    if chunk.text is not None and (known is None or chunk.text != known.text):
        yield chunk.text
    if chunk.document_id is not None and chunk.document_id not in store:
        yield chunk.document_id


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
        self._word_lines: list[str] = []
        # By hash: the words themselves would take twice the memory, and a hit is checked against the chunk's text.
        self._runs: dict[int, Sequence[int]] = {}
        self._whole: dict[tuple[str, ...], Sequence[int]] = {}
        self._pieces: dict[str, Sequence[int]] = {}
        for chunk in self.chunks:
            self._add(Text(chunk.text))
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

    def _add(self, text: Text) -> None:
        owner = (len(self._word_lines),)
        self._word_lines.append(text.word_lines())
        for line in self._word_lines[-1].split("\n"):
            words = line.split()
            for run in _windows(words):
                _own(self._runs, hash(run), owner)
            if len(words) in _WHOLE and len(content_words(words)) >= _CONTENT_IN_WHOLE:
                _own(self._whole, tuple(words), owner)
        for piece in dict.fromkeys(p for form in text.unmarked for p in distinctive(form)):
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


_OWNERS_REMEMBERED = 1 << 16
# Boilerplate of a thousand forbidden chunks is one leak, not a thousand problems.
_NAMED_AT_MOST = 10


class Leak(NamedTuple):
    """What of forbidden evidence a trace holds.

    Attributes:
        traced: Forbidden chunks in its stages, by id.
        repeated: Forbidden chunks whose words it repeats, by id.
    """

    traced: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()

    @property
    def is_none(self) -> bool:
        """Whether there is nothing forbidden in it."""
        return not self.traced and not self.repeated


NO_LEAK = Leak()


class RestrictedText:
    """The store's chunks that not everybody may read. Costs nothing when there are none.

    Attributes:
        store: The evidence; None when the suite names none.
    """

    def __init__(
        self, store: EvidenceStore | None, markers: Sequence[re.Pattern[str]] = (), *, language: str = "en"
    ) -> None:
        """Index what is restricted.

        Args:
            store: The evidence.
            markers: How citations look in answers, as the suite says.
            language: ISO 639-1 code that questions and chunks are read in: so each is read once, for all who need it.
        """
        self.store = store
        self._language = language
        self._index = RestrictedIndex((chunk for chunk in store or () if not _is_public(chunk)), markers)
        # Boilerplate stands in many chunks, and is looked for once.
        self._owners = lru_cache(_OWNERS_REMEMBERED)(self._owners_of)

    def leak_in(self, trace: Trace, case: Case) -> Leak:
        """What a case's trace holds that its asker may not read."""
        if not self._index.chunks or self.store is None:
            return NO_LEAK
        principals = frozenset(case.principals)
        ids = dict.fromkeys(chunk_id for stage in STAGES for chunk_id in trace.ids(stage) or ())
        traced = tuple(i for i in ids if (c := self.store.get(i)) is not None and not c.permitted_for(principals))
        return Leak(traced, self.repeated_in(trace, case, trace.ids("context") or ()))

    @property
    def is_empty(self) -> bool:
        """Whether everybody may read everything."""
        return not self._index.chunks

    def repeated_in(
        self, content: Trace | str | Iterable[str], case: Case | None, context: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Chunks that the case's asker may not read and that a trace or a text repeats, by id, at most ten.

        Words are free to repeat where the question itself has them, or any chunk that the asker may read.

        Args:
            content: A trace, in which everything an app can put words into is looked at, a message, or several texts.
            case: Whose it is; None is nobody in particular, who may read what everybody may.
            context: Ids of the chunks that the model was shown. Few words in a row are a coincidence where all of them
                stand in the question or in these.
        """
        if not self._index.chunks or self.store is None:
            return ()
        texts = self._texts_of(content, case, self.store)
        repeated = [found for text in texts for found in self._index.repeated(text)]
        if not repeated:
            return ()
        chunks = [chunk for i in context if (chunk := self.store.get(i)) is not None]
        asker = _Asker(case, chunks, self._index.vocabulary, language=self._language)
        owners = dict.fromkeys(owner for found in repeated for owner in self._forbidden(found, asker))
        return tuple(islice(owners, _NAMED_AT_MOST))

    @staticmethod
    def _texts_of(content: Trace | str | Iterable[str], case: Case | None, store: EvidenceStore) -> Iterable[str]:
        if isinstance(content, Trace):
            return words_of_app(content, store, case)
        return (content,) if isinstance(content, str) else (text for text in content if text not in store)

    def _forbidden(self, found: Repeated, asker: _Asker) -> Iterable[str]:
        """Whose words they are, when they are no coincidence and free to nobody who asks."""
        if not found.certain and asker.knows(found.words):
            return ()
        if holds_words(asker.readable_lines, found.words):
            return ()
        return self._owners(found.words, asker.principals)

    def _owners_of(self, words: tuple[str, ...], principals: frozenset[str]) -> tuple[str, ...]:
        index = self._index
        if holds_words(self._public, words):
            return ()
        readable = (place for place, chunk in enumerate(index.chunks) if chunk.permitted_for(principals))
        if any(index.says(place, words) for place in readable):
            return ()
        owners = islice(index.owners(words), _NAMED_AT_MOST)
        return tuple(index.chunks[place].chunk_id for place in owners)

    @cached_property
    def _public(self) -> str:
        """What everybody may read, as words; put together when it is first asked for."""
        return "\n".join(
            Text(chunk.text).word_lines(self._index.vocabulary) for chunk in self.store or () if _is_public(chunk)
        )


class _Asker:
    """Who asks, what was asked, and what could be read for the answer."""

    def __init__(
        self, case: Case | None, chunks: Iterable[EvidenceChunk], vocabulary: frozenset[str], *, language: str
    ) -> None:
        self.principals = frozenset(case.principals if case is not None else ())
        readable = [chunk_text(chunk.text, language) for chunk in chunks if chunk.permitted_for(self.principals)]
        texts = _question_texts(case, language)
        self.readable_lines = "\n".join(text.word_lines(vocabulary) for text in (*texts, *readable))

    def knows(self, words: tuple[str, ...]) -> bool:
        """Whether all of the words that say something were asked or shown."""
        return self._known.issuperset(content_words(words))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.readable_lines.split())


def _question_texts(case: Case | None, language: str) -> Iterator[Text]:
    if case is not None:
        yield read_question(case.question or "", language)
        yield from map(Text, (*(turn.content for turn in case.messages), *strings_in(case.input)))


def _is_public(chunk: EvidenceChunk) -> bool:
    return chunk.permitted and not chunk.principals
