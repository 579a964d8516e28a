"""Cases to begin with: as they are written into a suite, and made from what an app's own replies show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.core.evidence_checks.nearest_evidence import shares_meaning
from raggate_action.core.text.sentences import sentence_spans
from raggate_action.onboarding.document_facts import facts_in
from raggate_action.onboarding.document_files import sections_of
from raggate_action.run.labelling.label_acceptance import declined_over_nothing
from raggate_action.run_store import read_rows, read_traces
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.trace import Trace, TracedChunk
from raggate_action.strings.questions import id_of_question

# No evidence of anybody's can answer it.
DECLINED = "Which numbers will be drawn in the lottery next Saturday?"
# Asked where nobody named a question: whatever it answers, its evidence is the app's own.
OPENING = "What topics can you help me with?"
_MARKUP = re.compile(r"[*_`>#|]+|\[([^\]]*)\]\([^)]*\)")
_PARAGRAPHS = re.compile(r"\n\s*\n|(?<=\n)(?=\s{0,3}#)|(?m:^\s{0,3}#.*$)")
_LIST = re.compile(r"(?:^|\n)\s*(?:[-+•]|\d+[.)])\s")
_TOPIC_WORDS = 8
_FEWEST_WORDS = 4
_LONGEST_SENTENCE = 300
_PUT_IT = "asked in words of your evidence; put it as your users do"


class StarterCase(NamedTuple):
    """A case as it is written into the suite.

    Attributes:
        case_id: Unique in the suite.
        question: What is asked.
        labels: What a good answer does, by field of a case.
        proposed: What it expects was read from documents, and somebody has to look at it.
        may_decline: The app declined, and nothing that it showed speaks of the question.
        remark: Where it comes from, for whoever reads the file.
        trace: What the app answered; None where no file has an answer of it.
    """

    case_id: str
    question: str
    labels: Mapping[str, JsonValue] = MappingProxyType({})
    proposed: bool = False
    may_decline: bool = False
    remark: str = ""
    trace: Trace | None = None

    @property
    def declines(self) -> bool:
        """Whether the app should say that it does not know."""
        return self.labels.get("expect") == "abstain"

    @property
    def quotes(self) -> tuple[str, ...]:
        """Passages that what the app finds has to hold."""
        found = self.labels.get("required_quotes")
        return tuple(map(str, found)) if isinstance(found, list) else ()

    @property
    def without_quotes(self) -> StarterCase:
        """The case for an app that shows no texts of its chunks: there a passage is a right answer alone."""
        if not self.quotes:
            return self
        others = {name: value for name, value in self.labels.items() if name != "required_quotes"}
        return self._replace(labels={"reference_answer": " ".join(self.quotes), **others})


DECLINING = StarterCase(
    "cannot-be-answered",
    DECLINED,
    {"expect": "abstain"},
    remark="your evidence cannot answer this; one nearer to your field is harder, and better",
)


def from_evidence(
    chunks: Sequence[TracedChunk], *, question: str | None, own_ids: bool, most: int = 2
) -> list[StarterCase]:
    """Questions that the evidence of one answer can answer, none of them about a sentence that another asks about.

    Args:
        chunks: What the answer rests on.
        question: The question it was asked, where a person named it; it is the first case then.
        own_ids: The ids of the chunks are the app's own and will be the same tomorrow.
        most: How many, at most.
    """
    cases: dict[str, StarterCase] = {}
    if question is not None:
        case_id = id_of_question(question)
        cases[case_id] = StarterCase(case_id, question, remark="the question you named")
    asked: list[str] = []
    for chunk, name, text, sentence in chain(_answerable_questions(chunks), _topics(chunks)):
        if len(cases) >= most:
            break
        if any(sentence in each or each in sentence for each in asked):
            continue
        asked.append(sentence)
        case_id = id_of_question(name)
        labels: dict[str, JsonValue] = {"required_source_ids": [chunk.chunk_id]} if own_ids else {}
        cases.setdefault(case_id, StarterCase(case_id, text, labels, remark=_PUT_IT))
    return list(cases.values())


# A chunk, what the case is named by, its question, and the sentence that answers it.
_Found = tuple[TracedChunk, str, str, str]


def _answerable_questions(chunks: Sequence[TracedChunk]) -> Iterator[_Found]:
    """The plain questions that one chunk alone answers, a chunk after the other in turn."""
    sections = [(chunk, section) for chunk in chunks for section in sections_of(chunk.chunk_id, chunk.text or "")]
    by_chunk: dict[str, list[_Found]] = {}
    for found in facts_in([section for _chunk, section in sections]):
        chunk = sections[found.section][0]
        by_chunk.setdefault(chunk.chunk_id, []).append(
            (chunk, found.question, found.question, " ".join(found.quote.split()))
        )
    for row in zip_longest(*by_chunk.values()):
        yield from (each for each in row if each is not None)


def _topics(chunks: Sequence[TracedChunk]) -> Iterator[_Found]:
    """What the evidence is about: the first words of a sentence of each chunk, then of further ones."""
    for row in zip_longest(*map(quotable_sentences, chunks)):
        for chunk, sentence in zip(chunks, row, strict=True):
            if sentence is not None:
                topic = _beginning(sentence)
                yield chunk, topic, f"What do the documents say about “{topic}”?", sentence


def _beginning(sentence: str) -> str:
    words = sentence.rstrip(".!?:;。").split()
    return f"{' '.join(words[:_TOPIC_WORDS])}{'…' if len(words) > _TOPIC_WORDS else ''}"


def quotable_sentences(chunk: TracedChunk) -> list[str]:
    """Whole sentences of a chunk that say something, on one line each; those with a number first."""
    # A heading and the paragraph under it are no sentence together.
    parts = _PARAGRAPHS.split(chunk.text or "")
    found = [part[start:end] for part in parts for start, end in sentence_spans(part, "en")]
    whole = [
        " ".join(each.split())
        for each in found
        if len(each) <= _LONGEST_SENTENCE
        and not _LIST.search(each)
        and each[-1] in ".!。"
        and len(each.split()) >= _FEWEST_WORDS
        and not _MARKUP.search(each)
    ]
    return sorted(whole, key=lambda sentence: not any(map(str.isdigit, sentence)))


def unanswered(run: Path) -> frozenset[str]:
    """The cases that an app declined in a run, of whose question nothing that it showed speaks."""
    shown = {
        each.case_id: "\n".join([chunk.text or "" for chunk in each.trace.context_chunks]) for each in read_traces(run)
    }

    def is_so(row: CaseRun) -> bool:
        text = shown.get(row.case_id, "")
        return (row.abstained or declined_over_nothing(row)) and (
            not text.strip() or shares_meaning(row.question, text) is False
        )

    rows = (row for row in read_rows(run) if (row.kind, row.expect) == ("ordinary", "answer"))
    return frozenset([row.case_id for row in rows if is_so(row)])
