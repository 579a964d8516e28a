"""The `calibrate` command's work: a suite's judges are put on trial, and what they said is kept beside the labels."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, Self

from raggate_action.core.panel.fold import PanelTerms
from raggate_action.core.panel.items import gates_used
from raggate_action.core.panel.trial import tried
from raggate_action.errors import UsageError
from raggate_action.judges.answer_judge import ANSWER
from raggate_action.judges.asking import Judge, Task
from raggate_action.judges.claims_judge import CLAIMS
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.interface import AnswerTask, ClaimsTask
from raggate_action.judges.item_plants import ITEM_PLANTS, answer_task_of
from raggate_action.judges.keys import content_key
from raggate_action.judges.plants import PLANTS, WORKED
from raggate_action.pipeline.calibration import Calibrated, by_answer, cards_of, claims_asked, judged_of
from raggate_action.pipeline.item_calibration import item_cards_of
from raggate_action.pipeline.judge_budget import Budget
from raggate_action.pipeline.judgement_reuse import EarlierJudgements, Source, Subject, again
from raggate_action.pipeline.judges_at_work import JudgesAtWork
from raggate_action.pipeline.progress import TrialProgress
from raggate_action.run_store import JudgementFile, usable_judgements
from raggate_action.schema.base import Rate, rate_of
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.judgement import ItemGate, Judgement, Lost, LostCode, Usage
from raggate_action.schema.judges import Judges
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.calibration_file import judged_labels_path
from raggate_action.suite_files.problems import path_text
from raggate_action.version import JUDGES

# What a judge is lost for by what it was shown, and will be again; the others another day may mend.
_OF_THE_ANSWER: Final[frozenset[LostCode]] = frozenset(
    {"judge-filtered", "judge-refused", "judge-off-schema", "judge-truncated", "judge-empty"}
)


class Outcome(NamedTuple):
    """What a trial came to.

    Attributes:
        found: The cards, with all judgements.
        before: The cards by what was kept of earlier trials.
        worked: Of two worked examples: claims that each judge puts on the right side, by its name.
        asked: Judgements that calls were to be made for, and reused ones, of claims.
        kept_in: The file the judgements were written to.
        items: The same of the gates that only judges feed, as far as the suite uses them.
        items_before: Their cards by what was kept of earlier trials.
        items_asked: Judgements of the answer job.
    """

    found: Calibrated
    before: Calibrated
    worked: Mapping[str, Rate]
    asked: tuple[Judgement, ...]
    kept_in: Path
    items: tuple[JudgeCard, ...] = ()
    items_before: tuple[JudgeCard, ...] = ()
    items_asked: tuple[Judgement, ...] = ()


async def calibrate(loaded: LoadedSuite, environment: Mapping[str, str], *, reuse: bool) -> Outcome:
    """Put the suite's judges on trial, within its budget; how far it is, and why a judge is asked no more, on stderr.

    Args:
        loaded: The suite.
        environment: Where keys are.
        reuse: Ask nobody twice; else everybody is asked again.

    Raises:
        UsageError: The suite has no judges, or the judgements cannot be written.
    """
    judges = loaded.suite.judges
    if judges is None:
        raise UsageError(
            f"{path_text(loaded.path)} has no judges to calibrate",
            hint=f"Add a `judges:` section with a panel: {JUDGES}",
        )
    path = judged_labels_path(loaded.directory / judges.calibration)
    stored = list(_stored(path))
    gates = gates_used(each.case for each in loaded.cases)
    claims, items = _claims_asked(loaded), _items_asked(loaded)
    answers = len(claims) + sum(each.job in gates for each in loaded.held) + bool(gates) * len(ITEM_PLANTS)
    progress = TrialProgress(answers * len(judges.panel), environment=environment)
    draw = random.Random()  # noqa: S311 - jitter, not a secret
    chats = open_chats(judges.panel, environment, draw=draw, tell=progress.tell)
    panel = tuple(Judge(member, chats[member.name], CLAIMS) for member in judges.panel)
    answering = tuple(Judge(member, chats[member.name], ANSWER) for member in judges.panel)
    try:
        with _Desk(judges, stored, loaded.secrets, progress.judged) as desk:
            outcome = (await _on_claims(loaded, judges, desk, panel, reuse=reuse))._replace(kept_in=path)
            if gates:
                outcome = await _on_items(outcome, loaded, judges, desk, answering, gates, reuse=reuse)
    finally:
        progress.close()
        await close_chats(chats)
    kept = _worth_keeping(outcome.asked, stored, claims, panel)
    _write(path, chain(kept, _worth_keeping(outcome.items_asked, stored, items, answering)))
    return outcome


def _claims_asked(loaded: LoadedSuite) -> list[tuple[str, ClaimsTask]]:
    return claims_asked([*[plant.answer for plant in PLANTS], *WORKED, *loaded.calibration])


def _items_asked(loaded: LoadedSuite) -> list[tuple[str, AnswerTask]]:
    of_plants = [(plant.id, plant.task) for plant in ITEM_PLANTS]
    return [*of_plants, *[(each.id, answer_task_of(each)) for each in loaded.held]]


async def _on_claims(
    loaded: LoadedSuite, judges: Judges, desk: _Desk, panel: tuple[Judge[ClaimsTask], ...], *, reuse: bool
) -> Outcome:
    before = await cards_of(loaded.calibration, PLANTS, desk.recalling(panel), judges, may_ask=False)
    work = desk.at_work(panel, reuse=reuse)
    # Whatever the labels are worth: who asks wants to know.
    of_plants = await judged_of(claims_asked([plant.answer for plant in PLANTS]), work, may_ask=True)
    of_worked = await judged_of(claims_asked(WORKED), work, may_ask=True)
    found = await cards_of(loaded.calibration, PLANTS, work, judges, may_ask=True, earlier=before.cards)
    worked = {judge.member.name: _worked(judge.member.name, of_worked) for judge in panel}
    asked = (*chain(*of_plants, *of_worked), *found.of_labels)
    return Outcome(found, before, worked, asked, Path())


async def _on_items(
    outcome: Outcome,
    loaded: LoadedSuite,
    judges: Judges,
    desk: _Desk,
    panel: tuple[Judge[AnswerTask], ...],
    gates: tuple[ItemGate, ...],
    *,
    reuse: bool,
) -> Outcome:
    before = await item_cards_of(loaded.held, ITEM_PLANTS, desk.recalling(panel), judges, gates, may_ask=False)
    work = desk.at_work(panel, reuse=reuse)
    of_plants = await judged_of([(plant.id, plant.task) for plant in ITEM_PLANTS], work, may_ask=True)
    found = await item_cards_of(loaded.held, ITEM_PLANTS, work, judges, gates, may_ask=True, earlier=before.cards)
    asked = (*chain(*of_plants), *found.of_labels)
    return outcome._replace(items=found.cards, items_before=before.cards, items_asked=asked)


def _stored(path: Path) -> Iterator[Judgement]:
    """What was kept of earlier trials, as it stands for this one."""
    for each in usable_judgements(path.parent, path.name):
        if each is not None and each.lost is None:
            yield again(each, Subject("label", each.id), each.judge)


class _Desk:
    """Where judges work while a trial goes on; what they say lies in files that nobody sees."""

    def __init__(
        self, judges: Judges, stored: list[Judgement], secrets: Iterable[str], hear: Callable[[Judgement], object]
    ) -> None:
        self._judges, self._stored, self._secrets, self._hear = judges, stored, tuple(secrets), hear
        # One for all jobs.
        self._budget = Budget(judges.budget)
        self._open: list[EarlierJudgements | JudgementFile] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_how: object) -> None:
        for each in self._open:
            each.close()

    def at_work(self, panel: tuple[Judge[Task], ...], *, reuse: bool) -> JudgesAtWork[Task]:
        """The judges at a job, at the beginning of a trial."""
        return self._work(panel, reuse=reuse, hear=self._hear)

    def recalling(self, panel: tuple[Judge[Task], ...]) -> JudgesAtWork[Task]:
        """The same with what was kept of earlier trials, of which nobody is told."""
        return self._work(panel, reuse=True, hear=lambda _judgement: None)

    def _work(
        self, panel: tuple[Judge[Task], ...], *, reuse: bool, hear: Callable[[Judgement], object]
    ) -> JudgesAtWork[Task]:
        journal = JudgementFile.nameless()
        sources = [Source("the judgements beside the labels", lambda: iter(self._stored))] if reuse else []
        made_by = {(judge.fingerprint, judge.prompt) for judge in panel}
        earlier = EarlierJudgements(journal, sources, made_by=made_by)
        self._open += [earlier, journal]
        return JudgesAtWork(panel, self._budget, earlier, journal, secrets=self._secrets, hear=hear)


def _worked(judge: str, said: Iterable[tuple[Judgement, ...]]) -> Rate:
    terms = PanelTerms((judge,), frozenset({judge}))
    table = tried(WORKED, [by_answer(judge, said)], terms).table
    return rate_of(table.agreed, sum(len(answer.claims) for answer in WORKED))


def _worth_keeping(
    asked: Iterable[Judgement],
    stored: Iterable[Judgement],
    tasks: Iterable[tuple[str, Task]],
    panel: Iterable[Judge[Task]],
) -> Iterator[Judgement]:
    """What answers a question of today, answer by answer and judge by judge, whatever it cost.

    Other judges of another suite may be held against the same labels: what they said to today's prompt stays. What
    could not be asked again stays as it was.
    """
    judges = tuple(panel)
    prompts = {judge.prompt for judge in judges}
    said = {each.key: each for each in stored}
    # A trial is used whole: what an answer's own words lose has an outcome as well. It is asked again all the same.
    lost = {each.key: each for each in asked if each.lost is not None and each.lost.code in _OF_THE_ANSWER}
    said = lost | said | {each.key: each for each in asked if each.lost is None}
    others: Counter[str] = Counter(each.fingerprint for each in said.values())
    order = [*dict.fromkeys(judge.fingerprint for judge in judges)]
    order += sorted(others.keys() - set(order))
    for name, task in tasks:
        for fingerprint in order:
            for prompt in sorted(prompts):
                found = said.get(content_key(fingerprint, prompt, task))
                if found is not None:
                    free = {"about": "label", "id": name, "ask": 0, "usage": Usage(), "calls": 0}
                    kept = None if found.lost is None else Lost(code=found.lost.code, detail="")
                    yield found.model_copy(update={**free, "lost": kept, "cost_usd": None, "reused": False})


def _write(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write the file by rename; one that would say the same is left alone."""
    content = b"".join(map(json_line, judgements))
    path = path.resolve()
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        if not content or (path.is_file() and path.read_bytes() == content):
            return
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise UsageError(
            f"{path_text(path)} cannot be written: {error.strerror or error}", hint="Check that you may write there."
        ) from None
