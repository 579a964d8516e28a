"""What judging a run came to, counted from its rows; what it cost, as a gate and as an output."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.action.announcement import run_outputs
from raggate_action.core.counting.summary_amounts import JudgingTally
from raggate_action.run.count_and_decide import conclude, recount
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import Ask, CaseRun, Claim
from raggate_action.schema.judgement import AskedJudge, ClaimVote, Lost, Usage
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.schema.panel import Panel, PanelMember
from raggate_action.schema.run import RunDescription
from tests.row_builders import count, gates_by_name, judge, make_policy, make_row, make_run

MEMBERS = tuple([PanelMember(name=name, lab=name, model=name, fingerprint=name) for name in "ab"])


def asked(name: str = "a", *, cost: float | None = 0.25, **fields: Any) -> AskedJudge:
    return AskedJudge(
        judge=name, **{"calls": 1, "usage": Usage(input=100, cached=40, output=7), "cost_usd": cost, **fields}
    )


def lost(name: str, code: Any) -> AskedJudge:
    return asked(name, cost=0.0, calls=0, usage=Usage(), lost=Lost(code=code, detail=""))


def claim(verdict: Any, *votes: Any, **fields: Any) -> Claim:
    said = tuple([ClaimVote(judge=f"j{number}", verdict=each) for number, each in enumerate(votes)])
    return Claim(claim_id="c", text="x", verdict=verdict, votes=said, **fields)


def test_calls_tokens_and_what_was_lost_are_added_up_over_every_answer() -> None:
    again = Ask(outcomes={}, judges=(asked(), lost("b", "budget")))
    rows = [
        make_row(0, judges=(asked(), asked("b", reused=True, calls=0, cost=0.0, usage=Usage())), asks=(again,)),
        make_row(1, judges=(lost("a", "judge-timeout"), lost("b", "budget"))),
        make_row(2, kind="known_bad", blocked_at="admissibility", judges=(asked(calls=2),)),
        make_row(3),
    ]
    found = count(rows).judging
    assert found is not None
    assert found == count(reversed(rows)).judging
    assert found.model_dump(exclude={"agreement"}) == JudgingCounts(
        answers=4,
        judgements=7,
        reused=1,
        lost={"budget": 2, "judge-timeout": 1},
        calls=4,
        usage=Usage(input=300, cached=120, output=21),
        cost_usd=0.75,
    ).model_dump(exclude={"agreement"})
    assert count([make_row(0)]).judging is None


def test_judges_agree_on_a_claim_where_all_are_on_one_side() -> None:
    claims = (
        claim("supported", "supported", "supported", judged=True),
        claim("contradicted", "partial", "contradicted", judged=True),
        claim("unverified", "supported", "unsupported"),
        claim("unverified", "supported"),
        claim("unverified"),
        # Two that rules decided; on the second one judge says otherwise.
        claim("supported", "supported", "supported"),
        claim("contradicted", "unsupported", "supported", labelled=True),
        claim("supported", "partial", labelled=True),
    )
    found = count([make_row(0, judges=(asked(),), claims=claims)]).judging
    assert found is not None
    # Five claims have two votes; those on one side are the first, the second and the sixth.
    assert found.agreement == Rate(hits=3, total=5)
    assert (found.decided, found.faulty, found.against_rules) == (2, 1, 2)


def test_a_judge_of_an_unknown_price_that_was_called_is_named() -> None:
    rows = [make_row(0, judges=(asked("b", cost=None), asked("a"), asked("c", cost=None, calls=0)))]
    found = count(rows).judging
    assert found is not None
    assert (found.unpriced, found.cost_usd) == (("b",), 0.25)


COSTLY = make_row(0, judges=(asked(cost=2.0),))


@pytest.mark.parametrize(
    ("row", "bar", "status"),
    [
        (COSTLY, 1, "failed"),
        (COSTLY, 2, "passed"),
        (make_row(0), 1, "passed"),
        (make_row(0, judges=(asked(cost=0.5), asked("b", cost=None))), 1, "unmeasured"),
        (make_row(0, judges=(asked(cost=2.0), asked("b", cost=None))), 1, "failed"),
    ],
)
def test_the_gate_on_what_judges_cost(row: CaseRun, bar: int, status: str) -> None:
    policy = make_policy(gates={"judge_cost_usd": {"max": bar}})
    decided = judge([row], policy)
    assert gates_by_name(decided)["judge_cost_usd"] == (status, "block")
    assert {"failed": "block", "passed": "release", "unmeasured": "inconclusive"}[status] == decided.decision.kind
    assert "judge_cost_usd" not in gates_by_name(judge([row], make_policy()))
    off = make_policy(gates={"judge_cost_usd": {"max": bar, "level": "off"}})
    assert "judge_cost_usd" not in gates_by_name(judge([row], off))


def described(panel: Panel | None) -> RunDescription:
    run = make_run([make_row(0)])
    told = {name: value for name, value in run if name in RunDescription.model_fields}
    return RunDescription(**{**told, "panel": panel})


@pytest.mark.parametrize(
    ("judges", "cost"),
    [
        ((), "0"),
        ((asked(cost=0.25), asked("b", cost=0.0125)), "0.2625"),
        ((asked(cost=3.0),), "3"),
        ((asked(cost=1e-6),), "0.000001"),
        ((asked(cost=None),), ""),
        ((lost("a", "budget"),), "0"),
    ],
)
def test_the_output_says_what_was_spent_on_judges(judges: tuple[AskedJudge, ...], cost: str) -> None:
    rows = [make_row(0, judges=judges)]
    reporting = conclude(described(Panel(members=MEMBERS, prompt="p")), count(rows), None)
    assert reporting.run.judging == (count(rows).judging or JudgingCounts())
    assert run_outputs(reporting)["judge-cost"] == cost


def test_a_run_without_a_panel_has_no_counts_of_it() -> None:
    reporting = conclude(described(None), count([make_row(0)]), None)
    assert reporting.run.judging is None
    assert run_outputs(reporting)["judge-cost"] == "0"
    assert '"judging"' not in reporting.run.model_dump_json()


def test_a_stored_run_is_counted_again_alike() -> None:
    rows = [COSTLY, make_row(1)]
    cases = tuple([(row.case_id, row.digest, True) for row in rows])
    head = described(Panel(members=MEMBERS, prompt="p")).model_copy(update={"suite_cases": cases})
    assert recount(head, lambda: rows).run.judging == count(rows).judging


def test_no_judge_is_asked_of_most_rows() -> None:
    tally = JudgingTally()
    tally.add(make_row(0))
    assert tally.counts is None
