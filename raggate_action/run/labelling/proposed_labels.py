"""Labels made of one good answer: the sources and sentences that its claims rest on, the values it has to give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.claims.supporting_sentence import AlignedSentence, aligned_sentence
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import Claim
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.policy import Texts
from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote

# The id that is made of a text: of the next text it is another.
_OF_A_TEXT = re.compile(r"[0-9a-f]{12}")
_LONGEST_QUOTE = 400
_MOST_POINTS = 5
# A number with what it counts, as written.
_VALUE = re.compile(r"(?<![\w.,])(?:[€$£¥]\s?\d+(?:[.,:]\d+)*|\d+(?:[.,:]\d+)*\s?(?:%|[€$£¥]|[^\W\d_]{2,}))(?!\w)")


class Answer(NamedTuple):
    """An answer that labels are made of.

    Attributes:
        case: Its case.
        claims: With their verdicts.
        abstained: It declined.
        context: What the model was shown.
        language: ISO 639-1 code it was read in.
    """

    case: Case
    claims: tuple[Claim, ...]
    abstained: bool
    context: ShownContext
    language: str


def labels_of(answer: Answer, store: EvidenceStore | None, texts: Texts) -> dict[str, JsonValue]:
    """The labels that the answer has and the case lacks, by field; empty where nothing is certain.

    A source is named by its document where the store has one, else by its chunk; by neither where the id is made of its
    text. Of a chunk that not everybody may read, and under `texts: ids`, no word is repeated.
    """
    case, has = answer.case, answer.case.model_fields_set
    if answer.abstained:
        return {} if "expect" in has else {"expect": "abstain"}
    found = [
        (claim, sentence)
        for claim in answer.claims
        if (sentence := aligned_sentence(claim, answer.context, question=case.asked, language=answer.language))
    ]
    labels: dict[str, JsonValue] = {}
    if has.isdisjoint({"required_source_ids", "required_quotes"}):
        sources = dict.fromkeys(name for _, sentence in found if (name := _source(sentence.chunk_id, store)))
        quotes = dict.fromkeys(
            quote for _, sentence in found if (quote := _quote(sentence)) and _may_be_said(sentence, store, texts)
        )
        labels |= {"required_source_ids": list(sources)} if sources else {}
        labels |= {"required_quotes": list(quotes)} if quotes else {}
    if "required_points" not in has:
        said = [(claim, sentence) for claim, sentence in found if _may_be_said(sentence, store, texts)]
        points = list(_points(said, case.asked))[:_MOST_POINTS]
        labels |= {"required_points": points} if points else {}
    return labels


def _source(chunk_id: str, store: EvidenceStore | None) -> str | None:
    chunk = store.get(chunk_id) if store is not None else None
    if chunk is not None:
        return chunk.origin[0] or chunk_id
    return None if _OF_A_TEXT.fullmatch(chunk_id) else chunk_id


def _quote(sentence: AlignedSentence) -> str | None:
    words = " ".join(sentence.words.split())
    return words if len(folded_quote(words)) >= SHORTEST_QUOTE and len(words) <= _LONGEST_QUOTE else None


def _may_be_said(sentence: AlignedSentence, store: EvidenceStore | None, texts: Texts) -> bool:
    chunk = store.get(sentence.chunk_id) if store is not None else None
    return texts != "ids" and (chunk is None or chunk.permitted_for(frozenset()))


def _points(found: Sequence[tuple[Claim, AlignedSentence]], question: str) -> Iterator[JsonValue]:
    """A point for each value that claim and sentence write alike and the question does not: no paraphrase loses it."""
    taken: set[str] = set()
    asked = " ".join(question.casefold().split())
    for claim, sentence in found:
        words = " ".join(sentence.words.split())
        for value in _VALUE.findall(" ".join(claim.text.split())):
            name = "-".join(re.findall(r"\w+", value.casefold()))
            stands = re.search(rf"(?<![\w.,]){re.escape(value)}(?!\w)", words)
            if name not in taken and value.casefold() not in asked and stands:
                taken.add(name)
                yield {"id": name, "answer_phrases": [value], "support_phrases": [value]}
                break
