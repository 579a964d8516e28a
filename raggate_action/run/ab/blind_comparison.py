"""Answers compared blind, those of two arms as those of a run and its baseline: by whom, and what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.comparison_terms import ComparisonTerms, PanelQuestion, Rater
from raggate_action.judges.judge_exchange import panel_member
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.run.ab.model_findings import findings_with, judging_with, left_of, written_synthesis
from raggate_action.run.ab.pair_judging import PairHearers, PairKeeping, PairTerms, judge_pairs
from raggate_action.run.ab.pairs import AnswerPair, is_harmful, row_of, type_of
from raggate_action.schema.ab import Ab, Rubric
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import AbJudging, SharedLabs
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.base import digest_of
from raggate_action.schema.case import Case
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judgement import Judgement, Usage
from raggate_action.schema.judges import Member
from raggate_action.schema.judging_counts import LostCount
from raggate_action.schema.policy import Texts
from raggate_action.schema.synthesis import Synthesis
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.ab_section import members_of, shared_labs, synthesizer_of


class PairedCase(NamedTuple):
    """A case whose two answers stand side by side.

    Attributes:
        pair: The answers.
        passed: The treatment's answer passes the suite's own gates; None where that is not known.
    """

    pair: AnswerPair
    passed: bool | None


class ComparedPairs(NamedTuple):
    """What became of every pair.

    Attributes:
        rows: Of every judge, question and order.
        judging: What judging took.
        aggregate: What the rows come to.
    """

    rows: tuple[JudgeRow, ...]
    judging: AbJudging
    aggregate: Aggregate


class PairComparison(NamedTuple):
    """By whom and by what answers are compared.

    Attributes:
        loaded: The suite.
        ab: Its section.
        rubric: What pairs are scored by.
        judges: Who compares, in order.
        ends: The deadline by the loop's clock; None is without end.
    """

    loaded: LoadedSuite
    ab: Ab
    rubric: Rubric
    judges: tuple[Member, ...]
    ends: float | None = None

    @classmethod
    def of(cls, loaded: LoadedSuite) -> PairComparison | None:
        """As the suite says; None where it has no answers compared."""
        ab, rubric = loaded.suite.ab, loaded.rubric
        return None if ab is None or rubric is None else cls(loaded, ab, rubric, members_of(loaded.suite))

    @property
    def seed(self) -> int:
        """Of every draw."""
        return self.loaded.suite.seed if self.ab.seed is None else self.ab.seed

    @property
    def terms(self) -> PairTerms:
        """On what terms pairs are judged."""
        return PairTerms(self.judges, self.rubric, self.ab, self.seed, self.ends)

    @property
    def rubric_digest(self) -> str:
        """Digest of what pairs are scored by."""
        return digest_of(self.rubric.model_dump(mode="json"))

    @property
    def prompt_digest(self) -> str:
        """Digest of the prompt's constant part."""
        return PairJob(self.rubric).digest

    def type_of(self, case: Case) -> str:
        """Of what kind a question is; empty where it does not say."""
        return type_of(case, self.ab.question_type)

    def is_harmful(self, case: Case) -> bool:
        """Whether a wrong answer does harm: by the rubric, or by the suite's protected slices."""
        return is_harmful(case, self.type_of(case), self.rubric, self.loaded.suite.slices)

    def record_fields(self) -> dict[str, Any]:
        """The fields that every record of a comparison has of it."""
        return {
            "seed": self.seed,
            "swap": self.ab.swap,
            "question_type": self.ab.question_type,
            "dimensions": self.rubric.names,
            "judges": tuple(map(panel_member, self.judges)),
            "same_lab": tuple([SharedLabs(**each._asdict()) for each in shared_labs(self.loaded.suite)]),
        }

    async def compare(
        self,
        cases: Sequence[PairedCase],
        keeping: PairKeeping,
        hearers: PairHearers,
        *,
        run_id: str,
        timestamp: str,
        labs: Mapping[ArmName, str] | None = None,
    ) -> ComparedPairs:
        """Have judges compare what differs, and work out what all pairs come to.

        Args:
            cases: Every question's pair, in order.
            keeping: What judging may cost, and where it is kept.
            hearers: Who hears how it goes.
            run_id: As the rows have it.
            timestamp: Likewise.
            labs: Who trained the model of an arm.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        pairs = [case.pair for case in cases]
        judgeable = [pair for pair in pairs if pair.is_asked]
        judged = await judge_pairs(judgeable, self.terms, keeping, hearers)
        rows: list[JudgeRow] = []
        judgements: list[Judgement] = []
        for pair in pairs:
            for member in self.judges:
                head = pair.head(member, run_id=run_id, timestamp=timestamp)
                # Of a pair that nobody was asked about each judge has one row.
                unasked = pair.without_judges(head)
                own = judged.by_judge.get((pair.question_id, member.name), [])
                rows += [unasked] if unasked is not None else [row_of(head, each) for each in own]
                judgements += [each.judgement for each in own]
        questions = [
            PanelQuestion(pair.question_id, pair.question_type, pair.harmful, passed) for pair, passed in cases
        ]
        total = aggregate(
            rows,
            ComparisonTerms(
                dimensions=self.rubric.names,
                questions=tuple(questions),
                judges=tuple([Rater(member.name, lab=member.lab) for member in self.judges]),
                swap=self.ab.swap,
                labs=labs or {},
                seed=self.seed,
                trials=judged.trials,
            ),
        )
        # What was said of planted pairs before stands there as well where nobody is asked.
        planted = judged.planted if judgeable else ()
        return ComparedPairs(tuple(rows), _ab_judging(len(judgeable), judgements, planted, self.judges), total)

    async def findings_fields(
        self,
        found: ComparedPairs,
        tell: Callable[[str], object],
        *,
        is_worth_writing: bool,
        earlier: Iterable[Synthesis] = (),
    ) -> dict[str, Any]:
        """What is said of it, as every record has it: by rule, and by a model where the suite names one.

        Args:
            found: What was found.
            tell: Hears what is waited for.
            is_worth_writing: There is something for a model to write of.
            earlier: What models wrote in earlier comparisons.
        """
        member, synthesis = synthesizer_of(self.loaded.suite), None
        if member is not None and is_worth_writing:
            left, secrets = left_of(self.ab.budget, found.judging), self.loaded.secrets
            synthesis = await written_synthesis(
                found.aggregate, member, left, self.ends, earlier=earlier, secrets=secrets, tell=tell
            )
        return {
            "aggregate": found.aggregate,
            "findings": findings_with(found.aggregate, synthesis),
            "synthesis": synthesis,
            "judging": judging_with(found.judging, synthesis),
        }


def _ab_judging(
    pairs: int, judgements: Sequence[Judgement], planted: Sequence[Judgement], members: Iterable[Member]
) -> AbJudging:
    both = [*judgements, *planted]
    lost = Counter([each.lost.code for each in judgements if each.lost is not None])
    in_order = sorted(lost.items(), key=lambda one: (-one[1], one[0]))
    usages = [each.usage for each in both]
    called = {each.judge for each in both if each.calls and each.cost_usd is None}
    return AbJudging(
        pairs=pairs,
        judgements=len(judgements),
        reused=sum(each.reused for each in judgements),
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
