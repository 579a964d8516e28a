"""What the author of a suite should know and what is no mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from raggate_action.replies.mapping import half_placeholders, has_placeholder
from raggate_action.schema.ab import ARMS
from raggate_action.schema.case import Case, Criterion
from raggate_action.schema.judges import JudgeBudget, Member
from raggate_action.schema.slices import slice_names
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import HttpTarget, RecordedTarget
from raggate_action.suite_files.ab_section import lab_of, members_of, shared_labs, synthesizer_of
from raggate_action.suite_files.problems import name_text, value_text
from raggate_action.suite_files.suite_checks import has_value

# In English, as most are written.
_LEFT_OUT = re.compile(
    r"\s*(?:it )?(?:(?:does|do|must|should|may|will) not|(?:doesn|don|mustn|shouldn)['’]t|never|avoids)\b",
    re.IGNORECASE,
)


def remarks_on(suite: Suite, cases: Sequence[Case]) -> Iterator[str]:
    """Everything that is said of a sound suite and its cases, in order."""
    yield from _on_request(suite)
    yield from _on_cases(suite, cases)
    yield from _on_judges(suite)
    yield from _on_ab(suite)
    yield from _on_criteria(suite, cases)


def _on_request(suite: Suite) -> Iterator[str]:
    body = suite.target.request.body if isinstance(suite.target, HttpTarget) else None
    if body is None:
        return
    for name in dict.fromkeys(name for name, alone in half_placeholders(body) if not alone):
        yield f"`request: body` says `{{{name}}}`, which is sent as it stands; `{{{{{name}}}}}` would be filled in"
    if not has_placeholder(body):
        yield "`request: body` holds no placeholder such as {{question}}: the app is asked the same for every case"


def _on_cases(suite: Suite, cases: Sequence[Case]) -> Iterator[str]:
    """What the suite says of cases that has no effect, and cases without which it shows little."""
    for field in dict.fromkeys(suite.slices.by):
        if field in Case.model_fields and not any(slice_names(case, (field,)) for case in cases):
            yield f"slices are cut by `{field}`, which no case has"
    # Without labels in the trace nothing tells an answer that makes a point which is only a name.
    if not (isinstance(suite.target, RecordedTarget) and suite.target.labelled):
        bare = [
            (case.case_id, names[0])
            for case in cases
            if case.required_points and case.trace is None
            if (names := [point.id for point in case.points if not point.answer_phrases])
        ]
        if bare:
            case_id, point = bare[0]
            more = f" (and in {len(bare) - 1} more cases)" if len(bare) > 1 else ""
            yield (
                f"required point `{name_text(point)}` of case `{name_text(case_id)}`{more} has no `answer_phrases`: "
                "rules cannot tell whether an answer makes it, and the gate on points stays unmeasured; write "
                "{id: ..., answer_phrases: [...]}, or what the answer must say as `must_contain`"
            )
    known_bad = [case for case in cases if case.known_bad]
    for field, values in suite.slices.protected.items():
        for value in dict.fromkeys(values):
            if has_value(known_bad, field, value) and not has_value(
                (case for case in cases if not case.known_bad), field, value
            ):
                yield (
                    f"protected slice `{name_text(field)}={name_text(value)}` holds known-bad cases alone, "
                    "which are in no slice: it judges nothing"
                )
    if not known_bad:
        yield "no known-bad case: nothing shows that this suite can block; write one with `released: false`"
    if not any(case.released for case in cases):
        yield (
            "no case that must be released: nothing shows that this suite lets good answers pass; add `released: true` "
            "to one"
        )


def _on_judges(suite: Suite) -> Iterator[str]:
    if suite.judges is None:
        return
    yield from _unpriced("judges", suite.judges.panel, suite.judges.budget)
    by_lab = sorted(suite.judges.panel, key=lambda member: member.lab.casefold())
    for lab, members in groupby(by_lab, key=lambda member: member.lab.casefold()):
        names = [member.name for member in members]
        if len(names) > 1:
            yield f"judges: {', '.join(names)} are of one lab ({name_text(lab)}): judges of one lab share their faults"


def _on_ab(suite: Suite) -> Iterator[str]:
    if suite.ab is None:
        return
    panel = {member.name for member in suite.judges.panel} if suite.judges is not None else set()
    paid = {member.name: member for member in (*members_of(suite), *filter(None, [synthesizer_of(suite)]))}
    yield from _unpriced("ab", [each for name, each in paid.items() if name not in panel], suite.ab.budget)
    for shared in shared_labs(suite):
        yield f"ab: {shared}: every headline is told without them as well"
    unnamed = [name for name in ARMS if suite.ab.control is not None and lab_of(suite.ab, name) is None]
    if unnamed:
        text = f"ab: nobody says who trained the model of {' and '.join(unnamed)}"
        yield f"{text}; write `lab:`, or a judge of the same lab goes unnoticed"


def _unpriced(section: str, members: Iterable[Member], budget: JudgeBudget) -> Iterator[str]:
    """That prices are unknown, where they are."""
    unpriced = [member.name for member in members if member.price is None]
    if unpriced:
        text = f"{section}: the price of {', '.join(unpriced)} is unknown, so that what is paid is not counted"
        bound = budget.usd is not None and budget.tokens is None
        yield f"{text} and no budget in dollars binds; write `price:`, or a budget in tokens" if bound else text


def _on_criteria(suite: Suite, cases: Sequence[Case]) -> Iterator[str]:
    """Criteria that judge nothing.

    Without judges nobody can tell whether answers meet them. And whoever says that one does has to quote words of it,
    while none of them show that something is left out.
    """
    having = [case for case in cases if case.criteria]
    if having and suite.judges is None:
        yield f"criteria of {_named(having)} are judged by nobody; name judges (`judges:`)"
    denying = [case for case in having if any(map(_denies, case.criteria))]
    if denying:
        first = next(each for each in denying[0].criteria if _denies(each))
        text = (
            f"criteria of {_named(denying)} ask that something is left out, as {value_text(first)}, which no words show"
        )
        yield f"{text}; write it as `{{must_not: ...}}`"


def _named(cases: Sequence[Case]) -> str:
    more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
    return f"case `{name_text(cases[0].case_id)}`{more}"


def _denies(criterion: Criterion) -> bool:
    return isinstance(criterion, str) and _LEFT_OUT.match(criterion) is not None
