"""This run's answers beside the baseline's, compared blind: what a run keeps of it. Part of `run.json`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from raggate_action.schema.ab_findings import Findings
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import AbJudging, SharedLabs
from raggate_action.schema.base import Natural, Record
from raggate_action.schema.panel import PanelMember
from raggate_action.schema.synthesis import Synthesis

# Why a case of a run has no pair: the baseline did not run it as it is now; its answers differ from one asking to the
# next; a side has no answer; a side's was made from evidence that it must not be made from.
NotPaired: TypeAlias = Literal["new", "flaky", "no-answer", "inadmissible"]


class NotPairedCount(Record):
    """How many cases have no pair for one reason."""

    reason: NotPaired
    cases: Natural


class RunAb(Record):
    """A run's answers (the treatment) beside its baseline's (the control). No word of a question or an answer.

    Attributes:
        baseline: When the baseline was decided, by which it is known.
        seed, swap, question_type, dimensions, judges, same_lab: As in `AbRun`.
        rubric, prompt: Digests, as in `AbDigests`.
        identical, changed: Pairs with the same answer, and with another one.
        not_paired: Cases of the run without a pair, by reason.
        unavailable: Why no judge was asked about changed answers, in one sentence; None where they were, or none are.
        judging: What judging took.
        aggregate: What the rows come to; None where nobody could be asked, or there is no pair.
        findings: What is said of it.
        synthesis: What came of having findings written; None where nobody was to write any.
    """

    baseline: str
    seed: int
    swap: bool
    question_type: str
    dimensions: tuple[str, ...]
    judges: tuple[PanelMember, ...]
    same_lab: tuple[SharedLabs, ...] = ()
    rubric: str
    prompt: str
    identical: Natural = 0
    changed: Natural = 0
    not_paired: tuple[NotPairedCount, ...] = ()
    unavailable: str | None = None
    judging: AbJudging = AbJudging()
    aggregate: Aggregate | None = None
    findings: Findings = Findings()
    synthesis: Synthesis | None = None
