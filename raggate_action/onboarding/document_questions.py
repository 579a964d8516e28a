"""Cases from a folder of documents: questions that one place of them answers, and near ones that no document answers.

Nothing is written that a reader of the documents would not ask: where a sentence has no plain form, or another one
would answer the same words, there is no case.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from raggate_action.onboarding.document_facts import FoundFact, facts_in, stems
from raggate_action.onboarding.document_files import READ, DocumentPart, Documents
from raggate_action.onboarding.english_questions import Kind
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.strings.numbers import count
from raggate_action.strings.questions import free_id, id_of_question

DEFAULT_COUNT = 20
_NAMED = 8
# Of so many cases one cannot be answered.
_ONE_UNANSWERABLE_IN = 5
_ORDER: tuple[Kind, ...] = ("steps", "condition", "heading", "definition", "why", "yes-or-no")


def answerable_count(most: int) -> int:
    """How many of so many questions documents are to answer; the others they do not."""
    return most - most // _ONE_UNANSWERABLE_IN


def cases_from(documents: Documents, *, most: int, written: Sequence[StarterCase] = ()) -> tuple[StarterCase, ...]:
    """So many cases at most, spread over the documents, the ones to be declined last; fewer where little is said.

    Args:
        documents: What the app answers from.
        most: How many.
        written: Cases that a judge made of the documents: they come first, and what they ask is not asked twice.
    """
    sections = said_once(documents)
    found = facts_in(sections)
    unanswerable = list(_near_questions(found, sections))[: most // _ONE_UNANSWERABLE_IN]
    quoted = {quote for case in written for quote in case.quotes}
    answered = [
        StarterCase(
            id_of_question(each.fact.question),
            each.fact.question,
            quotes=(each.quote,),
            proposed=True,
            remark=f"from {section_place(sections[each.section])}",
        )
        for each in _interleaved(found, sections)
        if each.quote not in quoted
    ]
    cases: dict[str, StarterCase] = {}
    for case in (*written, *answered[: max(0, most - len(unanswerable) - len(written))], *unanswerable):
        # An id is numbered where another question begins with the same words.
        case_id = free_id(case.case_id, cases)
        cases[case_id] = case._replace(case_id=case_id)
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


def section_place(section: DocumentPart) -> str:
    """Where a section stands, for whoever looks a case up."""
    return f"{section.document} “{section.heading}”" if section.heading else section.document


def _interleaved(found: Sequence[FoundFact], sections: Sequence[DocumentPart]) -> list[FoundFact]:
    """All of them, a document after the other in turn, and within a document a kind after the other."""
    by_document: dict[str, dict[Kind, list[FoundFact]]] = {}
    for each in found:
        kinds = by_document.setdefault(sections[each.section].document, {kind: [] for kind in _ORDER})
        kinds[each.fact.kind].append(each)
    return _in_turn([_in_turn(list(kinds.values())) for kinds in by_document.values()])


def _in_turn(lists: Sequence[Sequence[FoundFact]]) -> list[FoundFact]:
    return [each for row in zip_longest(*lists) for each in row if each is not None]


# Near questions: of software that the documents define, what none of them says

_SOFTWARE = re.compile(
    r"(?:an?|the) (?:(?!of |where |that |which |for |to |in )[\w+#./-]+,? ){0,7}?"
    r"(?:library|package|tool|toolkit|framework|server|client|service|application|"
    r"app|software|program|platform|plugin|extension|engine|parser|linter|compiler|implementation|editor|database)"
    r"(?= (?:that|which|for|to|with|in|used|from|and|designed|built|written|by|on)\b|[,.]|$)"
)
# The question, what it looks for, and the words one of which stands wherever that is said.
_ASPECTS = [
    (question, of, re.compile(words, re.IGNORECASE))
    for question, of, words in (
        ("How much memory does {} need?", "memory", r"memor|\bram\b|\b[mg]i?b\b|footprint|lightweight|megabyte"),
        (
            "When was {} first released?",
            "a first release",
            r"\b(?:19|20)\d\d\b|releas|since|history|\bfirst\b|launch|founded",
        ),
        (
            "Does {} run on Windows?",
            "Windows",
            r"windows|linux|mac ?os|platform|unix|operating system|\bos\b|posix",
        ),
        (
            "How many people use {}?",
            "its users",
            r"\busers?\b|people|million|thousand|download|popular|wide|used by|communit",
        ),
        (
            "Who pays for the development of {}?",
            "money",
            r"sponsor|fund|donat|grant|financ|compan|backed|\bpa(?:y|id)",
        ),
        ("Which phone number can I call for help with {}?", "a telephone", r"phone|\bcall us\b|hotline|\btel\b"),
        (
            "How much does {} cost?",
            "a price",
            r"cost|pric|free|\bpa(?:y|id)|\bfees?\b|charg|[$€£¥]|expens|cheap|\bbuy|purchas|licen[sc]|open[ -]source",
        ),
    )
]


def _near_questions(found: Sequence[FoundFact], sections: Sequence[DocumentPart]) -> Iterator[StarterCase]:
    """Near questions, each aspect about as often as any other."""
    texts: dict[str, str] = {}
    for each in sections:
        said = f"{each.heading}. {' '.join(each.sentences)} {each.code} "
        texts[each.document] = texts.get(each.document, "") + said
    turn = 0
    for one in found:
        document, subject = sections[one.section].document, one.fact.subject
        if one.fact.kind != "definition" or not subject[0].isupper() or not _SOFTWARE.match(one.fact.answer):
            continue
        words = stems(subject)
        elsewhere = [text for section in sections for text in section.sentences if words & stems(text)]
        for question, of, said_by in (*_ASPECTS[turn:], *_ASPECTS[:turn]):
            # In the document of its subject nothing speaks of it, and elsewhere nothing beside the subject's words.
            if not said_by.search(texts[document]) and not any(map(said_by.search, elsewhere)):
                asked = question.format(subject)
                remark = f"{document} says nothing of {of}, so an answer would be made up"
                yield StarterCase(id_of_question(asked), asked, declines=True, proposed=True, remark=remark)
                turn = (turn + 1) % len(_ASPECTS)
                break
