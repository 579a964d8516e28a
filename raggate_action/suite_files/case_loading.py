"""The one pass over all case files: every case is validated, held against the suite, and placed in the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from raggate_action.schema.case import Case, case_digest
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.suite_files.case_checks import Fault, faults_in
from raggate_action.suite_files.case_files import LineReader, stamp_of
from raggate_action.suite_files.case_survey import CaseSurvey
from raggate_action.suite_files.case_table import CaseFile, CaseTable, Row
from raggate_action.suite_files.entry_files import Line, is_by_line, lines_of, listed_in, place_in
from raggate_action.suite_files.modules import Modules
from raggate_action.suite_files.nodes import Node
from raggate_action.suite_files.problems import START, FileProblems, Problems
from raggate_action.suite_files.records import Standin, read_record, salvaged
from raggate_action.suite_files.text_file import unreadable
from raggate_action.suite_files.words import or_known, shown_name

# Where evidence could not be read, all its chunks would seem unknown, and hide the message that says why.
_DOUBTS_AT_MOST = 10
_SOURCES = ("required_source_ids", "useful_source_ids")

# What a case was read from, for finding the place of what is wrong with it.
_Source: TypeAlias = bytes | Node


# What stands in for a key at fault, so that the rest of the case can be held against the other files.
_INSTEAD: dict[str, dict[str, Standin]] = {
    "case_id": {"case_id": "?"},
    "question": {"question": "?"},
    "messages": {"question": "?"},
    "trace": {"trace": {}},
    "blocked_at": {"blocked_at": "target"},
    "released": {"blocked_at": None},
    "": {"question": "?", "released": None, "blocked_at": None},
}


class CaseLoading:
    """Fills a table with the cases of files.

    Attributes:
        table: What has been read.
        survey: What has been learnt of the cases.
        all_named: The id of every case is known, so that an id nobody has had is an unknown one.

    Args:
        store: The evidence that cases may require; None when there is none to hold them against.
        store_is_whole: The store has every chunk, so that an id it does not have is an unknown one.
        survey: Is shown every case.
        modules: Where custom checks are looked up; None leaves them alone.
        problems: Is told what is wrong.
    """

    def __init__(
        self,
        store: EvidenceStore | None,
        survey: CaseSurvey,
        problems: Problems,
        *,
        store_is_whole: bool,
        modules: Modules | None = None,
    ) -> None:
        self.table = CaseTable()
        self.all_named = True
        self._known = None if store is None else store.ids
        self.survey = survey
        self._store_is_whole = store_is_whole
        self._modules = modules
        self._doubts = 0
        self._problems = problems
        self._lines = LineReader()

    def read(self, paths: Iterable[Path]) -> CaseTable:
        """Read all files, in the order given."""
        try:
            for path in paths:
                problems = self._problems.within(path)
                if is_by_line(path):
                    self._read_lines(path, problems)
                else:
                    self._read_document(path, problems)
        finally:
            self._lines.close()
        return self.table

    def _read_lines(self, path: Path, problems: FileProblems) -> None:
        try:
            self.table.files.append(CaseFile(path, problems.file, by_line=True, stamp=stamp_of(path)))
        except OSError as error:
            problems.add(START, unreadable(error))
            self.all_named = False
            return
        file = len(self.table.files) - 1
        for line in lines_of(path, Case, key="cases", problems=problems):
            if isinstance(line, Line):
                case = line.record
                self.survey.see(case)
                self._place(case, Row(file, line.offset, line.number, case.weight), line.raw, problems)
            else:
                self._place_sound_part(line.node, Row(file, line.offset, line.number, 1), problems)

    def _read_document(self, path: Path, problems: FileProblems) -> None:
        self.table.files.append(CaseFile(path, problems.file, by_line=False, stamp=None))
        file = len(self.table.files) - 1
        nodes = listed_in(path, "cases", problems)
        self.all_named &= bool(nodes)
        for node in nodes:
            case = read_record(Case, node, problems)
            row = Row(file, len(self.table.kept), node.mark.line, case.weight if case else 1)
            if case is None:
                self._place_sound_part(node, row, problems)
            else:
                self.table.kept.append(case)
                self.survey.see(case)
                self._place(case, row, node, problems)

    def _place_sound_part(self, node: Node | None, row: Row, problems: FileProblems) -> None:
        """Check what can be read of a faulty case against the other files: all its mistakes are reported at once."""
        sound = None if node is None or problems.full else salvaged(Case, node, _INSTEAD, problems)
        if node is None or sound is None or "case_id" in sound.left_out:
            self.all_named = False
        if node is None or sound is None:
            return
        case = sound.record
        self.survey.see_sound_part(case, sound.left_out)
        if not self.table.files[row.file].by_line:
            self.table.kept.append(case)
        self._place(case, row, node, problems, has_id="case_id" not in sound.left_out)

    def _place(self, case: Case, row: Row, source: _Source, problems: FileProblems, *, has_id: bool = True) -> None:
        if has_id and (text := self._taken(case.case_id)):
            self._tell([Fault(("case_id",), text)], row, source, problems)
            has_id = False
        if self._known is not None and not all(
            map(self._known.__contains__, (*case.required_source_ids, *case.useful_source_ids))
        ):
            self._tell(self._unknown_sources(case, self._known, problems), row, source, problems)
        self._tell(faults_in(case, self._modules), row, source, problems)
        if has_id:
            self.table.add(case.case_id, row, digest=case_digest(case))

    def _taken(self, case_id: str) -> str | None:
        """The message about an id that another case has; None when none has it."""
        for number in self.table.candidates(case_id):
            if self._case_id(number) == case_id:
                first = self.table.row(number)
                place = f"{self.table.files[first.file].shown}:{first.line}"
                return f"case id `{shown_name(case_id)}` is already used at {place}; give every case its own id"
        return None

    def _case_id(self, number: int) -> str:
        row = self.table.row(number)
        file = self.table.files[row.file]
        return self._lines.case_id(file, row.offset) if file.by_line else self.table.kept[row.offset].case_id

    def _unknown_sources(self, case: Case, known: Collection[str], problems: FileProblems) -> Iterator[Fault]:
        for name in _SOURCES:
            for index, chunk_id in enumerate(getattr(case, name)):
                if chunk_id in known or self._doubts >= _DOUBTS_AT_MOST:
                    continue
                self._doubts += not self._store_is_whole
                end = "write the id of a chunk, or add the chunk to the evidence"
                if not problems.full:
                    end = or_known(chunk_id, known, otherwise=end)
                where = "the evidence" if self._store_is_whole else "the evidence that could be read"
                yield Fault((name, index), f"`{name}` names `{shown_name(chunk_id)}`, which is not in {where}; {end}")

    def _tell(self, faults: Iterable[Fault], row: Row, source: _Source, problems: FileProblems) -> None:
        for fault in faults:
            problems.add(place_in(source, fault.path, row.line, problems), fault.text)
