"""Labels put into the lines of a JSONL file and the rows of a CSV table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from pydantic import JsonValue

from raggate_action.suite_files.csv_file import LINE, quoted_cell, rows_of
from raggate_action.suite_files.edits import Insertion, Labels, Way, in_json
from raggate_action.suite_files.problems import FileProblems

_PROPOSED = "proposed"


def ways_in_lines(text: str, wanted: Mapping[str, Labels]) -> dict[str, list[Way]]:
    """For each case that is found in lines of JSON, the way to write its labels; a key says what was proposed."""
    found: dict[str, list[Way]] = {}
    at = 0
    for line in text.split("\n"):
        labels = wanted.get(_id_in(line))
        if labels:
            inner = line.rstrip().removesuffix("}").rstrip()
            members: dict[str, JsonValue] = {**labels, _PROPOSED: [*labels]}
            added = "".join(f", {in_json(name)}: {in_json(value)}" for name, value in members.items())
            found[_id_in(line)] = [(Insertion(at + len(inner), added),)]
        at += len(line) + 1
    return found


def _id_in(line: str) -> str:
    try:
        case = json.loads(line)
    except ValueError:
        return ""
    return str(case.get("case_id", "")) if isinstance(case, dict) else ""


def ways_in_table(text: str, wanted: Mapping[str, Labels]) -> tuple[dict[str, list[Way]], Way]:
    """For each case that is found in a table, the way to write its labels, and what the header needs first.

    Labels without a column get one at the end, and so does what was proposed; other rows stay as they are.
    """
    rows = list(rows_of(text, FileProblems("")))
    if not rows:
        return {}, ()
    separator = rows[0].separator
    lines = [line.start() for line in LINE.finditer(text)]
    header = [cell.strip() for cell in rows[0].cells]
    needed = dict.fromkeys(name for labels in wanted.values() for name in (*labels, _PROPOSED))
    added = [name for name in needed if name not in header]
    place = header.index("case_id") if "case_id" in header else len(header)
    found: dict[str, list[Way]] = {}
    for row in rows[1:]:
        case_id = row.cells[place].strip() if place < len(row.cells) else ""
        labels = wanted.get(case_id)
        if labels:
            cells: dict[str, JsonValue] = {**labels, _PROPOSED: [*labels]}
            written = [_cell(cells[name], separator) if name in cells else "" for name in (*header, *added)]
            found[case_id] = [_filled(_places(text, lines[row.mark.line - 1], separator), written, separator)]
    heading = "".join(f"{separator}{name}" for name in added)
    return found, (Insertion(_places(text, lines[rows[0].mark.line - 1], separator)[-1], heading),) if added else ()


def _places(text: str, at: int, separator: str) -> list[int]:
    """Where the cells of the row that begins at a character begin themselves, and where the last of them ends."""
    quoted, bare = quoted_cell(separator), re.compile(rf"[^{separator}\r\n]*")
    places = [at]
    while cell := quoted.match(text, places[-1]) or bare.match(text, places[-1]):
        if text[cell.end() : cell.end() + 1] != separator:
            break
        places.append(cell.end() + 1)
    return [*places, cell.end() if cell else at]


def _filled(places: list[int], cells: list[str], separator: str) -> Way:
    *starts, end = places
    inside = [Insertion(start, cell) for start, cell in zip(starts, cells, strict=False) if cell]
    behind = "".join(f"{separator}{cell}" for cell in cells[len(starts) :])
    return (*inside, Insertion(end, behind.rstrip(separator)))


def _cell(value: JsonValue, separator: str) -> str:
    text = ";".join(str(item) for item in value) if isinstance(value, list) else str(value)
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if {separator, '"', "\r", "\n"} & set(text) or text != text.strip() else text
