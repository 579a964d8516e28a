"""The one pass over all case files: every case is validated, held against the suite, and placed in the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from raggate_action.schema.case import Case, case_digest
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.suite_files.case_files import LineReader, stamp_of
from raggate_action.suite_files.case_table import CaseFile, CaseTable, Row
from raggate_action.suite_files.entry_files import is_by_line, lines_of, listed_in, place_in
from raggate_action.suite_files.nodes import Node
from raggate_action.suite_files.problems import START, FileProblems, Problems
from raggate_action.suite_files.records import read_record
from raggate_action.suite_files.text_file import unreadable
from raggate_action.suite_files.words import or_known, shown, shown_name

# Where evidence could not be read, its chunks would all be unknown, and bury the message that says so.
_DOUBTS_AT_MOST = 10
_SOURCES = ("required_source_ids", "useful_source_ids")

# What a case was read from, for finding the place of what is wrong with it.
Source: TypeAlias = bytes | Node


class _Fault(NamedTuple):
    """What is wrong inside a valid case: where in it, and the message."""

    path: tuple[int | str, ...]
    text: str


@dataclass(slots=True)
class CaseSurvey:
    """What the suite wants to know of its cases, gathered in passing.

    Attributes:
        unseen_ids: Case ids the suite names that no case has had so far.
        unseen_inputs: Names that slices are cut by and no case's `input` has had so far.
        known_bad: There is a known-bad case.
        must_release: There is a case that must be released.
    """

    unseen_ids: set[str] = field(default_factory=set)
    unseen_inputs: set[str] = field(default_factory=set)
    known_bad: bool = False
    must_release: bool = False

    def see(self, case: Case) -> None:
        """Take note of a case."""
        if self.unseen_ids:
            self.unseen_ids.discard(case.case_id)
        if self.unseen_inputs and isinstance(case.input, dict):
            self.unseen_inputs.difference_update(case.input)
        if case.released is not None:
            self.known_bad |= not case.released
            self.must_release |= case.released


class CaseLoading:
    """Fills a table with the cases of files.

    Attributes:
        table: What has been read.
        survey: What has been learnt of the cases.
        all_read: No case was left out for being wrong, so that an id nobody has had is an unknown one.

    Args:
        store: The evidence that cases may require; None when there is none to hold them against.
        store_is_whole: No chunk was left out of the store for being wrong.
        survey: Is shown every case.
        problems: Is told what is wrong.
    """

    def __init__(
        self, store: EvidenceStore | None, survey: CaseSurvey, problems: Problems, *, store_is_whole: bool
    ) -> None:
        self.table = CaseTable()
        self.all_read = True
        self._known = None if store is None else frozenset(chunk.chunk_id for chunk in store)
        self.survey = survey
        self._store_is_whole = store_is_whole
        self._doubts = 0
        self._problems = problems
        self._lines = LineReader()
        self._told = 0

    def read(self, paths: Iterable[Path]) -> CaseTable:
        """Read all files, in the order given."""
        try:
            for path in paths:
                problems = self._problems.within(path)
                before, self._told = len(problems), 0
                if is_by_line(path):
                    self._read_lines(path, problems)
                else:
                    self._read_document(path, problems)
                self.all_read &= len(problems) - before == self._told
        finally:
            self._lines.close()
        return self.table

    def _read_lines(self, path: Path, problems: FileProblems) -> None:
        try:
            self.table.files.append(CaseFile(path, problems.file, by_line=True, stamp=stamp_of(path)))
        except OSError as error:
            problems.add(START, unreadable(error))
            return
        file = len(self.table.files) - 1
        for case, raw, offset, number in lines_of(path, Case, key="cases", problems=problems):
            self._place(case, Row(file, offset, number, case.weight), raw, problems)

    def _read_document(self, path: Path, problems: FileProblems) -> None:
        self.table.files.append(CaseFile(path, problems.file, by_line=False, stamp=None))
        file = len(self.table.files) - 1
        for node in listed_in(path, "cases", problems):
            case = read_record(Case, node, problems)
            if case is not None:
                row = Row(file, len(self.table.kept), node.mark.line, case.weight)
                self.table.kept.append(case)
                self._place(case, row, node, problems)

    def _place(self, case: Case, row: Row, source: Source, problems: FileProblems) -> None:
        for number in self.table.candidates(case.case_id):
            if self._case_id(number) == case.case_id:
                first = self.table.row(number)
                place = f"{self.table.files[first.file].shown}:{first.line}"
                text = f"case id `{shown_name(case.case_id)}` is already used at {place}; give every case its own id"
                self._tell([_Fault(("case_id",), text)], row, source, problems)
                return
        self.survey.see(case)
        if self._known is not None and not (
            self._known.issuperset(case.required_source_ids) and self._known.issuperset(case.useful_source_ids)
        ):
            self._tell(self._unknown_sources(case, self._known, problems), row, source, problems)
        if case.must_not_contain or case.forbidden_tools:
            self._tell(_contradictions(case), row, source, problems)
        self.table.add(case.case_id, row, digest=case_digest(case))

    def _case_id(self, number: int) -> str:
        row = self.table.row(number)
        file = self.table.files[row.file]
        return self._lines.case_id(file, row.offset) if file.by_line else self.table.kept[row.offset].case_id

    def _unknown_sources(self, case: Case, known: Collection[str], problems: FileProblems) -> Iterator[_Fault]:
        for name in _SOURCES:
            for index, chunk_id in enumerate(getattr(case, name)):
                if chunk_id in known or self._doubts >= _DOUBTS_AT_MOST:
                    continue
                self._doubts += not self._store_is_whole
                end = "write the id of a chunk, or add the chunk to the evidence"
                if not problems.full:
                    end = or_known(chunk_id, known, otherwise=end)
                where = "the evidence" if self._store_is_whole else "the evidence that could be read"
                yield _Fault((name, index), f"`{name}` names `{shown_name(chunk_id)}`, which is not in {where}; {end}")

    def _tell(self, faults: Iterable[_Fault], row: Row, source: Source, problems: FileProblems) -> None:
        for fault in faults:
            self._told += 1
            problems.add(place_in(source, fault.path, row.line, problems), fault.text)


def _contradictions(case: Case) -> Iterator[_Fault]:
    wanted = [phrase.casefold() for phrase in case.must_contain]
    for index, phrase in enumerate(case.must_not_contain):
        if any(phrase.casefold() in text for text in wanted):
            text = f"`must_not_contain` forbids {shown(phrase)}, which `must_contain` demands; take one of them out"
            yield _Fault(("must_not_contain", index), text)
    for index, tool in enumerate(case.forbidden_tools):
        if tool in case.expected_tools:
            text = f"tool `{shown_name(tool)}` is both expected and forbidden; take it out of one list"
            yield _Fault(("forbidden_tools", index), text)
