"""The cases that stand open: which they are, and what is shown of each."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.open_case_view import open_case_section
from raggate_action.report.origin_view import page_link
from raggate_action.report.page import Link, Section
from raggate_action.report.plain_sink import plain
from raggate_action.report.render import render_comment
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun, Claim, Finding
from raggate_action.schema.outcome import GateName, Outcome
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy
from tests.golden.builders import (
    blocked,
    case_rows,
    counted,
    first,
    gate_reason,
    make_comparison,
    make_origin,
    make_reporting,
    moved,
)
from tests.row_builders import failed

LONG = "The terrace opens at noon and closes at nine, every day of the week but Mondays, when it rains. " * 4
FALSE = "The baklava is free of nuts."
(ROW,) = case_rows(
    "nut-dessert  failed  faithfulness  claim-unsupported: x\n! claim | " + FALSE + " | menu-31 | Walnuts."
)


def reporting(row: CaseRun, *, answers: dict[str, str] | None = None, new: bool = True, **fields: Any) -> Reporting:
    found = (moved(row.case_id, "new", row.hallucinations[0]),) if new and row.hallucinations else ()
    regression = first(row.case_id, "x", gate="faithfulness", move="new")
    comparison = make_comparison(**counted(regression, *found), answers=answers or {})
    return make_reporting((row,), blocked(), comparison=comparison, **fields)


def lines(row: CaseRun, **fields: Any) -> list[str]:
    section = open_case_section(reporting(row, **fields), COMMENT_EXTENTS[0])
    return [plain(line) for item in section.items for line in (item.text, *item.under)]


def test_what_is_new_in_a_long_answer_is_what_is_shown_of_it() -> None:
    claim = Claim(claim_id="1", text=FALSE, start=len(LONG), end=len(LONG) + len(FALSE))
    row = ROW.model_copy(update={"answer": LONG + FALSE, "claims": (claim,)})
    assert lines(row, answers={"nut-dessert": LONG}) == [
        "nut-dessert: What is asked in case 0?",
        "baseline: … week but Mondays, when it rains.",
        f"this run: … week but Mondays, when it rains. {FALSE}",
        "evidence: menu-31 “Walnuts.”",
    ]


@pytest.mark.parametrize(
    ("update", "shown"),
    [
        pytest.param({"answer": ""}, ["this run: an empty answer", "why: no chunk supports x"], id="an empty answer"),
        pytest.param({"error": "timed out"}, ["this run: no answer, timed out", "why: no chunk supports x"], id="an error"),
        pytest.param({"answer": None}, ["why: no chunk supports x"], id="an answer that is withheld"),
        pytest.param(
            {"claims": (Claim(claim_id="1", text="It is 9.", findings=(
                Finding(kind="conflict", code="number", reason="the claim says “9” where c1 says “8”", chunk_id="c1"),
            )),)},
            ["evidence: the claim says “9” where c1 says “8”"],
            id="a finding",
        ),
    ],
)  # fmt: skip
def test_a_regressed_case_says_what_speaks_against_it(update: dict[str, Any], shown: list[str]) -> None:
    row = ROW.model_copy(update={"hallucinations": (), **update})
    assert lines(row, new=False)[1:] == shown


def test_under_texts_ids_nothing_is_shown() -> None:
    told = reporting(ROW, answers={"nut-dessert": "The menu does not say."}, policy=Policy(texts="ids"))
    section = open_case_section(told, COMMENT_EXTENTS[0])
    assert section == Section(more=section.more)
    assert plain(section.more) == "repeat: raggate-action run raggate.yaml --case nut-dessert"


PICTURE = """
    out-1    failed  admissibility     superseded-chunk: c1 in context
    out-2    failed  admissibility     superseded-chunk: c1 in context
    lost     failed  candidate_recall  source-missing: c2 not in candidates
    made-up  failed  faithfulness      claim-unsupported: “Free.”
    slow     failed  behaviour         phrase-missing: must contain “lamb”
"""


def opened(told: Reporting) -> list[str]:
    items = open_case_section(told, COMMENT_EXTENTS[0]).items
    return [plain(item.text).partition(":")[0] for item in items]


def test_one_case_of_each_stage_stands_open_three_at_most_the_earliest_first() -> None:
    told = make_reporting(case_rows(PICTURE), blocked())
    assert opened(told) == ["out-1", "lost", "made-up"]


def test_of_a_stage_the_case_that_is_new_stands_open() -> None:
    regression = first("out-2", "superseded-chunk: c1", gate="admissibility", move="new")
    comparison = make_comparison(**counted(regression))
    assert opened(make_reporting(case_rows(PICTURE), blocked(), comparison=comparison))[0] == "out-2"


def test_a_case_that_two_lines_name_stands_open_once() -> None:
    carried = first("made-up", "x", move="same")
    reason = gate_reason("must_release  block  failed  0/1  100 %", first("made-up", "x"), carried)
    assert opened(make_reporting(case_rows(PICTURE), blocked(reason))) == ["made-up", "out-1", "lost"]


def test_a_case_leads_to_its_line_at_the_commit() -> None:
    row = ROW.model_copy(update={"file": "cases/my menu (1)~.yaml"})
    told = make_reporting((row,), blocked(), origin=make_origin(root="apps/menu"))
    address = "https://github.com/menu/app/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
    assert (
        f"- [`nut-dessert`]({address}/apps/menu/cases/my%20menu%20%281%29%7E.yaml#L4): What is asked in case 0?\n"
        in render_comment(told)
    )


@pytest.mark.parametrize(
    ("file", "origin"),
    [
        pytest.param("/etc/passwd", {}, id="a file elsewhere on the machine"),
        pytest.param("../other/cases.yaml", {}, id="a file above the repository"),
        pytest.param("cases.yaml", {"head_sha": "main) [x](https://evil.test"}, id="no commit"),
        pytest.param("cases.yaml", {"server_url": "javascript:alert"}, id="no server"),
    ],
)
def test_a_case_of_an_unknown_place_is_not_linked(file: str, origin: dict[str, str]) -> None:
    told = make_reporting((ROW.model_copy(update={"file": file}),), blocked(), origin=make_origin(**origin))
    assert "- `nut-dessert`: What is asked in case 0?\n" in render_comment(told)


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


PAGE = "https://github.com/acme/menu/actions/runs/7/artifacts/9"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_a_case_leads_to_its_place_on_the_page_whatever_it_is_called(case_id: str) -> None:
    """The address is one that every sink writes as it is, and the page reads the case's id back from it."""
    words = page_link(ROW.model_copy(update={"case_id": case_id}), reporting(ROW)._replace(page=PAGE))
    assert isinstance(words, tuple)
    (link,) = [each for each in words if isinstance(each, Link)]
    assert re.fullmatch(r"https://[A-Za-z0-9._:/%#=-]+", link.address)
    assert parse_qs(link.address.removeprefix(f"{PAGE}#")) == {"case": [case_id]}


def test_without_a_page_nothing_leads_there() -> None:
    assert page_link(ROW, reporting(ROW)) == ""
    assert "in the report" not in render_comment(reporting(ROW))
    assert f"[Open the report]({PAGE})" in render_comment(reporting(ROW)._replace(page=PAGE))
