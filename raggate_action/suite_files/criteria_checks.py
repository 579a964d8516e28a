"""What is wrong with criteria that each are valid, and what their author should know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.criteria import Criterion, words_of
from raggate_action.schema.suite import Suite
from raggate_action.suite_files.nodes import Node, children
from raggate_action.suite_files.problems import FileProblems, name_text, value_text

# In English, as most are written.
_LEFT_OUT = re.compile(
    r"\s*(?:it )?(?:(?:does|do|must|should|may|will) not|(?:doesn|don|mustn|shouldn)['’]t|never|avoids)\b",
    re.IGNORECASE,
)


def check_criteria(criteria: Sequence[Criterion], section: Node | None, problems: FileProblems) -> None:
    """Check the criteria of the whole suite.

    Args:
        criteria: As they were read.
        section: Where they stand.
        problems: Is told what is wrong.
    """
    places = [node.mark for node in children(section)]
    for index, text in faults_in_criteria(criteria):
        problems.add(places[index], text)


def faults_in_criteria(criteria: Sequence[Criterion]) -> Iterator[tuple[int, str]]:
    """Criteria that stand there twice, or demand what another forbids: each by its place, with the message."""
    seen: dict[str, Criterion] = {}
    for index, each in enumerate(criteria):
        words = " ".join(words_of(each).casefold().split())
        if words in seen:
            same = isinstance(seen[words], str) == isinstance(each, str)
            fault = "which stands there already" if same else "once as it must be and once as it must not"
            yield index, f"`criteria` has {value_text(words_of(each))}, {fault}; keep one of them"
        seen.setdefault(words, each)


def remarks_on(suite: Suite | None, cases: Iterable[PlacedCase]) -> Iterator[str]:
    """What the author of criteria should know.

    Without judges nobody can tell whether answers meet them. And whoever says that one does has to quote words of it,
    while none of them show that something is left out.
    """
    if suite is None:
        return
    having = [placed.case for placed in cases if placed.case.criteria]
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
