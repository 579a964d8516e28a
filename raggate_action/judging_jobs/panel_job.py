"""A job that judges do on the answers of a run: what they are asked, what their votes come to, what arms them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LabelledJob
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import Form, JudgingJob, Task
from raggate_action.judging_jobs.planted_words import Plant
from raggate_action.schema.calibration import TrialJob
from raggate_action.schema.case import Case
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import Verdicts

# Whose votes count, for each job that people label for.
ArmedTerms: TypeAlias = Mapping[TrialJob, PanelTerms]


class RunJob(JudgingJob[Task, Form]):
    """A `JudgingJob` that a run's panel does.

    Attributes:
        labelled: What people label for it; a judge is armed for each by itself.
        plants: Its planted instructions.
        worked: Labels shipped with it: a first look at whether a judge can do the job.
    """

    labelled: tuple[LabelledJob[Any], ...]
    plants: tuple[Plant, ...]
    worked: tuple[Any, ...] = ()

    @abstractmethod
    def task_of(self, drafted: Drafted, judges: Judges) -> Task | None:
        """What a judge is asked about an answer; None where that is nothing."""

    @abstractmethod
    def task_of_label(self, label: Any) -> Task:
        """What a judge is asked about a labelled answer."""

    @abstractmethod
    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: Task, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        """What is known of an answer, with what the panel's votes on it come to on these terms."""

    def labels_needed(self, cases: Iterable[Case]) -> tuple[TrialJob, ...]:
        """What of its labels the cases of a suite need: labels of the rest are not judged."""
        return tuple([each.name for each in self.labelled])


def shown_answer(drafted: Drafted) -> str:
    """The answer as judges are shown it."""
    return drafted.traced.reply.text or "\n".join(claim.text for claim in drafted.claims)


def visible_chunks(drafted: Drafted) -> tuple[VisibleChunk, ...]:
    """The chunks as judges are shown them: of an admissible answer every one may be read by whoever asks."""
    return tuple([VisibleChunk(chunk.chunk_id, chunk.text) for chunk in drafted.context.chunks if chunk.text])
