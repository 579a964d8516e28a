"""Rows of cases that were asked again: what is believed of them, how they are counted, and what a page says."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.disclosure.withholding import ids_only
from raggate_action.report.render import render_comment, render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import recount
from raggate_action.schema.case_run import Ask, CaseRun
from raggate_action.schema.outcome import GateName, Outcome
from tests.row_builders import (
    failed,
    flaky,
    gates_by_name,
    judge,
    make_policy,
    make_row,
    make_run,
    passed,
    phrase,
)

INADMISSIBLE = Ask(outcomes={"admissibility": failed()})
FORBIDDEN = Ask(outcomes={"behaviour": failed("forbidden-phrase")}, flagged=True, hallucinations=(phrase(),))
ERROR = Ask(outcomes={"target": failed("target-error")}, error="503")
PROTECTED: dict[str, Any] = {"slices": {"by": ["a"], "protected": {"a": ["b"]}}}


def shown(*rows: CaseRun, **policy: Any) -> Reporting:
    by = make_policy(**policy)
    run = make_run(rows, by)
    return recount(run, lambda: rows)


@pytest.mark.parametrize(
    ("cases", "unsteady", "status"),
    [(5, 2, "passed"), (5, 3, "failed"), (14, 3, "failed"), (15, 3, "passed"), (15, 4, "failed"), (39, 4, "failed"),
     (40, 4, "passed"), (60, 6, "passed"), (60, 7, "failed")],
)  # fmt: skip
def test_a_tenth_of_the_cases_may_be_flaky_and_a_few_always(cases: int, unsteady: int, status: str) -> None:
    rows = [flaky(n) if n < unsteady else make_row(n) for n in range(cases)]
    assert gates_by_name(judge(rows))["flaky"] == (status, "block")
    assert judge(rows).decision.kind == ("release" if status == "passed" else "block")


def test_a_flaky_case_is_neither_a_regression_nor_mended() -> None:
    rows, base = (
        [flaky(0), flaky(1), make_row(2)],
        [make_row(0), make_row(1, outcomes={"answered": failed()}), make_row(2)],
    )
    decided = judge(rows, base=base)
    assert decided.decision.kind == "release"
    assert gates_by_name(decided)["newly_unanswered"] == ("passed", "block")


def test_the_page_shows_both_answers_and_under_ids_neither() -> None:
    first: dict[GateName, Outcome] = {"target": passed(), "behaviour": failed("phrase-missing", 'Missing: "30 days"')}
    row = flaky(0, first=first, answer="Within 30 days.")
    row = row.model_copy(update={"asks": (row.asks[0].model_copy(update={"answer": "In a month."}),)})
    page = render_comment(shown(row, make_row(1)))
    assert "Flaky: 1 case failed once and passed on a retry" in page
    assert all(words in page for words in ("answered: Within 30 days.", ": “In a month.”", "once: Missing:"))
    silent = ids_only(flaky(0, first={"target": passed(), "behaviour": failed("phrase-missing", "")}))
    bare = render_summary(shown(silent, make_row(1), texts="ids"))
    assert "once: left out a required phrase" in bare


def test_the_page_says_what_was_not_asked_again_and_what_so_few_cases_cannot_see() -> None:
    rows = [make_row(n, unconfirmed=True, outcomes={"answered": failed()}) for n in range(3)]
    page = render_comment(shown(*rows, *(make_row(n) for n in range(3, 20))))
    assert "**Not asked again:** 3 cases in doubt; their first answers count." in page
    assert "can miss a fault" not in page, "advice on the suite stands in the job summary alone"
    summary = render_summary(shown(*rows, *(make_row(n) for n in range(3, 20))))
    assert "20 cases can miss a fault that strikes 13 % of questions" in summary
    many = render_summary(shown(*(make_row(n) for n in range(59))))
    assert "can miss a fault" not in many


@pytest.mark.parametrize(
    ("failing", "status"),
    [
        # 39 of 41 is over 95 %; 36 of 38, which is left without the flaky ones, is not.
        pytest.param(2, "insufficient", id="for the sake of flaky cases alone"),
        # 38 of 41 is not.
        pytest.param(3, "failed", id="with them too"),
        pytest.param(1, "passed", id="without them too"),
    ],
)
def test_flaky_cases_alone_take_no_bar_below_its_share(failing: int, status: str) -> None:
    rows = [make_row(n, slices=("a=b",), outcomes={"answered": failed()}) for n in range(failing)]
    rows += [make_row(n, slices=("a=b",), outcomes={"answered": passed()}) for n in range(failing, 38)]
    rows += [flaky(n, slices=("a=b",), outcomes={"answered": passed()}) for n in range(38, 41)]
    run = shown(*rows, slices={"by": ["a"], "min": "95%"}).run
    [gate] = [each for each in run.gates if each.gate == "answered"]
    assert (gate.passed, gate.scored, gate.status) == (38 - failing, 38, status)
    assert [(each.passed, each.scored, each.status) for each in run.slices] == [(38 - failing, 38, status)]


def test_a_slice_of_flaky_cases_alone_is_none() -> None:
    run = shown(make_row(0, slices=("a=c",)), flaky(1, slices=("a=b",)), slices={"by": ["a"], "min": "95%"}).run
    assert [each.name for each in run.slices] == ["a=c"]
