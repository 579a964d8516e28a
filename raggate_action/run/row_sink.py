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


class Sink:
    """Everything that wants to know of a finished case: it is counted, kept and shown.

    Attributes:
        directory: Keeps it.
        progress: Shows that it is done.
        languages: Which languages answers are in.
    """

    def __init__(
        self, directory: RunDirectory, counting: Count, progress: Progress, languages: AnswerLanguages, *, batch: int
    ) -> None:
        """Prepare; `batch` is how many cases are taken in at once, each batch with a commit."""
        self.directory = directory
        self.progress = progress
        self.languages = languages
        self._counting = counting
        self._batch = batch
        self._together: list[Evaluated] = []

    def take(self, done: Evaluated) -> None:
        """Take in a case, as soon as its batch is full: then it outlives a kill."""
        self._together.append(_with_row(done, self._counting.known(done.row)))
        if len(self._together) >= self._batch:
            self.flush()

    def flush(self) -> None:
        """Take in what is left over."""
        cases, self._together = self._together, []
        # Counted first: what cannot be counted is kept without its answer.
        counted = [_with_row(done, self._counting.count(done.row)) for done in cases]
        kept = [self._kept(done) for done in counted]
        self.directory.work.commit()
        for done in kept:
            self.languages.add(done.row)
            self.progress.advance(done.row)

    def _kept(self, done: Evaluated) -> Evaluated:
        """The case, kept; without its answer where that cannot be written."""

        def appended(case: Evaluated) -> Evaluated:
            if case.by_baseline is not None:
                self.directory.add_by_baseline(case.by_baseline)
            self.directory.append(
                case.row,
                case.trace,
                withheld=case.withheld,
                others=case.others,
                grounds=case.grounds,
                earlier=earlier_answers(case.earlier, case.row.beside_main),
            )
            return case

        def bare(fault: NoTrace) -> Evaluated:
            self._counting.spoil()
            return appended(_without_trace(done, without_answer(done.row, fault.detail)))

        return guarded(done.row.case_id, partial(appended, done), bare)


def _with_row(done: Evaluated, row: CaseRun) -> Evaluated:
    if is_faulted(row):
        return _without_trace(done, row)
    return done if row is done.row else done._replace(row=row)


def _without_trace(done: Evaluated, row: CaseRun) -> Evaluated:
    """A case with the row of one that was not judged."""
    return Evaluated(done.case, row, None, labelled=False, withheld=False)
