"""The panel of one run, from its opening to its end: who is on it, whose votes count, and what is asked of it."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Any, Final

from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.cleared_claims import ClearedClaims
from raggate_action.core.judging.judging_cost import trial_cost
from raggate_action.core.judging.scorecard_and_arming import terms_under
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.judge_exchange import Judge, JudgingSubject, panel_member
from raggate_action.judging_jobs.panel_job import ArmedTerms
from raggate_action.judging_jobs.panel_job_list import RUN_JOBS
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judge_dispatch import PanelSource
from raggate_action.run.judging.judgement_cache import EarlierJudgements, JudgementSource
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run.judging_steps import VerdictSource
from raggate_action.run.labelling.judge_trial import TrialSet, cards_of, trial_set
from raggate_action.run.progress import Progress
from raggate_action.run.run_plan import Plan
from raggate_action.run_store import RunDirectory, usable_judgements
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.judges import Judges, Member
from raggate_action.schema.panel import Panel, PanelRules
from raggate_action.strings.numbers import count, money
from raggate_action.suite_files.calibration_file import label_judgements_path
from raggate_action.targets.interface import no_progress

# Above this nobody is asked about labels: whoever changes a judge decides at the terminal.
LABELS_USD_AT_MOST: Final = 5.0


class RunPanel:
    """The judges of a run. Until they were put on trial none is armed.

    Attributes:
        record: The panel as the run keeps it.
    """

    def __init__(self, plan: Plan, judges: Judges, directory: RunDirectory, progress: Progress) -> None:
        """Prepare. Nobody is asked, and nothing of the client is loaded.

        Args:
            plan: The run.
            judges: What its suite says of judges.
            directory: Where it is written.
            progress: Hears what is said and what it cost.
        """
        self._plan, self._judges, self._progress = plan, judges, progress
        baseline = plan.request.baseline
        self._before = baseline.run.panel if baseline is not None else None
        self._earlier_cards = self._before.cards if self._before is not None else ()
        self._trial_path = label_judgements_path(plan.loaded.directory / judges.calibration)
        draw, lacking = random.Random(), plan.request.lacking_keys(judges.panel)  # noqa: S311 - jitter, not a secret
        # Where nobody is asked, nothing is told of each judge.
        tell = no_progress if lacking else progress.tell
        self._chats = open_chats(judges.panel, os.environ, draw=draw, tell=tell)
        panels = [(job, [Judge(member, self._chats[member.name], job) for member in judges.panel]) for job in RUN_JOBS]
        first = panels[0][1]
        self.record = Panel(
            members=tuple(map(panel_member, judges.panel)),
            prompt=first[0].prompt,
            unavailable=f"No judge was asked, for {lacking}: what rules leave open stays open." if lacking else None,
            rules=PanelRules(arming=judges.arming, quorum=judges.quorum, counts=judges.counts),
            trial_file=_digest_of(self._trial_path),
        )
        made_by = {(judge.fingerprint, judge.prompt) for _job, panel in panels for judge in panel}
        origin = plan.request.origin
        self._is_scheduled = origin is not None and origin.event == "schedule"
        self._earlier = EarlierJudgements(
            directory.work, self._sources(), made_by=made_by, labels_anew=self._is_scheduled
        )
        self._notes = tuple(self._earlier.unbelieved)
        self._work = directory.work
        # Pairs of answers have a budget of their own.
        spent = (each for each in directory.work.judgements() if each.job != "pair")
        self._budget = Budget(judges.budget, spent, answers=plan.cases, labels_apart=True)
        # All jobs have one budget and one file.
        self._works = [
            (
                job,
                JudgesAtWork(
                    panel,
                    self._budget,
                    self._earlier,
                    directory.work,
                    secrets=plan.loaded.secrets,
                    hear=progress.judged,
                ),
            )
            for job, panel in panels
        ]
        names = tuple(member.name for member in judges.panel)
        self._armed: ArmedTerms = {each.name: PanelTerms(names) for job in RUN_JOBS for each in job.labelled}
        self._cleared = ClearedClaims.by(plan.loaded.calibration)
        self._told = 0
        self._tell_problems()
        if self.record.unavailable is not None:
            progress.tell(self.record.unavailable)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the run has to know of it so far, one sentence each."""
        excess = self._budget.excess
        return (*self._notes, excess) if excess is not None else self._notes

    def _tell_problems(self) -> None:
        """Tell what could not be used of earlier judgements, as far as it was not told."""
        for line in self._earlier.problems[self._told :]:
            self._progress.tell(line)
        self._told = len(self._earlier.problems)

    async def arm(self) -> None:
        """Put the judges on trial; labels that were not judged yet are judged first.

        In a run of a part of the suite only for what judges counted for on the baseline: one that nobody misses is
        tried where all is. Judges that count by declaration are tried in every run. A scheduled run asks about every
        label again: a judge that drifted below the bar counts no more. Where all labels together would cost too much,
        nobody is asked and what was said before stands.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        if self.record.unavailable is not None:
            return
        trials = [(trial_set(job, self._plan.loaded, self._judges.arming), work) for job, work in self._works]
        left = [(trial, work) for trial, work in trials if self._may_ask(trial)]
        would_cost = self._would_cost(left)
        is_dear = would_cost > LABELS_USD_AT_MOST
        if self._has_new_prompt() and (calls := _calls_left(left)):
            self._notes += (_new_prompt(calls, would_cost, self._judges.panel, is_dear=is_dear),)
            self._progress.tell(self._notes[-1])
        if is_dear:
            self._earlier.labels_anew = False
        found = []
        try:
            for trial, work in trials:
                may_ask = not is_dear and self._may_ask(trial)
                found.append(await cards_of(trial, work, self._judges, may_ask=may_ask, earlier=self._earlier_cards))
        finally:
            self._tell_problems()
        self._armed = {job: terms for each in found for job, terms in each.terms.items()}
        cards = self._with_source_marks([card for each in found for card in each.cards])
        quorums = {job: terms.quorum if terms.deciding_judges else 0 for job, terms in self._armed.items()}
        self.record = self.record.after_trial(cards, quorums).model_copy(
            update={
                "trial": trial_cost(self._work.judgements()),
                "labels_usd": would_cost if is_dear else None,
            }
        )

    def _with_source_marks(self, cards: Sequence[JudgeCard]) -> tuple[JudgeCard, ...]:
        """The cards, with a mark on those that rest on the file beside the labels.

        Where that file is another one than the baseline's run found, a note says whose trial it is.
        """
        reused = [each for each in self._work.judgements() if each.about == "label" and each.reused]
        read = {(each.fingerprint, each.prompt) for each in reused if self._earlier.is_of_labels_file(each)}
        then = {(each.fingerprint, each.prompt) for each in self._earlier_cards if each.from_file}
        then &= {(each.fingerprint, each.prompt) for each in reused}
        baseline, panel = self._plan.request.baseline, self._before
        if baseline is not None and (panel is None or panel.trial_file != self.record.trial_file):
            named = [card for card in cards if (card.fingerprint, card.prompt) in read]
            self._notes += tuple([_changed_trial(card, self._trial_path.name) for card in named])
        return tuple(
            [each.model_copy(update={"from_file": (each.fingerprint, each.prompt) in read | then}) for each in cards]
        )

    def _may_ask(self, trial: TrialSet) -> bool:
        """Whether labels may be judged: in a run of the whole suite, and of a job where judges counted for it."""
        before = self._before
        is_whole = self._plan.positions is None or self._is_scheduled
        return (
            is_whole
            or trial.declared
            or (before is not None and any(before.counts_at(each.job.name) for each in trial.on_trial))
        )

    def _would_cost(self, trials: Iterable[tuple[TrialSet, JudgesAtWork[Any]]]) -> float:
        """US dollars that judging the labels nobody has judged yet comes to, a call each, as far as prices tell."""
        costs = [work.dearest(task, subject, calls=1) for work, task, subject in _questions(trials)]
        return fsum(cost.usd for cost in costs if cost is not None)

    def _has_new_prompt(self) -> bool:
        """Whether a judge that counted on the baseline is asked in other words now: this is another version."""
        prompts = {(judge.fingerprint, job.name): judge.prompt for job, work in self._works for judge in work.judges}
        jobs = {each.name: job.name for job, _work in self._works for each in job.labelled}
        then = [each for each in self._earlier_cards if each.armed and each.fingerprint]
        return any(prompts.get((each.fingerprint, jobs.get(each.job, "")), each.prompt) != each.prompt for each in then)

    def source(self, checks: VerdictSource, *, cases_left: int) -> PanelSource | None:
        """Who gives the verdicts of the cases that are left to be judged; None where nobody is asked."""
        if self.record.unavailable is not None:
            return None
        baseline = self._plan.request.baseline
        rules = self._before.rules if self._before is not None else None
        # Where the baseline's suite says otherwise who decides.
        is_other = rules is not None and rules != self.record.rules
        before = terms_under(rules, self.record.cards, self._armed) if rules is not None and is_other else None
        return self._asking(
            checks,
            armed_before=before,
            share=self._budget.share(cases_left),
            past=baseline.cases if baseline is not None else {},
        )

    def past_source(self, checks: VerdictSource) -> PanelSource | None:
        """Who judges the baseline's answers again; None where nobody is asked."""
        return None if self.record.unavailable is not None else self._asking(checks)

    def _asking(self, checks: VerdictSource, **more: Any) -> PanelSource:
        return PanelSource(self._works, self._judges, self._armed, checks, cleared=self._cleared, **more)

    def note_again(self) -> None:
        """Note in the record what judging the baseline's answers again took."""
        self.record = self.record.model_copy(update={"again": trial_cost(self._work.judgements(), "baseline")})

    async def aclose(self) -> None:
        """Let go of the connections."""
        await close_chats(self._chats)

    def close(self) -> None:
        """Let go of what was kept of earlier runs."""
        self._earlier.close()

    def _sources(self) -> Iterator[JudgementSource]:
        """Where judgements of earlier runs are; none where they are not to be used again, or nobody is asked."""
        request = self._plan.request
        if not request.reuse or self.record.unavailable is not None:
            return
        if request.baseline is not None and request.baseline.judgements is not None:
            yield JudgementSource("the baseline's judgements.jsonl", request.baseline.judgements)
        path = self._trial_path
        yield JudgementSource(path.name, lambda: usable_judgements(path.parent, path.name), labels_only=True)


