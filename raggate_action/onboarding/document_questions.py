"""Cases from a folder of documents: questions that its sentences answer, alone or in twos, and near ones that none do.

Nothing is written that a reader of the documents would not ask: where a sentence has no plain form, or another one
would answer the same words, there is no case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from raggate_action.onboarding.document_facts import FoundFact, facts_in, stems
from raggate_action.onboarding.document_files import READ, DocumentPart, Documents
from raggate_action.onboarding.english_words import Kind
from raggate_action.onboarding.near_questions import near_questions
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.strings.numbers import count
from raggate_action.strings.questions import free_id, id_of_question

DEFAULT_COUNT = 20
_NAMED = 8
# Of so many cases one joins two places, and of so many one cannot be answered.
_ONE_JOIN_IN = 8
_ONE_UNANSWERABLE_IN = 5
_ORDER: tuple[Kind, ...] = ("value", "steps", "condition", "heading", "definition", "fact", "yes-or-no")
_LONGEST_OF_A_JOIN = 13


def answerable_count(most: int) -> int:
    """How many of so many questions documents are to answer; the others they do not."""
    return most - most // _ONE_UNANSWERABLE_IN


def cases_from(documents: Documents, *, most: int, written: Sequence[StarterCase] = ()) -> tuple[StarterCase, ...]:
    """So many cases at most, spread over the documents, the ones to be declined last; fewer where little is said.

    Args:
        documents: What the app answers from.
        most: How many.
        written: Cases that somebody else made of the documents: they come first, and what they ask is not asked twice.
    """
    sections = said_once(documents)
    found = facts_in(sections)
    unanswerable = list(near_questions(found, sections))[: most // _ONE_UNANSWERABLE_IN]
    quoted = {quote for case in written for quote in case.quotes}
    spread = [each for each in _interleaved(found, sections) if each.quote not in quoted]
    # Of what is asked by itself last, since it may be asked nowhere else.
    pairs = [] if written else list(_pairs(spread[::-1], sections))[: most // _ONE_JOIN_IN]
    chosen = spread[: max(0, most - len(unanswerable) - len(pairs) - len(written))]
    cases: dict[str, StarterCase] = {}
    for case in written:
        _add_case(cases, case)
    for each in chosen:
        _add_case(cases, _case(each.fact.question, (each,), sections))
    for second, first in pairs:
        # Its first word is one that asks, so that a small letter changes no name.
        then = second.fact.question
        question = f"{first.fact.question[:-1]}, and {then[0].lower()}{then[1:]}"
        _add_case(cases, _case(question, (first, second), sections))
    for near in unanswerable:
        remark = f"{near.document} says nothing of {near.of}, so an answer would be made up"
        case = StarterCase(id_of_question(near.question), near.question, declines=True, proposed=True, remark=remark)
        _add_case(cases, case)
    return tuple(cases.values())


def said_once(documents: Documents) -> tuple[DocumentPart, ...]:
    """The sections; a page that prints a whole book says nothing a second time."""
    return tuple({(each.heading, each.sentences): each for each in reversed(documents.sections)}.values())[::-1]


def document_lines(documents: Documents, cases: Sequence[StarterCase], *, most: int) -> Iterator[str]:
    """What became of a folder, a line each: the questions, and what was not read, so that none takes it for covered."""
    near = sum(case.declines for case in cases)
    yield (
        f"read {count(documents.files, 'document')}: {count(len(cases), 'question')} proposed, "
        f"{near} of them about what the documents do not say"
    )
    if len(cases) < most:
        yield f"{most} questions were asked for; the documents have no more sentences that one plain question fits"
    others = Counter({each.document: each.language for each in documents.sections if each.language != "en"}.values())
    for language, number in others.items():
        named = f"in {language}" if language else "in a language without rules here"
        yield f"{count(number, 'document')} {named}: only headings that are questions were taken"
    if documents.not_read:
        kinds = Counter(each.why for each in documents.not_read if each.is_kind)
        left_out = [f"{number} {why}" for why, number in kinds.most_common()]
        left_out += [f"{each.name} ({each.why})" for each in documents.not_read if not each.is_kind]
        more = f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        yield f"not read: {', '.join(left_out[:_NAMED])}{more}; read are {', '.join(READ)}"


def _add_case(cases: dict[str, StarterCase], case: StarterCase) -> None:
    """Add a case; its id is numbered where another question begins with the same words."""
    case_id = free_id(case.case_id, cases)
    cases[case_id] = case._replace(case_id=case_id)


def _case(question: str, places: Sequence[FoundFact], sections: Sequence[DocumentPart]) -> StarterCase:
    documents = dict.fromkeys(section_place(sections[each.section]) for each in places)
    return StarterCase(
        id_of_question(question),
        question,
        quotes=tuple([each.quote for each in places]),
        proposed=True,
        remark=f"from {' and '.join(documents)}",
    )


def section_place(section: DocumentPart) -> str:
    """Where a section stands, for whoever looks a case up."""
    return f"{section.document} “{section.heading}”" if section.heading else section.document


def _interleaved(found: Sequence[FoundFact], sections: Sequence[DocumentPart]) -> list[FoundFact]:
    """All of them, a document after the other in turn, and within a document a kind after the other."""
    by_document: dict[str, list[FoundFact]] = {}
    for each in found:
        by_document.setdefault(sections[each.section].document, []).append(each)
    turns = [list(_in_turn(_by_kind(each))) for each in by_document.values()]
    return list(_in_turn(turns))


def _by_kind(found: Iterable[FoundFact]) -> list[list[FoundFact]]:
    kinds: dict[Kind, list[FoundFact]] = {kind: [] for kind in _ORDER}
    for each in found:
        kinds[each.fact.kind].append(each)
    return [each for each in kinds.values() if each]


def _in_turn(lists: Sequence[Sequence[FoundFact]]) -> Iterator[FoundFact]:
    for place in range(max(map(len, lists), default=0)):
        yield from (each[place] for each in lists if place < len(each))


def _pairs(found: Sequence[FoundFact], sections: Sequence[DocumentPart]) -> Iterator[tuple[FoundFact, FoundFact]]:
    """Two questions of one document that two of its sections answer, and that people would put in one breath."""
    used: set[str] = set()
    for first, second in combinations([each for each in found if each.fact.kind in {"value", "definition"}], 2):
        one, other = sections[first.section], sections[second.section]
        if first.fact.kind != second.fact.kind or one.document != other.document or first.section == second.section:
            continue
        is_short = all(len(each.fact.question.split()) <= _LONGEST_OF_A_JOIN for each in (first, second))
        names = {first.fact.question, second.fact.question}
        one_kind = first.fact.question.split()[:3] == second.fact.question.split()[:3] and first.fact.kind == "value"
        shared = stems(first.fact.question) & stems(second.fact.question)
        if is_short and (shared or one_kind) and used.isdisjoint(names):
            used |= names
            yield first, second
