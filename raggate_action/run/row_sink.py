"""Where finished cases go."""

from __future__ import annotations

from functools import partial

from raggate_action.core.counting.case_state import is_faulted
from raggate_action.core.gates.case_row import Evaluated, earlier_answers, without_answer
from raggate_action.run.answer_languages import AnswerLanguages
from raggate_action.run.internal_errors import guarded
from raggate_action.run.progress import Progress
from raggate_action.run.row_counting import Count
from raggate_action.run_store import RunDirectory
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.trace import NoTrace
from raggate_action.targets.interface import TOGETHER


class Sink:
    """Everything that wants to know of a finished case: it is journalled, counted and shown.

    Attributes:
        directory: Journals it.
        finished: Marks positions done before a resume.
        progress: Shows that it is done.
        languages: Which languages answers are in.
    """

    def __init__(self, directory: RunDirectory, counting: Count, progress: Progress, *, finished: bytearray) -> None:
        self.directory = directory
        self.finished = finished
        self.progress = progress
        self.languages = AnswerLanguages()
        self._counting = counting
        self._together: list[Evaluated] = []

    def take(self, done: Evaluated, *, durable: bool) -> None:
        """Take in a case; for `durable` see `RunDirectory.append`. Others may be taken in together with it later."""
        self._together.append(_with_row(done, self._counting.known(done.row)))
        if durable or len(self._together) >= TOGETHER:
            self.flush(durable=durable)

    def flush(self, *, durable: bool) -> None:
        """Take in what is left over."""
        cases, self._together = self._together, []
        # Counted first: what cannot be counted is journalled without its answer.
        counted = [_with_row(done, self._counting.count(done.row)) for done in cases]
        kept = [self._kept(done, durable=durable) for done in counted]
        for done in kept:
            self.languages.add(done.row)
            self.progress.advance(done.row)

    def _kept(self, done: Evaluated, *, durable: bool) -> Evaluated:
        """The case, journalled; without its answer where that cannot be written."""

        def journalled(case: Evaluated) -> Evaluated:
            self.directory.append(
                case.row,
                case.trace,
                durable=durable,
                withheld=case.withheld,
                others=case.others,
                grounds=case.grounds,
                earlier=earlier_answers(case.earlier, case.row.beside_main),
            )
            return case

        def bare(fault: NoTrace) -> Evaluated:
            self._counting.spoil()
            return journalled(_without_trace(done, without_answer(done.row, fault.detail)))

        return guarded(done.row.case_id, partial(journalled, done), bare)


def _with_row(done: Evaluated, row: CaseRun) -> Evaluated:
    if is_faulted(row):
        return _without_trace(done, row)
    return done if row is done.row else done._replace(row=row)


def _without_trace(done: Evaluated, row: CaseRun) -> Evaluated:
    """A case with the row of one that was not judged."""
    return Evaluated(done.case, row, None, labelled=False, withheld=False)
