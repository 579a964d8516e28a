"""The rubric for pairs of answers: ours, or a file of the suite's author."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from raggate_action.schema.later import Rubric
from raggate_action.schema.suite import Suite
from raggate_action.strings.template_files import template_directory
from raggate_action.suite_files.file_reading import read_data_file
from raggate_action.suite_files.located_records import read_record
from raggate_action.suite_files.located_tree import MappingNode, Node, PlacedFault, mark_at
from raggate_action.suite_files.problems import FileProblems, Problems, name_text

_WHAT_TO_WRITE = "write `dimensions:` with a name, `asks:` and `levels:` for each"
# `total_A` and `total_B` are columns of their own.
_TAKEN = "total"
_ENDS = (1, 5)


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
    if suite.ab.rubric is None:
        return default_rubric()
    file = path.parent / suite.ab.rubric
    if not file.is_file():
        text = (
            f"there is no file `{name_text(suite.ab.rubric)}`; write the rubric's path, relative to this file's folder"
        )
        problems.within(path).add(mark_at(root, "ab", "rubric"), text)
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
    if rubric is not None:
        problems.extend(_scale_faults(node, rubric))
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


def _scale_faults(root: Node, rubric: Rubric) -> Iterator[PlacedFault]:
    """What no record sees with its place: taken names, scores written twice, scales without an end."""
    for at, dimension in enumerate(rubric.dimensions):
        if dimension.name == _TAKEN:
            text = f"`{_TAKEN}` is what the sum of all scores is called; write another name"
            yield mark_at(root, "dimensions", at, "name"), text
        lines: dict[int, int] = {}
        for number, level in enumerate(dimension.levels):
            mark = mark_at(root, "dimensions", at, "levels", number, "score")
            if level.score in lines:
                text = f"the score {level.score} stands on line {lines[level.score]} already; write each score once"
                yield mark, text
            lines.setdefault(level.score, mark.line)
        missing = " or ".join([str(end) for end in _ENDS if end not in lines])
        if missing:
            text = f"no level says what a score of {missing} stands for; describe 1 and 5 at least"
            yield mark_at(root, "dimensions", at, "levels"), text
