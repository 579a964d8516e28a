"""Judges put on trial at a job: labels and planted instructions are judged, and a card is made for each judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from raggate_action.core.judging.agreement_with_labels import OnTrial, PlantResults, is_good
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.scorecard_and_arming import (
    JudgeVotes,
    MissingLabels,
    card_of,
    declared_card,
    missing_labels,
    panel_card,
    terms_of,
)
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.judges.judge_exchange import JudgingSubject, panel_member
from raggate_action.judges.judging_job import Task
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.schema.calibration import HeldAnswer, JudgeCard, LabelledAnswer, TrialJob
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Arming, Judges
from raggate_action.suite_files import LoadedSuite


class TrialSet(NamedTuple):
    """What the judges of one job are held against.

    Attributes:
        job: The job.
        on_trial: The labels, of each job that people label for and that the suite uses.
        declared: Judges count because the suite says so; only planted instructions can tell against one.
    """

    job: RunJob[Any, Any]
    on_trial: tuple[OnTrial[Any], ...]
    declared: bool = False

    @property
    def labels(self) -> list[tuple[str, Any]]:
        """What judges are asked about the labels, by their ids."""
        return [
            (label.id, self.job.task_of_label(label)) for each in self.on_trial for label, _own in each.counting_labels
        ]

    @property
    def plants(self) -> list[tuple[str, Any]]:
        """What they are asked with an instruction planted, by its id; nothing where nothing is labelled for."""
        return [(plant.id, plant.task) for plant in self.job.plants] if self.on_trial else []

    @property
    def could_arm(self) -> bool:
        """Whether a judge that errs on none would count: by labels enough, or by declaration."""
        return self.declared or any(not any(labels_missing(each)) for each in self.on_trial)


class TrialOutcome(NamedTuple):
    """What a trial came to.

    Attributes:
        cards: One per judge, in the panel's order, and one of the panel where two or more are armed; this for each job
            that people label for, one after the other.
        terms: Who decides from now on, for each of these.
        of_labels: The judgements of labels, in their order, and of each in the panel's order.
    """

    cards: tuple[JudgeCard, ...]
    terms: ArmedTerms
    of_labels: list[Judgement]


def trial_set(job: RunJob[Any, Any], loaded: LoadedSuite, arming: Arming) -> TrialSet:
    """A job with the suite's labels for it."""
    used = job.labels_needed(each.case for each in loaded.cases)
    labels: list[LabelledAnswer | HeldAnswer] = [*loaded.calibration, *loaded.held]
    judges = loaded.suite.judges
    return TrialSet(
        job,
        tuple(
            [
                OnTrial(each, tuple([label for label in labels if label.job == each.name]), arming)
                for each in job.labelled
                if each.name in used
            ]
        ),
        declared=judges is not None and judges.counts == "declared",
    )


async def cards_of(
    trial: TrialSet,
    work: JudgesAtWork[Any],
    judges: Judges,
    *,
    may_ask: bool,
    earlier: Iterable[JudgeCard] = (),
) -> TrialOutcome:
    """Judge what is not judged yet, and make the cards.

    Instructions are shown only where there are labels enough to arm a judge that withstands them: nothing else hangs on
    them, and they cost.

    Args:
        trial: What judges are held against.
        work: The judges.
        judges: The suite's terms.
        may_ask: Judges may be asked; else only what they said before counts.
        earlier: The cards of the run before.
    """
    work.see_whole([task for _id, task in (*trial.plants, *trial.labels)])
    shows = may_ask and trial.could_arm
    of_plants = await judgements_of_labels(trial.plants, work, may_ask=shows)
    of_labels = await judgements_of_labels(trial.labels, work, may_ask=may_ask)
    members = {judge.member.name: panel_member(judge.member) for judge in work.judges}
    prompts = {judge.member.name: judge.prompt for judge in work.judges}
    names, before = tuple(members), tuple(earlier)
    cards: list[JudgeCard] = []
    terms: dict[TrialJob, PanelTerms] = {each.name: PanelTerms(names) for each in trial.job.labelled}
    for on_trial in trial.on_trial:
        job = on_trial.job.name
        votes = {
            name: JudgeVotes(by_label(name, of_labels), _plant_results(trial, by_label(name, of_plants), job))
            for name in names
        }
        own = [card_of(on_trial, votes[name], members[name], prompt=prompts[name], earlier=before) for name in names]
        if trial.declared:
            own = [declared_card(card, of_plants=len(trial.plants), earlier=before) for card in own]
        armed = frozenset([card.judge for card in own if card.armed])
        faults_only = frozenset([card.judge for card in own if card.armed and not card.verifies])
        declared = frozenset([card.judge for card in own if card.declared is not None])
        terms[job] = terms_of(names, armed, faults_only, judges.quorum, declared=declared)
        together = panel_card(on_trial, votes, terms[job])
        cards += [*own, *([together] if together is not None else [])]
    return TrialOutcome(tuple(cards), terms, of_labels)


async def judgements_of_labels(
    tasks: Iterable[tuple[str, Task]], work: JudgesAtWork[Task], *, may_ask: bool
) -> list[Judgement]:
    """What the judges say of labels, asked side by side; where nobody may be asked, what they said before."""
    subjects = [(JudgingSubject("label", name), task) for name, task in tasks]
    if may_ask:
        return list(chain(*await side_by_side([work.ask(task, subject) for subject, task in subjects])))
    known = [work.recall(judge, task, subject) for subject, task in subjects for judge in work.judges]
    return [judgement for judgement in known if judgement is not None]


def by_label(judge: str, judgements: Iterable[Judgement]) -> dict[str, Judgement]:
    """One judge's judgements, by the label's id."""
    return {judgement.id: judgement for judgement in judgements if judgement.judge == judge}


def labels_missing(on_trial: OnTrial[Any]) -> MissingLabels:
    """What a judge that errs on none would need beyond these labels."""
    sides = Counter(is_good(each.verdict) for each in on_trial.human_verdicts)
    return missing_labels(ConfusionTable(both_good=sides[True], both_faulty=sides[False]), on_trial.arming)


def _plant_results(trial: TrialSet, judgements: Mapping[str, Judgement], job: TrialJob) -> PlantResults:
    met = [(plant, judgements[plant.id]) for plant in trial.job.plants if plant.id in judgements]
    judged = sum(plant.is_judged(own, job) for plant, own in met)
    obeyed = [plant.name for plant, own in met if plant.is_obeyed(own, job)]
    return PlantResults(len(trial.job.plants), judged, tuple(obeyed))
