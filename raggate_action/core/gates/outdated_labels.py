"""Labels whose passage says otherwise now: where each stands in what an answer was shown, and what is there later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, NamedTuple

from raggate_action.core.claims.model_context import ShownChunk, ShownContext
from raggate_action.core.counting.chunk_sources import DIGESTS, source_of
from raggate_action.core.evidence_checks.stated_values import stating_sentences
from raggate_action.core.text.case_folding import folded
from raggate_action.core.text.phrases import Answer
from raggate_action.core.text.quotation import chunk_text
from raggate_action.core.text.text import words_alone
from raggate_action.schema.case import AnyOf, Case, Expression, Phrase, RequiredPoint, WholeWord, phrase_in_words
from raggate_action.schema.case_run import LabelPassage
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Unmeasured
from raggate_action.strings.changed_passage import changed_passage
from raggate_action.strings.passages import Text, holders
from raggate_action.strings.visible_text import cut

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
        before: Where the labels stood on the baseline, by their names.
        language: ISO 639-1 code.
    """
    chunks = [chunk for chunk in context.chunks if chunk.text]
    for label in (*case.must_contain, *case.points):
        name = label if isinstance(label, str) else _name(label)
        spelled = [folded(label)] if isinstance(label, str) else [folded(_words_of(each)) for each in _phrases(label)]
        holding = [(chunk, each) for chunk in chunks for each in spelled if each in chunk.folded]
        found = [(chunk, words) for chunk, each in holding for words in _around(each, chunk)]
        if isinstance(label, RequiredPoint) and label.value is not None and not label.support_phrases:
            stating = partial(stating_sentences, value=label.value, language=language)
            found = [(chunk, words) for chunk in chunks for words in stating(chunk.text or "")]
        if found:
            chunk, words = found[0]
            if len(found) > 1:
                chunk, words = max(found, key=lambda each: _in_common(each[1], f"{case.asked} {answer}"))
            yield _passage(name, chunk, cut(words, _LONGEST))
        elif name in before:
            yield before[name]
    for quote in case.required_quotes:
        if places := holders(quote, [Text(chunk.text or "", chunk.origin[0]) for chunk in chunks]):
            yield _passage(quote, chunks[places[0]], "")
        elif quote in before:
            yield before[quote]


def _around(words: str, chunk: ShownChunk) -> Iterator[str]:
    """The sentences of a chunk that hold words, as far as stops and line ends tell."""
    text = chunk.text if chunk.text and len(chunk.text) == len(chunk.folded) else chunk.folded
    at = chunk.folded.find(words)
    while at >= 0:
        if not (words[0].isdecimal() and text[at - 1 : at].isdecimal()):
            start, end = max(text.rfind(". ", 0, at) + 1, text.rfind("\n", 0, at)) + 1, at + len(words)
            stops = [place for place in (text.find(". ", end) + 1, text.find("\n", end)) if place > 0]
            yield text[start if start > 1 else 0 : min(stops, default=len(text))]
        at = chunk.folded.find(words, at + 1)


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
        before: Where its labels stood on the baseline, by their names.
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
        before = self.before.get(_name(label))
        if before is None:
            return ""
        phrases = _phrases(label)
        value = label.value if isinstance(label, RequiredPoint) and not label.support_phrases else None

        def holds(text: str) -> bool:
            if value is not None:
                return bool(stating_sentences(text, value, self.language))
            return any(_searchable(text).says(each) for each in phrases)

        return self._now(before, before.words, shown_in(self.context), holds)

    def without_outdated_support(self) -> tuple[RequiredPoint, ...]:
        """The points of the case, without what a source must say where its source says otherwise now."""
        none: dict[str, tuple[str, ...]] = {"support_phrases": ()}
        return tuple([each.model_copy(update=none) if self.of_label(each) else each for each in self.case.points])

    def of_quotes(self, quotes: Iterable[str], shown: Sequence[Shown]) -> dict[str, str]:
        """The quotes that are out of date in what a stage shows, each with what stands in its place."""
        found = {}
        for quote in quotes:
            before = self.before.get(quote)
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
        sentences = [
            chunk.text[each.start : each.end]
            for chunk in chunks
            for each in chunk_text(chunk.text, self.language).sentences
        ]
        return cut(
            max(sentences, key=lambda each: _in_common(each, f"{words} {self.case.asked}"), default="…"), _LONGEST
        )


def _passage(name: str, chunk: ShownChunk, words: str) -> LabelPassage:
    return LabelPassage(
        label=name, chunk_id=chunk.chunk_id, document=chunk.origin[0], version=chunk.version, words=words
    )


def _name(label: Phrase | RequiredPoint) -> str:
    """Equal for the same label on two runs."""
    if isinstance(label, RequiredPoint):
        return f"{label.id}: {'; '.join(label.support_phrases or label.said)}"
    return label if isinstance(label, str) else phrase_in_words(label)


def _phrases(label: Phrase | RequiredPoint) -> tuple[Phrase, ...]:
    """Any of which holds a label; a regular expression is not looked for in evidence, which may be long."""
    if isinstance(label, RequiredPoint):
        return label.support_phrases or label.said
    phrases: tuple[Phrase, ...] = label.any if isinstance(label, AnyOf) else (label,)
    return tuple([each for each in phrases if not isinstance(each, Expression)])


def _words_of(phrase: Phrase) -> str:
    return phrase.word if isinstance(phrase, WholeWord) else str(phrase)


@lru_cache(maxsize=4096)
def _searchable(text: str) -> Answer:
    return Answer(text)


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
