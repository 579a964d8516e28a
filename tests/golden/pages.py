"""The runs behind the golden files, one function each."""

from __future__ import annotations

from datetime import date
from typing import Any

from raggate_action.report.page_sections import Reporting
from raggate_action.schema.base import Rate
from raggate_action.schema.comparison import BaselineAmounts, CaseIds, VersionChange
from raggate_action.schema.counts import GateCounts
from raggate_action.schema.decision import Cause, Decision
from raggate_action.schema.origin import BaselineNote
from raggate_action.schema.run import Policy
from raggate_action.schema.summary import ToolCount
from raggate_action.schema.waived import WaivedFailure
from tests.golden.builders import (
    Because,
    case_rows,
    counted,
    counts_of,
    deltas,
    first,
    gate_reason,
    gates,
    make_comparison,
    make_origin,
    make_report,
    make_reporting,
    make_row,
    make_summary,
    make_waiver,
    moved,
    problem_of,
    slices,
    wordless,
)

RIOJA = "answered-though-unanswerable: “A glass of Rioja goes with the lamb.”"
NO_KNOWN_BAD = "The suite has no known-bad case: nothing shows that these gates can block."

MENU_CASES = """
    house-wine    passed
    terrace       passed
    lamb-wine     failed      faithfulness      answered-though-unanswerable: “A glass of Rioja goes with the lamb.”
      ! answered | A glass of Rioja goes with the lamb. | menu-12 | Slow-roasted lamb shoulder with rosemary.
    nut-dessert   failed      faithfulness      claim-unsupported: “The baklava is free of nuts.”
      ! claim | The baklava is free of nuts. | menu-31 | Baklava: filo pastry, walnuts, honey.
    signature     failed      faithfulness      answered-though-unanswerable: “Our signature dish is the moussaka.”
      ! answered | Our signature dish is the moussaka. | menu-08 | Moussaka: aubergine, lamb, bechamel.
    egg-free      failed      candidate_recall  source-missing: menu-44 not in candidates
    brunch        failed      citation_support  citation-unsupported: menu-02 does not support “Brunch ends at three.”
    calories      passed
      ! claim | The salad is low in calories. | menu-19 | Village salad: tomato, cucumber, feta.
    closing       passed
    oysters       passed
"""
ANSWERED: dict[str, dict[str, Any]] = {
    "lamb-wine": {"question": "Which wine goes with the lamb?", "answer": "A glass of Rioja goes with the lamb."},
    "nut-dessert": {"question": "Which dessert has no nuts?", "answer": "The baklava is free of nuts. Enjoy!"},
    "signature": {"question": "What is your signature dish?", "answer": "Our signature dish is the moussaka."},
}
MENU_GATES = """
    target              block  passed   10/10  >= 95 %
    admissibility       block  passed   10/10  >= 100 %
    candidate_recall    block  passed   19/20  >= 95 %
    context_recall      block  passed   10/10  >= 95 %
    answered            block  passed   10/10  >= 95 %
    faithfulness        block  failed   7/10   >= 95 %
    citation_support    warn   failed   9/10   >= 95 %
    point_coverage      block  passed   6/6    >= 95 %
    behaviour           block  passed   10/10  >= 95 %
    slices              block  failed   2/3    each >= 95 %  1 of 3 red, 1 on watch
    known_bad_blocked   block  passed   2/2    100 %
    hallucination_rate  block  failed   6/10   <= 2 %        40.0 % (4 of 10 cases)
    unmeasured          block  passed   -      <= 2 %, here 1  0 of 10 cases
"""


