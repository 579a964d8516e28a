"""Three cases to begin with, made of what the app itself showed: two it should answer, one it should decline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from raggate_action.core.text.sentences import sentence_spans
from raggate_action.onboarding.question_files import Question, case_id_of
from raggate_action.schema.trace import Trace, TracedChunk

# No evidence of anybody's can answer it.
DECLINED = "Which numbers will be drawn in the lottery next Saturday?"
# Asked where nobody named a question: whatever it answers, its evidence is the app's own.
OPENING = "What can you tell me about?"
_FROM_EVIDENCE = 2
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(?P<words>.+?)\s*#*\s*$", re.MULTILINE)
_MARKUP = re.compile(r"[*_`>#|]+|\[([^\]]*)\]\([^)]*\)")
_TOPIC_WORDS = 8
_FEWEST_WORDS = 4
_LONGEST_SENTENCE = 300


class StarterCase(NamedTuple):
    """A case as it is written into the suite.

    Attributes:
        case_id, question, reference: As of `Question`.
        declines: The app should say that it does not know.
        sources: Chunks it has to find, where the app names them itself.
        remark: Where it comes from, for whoever reads the file.
    """

    case_id: str
    question: str
    reference: str | None = None
    declines: bool = False
    sources: tuple[str, ...] = ()
    remark: str = ""


def from_questions(questions: Iterable[Question]) -> tuple[StarterCase, ...]:
    """A team's own questions, each a case."""
    return tuple([StarterCase(each.case_id, each.question, each.reference) for each in questions])


def from_evidence(trace: Trace, *, asked: str | None, own_ids: bool) -> tuple[StarterCase, ...]:
    """Questions that the evidence of one answer can answer.

    Args:
        trace: What the app returned.
        asked: The question it was asked, where a person named it; it is the first case then.
        own_ids: The ids of its chunks are the app's own and will be the same tomorrow.
    """
    cases: dict[str, StarterCase] = {}
    if asked is not None:
        cases[case_id_of(asked)] = StarterCase(case_id_of(asked), asked, remark="the question you named")
    for chunk, topic in _topics(trace):
        if len(cases) >= _FROM_EVIDENCE:
            break
        case_id = case_id_of(topic)
        sources = (chunk.chunk_id,) if own_ids and chunk.chunk_id else ()
        question = f"What do the documents say about “{topic}”?"
        remark = "asked in words of your evidence; put it as your users do"
        cases.setdefault(case_id, StarterCase(case_id, question, sources=sources, remark=remark))
    return tuple(cases.values())


def declining() -> StarterCase:
    """The case that no evidence answers."""
    remark = "your evidence cannot answer this; one nearer to your field is harder, and better"
    return StarterCase("cannot-be-answered", DECLINED, declines=True, remark=remark)


def _topics(trace: Trace) -> Iterator[tuple[TracedChunk, str]]:
    """What the evidence is about: a topic of each chunk, then further ones; of an app that shows none, its answer's."""
    chunks = [chunk for chunk in trace.context_chunks if chunk.text]
    if not chunks:
        chunks = [TracedChunk(chunk_id="", text=trace.reply.text)]
    found = [(chunk, list(_topics_of(chunk))) for chunk in chunks]
    for place in range(max(len(topics) for _chunk, topics in found)):
        yield from ((chunk, topics[place]) for chunk, topics in found if place < len(topics))


def _topics_of(chunk: TracedChunk) -> Iterator[str]:
    """Its headings, then the first words of its sentences."""
    for heading in _HEADING.finditer(chunk.text or ""):
        if words := _plain(heading["words"])[:_LONGEST_SENTENCE]:
            yield words
    for sentence in sentences_of(chunk):
        parts = sentence.rstrip(".!?:;。").split()
        yield f"{' '.join(parts[:_TOPIC_WORDS])}{'…' if len(parts) > _TOPIC_WORDS else ''}"


def sentences_of(chunk: TracedChunk) -> Iterator[str]:
    """Whole sentences of a chunk that say something, as they stand in it; those with a number first."""
    text = chunk.text or ""
    spans = [text[start:end] for start, end in sentence_spans(text, "en")]
    whole = [each for each in spans if _says_something(each)]
    yield from sorted(whole, key=lambda sentence: not any(map(str.isdigit, sentence)))


def _says_something(sentence: str) -> bool:
    return (
        len(sentence) <= _LONGEST_SENTENCE
        and "\n" not in sentence
        and sentence[-1] in ".!。"
        and len(sentence.split()) >= _FEWEST_WORDS
        and not _MARKUP.search(sentence)
    )


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda found: found[1] or " ", text).split())
