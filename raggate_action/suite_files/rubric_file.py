"""The rubric for pairs of answers: ours, or a file of the suite's author."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from raggate_action.schema.later import Rubric
from raggate_action.schema.suite import Suite
from raggate_action.strings.template_files import template_directory
from raggate_action.suite_files.file_reading import read_data_file
from raggate_action.suite_files.located_records import read_record
from raggate_action.suite_files.located_tree import MappingNode, Node, children, mark_at, written_text
from raggate_action.suite_files.problems import FileProblems, Problems, name_text

_WHAT_TO_WRITE = "write `dimensions:` with a name, `asks:` and `levels:` for each"
# `total_A` and `total_B` are columns of their own.
_TAKEN = "total"
_SCORES = ("1", "2", "3", "4", "5")
_ENDS = (_SCORES[0], _SCORES[-1])


def rubric_of(suite: Suite, root: Node, path: Path, problems: Problems) -> Rubric | None:
    """The rubric of a suite's comparison, its own or ours; None without a comparison or a sound rubric.

    Args:
        suite: The suite.
        root: Its file.
        path: Where that is.
        problems: Of all files; is told what is wrong.
    """
    if suite.ab is None:
        return None
    named = written_text(root, "ab", "rubric")
    if suite.ab.rubric is None or named is None:
        return default_rubric()
    file = path.parent / suite.ab.rubric
    if not file.is_file():
        text = f"there is no file `{name_text(named.text)}`; write the rubric's path, relative to this file's folder"
        problems.within(path).add(named.mark, text)
        return None
    return read_rubric(file, problems.within(file))


def read_rubric(path: Path, problems: FileProblems) -> Rubric | None:
    """The rubric of a file, YAML or JSON.

    Args:
        path: The file.
        problems: Is told everything that is wrong with it.

    Returns:
        The rubric; None where `problems` has been told why there is none.
    """
    node = read_data_file(path, problems)
    if node is None:
        return None
    if not isinstance(node, MappingNode):
        problems.add(node.mark, f"this is no rubric; {_WHAT_TO_WRITE}")
        return None
    from raggate_action.schema.ab import Rubric

    before = len(problems)
    rubric = read_record(Rubric, node, problems)
    _check_dimensions(node, problems)
    return rubric if len(problems) == before else None


@cache
def default_rubric() -> Rubric:
    """The rubric of a suite that names no other."""
    path = template_directory() / "rubric.yaml"
    problems = Problems()
    rubric = read_rubric(path, problems.within(path))
    if rubric is None:
        raise problems.error(path)
    return rubric


def _check_dimensions(root: Node, problems: FileProblems) -> None:
    """What no record sees with its place: taken names, scores written twice, scales without an end."""
    for dimension in children(root, "dimensions"):
        name = written_text(dimension, "name")
        if name is not None and name.text == _TAKEN:
            problems.add(name.mark, f"`{_TAKEN}` is what the sum of all scores is called; write another name")
        _check_levels(dimension, problems)


def _check_levels(dimension: Node, problems: FileProblems) -> None:
    """That each score stands there once, and both ends of the scale do; what is no score has been reported."""
    scores = [written_text(level, "score") for level in children(dimension, "levels")]
    lines: dict[str, int] = {}
    for score in scores:
        if score is not None and lines.setdefault(score.text, score.mark.line) != score.mark.line:
            text = (
                f"the score {name_text(score.text)} stands on line {lines[score.text]} already; write each score once"
            )
            problems.add(score.mark, text)
    missing = [end for end in _ENDS if end not in lines]
    if scores and missing and all(score is not None and score.text in _SCORES for score in scores):
        text = (
            f"no level says what a score of {' or '.join(missing)} stands for; describe {' and '.join(_ENDS)} at least"
        )
        problems.add(mark_at(dimension, "levels"), text)
