"""What became of judging an answer of the baseline again: a line of `baseline.jsonl`."""

from typing import Literal, Self, TypeAlias

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Record
from raggate_action.schema.case_run import CaseRun

# Answer or chunks are not at hand as they were; the budget is used up; the judges were lost; the time was over; nobody
# could be asked.
NotJudgedAgain: TypeAlias = Literal["text", "budget", "judge", "cut", "not-asked"]


class BaselineAnswer(Record):
    """An answer of the baseline that other judges had judged, or none.

    Attributes:
        case_id: The case.
        digest, answer_digest, finished_at: As in the baseline's row, so that no other answer is taken for it.
        row: The baseline's row as this run's judges make it; None where it was not judged again.
        left: Why not; None where it was.
    """

    case_id: str
    digest: str
    answer_digest: str | None = None
    finished_at: str
    row: CaseRun | None = None
    left: NotJudgedAgain | None = None

    @model_validator(mode="after")
    def _is_either(self) -> Self:
        if (self.row is None) == (self.left is None):
            raise PydanticCustomError("answer", "it is judged again, or it says why not")
        return self

    def is_of(self, row: CaseRun) -> bool:
        """Whether it is of the answer of this row of a baseline."""
        return (self.case_id, self.digest, self.answer_digest, self.finished_at) == (
            row.case_id,
            row.digest,
            row.answer_digest,
            row.finished_at,
        )
