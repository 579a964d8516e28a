"""Cases as a table: a header of field names, one case per row, list cells split at `;`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple, get_args, get_origin

from raggate_action.schema.case import Case
from raggate_action.suite_files.foreign_names import meant_by
from raggate_action.suite_files.nodes import Entry, Mapping, Node, Scalar, Sequence, number_or_boolean
from raggate_action.suite_files.problems import START, FileProblems, Mark, closest, name_text, or_known

_QUOTED = re.compile(r'[ \t]*"((?:[^"]|"")*+)"[ \t]*(?=[,\r\n]|\Z)')
_QUOTE = re.compile(r'[ \t]*"')
_BARE = re.compile(r"[^,\r\n]*")
_BREAK = re.compile(r"\r\n|\n|\r")
_NESTED = frozenset({"messages", "input", "trace"})
_NEEDED = ("case_id", "question")
_LISTS = frozenset(
    name
    for name, field in Case.model_fields.items()
    if tuple in {get_origin(part) for part in (field.annotation, *get_args(field.annotation))}
)


class Cell(NamedTuple):
    """A cell: what it says, where it stands, and its characters, between commas or line breaks.

    `text` is trimmed, `verbatim` is not.
    """

    text: str
    mark: Mark
    start: int = 0
    end: int = 0
    verbatim: str = ""


def read_csv(text: str, problems: FileProblems) -> Sequence | None:
    """Read a table of cases.

    Cells are trimmed, an empty one is an absent field, and plain numbers and booleans are read as such.

    Returns:
        One mapping per row; None when the table could not be read, which `problems` then says.
    """
    rows = [row for row in rows_of(text, problems) if any(cell.text for cell in row)]
    if not rows:
        return Sequence((), START)
    header = _checked(rows[0], problems)
    return (
        None if header is None else Sequence(tuple([_case(header, row, problems) for row in rows[1:]]), rows[0][0].mark)
    )


def _checked(header: list[Cell], problems: FileProblems) -> list[Cell] | None:
    """The header, unknown columns without a name; None when the rows under it say nothing.

    What is wrong with a column is told once, here: in the rows it would be told as often as there are rows.
    """
    before = len(problems)
    names = frozenset([cell.text for cell in header])
    seen: set[str] = set()
    for cell in header:
        if cell.text in seen:
            problems.add(cell.mark, f"column `{name_text(cell.text)}` is there twice; keep one of them")
        elif _is_nested(cell.text, names):
            name = name_text(cell.text)
            problems.add(cell.mark, f"column `{name}` holds nested values; write such cases as YAML, JSON or JSONL")
        elif not cell.text:
            problems.add(cell.mark, "this column has no name; write the name of a case field")
        seen.add(cell.text)
    if len(problems) > before:
        return None
    known = Case.model_fields.keys() - _NESTED
    for cell in header:
        if cell.text not in known:
            problems.add(cell.mark, _unknown(cell.text, names))
    is_whole = _has_what_a_case_needs(header, names, problems)
    return [cell if cell.text in known else cell._replace(text="") for cell in header] if is_whole else None


def _is_nested(name: str, names: Collection[str]) -> bool:
    is_question = "question" not in names and meant_by(name) == "question"
    return name.split(".", maxsplit=1)[0] in _NESTED and not is_question


def _has_what_a_case_needs(header: list[Cell], names: Collection[str], problems: FileProblems) -> bool:
    missing = [name for name in _NEEDED if name not in names]
    for name in missing:
        if all(meant_by(cell.text) != name and closest(cell.text, _NEEDED) != name for cell in header):
            problems.add(header[0].mark, f"column `{name}` is missing; every case needs one")
    if missing and any(meant_by(name) == "question" for name in names):
        text = "this is no table of cases yet"
        problems.add(header[0].mark, f"{text}; `raggate-action init --from {problems.file}` writes cases from it")
    return not missing


def _unknown(name: str, names: Collection[str]) -> str:
    """What a column that is no field of a case may be instead; `names` are those of all columns."""
    meant = meant_by(name)
    if meant is not None and meant not in names:
        instead = f"rename it to `{meant}`"
    else:
        free = [field for field in Case.model_fields if field not in names and field not in map(meant_by, names)]
        instead = or_known(name, free, otherwise="take it out, or name it as one")
    return f"column `{name_text(name)}` is no field of a case; {instead}"


def _case(header: list[Cell], row: list[Cell], problems: FileProblems) -> Node:
    if len(row) > len(header):
        text = f"this row has {len(row)} cells, the header {len(header)}; put cells that hold a comma in double quotes"
        problems.add(row[len(header)].mark, text)
    # A key's place is its cell: the header would be the same place for every row.
    entries = {
        name.text: Entry(cell.mark, _value(name.text, cell))
        for name, cell in zip(header, row, strict=False)
        if name.text and cell.text
    }
    return Mapping(entries, row[0].mark)


def _value(field: str, cell: Cell) -> Node:
    if field in _LISTS:
        items = [part.strip() for part in cell.text.split(";")]
        return Sequence(tuple([Scalar(item, item, cell.mark) for item in items if item]), cell.mark)
    return Scalar(number_or_boolean(cell.text), cell.text, cell.mark, plain=True)


def rows_of(text: str, problems: FileProblems) -> Iterator[list[Cell]]:
    """The rows of a table, the header and blank ones among them; a quoted cell that is not closed ends it."""
    row: list[Cell] = []
    offset, line, start = 0, 1, 0
    while offset <= len(text):
        mark = Mark(line, offset - start + 1)
        if found := _QUOTED.match(text, offset):
            cell = found.group(1).replace('""', '"')
        elif _QUOTE.match(text, offset):
            problems.add(
                mark, 'a cell in double quotes is not closed; end it with `"`, and write `""` for a quote inside'
            )
            return
        else:
            found = _BARE.match(text, offset)
            cell = found.group() if found else ""
        end = found.end() if found else offset
        row.append(Cell(cell.strip(), mark, offset, end, cell))
        for broken in _BREAK.finditer(text, offset, end):
            line, start = line + 1, broken.end()
        ended = _BREAK.match(text, end)
        if ended or end >= len(text):
            yield row
            row = []
            line, start = line + 1, ended.end() if ended else end
        offset = ended.end() if ended else end + 1
