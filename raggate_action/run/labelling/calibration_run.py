"""The work of `judges check`: a suite's judges are put on trial, and what they said is kept beside the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from raggate_action.core.judging.agreement_with_labels import OnTrial, trial_of
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.errors import UsageError
from raggate_action.judges.judge_exchange import JudgingSubject, content_key, fingerprint
from raggate_action.judging_jobs.panel_job import RunJob
from raggate_action.judging_jobs.panel_job_list import RUN_JOBS
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import JudgementSource, reused_judgement
from raggate_action.run.judging.parallel_judges import JudgesAtWork, opened_judges
from raggate_action.run.labelling.judge_trial import (
    TrialSet,
    by_label,
    cards_of,
    judgements_of_labels,
    trial_set,
)
from raggate_action.run.progress import TrialProgress
from raggate_action.run_store import usable_judgements
from raggate_action.run_store.run_files import replace_whole
from raggate_action.schema.base import Rate, rate_of
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.judgement import Judgement, Lost, LostCode
from raggate_action.schema.judges import Judges
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.calibration_file import label_judgements_path
from raggate_action.suite_files.problems import path_text
from raggate_action.version import JUDGES

# What a judge is lost for by what it was shown, and will be again; the others another day may mend.
_OF_THE_ANSWER: Final[frozenset[LostCode]] = frozenset(
    {"judge-filtered", "judge-refused", "judge-off-schema", "judge-truncated", "judge-empty"}
)


class JobOutcome(NamedTuple):
    """What a trial at one job came to.

    Attributes:
        trial: What judges were held against.
        cards: The cards.
        before: The same by what was kept of earlier trials.
        worked: Of worked examples: what each judge puts on the right side, by its name; nothing where there are none.
        judgements: Judgements that calls were to be made for, and reused ones.
    """

    trial: TrialSet
    cards: tuple[JudgeCard, ...]
    before: tuple[JudgeCard, ...]
    worked: Mapping[str, Rate]
    judgements: list[Judgement]


async def calibrate(
    loaded: LoadedSuite, environment: Mapping[str, str], *, reuse: bool, labels: Path | None = None
) -> tuple[list[JobOutcome], Path]:
    """Put the suite's judges on trial, within its budget; how far it is, and why a judge is asked no more, on stderr.

    Args:
        loaded: The suite.
        environment: Where keys are.
        reuse: Ask nobody twice; else everybody is asked again.
        labels: The file of labels, where it is another than the suite's.

    Returns:
        What it came to at each job that the suite uses, and the file the judgements were written to.

    Raises:
        UsageError: The suite has no judges.
        RunStoreError: The judgements cannot be written.
    """
    judges = loaded.suite.judges
    if judges is None:
        raise UsageError(
            f"{path_text(loaded.path)} names no judges",
            hint=f"Add a `judges:` section with a panel: {JUDGES}",
        )
    path = label_judgements_path(labels or loaded.directory / judges.calibration)
    stored = list(_earlier_judgements(path))
    trials = [trial for job in RUN_JOBS if (trial := trial_set(job, loaded, judges.arming)).on_trial]
    answers = sum(len(each.plants) + len(each.job.worked) + len(each.labels) for each in trials)
    progress = TrialProgress(answers * len(judges.panel), environment=environment)
    opened = partial(
        opened_judges, judges.panel, budget=Budget(judges.budget), environment=environment, secrets=loaded.secrets
    )
    with closing(progress):
        found = [await _job_outcome(trial, judges, opened, progress, stored, reuse=reuse) for trial in trials]
    by_job = {each.trial.job.name: each.judgements for each in found}
    valid = chain(*[_still_valid(job, loaded, by_job.get(job.name, ()), stored) for job in RUN_JOBS])
    content, path = b"".join(map(json_line, valid)), path.resolve()
    # A file that would say the same is left alone.
    if content and not (path.is_file() and path.read_bytes() == content):
        replace_whole(path.parent, path.name, [content])
    return found, path


def _tasks(job: RunJob[Any, Any], labels: Iterable[Any]) -> list[tuple[str, Any]]:
    return [(label.id, job.task_of_label(label)) for label in labels]


async def _job_outcome(
    trial: TrialSet,
    judges: Judges,
    opened: Callable[..., AbstractAsyncContextManager[JudgesAtWork[Any]]],
    progress: TrialProgress,
    stored: Iterable[Judgement],
    *,
    reuse: bool,
) -> JobOutcome:
    kept = [JudgementSource("the judgements beside the labels", lambda: iter(stored))]
    async with opened(job=trial.job, earlier=kept) as earlier:
        before = (await cards_of(trial, earlier, judges, may_ask=False)).cards
    kept = kept if reuse else []
    async with opened(job=trial.job, earlier=kept, hear=progress.judged, tell=progress.tell) as work:
        # Whatever the labels are worth: who asks wants to know.
        of_plants = await judgements_of_labels(trial.plants, work, may_ask=True)
        of_worked = await judgements_of_labels(_tasks(trial.job, trial.job.worked), work, may_ask=True)
        found = await cards_of(trial, work, judges, may_ask=True, earlier=before)
    worked = {}
    for name in [member.name for member in judges.panel] if trial.job.worked else []:
        examples, alone = OnTrial(trial.job.labelled[0], trial.job.worked), PanelTerms((name,), frozenset({name}))
        table = trial_of(examples, [by_label(name, of_worked)], alone).table
        worked[name] = rate_of(table.agreements, len(examples.human_verdicts))
    return JobOutcome(trial, found.cards, before, worked, [*of_plants, *of_worked, *found.of_labels])


def _earlier_judgements(path: Path) -> Iterator[Judgement]:
    """What was kept of earlier trials, as it stands for this one."""
    for each in usable_judgements(path.parent, path.name):
        if each is not None and each.lost is None:
            yield reused_judgement(each, JudgingSubject("label", each.id), each.judge)


def _still_valid(
    job: RunJob[Any, Any], loaded: LoadedSuite, judgements: Sequence[Judgement], stored: Iterable[Judgement]
) -> Iterator[Judgement]:
    """What answers a question of today, answer by answer and judge by judge, whatever it cost.

    Other judges of another suite may be held against the same labels: what they said to today's prompt stays. What
    could not be asked again stays as it was.
    """
    by_key = {each.key: each for each in stored}
    # A trial is used whole: what an answer's own words lose has an outcome as well. It is asked again all the same.
    lost = {each.key: each for each in judgements if each.lost is not None and each.lost.code in _OF_THE_ANSWER}
    by_key = lost | by_key | {each.key: each for each in judgements if each.lost is None}
    others: Counter[str] = Counter(each.fingerprint for each in by_key.values())
    judges = loaded.suite.judges
    members = judges.panel if judges is not None else ()
    order = [*dict.fromkeys(map(fingerprint, members))]
    order += sorted(others.keys() - set(order))
    names = {each.name for each in job.labelled}
    labels = [each for each in (*job.worked, *loaded.calibration, *loaded.held) if each.job in names]
    for name, task in [*[(plant.id, plant.task) for plant in job.plants], *_tasks(job, labels)]:
        for judge in order:
            found = by_key.get(content_key(judge, job.digest, task))
            if found is not None:
                kept = None if found.lost is None else Lost(code=found.lost.code, detail="")
                free = reused_judgement(found, JudgingSubject("label", name), found.judge)
                yield free.model_copy(update={"lost": kept, "cost_usd": None, "reused": False})
