"""Case files with labels put in: byte for byte as they were elsewhere, and read again before anybody writes them."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from raggate_action.schema.case import Case
from raggate_action.suite_files.cases import CaseReading
from raggate_action.suite_files.file_reading import BOM, is_by_line
from raggate_action.suite_files.problems import Problems
from raggate_action.suite_files.yaml_file import YamlPiece, places

# Labels of a case by field; a list of texts, a list of points, or one text.
Labels: TypeAlias = Mapping[str, JsonValue]

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_MEANT_OTHERWISE = frozenset({"true", "false", "null"})
# JSON lets them stand; YAML takes them for line breaks, or not at all.
_UNPRINTABLE = re.compile("[\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_PROPOSED = "proposed"
_BREAK = re.compile(r"\r\n|\n|\r")
_MARK = " # proposed"


class Insertion(NamedTuple):
    """A text that is put in before the character `at`, in the place of what stands from there up to `end`."""

    at: int
    text: str
    end: int = 0


# One way to write the labels of a case; all of it is done or nothing.
Way: TypeAlias = tuple[Insertion, ...]


class LabelledCase(NamedTuple):
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


def write_case_labels(path: Path, wanted: Mapping[str, Labels]) -> LabelledCase:
    """Put labels into a file.

    What comes out is read again by the loader of suites: its cases have to be the old ones, in their order, and nothing
    but the labels may be another. Where that is not so for a case, it keeps what it had.

    Args:
        path: A case file that can be read.
        wanted: Labels by case id, in the place of those that the case has; an empty list takes them out. Cases that are
            in other files are left alone.

    Raises:
        OSError: The file cannot be read.
    """
    before = path.read_bytes()
    cases = _cases_in(path, before)
    if cases is None:
        return LabelledCase(path, before, before, (), ())
    writing = _CaseFileEdit(path, before, wanted)
    chosen = writing.chosen(cases)
    refused = tuple(name for name in writing.ways if name not in chosen)
    return LabelledCase(path, before, writing.content(chosen), tuple(chosen), refused)


class _CaseFileEdit:
    """A file that labels are put into.

    Attributes:
        ways: The ways to write the labels of each of its cases.
    """

    def __init__(self, path: Path, before: bytes, wanted: Mapping[str, Labels]) -> None:
        self._path = path
        self._wanted = wanted
        self._bom = BOM if before.startswith(BOM) else b""
        self._text = before[len(self._bom) :].decode()
        suffix = path.suffix.lower()
        if is_by_line(path):
            self.ways = ways_in_lines(self._text, wanted)
        else:
            self.ways = ways_in_yaml(self._text, wanted, quoted=suffix == ".json")

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
        """The file with these labels written; unchanged without labels."""
        insertions = [each for way in chosen.values() for each in way]
        return self._bom + with_insertions(self._text, insertions).encode()

    def _holds(self, cases: list[Case], chosen: Mapping[str, Way]) -> bool:
        again = _cases_in(self._path, self.content(chosen))
        return again is not None and _is_exact_edit(cases, again, {name: self._wanted[name] for name in chosen})


def _is_exact_edit(before: list[Case], after: list[Case], wanted: Mapping[str, Labels]) -> bool:
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
        given = {name: value for name, value in labels.items() if value != []}
        if any(getattr(old, name) != value for name, value in rest.items()) or added != given:
            return False
    return True


def _cases_in(path: Path, content: bytes) -> list[Case] | None:
    """The cases of a file of such a name with this content, as a suite would read them; None where it would not."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"cases{path.suffix}"
        copy.write_bytes(content)
        problems = Problems()
        found = CaseReading(None, problems, store_is_whole=False).read([copy])
        return None if len(problems) else [placed.case for placed in found.values()]


def ways_in_lines(text: str, wanted: Mapping[str, Labels]) -> dict[str, list[Way]]:
    """For each case that is found in lines of JSON, the way to write its labels; a key says what was proposed."""
    found: dict[str, list[Way]] = {}
    at = 0
    for line in text.split("\n"):
        labels = wanted.get(_id_in(line))
        if labels:
            inner = line.rstrip().removesuffix("}").rstrip()
            added = _members(labels, in_json)
            if (case := json.loads(line)).keys().isdisjoint({*labels, _PROPOSED}):
                found[_id_in(line)] = [(Insertion(at + len(inner), added),)]
            else:
                rest = {name: value for name, value in case.items() if name not in {*labels, _PROPOSED}}
                whole = in_json(rest).removesuffix("}") + added
                found[_id_in(line)] = [(Insertion(at, whole, end=at + len(inner)),)]
        at += len(line) + 1
    return found


def _id_in(line: str) -> str:
    try:
        case = json.loads(line)
    except ValueError:
        return ""
    return str(case.get("case_id", "")) if isinstance(case, dict) else ""


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
class _WrittenCase:
    """A case as it is written."""

    flow: bool
    entries: list[_Entry] = field(default_factory=list)
    end: int = 0

    @property
    def case_id(self) -> str:
        return next((entry.value for entry in self.entries if entry.key == "case_id"), "")


