"""Labels whose passage says otherwise now: where each stands in what an answer was shown, and what is there later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, NamedTuple

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.comparison.case_changes import QUOTES, demand_digest
from raggate_action.core.counting.chunk_sources import DIGESTS, source_of
from raggate_action.core.text.phrases import Answer
from raggate_action.core.text.quotation import chunk_text
from raggate_action.core.text.text import words_alone
from raggate_action.schema.base import maker_of
from raggate_action.schema.case import AnyOf, Case, Expression, Phrase, RequiredPoint
from raggate_action.schema.demands import LabelPassage
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Unmeasured
from raggate_action.strings.changed_passage import changed_passage
from raggate_action.strings.passages import Text, holders
from raggate_action.strings.visible_text import cut

_PASSAGE = maker_of(LabelPassage)
_LONGEST = 300


class Shown(NamedTuple):
    """A chunk as it is shown: its id, its document and version where known, and what it says."""

    chunk_id: str
    document: str | None
    version: str | None
    text: str


def passages_of(
    case: Case, context: ShownContext, answer: str, before: Mapping[str, LabelPassage], language: str
) -> Iterator[LabelPassage]:
    """Where the labels of a case stand in what is shown, and of those that do not, where they stood.

    Args:
        case: The case.
        context: What the model was shown.
        answer: Its answer: of several sentences that hold a label the one that has most of its words is meant.
        before: Where the labels stood on the baseline, by their digests.
        language: ISO 639-1 code.
    """
    near, shown = f"{case.asked} {answer}", shown_in(context)
    for label in (*case.must_contain, *case.points):
        phrases, digest = _phrases(label), demand_digest(label)
        holding = [chunk for chunk in shown if _say(phrases, chunk.text)]
        found = [(words, each) for each in holding for words in _sentences(each, language) if _say(phrases, words)]
        if found:
            words, chunk = max(found, key=lambda each: _in_common(each[0], near))
            yield _passage(digest, chunk, cut(words, _LONGEST))
        elif digest in before:
            yield before[digest]
    for quote in case.required_quotes:
        digest = demand_digest(quote, QUOTES)
        if places := holders(quote, [Text(chunk.text, chunk.document) for chunk in shown]):
            yield _passage(digest, shown[places[0]], "")
        elif digest in before:
            yield before[digest]


def shown_in(context: ShownContext) -> list[Shown]:
    """The chunks of a context that have a text."""
    return [Shown(each.chunk_id, each.origin[0], each.version, each.text) for each in context.chunks if each.text]


def out_of_date(now: Mapping[Any, str]) -> Unmeasured:
    """The outcome of a gate that only labels out of date keep from passing, which quotes what the first says now."""
    return Unmeasured(reason="label", detail=next(iter(now.values())))


class OutdatedLabels(NamedTuple):
    """Tells of a case's labels whether their passage is shown again and no longer holds them.

    Attributes:
        case: The case.
        context: What the model was shown.
        before: Where its labels stood on the baseline, by their digests.
        store: The evidence; what stands in it has not changed, whether or not it is shown.
        language: ISO 639-1 code.
        as_of: The moment currency is judged at.
    """

    case: Case
    context: ShownContext
    before: Mapping[str, LabelPassage]
    store: EvidenceStore | None
    language: str
    as_of: datetime

    def is_over(self, source: str) -> bool:
        """Whether the store has no chunk of a required source that holds at the moment of the case."""
        if self.store is None:
            return False
        own = self.store.get(source)
        chunks = [own] if own is not None else [each for each in self.store if each.is_of(source)]
        return not any(each.current_at(self.as_of) for each in chunks)

    def of_label(self, label: Phrase | RequiredPoint) -> str:
        """What stands in the place of a phrase or a point now; empty where it is not out of date."""
        before = self.before.get(demand_digest(label))
        if before is None:
            return ""
        phrases = _phrases(label)
        return self._now(before, before.words, shown_in(self.context), lambda text: _say(phrases, text))

    def without_outdated_support(self) -> tuple[RequiredPoint, ...]:
        """The points of the case, without what a source must say where its source says otherwise now."""
        none: dict[str, tuple[str, ...]] = {"support_phrases": ()}
        return tuple([each.model_copy(update=none) if self.of_label(each) else each for each in self.case.points])

    def of_quotes(self, quotes: Iterable[str], shown: Sequence[Shown]) -> dict[str, str]:
        """The quotes that are out of date in what a stage shows, each with what stands in its place."""
        found = {}
        for quote in quotes:
            before = self.before.get(demand_digest(quote, QUOTES))
            if now := self._now(before, quote, shown, partial(_holds, quote)):
                found[quote] = now
        return found

    def _now(
        self, before: LabelPassage | None, words: str, shown: Sequence[Shown], holds: Callable[[str], bool]
    ) -> str:
        if holders(words, [Text(chunk.text, chunk.document) for chunk in shown]):
            return ""
        near = changed_passage(words, [each.text for each in shown if self._may_hold(each, before)], self.case.asked)
        if near:
            now = "" if holds(near) else cut(near, _LONGEST)
        else:
            again = [each for each in shown if before is not None and _is_again(each, before)]
            is_held = not again or any(holds(each.text) for each in (*shown, *self._of_documents(again)))
            now = "" if is_held else self._nearest(words, again)
        # What still stands in the evidence has not changed, and was not shown.
        stands = (_holds(words, each.text) for each in self.store or () if each.current_at(self.as_of))
        return f"“{now}”" if now and not any(stands) else ""

    def _may_hold(self, chunk: Shown, before: LabelPassage | None) -> bool:
        """Whether a chunk may hold the passage of one of the baseline: by its names, or where these cannot tell."""
        if before is None or before.chunk_id == chunk.chunk_id or self.is_over(before.chunk_id):
            return True
        now = chunk.document or source_of(chunk.chunk_id)
        then = before.document or source_of(before.chunk_id)
        if now is None or then is None:
            return DIGESTS.fullmatch(before.chunk_id) is not None
        return now == then

    def _of_documents(self, chunks: Sequence[Shown]) -> Iterator[Shown]:
        """The store's chunks of the documents that these are of."""
        documents = {each.document for each in chunks if each.document is not None}
        for chunk in self.store or ():
            if chunk.origin[0] in documents and chunk.current_at(self.as_of):
                yield Shown(chunk.chunk_id, chunk.origin[0], chunk.version, chunk.text)

    def _nearest(self, words: str, chunks: Sequence[Shown]) -> str:
        sentences = [each for chunk in chunks for each in _sentences(chunk, self.language)]
        return cut(
            max(sentences, key=lambda each: _in_common(each, f"{words} {self.case.asked}"), default="…"), _LONGEST
        )


