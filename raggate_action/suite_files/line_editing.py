"""Labels put into the lines of a JSONL file and the rows of a CSV table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from raggate_action.suite_files.csv_file import Cell, rows_of
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
    rows = [row for row in rows_of(text, FileProblems("")) if any(cell.text for cell in row)]
    if not rows:
        return {}, ()
    header = [cell.text for cell in rows[0]]
    needed = dict.fromkeys(name for labels in wanted.values() for name in (*labels, _PROPOSED))
    added = [name for name in needed if name not in header]
    place = header.index("case_id") if "case_id" in header else len(header)
    found: dict[str, list[Way]] = {}
    for row in rows[1:]:
        labels = wanted.get(row[place].text) if place < len(row) else None
        if labels:
            cells = {name: _cell(value) for name, value in labels.items()} | {_PROPOSED: _cell([*labels])}
            found[row[place].text] = [tuple(_filled(row, [*header, *added], cells))]
    heading = "".join(f",{name}" for name in added)
    return found, (Insertion(rows[0][-1].end, heading),) if added else ()


def _filled(row: list[Cell], header: list[str], cells: Mapping[str, str]) -> Iterator[Insertion]:
    behind = ""
    for place, name in enumerate(header):
        if place < len(row):
            if name in cells:
                yield Insertion(row[place].start, cells[name])
        else:
            behind += f",{cells.get(name, '')}"
    yield Insertion(row[-1].end, behind.rstrip(","))


def _cell(value: JsonValue) -> str:
    text = ";".join(str(item) for item in value) if isinstance(value, list) else str(value)
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if set(',"\r\n') & set(text) or text != text.strip() else text
