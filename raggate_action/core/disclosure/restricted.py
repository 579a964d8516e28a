"""Forbidden text, recognised where it must not stand: in an answer, in an error message, in a check's issue.

A trace that hides the chunk it read can still give it away by repeating it. What is recognised, and what is not, stands
in `docs/gates.md`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from raggate_action.core.disclosure.app_words import strings_in, words_of_app
from raggate_action.core.disclosure.restricted_index import Repeated, RestrictedIndex, holds_words
from raggate_action.core.disclosure.words import content_words, word_lines
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceChunk, EvidenceStore
from raggate_action.schema.trace import STAGES, Trace

_REMEMBERED = 1 << 16
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

    def __init__(self, store: EvidenceStore | None, markers: Sequence[re.Pattern[str]] = ()) -> None:
        """Index what is restricted.

        Args:
            store: The evidence.
            markers: How citations look in answers, as the suite says.
        """
        self.store = store
        self._index = RestrictedIndex((chunk for chunk in store or () if not _is_public(chunk)), markers)
        # Boilerplate stands in many chunks, and is looked for once.
        self._owners = lru_cache(_REMEMBERED)(self._owners_of)

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
        asker = _Asker(
            case, [chunk for i in context if (chunk := self.store.get(i)) is not None], self._index.vocabulary
        )
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
            word_lines(chunk.text, self._index.vocabulary) for chunk in self.store or () if _is_public(chunk)
        )


class _Asker:
    """Who asks, what was asked, and what could be read for the answer."""

    def __init__(self, case: Case | None, chunks: Iterable[EvidenceChunk], vocabulary: Container[str]) -> None:
        self.principals = frozenset(case.principals if case is not None else ())
        readable = [chunk.text for chunk in chunks if chunk.permitted_for(self.principals)]
        self.readable_lines = "\n".join(word_lines(text, vocabulary) for text in (*_asked(case), *readable))

    def knows(self, words: tuple[str, ...]) -> bool:
        """Whether all of the words that say something were asked or shown."""
        return self._known.issuperset(content_words(words))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.readable_lines.split())


def _asked(case: Case | None) -> Iterator[str]:
    if case is not None:
        yield from (case.question or "", *(turn.content for turn in case.messages), *strings_in(case.input))


def _is_public(chunk: EvidenceChunk) -> bool:
    return chunk.permitted and not chunk.principals
