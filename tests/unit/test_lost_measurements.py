"""A panel on the baseline's terms, and what its judges measured and nobody measures now."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.comparison.lost_measurements import LostMeasurements
from raggate_action.core.comparison.same_judges import measured_gates
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.scorecard_and_arming import terms_under
from raggate_action.schema.answer_votes import ByRules
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import ErrorRate, JudgeCard
from raggate_action.schema.case_run import CaseRun, CaseState
from raggate_action.schema.comparison import JudgesLost
from raggate_action.schema.judgement import AskedJudge, Lost, LostCode
from raggate_action.schema.judges import Arming
from raggate_action.schema.outcome import Outcome, Passed, StageName
from raggate_action.schema.panel import Panel, PanelMember, PanelRules
from raggate_action.schema.run import Policy
from tests.panel_builders import claim
from tests.row_builders import failed, make_policy, make_row, unmeasured


def rules(quorum: int | None = None, **arming: Any) -> PanelRules:
    return PanelRules.model_validate_json(PanelRules(arming=Arming(**arming), quorum=quorum).model_dump_json())


def panel(*names: str, armed: str | None = None, terms: PanelRules | None = None, **fields: Any) -> Panel:
    """Judges by name, all of them armed unless it is said which; the model is the name in small letters."""
    counted = [name for name in names if armed is None or name in armed]
    members = [PanelMember(name=name, lab="lab", model="m", fingerprint=f"is-{name}") for name in names]
    cards = [
        JudgeCard(judge=name, armed=name in counted, why_not=None if name in counted else "not-judged")
        for name in names
    ]
    made = {"quorum": len(counted) // 2 + 1 if counted else 0, "rules": terms or rules(), **fields}
    return Panel(members=tuple(members), prompt="p", cards=tuple(cards), **made)


def error(errors: int, of: int) -> ErrorRate:
    return ErrorRate(rate=Rate(hits=errors, total=of), upper=0, low=0, high=0)


def card(judge: str, **fields: Any) -> JudgeCard:
    """An armed judge with 30 right and 20 faulty labels and no error."""
    known = {"labels": 50, "faults": 20, "ac1": 1.0, "false_block": error(0, 30), "false_pass": error(0, 20)}
    return JudgeCard(judge=judge, armed=True, why_not=None, **{**known, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"labels": 49},
        {"faults": 19},
        {"ac1": 0.59},
        {"ac1": None},
        # 30 right and 20 faulty labels allow one error and two.
        {"false_block": error(2, 30)},
        {"false_pass": error(3, 20)},
        {"false_pass": None},
    ],
)
def test_on_the_baselines_terms_only_those_count_that_meet_them(fields: dict[str, Any]) -> None:
    today = PanelTerms(("a", "b"), frozenset("ab"), 2)
    then = terms_under(rules(), [card("a"), card("b", **fields)], {"claims": today})
    assert then == {"claims": PanelTerms(("a", "b"), frozenset("a"), 1)}
    assert terms_under(rules(), [card("a"), card("b")], {"claims": today}) is None, "both meet them"


def test_on_the_baselines_terms_a_verdict_needs_its_quorum_and_never_less_than_today() -> None:
    today = PanelTerms(("a", "b", "c"), frozenset("abc"), 2)
    cards = [card(name) for name in "abc"]
    assert terms_under(rules(3), cards, {"claims": today}) == {"claims": today._replace(quorum=3)}
    assert terms_under(rules(1), cards, {"claims": today}) is None


def test_a_judge_that_does_not_count_today_counts_on_no_terms() -> None:
    today = PanelTerms(("a", "b"), frozenset("a"), 1)
    assert terms_under(rules(), [card("a"), card("b").model_copy(update={"armed": False})], {"claims": today}) is None


COUNTS, ADVISES = panel("a"), panel("a", armed="")
NOBODY = unmeasured("no-adjudicator")
HEARD = (AskedJudge(judge="a", armed=True),)
# A judge decided it; rules leave it open.
JUDGED = make_row(
    claims=(claim(),),
    outcomes={"faithfulness": Passed()},
    judges=HEARD,
    by_rules=ByRules(outcomes={"faithfulness": NOBODY}),
)
# A judge was heard whose good word verifies nothing.
DECLARED = make_row(claims=(claim(),), outcomes={"faithfulness": NOBODY}, judges=HEARD)
LABELLED = make_row(claims=(claim(labelled=True),), outcomes={"faithfulness": Passed()})
QUOTED = make_row(claims=(claim(),), outcomes={"faithfulness": Passed()}, judges=HEARD)
OPEN = make_row(claims=(claim(),), outcomes={"faithfulness": NOBODY})


def unheard(outcome: Outcome, code: LostCode, **fields: Any) -> CaseRun:
    judges = (AskedJudge(judge="a", armed=True, lost=Lost(code=code, detail="why")),)
    return make_row(claims=(claim(),), outcomes={"faithfulness": outcome}, judges=judges, **fields)


def lost(
    past: CaseRun, head: CaseRun, now: Panel | None = ADVISES, *, waived: tuple[str, ...] = (), **policy: Any
) -> JudgesLost | None:
    found = LostMeasurements(COUNTS, now, make_policy(**policy), waived)
    found.add(head, measured_gates(past, labelled=True))
    return found.result()


@pytest.mark.parametrize("past", [JUDGED, DECLARED, LABELLED])
@pytest.mark.parametrize(
    ("head", "why"),
    [
        (OPEN, {}),
        (unheard(unmeasured("judge"), "judge-key"), {"a": "why"}),
        (unheard(unmeasured("judge"), "judge-not-accepted"), {"a": "why"}),
        (unheard(unmeasured("judge"), "judge-unreachable"), {"a": "why"}),
        (unheard(unmeasured("budget"), "budget"), {"a": "why"}),
    ],
)
def test_what_a_judge_or_label_measured_and_neither_measures_now_is_lost(
    past: CaseRun, head: CaseRun, why: dict[str, str]
) -> None:
    found = lost(past, head)
    assert found is not None
    assert (found.cases, found.named, dict(found.unheard), found.excused) == (1, ("q0",), why, None)


@pytest.mark.parametrize(
    ("past", "head", "options"),
    [
        pytest.param(JUDGED, JUDGED, {}, id="judged again"),
        pytest.param(JUDGED, make_row(outcomes={"faithfulness": failed()}), {}, id="refuted by rules"),
        pytest.param(JUDGED, DECLARED, {}, id="heard, and its good word verifies nothing"),
        pytest.param(LABELLED, make_row(claims=LABELLED.claims, outcomes=OPEN.outcomes), {}, id="labelled, and open"),
        pytest.param(JUDGED, unheard(unmeasured("judge"), "judge-timeout"), {}, id="a call that timed out"),
        pytest.param(JUDGED, unheard(unmeasured("cut"), "cut"), {}, id="the deadline"),
        pytest.param(QUOTED, OPEN, {}, id="a quotation in other words"),
        pytest.param(OPEN, OPEN, {}, id="nobody counted"),
        pytest.param(JUDGED, OPEN, {"gates": {"faithfulness": {"level": "warn"}}}, id="it only warns"),
        pytest.param(JUDGED, OPEN, {"waived": ("q0",)}, id="somebody answers for the case"),
    ],
)
def test_what_neither_measured_or_one_still_does_is_not_lost(
    past: CaseRun, head: CaseRun, options: dict[str, Any]
) -> None:
    assert lost(past, head, **options) is None


@pytest.mark.parametrize(
    ("now", "waived", "excused"),
    [
        (panel("a", armed="", unavailable="K is not set"), (), "no-key"),
        (ADVISES, ("",), "waived"),
        (None, ("",), "waived"),
        (None, (), None),
    ],
)
def test_a_missing_key_and_a_waiver_excuse_it(now: Panel | None, waived: tuple[str, ...], excused: str | None) -> None:
    found = lost(JUDGED, OPEN, now, waived=waived)
    assert found is not None
    assert found.excused == excused


def test_a_case_out_of_scope_is_lost_with_its_judges_and_not_with_a_label() -> None:
    def found(past: CaseRun, now: Panel, before: Panel | None = COUNTS) -> bool:
        lost = LostMeasurements(before, now, Policy(), ())
        lost.add_not_run("q0", measured_gates(past, labelled=True), 0)
        return lost.result() is not None

    assert found(JUDGED, ADVISES)
    assert not found(JUDGED, COUNTS)
    assert not found(QUOTED, ADVISES)
    assert not found(LABELLED, ADVISES, None)


@pytest.mark.parametrize(("state", "is_lost"), [("unmeasured", True), ("failed", False)])
def test_a_known_bad_case_that_judges_blocked_and_nobody_can_block_now_is_lost(
    state: CaseState,
    is_lost: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    stage: StageName = "answer faithfulness"
    known: dict[str, Any] = {"kind": "known_bad", "blocked_at": stage}
    past = make_row(
        claims=(claim(),),
        outcomes={"faithfulness": failed()},
        judges=HEARD,
        by_rules=ByRules(outcomes={"faithfulness": NOBODY}),
        **known,
    )
    blocked = stage if state == "failed" else None
    head = make_row(claims=(claim(),), outcomes=OPEN.outcomes, state=state, first_failed_stage=blocked, **known)
    assert (lost(past, head) is not None) == is_lost
