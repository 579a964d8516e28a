"""Runs whose answers judges have held beside the baseline's: rows by hand, and what is worked out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.comparison_terms import ComparisonTerms, PanelQuestion, Rater
from raggate_action.core.ab.example_question import example_question
from raggate_action.core.ab.rule_findings import findings_of
from raggate_action.report.page_sections import Reporting
from raggate_action.schema.ab_findings import Finding, Findings, Rejection
from raggate_action.schema.ab_run import AbJudging, NotPairedCount, RunAb
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judgement import Usage
from raggate_action.schema.judging_counts import LostCount
from tests.golden.hostile import Say
from tests.golden.judged_pages import MEMBERS
from tests.golden.pages import pull_request, release
from tests.panel_ab_builders import DIMENSIONS, identical, lost, scored

BASELINE = "2026-06-01T08:00:00Z"
LABS = {each.name: each.lab for each in MEMBERS}


def run_ab(rows: Sequence[JudgeRow], questions: Sequence[PanelQuestion] = (), **fields: Any) -> RunAb:
    """What a run keeps of rows; the labs of its judges are those of `MEMBERS`."""
    names = dict.fromkeys([row.judge for row in rows])
    raters = tuple([Rater(name, lab=LABS.get(name, "")) for name in names])
    total = aggregate(rows, ComparisonTerms(DIMENSIONS, tuple(questions), raters))
    known: dict[str, Any] = {
        "baseline": BASELINE,
        "seed": 7,
        "swap": False,
        "question_type": "category",
        "dimensions": DIMENSIONS,
        "judges": MEMBERS,
        "rubric": "r" * 64,
        "prompt": "p" * 64,
        "identical": len(total.identical),
        "changed": total.grid.questions - len(total.identical),
        "aggregate": total,
        "findings": Findings(derived=findings_of(total)),
        "example": example_question(total, rows),
    }
    return RunAb(**{**known, **fields})


def with_ab(reporting: Reporting, ab: RunAb) -> Reporting:
    """The run with its answers beside the baseline's."""
    return reporting._replace(run=reporting.run.model_copy(update={"ab": ab}))


_EGG = {
    "question_text": "Which desserts are free of eggs?",
    "control_response": "The sorbet is [menu-44]. Of the others the menu does not say.",
    "treatment_response": "The sorbet and the panna cotta.",
    "reason": "Nothing shown speaks of the panna cotta.",
}


def compared_rows() -> list[JudgeRow]:
    """Twelve questions: six answers the same, on five of the others the treatment is better, one it loses; one lost."""
    rows = []
    for name in LABS:
        rows += [identical(f"same-{number}", name) for number in range(6)]
        rows += [scored(f"better-{number}", name, "33333", "44454", reason="More is cited.") for number in range(5)]
        rows.append(scored("egg-free", name, "44444", "33443", **_EGG) if name != "crow" else lost("egg-free", name))
    return rows


def compared() -> Reporting:
    """A release of a pull request that judges were asked about as well."""
    questions = [PanelQuestion("egg-free", protected=True, gates_passed=True)]
    judging = AbJudging(
        pairs=6,
        judgements=18,
        lost=(LostCount(code="judge-timeout", judgements=1),),
        calls=18,
        usage=Usage(input=40_000, output=3_000),
        cost_usd=0.0421,
        unpriced=("crow",),
    )
    left = (NotPairedCount(reason="new", cases=2), NotPairedCount(reason="no-answer", cases=1))
    ab = run_ab(compared_rows(), questions, judging=judging, not_paired=left)
    return with_ab(pull_request(), ab)


def not_compared() -> Reporting:
    """The same where a key is not set."""
    ab = run_ab(
        [],
        aggregate=None,
        findings=Findings(),
        identical=6,
        changed=6,
        unavailable="No judge compared the answers with the baseline's, for ADA_KEY is not set.",
    )
    return with_ab(release(), ab)


def with_hostile_ab(reporting: Reporting, say: Say) -> Reporting:
    """The run with judges, questions, types and a model's findings from `say`."""

    # A question or a judge whose name is no text is refused where it is read.
    def word() -> str:
        return say().encode(errors="replace").decode()

    names, question = [word(), word()], word()
    said = {"reason": word(), "question_text": word(), "control_response": word(), "treatment_response": word()}
    rows = [scored(question, name, "33333", "11111", **said) for name in names]
    ab = run_ab(rows, [PanelQuestion(question, question_type=word(), protected=True, gates_passed=True)])
    written = (Finding(kind="note", measure="overall", text=word()[:600]),)
    rejection = Rejection(code="number", place=1, found=word())
    findings = ab.findings.model_copy(update={"written": written, "rejection": rejection})
    judging = AbJudging(pairs=1, judgements=2, calls=2, unpriced=tuple(names))
    return with_ab(reporting, ab.model_copy(update={"findings": findings, "judging": judging, "baseline": word()}))
