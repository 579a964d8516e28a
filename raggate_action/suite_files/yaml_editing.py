"""Labels put into a YAML or JSON case file by the places of what stands in it: no round trip keeps every byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from raggate_action.suite_files.edits import Insertion, Labels, Way, in_json, in_yaml
from raggate_action.suite_files.yaml_file import Place, places

_BREAK = re.compile(r"\r\n|\n|\r")
_MARK = " # proposed"


@dataclass(slots=True)
class _Entry:
    """A key and its value: where the key begins and the value ends, once the whole of it has been read."""

    key: str
    start: int
    end: int = 0
    value: str = ""
    open_ended: bool = False
    whole: bool = False


@dataclass(slots=True)
class _Written:
    """A case as it is written."""

    flow: bool
    entries: list[_Entry] = field(default_factory=list)
    end: int = 0

    @property
    def case_id(self) -> str:
        return next((entry.value for entry in self.entries if entry.key == "case_id"), "")


def ways_in_yaml(text: str, wanted: Mapping[str, Labels], *, json: bool) -> dict[str, list[Way]]:
    """For each case that is found, the ways to write its labels, the best first.

    Args:
        text: The file without its byte order mark.
        wanted: Labels by case id.
        json: Keys are written in quotes.
    """
    found: dict[str, list[Way]] = {}
    for case in _cases(text):
        labels = wanted.get(case.case_id)
        if labels and case.entries:
            ways = _in_brackets(case, labels, json=json) if case.flow else _in_lines(text, case, labels)
            found[case.case_id] = list(ways)
    return found


def _in_brackets(case: _Written, labels: Labels, *, json: bool) -> Iterator[Way]:
    """Behind the last value; a comment has no room there, so a key says what was proposed."""
    shown = in_json if json else in_yaml
    members: dict[str, JsonValue] = {**labels, "proposed": [*labels]}
    text = "".join(f", {shown(name)}: {shown(value)}" for name, value in members.items())
    yield (Insertion(case.entries[-1].end, text),)
    yield (Insertion(case.end - 1, text),)


def _in_lines(text: str, case: _Written, labels: Labels) -> Iterator[Way]:
    """Lines behind the last value whose end is certain; where the file ends in it, without a break at the end."""
    first = case.entries[0].start
    line_start = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    indent = " " * (first - line_start)
    lines = [line for name, value in labels.items() for line in _lines(name, value, indent)]
    for entry in reversed([each for each in case.entries if not each.open_ended]):
        ended = _BREAK.search(text, entry.end)
        if ended is None:
            newline = (_BREAK.search(text) or ["\n"])[0]
            yield (Insertion(len(text), "".join(newline + line for line in lines)),)
        else:
            yield (Insertion(ended.end(), "".join(line + ended[0] for line in lines)),)


def _lines(name: str, value: object, indent: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{indent}{name}: {in_yaml(str(value))}{_MARK}"
        return
    yield f"{indent}{name}:{_MARK}"
    yield from (f"{indent}  - {in_yaml(item)}" for item in value)


def _cases(text: str) -> Iterator[_Written]:
    """The mappings of the file's list, be it the whole file or the value of its key `cases`."""
    depth = 0
    case: _Written | None = None
    opened = 0
    listed: int | None = None
    key = ""
    for place in places(text):
        if place.kind == "end":
            depth -= 1
            if case is not None and depth == opened:
                case.end = place.end
                yield case
                case = None
            elif case is not None:
                _closed(case, place, depth - opened)
            elif listed is not None and depth < listed:
                listed = None
            continue
        if case is not None:
            _piece(case, place, depth - opened)
        elif listed is not None and depth == listed and place.kind == "mapping":
            case, opened = _Written(place.flow), depth
        elif place.kind == "list" and listed is None and (depth == 0 or (depth == 1 and key == "cases")):
            listed = depth + 1
        elif depth == 1 and place.kind == "value":
            key = place.value
        depth += place.kind in {"list", "mapping"}


def _piece(case: _Written, place: Place, depth: int) -> None:
    """One piece within a case; at depth 1 keys and values take turns."""
    last = case.entries[-1] if case.entries else None
    if last is None or (depth == 1 and last.whole):
        case.entries.append(_Entry(place.value, place.start))
    elif place.kind == "value":
        last.end, last.open_ended = place.end, place.open_ended
        if depth == 1:
            last.value, last.whole = place.value, True


def _closed(case: _Written, place: Place, depth: int) -> None:
    """A list or mapping within a case ends: in brackets with its bracket, in lines with the last piece in it."""
    last = case.entries[-1]
    if place.end > place.start:
        last.end, last.open_ended = place.end, False
    last.whole = depth == 1
