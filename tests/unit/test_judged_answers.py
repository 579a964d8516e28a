"""The gates on an answer that a panel judged: what its word changes, and what becomes of one that did not come."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.counting.case_state import is_verified
from raggate_action.core.gates.diagnosis import Drafted, draft, gate, rule_verdicts
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import JudgedVerdict, Judgement, Support, Vote
from raggate_action.schema.outcome import Failed, NotApplicable, Unmeasured
from raggate_action.schema.trace import Answered
from tests.builders import make_case, make_rules, make_trace
from tests.panel_builders import (
    ADVISING,
    CHUNKS,
    PANEL,
    all_say,
    drafted,
    judged_row,
    judgement,
    lost,
    place,
    said_of,
    vote,
)

GOOD = (vote("claim-1", "supported"), vote("claim-2", "supported", "refunds"))
ITALIAN = make_rules(language="it")
UNCLEAR = "Non lo so davvero."
ABSTAIN: dict[str, Any] = {"expect": "abstain"}


def codes(row: CaseRun, gate: str) -> list[str]:
    outcome = row.outcomes[gate]  # type: ignore[index]
    return [problem.code for problem in outcome.problems] if isinstance(outcome, Failed) else []


def reason(row: CaseRun, gate: str = "faithfulness") -> str:
    outcome = row.outcomes[gate]  # type: ignore[index]
    assert isinstance(outcome, Unmeasured), outcome
    return f"{outcome.reason}: {outcome.detail}"


def test_without_a_panel_the_answer_is_open() -> None:
    assert reason(judged_row([])).startswith("no-adjudicator: 2 of 2 claims need a judge")


def test_claims_that_the_panel_supports_are_faithful_and_verified() -> None:
    row = judged_row(all_say(*GOOD))
    assert (row.outcomes["faithfulness"].kind, row.state, is_verified(row)) == ("passed", "passed", True)
    assert [(each.judged, each.supported_by) for each in row.claims] == [(True, ("hours",)), (True, ("refunds",))]
    assert not is_verified(judged_row(all_say(*GOOD), terms=ADVISING))


@pytest.mark.parametrize(("verdict", "hallucinations"), [("partial", 0), ("unsupported", 1), ("contradicted", 1)])
def test_one_claim_that_is_not_supported_fails_the_case(verdict: JudgedVerdict, hallucinations: int) -> None:
    row = judged_row(all_say(GOOD[0], vote("claim-2", verdict)))
    assert (row.state, row.first_failed_stage) == ("failed", "answer faithfulness")
    assert codes(row, "faithfulness") == [f"claim-{verdict}"]
    assert [each.text for each in row.hallucinations] == ["Refunds are slow."] * hallucinations


def test_a_judged_hallucination_shows_what_the_judge_holds_against_it_and_has_one_key_whatever_that_is() -> None:
    def false(against: Support | None) -> Any:
        said = Vote(claim_id="claim-1", verdict="contradicted", against=against)
        return judged_row(all_say(said, GOOD[1])).hallucinations[0]

    by_hours = false(place("hours", "It is closed on Sundays."))
    by_refunds = false(place("refunds"))
    assert (by_hours.chunk_id, by_hours.quote) == ("hours", "It is closed on Sundays.")
    assert (by_refunds.chunk_id, by_refunds.quote) == ("refunds", "Refunds take ten days.")
    assert by_hours.key == by_refunds.key == false(None).key


def test_a_certain_rule_counts_beside_a_panel_that_supports_its_claim() -> None:
    answer = "Refunds take eleven days."
    alone = judged_row([], answer)
    row = judged_row(all_say(vote("claim-1", "supported", "refunds")), answer)
    assert alone.claims[0].verdict == "contradicted", "else this shows nothing"
    assert (row.outcomes, row.hallucinations) == (alone.outcomes, alone.hallucinations)
    assert [each.verdict for each in row.claims[0].votes] == ["supported"] * 3


TIMED_OUT = "2 of 3 judges lost, first b (judge-timeout: no answer in 60 s)"


@pytest.mark.parametrize(
    ("judgements", "expected"),
    [
        ([judgement("a", *GOOD), lost("b"), lost("c")], f"judge: 2 claims are left open: {TIMED_OUT}"),
        ([judgement("a", *GOOD), lost("b"), lost("c", "budget", "spent")], f"judge: 2 claims are left open: {TIMED_OUT}"),
        (
            [judgement("a", *GOOD), *[lost(name, "budget", "1 dollar is spent") for name in "bc"]],
            "budget: 2 claims are left open: 2 of 3 judges lost, first b (budget: 1 dollar is spent)",
        ),
        (
            [judgement("a", *GOOD), *[lost(name, "cut", "the deadline") for name in "bc"]],
            "cut: 2 claims are left open: 2 of 3 judges lost, first b (cut: the deadline)",
        ),
        (all_say(GOOD[0]), "judge: 1 claim is left open: no verdict of a, b, c"),
        (
            [judgement("a", GOOD[0]), judgement("b", GOOD[0]), lost("c", "budget", "spent")],
            "judge: 1 claim is left open: 1 of 3 judges lost, first c (budget: spent); no verdict of a, b",
        ),
    ],
)  # fmt: skip
def test_what_the_panel_left_open_is_unmeasured_and_says_why(judgements: list[Judgement], expected: str) -> None:
    row = judged_row(judgements)
    assert reason(row) == expected
    assert row.state == "unmeasured"


def test_a_lost_judge_matters_to_nobody_where_the_others_are_enough() -> None:
    row = judged_row([judgement("a", *GOOD), judgement("b", *GOOD), lost("c")])
    assert row.outcomes["faithfulness"].kind == "passed"


def test_a_lost_judge_that_only_advises_is_no_reason() -> None:
    assert reason(judged_row([lost(name) for name in "abc"], terms=ADVISING)) == reason(judged_row([]))


def test_a_claim_that_fails_the_case_fails_it_whatever_else_is_open() -> None:
    row = judged_row(
        [judgement("a", vote("claim-1", "unsupported")), judgement("b", vote("claim-1", "unsupported")), lost("c")]
    )
    assert codes(row, "faithfulness") == ["claim-unsupported"]


def test_where_a_text_is_missing_that_is_the_reason() -> None:
    answer = {"text": "It opens early."}
    store_less = make_rules()
    bare = make_trace(answer=answer, context=[{"chunk_id": "hours", "text": CHUNKS["hours"]}, "unread"])
    open_draft = draft(make_case(), Answered(bare, labelled=True), store_less)
    assert isinstance(open_draft, Drafted)
    said = said_of(open_draft, all_say(vote("claim-1", "unsupported")))
    outcome = gate(open_draft, said, store_less).outcomes["faithfulness"]
    assert isinstance(outcome, Unmeasured)
    assert (outcome.reason, outcome.detail) == ("trace", "neither trace nor evidence store has the text of unread")
    supported = said_of(open_draft, all_say(vote("claim-1", "supported")))
    assert gate(open_draft, supported, store_less).outcomes["faithfulness"].kind == "passed"


# Declining


DECLINES = all_say(vote("claim-1", "unsupported"), declines=True)
ANSWERS = all_say(vote("claim-1", "supported"), declines=False)


def test_an_answer_that_the_panel_calls_a_decline_fails_where_one_was_asked_for() -> None:
    row = judged_row(DECLINES, UNCLEAR, rules=ITALIAN, required_points=["p"])
    assert codes(row, "answered") == ["declined"]
    assert isinstance(row.outcomes["faithfulness"], NotApplicable)
    assert isinstance(row.outcomes["citation_support"], NotApplicable)
    assert isinstance(row.outcomes["point_coverage"], NotApplicable)
    assert (row.hallucinations, row.abstained) == ((), True)


def test_and_passes_where_it_is_expected() -> None:
    row = judged_row(DECLINES, UNCLEAR, rules=ITALIAN, **ABSTAIN)
    assert (row.state, row.hallucinations, row.abstained, is_verified(row)) == ("passed", (), True, True)
    assert reason(judged_row([], UNCLEAR, rules=ITALIAN, **ABSTAIN)).startswith("no-adjudicator")


def test_an_answer_that_the_panel_calls_one_is_a_hallucination_where_none_was_possible() -> None:
    row = judged_row(ANSWERS, UNCLEAR, rules=ITALIAN, **ABSTAIN)
    assert codes(row, "faithfulness") == ["answered-though-unanswerable"]
    assert [each.kind for each in row.hallucinations] == ["answered"]
    expected = judged_row(ANSWERS, UNCLEAR, rules=ITALIAN)
    assert (expected.outcomes["answered"].kind, expected.state) == ("passed", "passed")


def test_judges_at_odds_leave_open_whether_it_declines() -> None:
    said = [
        judgement("a", vote("claim-1", "unsupported"), declines=True),
        judgement("b", vote("claim-1", "unsupported"), declines=False),
    ]
    row = judged_row(said, UNCLEAR, rules=ITALIAN, **ABSTAIN)
    assert reason(row) == f"no-adjudicator: the judges do not agree whether this declines: “{UNCLEAR}”"
    assert row.hallucinations == ()


def test_judges_lost_leave_it_open_as_well_and_that_counts() -> None:
    row = judged_row([lost(name) for name in "abc"], UNCLEAR, rules=ITALIAN, **ABSTAIN)
    assert reason(row) == (
        "judge: whether the answer declines is open: 3 of 3 judges lost, first a (judge-timeout: no answer in 60 s)"
    )
    assert row.state == "unmeasured"
    silent = judged_row(all_say(vote("claim-1", "supported")), UNCLEAR, rules=ITALIAN, **ABSTAIN)
    assert reason(silent) == "judge: whether the answer declines is open: no verdict of a, b, c"


def test_where_rules_know_that_it_answers_no_judge_says_otherwise() -> None:
    row = judged_row(all_say(*GOOD, declines=True))
    assert (row.abstained, row.state) == (False, "passed")


# Points and citations


POINTS: dict[str, Any] = {"required_points": ["opening", "refunds"]}
CITING = make_rules(pipeline={"citations": True})


def test_a_point_without_phrases_is_made_by_the_supported_claim_that_the_panel_names() -> None:
    said = all_say(*GOOD, points={"opening": "claim-1", "refunds": None})
    row = judged_row(said, **POINTS)
    assert codes(row, "point_coverage") == ["point-missing"]
    assert str(row.outcomes["point_coverage"].problems[0]) == "point-missing: refunds"  # type: ignore[union-attr]
    assert [each.points for each in row.claims] == [("opening",), ()]
    both = judged_row(all_say(*GOOD, points={"opening": "claim-1", "refunds": "claim-2"}), **POINTS)
    assert both.outcomes["point_coverage"].kind == "passed"


def test_a_point_that_only_a_faulty_claim_makes_is_missing() -> None:
    said = all_say(GOOD[0], vote("claim-2", "partial"), points={"opening": "claim-1", "refunds": "claim-2"})
    assert codes(judged_row(said, **POINTS), "point_coverage") == ["point-missing"]


def test_a_point_that_judges_did_not_speak_of_is_open_and_says_why() -> None:
    assert reason(judged_row(all_say(*GOOD), **POINTS), "point_coverage") == (
        "judge: whether the answer makes opening, refunds is open: no verdict of a, b, c"
    )
    alone = judged_row(all_say(*GOOD), terms=ADVISING, **POINTS)
    assert reason(alone, "point_coverage").startswith("no-adjudicator")


def test_a_point_that_phrases_recognise_is_not_for_the_panel() -> None:
    phrased: dict[str, Any] = {"required_points": [{"id": "opening", "answer_phrases": ["ten o'clock"]}]}
    row = judged_row(all_say(*GOOD, points={"opening": "claim-1"}), **phrased)
    assert codes(row, "point_coverage") == ["point-missing"]
    assert [each.points for each in row.claims] == [(), ()]


@pytest.mark.parametrize(
    ("cited", "expected"),
    [("hours", []), ("refunds", ["citation-unsupported"]), ("nowhere", ["citation-not-in-context"])],
)
def test_the_chunks_that_support_a_judged_claim_decide_its_citations(cited: str, expected: list[str]) -> None:
    answer = {"claims": [{"text": "It opens early.", "citation_id": cited}]}
    row = judged_row(all_say(vote("claim-1", "supported", "hours")), answer, rules=CITING)
    assert codes(row, "citation_support") == expected


def test_a_citation_of_a_claim_left_open_says_who_was_lost() -> None:
    answer = {"claims": [{"text": "It opens early.", "citation_id": "hours"}]}
    row = judged_row([lost(name) for name in "abc"], answer, rules=CITING)
    assert reason(row, "citation_support").startswith("judge: 1 claim")


# Beside the rules


def test_a_row_keeps_how_it_comes_out_without_its_panel() -> None:
    row = judged_row(all_say(GOOD[0], vote("claim-2", "unsupported")))
    alone = judged_row([])
    assert row.by_rules is not None
    assert row.by_rules.outcomes == {"faithfulness": alone.outcomes["faithfulness"]}
    assert row.by_rules.hallucinations == ()
    assert {**row.outcomes, **row.by_rules.outcomes} == alone.outcomes
    assert judged_row(all_say(*GOOD), terms=ADVISING).by_rules is None
    assert CaseRun.model_validate_json(row.model_dump_json()) == row


def test_without_judges_a_row_is_written_as_if_there_were_none() -> None:
    written = judged_row([]).model_dump_json()
    assert not [name for name in ("judge", "votes", 'by_rules":{') if f'"{name}' in written]


def test_an_answer_is_judged_by_rules_where_the_verdicts_are_theirs() -> None:
    found = drafted()
    assert gate(found, rule_verdicts(found), make_rules()).judges == ()
    assert said_of(found, [], PANEL) == rule_verdicts(found)
