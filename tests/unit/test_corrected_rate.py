"""The rate of faulty claims in a run is corrected for the panel's errors, by labels of the run itself where there are."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.corrected_rate import corrected_rate, ppi, rogan_gladen
from raggate_action.core.judging.scorecard_and_arming import card_of, panel_card
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.schema.base import digest_of_text, rate_of
from raggate_action.schema.calibration import Corrected, JudgeCard
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.judgement import AskedJudge
from raggate_action.schema.panel import DrawnLabel, Panel
from tests.calibration_builders import judgements, labels, member, on_trial, said
from tests.row_builders import count, make_row


def rows(right: int, faulty: int, **fields: Any) -> list[CaseRun]:
    """A case each, of one claim that the panel decided."""
    verdicts: list[Any] = ["supported"] * right + ["unsupported"] * faulty
    return [
        make_row(
            number,
            claims=(Claim(claim_id="c", text=f"Claim {number}.", verdict=verdict, judged=True),),
            judges=(AskedJudge(judge="owl", armed=True),),
            answer_digest=f"answer-{number}",
            **fields,
        )
        for number, verdict in enumerate(verdicts)
    ]


def card(*, block: int = 1, passes: int = 2, name: str = "owl") -> JudgeCard:
    answers = labels(30, 20)
    given = judgements(answers, block=block, passes=passes, judge=name)
    return card_of(on_trial(answers), said(given), member(name), prompt="prompt")


def panel(*cards: JudgeCard, sample: tuple[DrawnLabel, ...] = ()) -> Panel:
    members = tuple(member(name) for name in ("owl", "lark"))
    return Panel(members=members, prompt="prompt", quorum=1, cards=cards, sample=sample)


def drawn(*of: int, faulty: bool, answer: str = "answer-{}") -> tuple[DrawnLabel, ...]:
    return tuple(
        DrawnLabel(
            case_id=make_row(number).case_id,
            answer=answer.format(number),
            claim=digest_of_text(f"Claim {number}."),
            faulty=faulty,
        )
        for number in of
    )


def corrected(found: list[CaseRun], of: Panel) -> Corrected | None:
    return corrected_rate(of, count(found).judged_claims)


def test_an_armed_judge_s_word_is_corrected_by_its_errors_on_the_labels() -> None:
    found = corrected(rows(170, 30), panel(card()))
    assert found is not None
    # 1 of 30 right ones is blocked, 2 of 20 faulty ones pass: (.15 + 29/30 - 1) / (18/20 + 29/30 - 1).
    assert found.value == pytest.approx((0.15 - 1 / 30) / (0.9 - 1 / 30))
    assert found == rogan_gladen(rate_of(30, 200), ConfusionTable(29, 1, 2, 18))
    assert found.low < found.value < found.high


def test_known_bad_cases_are_in_no_rate() -> None:
    bad = [row.model_copy(update={"kind": "known_bad", "blocked_at": "admissibility"}) for row in rows(0, 5)]
    assert count([*rows(170, 30), *bad]).judged_claims.faulty == rate_of(30, 200)


def test_two_armed_judges_are_corrected_by_what_they_are_together() -> None:
    answers = labels(30, 20)
    both = {name: said(judgements(answers, judge=name, block=1)) for name in ("owl", "lark")}
    together = panel_card(on_trial(answers), both, PanelTerms(("owl", "lark"), frozenset(both), 2))
    assert together is not None
    found = corrected(rows(170, 30), panel(card(), card(name="lark"), together))
    assert found == rogan_gladen(rate_of(30, 200), ConfusionTable(29, 1, 0, 20))


def test_without_an_armed_judge_or_a_decided_claim_there_is_no_rate() -> None:
    assert corrected(rows(170, 30), panel(card(block=8))) is None
    assert corrected([make_row(0)], panel(card())) is None


def test_labels_drawn_from_this_very_run_take_the_place_of_standing_ones() -> None:
    sample = (*drawn(*range(55), faulty=False), *drawn(*range(170, 180), faulty=True), *drawn(180, faulty=False))
    found = corrected(rows(170, 30), panel(card(), sample=sample))
    # 56 right ones, of which the panel calls one faulty, and ten faulty ones; 134 others, 19 of them called faulty.
    assert found == ppi(ConfusionTable(55, 1, 0, 10), rate_of(19, 134))
    assert found is not None
    assert (found.method, found.observed) == ("ppi", rate_of(30, 200))


def test_labels_of_another_answer_were_drawn_from_another_run() -> None:
    sample = (*drawn(*range(60), faulty=False), *drawn(*range(170, 180), faulty=True))
    stale = drawn(100, faulty=False, answer="of yesterday {}")
    found = corrected(rows(170, 30), panel(card(), sample=(*sample, *stale)))
    assert found is not None
    assert found.method == "rogan-gladen"
    # Of a case that is not in this run nothing is known.
    elsewhere = tuple(label.model_copy(update={"case_id": "elsewhere"}) for label in stale)
    found = corrected(rows(170, 30), panel(card(), sample=(*sample, *elsewhere)))
    assert found is not None
    assert found.method == "ppi"


def test_few_labels_of_the_run_leave_the_standing_ones_in_place() -> None:
    found = corrected(rows(170, 30), panel(card(), sample=drawn(0, 1, 2, faulty=False)))
    assert found is not None
    assert found.method == "rogan-gladen"
