"""Answers and judgements of two arms become rows, and the record of a comparison. Nobody is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from raggate_action.core.counting.verified import passes_gates
from raggate_action.core.decision.ab_gate import ab_gate
from raggate_action.core.panel_ab.aggregate import aggregate
from raggate_action.core.panel_ab.one_variable import BothRetrieved, one_variable
from raggate_action.core.panel_ab.terms import PairTrial, Question, Rater, Terms
from raggate_action.judges.keys import fingerprint
from raggate_action.pipeline.ab_answers import ArmAnswer
from raggate_action.pipeline.ab_asking import ArmAnswers
from raggate_action.pipeline.ab_judging import JudgedPairs
from raggate_action.pipeline.ab_pairs import Pair, pair_of, row_of, unasked_pairs
from raggate_action.pipeline.ab_request import AbPlan
from raggate_action.schema.ab import Arm, ArmName
from raggate_action.schema.ab_run import AbJudging, AbRun, ArmReport, OneVariable, SharedLabs, StartedAb
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judgement import Judgement, Usage
from raggate_action.schema.judges import Member
from raggate_action.schema.panel import LostCount, PanelMember
from raggate_action.schema.policy import Texts
from raggate_action.suite_files.ab_arms import AskedArm
from raggate_action.suite_files.ab_checks import shared_labs


class Answers(NamedTuple):
    """What both arms answered."""

    control: ArmAnswers
    treatment: ArmAnswers


class Compared(NamedTuple):
    """What became of every pair.

    Attributes:
        pairs: Each question's, in order.
        rows: Of every judge, question and order.
        judging: What judging took.
        trials: Judge -> how it took planted pairs.
    """

    pairs: tuple[Pair, ...]
    rows: tuple[JudgeRow, ...]
    judging: AbJudging
    trials: Mapping[str, PairTrial]


def pairs_of(plan: AbPlan, answers: Answers) -> tuple[Pair, ...]:
    """The pair of every question, in the suite's order."""
    both = zip(plan.cases, answers.control.answers, answers.treatment.answers, strict=True)
    return tuple(
        [
            pair_of(placed, control, treatment, question_type=plan.type_of(placed), harmful=plan.is_protected(placed))
            for placed, control, treatment in both
        ]
    )


def compared(
    judges: tuple[Member, ...], pairs: tuple[Pair, ...], judged: JudgedPairs, *, run_id: str, timestamp: str
) -> Compared:
    """What judges said of pairs, as rows; of a pair that nobody was asked about each judge has one.

    Args:
        judges: In order.
        pairs: Every question's.
        judged: What judges said.
        run_id: As the rows have it.
        timestamp: Likewise.
    """
    rows: list[JudgeRow] = []
    said: list[Judgement] = []
    for pair in pairs:
        for member in judges:
            head = pair.head(member, run_id=run_id, timestamp=timestamp)
            unasked = pair.without_judges(head)
            own = judged.said.get((pair.question_id, member.name), [])
            rows += [unasked] if unasked is not None else [row_of(head, each) for each in own]
            said += [each.judgement for each in own]
    asked = sum(pair.is_asked for pair in pairs)
    # What was said of planted pairs before stands there as well where nobody is asked.
    planted = judged.planted if asked else ()
    return Compared(pairs, tuple(rows), _judging(asked, said, planted, judges), judged.trials)


def _judging(
    pairs: int, said: Sequence[Judgement], planted: Sequence[Judgement], members: Iterable[Member]
) -> AbJudging:
    both = [*said, *planted]
    lost = Counter([each.lost.code for each in said if each.lost is not None])
    in_order = sorted(lost.items(), key=lambda one: (-one[1], one[0]))
    usages = [each.usage for each in both]
    called = {each.judge for each in both if each.calls and each.cost_usd is None}
    return AbJudging(
        pairs=pairs,
        judgements=len(said),
        reused=sum(each.reused for each in said),
        lost=tuple([LostCount(code=code, judgements=number) for code, number in in_order]),
        planted=len(planted),
        planted_reused=sum(each.reused for each in planted),
        planted_lost=sum(each.lost is not None for each in planted),
        calls=sum(each.calls for each in both),
        usage=Usage(
            input=sum(each.input for each in usages),
            cached=sum(each.cached for each in usages),
            output=sum(each.output for each in usages),
        ),
        cost_usd=sum(each.cost_usd or 0.0 for each in both),
        unpriced=tuple([member.name for member in members if member.name in called]),
    )


