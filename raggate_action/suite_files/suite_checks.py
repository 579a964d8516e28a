"""What a suite file says that no record can check and no other file is needed for: patterns, names, dates."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from datetime import date

from raggate_action.schema.outcome import GATES
from raggate_action.schema.policy import POLICY_WEAKENED, Gates
from raggate_action.schema.trace import RESPONSE_FIELDS
from raggate_action.suite_files.ab_arms import asked_sections
from raggate_action.suite_files.ab_checks import check_ab
from raggate_action.suite_files.case_names import REMOVED, waivers
from raggate_action.suite_files.judges_checks import check_judges
from raggate_action.suite_files.nodes import Mapping, Node, Scalar, child, json_value, members, texts_of, written
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.words import listed, name_text, or_known, value_text

_WAIVABLE = (*GATES, REMOVED, POLICY_WEAKENED)
# How ids of hallucinations begin, and the gate they are part of.
_HALLUCINATIONS = {"claim:": "faithfulness", "answered": "faithfulness", "phrase:": "behaviour"}
_FULL = "full"


def check_suite(suite: Node, problems: FileProblems, *, today: date | None) -> None:
    """Check everything that needs no other file.

    Args:
        suite: The suite file, whether or not a record could be made of it.
        problems: Is told what is wrong.
        today: Waivers past their date are problems too; None leaves their dates alone.
    """
    _check_citation_markers(suite, problems)
    for target in (child(suite, "target"), *asked_sections(suite)):
        _check_response(target, problems)
        _check_request(target, problems)
    _check_scopes(suite, problems)
    check_judges(child(suite, "judges"), problems)
    check_ab(suite, problems)
    for waiver in waivers(suite):
        _check_waiver(waiver, problems, today)


def _check_scopes(suite: Node, problems: FileProblems) -> None:
    for name, entry in members(child(suite, "scopes")):
        if name == _FULL:
            text = "scope `full` is always every case, so that what stands here would not be looked at"
            problems.add(entry.key_mark, f"{text}; give this choice of cases another name")


def _check_citation_markers(suite: Node, problems: FileProblems) -> None:
    for marker in texts_of(child(suite, "citation_markers")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                groups = re.compile(marker.text).groupindex
        except (re.error, OverflowError, RecursionError) as error:
            text = f"{value_text(marker.text)} is not a regular expression: {name_text(str(error))}"
            problems.add(marker.mark, f"{text}; correct it, or put a backslash before characters meant as they are")
            continue
        if "ids" not in groups:
            text = f"{value_text(marker.text)} has no group `ids`; write (?P<ids>...) around what is cited"
            problems.add(marker.mark, text)


def _check_response(target: Node | None, problems: FileProblems) -> None:
    for name, entry in members(child(target, "response")):
        if name not in RESPONSE_FIELDS:
            end = or_known(name, RESPONSE_FIELDS, otherwise=f"known here: {listed(RESPONSE_FIELDS)}")
            problems.add(entry.key_mark, f"`response` maps `{name_text(name)}`, which no trace has; {end}")
        expression = written(entry.node)
        if expression and (problem := _expression_problem(expression.text)):
            text = f"{value_text(expression.text)} is not a JMESPath expression: {name_text(problem, cut=False)}"
            problems.add(expression.mark, f"{text}; write a path such as output.text or docs[].id")


def _expression_problem(expression: str) -> str | None:
    from raggate_action.replies.mapping import expression_problem

    try:
        return expression_problem(expression)
    except RecursionError:
        return "it is nested too deeply"


def _check_request(target: Node | None, problems: FileProblems) -> None:
    body = child(child(target, "request"), "body")
    if body is None:
        return
    from raggate_action.replies.mapping import half_placeholders, placeholder_problem

    if problem := placeholder_problem(json_value(body)):
        problems.add(body.mark, f"`body` has an {problem}")
    for name in dict.fromkeys(name for name, alone in half_placeholders(json_value(body)) if alone):
        problems.add(body.mark, f"`body` says `{{{name}}}`, which is sent as it stands; write `{{{{{name}}}}}`")


def remarks_on(target: Node | None) -> Iterator[str]:
    """What the target's section says that has no effect and may be meant so."""
    body = child(child(target, "request"), "body")
    if body is None or (isinstance(body, Scalar) and body.value is None):
        return
    from raggate_action.replies.mapping import half_placeholders, has_placeholder

    for name in dict.fromkeys(name for name, alone in half_placeholders(json_value(body)) if not alone):
        yield f"`request: body` says `{{{name}}}`, which is sent as it stands; `{{{{{name}}}}}` would be filled in"
    if not has_placeholder(json_value(body)):
        yield "`request: body` holds no placeholder such as {{question}}: the app is asked the same for every case"


def _check_waiver(waiver: Mapping, problems: FileProblems, today: date | None) -> None:
    gate = written(waiver.get("gate"))
    if gate and gate.text not in _WAIVABLE:
        known = f"known are {listed(_WAIVABLE)}"
        if gate.text in Gates.model_fields:
            fault = f"which judges the whole run: no case can be waived there; {known}"
        else:
            fault = f"which there is not; {or_known(gate.text, _WAIVABLE, otherwise=known)}"
        problems.add(gate.mark, f"waiver for gate `{name_text(gate.text)}`, {fault}")
    _check_hallucination(waiver, problems)
    expires = written(waiver.get("expires"))
    last_day = _day(expires.text) if expires else None
    if expires and last_day and today and last_day < today:
        case = written(waiver.get("case"))
        of_case = f" for case `{name_text(case.text)}`" if case else ""
        text = f"the waiver{of_case} expired on {last_day}; repair the case and take the waiver out, or renew it"
        problems.add(expires.mark, text)


def _check_hallucination(waiver: Mapping, problems: FileProblems) -> None:
    """That a hallucination is named by an id, and waived at the gate that it is part of."""
    found, gate = written(waiver.get("hallucination")), written(waiver.get("gate"))
    if found is None:
        return
    gates = [name for beginning, name in _HALLUCINATIONS.items() if found.text.startswith(beginning)]
    if not gates:
        text = (
            f"{value_text(found.text)} is no hallucination's id; copy it from the comment, as in claim:3f9a2b7c1d4e5f60"
        )
        problems.add(found.mark, text)
    elif gate and gate.text in _WAIVABLE and gate.text != gates[0]:
        text = f"hallucination {value_text(found.text)} is no matter of gate `{name_text(gate.text)}`"
        problems.add(gate.mark, f"{text}; write `gate: {gates[0]}`")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