def release() -> Reporting:
    """A head run as good as its baseline, with one case fixed."""
    rows = case_rows("\n".join(f"case-{number}  passed" for number in range(1, 13)))
    slow = make_row(20, case_id="slow-oysters", issues=("Latency 910ms > 800ms",), score=0.9)
    rows = (*rows, slow)
    return make_reporting(
        rows,
        Decision(kind="release", reasons=("released",)),
        gates=gates(
            """
            target              block  passed        13/13  >= 95 %
            admissibility       block  passed        13/13  >= 100 %
            candidate_recall    block  passed        13/13  >= 95 %
            context_precision   off    failed        8/13   >= 95 %
            faithfulness        block  passed        13/13  >= 95 %
            known_bad_blocked   block  passed        2/2    100 %
            hallucination_rate  block  passed        13/13  <= 2 %           0.0 % (0 of 13 cases)
            unmeasured          block  passed        -      <= 2 %, here 1   0 of 13 cases
            """
        ),
        slices=slices("category=allergen  passed  6/6  protected\ncategory=wine  insufficient  5/5"),
        summary=make_summary(
            counts_of(rows),
            mean_score=0.992,
            cost_usd=0.0421,
            tool_use=Rate(hits=5, total=6),
            tools=(ToolCount(tool="search_menu", called=5, expected=6),),
        ),
        release_report=make_report(source_traces=("case-1",), required_policy_versions=("menu/2026-05",)),
        comparison=make_comparison(
            compared=13,
            gates=deltas(
                """
                target  13/13
                admissibility  13/13
                candidate_recall  12/13
                faithfulness  13/13
                known_bad_blocked  2/2
                hallucination_rate  13/13
                """
            ),
            slices=deltas("category=allergen  5/6\ncategory=wine  5/5"),
            **counted(first("case-4", gate="faithfulness", move="fixed")),
            baseline=BaselineAmounts(mean_score=0.97, p95_latency_ms=640.0, hallucination_rate=0.0, cost_usd=0.0398),
        ),
    )


def block() -> Reporting:
    """One prompt change: three new hallucinations, one fixed, one that was there before; two other regressions."""
    rows = tuple(
        [
            row.model_copy(update=ANSWERED[row.case_id]) if row.case_id in ANSWERED else row
            for row in case_rows(MENU_CASES)
        ]
    )
    known = make_row(30, case_id="bypass-1", kind="known_bad", blocked_at="answer faithfulness")
    blocked = known.model_copy(update={"case_id": "bypass-2", "first_failed_stage": "answer faithfulness"})
    found = {row.case_id: row.hallucinations[0] for row in rows if row.hallucinations}
    gone = found["nut-dessert"].model_copy(update={"key": "claim:gone", "text": "The feta is made in house."})
    return make_reporting(
        (*rows, known, blocked),
        Because(
            kind="block",
            reasons=(
                gate_reason(
                    "known_bad_blocked  block  failed  1/2  100 %",
                    first("bypass-1", "not-blocked: answer faithfulness"),
                ),
                gate_reason("faithfulness  block  failed  7/10  >= 95 %", first("lamb-wine", RIOJA)),
                gate_reason(
                    "slices  block  failed  2/3  each >= 95 %  1 of 3 red, 1 on watch",
                    first("", "slice: category=allergen: 3 of 5 (60.0 %)"),
                ),
                gate_reason(
                    "hallucination_rate  block  failed  6/10  <= 2 %  40.0 % (4 of 10 cases)",
                    first("lamb-wine", "A glass of Rioja goes with the lamb."),
                ),
            ),
        ),
        gates=gates(MENU_GATES.replace("passed   2/2    100 %", "failed   1/2    100 %")),
        slices=slices(
            """
            category=wine      passed        20/20
            category=allergen  failed        3/5    protected
            category=hours     insufficient  3/4
            """
        ),
        notes=("No evidence store was given: permission, currency and versions were not checked.",),
        comparison=make_comparison(
            gates=deltas(
                """
                target  10/10
                admissibility  10/10
                candidate_recall  20/20
                faithfulness  9/10
                citation_support  10/10
                known_bad_blocked  2/2
                hallucination_rate  8/10
                """
            ),
            slices=deltas("category=wine  19/20\ncategory=allergen  5/5"),
            **counted(
                first("lamb-wine", f"answered-though-unanswerable: {RIOJA}", gate="faithfulness", move="new"),
                first(
                    "nut-dessert", "claim-unsupported: “The baklava is free of nuts.”", gate="faithfulness", move="new"
                ),
                first("signature", "answered-though-unanswerable: x", gate="faithfulness", move="new"),
                first("egg-free", "source-missing: menu-44 not in candidates", gate="candidate_recall", move="new"),
                first("brunch", "citation-unsupported: x", gate="citation_support", move="new"),
                first("closing", gate="faithfulness", move="fixed"),
                moved("lamb-wine", "new", found["lamb-wine"]),
                moved("nut-dessert", "new", found["nut-dessert"]),
                moved("signature", "new", found["signature"]),
                moved("closing", "fixed", gone),
                moved("calories", "same", found["calories"]),
            ),
            added=CaseIds(cases=1, named=("oysters",)),
            removed=CaseIds(cases=1, named=("old-menu",)),
            versions=(VersionChange(key="prompt", before=("p7",), after=("p8",)),),
            answers=dict.fromkeys(ANSWERED, "The menu does not say."),
            baseline=BaselineAmounts(mean_score=0.97, p95_latency_ms=640.0, hallucination_rate=20.0, cost_usd=None),
        ),
    )