def ab_run(plan: AbPlan, answers: Answers, found: Compared, started: StartedAb, finished_at: str) -> AbRun:
    """The record of a comparison.

    Args:
        plan: What was compared.
        answers: What the arms answered.
        found: What judges said of it.
        started: What it began with.
        finished_at: The moment.
    """
    total = aggregate(found.rows, _terms(plan, answers)._replace(trials=found.trials))
    gates, suite = plan.loaded.suite.gates, plan.loaded.suite
    return AbRun(
        **{**dict(started), "complete": True},
        finished_at=finished_at,
        texts=suite.texts,
        seed=plan.seed,
        swap=plan.ab.swap,
        question_type=plan.ab.question_type,
        dimensions=plan.rubric.names,
        control=_arm_report(plan, plan.arms[0], answers.control.answers),
        treatment=_arm_report(plan, plan.arms[1], answers.treatment.answers),
        judges=tuple(map(member_note, plan.judges)),
        same_lab=tuple([SharedLabs(**each._asdict()) for each in shared_labs(suite)]),
        one_variable=_one_variable(plan, answers),
        unasked=tuple(unasked_pairs(found.pairs)),
        judging=found.judging,
        aggregate=total,
        gate=next(iter(ab_gate(total, gates.ab)), None) if gates.ab.level != "off" else None,
        enforced=suite.enforce,
        notes=tuple(_notes(answers)),
    )


def _terms(plan: AbPlan, answers: Answers) -> Terms:
    questions = [
        Question(
            placed.case.case_id,
            plan.type_of(placed),
            plan.is_protected(placed),
            passes_gates(answer.row, answerable=placed.case.is_answerable),
        )
        for placed, answer in zip(plan.cases, answers.treatment.answers, strict=True)
    ]
    labs: dict[ArmName, str] = {arm.name: arm.arm.lab for arm in plan.arms if arm.arm.lab is not None}
    return Terms(
        dimensions=plan.rubric.names,
        questions=tuple(questions),
        judges=tuple([Rater(member.name, lab=member.lab) for member in plan.judges]),
        swap=plan.ab.swap,
        labs=labs,
        seed=plan.seed,
    )


def member_note(member: Member) -> PanelMember:
    """A judge as a record names it."""
    return PanelMember(
        name=member.name,
        lab=member.lab,
        model=member.model,
        fingerprint=fingerprint(member),
        priced=member.price is not None,
    )


def _arm_report(plan: AbPlan, arm: AskedArm, answers: Sequence[ArmAnswer]) -> ArmReport:
    states = Counter([each.row.state for each in answers])
    # A decline that no label speaks against is unknown, and no failure.
    unknown = sum(
        each.row.state == "failed" and passes_gates(each.row, answerable=placed.case.is_answerable) is None
        for placed, each in zip(plan.cases, answers, strict=True)
    )
    unasked = Counter([each.unasked for each in answers])
    costs = [each.row.cost_usd for each in answers if each.row.cost_usd is not None]
    return ArmReport(
        model=arm.arm.model,
        lab=arm.arm.lab,
        target=arm.digest,
        answered=unasked[None],
        no_answer=unasked["no-answer"],
        inadmissible=unasked["inadmissible"],
        passed=states["passed"],
        failed=states["failed"] - unknown,
        unmeasured=states["unmeasured"] + unknown,
        declined=sum(each.row.abstained is True for each in answers),
        cost_usd=sum(costs) if costs else None,
        versions=_versions(answers),
        error=next((each.why for each in answers if each.unasked == "no-answer"), ""),
    )


def _versions(answers: Sequence[ArmAnswer]) -> dict[str, str]:
    """Of each version the one that most answers name."""
    named: dict[str, Counter[str]] = {}
    for answer in answers:
        for key, value in answer.versions:
            named.setdefault(key, Counter())[value] += 1
    return {key: min(found, key=lambda value: (-found[value], value)) for key, found in named.items()}


def _one_variable(plan: AbPlan, answers: Answers) -> OneVariable:
    both = zip(plan.cases, answers.control.answers, answers.treatment.answers, strict=True)
    retrieved = [
        BothRetrieved(placed.case.case_id, control.retrieved, treatment.retrieved)
        for placed, control, treatment in both
        if control.retrieved is not None and treatment.retrieved is not None
    ]
    control, treatment = (_written(arm) for arm in plan.arms)
    versions = _versions(answers.control.answers), _versions(answers.treatment.answers)
    return one_variable((control, treatment), retrieved, versions)


def _written(arm: AskedArm) -> Arm:
    """An arm with its target, which may be the suite's."""
    return arm.arm.model_copy(update={"target": arm.written})


def _notes(answers: Answers) -> Iterator[str]:
    for name, arm in (("control", answers.control), ("treatment", answers.treatment)):
        yield from (f"{name}: {note}" for note in arm.notes)


def permitted_rows(rows: Iterable[JudgeRow], texts: Texts) -> Iterator[JudgeRow]:
    """Rows as a file may hold them: under `texts: ids` without a word of an answer or a judge."""
    for row in rows:
        if texts != "ids":
            yield row
            continue
        lost = row.lost
        if lost is not None and not isinstance(lost, str):
            lost = lost.model_copy(update={"detail": ""})
        bare = {"control_response": "", "treatment_response": "", "reason": "", "lost": lost}
        yield row.model_copy(update=bare)
