"""Judgements that were made before: what was asked in the same words of the same judge is not asked again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from raggate_action.errors import RunStoreError
from raggate_action.judges.judge_exchange import Judge, JudgingSubject
from raggate_action.judges.judging_job import Task
from raggate_action.run_store import WorkFile
from raggate_action.schema.judgement import Judgement, Usage
from raggate_action.strings.numbers import count


class JudgementSource(NamedTuple):
    """Where judgements of earlier runs are.

    Attributes:
        name: What messages call it.
        judgements: Reads them once more; None stands for each line that cannot be read. It raises a `RunStoreError`
            where nothing of them may be believed.
        labels_only: Only what was said of labels is taken from it.
    """

    name: str
    judgements: Callable[[], Iterator[Judgement | None]]
    labels_only: bool = False


class EarlierJudgements:
    """Judgements by what was asked, of this run and of earlier ones; in memory are only keys and places.

    Attributes:
        problems: What could not be used, one sentence for each source.
        unbelieved: Those of them that a reader of the run has to know: what a source says was changed by somebody.
        labels_anew: What was said of labels in earlier runs is left aside: judges drift, and only asking shows it.
    """

    def __init__(
        self,
        own: WorkFile,
        sources: Iterable[JudgementSource],
        *,
        made_by: Collection[tuple[str, str]],
        labels_anew: bool = False,
    ) -> None:
        """Read the sources.

        Args:
            own: What was said in this run.
            sources: Earlier ones, the nearest first.
            made_by: (fingerprint, prompt) of today's judges: what others said answers no question of theirs.
            labels_anew: See the attribute.
        """
        self._own = own
        self.labels_anew = labels_anew
        self._before = WorkFile()
        self._of_labels = WorkFile()
        self._lost_labels: set[str] = set()
        self._not_whole: set[tuple[str, str]] = set()
        self.problems: list[str] = []
        self.unbelieved: list[str] = []
        for source in sources:
            self._take(source, made_by)

    def _take(self, source: JudgementSource, made_by: Collection[tuple[str, str]]) -> None:
        bad = 0
        try:
            for judgement in source.judgements():
                if judgement is None:
                    bad += 1
                elif (judgement.fingerprint, judgement.prompt) not in made_by:
                    continue
                elif judgement.lost is not None:
                    self._lost_labels |= {judgement.key} if source.labels_only else set()
                else:
                    kept = self._of_labels if source.labels_only else self._before
                    if kept.judgement(judgement.key) is None:
                        kept.add_judgement(judgement)
        except RunStoreError as error:
            self.unbelieved.append(f"{error}: what judges said there is not used again, and they are asked anew")
            self.problems += self.unbelieved
        if bad:
            # What it says is a stranger's; only how much of it is told.
            self.problems.append(f"{source.name}: {count(bad, 'line')} could not be read and are not used again")

    def see_whole(self, judge: Judge[Task], tasks: Sequence[Task]) -> None:
        """Leave aside what the file beside the labels says of a judge, unless it has an outcome for each of these.

        Whoever may change the file may take out the one instruction that a judge has obeyed.

        Args:
            judge: The judge.
            tasks: Its whole trial: labels and planted instructions.
        """
        keys = [judge.key(task) for task in tasks]
        earlier = [self._of_labels.judgement(key) for key in keys]
        held = [
            key in self._lost_labels if each is None else judge.job.fits(each, task)
            for key, each, task in zip(keys, earlier, tasks, strict=True)
        ]
        if all(held):
            return
        self._not_whole.add((judge.fingerprint, judge.prompt))
        if any(held):
            of = count(len(tasks), "answer")
            self.problems.append(
                f"the trial of {judge.member.name} beside the labels has an outcome for {sum(held):,} of {of}:"
                " it is used whole or not at all"
            )

    def is_of_labels_file(self, judgement: Judgement) -> bool:
        """Whether what was said of a label was read from the file beside the labels, and from no run."""
        return judgement.about == "label" and judgement.reused and self._before.judgement(judgement.key) is None

    def find(self, key: str, task: Task, subject: JudgingSubject, judge: Judge[Task]) -> Judgement | None:
        """What was said to this very question, as it stands for the subject.

        None where nothing was said, or where it does not fit the question.

        Args:
            key: What is asked.
            task: The same, written out.
            subject: Of which answer it is asked.
            judge: Who is asked.
        """
        earlier = self._own.judgement(key)
        name = judge.member.name
        if earlier is not None and (earlier.about, earlier.id, earlier.ask, earlier.judge) == (*subject, name):
            # Said before the run was resumed: what it cost is this run's.
            return earlier
        is_label = subject.about == "label"
        is_kept = is_label and (judge.fingerprint, judge.prompt) not in self._not_whole
        before = () if is_label and self.labels_anew else (self._before, *([self._of_labels] if is_kept else []))
        for kept in (self._own, *before):
            earlier = kept.judgement(key)
            if earlier is not None and judge.job.fits(earlier, task):
                return reused_judgement(earlier, subject, name)
        return None

    def close(self) -> None:
        """Let go of what is kept for a while."""
        self._before.close()
        self._of_labels.close()


def reused_judgement(judgement: Judgement, subject: JudgingSubject, judge: str) -> Judgement:
    """A judgement as it stands for another asking: nothing was called, and nothing paid."""
    free = {"usage": Usage(), "calls": 0, "attempts": 0, "unmetered": 0, "cost_usd": 0.0, "reused": True}
    return judgement.model_copy(update={**subject._asdict(), "judge": judge, **free})
