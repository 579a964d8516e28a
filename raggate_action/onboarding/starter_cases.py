"""Three cases to begin with, made of what the app itself showed: two it should answer, one it should decline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.text.sentences import sentence_spans
from raggate_action.onboarding.question_files import Question, case_id_of
from raggate_action.schema.trace import TracedChunk

# No evidence of anybody's can answer it.
DECLINED = "Which numbers will be drawn in the lottery next Saturday?"
# Asked where nobody named a question: whatever it answers, its evidence is the app's own.
OPENING = "What can you tell me about?"
_FROM_EVIDENCE = 2
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(?P<words>.+?)\s*#*\s*$", re.MULTILINE)
_MARKUP = re.compile(r"[*_`>#|]+|\[([^\]]*)\]\([^)]*\)")
_PARAGRAPHS = re.compile(r"\n\s*\n|(?<=\n)(?=\s{0,3}#)|(?m:^\s{0,3}#.*$)")
_LIST = re.compile(r"(?:^|\n)\s*(?:[-+•]|\d+[.)])\s")
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


def from_evidence(chunks: Sequence[TracedChunk], *, asked: str | None, own_ids: bool) -> tuple[StarterCase, ...]:
    """Questions that the evidence of one answer can answer.

    Args:
        chunks: What the answer rests on.
        asked: The question it was asked, where a person named it; it is the first case then.
        own_ids: The ids of the chunks are the app's own and will be the same tomorrow.
    """
    cases: dict[str, StarterCase] = {}
    if asked is not None:
        cases[case_id_of(asked)] = StarterCase(case_id_of(asked), asked, remark="the question you named")
    for chunk, topic in _topics(chunks):
        if len(cases) >= _FROM_EVIDENCE:
            break
        case_id = case_id_of(topic)
        sources = (chunk.chunk_id,) if own_ids else ()
        question = about(topic)
        remark = "asked in words of your evidence; put it as your users do"
        cases.setdefault(case_id, StarterCase(case_id, question, sources=sources, remark=remark))
    return tuple(cases.values())


def declining() -> StarterCase:
    """The case that no evidence answers."""
    remark = "your evidence cannot answer this; one nearer to your field is harder, and better"
    return StarterCase("cannot-be-answered", DECLINED, declines=True, remark=remark)


def about(topic: str) -> str:
    """The question that asks for a topic in its own words."""
    return f"What do the documents say about “{topic}”?"


def _topics(chunks: Sequence[TracedChunk]) -> Iterator[tuple[TracedChunk, str]]:
    """What the evidence is about: the first words of a sentence of each chunk, then of further ones; then headings."""
    beginnings = [[_beginning(sentence) for sentence in sentences_of(chunk)] for chunk in chunks]
    headings = [list(_headings_of(chunk)) for chunk in chunks]
    for topics in (beginnings, headings):
        for place in range(max(map(len, topics), default=0)):
            yield from ((chunk, each[place]) for chunk, each in zip(chunks, topics, strict=True) if place < len(each))


def _beginning(sentence: str) -> str:
    words = sentence.rstrip(".!?:;。").split()
    return f"{' '.join(words[:_TOPIC_WORDS])}{'…' if len(words) > _TOPIC_WORDS else ''}"


def _headings_of(chunk: TracedChunk) -> Iterator[str]:
    """Headings that say enough to be asked about: a single word would not."""
    for heading in _HEADING.finditer(chunk.text or ""):
        words = _plain(heading["words"])[:_LONGEST_SENTENCE]
        if len(words.split()) > 1:
            yield words


def sentences_of(chunk: TracedChunk) -> Iterator[str]:
    """Whole sentences of a chunk that say something, on one line each; those with a number first."""
    found = []
    # A heading and the paragraph under it are no sentence together.
    for part in _PARAGRAPHS.split(chunk.text or ""):
        found += [part[start:end] for start, end in sentence_spans(part, "en")]
    whole = [" ".join(each.split()) for each in found if _says_something(each)]
    yield from sorted(whole, key=lambda sentence: not any(map(str.isdigit, sentence)))


def _says_something(sentence: str) -> bool:
    return (
        len(sentence) <= _LONGEST_SENTENCE
        and not _LIST.search(sentence)
        and sentence[-1] in ".!。"
        and len(sentence.split()) >= _FEWEST_WORDS
        and not _MARKUP.search(sentence)
    )


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda found: found[1] or " ", text).split())
