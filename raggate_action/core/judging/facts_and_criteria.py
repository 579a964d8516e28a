"""What people wrote of a right answer, as judges are asked about it: facts of the reference answer, and criteria."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal, NamedTuple

from raggate_action.schema.case import Case, words_of
from raggate_action.schema.outcome import ItemGate

ITEM_GATES: Final[tuple[ItemGate, ...]] = ("agreement", "criteria")


class AnswerItem(NamedTuple):
    """A thing that an answer is held against.

    Attributes:
        kind: A fact of the reference answer, or a criterion.
        id: Its name: `fact-1`, `criterion-1`, in the order they were written.
        text: The fact, or what the criterion says.
        must_not: A criterion that must not hold.
        withheld: It repeats what the case's asker may not read, so that nobody may be asked about it.
    """

    kind: Literal["fact", "criterion"]
    id: str
    text: str
    must_not: bool = False
    withheld: bool = False


def judged_items(
    case: Case, *, language: str, has_judges: bool, repeated_in: Callable[[tuple[str, ...], Case], tuple[str, ...]]
) -> tuple[AnswerItem, ...]:
    """Facts, then criteria; none of a case with neither.

    A case that expects a decline has no facts: nothing is to be stated there. Its criteria are its author's, who knows
    what it expects. A reference answer may be written for people alone: without judges nothing is held against it.

    Args:
        case: The case.
        language: The suite's, which its reference answer is split by.
        has_judges: The suite names judges.
        repeated_in: The chunks that the case's asker may not read and that texts repeat.
    """
    if not case.criteria and (case.reference_answer is None or not has_judges):
        return ()
    found = list(_facts(case, language)) if has_judges else []
    for number, criterion in enumerate(case.criteria, 1):
        must_not = not isinstance(criterion, str)
        found.append(AnswerItem("criterion", f"criterion-{number}", words_of(criterion), must_not))
    return tuple([item._replace(withheld=True) if repeated_in((item.text,), case) else item for item in found])


def gates_used(cases: Iterable[Case]) -> tuple[ItemGate, ...]:
    """The gates that only judges feed and that a case of a suite with judges asks for."""
    found: set[ItemGate] = set()
    for case in cases:
        if case.reference_answer is not None and case.expect == "answer":
            found.add("agreement")
        if case.criteria:
            found.add("criteria")
    return tuple([gate for gate in ITEM_GATES if gate in found])


def _facts(case: Case, language: str) -> Iterator[AnswerItem]:
    if case.reference_answer is None or case.expect != "answer":
        return
    # Few suites need their rules.
    from raggate_action.core.text.languages.common_words import language_read
    from raggate_action.core.text.reference_facts import facts_of

    language = language_read(language, case.reference_answer, [case.asked])
    for number, text in enumerate(facts_of(case.reference_answer, language), 1):
        yield AnswerItem("fact", f"fact-{number}", text)
