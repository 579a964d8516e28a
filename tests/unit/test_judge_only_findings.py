"""A known-bad case that only judges can block: who could not be heard is told from who let it through."""

from __future__ import annotations

from typing import Any

from raggate_action.core.comparison.same_judges import unbelieved
from raggate_action.core.counting.tally import Tally
from raggate_action.core.decision.decide import Decided, decide
from raggate_action.core.decision.release_report import release_report
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.decision import RunGate
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.panel import Panel, PanelMember
from raggate_action.schema.run import Policy
from raggate_action.schema.summary import ReleaseNames
from tests.builders import make_rules
from tests.panel_builders import ADVISING as ADVISES
from tests.panel_builders import CHUNKS, OPEN, all_say, judged_row, judgement, lost, vote
from tests.row_builders import TODAY, in_words, known_bad, make_policy, make_row
from tests.stored_runs import make_run

TRUE = (vote("claim-1", "supported"), vote("claim-2", "supported", "refunds"))
FALSE = (vote("claim-1", "unsupported"), vote("claim-2", "supported", "refunds"))
ABSENT = Panel(members=(), prompt="p", unavailable="No judge was asked.")
MEMBERS = tuple([PanelMember(name=name, lab=name, model="m", fingerprint=name) for name in "abc"])
ARMED = Panel(
    members=MEMBERS,
    prompt="p",
    quorum=2,
    cards=tuple([JudgeCard(judge=name, armed=True, why_not=None) for name in "abc"]),
)
UNTRIED = Panel(members=(), prompt="p", cards=(JudgeCard(judge="a", why_not="not-judged"),))
WANTING = Panel(members=MEMBERS[:1], prompt="p", cards=(JudgeCard(judge="a", why_not="false-pass"),))
TOO_FEW = ARMED.model_copy(update={"quorum": 4})
UNLABELLED = Panel(members=(), prompt="p", cards=(JudgeCard(judge="a", why_not="too-few-labels"),))


def bad(said: list[Judgement], answer: Any = OPEN, *, at: str = "answer faithfulness", **case: Any) -> CaseRun:
    """The row of a known-bad answer: two sentences that nothing verifies or refutes."""
    context = [{"chunk_id": name, "text": text} for name, text in CHUNKS.items()]
    trace = {"answer": answer, "context": context}
    return judged_row(said, answer, position=1, released=False, blocked_at=at, trace=trace, **case)


def gate_of(*rows: CaseRun, panel: Panel | None, policy: Policy | None = None) -> tuple[RunGate, Decided]:
    """The gate on known-bad cases, and all that is decided, beside a case that passes."""
    policy = policy or Policy()
    tally = Tally(policy, decided_on=TODAY, panel_advises=panel is not None and panel.only_advises)
    for row in (make_row(0), *rows):
        tally.add(row)
    decided = decide(tally.facts(), policy=policy, comparison=None)
    return next(gate for gate in decided.gates if gate.gate == "known_bad_blocked"), decided


def test_a_panel_that_nobody_could_ask_leaves_it_unmeasured_and_the_run_is_released() -> None:
    gate, decided = gate_of(bad([]), panel=ABSENT)
    assert (gate.status, gate.level, gate.passed, gate.scored, gate.unmeasured) == ("unmeasured", "warn", 0, 0, 1)
    assert decided.decision.kind == "release"
    [words] = in_words(decided)
    assert words == "every gate passed except known_bad_blocked, which measured nothing", "said, not passed over"


def test_judges_that_count_and_let_it_through_leave_the_run_red() -> None:
    gate, decided = gate_of(bad(all_say(*TRUE)), panel=ARMED)
    assert (gate.status, gate.level) == ("failed", "block")
    assert decided.decision.kind == "block"


def test_judges_that_count_and_block_it_pass() -> None:
    gate, decided = gate_of(bad(all_say(*FALSE)), panel=ARMED)
    assert (gate.status, gate.passed, gate.scored) == ("passed", 1, 1)
    assert decided.decision.kind == "release"


def test_without_a_panel_in_the_suite_it_is_not_blocked() -> None:
    gate, _decided = gate_of(bad([]), panel=None)
    assert (gate.status, gate.level) == ("failed", "block")


def test_while_no_judge_counts_it_is_unmeasured_whatever_judges_say() -> None:
    """An advising judge changes no outcome: were it silent, or of another mind, the run would be as open."""
    advising = [
        bad(said, terms=ADVISES) for said in (all_say(*FALSE), all_say(*TRUE), [lost(name) for name in "abc"], [])
    ]
    for panel in (UNLABELLED, WANTING, TOO_FEW):
        found = [gate_of(row, panel=panel) for row in advising]
        assert [(gate.status, gate.level) for gate, _decided in found] == [("unmeasured", "warn")] * 4
        assert {decided.decision.kind for _gate, decided in found} == {"release"}


def test_what_rules_alone_should_block_is_red_whoever_advises() -> None:
    gate, _decided = gate_of(bad(all_say(*FALSE), at="candidate retrieval", terms=ADVISES), panel=UNLABELLED)
    assert (gate.status, gate.level) == ("failed", "block")


def test_a_model_that_nobody_has_tried_yet_is_no_red_for_noise() -> None:
    """A part of the suite after the model was swapped: whether it counts is not known before the next whole run."""
    gate, decided = gate_of(bad(all_say(*FALSE), terms=ADVISES), panel=UNTRIED)
    assert (gate.status, gate.level) == ("unmeasured", "warn")
    assert decided.decision.kind == "release"


