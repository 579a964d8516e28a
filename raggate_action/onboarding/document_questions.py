"""Cases from a folder of documents: questions that one place of them answers.

Nothing is written that a reader of the documents would not ask: where a sentence has no plain form, or another one
would answer the same words, there is no case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from raggate_action.onboarding.document_facts import FoundFact, facts_in
from raggate_action.onboarding.document_files import READ, DocumentPart, Documents
from raggate_action.onboarding.english_questions import Kind
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.strings.numbers import count
from raggate_action.strings.questions import free_id, id_of_question

DEFAULT_COUNT = 20
_NAMED = 8
_ORDER: tuple[Kind, ...] = ("steps", "condition", "heading", "definition", "yes-or-no")


def cases_from(documents: Documents, *, most: int, written: Sequence[StarterCase] = ()) -> list[StarterCase]:
    """So many cases at most, spread over the documents; fewer where little is said.

    Args:
        documents: What the app answers from.
        most: How many.
        written: Cases that a judge made of the documents: they come first, and what they ask is not asked twice.
    """
    sections = said_once(documents)
    by_document: dict[str, dict[Kind, list[FoundFact]]] = {}
    for each in facts_in(sections):
        kinds = by_document.setdefault(sections[each.section].document, {kind: [] for kind in _ORDER})
        kinds[each.kind].append(each)
    # A document after the other in turn, and within a document a kind after the other.
    in_turn = _in_turn([_in_turn(list(kinds.values())) for kinds in by_document.values()])
    quoted = {quote for case in written for quote in case.quotes}
    found = [
        StarterCase(
            id_of_question(each.question),
            each.question,
            {"required_quotes": [each.quote]},
            proposed=True,
            remark=f"from {section_place(sections[each.section])}",
        )
        for each in in_turn
        if each.quote not in quoted
    ]
    cases: dict[str, StarterCase] = {}
    for case in [*written, *found][:most]:
        # An id is numbered where another question begins with the same words.
        case_id = free_id(case.case_id, cases)
        cases[case_id] = case._replace(case_id=case_id)
    return list(cases.values())


def said_once(documents: Documents) -> tuple[DocumentPart, ...]:
    """The sections; a page that prints a whole book says nothing a second time."""
    return tuple({(each.heading, each.sentences): each for each in reversed(documents.sections)}.values())[::-1]


def document_lines(documents: Documents, cases: Sequence[StarterCase], *, most: int) -> Iterator[str]:
    """One line for each: the questions, and what was not read, so that nobody takes it for covered."""
    files = {section.document: section.language for section in documents.sections}
    yield f"read {count(len(files), 'document')}: {count(len(cases), 'question')} proposed"
    if len(cases) < most:
        yield f"{most} questions were asked for; the documents have no more sentences that one plain question fits"
    for language, number in Counter(each for each in files.values() if each != "en").items():
        named = f"in {language}" if language else "in a language without rules here"
        yield f"{count(number, 'document')} {named}: only headings that are questions were taken"
    if left_out := documents.not_read:
        more = f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        yield f"not read: {', '.join(left_out[:_NAMED])}{more}; read are {', '.join(READ)}"


def section_place(section: DocumentPart) -> str:
    """Where a section stands, for whoever looks a case up."""
    return f"{section.document} “{section.heading}”" if section.heading else section.document


def _in_turn(lists: Sequence[Sequence[FoundFact]]) -> list[FoundFact]:
    return [each for row in zip_longest(*lists) for each in row if each is not None]