def _passage(label: str, chunk: Shown, words: str) -> LabelPassage:
    return _PASSAGE(label=label, chunk_id=chunk.chunk_id, document=chunk.document, version=chunk.version, words=words)


def _phrases(label: Phrase | RequiredPoint) -> tuple[Phrase, ...]:
    """Any of which holds a label; a regular expression is not looked for in evidence, which may be long."""
    if isinstance(label, RequiredPoint):
        return label.support_phrases or label.answer_phrases
    phrases: tuple[Phrase, ...] = label.any if isinstance(label, AnyOf) else (label,)
    return tuple([each for each in phrases if not isinstance(each, Expression)])


def _say(phrases: Iterable[Phrase], text: str) -> bool:
    said = _searchable(text)
    return any(said.says(each) for each in phrases)


@lru_cache(maxsize=4096)
def _searchable(text: str) -> Answer:
    return Answer(text)


def _sentences(chunk: Shown, language: str) -> list[str]:
    return [chunk.text[each.start : each.end] for each in chunk_text(chunk.text, language).sentences]


def _in_common(words: str, others: str) -> int:
    return len(set(words_alone(words).split()).intersection(words_alone(others).split()))


def _is_again(chunk: Shown, before: LabelPassage) -> bool:
    """Whether it is the same chunk, or one of another version of the same document."""
    if chunk.chunk_id == before.chunk_id:
        return True
    is_other = chunk.version is not None and before.version is not None and chunk.version != before.version
    return is_other and before.document is not None and chunk.document == before.document


def _holds(quote: str, text: str) -> bool:
    return bool(holders(quote, [Text(text)]))
