"""Cases to begin with, made from the app's own replies: to answer, to decline, and known-bad with a fault put in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.core.evidence_checks.nearest_evidence import shares_meaning
from raggate_action.core.gates.case_row import Evaluated, evaluate_reply
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.core.text.sentences import sentence_spans
from raggate_action.onboarding.document_facts import facts_in
from raggate_action.onboarding.document_files import sections_of
from raggate_action.onboarding.question_files import TeamQuestion
from raggate_action.run.fault_check import FaultCheck, Mutant
from raggate_action.run.labelling.label_acceptance import declined_over_nothing
from raggate_action.run.run_session import rulebook
from raggate_action.run_store import read_rows, read_traces
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATES, StageName
from raggate_action.schema.trace import Answered, Trace, TracedChunk
from raggate_action.strings.questions import id_of_question
from raggate_action.suite_files import LoadedSuite

# No evidence of anybody's can answer it.
DECLINED = "Which numbers will be drawn in the lottery next Saturday?"
# Asked where nobody named a question: whatever it answers, its evidence is the app's own.
OPENING = "What topics can you help me with?"
FROM_EVIDENCE = 2
# Where the app declined what it was asked, nothing else tells whether it answers at all.
FROM_EVIDENCE_OF_A_DECLINE = 3
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
        case_id, question, reference: As of `TeamQuestion`.
        declines: The app should say that it does not know.
        may_decline: It did, and nothing that it showed speaks of the question.
        sources: Chunks it has to find, where the app names them itself.
        quotes: Passages that what it finds has to hold.
        proposed: What it expects was read from documents by rules, and somebody has to look at it.
        remark: Where it comes from, for whoever reads the file.
        labels: What else its answer has to do, by field of a case.
    """

    case_id: str
    question: str
    reference: str | None = None
    declines: bool = False
    may_decline: bool = False
    sources: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    proposed: bool = False
    remark: str = ""
    labels: Mapping[str, JsonValue] = MappingProxyType({})

    @property
    def without_quotes(self) -> StarterCase:
        """The case for an app that shows no texts of its chunks: there a passage is a right answer alone."""
        if not self.quotes:
            return self
        return self._replace(reference=self.reference or " ".join(self.quotes), quotes=())


def from_questions(questions: Iterable[TeamQuestion]) -> tuple[StarterCase, ...]:
    """A team's own questions, each a case."""
    return tuple(map(_from_question, questions))