def test_armed_judges_that_were_all_lost_leave_the_decision_open() -> None:
    gate, decided = gate_of(bad([lost(name) for name in "abc"]), panel=ARMED)
    assert (gate.status, gate.level, gate.unmeasured) == ("unmeasured", "block", 1)
    assert decided.decision.kind == "inconclusive"
    (why, *_others) = in_words(decided)
    assert why.startswith("known_bad_blocked could not be measured; first: q1: judges gave no usable verdict")


def test_what_rules_alone_should_block_and_do_not_is_red_though_claims_are_open() -> None:
    for at in ("candidate retrieval", "context selection", "behaviour", "admissibility"):
        gate, decided = gate_of(bad([], at=at), panel=ABSENT)
        assert (gate.status, gate.level) == ("failed", "block"), at
        assert decided.decision.kind == "block", at


def test_what_fails_before_the_stage_that_judges_have_a_word_in_is_red() -> None:
    row = bad([], at="answer faithfulness", required_source_ids=["elsewhere"])
    assert row.first_failed_stage == "context selection"
    assert gate_of(row, panel=ABSENT)[0].status == "failed"


def test_what_fails_after_that_stage_may_still_be_blocked_at_it_by_judges() -> None:
    row = bad([], must_contain=["ten days"])
    assert row.first_failed_stage == "behaviour"
    assert gate_of(row, panel=ABSENT)[0].status == "unmeasured"
    assert bad(all_say(*FALSE), must_contain=["ten days"]).blocked_as_named


def labelled(**claim: Any) -> dict[str, Any]:
    return {"text": "It opens early.", "claims": [{"claim_id": "claim-1", "text": "It opens early.", **claim}]}


def test_a_claim_that_a_label_closed_is_nothing_judges_would_be_asked_about() -> None:
    row = bad([], labelled(support_phrases=["opens at nine", "opens at ten"]))
    opened = row.model_copy(
        update={"claims": tuple([each.model_copy(update={"verdict": "unverified"}) for each in row.claims])}
    )
    assert all(claim.labelled for claim in opened.claims)
    undecided = bad([], labelled())
    closed = undecided.model_copy(update={"claims": opened.claims})
    assert gate_of(undecided, panel=ABSENT)[0].status == "unmeasured"
    assert gate_of(closed, panel=ABSENT)[0].status == "failed"


CITING = "It opens early [hours]. Refunds are slow."


def test_a_citation_that_only_judges_can_refute() -> None:
    row = bad([], CITING, at="citation support", rules=make_rules(pipeline={"citations": True}))
    assert row.outcomes["citation_support"].kind == "unmeasured"
    assert gate_of(row, panel=ABSENT)[0].status == "unmeasured"
    uncited = row.model_copy(
        update={"claims": tuple([each.model_copy(update={"citations": ()}) for each in row.claims])}
    )
    assert gate_of(uncited, panel=ABSENT)[0].status == "failed", "of no claim that cites anything is left open"


def test_a_point_that_no_phrase_recognises_is_for_judges_and_one_that_phrases_do_is_not() -> None:
    left = bad([], at="answer completeness", required_points=["refund time"])
    assert gate_of(left, panel=ABSENT)[0].status == "unmeasured"
    missing, made = (
        bad([], at="answer completeness", required_points=[{"id": "time", "answer_phrases": [phrase]}])
        for phrase in ("ten days", "slow")
    )
    assert missing.blocked_as_named
    assert gate_of(made, panel=ABSENT)[0].status == "unmeasured", "judges may refute the one claim that makes it"


def test_whether_a_text_declines_is_for_judges_to_say() -> None:
    italian = make_rules(language="it")
    for at, expect in (("answer faithfulness", "abstain"), ("answer completeness", "answer")):
        row = bad([], "Non lo so davvero.", at=at, expect=expect, rules=italian)
        assert gate_of(row, panel=ABSENT)[0].status == "unmeasured", at


def test_one_that_gets_past_rules_is_red_whatever_else_is_left_to_judges() -> None:
    gate, decided = gate_of(bad([]), known_bad(2, blocked=False), known_bad(3, blocked=True), panel=ABSENT)
    assert (gate.status, gate.level, gate.passed, gate.scored, gate.unmeasured) == ("failed", "block", 1, 2, 1)
    assert [each.case_id for each in gate.offenders] == ["q2"]
    assert decided.decision.kind == "block"


def test_a_gate_that_only_warns_or_is_off_stays_so() -> None:
    for level in ("warn", "off"):
        policy = make_policy(gates={"known_bad_blocked": {"level": level}})
        tally = Tally(policy, decided_on=TODAY, panel_advises=True)
        tally.add(bad([lost(name) for name in "abc"]))
        found = {gate.gate: gate.level for gate in decide(tally.facts(), policy=policy, comparison=None).gates}
        assert found.get("known_bad_blocked") == (level if level == "warn" else None)


def test_a_fork_is_not_believed_that_its_judges_blocked_or_were_tried() -> None:
    assert not ARMED.only_advises
    believed = unbelieved(make_run(panel=ARMED)).panel
    assert believed is not None
    assert believed.only_advises


def test_the_release_report_says_nothing_of_what_was_not_there_to_check() -> None:
    for others, expected in (
        ((), None),
        ((known_bad(2, blocked=True),), True),
        ((known_bad(2, blocked=False),), False),
    ):
        tally = Tally(Policy(), decided_on=TODAY, panel_advises=True)
        for row in (make_row(0), bad([]), *others):
            tally.add(row)
        decided = decide(tally.facts(), policy=Policy(), comparison=None)
        assert (
            release_report(tally.facts(), decided, ReleaseNames()).checks.get("known_bad_answers_blocked") is expected
        )


def test_of_a_quorum_of_lost_judges_and_one_that_spoke_too_little_is_known() -> None:
    said = [judgement("a", *FALSE), lost("b"), lost("c")]
    assert gate_of(bad(said), panel=ARMED)[0].status == "unmeasured"
