"""The one pass over all case files: every case is validated, held against the suite, and placed in the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.schema.criteria import Criterion, with_criteria
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.suite_files.case_checks import Fault, faults_in
from raggate_action.suite_files.case_survey import CaseSurvey
from raggate_action.suite_files.file_reading import Line, is_by_line, lines_of, listed_in, place_in
from raggate_action.suite_files.modules import Modules
from raggate_action.suite_files.nodes import Node
from raggate_action.suite_files.problems import FileProblems, Problems, name_text, or_known
from raggate_action.suite_files.quotes import Asked, absent_quotes
from raggate_action.suite_files.records import Standin, read_record, salvaged

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


class _Quoting(NamedTuple):
    """A case that requires quotes, and what it was read from; they are looked for when all cases are known."""

    asked: Asked
    source: _Source
    line: int
    problems: FileProblems


def _is_known(name: str, store: EvidenceStore) -> bool:
    return name in store or name in store.origins


class CaseLoading:
    """Reads the cases of files.

    Attributes:
        by_id: What has been read, in the order of the files; a position is the place in that order.
        survey: What has been learnt of the cases.
        all_named: The id of every case is known, so that an id nobody has had is an unknown one.

    Args:
        store: The evidence that cases may require; None when there is none to hold them against.
        store_is_whole: The store has every chunk, so that an id it does not have is an unknown one.
        survey: Is shown every case.
        modules: Where custom checks are looked up; None leaves them alone.
        criteria: Of the whole suite, added to those of each case that expects an answer and is not known bad.
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
        criteria: tuple[Criterion, ...] = (),
    ) -> None:
        self.by_id: dict[str, PlacedCase] = {}
        self.all_named = True
        self._store = store
        self._quoting: list[_Quoting] = []
        self.survey = survey
        self._store_is_whole = store_is_whole
        self._modules = modules
        self._criteria = criteria
        self._doubts = 0
        self._problems = problems

    def read(self, paths: Iterable[Path]) -> dict[str, PlacedCase]:
        """Read all files, in the order given."""
        for path in paths:
            problems = self._problems.within(path)
            if is_by_line(path):
                self._read_lines(path, problems)
            else:
                self._read_document(path, problems)
        if self._store is not None and self._quoting and self._store_is_whole:
            for absent in absent_quotes([each.asked for each in self._quoting], self._store):
                source, line, told = self._quoting[absent.case][1:]
                fault = Fault(("required_quotes", absent.place), absent.text)
                self._tell([fault], line, source, told)
        return self.by_id

    def _read_lines(self, path: Path, problems: FileProblems) -> None:
        for line in lines_of(path, Case, key="cases", problems=problems):
            if isinstance(line, Line):
                self.survey.see(line.record)
                self._place(line.record, line.number, line.raw, problems)
            else:
                self._place_sound_part(line.node, line.number, problems)

    def _read_document(self, path: Path, problems: FileProblems) -> None:
        nodes = listed_in(path, "cases", problems)
        self.all_named &= bool(nodes)
        for node in nodes:
            case = read_record(Case, node, problems)
            if case is None:
                self._place_sound_part(node, node.mark.line, problems)
            else:
                self.survey.see(case)
                self._place(case, node.mark.line, node, problems)

    def _place_sound_part(self, node: Node | None, line: int, problems: FileProblems) -> None:
        """Hold what can be read of a faulty case against the other files, so that all its mistakes are told at once."""
        sound = None if node is None or problems.full else salvaged(Case, node, _INSTEAD, problems)
        if node is None or sound is None or "case_id" in sound.left_out:
            self.all_named = False
        if node is None or sound is None:
            return
        self.survey.see_sound_part(sound.record, sound.left_out)
        self._place(sound.record, line, node, problems, has_id="case_id" not in sound.left_out)

    def _place(self, case: Case, line: int, source: _Source, problems: FileProblems, *, has_id: bool = True) -> None:
        if has_id and (first := self.by_id.get(case.case_id)) is not None:
            name, place = name_text(case.case_id), f"{first.file}:{first.line}"
            text = f"case id `{name}` is already used at {place}; give every case its own id"
            self._tell([Fault(("case_id",), text)], line, source, problems)
            has_id = False
        store = self._store
        if store is not None and not all(
            _is_known(name, store) for name in (*case.required_source_ids, *case.useful_source_ids)
        ):
            self._tell(self._unknown_sources(case, store, problems), line, source, problems)
        if store is not None and case.required_quotes:
            self._quoting.append(_Quoting(Asked(case.required_quotes, case.principals), source, line, problems))
        self._tell(faults_in(case, self._modules), line, source, problems)
        if has_id:
            if self._criteria and case.expect == "answer" and not case.known_bad:
                case = case.model_copy(update={"criteria": with_criteria(case.criteria, self._criteria)})
            self.by_id[case.case_id] = PlacedCase(case, len(self.by_id), case_digest(case), problems.file, line)

    def _unknown_sources(self, case: Case, store: EvidenceStore, problems: FileProblems) -> Iterator[Fault]:
        for name in _SOURCES:
            for index, chunk_id in enumerate(getattr(case, name)):
                if _is_known(chunk_id, store) or self._doubts >= _DOUBTS_AT_MOST:
                    continue
                self._doubts += not self._store_is_whole
                end = "write the id of a chunk, or add the chunk to the evidence"
                if not problems.full:
                    end = or_known(chunk_id, store.ids, otherwise=end)
                where = "the evidence" if self._store_is_whole else "the evidence that could be read"
                yield Fault((name, index), f"`{name}` names `{name_text(chunk_id)}`, which is not in {where}; {end}")

    def _tell(self, faults: Iterable[Fault], line: int, source: _Source, problems: FileProblems) -> None:
        for fault in faults:
            problems.add(place_in(source, fault.path, line, problems), fault.text)