def _from_question(found: TeamQuestion) -> StarterCase:
    labels = dict(found.labels)
    labels.pop("reference_answer", None)
    quotes, sources = (_texts(labels.pop(name, ())) for name in ("required_quotes", "required_source_ids"))
    declines = labels.pop("expect", None) == "abstain"
    return StarterCase(
        found.case_id, found.question, found.reference, declines, sources=sources, quotes=quotes, labels=labels
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def from_evidence(
    chunks: Sequence[TracedChunk], *, question: str | None, own_ids: bool, most: int = FROM_EVIDENCE
) -> tuple[StarterCase, ...]:
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
    topics = ((chunk, topic, about(topic), sentence) for chunk, topic, sentence in _topics(chunks))
    for chunk, name, text, sentence in chain(_answerable_questions(chunks), topics):
        if len(cases) >= most:
            break
        if any(sentence in each or each in sentence for each in asked):
            continue
        asked.append(sentence)
        case_id = id_of_question(name)
        sources = (chunk.chunk_id,) if own_ids else ()
        cases.setdefault(case_id, StarterCase(case_id, text, sources=sources, remark=_PUT_IT))
    return tuple(cases.values())


_PUT_IT = "asked in words of your evidence; put it as your users do"


def _answerable_questions(chunks: Sequence[TracedChunk]) -> Iterator[tuple[TracedChunk, str, str, str]]:
    """The plain questions that one chunk alone answers, a chunk after the other in turn.

    Each is a chunk, what the case is named by, its question, and the sentence that answers it.
    """
    sections = [(chunk, section) for chunk in chunks for section in sections_of(chunk.chunk_id, chunk.text or "")]
    by_chunk: dict[str, list[tuple[TracedChunk, str, str, str]]] = {}
    for found in facts_in([section for _chunk, section in sections]):
        chunk = sections[found.section][0]
        question, sentence = found.fact.question, " ".join(found.quote.split())
        by_chunk.setdefault(chunk.chunk_id, []).append((chunk, question, question, sentence))
    # A chunk after the other, so that the questions are of several things.
    for row in zip_longest(*by_chunk.values()):
        yield from (each for each in row if each is not None)


def declining_case() -> StarterCase:
    """The case that no evidence answers."""
    remark = "your evidence cannot answer this; one nearer to your field is harder, and better"
    return StarterCase("cannot-be-answered", DECLINED, declines=True, remark=remark)


def about(topic: str) -> str:
    """The question that asks for a topic in its own words."""
    return f"What do the documents say about “{topic}”?"


def _topics(chunks: Sequence[TracedChunk]) -> Iterator[tuple[TracedChunk, str, str]]:
    """What the evidence is about: the first words of a sentence of each chunk, then of further ones; then headings.

    Each is a chunk, the topic, and the sentence or heading that it begins.
    """
    beginnings = [[(_beginning(sentence), sentence) for sentence in quotable_sentences(chunk)] for chunk in chunks]
    headings = [[(heading, heading) for heading in _headings_of(chunk)] for chunk in chunks]
    for topics in (beginnings, headings):
        for place in range(max(map(len, topics), default=0)):
            yield from ((chunk, *each[place]) for chunk, each in zip(chunks, topics, strict=True) if place < len(each))


def _beginning(sentence: str) -> str:
    words = sentence.rstrip(".!?:;。").split()
    return f"{' '.join(words[:_TOPIC_WORDS])}{'…' if len(words) > _TOPIC_WORDS else ''}"


def _headings_of(chunk: TracedChunk) -> Iterator[str]:
    """Headings that say enough to be asked about: a single word would not."""
    for heading in _HEADING.finditer(chunk.text or ""):
        plain = " ".join(_MARKUP.sub(lambda found: found[1] or " ", heading["words"]).split())
        words = plain[:_LONGEST_SENTENCE]
        if len(words.split()) > 1:
            yield words


def quotable_sentences(chunk: TracedChunk) -> Iterator[str]:
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


# Longer ones are no reading for a reviewer.
_LONGEST_TRACE = 3000
_BASES = 4
# Faults that a reader understands at a glance.
_TELLING = (
    "number changed",
    "unit changed",
    "names swapped",
    "empty context",
    "declined in words",
    "citation moved to another chunk",
    "required source lost at selection",
)


class KnownBad(NamedTuple):
    """A case that must be blocked.

    Attributes:
        case_id: Its name: `bad-` and the fault.
        question: What was asked.
        blocked_at: The stage that has to fail first.
        trace: The answer.
        required_source_ids: Of the case it was made from.
    """

    case_id: str
    question: str
    blocked_at: StageName
    trace: Trace
    required_source_ids: tuple[str, ...] = ()


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


class AppAnswer(NamedTuple):
    """An app's answer to one question.

    Attributes:
        question: What it was asked.
        shown: What it returned.
        evidence: What it answers from, chunk by chunk; empty where nobody knows.
        own_ids: The ids of the chunks are the app's own, so that a case may name one.
    """

    question: str
    shown: Trace
    evidence: tuple[TracedChunk, ...]
    own_ids: bool


def known_bad_cases(loaded: LoadedSuite, answer: AppAnswer, *, now: str) -> tuple[KnownBad, ...]:
    """Known-bad cases made of a good answer; none where the evidence has no sentence that an answer could quote.

    Args:
        loaded: The suite, whose gates have to block them.
        answer: Of the app's own answer, where that is short, and of answers that quote its evidence the one is taken
            that gives most cases.
        now: The moment, ISO 8601 UTC.
    """
    plain = Case(case_id="good", question=answer.question)
    cites = any(claim.citations for claim in _judged(loaded, plain, answer.shown, now).claims)
    bases: list[tuple[Trace, tuple[str, ...]]] = [(answer.shown, ()), *_quotations(answer, cites=cites)]
    found: tuple[KnownBad, ...] = ()
    for trace, sources in bases[:_BASES]:
        if len(trace.model_dump_json(exclude_none=True)) <= _LONGEST_TRACE:
            case = plain.model_copy(update={"required_source_ids": sources})
            found = max(found, _of_one(loaded, case, trace, now), key=len)
    return found


def _of_one(loaded: LoadedSuite, case: Case, trace: Trace, now: str) -> tuple[KnownBad, ...]:
    """A known-bad case for each stage that one answer can be spoilt at; none where it does not pass itself."""
    row = _judged(loaded, case, trace, now)
    if row.state != "passed" or not row.claims:
        return ()
    testing = FaultCheck(_rules(loaded, now), seed=loaded.suite.seed)
    testing.offer(_evaluated(loaded, case, trace, now))
    found: dict[StageName, Mutant] = {}
    for mutant in sorted(testing.mutants_of(case.case_id), key=_clarity_rank):
        if mutant.ended.first_failed_stage == mutant.mutation.stage:
            found.setdefault(mutant.mutation.stage, mutant)
    order = {stage: number for number, stage in enumerate(GATES.values())}
    return tuple([_known_bad(found[stage], case) for stage in sorted(found, key=lambda stage: order[stage])])


def _clarity_rank(mutant: Mutant) -> int:
    """The rank of a fault: those that a reader understands at a glance come first."""
    return _TELLING.index(mutant.mutation.name) if mutant.mutation.name in _TELLING else len(_TELLING)


def _judged(loaded: LoadedSuite, case: Case, trace: Trace, now: str) -> CaseRun:
    return _evaluated(loaded, case, trace, now).row


def _evaluated(loaded: LoadedSuite, case: Case, trace: Trace, now: str) -> Evaluated:
    placed = PlacedCase(case, 0, case_digest(case), "", 1)
    return evaluate_reply(placed, Answered(trace), _rules(loaded, now), custom=None, finished_at=now)


def _rules(loaded: LoadedSuite, now: str) -> Rulebook:
    return rulebook(loaded, parse_moment(now))


def _quotations(answer: AppAnswer, *, cites: bool) -> Iterator[tuple[Trace, tuple[str, ...]]]:
    """Answers that repeat a sentence of a chunk, and what they require.

    They are shown that chunk, whole: with an evidence store another text of it would be a fault of its own. Where it is
    required there is another beside it, so that it can be lost and something be shown all the same.
    """
    for chunk in answer.evidence:
        for sentence in islice(quotable_sentences(chunk), 1):
            quoted = f"{sentence} [{chunk.chunk_id}]" if cites else sentence
            others = [each for each in answer.evidence if answer.own_ids and each.chunk_id != chunk.chunk_id]
            context = [TracedChunk(chunk_id=each.chunk_id, text=each.text) for each in (chunk, *others[:1])]
            yield Trace(answer=quoted, context=tuple(context)), (chunk.chunk_id,) if answer.own_ids else ()


def _known_bad(mutant: Mutant, case: Case) -> KnownBad:
    return KnownBad(
        case_id=f"bad-{'-'.join(mutant.mutation.name.split())}",
        question=case.asked,
        blocked_at=mutant.mutation.stage,
        trace=mutant.ended.trace,
        required_source_ids=case.required_source_ids,
    )
