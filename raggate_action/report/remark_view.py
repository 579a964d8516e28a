"""Remarks at a case's own file and line: one per case, worst first, from each stage in turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import Literal, NamedTuple

from raggate_action.report.case_view import why_left_open
from raggate_action.report.decision_words import all_reasons
from raggate_action.report.page import Foreign, Text, joined
from raggate_action.report.repeat_command import repeat_command
from raggate_action.report.report_input import Reporting
from raggate_action.report.reported_case import place_of, shown_problem
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATES, StageName
from raggate_action.strings.visible_text import cut

_LONGEST_TEXT = 300
_LONGEST_NAME = 80
_PROBLEMS = 3


class Remark(NamedTuple):
    """A remark on a case, or on the run as a whole.

    Attributes:
        level: An error is new and blocks; a warning does not block, or was there before; a notice is unmeasured.
        message, title: What is said, and its heading.
        file: Path from the top of the repository; empty when the case is written outside of it.
        line: Line of the case, from 1; None without a file.
        repeat: The command that repeats the case; empty without a case.
        stage: Where the case failed first; None of a known-bad case, of one that did not fail, and of the run.
    """

    level: Literal["error", "warning", "notice"]
    message: Text
    title: Text
    file: str = ""
    line: int | None = None
    repeat: str = ""
    stage: StageName | None = None


def remarks(reporting: Reporting, *, root: str = "") -> tuple[Remark, ...]:
    """Every remark on a run, errors first: known-bad cases that got through, then failing ones, the new first.

    Of each level the stages take turns, so that the first ten tell of each.

    Args:
        reporting: The run. Without a comparison every failure counts as new.
        root: The working directory, seen from the top of the repository.
    """
    others = _silent(reporting) if reporting.has_no_result else _of_cases(reporting, root)
    found = [*_unblocked(reporting, root), *others]
    if not reporting.run.decision.enforced:
        # A check that passes whatever it says shows no errors.
        found = [each._replace(level="warning") if each.level == "error" else each for each in found]
    return tuple(_in_turn(found))


_STAGES: tuple[StageName | None, ...] = (None, *dict.fromkeys(GATES.values()))


def _in_turn(found: list[Remark]) -> Iterator[Remark]:
    """By level; of each level the first of every stage, in the order of diagnosis, then the second, and so on."""
    for level in ("error", "warning", "notice"):
        stages = [[each for each in found if (each.level, each.stage) == (level, stage)] for stage in _STAGES]
        yield from (each for turn in zip_longest(*stages) for each in turn if each is not None)


def _of_cases(reporting: Reporting, root: str) -> Iterator[Remark]:
    yield from _failing(reporting, root)
    yield from _unmeasured(reporting, root)
    yield from _left_to_judges(reporting, root)


def _silent(reporting: Reporting) -> Iterator[Remark]:
    """One remark in place of one per case, for an app that answered no case, or no case from this evidence."""
    message = Foreign(all_reasons(reporting.run))
    what = ": no case was answered" if reporting.app_is_silent else ": no chunk id is known"
    yield Remark("error", message, (Foreign(cut(reporting.run.suite, _LONGEST_NAME)), what))


def _unblocked(reporting: Reporting, root: str) -> Iterator[Remark]:
    if reporting.run.policy.gates.known_bad_blocked.level != "block":
        return
    for row in reporting.listed.unblocked:
        instead = f"failed first at {row.first_failed_stage}" if row.first_failed_stage else "got through"
        message = f"It had to be blocked at {row.blocked_at}, but {instead}."
        yield _remark("error", row, "known-bad case not blocked", message, reporting, root)


def _left_to_judges(reporting: Reporting, root: str) -> Iterator[Remark]:
    for row in reporting.listed.left_to_judges:
        message = f"Whether it is blocked at {row.blocked_at} is for judges to say: {why_left_open(row)}."
        yield _remark("notice", row, "known-bad case not measured", message, reporting, root)


def _failing(reporting: Reporting, root: str) -> Iterator[Remark]:
    """New hallucinations, other new failures, failures that were there before; each in the order of the lists.

    Without a baseline nobody can tell what is new, so no title says "new".
    """
    invented, broken = _invented(reporting), _broken(reporting)
    regressed = frozenset(reporting.comparison.regressions if reporting.comparison else [])
    invention = "hallucination" if reporting.comparison is None else "new hallucination"
    listed = reporting.listed
    known = frozenset([row.case_id for row in listed.failing])
    rows = {
        row.case_id: row
        for row in chain(listed.failing, listed.hallucinating)
        if row.case_id in known or row.case_id in invented
    }
    ranked = sorted(rows.values(), key=lambda row: (row.case_id not in invented, row.case_id not in broken))
    for row in ranked:
        blocks = row.case_id in known
        if row.case_id in invented:
            title = invention
        elif row.case_id in broken:
            fails = "now fails" if row.case_id in regressed else "fails"
            title = f"{fails} at {row.first_failed_stage}" if row.first_failed_stage else fails
        else:
            title = "failed on the baseline too"
        new = row.case_id in invented or row.case_id in broken
        message = _message(row, invented.get(row.case_id, ()), reporting)
        yield _remark("error" if new and blocks else "warning", row, title, message, reporting, root)


def _invented(reporting: Reporting) -> dict[str, tuple[str, ...]]:
    """Texts of new hallucinations by case; without a comparison of all."""
    found: dict[str, tuple[str, ...]] = {}
    if reporting.comparison is None:
        pairs = [(row.case_id, each.text) for row in reporting.listed.hallucinating for each in row.hallucinations]
    else:
        new = reporting.comparison.found("hallucination_rate")
        pairs = [(each.case_id, each.problem.detail) for each in new if each.problem is not None]
    for case_id, text in pairs:
        found[case_id] = (*found.get(case_id, ()), text)
    return found


def _broken(reporting: Reporting) -> frozenset[str]:
    """Cases whose failing is new: they passed on the baseline, or it does not have them in this form."""
    comparison = reporting.comparison
    if comparison is None:
        return frozenset([row.case_id for row in reporting.listed.failing])
    return frozenset([*comparison.regressions, *comparison.added.named, *comparison.changed.named])


def _unmeasured(reporting: Reporting, root: str) -> Iterator[Remark]:
    message = "It counts against the budget of unmeasured cases."
    for row in reporting.listed.unmeasured:
        yield _remark("notice", row, "not measured", message, reporting, root)


def _message(row: CaseRun, invented: tuple[str, ...], reporting: Reporting) -> Text:
    """The first problems as sentences, and what was made up where none of them quotes it."""
    levels = reporting.run.policy.gates
    found = [
        (gate, each)
        for gate, outcome in row.outcomes.items()
        if outcome.kind == "failed" and levels.of(gate).level == "block"
        for each in outcome.problems
    ]
    words: list[Text] = []
    if reporting.shows_texts:
        unquoted = [text for text in invented if not any(text in each.detail for _gate, each in found)]
        words += [("“", Foreign(cut(text, _LONGEST_TEXT)), "”") for text in unquoted]
    words += [Foreign(cut(shown_problem(gate, each, reporting), _LONGEST_TEXT)) for gate, each in found]
    more = f"; and {len(words) - _PROBLEMS} more" if len(words) > _PROBLEMS else ""
    return joined("; ", words[:_PROBLEMS]), more


def _remark(
    level: Literal["error", "warning", "notice"],
    row: CaseRun,
    title: str,
    message: Text,
    reporting: Reporting,
    root: str,
) -> Remark:
    file, line = place_of(row, root)
    return Remark(
        level=level,
        message=message,
        title=(Foreign(cut(row.case_id, _LONGEST_NAME)), f": {title}"),
        file=file,
        line=line,
        repeat=repeat_command(row.case_id, reporting.run),
        stage=row.first_failed_stage if row.kind != "known_bad" else None,
    )
