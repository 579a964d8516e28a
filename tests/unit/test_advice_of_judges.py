"""What judges say who do not count yet: counted from every vote, told by nothing else, decided by nobody."""

from __future__ import annotations

import pytest

from raggate_action.core.counting.judge_only_findings import advised_claims, fault_called
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.judgement import JudgedVerdict, Judgement
from raggate_action.schema.judging_counts import ClaimAdvice
from tests.panel_builders import ADVISING, all_say, judged_row, judgement, vote
from tests.row_builders import compare, count

FALSE = vote("claim-1", "unsupported"), vote("claim-2", "contradicted")
TRUE = vote("claim-1", "supported"), vote("claim-2", "supported", "refunds")


def row(said: list[Judgement], position: int = 0, **case: object) -> CaseRun:
    """The row of an answer of two open claims, of which judges speak who only advise."""
    return judged_row(said, terms=ADVISING, position=position, **case)  # type: ignore[arg-type]


def says(judge: str, *verdicts: JudgedVerdict) -> Judgement:
    return judgement(judge, *[vote(f"claim-{n}", verdict) for n, verdict in enumerate(verdicts, 1)])


def test_every_vote_counts_though_no_rule_found_anything() -> None:
    advised = row(all_say(*FALSE))
    assert not [finding for claim in advised.claims for finding in claim.findings]
    assert [claim.claim_id for claim in advised_claims(advised)] == ["claim-1", "claim-2"]
    assert advised_claims(row(all_say(*TRUE))) == ()
    assert advised_claims(row([])) == (), "nobody was asked"


def test_most_of_the_judges_are_needed_and_a_tie_is_no_advice() -> None:
    two_of_three = [says("a", "unsupported"), says("b", "partial"), says("c", "supported")]
    assert [claim.claim_id for claim in advised_claims(row(two_of_three))] == ["claim-1"]
    assert advised_claims(row([says("a", "unsupported"), says("b", "supported")])) == ()


def test_what_counts_is_no_advice() -> None:
    """Votes of armed judges decide, and a label or a certain rule has decided."""
    armed = judged_row(all_say(*FALSE))
    assert advised_claims(armed) == ()
    said = row(all_say(*FALSE))
    told = [claim.model_copy(update={"verdict": "unsupported", "labelled": True}) for claim in said.claims]
    assert advised_claims(said.model_copy(update={"claims": tuple(told)})) == ()


def test_a_decline_asserts_nothing_and_a_known_bad_answer_has_a_gate_of_its_own() -> None:
    said = row(all_say(*FALSE))
    assert advised_claims(said.model_copy(update={"abstained": True})) == ()
    assert advised_claims(said.model_copy(update={"kind": "known_bad", "blocked_at": "answer faithfulness"})) == ()


@pytest.mark.parametrize(
    ("verdicts", "called"),
    [
        (("unsupported", "unsupported", "contradicted"), "unsupported"),
        (("unsupported", "contradicted"), "contradicted"),
        (("partial", "unsupported", "supported"), "unsupported"),
    ],
)
def test_a_claim_is_called_what_most_call_it_and_of_equals_the_worse(
    verdicts: tuple[JudgedVerdict, ...], called: str
) -> None:
    votes = [says(name, verdict) for name, verdict in zip("abc", verdicts, strict=False)]
    claim: Claim = row(votes).claims[0]
    assert fault_called(claim) == called


def test_claims_and_answers_are_counted_once_by_how_many_judges_say_so() -> None:
    """Two answers of which all judges call both claims, and one claim; one of which two of three call one."""
    most = [says("a", "unsupported"), says("b", "unsupported"), says("c", "supported")]
    both = [says(name, "unsupported", "supported") for name in "ab"]
    rows = [row(all_say(*FALSE)), row(both, 1), row(most, 2), row(all_say(*TRUE), 3)]
    found = count(rows).judging
    assert found is not None
    assert found.advice == ClaimAdvice(
        claims=3, answers=2, by_most=1, answers_by_most=1, heard=2, contradicted=1, unsupported=2
    )
    assert [(each.row.case_id, len(each.claims)) for each in count(rows).listed.advised] == [
        ("q0", 2),
        ("q1", 1),
        ("q2", 1),
    ]
    found = count(rows[3:]).judging
    assert found is not None
    assert found.advice == ClaimAdvice()


def test_the_base_branchs_answer_is_kept_beside_it() -> None:
    before = judged_row([], "The shop opens at nine.", terms=ADVISING)
    after = row(all_say(*FALSE))
    base = [before.model_copy(update={"digest": after.digest})]
    assert compare([after], base).answers == {"q0": "The shop opens at nine."}
    assert compare([row(all_say(*TRUE))], base).answers == {}