def inconclusive() -> Reporting:
    """The deadline cut half of the run."""
    rows = case_rows(
        "house-wine  passed\nterrace  passed\n"
        + "\n".join(f"late-{number}  unmeasured  target  cut: the deadline of 60 s passed" for number in range(1, 5))
        + "\nclosing  unmeasured  candidate_recall  trace: the trace reports no candidates"
    )
    return make_reporting(
        rows,
        Because(
            kind="inconclusive",
            reasons=(
                gate_reason(
                    "unmeasured  block  failed  -  <= 2 %, here 1  5 of 7 cases", first("late-1", "cut by the deadline")
                ),
                gate_reason(
                    "candidate_recall  block  unmeasured  0/0  >= 95 %",
                    first("closing", "trace: the trace reports no candidates"),
                ),
            ),
        ),
        gates=gates(
            """
            target            block  passed      2/2  >= 95 %
            admissibility     block  passed      2/2  >= 100 %
            candidate_recall  block  unmeasured  0/0  >= 95 %
            unmeasured        block  failed      -    <= 2 %, here 1  5 of 7 cases
            """
        ),
        comparison=make_comparison(compared=2),
        scope="pr",
        notes=(NO_KNOWN_BAD,),
    )


def no_baseline() -> Reporting:
    """The first pull request of a suite: nothing to compare with."""
    rows = case_rows(MENU_CASES)
    return make_reporting(
        rows,
        Because(
            kind="block",
            reasons=(gate_reason("faithfulness  block  failed  7/10  >= 95 %", first("lamb-wine", RIOJA)),),
        ),
        gates=gates(MENU_GATES),
        slices=slices("category=wine  insufficient  3/4"),
        notes=(NO_KNOWN_BAD,),
    )


def thousand_failing() -> Reporting:
    """A thousand failing cases, of which 200 are listed; 400 slices."""
    claim = "The kitchen closes at half past nine on every day of the week, and the terrace an hour before that."
    rows = case_rows(
        "\n".join(
            f"question-{number:04}  failed  faithfulness  claim-unsupported: “{claim}”\n ! claim | {claim} | menu-{number}"
            f" | The kitchen is open until ten."
            for number in range(1000)
        )
    )
    return make_reporting(
        rows,
        Because(
            kind="block",
            reasons=(gate_reason("faithfulness  block  failed  0/1000  >= 95 %", first("question-0000")),),
        ),
        gates=gates(
            """
            admissibility       block  passed  1000/1000  >= 100 %
            faithfulness        block  failed  0/1000     >= 95 %
            slices              block  failed  0/400      each >= 95 %  400 of 400 red
            hallucination_rate  block  failed  0/1000     <= 2 %        100.0 % (1000 of 1000 cases)
            """
        ),
        slices=slices("\n".join(f"dish={number}  failed  0/3" for number in range(400))),
    )


