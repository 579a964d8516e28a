"""The baseline's answers that this run's judges have judged again, in the place of the rows that others judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from raggate_action.schema.baseline_answer import BaselineAnswer, NotJudgedAgain
from raggate_action.schema.case_run import CaseRun


class PastAnswers(NamedTuple):
    """What became of the baseline's answers that other judges had judged, or none.

    Attributes:
        rows: The baseline's rows as this run's judges make them, by case id.
        left: Why others were not judged again, by case id.
    """

    rows: Mapping[str, CaseRun] = {}
    left: Mapping[str, NotJudgedAgain] = {}

    def in_place(self, rows: Iterable[CaseRun]) -> Iterator[CaseRun]:
        """The baseline's rows, each as it is judged now."""
        return (self.rows.get(row.case_id, row) for row in rows)

    def kept(self, rows: Iterable[CaseRun]) -> Iterator[BaselineAnswer]:
        """As the run keeps them, in the order of the baseline's rows."""
        for row in rows:
            again, left = self.rows.get(row.case_id), self.left.get(row.case_id)
            if again is not None or left is not None:
                yield BaselineAnswer(
                    case_id=row.case_id,
                    digest=row.digest,
                    answer_digest=row.answer_digest,
                    finished_at=row.finished_at,
                    row=again,
                    left=left,
                )


def past_answers(kept: Iterable[BaselineAnswer], rows: Iterable[CaseRun]) -> PastAnswers:
    """What a run has kept, as far as it is of these answers; of any other baseline nothing is.

    Args:
        kept: See `PastAnswers.kept`.
        rows: The baseline's rows; not read where nothing was kept.
    """
    known = {each.case_id: each for each in kept}
    found: dict[str, CaseRun] = {}
    left: dict[str, NotJudgedAgain] = {}
    for row in rows if known else ():
        answer = known.get(row.case_id)
        if answer is None or not answer.is_of(row):
            continue
        if answer.row is not None:
            found[row.case_id] = answer.row
        elif answer.left is not None:
            left[row.case_id] = answer.left
    return PastAnswers(found, left)
