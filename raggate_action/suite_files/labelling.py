"""Case files with labels put in: byte for byte as they were elsewhere, and read again before anybody writes them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.schema.case import Case
from raggate_action.suite_files.case_loading import CaseLoading
from raggate_action.suite_files.case_survey import CaseSurvey
from raggate_action.suite_files.edits import Labels, Way, with_insertions
from raggate_action.suite_files.entry_files import is_by_line
from raggate_action.suite_files.line_editing import ways_in_lines, ways_in_table
from raggate_action.suite_files.problems import Problems
from raggate_action.suite_files.text_file import BOM
from raggate_action.suite_files.yaml_editing import ways_in_yaml

# What a table has no room for: its list cells are split at semicolons, and hold texts alone.
_NOT_IN_TABLES = frozenset({"required_points"})


class Labelled(NamedTuple):
    """A case file with labels.

    Attributes:
        path: The file.
        before, after: Its bytes; equal where nothing was put in.
        written: Cases that have their labels now.
        refused: Cases whose labels cannot be put in without changing something else, or at all.
    """

    path: Path
    before: bytes
    after: bytes
    written: tuple[str, ...]
    refused: tuple[str, ...]


def fits_table(labels: Labels) -> dict[str, JsonValue]:
    """What of the labels of a case a CSV table can hold."""
    kept: dict[str, JsonValue] = {}
    for name, value in labels.items():
        items: JsonValue = value
        if isinstance(value, list):
            items = [item for item in value if isinstance(item, str) and ";" not in item]
        if name not in _NOT_IN_TABLES and items:
            kept[name] = items
    return kept


def labelled(path: Path, wanted: Mapping[str, Labels]) -> Labelled:
    """Put labels into a file.

    What comes out is read again by the loader of suites: its cases have to be the old ones, in their order, and nothing
    but the labels may have been added. Where that is not so for a case, it keeps what it had.

    Args:
        path: A case file that can be read.
        wanted: Labels by case id, none of which the case has; cases that are in other files are left alone.

    Raises:
        OSError: The file cannot be read.
    """
    before = path.read_bytes()
    cases = _cases_in(path, before)
    if cases is None:
        return Labelled(path, before, before, (), ())
    writing = _Writing(path, before, wanted)
    chosen = writing.chosen(cases)
    refused = tuple(name for name in writing.ways if name not in chosen)
    return Labelled(path, before, writing.content(chosen), tuple(chosen), refused)


class _Writing:
    """A file that labels are put into.

    Attributes:
        ways: The ways to write the labels of each of its cases.
    """

    def __init__(self, path: Path, before: bytes, wanted: Mapping[str, Labels]) -> None:
        self._path = path
        self._wanted = wanted
        self._bom = BOM if before.startswith(BOM) else b""
        self._text = before[len(self._bom) :].decode()
        self._first: Way = ()
        suffix = path.suffix.lower()
        if suffix == ".csv":
            self.ways, self._first = ways_in_table(self._text, wanted)
        elif is_by_line(path):
            self.ways = ways_in_lines(self._text, wanted)
        else:
            self.ways = ways_in_yaml(self._text, wanted, json=suffix == ".json")

    def chosen(self, cases: list[Case]) -> dict[str, Way]:
        """A way for every case by which the file reads as it must: all at once, else half by half."""
        return self._with(cases, list(self.ways), {})

    def _with(self, cases: list[Case], names: list[str], chosen: dict[str, Way]) -> dict[str, Way]:
        """What is chosen, and a way for each of these cases that has one: a few bad ones cost few readings."""
        together = chosen | {name: self.ways[name][0] for name in names}
        if not names or self._holds(cases, together):
            return together
        if len(names) > 1:
            half = len(names) // 2
            return self._with(cases, names[half:], self._with(cases, names[:half], chosen))
        others = (chosen | {names[0]: way} for way in self.ways[names[0]][1:])
        return next((each for each in others if self._holds(cases, each)), chosen)

    def content(self, chosen: Mapping[str, Way]) -> bytes:
        """The file with these written; as it was with none."""
        insertions = [*(self._first if chosen else ()), *(each for way in chosen.values() for each in way)]
        return self._bom + with_insertions(self._text, insertions).encode()

    def _holds(self, cases: list[Case], chosen: Mapping[str, Way]) -> bool:
        again = _cases_in(self._path, self.content(chosen))
        return again is not None and _is_as_wanted(cases, again, {name: self._wanted[name] for name in chosen})


def _is_as_wanted(before: list[Case], after: list[Case], wanted: Mapping[str, Labels]) -> bool:
    if len(before) != len(after):
        return False
    for old, new in zip(before, after, strict=True):
        labels = wanted.get(old.case_id)
        if labels is None:
            if old != new:
                return False
            continue
        added = new.model_dump(mode="json", include=set(labels), exclude_unset=True, exclude_defaults=True)
        rest = {name: getattr(new, name) for name in Case.model_fields if name not in {*labels, "proposed"}}
        if any(getattr(old, name) != value for name, value in rest.items()) or added != dict(labels):
            return False
        if not old.model_fields_set.isdisjoint(labels):
            return False
    return True


def _cases_in(path: Path, content: bytes) -> list[Case] | None:
    """The cases of a file of such a name with this content, as a suite would read them; None where it would not."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"cases{path.suffix}"
        copy.write_bytes(content)
        problems = Problems()
        survey = CaseSurvey.of(waived=(), cut_by=(), values=())
        found = CaseLoading(None, survey, problems, store_is_whole=False).read([copy])
        return None if len(problems) else [placed.case for placed in found.values()]