def advises() -> Reporting:
    """Not enforced; one waiver holds, one has run out."""
    rows = case_rows(
        """
        house-wine  passed
        egg-free    failed  candidate_recall  source-missing: menu-44 not in candidates
        """
    )
    expired = make_waiver()
    reasons = (
        Cause(kind="waivers-expired", waivers=(expired,), expired=1),
        gate_reason(
            "candidate_recall  block  failed  1/2  >= 95 %",
            first("egg-free", "source-missing: menu-44 not in candidates"),
        ),
    )
    holds = make_waiver(case="brunch", gate="citation_support", reason="Fixed in #412", expires=date(2026, 12, 31))
    waived = WaivedFailure(
        case_id="brunch",
        gate="citation_support",
        problem=problem_of("uncited-claim: “Brunch ends at three.”"),
        waiver=holds,
    )
    return make_reporting(
        rows,
        Because(kind="block", reasons=reasons, enforced=False),
        listed={"expired": (expired,), "waived": (waived,), "failing": rows[1:]},
        counts=counts_of(rows).model_copy(update={"waived": 1, "cases": 3}),
        suite_size=len(rows) + 1,
        in_scope=len(rows) + 1,
        gates=gates("candidate_recall  block  failed  1/2  >= 95 %\ncitation_support  block  passed  2/2  >= 95 %"),
    )


def unreachable() -> Reporting:
    """Everyone's first day: the app does not run."""
    why = (
        "cannot connect to http://localhost:8080/answer: connection refused, for 30 s. Start the app before the run, or"
        " correct `target: url`. If it needs longer to start, say what to wait for and how long: `ready: {url:"
        " http://..., timeout_s: 120}` under `target:`."
    )
    rows = case_rows("\n".join(f"{name}  failed  target  target-error: {why}" for name in ("house-wine", "terrace")))
    return make_reporting(
        rows,
        Because(kind="inconclusive", reasons=(Cause(kind="nothing-answered", asked=2, cause=why),)),
        gates=gates(
            """
            target              block  failed      0/2  >= 95 %
            slices              block  unmeasured  0/0  each >= 95 %  0 of 1 red, 1 not measured
            hallucination_rate  block  unmeasured  0/0  <= 2 %
            """
        ),
        slices=slices("category=wine  unmeasured  0/0  protected"),
        gate_counts={"target": GateCounts(failed=2)},
        counts=counts_of(rows).model_copy(update={"answered_by_target": 0}),
        comparison=make_comparison(**counted(first("terrace", "target-error: refused", gate="target", move="new"))),
    )


def ids() -> Reporting:
    """`texts: ids`: the same menu run, and not one word of an answer or a chunk in the page."""
    reporting = no_baseline()
    policy = Policy(texts="ids")
    reasons = (gate_reason("faithfulness  block  failed  7/10  >= 95 %", first("lamb-wine")),)
    because = Because("block", reasons)
    gates = because.among(reporting.run.gates)
    run = reporting.run.model_copy(update={"policy": policy, "decision": because.decision, "gates": gates})
    return wordless(reporting._replace(run=run))


def pull_request() -> Reporting:
    """The release again, in a pull request, with an older baseline."""
    told = release()
    note = BaselineNote(
        branch="main",
        head_sha="99aa88bb77cc66dd55ee44ff33aa22bb11cc00dd",
        workflow_run_id=17234560000,
        distance=4,
        age_days=2,
        warning="The baseline is 2 days old.",
    )
    return told._replace(run=told.run.model_copy(update={"origin": make_origin(), "baseline": note}))


def cancelled() -> Reporting:
    """Stopped after two of thirteen cases, with nothing to compare with."""
    missing = BaselineNote(branch="main", missing="No run of main has stored one yet.")
    return make_reporting(
        case_rows("house-wine  passed\nterrace  passed"),
        Because(kind="inconclusive", reasons=("stopped",)),
        gates=gates("target  block  passed  2/2  >= 95 %"),
        suite_size=13,
        in_scope=13,
        origin=make_origin(),
        baseline=missing,
        cancelled=True,
    )


def fork() -> Reporting:
    """The pull request again, measured by a fork's run and told by ours."""
    told = pull_request()
    return told._replace(run=told.run.model_copy(update={"origin": make_origin(fork=True)}))
