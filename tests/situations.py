"""Twelve situations a reviewer meets on a pull request, as decided runs: for the bounds of the comment, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from raggate_action.report.render import render_comment
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import Ask, CaseRun, Claim, Finding, Hallucination
from raggate_action.schema.change import Change
from raggate_action.schema.comparison import VersionChange
from raggate_action.schema.decision import Decision, Measured, RunGate
from raggate_action.schema.origin import BaselineNote
from raggate_action.schema.outcome import GATES, Failed, GateName, Outcome, Passed, Problem
from raggate_action.schema.suite_comparison import SuiteChange, SuiteComparison
from tests.golden import judged_pages, pages
from tests.golden.builders import (
    KNOWN,
    Because,
    blocked,
    counted,
    counts_of,
    deltas,
    first,
    gate_reason,
    make_comparison,
    make_origin,
    make_reporting,
    make_row,
    moved,
)
from tests.golden.hostile import hostile, repeated

BASE = "99aa88bb77cc66dd55ee44ff33aa22bb11cc00dd"
NOTE = BaselineNote(branch="main", head_sha=BASE, workflow_run_id=17234560000, distance=0, age_days=0)
PROSE: GateName = "faithfulness"


def compared(
    rows: tuple[CaseRun, ...], decision: Decision | Because, *, suite: str = "shop", **fields: Any
) -> Reporting:
    """A run of a pull request against its base branch; `comparison` replaces fields of the comparison."""
    comparison = {"compared": len(rows), "baseline_git_sha": BASE, **fields.pop("comparison", {})}
    given = {"suite": suite, "origin": make_origin(run_attempt=1), "baseline": NOTE, "suite_size": len(rows)}
    return make_reporting(rows, decision, comparison=make_comparison(**comparison), **{**given, **fields})


def fine(number: int) -> tuple[CaseRun, ...]:
    """So many passing cases of a shop."""
    return tuple(make_row(100 + each, case_id=f"plan-{each}", file="cases/shop.yaml") for each in range(number))


def failing(
    case_id: str,
    gate: GateName,
    code: str,
    detail: str,
    *,
    question: str,
    answer: str,
    position: int = 0,
    quote: str = "",
) -> CaseRun:
    """A failing case with its question, its answer, and a chunk that speaks against it where there is one."""
    outcomes: dict[GateName, Outcome] = {
        "target": Passed(),
        **KNOWN,
        gate: Failed(problems=(Problem(code=code, detail=detail),)),
    }
    found = Hallucination(kind="claim", key=f"claim:{case_id}", text=answer, chunk_id="policy-7", quote=quote)
    return make_row(
        position,
        case_id=case_id,
        file="cases/shop.yaml",
        state="failed",
        question=question,
        answer=answer,
        outcomes=outcomes,
        first_failed_stage=GATES[gate],
        hallucinations=(found,) if quote else (),
    )


def release() -> Reporting:
    """As good as its base branch, and one case better."""
    return pages.pull_request()


def first_run() -> Reporting:
    """The pull request that adds the suite; the app answers in prose and nobody has labelled anything."""
    rows = tuple([row.model_copy(update={"outcomes": {"target": Passed()}}) for row in fine(12)])
    told = make_reporting(
        rows,
        Decision(kind="release", reasons=("released",)),
        suite="shop",
        origin=make_origin(run_attempt=1),
        baseline=BaselineNote(
            branch="main",
            missing=(
                "No artifact raggate-shop is stored in this repository: the first run on main that uploads one becomes"
                " the baseline."
            ),
        ),
        gates=(),
        notes=("The suite has no known-bad case: nothing shows that these gates can block.",),
    )
    gates = [gate_of("target", 12, 12), gate_of("admissibility", 12, 12), gate_of("answered", 12, 12)]
    return told._replace(run=told.run.model_copy(update={"gates": tuple(gates)}))


def gate_of(name: str, passed: int, scored: int) -> RunGate:
    bar = 100 if name == "admissibility" else 95
    status = "passed" if 100 * passed >= bar * scored else "failed"
    return gate_reason(f"{name}  block  {status}  {passed}/{scored}  >= {bar} %")


WAS = "The Alder chair has a warranty of 24 months from the day of delivery."
NOW = "The Alder chair has a warranty of 36 months from the day of delivery."


def block_of_one() -> Reporting:
    """One wrong number among thirty-two answers, which no share of answers notices."""
    finding = Finding(
        kind="conflict",
        code="number",
        reason="the claim says “36” where warranty-alder says “24”: “Warranty: 24 months from delivery (Alder, Birch).”",
        chunk_id="warranty-alder",
        certain=True,
        sharp=True,
    )
    row = failing(
        "warranty-alder",
        PROSE,
        "claim-contradicted",
        f"“{NOW}”",
        question="How long is the warranty on the Alder chair, and from when does it run?",
        answer=NOW,
    )
    row = row.model_copy(
        update={
            "hallucinations": (
                Hallucination(
                    kind="claim",
                    key="claim:1",
                    text=NOW,
                    chunk_id="warranty-alder",
                    quote="Warranty: 24 months from delivery (Alder, Birch).",
                ),
            ),
            "claims": (Claim(claim_id="1", text=NOW, start=0, end=len(NOW), findings=(finding,)),),
        }
    )
    reasons = (
        gate_reason("new_hallucinations  block  failed  31/32  none new  1 of 32 cases", first(row.case_id, NOW)),
        gate_reason("hallucination_rate  block  failed  31/32  <= 2 %  3.1 % (1 of 32 cases)", first(row.case_id, NOW)),
    )
    new = moved(row.case_id, "new", row.hallucinations[0])
    return compared(
        (row, *fine(31)),
        blocked(*reasons),
        gates=(*reasons, gate_of("faithfulness", 31, 32)),
        comparison={
            **counted(new, first(row.case_id, "claim-contradicted", gate="faithfulness", move="new")),
            "answers": {row.case_id: WAS},
            "versions": (VersionChange(key="prompt", before=("p7",), after=("p8",)),),
        },
    )


QUESTIONS = (
    "How long is the warranty on the Alder chair?",
    "May a parcel be sent back without its box?",
    "Which chairs may stand outside in the rain?",
)


def forty(each: tuple[int, int, int] = (8, 12, 20), cases: int = 120) -> Reporting:
    """Failures at three stages: an index out of date, sources that are not found, answers that make things up."""
    kinds: tuple[tuple[GateName, str, str, str], ...] = (
        ("admissibility", "superseded-chunk", "warranty-2019 in context", ""),
        ("candidate_recall", "source-missing", "returns-4 not in candidates", ""),
        ("faithfulness", "claim-unsupported", "“All chairs may stand outside all year.”", "The Alder chair is made for rooms."),
    )  # fmt: skip
    names = ("warranty", "returns", "outside")
    answers = (
        "The warranty on the Alder chair is 12 months.",
        "Ask our team about parcels without a box, please.",
        "All chairs may stand outside all year, in rain and snow alike.",
    )
    before = (
        "The warranty on the Alder chair is 24 months.",
        "A parcel may be sent back without its box for a fee of 5 EUR.",
        "Only the steel chairs may stand outside all year, in rain and snow alike.",
    )
    rows: list[CaseRun] = []
    regressions: list[Change] = []
    more: dict[str, dict[str, int]] = {}
    for kind, (gate, code, detail, quote) in enumerate(kinds):
        more[gate] = {"new": max(each[kind] - 100, 0)}
        for number in range(min(each[kind], 100)):
            row = failing(
                f"{names[kind]}-{number}", gate, code, detail, question=QUESTIONS[kind], answer=answers[kind],
                position=len(rows), quote=quote,
            )  # fmt: skip
            rows.append(row)
            regressions.append(first(row.case_id, code, gate=gate, move="new"))
    total = sum(each)
    gates = (
        gate_of("admissibility", cases - each[0], cases),
        gate_of("candidate_recall", cases - each[0] - each[1], cases - each[0]),
        gate_of("faithfulness", cases - total, cases - each[0] - each[1]),
    )
    reasons = tuple([gate_reason_of(gate, rows) for gate in gates])
    told = compared(
        tuple(rows),
        blocked(*reasons),
        suite_size=cases,
        in_scope=cases,
        comparison={
            "compared": cases,
            **counted(*regressions, **more),
            "answers": {row.case_id: before[names.index(row.case_id.split("-")[0])] for row in rows},
            "gates": deltas(
                f"admissibility  {cases}/{cases}\ncandidate_recall  {cases}/{cases}\nfaithfulness  {cases}/{cases}"
            ),
        },
    )
    failed = {GATES[kind[0]]: each[number] for number, kind in enumerate(kinds)}
    stages = tuple([stage.model_copy(update={"cases": failed[stage.stage]}) for stage in told.run.stages])
    counts = counts_of(rows).model_copy(
        update={"cases": cases, "passed": cases - total, "failed": total, "verified": cases - total, "answered": cases}
    )
    return told._replace(run=told.run.model_copy(update={"counts": counts, "stages": stages}))


def gate_reason_of(gate: RunGate, rows: list[CaseRun]) -> RunGate:
    stage = GATES[gate.gate]  # type: ignore[index]
    named = [first(row.case_id, "x") for row in rows if row.first_failed_stage == stage]
    fields = {"offenders": tuple(named[:3]), "offending": (gate.scored or 0) - (gate.passed or 0)}
    return gate.model_copy(update=fields)


def half_of_five_thousand() -> Reporting:
    """2,500 of 5,000 fail, of which 200 are listed."""
    return forty((400, 900, 1_200), 5_000)


def app_down() -> Reporting:
    """Everyone's first day."""
    told = pages.unreachable()
    return told._replace(run=told.run.model_copy(update={"origin": make_origin(run_attempt=1), "baseline": NOTE}))