def ways_in_yaml(text: str, wanted: Mapping[str, Labels], *, quoted: bool) -> dict[str, list[Way]]:
    """For each case that is found, the ways to write its labels, the best first.

    Args:
        text: The file without its byte order mark.
        wanted: Labels by case id.
        quoted: Keys are written in quotes.
    """
    found: dict[str, list[Way]] = {}
    for case in _cases(text):
        labels = wanted.get(case.case_id)
        if labels and case.entries:
            ways = _in_brackets(case, labels, quoted=quoted) if case.flow else _in_lines(text, case, labels)
            found[case.case_id] = list(ways)
    return found


def _in_brackets(case: _WrittenCase, labels: Labels, *, quoted: bool) -> Iterator[Way]:
    """Behind the last value; a comment has no room there, so a key says what was proposed."""
    text = _members(labels, in_json if quoted else in_yaml)
    removed = [
        Insertion(before.end, "", end=entry.end)
        for before, entry in pairwise(case.entries)
        if entry.key in {*labels, _PROPOSED}
    ]
    yield *removed, Insertion(case.entries[-1].end, text)
    yield *removed, Insertion(case.end - 1, text)


def _members(labels: Labels, spell: Callable[[JsonValue], str]) -> str:
    """What is put behind the members of a case, with the names of what is proposed."""
    given: dict[str, JsonValue] = {name: value for name, value in labels.items() if value != []}
    given[_PROPOSED] = [*given]
    return "".join(f", {spell(name)}: {spell(value)}" for name, value in given.items())


def _in_lines(text: str, case: _WrittenCase, labels: Labels) -> Iterator[Way]:
    """Lines behind the last value whose end is certain; where the file ends in it, without a break at the end."""
    first = case.entries[0].start
    line_start = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    indent = " " * (first - line_start)
    lines = [line for name, value in labels.items() if value != [] for line in _lines(name, value, indent)]
    removed = []
    for entry in case.entries[1:]:
        if entry.key in labels and not entry.open_ended:
            ended = _BREAK.search(text, entry.end)
            start = max(text.rfind("\n", 0, entry.start), text.rfind("\r", 0, entry.start)) + 1
            removed.append(Insertion(start, "", end=len(text) if ended is None else ended.end()))
    for entry in reversed([each for each in case.entries if not each.open_ended]):
        ended = _BREAK.search(text, entry.end)
        if ended is None:
            newline = (_BREAK.search(text) or ["\n"])[0]
            yield *removed, Insertion(len(text), "".join(newline + line for line in lines))
        else:
            yield *removed, Insertion(ended.end(), "".join(line + ended[0] for line in lines))


def _lines(name: str, value: object, indent: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{indent}{name}: {in_yaml(str(value))}{_MARK}"
        return
    yield f"{indent}{name}:{_MARK}"
    yield from (f"{indent}  - {in_yaml(item)}" for item in value)


def _cases(text: str) -> Iterator[_WrittenCase]:
    """The mappings of the file's list, be it the whole file or the value of its key `cases`."""
    depth = 0
    case: _WrittenCase | None = None
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
            case, opened = _WrittenCase(place.flow), depth
        elif place.kind == "list" and listed is None and (depth == 0 or (depth == 1 and key == "cases")):
            listed = depth + 1
        elif depth == 1 and place.kind == "value":
            key = place.value
        depth += place.kind in {"list", "mapping"}


def _piece(case: _WrittenCase, place: YamlPiece, depth: int) -> None:
    """One piece within a case; at depth 1 keys and values take turns."""
    last = case.entries[-1] if case.entries else None
    if last is None or (depth == 1 and last.whole):
        case.entries.append(_Entry(place.value, place.start))
    elif place.kind == "value":
        last.end, last.open_ended = place.end, place.open_ended
        if depth == 1:
            last.value, last.whole = place.value, True


def _closed(case: _WrittenCase, place: YamlPiece, depth: int) -> None:
    """A list or mapping within a case ends: in brackets with its bracket, in lines with the last piece in it."""
    last = case.entries[-1]
    if place.end > place.start:
        last.end, last.open_ended = place.end, False
    last.whole = depth == 1


def with_insertions(text: str, insertions: Iterable[Insertion]) -> str:
    """The text with everything put in; of two at one place the first comes first."""
    parts: list[str] = []
    done = 0
    for each in sorted(insertions, key=lambda insertion: insertion.at):
        parts += (text[done : each.at], each.text)
        done = max(each.at, each.end)
    return "".join((*parts, text[done:]))


def in_json(value: JsonValue) -> str:
    """A value on one line, as JSON."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def in_yaml(value: JsonValue) -> str:
    """A value on one line, as YAML in brackets: names bare, other texts in double quotes."""
    if isinstance(value, str):
        bare = _PLAIN.fullmatch(value) and value.casefold() not in _MEANT_OTHERWISE
        return value if bare else in_json(value)
    if isinstance(value, list):
        return f"[{', '.join(map(in_yaml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{in_yaml(key)}: {in_yaml(item)}' for key, item in value.items())}}}"
    return json.dumps(value)
