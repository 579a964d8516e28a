"""`judges check`: it tests the suite's judges against the labels, and prints the result of each judge for each job."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from raggate_action.cli.commands import JudgesCheck
from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial, confusion_table, is_good
from raggate_action.core.statistics.agreement import cohen_kappa
from raggate_action.errors import ExitCode
from raggate_action.report.card_view import JudgeSpending, LabelCounts, card_lines, head
from raggate_action.report.escape import log_line
from raggate_action.report.page import Text
from raggate_action.report.plain_sink import plain
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.run.labelling.calibration_run import JobOutcome, calibrate
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges, Member
from raggate_action.strings.numbers import NOTHING, rate, whole_number
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.calibration_file import Labelled, read_labels
from raggate_action.suite_files.problems import path_text


def run(options: JudgesCheck) -> int:
    """Print a block of lines per judge, and keep what they said beside the labels; of two files how they differ.

    Returns:
        0 once it is printed; 1 where a judge that counted does no longer; 3 where none could be asked, or one that
        counted could not be judged again.
    """
    if options.labels is not None and options.second is not None:
        sys.stdout.writelines(_differences(read_labels(options.labels), read_labels(options.second)))
        return ExitCode.RELEASE
    loaded = load_suite(options.suite, environment=os.environ, labels=options.labels)
    outcomes, file = asyncio.run(calibrate(loaded, os.environ, reuse=options.reuse, labels=options.labels))
    judges = loaded.suite.judges
    if judges is not None:
        say(map(plain, _lines(outcomes, file, judges)))
    return _exit_code(outcomes)


def _lines(outcomes: Sequence[JobOutcome], file: Path, judges: Judges) -> Iterator[Text]:
    members = {member.name: member for member in judges.panel}
    for of_job in outcomes:
        for on_trial in of_job.trial.on_trial:
            job = on_trial.job.name
            if job == "claims":
                yield "raggate: ", head(_label_counts(on_trial), len(members), len(of_job.trial.plants))
            else:
                yield ""
                yield f"{job}: ", head(_label_counts(on_trial), len(members), len(of_job.trial.plants))
            judgements = _judgements_of(of_job, on_trial)
            for card in of_job.cards:
                if card.job != job:
                    continue
                yield ""
                member = members.get(card.judge)
                worked = of_job.worked.get(card.judge, Rate(hits=0, total=0))
                spent = _spending(judgements, member, worked) if member is not None else None
                yield from card_lines(card, judges.arming, spent)
    yield ""
    if file.is_file():
        yield f"what they said is in {path_text(file)}: commit it beside the labels, and no run asks again"
    else:
        yield "nothing was said, and nothing written"


def _differences(one: Sequence[Labelled], other: Sequence[Labelled]) -> Iterator[str]:
    """How far two people agree on what both labelled, job by job, and each label on which they do not."""
    by_job = {
        name: (OnTrial(job, tuple([each for each in one if each.job == name])).human_verdicts,
               OnTrial(job, tuple([each for each in other if each.job == name])).human_verdicts)
        for name, job in LABELLED.items()
    }  # fmt: skip
    for name, (first, second) in by_job.items():
        verdicts = {each.of: each.verdict for each in second}
        both = [(each, verdicts[each.of]) for each in first if each.of in verdicts]
        if not both:
            if first or second:
                yield f"raggate: {name}: nothing is labelled in both files\n"
            continue
        table = confusion_table([(each.verdict, verdict, 1) for each, verdict in both])
        kappa = cohen_kappa(table)
        agreed = rate(table.agreements, table.total)
        told = f"kappa {NOTHING if kappa is None else whole_number(kappa, 2)}"
        yield f"raggate: {name}: two people agree what is right on {agreed}, {told}: a judge can hardly reach more\n"
        for each, verdict in both:
            if each.verdict != verdict:
                yield f"  {each.verdict} or {verdict}: {log_line(each.text)}\n"


def _judgements_of(of_job: JobOutcome, on_trial: OnTrial[Any]) -> list[Judgement]:
    """The judgements of these labels, and of planted instructions and worked examples, which all jobs share."""
    others = {label.id for each in of_job.trial.on_trial if each is not on_trial for label in each.labels}
    return [each for each in of_job.judgements if each.id not in others]


def _label_counts(on_trial: OnTrial[Any]) -> LabelCounts:
    called = on_trial.human_verdicts
    right = sum(is_good(each.verdict) for each in called)
    made = sum(each.made for each in called)
    return LabelCounts(right, len(called) - right, made, on_trial.job.name, on_trial.copies, on_trial.empty)


def _spending(judgements: Iterable[Judgement], member: Member, worked: Rate) -> JudgeSpending:
    own = [judgement for judgement in judgements if judgement.judge == member.name]
    lost = Counter(judgement.lost.code for judgement in own if judgement.lost is not None)
    return JudgeSpending(
        judged=sum(judgement.lost is None and not judgement.reused for judgement in own),
        reused=sum(judgement.reused for judgement in own),
        lost=dict(lost.most_common()),
        calls=sum(judgement.calls for judgement in own),
        cost_usd=None if member.price is None else sum(judgement.cost_usd or 0.0 for judgement in own),
        worked=worked,
    )


def _exit_code(outcomes: Sequence[JobOutcome]) -> ExitCode:
    if all(judgement.lost is not None for each in outcomes for judgement in each.judgements):
        return ExitCode.INCONCLUSIVE
    now = {(card.job, card.judge): card for each in outcomes for card in each.cards}
    gone: list[JudgeCard] = []
    for card in [card for each in outcomes for card in each.before]:
        today = now.get((card.job, card.judge))
        if card.armed and today is not None and not today.armed:
            gone.append(today)
    if not gone:
        return ExitCode.RELEASE
    return ExitCode.INCONCLUSIVE if all(card.why_not == "not-judged" for card in gone) else ExitCode.BLOCK