def flaky() -> Reporting:
    """An unsteady app: two cases failed once and passed when they were asked again."""
    late = Ask(
        outcomes={"behaviour": Failed(problems=(Problem(code="phrase-missing", detail='Missing: "30 days"'),))},
        answer="A parcel may be sent back within a month.",
    )
    rows = tuple(
        make_row(
            number,
            case_id=name,
            file="cases/shop.yaml",
            state="flaky",
            question="Until when may a parcel be sent back?",
            answer="A parcel may be sent back within 30 days.",
            asks=(late,),
        )
        for number, name in enumerate(("returns-deadline", "returns-box"))
    )
    told = compared(
        fine(22),
        Decision(kind="release", reasons=("released",)),
        listed={"flaky": rows},
        suite_size=24,
        in_scope=24,
        gates=(gate_of("faithfulness", 22, 22),),
        comparison={"compared": 24},
    )
    counts = told.run.counts.model_copy(update={"cases": 24, "flaky": 2, "asked_again": 2})
    return told._replace(run=told.run.model_copy(update={"counts": counts}))


def weakened() -> Reporting:
    """The pull request relieves a case of its phrase, and the answer fails by the base branch's suite."""
    row = make_row(
        3,
        case_id="returns-deadline",
        file="cases/shop.yaml",
        question="Until when may a parcel be sent back?",
        answer="A parcel may be sent back whenever you like.",
    )
    outcomes: dict[GateName, Outcome] = {
        "target": Passed(), **KNOWN, "behaviour": Failed(problems=(Problem(code="phrase-missing", detail='Missing: "30 days"'),)),
    }  # fmt: skip
    by_base = row.model_copy(update={"state": "failed", "outcomes": outcomes, "first_failed_stage": "behaviour"})
    policy = SuiteComparison(
        level="block",
        changes=(
            SuiteChange(key="gates.behaviour.min", before="0.95", after="0.8"),
            SuiteChange(key="must_contain", case_id=row.case_id, before="30 days"),
        ),
        changed=2,
        decision="block",
        failing=(by_base,),
    )
    reason = gate_reason("policy_weakened  block  failed  -  none")
    reason = reason.model_copy(update={"measured": Measured(kind="weakenings", weakenings=2, gates=1)})
    return compared(
        (row, *fine(23)),
        blocked(reason),
        gates=(reason, gate_of("behaviour", 24, 24)),
        comparison={
            "policy": policy,
            "answers": {row.case_id: "A parcel may be sent back within 30 days of delivery."},
        },
    )


def advice() -> Reporting:
    """Judges that labels have not armed yet."""
    advising = judged_pages.advising().run
    assert advising.panel is not None
    told = judged_pages.with_panel(pages.release(), advising.panel, advising.judging)
    return told._replace(run=told.run.model_copy(update={"origin": make_origin(run_attempt=1), "baseline": NOTE}))


def two_suites() -> tuple[Reporting, Reporting]:
    """Two suites of one repository: a comment each."""
    return release(), block_of_one()


def comments_of(told: Reporting | tuple[Reporting, ...]) -> list[str]:
    """The comment, or one for each of several suites."""
    return [render_comment(each) for each in ([told] if isinstance(told, Reporting) else told)]


def hostile_answers() -> Reporting:
    """An answer, a question and names that try everything."""
    return hostile(repeated())


SITUATIONS: dict[str, Callable[[], Reporting | tuple[Reporting, ...]]] = {
    "release": release,
    "first-run": first_run,
    "block-of-one": block_of_one,
    "forty": forty,
    "app-down": app_down,
    "flaky": flaky,
    "weakened": weakened,
    "advice": advice,
    "two-suites": two_suites,
    "hostile": hostile_answers,
}
