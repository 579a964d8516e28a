"""What is wrong inside a valid case: words that contradict each other, and lists that say a thing twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.schema.case import Case
from raggate_action.schema.phrase import Phrase, phrase_in_words
from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote
from raggate_action.suite_files.criteria_checks import faults_in_criteria
from raggate_action.suite_files.modules import Modules
from raggate_action.suite_files.words import name_text, value_text


class Fault(NamedTuple):
    """What is wrong: where in the case, and the message."""

    path: tuple[int | str, ...]
    text: str


def faults_in(case: Case, modules: Modules | None) -> Iterator[Fault]:
    """Everything that needs no other case and no evidence.

    Args:
        case: The case.
        modules: Where custom checks are looked up; None leaves them alone.
    """
    if case.must_not_contain or case.forbidden_tools:
        yield from _contradictions(case)
    if case.messages and case.messages[-1].role != "user":
        role = case.messages[-1].role
        text = f"the last of `messages` is from the {role}; end with what the user asks"
        yield Fault(("messages", len(case.messages) - 1, "role"), text)
    if len(case.required_source_ids) > 1:
        yield from _repeated("required_source_ids", case.required_source_ids)
    if len(case.useful_source_ids) > 1:
        yield from _repeated("useful_source_ids", case.useful_source_ids)
    if case.required_quotes:
        yield from _quotes(case.required_quotes)
    if len(case.required_points) > 1:
        yield from _repeated(
            "required_points", [point if isinstance(point, str) else point.id for point in case.required_points]
        )
    if len(case.criteria) > 1:
        yield from (Fault(("criteria", index), text) for index, text in faults_in_criteria(case.criteria))
    if case.custom_check is not None and modules is not None and (problem := modules.problem(case.custom_check)):
        yield Fault(("custom_check",), f"`custom_check` names `{name_text(case.custom_check)}`; {problem}")


def _quotes(quotes: Sequence[str]) -> Iterator[Fault]:
    yield from _repeated("required_quotes", quotes)
    for index, quote in enumerate(quotes):
        if len(folded_quote(quote)) < SHORTEST_QUOTE:
            text = f"`required_quotes` has {value_text(quote)}, which is shorter than {SHORTEST_QUOTE} characters"
            yield Fault(("required_quotes", index), f"{text} and may stand anywhere; write a sentence of the source")


def _repeated(name: str, ids: Sequence[str]) -> Iterator[Fault]:
    if len(ids) < 2 or len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for index, each in enumerate(ids):
        if each in seen:
            yield Fault((name, index), f"`{name}` names `{name_text(each)}` twice; keep one of them")
        seen.add(each)


def _contradictions(case: Case) -> Iterator[Fault]:
    for index, phrase in enumerate(case.must_not_contain):
        if any(_says(wanted, phrase) for wanted in case.must_contain):
            words = phrase if isinstance(phrase, str) else phrase_in_words(phrase)
            text = f"`must_not_contain` forbids {value_text(words)}, which `must_contain` demands; take one of them out"
            yield Fault(("must_not_contain", index), text)
    for index, tool in enumerate(case.forbidden_tools):
        if tool in case.expected_tools:
            text = f"tool `{name_text(tool)}` is both expected and forbidden; take it out of one list"
            yield Fault(("forbidden_tools", index), text)


def _says(wanted: Phrase, forbidden: Phrase) -> bool:
    """Whether an answer that says the one surely says the other."""
    if not (isinstance(wanted, str) and isinstance(forbidden, str)):
        return wanted == forbidden
    one, other = wanted.casefold(), forbidden.casefold()
    # A number is not found inside a longer one: "15 days" may be demanded where "5 days" is forbidden.
    cut = one == other or not (other[0].isdecimal() or other[-1].isdecimal())
    return cut and other in one
