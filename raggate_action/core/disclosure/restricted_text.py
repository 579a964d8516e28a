"""Forbidden text, recognised where it must not stand: in an answer, in an error message, in a check's issue.

Words in a row, names and values are compared, folded and without what nobody sees. Encodings are not undone, since an
app can always invent another one. Chunks are indexed once, so that a text that repeats one is found in time linear in
the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple, TypeAlias

from pydantic import BaseModel

from raggate_action.core.text.word_matching import FUNCTION_WORDS, content_words, words_of
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceChunk, EvidenceStore
from raggate_action.schema.trace import STAGES, Trace, TracedChunk

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
    own = {case.case_id} if case is not None else set()
    for chunk in [chunk for stage in STAGES for chunk in getattr(trace, stage) or ()]:
        known = store.get(chunk.chunk_id) if isinstance(chunk, TracedChunk) else None
        if known is not None:
            own.update([chunk.version] if chunk.version == known.version else ())
            own.update([chunk.text] if chunk.text is not None and chunk.text == known.text else ())
    if claims := trace.reply.claims:
        yield " ".join(claim.text for claim in claims)
    yield from (text for text in strings_in(trace) if text not in own and text not in store)


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


# Words in a row: so many may be a coincidence, where all that say something were asked or shown ...
RUN = 5
# ... and so many are none.
LONG_RUN = 8
_CONTENT_IN_RUN = 3
_CONTENT_IN_WHOLE = 2
_REMEMBERED = 1024
_OWNERS_REMEMBERED = 1 << 16
# Boilerplate of a thousand forbidden chunks is one leak, not a thousand problems.
_NAMED_AT_MOST = 10


class _Said:
    """What texts say: words in a row, and distinctive pieces, each as one word, however it is spaced."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._lines = "\n".join([f" {' '.join(words_of(text))} " for text in texts])
        self._glued = self._lines.replace(" ", "")

    def holds(self, words: tuple[str, ...]) -> bool:
        """Whether they say these words in a row, or have this piece."""
        return words[0] in self._glued if len(words) == 1 else f" {' '.join(words)} " in self._lines

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of them."""
        return frozenset(self._lines.split())


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


# Words in a row or a piece, and where it is longer the long run that these words begin.
_Found: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]


class RestrictedText:
    """The store's chunks that not everybody may read. Costs nothing when there are none.

    Memory: about 90 bytes a word of these chunks.

    Attributes:
        store: The evidence; None when the suite names none.
    """

    def __init__(self, store: EvidenceStore | None) -> None:
        """Index what is restricted: its runs of words, its chunks of few words whole, its distinctive pieces."""
        self.store = store
        self._chunks = [chunk for chunk in store or () if not _is_public(chunk)]
        # By hash: the words themselves would take twice the memory, and a hit is checked against the chunk's text.
        self._places: dict[int, Sequence[int]] = {}
        self._lengths = {RUN}
        for place, chunk in enumerate(self._chunks):
            words = words_of(chunk.text)
            found = [run for run in _windows(words, RUN) if len(content_words(run)) >= _CONTENT_IN_RUN]
            if 1 < len(words) < LONG_RUN and len(content_words(words)) >= _CONTENT_IN_WHOLE:
                self._lengths.add(len(words))
                found.append(tuple(words))
            # One tuple for all runs of a chunk; most runs have one owner.
            alone = (place,)
            for each in dict.fromkeys([*found, *[(piece,) for piece in distinctive(chunk.text)]]):
                owners = self._places.setdefault(hash(each), alone)
                if owners is not alone:
                    self._places[hash(each)] = (*owners, place)
        # The same quotations and problems stand in many rows, and boilerplate in many chunks.
        self._repeated = lru_cache(_REMEMBERED)(self._repeated_by)
        self._owners = lru_cache(_OWNERS_REMEMBERED)(self._owners_of)

    @property
    def is_empty(self) -> bool:
        """Whether everybody may read everything."""
        return not self._chunks

    def leak_in(self, trace: Trace, case: Case) -> Leak:
        """What a case's trace holds that its asker may not read."""
        if self.is_empty or self.store is None:
            return NO_LEAK
        principals = frozenset(case.principals)
        ids = dict.fromkeys(chunk_id for stage in STAGES for chunk_id in trace.ids(stage) or ())
        traced = tuple(i for i in ids if (c := self.store.get(i)) is not None and not c.permitted_for(principals))
        return Leak(traced, self.repeated_in(trace, case, trace.ids("context") or ()))

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
        store = self.store
        if self.is_empty or store is None:
            return ()
        if isinstance(content, Trace):
            content = words_of_app(content, store, case)
        texts = (content,) if isinstance(content, str) else (text for text in content if text not in store)
        repeated = [found for text in texts for found in self._repeated(text)]
        if not repeated:
            return ()
        principals = frozenset(case.principals if case is not None else ())
        shown = [chunk.text for i in context if (chunk := store.get(i)) and chunk.permitted_for(principals)]
        asked = _asked(case) if case is not None else ()
        readable = _Said([*asked, *shown])
        owners: dict[str, None] = {}
        for run, longer in repeated:
            words = longer if len(run) > 1 and readable.words.issuperset(content_words(run)) else run
            if words and not readable.holds(words):
                owners.update(dict.fromkeys(self._owners(words, principals)))
        return tuple(islice(owners, _NAMED_AT_MOST))

    def _repeated_by(self, text: str) -> list[_Found]:
        """Everything in a text that stands in one of the chunks."""
        if len(text) < SHORTEST and text.isalnum():
            # Versions, numbers, names of stages: too short for a distinctive piece, and one word is no run.
            return []
        words = words_of(text)
        found: list[_Found] = [((piece,), ()) for piece in distinctive(text) if hash((piece,)) in self._places]
        for length in self._lengths:
            for start, run in enumerate(_windows(words, length)):
                if hash(run) in self._places:
                    longer = tuple(words[start : start + LONG_RUN])
                    found.append((run, longer if len(longer) == LONG_RUN else ()))
        return found

    def _owners_of(self, words: tuple[str, ...], principals: frozenset[str]) -> tuple[str, ...]:
        """The chunks that say words which were found; none where the asker may read one of them, or another chunk."""
        if self._public.holds(words):
            return ()
        places = self._places.get(hash(words), ()) or self._places.get(hash(words[:RUN]), ())
        owners = [self._chunks[place] for place in places]
        saying = [chunk for chunk in owners if _Said([chunk.text]).holds(words)]
        if any(chunk.permitted_for(principals) for chunk in saying):
            return ()
        return tuple([chunk.chunk_id for chunk in saying[:_NAMED_AT_MOST]])

    @cached_property
    def _public(self) -> _Said:
        """What everybody may read; put together when it is first asked for."""
        return _Said(chunk.text for chunk in self.store or () if _is_public(chunk))


def _asked(case: Case) -> list[str]:
    return [case.question or "", *[turn.content for turn in case.messages], *strings_in(case.input)]


def _windows(words: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    """Every so many words in a row."""
    return zip(*(words[start:] for start in range(length)), strict=False)


def _is_public(chunk: EvidenceChunk) -> bool:
    return chunk.permitted and not chunk.principals
