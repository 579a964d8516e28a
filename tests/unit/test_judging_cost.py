"""Calls about labels are paid for: they stand in the run's cost, under its bar, and in the comment's line."""

from __future__ import annotations

from decimal import Decimal

import pytest

from raggate_action.action.announcement import run_outputs
from raggate_action.core.judging.judging_cost import trial_cost, with_trial
from raggate_action.report.render import render_comment, render_summary
from raggate_action.run.count_and_decide import conclude
from raggate_action.schema.judgement import Judgement, Usage
from raggate_action.schema.judging_counts import CallCost, JudgingCounts
from raggate_action.schema.panel import Panel
from raggate_action.schema.policy import AmountGate, Gates
from raggate_action.schema.run import Policy, RunDescription
from tests.golden import judged_pages
from tests.golden.judged_pages import MEMBERS
from tests.row_builders import count, make_row, make_run

ABOUT = {"fingerprint": "f", "prompt": "p"}
# 189 calls of two priced judges and one whose price nobody knows.
TRIAL = CallCost(calls=189, usage=Usage(input=1_000, cached=600, output=50), cost_usd=0.0182, unpriced=("crow",))


def judgement(judge: str, *, about: str = "label", calls: int = 1, cost_usd: float | None = 0.001) -> Judgement:
    usage = Usage(input=100 * calls, cached=10 * calls, output=5 * calls)
    return Judgement.model_validate(
        {"about": about, "id": "x", "judge": judge, "key": "k", "calls": calls, "usage": usage, "cost_usd": cost_usd, **ABOUT}
    )  # fmt: skip


def test_only_calls_about_labels_are_the_trials() -> None:
    found = trial_cost(
        [
            judgement("owl"),
            judgement("owl", calls=2, cost_usd=0.002),
            judgement("crow", cost_usd=None),
            judgement("lark", calls=0, cost_usd=0.0),
            judgement("wren", calls=0, cost_usd=None),
            judgement("owl", about="case", cost_usd=9.0),
            # A planted pair, paid for by the comparison that shows it.
            judgement("owl", cost_usd=9.0).model_copy(update={"job": "pair"}),
        ]
    )
    # One call, two, and one without a price: 4 calls, 0.001 + 0.002 dollars; what was reused has no price to be missed.
    assert found == CallCost(calls=4, usage=Usage(input=400, cached=40, output=20), cost_usd=0.003, unpriced=("crow",))
    assert trial_cost([]) == CallCost()


def test_a_run_is_charged_for_both() -> None:
    panel = Panel(members=MEMBERS, prompt="p", trial=TRIAL)
    counts = JudgingCounts(answers=5, judgements=15, calls=15, usage=Usage(input=10, output=1), cost_usd=0.0015)
    both = with_trial(counts, panel)
    assert both.cost_usd == pytest.approx(0.0197)
    assert (both.calls, both.unpriced) == (204, ("crow",))
    assert both.usage == Usage(input=1_010, cached=600, output=51)
    assert (both.answers, both.judgements) == (5, 15), "labels are no answers of the app"
    assert with_trial(counts, panel.model_copy(update={"trial": CallCost()})) == counts


@pytest.mark.parametrize(("limit", "status"), [(0.01, "failed"), (0.05, "passed")])
def test_the_bar_on_cost_holds_what_labels_cost(limit: float, status: str) -> None:
    rows = (make_row(0),)
    policy = Policy(gates=Gates(judge_cost_usd=AmountGate(max=limit)))
    run = make_run(rows, policy)
    panel = Panel(members=MEMBERS, prompt="p", trial=TRIAL.model_copy(update={"unpriced": ()}))
    head = RunDescription(**{**{name: getattr(run, name) for name in RunDescription.model_fields}, "panel": panel})
    decided = conclude(head, count(rows, policy), None)
    (gate,) = [each for each in decided.run.gates if each.gate == "judge_cost_usd"]
    assert gate.status == status
    assert gate.bar.amount == Decimal(str(limit))
    assert run_outputs(decided)["judge-cost"] == "0.0182"


def test_the_line_says_how_many_calls_were_about_labels() -> None:
    reporting = judged_pages.reused()
    panel = reporting.run.panel
    assert panel is not None
    assert reporting.run.judging is not None
    charged = panel.model_copy(update={"trial": TRIAL})
    run = reporting.run.model_copy(update={"panel": charged, "judging": with_trial(reporting.run.judging, charged)})
    page = render_comment(reporting._replace(run=run))
    assert "· 189 calls, 0.0182 USD and unknown prices (`crow`); 189 of them about labels\n" in page
    nothing_open = run.model_copy(update={"judging": with_trial(JudgingCounts(), charged)})
    page = render_comment(reporting._replace(run=nothing_open))
    assert "· no answer left them anything open · 189 calls, 0.0182 USD and" in page
    summary = render_summary(reporting._replace(run=nothing_open))
    assert "| cost of its judges | 0.0182 USD and unknown prices (`crow`) |" in summary