def _questions(
    trials: Iterable[tuple[TrialSet, JudgesAtWork[Any]]],
) -> Iterator[tuple[JudgesAtWork[Any], Any, JudgingSubject]]:
    """What judges are held against, asked or not: labels, and planted instructions where a judge could count."""
    for trial, work in trials:
        for name, task in (*trial.labels, *(trial.plants if trial.could_arm else ())):
            yield work, task, JudgingSubject("label", name)


def _calls_left(trials: Iterable[tuple[TrialSet, JudgesAtWork[Any]]]) -> int:
    return sum(len(work.to_ask(task, subject)) for work, task, subject in _questions(trials))


def _new_prompt(calls: int, usd: float, panel: Iterable[Member], *, is_dear: bool) -> str:
    """What asking all labels again takes, and who does it."""
    price = f"at most {money(usd)}" if all(member.price is not None for member in panel) else "at a price not known"
    why = "This version of raggate asks judges in other words than the baseline's, so what they said is not used again"
    if is_dear:
        what = f"{count(calls, 'call')} about labels and planted instructions, {price}: more than a run spends on them"
        return f"{why}. It takes {what}. Run `raggate-action judges check`, and commit the file it writes."
    return f"{why}: labels and planted instructions are judged anew in {count(calls, 'call')}, {price}."


def _digest_of(path: Path) -> str | None:
    """Digest of a file; None where there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _changed_trial(card: JudgeCard, name: str) -> str:
    counts = "counts" if card.armed else "does not count"
    job = "" if card.job == "claims" else f" on {card.job}"
    return (
        f"{name} is not the file that the baseline's run found, and judge {card.judge} {counts}{job} by what it says:"
        " nobody was asked. Review that file's change as code, or ask the judge: `raggate-action run --no-reuse`."
    )
