"""A case that got worse, as the comment shows it."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.report.case_comparison_view import exchange_section, news_section
from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.plain_sink import plain
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun, Claim, Finding
from raggate_action.schema.comparison import Regression
from raggate_action.schema.outcome import GateName, Outcome
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy
from tests.golden.builders import blocked, case_rows, make_comparison, make_reporting, moved
from tests.row_builders import failed

LONG = "The terrace opens at noon and closes at nine, every day of the week but Mondays, when it rains. " * 2
FALSE = "The baklava is free of nuts."
(ROW,) = case_rows(
    "nut-dessert  failed  faithfulness  claim-unsupported: x\n! claim | " + FALSE + " | menu-31 | Walnuts."
)


def reporting(row: CaseRun, *, answers: dict[str, str] | None = None, new: bool = True, **fields: Any) -> Reporting:
    found = (moved(row.case_id, "new", row.hallucinations[0]),) if new and row.hallucinations else ()
    regression = Regression(case_id=row.case_id, stage="answer faithfulness", problem="x")
    comparison = make_comparison(
        hallucinations=found,
        new_hallucinations=len(found),
        regressions=(regression,),
        regressed=1,
        answers=answers or {},
    )
    return make_reporting((row,), blocked(), comparison=comparison, **fields)


def lines(row: CaseRun, **fields: Any) -> list[str]:
    section = news_section(reporting(row, **fields), COMMENT_EXTENTS[0])
    return [plain(line) for item in section.items for line in (item.text, *item.under)]


def test_what_is_new_in_a_long_answer_is_what_is_shown_of_it() -> None:
    claim = Claim(claim_id="1", text=FALSE, start=len(LONG), end=len(LONG) + len(FALSE))
    row = ROW.model_copy(update={"answer": LONG + FALSE, "claims": (claim,)})
    assert lines(row, answers={"nut-dessert": LONG}) == [
        "nut-dessert: What is asked in case 0?",
        "before: The terrace opens at noon and closes at nine, every day of the week but Mondays, when it rains. The terrace…",
        f"now: … {FALSE}",
        "against it: menu-31 “Walnuts.”",
    ]


@pytest.mark.parametrize(
    ("update", "shown"),
    [
        pytest.param({"answer": ""}, ["now: an empty answer", "why: no chunk supports x"], id="an empty answer"),
        pytest.param({"error": "timed out"}, ["now: no answer, timed out", "why: no chunk supports x"], id="an error"),
        pytest.param({"answer": None}, ["why: no chunk supports x"], id="an answer that is withheld"),
        pytest.param(
            {"claims": (Claim(claim_id="1", text="It is 9.", findings=(
                Finding(kind="conflict", code="number", reason="the claim says “9” where c1 says “8”", chunk_id="c1"),
            )),)},
            ["against it: the claim says “9” where c1 says “8”"],
            id="a finding",
        ),
    ],
)  # fmt: skip
def test_a_regressed_case_says_what_speaks_against_it(update: dict[str, Any], shown: list[str]) -> None:
    row = ROW.model_copy(update={"hallucinations": (), **update})
    assert lines(row, new=False)[1:] == shown


def test_under_texts_ids_nothing_is_shown() -> None:
    told = reporting(ROW, answers={"nut-dessert": "The menu does not say."}, policy=Policy(texts="ids"))
    assert not news_section(told, COMMENT_EXTENTS[0]).items
    assert not exchange_section(told, COMMENT_EXTENTS[0]).folds


# --- the reason is that of the gate that failed the case

UNCITED = failed("uncited-claim", "It opens at nine.")
UNMADE = failed("phrase-missing", "must contain “30 days”")


@pytest.mark.parametrize(
    ("outcomes", "gates", "shown"),
    [
        pytest.param(
            {"citation_coverage": UNCITED, "behaviour": UNMADE},
            {"citation_coverage": {"level": "off"}},
            "why: must contain “30 days”",
            id="a gate that is off gives no reason",
        ),
        pytest.param(
            {"citation_coverage": UNCITED, "behaviour": UNMADE},
            {"citation_coverage": {"level": "warn"}},
            "why: must contain “30 days”",
            id="nor does one that only warns",
        ),
        pytest.param(
            {"citation_coverage": UNCITED, "behaviour": UNMADE},
            {"citation_coverage": {"level": "block"}},
            "why: nothing is cited for It opens at nine.",
            id="one that blocks does, and comes first",
        ),
        pytest.param(
            {"behaviour": UNMADE, "citation_coverage": UNCITED},
            {"citation_coverage": {"level": "block"}},
            "why: nothing is cited for It opens at nine.",
            id="in the order of diagnosis, however the row has them",
        ),
    ],
)
def test_a_gate_that_does_not_fail_the_case_is_no_reason(
    outcomes: dict[GateName, Outcome], gates: dict[str, Any], shown: str
) -> None:
    policy = Policy(gates=Gates.model_validate(gates))
    row = ROW.model_copy(update={"hallucinations": (), "outcomes": outcomes, "first_failed_stage": "behaviour"})
    assert lines(row, policy=policy)[-1] == shown


def test_an_old_finding_is_no_reason_where_a_phrase_is_missing() -> None:
    finding = Finding(kind="conflict", code="number", reason="the claim says “9” where c1 says “8”", chunk_id="c1")
    claim = Claim(claim_id="1", text="It is 9.", findings=(finding,))
    update = {"hallucinations": (), "claims": (claim,), "outcomes": {"behaviour": UNMADE}}
    row = ROW.model_copy(update={**update, "first_failed_stage": "behaviour"})
    assert lines(row)[-1] == "why: must contain “30 days”"
