"""Questions that a judge writes from documents, each held against them by rules before it becomes a case.

A judge asks as people do; that its questions can be answered, in one place and by what it names, only the documents
show.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from raggate_action.judges.judge_exchange import JudgingSubject
from raggate_action.judging_jobs.questions_job import (
    QUESTIONS,
    DocumentSection,
    QuestionsTask,
    WrittenQuestion,
    questions_in,
)
from raggate_action.onboarding.document_facts import stems
from raggate_action.onboarding.document_files import DocumentPart, Documents
from raggate_action.onboarding.document_questions import said_once, section_place
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.parallel_judges import JudgesAtWork, opened_judges
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges, Member
from raggate_action.strings.numbers import count
from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote
from raggate_action.strings.questions import folded_question, id_of_question

# About a thousand tokens: small models lose the thread of more.
_CHARACTERS_A_CALL = 4_000
_MOST_A_CALL = 5
_SENTENCES_AT_MOST = 3
_LONGEST_QUESTION = 300
_LONGEST_QUOTE = 600
_FEWEST_WORDS = 4
_SHORTEST_QUESTION = 20
_OF_THE_TEXT = re.compile(
    r"\b(?:the|this|these|that|which|given|provided|above) (?:text|passages?|documents?|sections?|sentences?|excerpts?|"
    r"material|chunks?|articles?)\b|\bS\d+\b|\bmentioned (?:above|below|here)\b",
    re.IGNORECASE,
)
_LEANING = re.compile(r"\b(?:this|these|those)\b|^(?:\w+ ){1,3}(?:they|them|he|she|him|her)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

# Why a question is not taken, in words for people.
_Refusal: TypeAlias = str


# The questions that stand, spread over the documents; what became of the others, and what it took.
QuestionsOfJudges: TypeAlias = tuple[list[StarterCase], list[str]]
# Neighbouring sections of one document, by number, as many as a call shows.
_Window: TypeAlias = tuple[int, ...]


def writer_of(judges: Judges | None, environment: Mapping[str, str]) -> Member | None:
    """The first judge whose key is at hand; None where nobody can be asked."""
    members = judges.panel if judges is not None else ()
    return next((each for each in members if each.api_key_env is None or environment.get(each.api_key_env)), None)


def questions_by(
    member: Member,
    judges: Judges,
    documents: Documents,
    environment: Mapping[str, str],
    *,
    most: int,
    tell: Callable[[str], object],
) -> QuestionsOfJudges:
    """Have a judge write so many questions. What goes wrong is a line, never raised.

    Args:
        member: The judge.
        judges: The section of the suite that it is of; its budget holds.
        documents: What it reads.
        environment: Where its key is.
        most: How many questions are asked for.
        tell: Hears that it is asked.
    """
    sections = said_once(documents)
    files = len({section.document for section in documents.sections})
    tell(f"{member.name} writes questions from {count(files, 'document')} (leave out its key for rules alone)")
    return asyncio.run(_Author(member, judges, sections).write(most, environment, tell))


class _Author:
    """One judge at work on a folder."""

    def __init__(self, member: Member, judges: Judges, sections: Sequence[DocumentPart]) -> None:
        self._member, self._judges, self._sections = member, judges, sections
        self._check = QuestionCheck(sections)
        self._calls: list[Judgement] = []
        self._refused: Counter[_Refusal] = Counter()
        self._stop: str | None = None

    async def write(
        self, most: int, environment: Mapping[str, str], tell: Callable[[str], object]
    ) -> QuestionsOfJudges:
        cases: list[StarterCase] = []
        budget = Budget(self._judges.budget)
        async with opened_judges([self._member], QUESTIONS, budget, environment=environment, tell=tell) as writer:
            left = list(_windows(self._sections))
            while left and len(cases) < most and self._stop is None:
                each = min(_MOST_A_CALL, -(-(most - len(cases)) // len(left)))
                at_once = -(-(most - len(cases)) // each)
                now, left = left[:at_once], left[at_once:]
                found = await asyncio.gather(*[self._of(window, each, writer) for window in now])
                # One of each call in turn: what is cut off at the end is no document's alone.
                for place in range(max(map(len, found), default=0)):
                    cases += [case for one in found if place < len(one) and (case := self._case(*one[place]))]
        return cases[:most], [*self._lines(min(len(cases), most))]

    async def _of(
        self, window: _Window, most: int, writer: JudgesAtWork[QuestionsTask]
    ) -> list[tuple[WrittenQuestion, _Window]]:
        shown = [self._sections[number] for number in window]
        task = QuestionsTask(tuple([DocumentSection(section_place(each), each.sentences) for each in shown]), most)
        [call] = await writer.ask(task, JudgingSubject("case", f"window-{window[0]}"))
        if call.lost is not None and call.lost.code == "budget":
            self._stop = call.lost.detail
        else:
            self._calls.append(call)
        return [(each, window) for each in questions_in(call, task)]

    def _case(self, written: WrittenQuestion, window: _Window) -> StarterCase | None:
        answers = [(window[number], at) for number, at in written.answers]
        refusal = self._check.refusal(written.question, answers)
        if refusal is not None:
            self._refused[refusal] += 1
            return None
        places = dict.fromkeys(section_place(self._sections[number]) for number, _at in answers)
        return StarterCase(
            id_of_question(written.question),
            written.question,
            {"required_quotes": [self._sections[number].sentences[at] for number, at in answers]},
            proposed=True,
            remark=f"{self._member.name} asks this of {' and '.join(places)}",
        )

    def _lines(self, taken: int) -> Iterator[str]:
        costs = [each.cost_usd for each in self._calls]
        price = f", ${sum(cost or 0 for cost in costs):.2f}" if any(costs) else ""
        yield f"{self._member.name} wrote {count(taken, 'question')} ({count(len(self._calls), 'call')}{price})"
        if self._refused:
            reasons = "; ".join(f"{number} {why}" for why, number in self._refused.most_common())
            yield f"other questions of it were not taken: {reasons}"
        lost = [each.lost for each in self._calls if each.lost is not None]
        if lost:
            yield f"{count(len(lost), 'call')} without a reply that can be used: {lost[0].detail}"
        if self._stop is not None:
            yield f"it was asked no further: {self._stop}"


class QuestionCheck:
    """Holds questions against documents: each asks something of its own that one place answers."""

    def __init__(self, sections: Sequence[DocumentPart]) -> None:
        """Prepare.

        Args:
            sections: Of all documents.
        """
        self._sections = sections
        self._stems = [[stems(each) for each in section.sentences] for section in sections]
        self._headings = [stems(f"{section.title} {section.heading}") for section in sections]
        self._asked: set[str] = set()
        self._quoted: set[frozenset[str]] = set()

    def refusal(self, question: str, answers: Sequence[tuple[int, int]]) -> _Refusal | None:
        """Why a question is not taken; None where it is, and then the same is not taken again.

        Args:
            question: Its words.
            answers: The sentences that are said to answer it, by section and place.
        """
        found = next(self._refusals(question, answers), None)
        if found is None:
            self._asked.add(folded_question(question))
            self._quoted.add(self._quotes(answers))
        return found

    def _refusals(self, question: str, answers: Sequence[tuple[int, int]]) -> Iterator[_Refusal]:
        asked = stems(question)
        is_short = len(question.split()) < _FEWEST_WORDS and len(question) < _SHORTEST_QUESTION
        if not question.endswith(("?", "\uff1f")) or is_short or len(question) > _LONGEST_QUESTION:
            yield "no question of one sentence"
        if _OF_THE_TEXT.search(question):
            yield "about the text, not the thing"
        if len(asked) < 2 or _LEANING.search(question):
            yield "not to be understood alone"
        quotes = self._quotes(answers)
        lengths = [len(folded_quote(each)) for each in quotes]
        if len(answers) > _SENTENCES_AT_MOST or min(lengths) < SHORTEST_QUOTE or max(lengths) > _LONGEST_QUOTE:
            yield "answered by too little or too much text"
        if folded_question(question) in self._asked or quotes in self._quoted:
            yield "asked already"
        said = _union(self._stems[number][at] for number, at in answers)
        around = _union(self._headings[number] for number, _at in answers)
        if asked.isdisjoint(said | around | _union(each for number, _at in answers for each in self._stems[number])):
            yield "about something else than its answer"
        if said <= asked:
            yield "that gives its answer away"
        held = " ".join(
            [*quotes, *[f"{section_place(self._sections[n])} {self._sections[n].title}" for n, _at in answers]]
        )
        if any(number not in held for number in _NUMBER.findall(question)):
            yield "with a number of its own"
        if self._fits_elsewhere(asked, asked & (said | around), answers):
            yield "that another place answers too"

    def _quotes(self, answers: Sequence[tuple[int, int]]) -> frozenset[str]:
        return frozenset([self._sections[number].sentences[at] for number, at in answers])

    def _fits_elsewhere(self, asked: frozenset[str], met: frozenset[str], answers: Sequence[tuple[int, int]]) -> bool:
        """Whether a sentence of another section shares with the question what its answer does.

        Of what shares but a word with it, in a question of more words than two, only its author can tell.
        """
        own, quotes = {number for number, _at in answers}, self._quotes(answers)
        if len(met) < 2 < len(asked):
            return False
        return any(
            met <= words | self._headings[number] and not met.isdisjoint(words) and sentence not in quotes
            for number, section in enumerate(self._sections)
            if number not in own
            for sentence, words in zip(section.sentences, self._stems[number], strict=True)
        )


def _union(many: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*many)


def _windows(sections: Sequence[DocumentPart]) -> Iterator[_Window]:
    """Calls' worth of sections, a document after the other in turn."""
    by_document: dict[str, list[_Window]] = {}
    size = 0
    for number, section in enumerate(sections):
        if not section.sentences:
            continue
        length = sum(map(len, section.sentences))
        own = by_document.setdefault(section.document, [])
        if own and size + length <= _CHARACTERS_A_CALL:
            own[-1] = (*own[-1], number)
            size += length
        else:
            own.append((number,))
            size = length
    lists = list(by_document.values())
    for place in range(max(map(len, lists), default=0)):
        yield from (each[place] for each in lists if place < len(each))
