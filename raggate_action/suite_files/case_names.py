"""Cases, and values of their fields, that a suite file names: reported where no case is, or has, what was meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from raggate_action.schema.case import Case
from raggate_action.suite_files.case_survey import CaseSurvey, FieldValue
from raggate_action.suite_files.nodes import Mapping, Node, Scalar, Written, child, children, members, texts_of, written
from raggate_action.suite_files.problems import FileProblems, Mark, closest, listed, name_text, or_known

REMOVED = "removed"
_LISTED = 5


class _Named(NamedTuple):
    """A value that some case has to have, where the suite file names it, and in whose name."""

    value: FieldValue
    mark: Mark
    by: str


def survey_of(suite: Node) -> CaseSurvey:
    """What has to be found out of the cases before `tell_unknown` can tell anything."""
    cut_by = [name.text for name in (*_cut_by(suite), *_protected_fields(suite))]
    waived = [case.text for case in _waived_cases(suite)]
    return CaseSurvey.of(waived=waived, cut_by=cut_by, values=[each.value for each in _named_values(suite)])


def tell_unknown(survey: CaseSurvey, suite: Node, problems: FileProblems) -> None:
    """Tell what the suite file says of cases that is true of none. Every case has to have been seen."""
    _tell_waivers(survey, suite, problems)
    _tell_slices(survey, suite, problems)
    _tell_values(survey, suite, problems)


def remarks_on(survey: CaseSurvey, suite: Node) -> Iterator[str]:
    """What the suite file says of cases that has no effect and may be meant so."""
    for name in dict.fromkeys(each.text for each in _cut_by(suite)):
        if name in survey.unseen_fields:
            yield f"slices are cut by `{name}`, which no case has"
    yield from _unjudged_points(survey, child(suite, "target"))
    for value in dict.fromkeys(each.value for each in _protected_values(suite)):
        if value in survey.unseen_values and value in survey.of_known_bad:
            yield (
                f"protected slice `{name_text(value.field)}={name_text(value.value)}` holds known-bad cases alone, "
                "which are in no slice: it judges nothing"
            )


def _unjudged_points(survey: CaseSurvey, target: Node | None) -> Iterator[str]:
    """That a point is only a name: without labels in the trace nothing tells an answer that makes it."""
    labelled = child(target, "labelled")
    if not survey.unjudged_points or (isinstance(labelled, Scalar) and labelled.value is True):
        return
    case_id, point = survey.first_unjudged
    more = f" (and in {survey.unjudged_points - 1} more cases)" if survey.unjudged_points > 1 else ""
    yield (
        f"required point `{name_text(point)}` of case `{name_text(case_id)}`{more} has no `answer_phrases`: rules "
        f"cannot tell whether an answer makes it, and the gate on points stays unmeasured; write "
        "{id: ..., answer_phrases: [...]}, or what the answer must say as `must_contain`"
    )


def waivers(suite: Node) -> list[Mapping]:
    """The waivers that are mappings, as they must be."""
    return [item for item in children(child(suite, "waivers")) if isinstance(item, Mapping)]


def _waived_cases(suite: Node) -> Iterator[Written]:
    """Ids of cases that waivers name and that have to be there: those taken out have not."""
    for waiver in waivers(suite):
        gate, case = written(waiver.get("gate")), written(waiver.get("case"))
        if case and not (gate and gate.text == REMOVED):
            yield case


def _cut_by(suite: Node) -> list[Written]:
    return texts_of(child(child(suite, "slices"), "by"))


def _protected_fields(suite: Node) -> list[Written]:
    protected = child(child(suite, "slices"), "protected")
    return [Written(name, entry.key_mark) for name, entry in members(protected)]


def _protected_values(suite: Node) -> Iterator[_Named]:
    for name, entry in members(child(child(suite, "slices"), "protected")):
        yield from (_Named(FieldValue(name, each.text), each.mark, "`protected`") for each in texts_of(entry.node))


def _named_values(suite: Node) -> Iterator[_Named]:
    yield from _protected_values(suite)
    for name, entry in members(child(suite, "scopes")):
        by = f"scope `{name_text(name)}`"
        yield from (_Named(FieldValue("tags", tag.text), tag.mark, by) for tag in texts_of(child(entry.node, "tags")))


def _tell_waivers(survey: CaseSurvey, suite: Node, problems: FileProblems) -> None:
    for case in _waived_cases(suite):
        named = f"waiver for case `{name_text(case.text)}`, which"
        if case.text in survey.unseen_ids:
            end = f"write the id of a case, or `gate: {REMOVED}` if it was taken out"
            if near := closest(case.text, survey.known_ids):
                end = f"did you mean `{name_text(near)}`? If it was taken out, write `gate: {REMOVED}`"
            problems.add(case.mark, f"{named} the suite does not have; {end}")
        elif case.text in survey.waived_known_bad:
            problems.add(case.mark, f"{named} is known bad and has to fail: nothing can be waived; take the waiver out")


def _tell_slices(survey: CaseSurvey, suite: Node, problems: FileProblems) -> None:
    for name in (*_cut_by(suite), *_protected_fields(suite)):
        if name.text in survey.unseen_inputs:
            end = or_known(name.text, tuple(Case.model_fields), otherwise="write workflow, category, expect or tags")
            text = f"slices are cut by `{name_text(name.text)}`, which is no case field and in no case's `input`"
            problems.add(name.mark, f"{text}; {end}")


def _tell_values(survey: CaseSurvey, suite: Node, problems: FileProblems) -> None:
    for (field, value), mark, by in _named_values(suite):
        if (
            FieldValue(field, value) not in survey.unseen_values
            or FieldValue(field, value) in survey.of_known_bad
            # A field that is unknown as a whole has been reported.
            or field in survey.unseen_inputs
        ):
            continue
        known = survey.known_values.get(field, set[str]())
        some = [name_text(each) for each in sorted(known)[:_LISTED]]
        more = " and others" if len(known) > len(some) else ""
        end = or_known(value, known, otherwise=f"there are {listed(some)}{more}" if some else "no case has any")
        what = "a tag that no case has" if field == "tags" else f"a `{name_text(field)}` that no case has"
        problems.add(mark, f"{by} names `{name_text(value)}`, {what}; {end}")
