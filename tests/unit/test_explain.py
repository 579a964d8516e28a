"""What `explain` shows of one case."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.cli.explain_command import printed
from raggate_action.report.page_cases import judgement_parts
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import Ask, Claim
from raggate_action.schema.judgement import AskedJudge, ClaimVote, DroppedVote, Lost, Part, PointVote, Usage
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Passed, Problem, Unmeasured
from raggate_action.schema.policy import CaseGate, Gates
from tests.golden import judged_pages
from tests.stored_runs import make_row

WRONG = Failed(problems=(Problem(code="noise-in-context", detail="c9"),), share=Rate(hits=1, total=3))


@pytest.mark.parametrize(
    ("level", "outcome", "shown"),
    [
        pytest.param("block", WRONG, "failed 1/3", id="a failure that blocks"),
        pytest.param("warn", WRONG, "failed 1/3 (only warns)", id="a failure that only warns"),
        pytest.param("off", WRONG, "off 1/3", id="a failure of a gate that is off"),
        pytest.param("off", Unmeasured(reason="trace", detail="x"), "off", id="off and unmeasured"),
        pytest.param("off", Passed(), "passed", id="off and passed"),
        pytest.param("block", Unmeasured(reason="trace", detail="x"), "not measured", id="unmeasured"),
    ],
)
def test_a_gate_is_shown_with_what_its_level_makes_of_it(level: Any, outcome: Outcome, shown: str) -> None:
    row = make_row(0, outcomes={"context_precision": outcome})
    lines = list(printed(judgement_parts(row, Gates(context_precision=CaseGate(level=level)))))
    assert lines[lines.index("Gates") + 1] == f"  context precision: {shown}"


def test_gates_that_are_not_applicable_stand_last_with_their_reasons() -> None:
    outcomes = {"context_precision": NotApplicable(why="no required sources"), "slow": Passed()}
    lines = lines_of(outcomes=outcomes, claims=())
    assert lines == ["Gates", "  slow: passed", "  context precision: not applicable, no required sources"]


def lines_of(**fields: Any) -> list[str]:
    return list(printed(judgement_parts(make_row(0, **{"outcomes": {}, **fields}), Gates())))


def test_every_vote_is_shown_with_its_reason_and_quotation_and_the_lost_call_with_its_own() -> None:
    row = next(row for row in judged_pages.judged().listed.failing if row.case_id == "nut-dessert")
    lines = lines_of(claims=row.claims, judges=row.judges)
    assert lines[lines.index("Judges") + 1 :] == [
        "  owl (armed): judged, 1 call, 1,210 + 95 tokens, 0.0004 USD",
        "  lark (armed): lost, timed out: no reply within 60 s, 4 attempts, 1 call, 0 + 0 tokens, 0 USD",
        "  crow (advising): judged before, reused, says that the answer answers",
    ]
    indent = " " * 4
    assert lines[1 : lines.index("Judges")] == [
        "  contradicted: The baklava is free of nuts. · cites menu-31",
        f"{indent}menu-31: “filo pastry, walnuts, honey”",
        f"{indent}2 of 2 armed judges say contradicted",
        f"{indent}owl: contradicted · menu-31 “filo pastry, walnuts, honey” · Walnuts are nuts.",
        f"{indent}lark: contradicted · The entry lists walnuts.",
        f"{indent}crow (advising): supported · menu-31 “Baklava”",
    ]


@pytest.mark.parametrize(
    ("claim", "short"),
    [
        pytest.param(
            {"verdict": "unsupported", "labelled": True},
            "2 of 3 armed judges say supported; a label decided",
            id="no label is overruled",
        ),
        pytest.param(
            {"verdict": "contradicted"},
            "2 of 3 armed judges say supported; a rule decided",
            id="no certain rule is overruled",
        ),
        pytest.param(
            {"verdict": "supported"},
            "2 of 3 armed judges say supported; a quotation decided",
            id="the one that disagrees is shown",
        ),
        pytest.param(
            {"verdict": "unverified"},
            "2 of 3 armed judges say supported; too few to decide",
            id="below the quorum nothing is decided",
        ),
        pytest.param(
            {"verdict": "supported", "judged": True}, "2 of 3 armed judges say supported", id="the panel decided"
        ),
    ],
)
def test_it_says_what_decided(claim: dict[str, Any], short: str) -> None:
    votes = tuple(
        [
            ClaimVote(judge=name, armed=True, verdict=verdict)  # type: ignore[arg-type]
            for name, verdict in (("owl", "supported"), ("lark", "supported"), ("crow", "partial"))
        ]
    )
    lines = lines_of(claims=(Claim(claim_id="c", text="It is so.", votes=votes, **claim),))
    shown = [line.strip() for line in lines[2:]]
    assert shown == [short, "owl, lark: supported", "crow: partial"]


def test_a_split_claim_and_a_point_are_shown_with_what_was_said_of_them() -> None:
    parts = (Part(span="free of nuts", verdict="contradicted"), Part(span="served cold", verdict="supported"))
    vote = ClaimVote(judge="owl", verdict="contradicted", parts=parts)
    points = (PointVote(point="rollback", claim_id="c"), PointVote(point="approval"))
    asked = AskedJudge(judge="owl", declines=True, points=points, calls=2, usage=Usage(input=10, output=5))
    text = "\n".join(lines_of(claims=(Claim(claim_id="c", text="x", votes=(vote,)),), judges=(asked,)))
    assert "owl: contradicted" not in text, "it only advises"
    assert "owl (advising): contradicted · “free of nuts”: contradicted · “served cold”: supported" in text
    assert (
        "owl (advising): judged, says that the answer declines, point rollback made by c, point approval not made,"
        " 2 calls, 10 + 5 tokens, price unknown"
    ) in text


def test_a_vote_that_was_dropped_is_shown_with_the_reason_and_without_it_under_ids() -> None:
    def said(reason: str) -> list[str]:
        dropped = (DroppedVote(claim_id="claim-2", reason=reason),)
        lines = lines_of(judges=(AskedJudge(judge="owl", armed=True, reused=True, dropped=dropped),))
        return [line for line in lines if "no vote" in line]

    found = 'claim 2 is called supported, but chunk "c1" does not hold "it is so" word for word'
    assert said(found) == [f"  owl: no vote on claim-2: {found}"]
    assert said("") == ["  owl: no vote on claim-2"]
    assert "\x1b" not in said("\x1b[2J")[0]


def test_the_votes_on_an_earlier_answer_of_a_case_that_was_asked_again_are_shown() -> None:
    asked = AskedJudge(judge="owl", armed=True, reused=True)
    claim = Claim(
        claim_id="c", text="It is so.", judged=True, verdict="partial", votes=(ClaimVote(judge="owl", armed=True, verdict="partial"),)
    )  # fmt: skip
    lines = lines_of(asks=(Ask(outcomes={}, claims=(claim,), judges=(asked,)),))
    tail = lines[lines.index("Answer 2 of 2") :]
    assert "  owl (armed): judged before, reused" in tail
    assert "    1 of 1 armed judges says partial" in tail


@pytest.mark.parametrize("attack", ["::set-output name=a::b", "\x1b[31mred", "a\nb", "##[error]x", "@team ](http://x)"])
def test_a_judges_words_stay_on_their_line_and_command_nothing(attack: str) -> None:
    vote = ClaimVote(judge="owl", armed=True, verdict="partial", chunk_id=attack, quote=attack, note=attack)
    lost = AskedJudge(judge="lark", lost=Lost(code="judge-refused", detail=attack))
    plain = lines_of(claims=(Claim(claim_id="c", text="x", votes=(vote,)),), judges=(lost,))
    usual = vote.model_copy(update={"chunk_id": "x", "quote": "x", "note": "x"})
    assert len(plain) == len(lines_of(claims=(Claim(claim_id="c", text="x", votes=(usual,)),), judges=(lost,)))
    assert not [line for line in plain if "::" in line or "##[" in line or "\x1b" in line]
