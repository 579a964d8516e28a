"""What a suite file says that no record can check: patterns, paths, names and dates that mean something elsewhere."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterator
from datetime import date

from raggate_action.schema.case import Case
from raggate_action.schema.policy import Gates
from raggate_action.schema.trace import RESPONSE_FIELDS
from raggate_action.suite_files.nodes import (
    Mapping,
    Node,
    Written,
    child,
    children,
    json_value,
    members,
    texts_of,
    written,
)
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.words import listed, or_known, shown, shown_name

REMOVED = "removed"
_GATES = (*Gates.model_fields, REMOVED)


def check_suite(suite: Node, problems: FileProblems, *, today: date | None) -> None:
    """Check everything that needs no other file.

    Args:
        suite: The suite file, whether or not a record could be made of it.
        problems: Is told what is wrong.
        today: Waivers past their date are problems too; None leaves their dates alone.
    """
    _check_citation_markers(suite, problems)
    _check_response(child(suite, "target"), problems)
    _check_request(child(suite, "target"), problems)
    for waiver in _waivers(suite):
        _check_waiver(waiver, problems, today)


def waived_cases(suite: Node) -> Iterator[Written]:
    """Ids of cases that waivers name and that have to be there: those taken out have not."""
    for waiver in _waivers(suite):
        gate, case = written(waiver.get("gate")), written(waiver.get("case"))
        if case and not (gate and gate.text == REMOVED):
            yield case


def slice_names(suite: Node) -> Iterator[Written]:
    """Names that slices are cut by and that are no case field: some case's `input` has to have them."""
    slices = child(suite, "slices")
    protected = [Written(name, entry.key_mark) for name, entry in members(child(slices, "protected"))]
    yield from (name for name in (*texts_of(child(slices, "by")), *protected) if name.text not in Case.model_fields)


def tell_unknown_cases(unknown: Collection[str], suite: Node, problems: FileProblems) -> None:
    """Tell which waivers name a case that the suite does not have."""
    for case in waived_cases(suite):
        if case.text in unknown:
            text = f"waiver for case `{shown_name(case.text)}`, which the suite does not have; "
            problems.add(case.mark, text + f"write the id of a case, or `gate: {REMOVED}` if it was taken out")


def tell_unknown_slices(unknown: Collection[str], suite: Node, problems: FileProblems) -> None:
    """Tell which slices no case can be in."""
    for name in slice_names(suite):
        if name.text in unknown:
            end = or_known(name.text, tuple(Case.model_fields), otherwise="write workflow, category, expect or tags")
            text = (
                f"slices are cut by `{shown_name(name.text)}`, which is no case field and in no case's `input`; {end}"
            )
            problems.add(name.mark, text)


def _waivers(suite: Node) -> list[Mapping]:
    return [item for item in children(child(suite, "waivers")) if isinstance(item, Mapping)]


def _check_citation_markers(suite: Node, problems: FileProblems) -> None:
    for marker in texts_of(child(suite, "citation_markers")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                groups = re.compile(marker.text).groupindex
        except (re.error, OverflowError, RecursionError) as error:
            text = f"{shown(marker.text)} is not a regular expression: {shown_name(str(error))}"
            problems.add(marker.mark, f"{text}; correct it, or put a backslash before characters meant as they are")
            continue
        if "ids" not in groups:
            text = f"{shown(marker.text)} has no group `ids`; write (?P<ids>...) around what is cited"
            problems.add(marker.mark, text)


def _check_response(target: Node | None, problems: FileProblems) -> None:
    for name, entry in members(child(target, "response")):
        if name not in RESPONSE_FIELDS:
            end = or_known(name, RESPONSE_FIELDS, otherwise=f"known here: {listed(RESPONSE_FIELDS)}")
            problems.add(entry.key_mark, f"`response` maps `{shown_name(name)}`, which no trace has; {end}")
        expression = written(entry.node)
        if expression and (problem := _expression_problem(expression.text)):
            text = f"{shown(expression.text)} is not a JMESPath expression: {shown_name(problem, cut=False)}"
            problems.add(expression.mark, f"{text}; write a path such as output.text or docs[].id")


def _expression_problem(expression: str) -> str | None:
    from raggate_action.mapping import expression_problem

    try:
        return expression_problem(expression)
    except RecursionError:
        return "it is nested too deeply"


def _check_request(target: Node | None, problems: FileProblems) -> None:
    body = child(child(target, "request"), "body")
    if body is None:
        return
    from raggate_action.mapping import placeholder_problem

    if problem := placeholder_problem(json_value(body)):
        problems.add(body.mark, f"`body` has an {problem}")


def _check_waiver(waiver: Mapping, problems: FileProblems, today: date | None) -> None:
    gate = written(waiver.get("gate"))
    if gate and gate.text not in _GATES:
        end = or_known(gate.text, _GATES, otherwise=f"known are {listed(_GATES)}")
        problems.add(gate.mark, f"waiver for gate `{shown_name(gate.text)}`, which there is not; {end}")
    expires = written(waiver.get("expires"))
    last_day = _day(expires.text) if expires else None
    if expires and last_day and today and last_day < today:
        case = written(waiver.get("case"))
        of_case = f" for case `{shown_name(case.text)}`" if case else ""
        text = f"the waiver{of_case} expired on {last_day}; repair the case and take the waiver out, or renew it"
        problems.add(expires.mark, text)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
