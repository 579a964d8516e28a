"""A panel on weaker terms, and judges that are gone, told from a panel that an honest team changes."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.comparison.case_changes import FailedThen, PastDemands, SuiteDemands
from raggate_action.core.comparison.panel_changes import (
    LostMeasurements,
    PanelChanges,
    panel_changes,
)
from raggate_action.core.comparison.same_judges import panel_of
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.scorecard_and_arming import terms_under
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import ErrorRate, JudgeCard
from raggate_action.schema.case_run import ByRules, CaseRun
from raggate_action.schema.comparison import JudgesLost
from raggate_action.schema.judgement import AskedJudge, Lost, LostCode
from raggate_action.schema.judges import Arming
from raggate_action.schema.outcome import Outcome, Passed
from raggate_action.schema.panel import Panel, PanelMember, PanelRules
from raggate_action.schema.run import Policy
from tests.panel_builders import claim
from tests.row_builders import TODAY, failed, make_policy, make_row, unmeasured, waiver


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


def settings(found: PanelChanges) -> list[tuple[str, str | None, str | None]]:
    return [(each.setting, each.before, each.after) for each in found.weaker]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (rules(), rules(labels=10), ("judges.arming.labels", "50", "10")),
        (rules(), rules(faults=1), ("judges.arming.faults", "20", "1")),
        (rules(), rules(ac1=-1.0), ("judges.arming.ac1", "0.6", "-1.0")),
        (rules(), rules(false_block="0.5"), ("judges.arming.false_block", "0.15", "0.5")),
        (rules(), rules(false_pass="1"), ("judges.arming.false_pass", "0.3", "1")),  # noqa: S106 - a share
        (rules(3), rules(1), ("judges.quorum", "3", "1")),
        (rules(3), rules(), ("judges.quorum", "3", None)),
        (rules(), rules(1), ("judges.quorum", None, "1")),
    ],
)
def test_terms_by_which_less_decides_are_weaker_and_the_other_way_round_stricter(
    before: PanelRules, after: PanelRules, told: tuple[str, str | None, str | None]
) -> None:
    there = panel_changes(panel(*"abc", terms=before), panel(*"abc", terms=after))
    back = panel_changes(panel(*"abc", terms=after), panel(*"abc", terms=before))
    assert settings(there) == [told]
    assert there.stricter == ()
    assert back.weaker == ()
    assert [each.setting for each in back.stricter] == [told[0]]


@pytest.mark.parametrize(
    ("after", "out", "gone"),
    [
        (None, ("a", "b", "c"), True),
        (panel("a", "b"), ("c",), False),
        (panel("a"), ("b", "c"), False),
        # Its model or its name is another: it is on trial, and not gone.
        (panel("a", "b", "d"), (), False),
        (panel("d", "e", "f"), (), False),
        (panel("d", "e"), ("a", "b", "c"), False),
        # One more is none less.
        (panel("a", "b", "c", "d"), (), False),
        # Nobody could ask them, or they do not count at the moment: they are on the panel all the same.
        (panel("a", "b", "c", armed="", unavailable="No key."), (), False),
    ],
)
def test_judges_that_counted_and_are_gone_with_nobody_in_their_place(
    after: Panel | None,
    out: tuple[str, ...],
    gone: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    found = panel_changes(panel("a", "b", "c"), after)
    assert (found.out, found.gone) == (out, gone)
    assert found.weaker == found.stricter == ()


def test_a_judge_under_another_name_is_the_same() -> None:
    renamed = panel("a", "b").model_copy(
        update={"members": (PanelMember(name="z", lab="lab", model="m", fingerprint="is-a"), *panel("b").members)}
    )
    assert panel_changes(panel("a", "b"), renamed).out == ()


@pytest.mark.parametrize(
    "before",
    [None, panel("a", "b", armed=""), panel("a", armed="", unavailable="No key."), panel("a", quorum=0)],
)
def test_judges_that_did_not_count_are_no_loss(before: Panel | None) -> None:
    assert panel_changes(before, None) == PanelChanges()


def test_of_a_baseline_that_kept_no_terms_nothing_is_guessed() -> None:
    old = panel("a", "b", terms=rules(2)).model_copy(update={"rules": None})
    assert panel_changes(old, panel("a", "b", terms=rules(1, labels=1))) == PanelChanges()


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


ASKED = panel("a", demanded=True)
UNASKED = panel("a", armed="", demanded=True)
MEASURED = make_row(claims=(claim(),), outcomes={"faithfulness": Passed()})


def now(outcome: Outcome, *, code: LostCode | None = None, **fields: Any) -> CaseRun:
    """The same case in the head run, its one claim open; a code is why the judge's call was lost."""
    lost = Lost(code=code, detail="why") if code is not None else None
    judges = (AskedJudge(judge="a", armed=True, lost=lost),)
    return make_row(claims=(claim(),), outcomes={"faithfulness": outcome}, judges=judges, **fields)


def lost(
    head: CaseRun, after: Panel | None, *, before: Panel | None = ASKED, past: CaseRun = MEASURED, **policy: Any
) -> JudgesLost | None:
    suite = SuiteDemands(Policy(), "", None, None, before)
    found = LostMeasurements(suite, after, make_policy(**policy), decided_on=TODAY)
    found.add(head, panel_of(past), None)
    return found.result()


NOBODY = unmeasured("no-adjudicator")


@pytest.mark.parametrize(
    ("head", "after", "why"),
    [
        pytest.param(now(NOBODY), None, "taken-out", id="the suite has no judges any more"),
        pytest.param(now(NOBODY), panel("b", armed="", demanded=True), "not-judged", id="another that advises"),
        pytest.param(now(NOBODY), UNASKED, "not-judged", id="labels do not arm it"),
        pytest.param(now(NOBODY), panel("a", "b", quorum=0, demanded=True), "quorum", id="fewer than the quorum"),
        pytest.param(now(unmeasured("judge"), code="judge-key"), ASKED, "key", id="no key for a new answer"),
        pytest.param(now(unmeasured("budget"), code="budget"), ASKED, "budget", id="no money for a new answer"),
        pytest.param(now(NOBODY), UNASKED.model_copy(update={"labels_usd": 9.0}), "too-dear", id="its labels are dear"),
    ],
)
def test_what_a_judge_measured_and_nobody_measures_now_is_lost_with_the_reason(
    head: CaseRun, after: Panel | None, why: str
) -> None:
    found = lost(head, after)
    assert found is not None
    assert (found.cases, found.named, found.excused) == (1, ("q0",), None)
    name = after.members[0].name if after is not None else "a"
    assert [(each.judge, each.why) for each in found.judges] == [(name, why)]


def test_fewer_votes_than_a_verdict_took_on_the_baseline_measure_nothing_and_as_many_do() -> None:
    alone = ByRules(outcomes={"faithfulness": NOBODY})
    head = now(Passed(), by_rules=alone)
    two, three = panel("a", "b"), panel("a", "b", "c")
    assert lost(head, panel("a", demanded=True), before=two) is not None
    assert lost(head, panel("a", "b", demanded=True), before=three) is None
    # What rules verify takes nobody's vote, and what is refuted is red anyway.
    assert lost(now(Passed()), panel("a", demanded=True), before=two) is None
    assert lost(now(failed(), by_rules=alone), panel("a", demanded=True), before=two) is None


@pytest.mark.parametrize(
    ("head", "options"),
    [
        pytest.param(now(Passed()), {}, id="measured"),
        pytest.param(now(failed()), {}, id="measured and wrong"),
        pytest.param(now(unmeasured("judge"), code="judge-timeout"), {"after": ASKED}, id="a call that timed out"),
        pytest.param(now(unmeasured("cut"), code="cut"), {"after": ASKED}, id="the deadline"),
        pytest.param(now(NOBODY), {"before": None}, id="no judges on the baseline"),
        pytest.param(now(NOBODY), {"before": panel("a", armed="")}, id="it only advised"),
        pytest.param(now(NOBODY), {"before": panel("a", unavailable="No key.")}, id="nobody was asked there either"),
        pytest.param(now(NOBODY), {"past": now(NOBODY)}, id="not measured there"),
        pytest.param(now(NOBODY), {"after": ASKED}, id="nothing that a judge would be asked"),
        pytest.param(now(NOBODY), {"gates": {"faithfulness": {"level": "warn"}}}, id="it only warned"),
        pytest.param(now(NOBODY), {"waivers": [waiver("q0", "policy_weakened")]}, id="somebody answers for the case"),
        pytest.param(make_row(claims=(claim(labelled=True),), outcomes={"faithfulness": NOBODY}), {}, id="a label's"),
    ],
)
def test_what_judges_did_not_measure_or_still_do_is_not_lost(head: CaseRun, options: dict[str, Any]) -> None:
    assert lost(head, **{"after": UNASKED, **options}) is None


@pytest.mark.parametrize(
    ("after", "policy", "excused"),
    [
        (UNASKED.model_copy(update={"demanded": False}), {}, "laptop"),
        (panel("a", unavailable="K is not set"), {}, "no-secrets"),
        (UNASKED, {"waivers": [waiver("", "policy_weakened")]}, "waived"),
        (None, {"waivers": [waiver("", "policy_weakened")]}, "waived"),
        (None, {}, None),
        # Who takes a judge out does so wherever the run is made.
        (panel("b", unavailable="K is not set"), {}, "no-secrets"),
        (panel(unavailable="K is not set"), {}, None),
    ],
)
def test_without_secrets_on_a_laptop_and_waived_it_is_told_alone(
    after: Panel | None, policy: dict[str, Any], excused: str | None
) -> None:
    found = lost(now(NOBODY), after, **policy)
    assert found is not None
    assert found.excused == excused


def test_judges_that_another_replaces_or_that_have_other_parameters_are_told_where_they_counted() -> None:
    other = PanelMember(name="a", lab="lab", model="m", fingerprint="is-else")
    changed = panel("a", "b").model_copy(update={"members": (other, *panel("b").members)})
    [found] = panel_changes(panel("a", "b"), changed).changed
    assert (found.before, found.after, found.armed) == ("a", "a", True)
    [found] = panel_changes(panel("a", "b"), panel("a", "z", armed="a")).changed
    assert (found.before, found.after, found.armed) == ("b", "z", False)
    assert not panel_changes(panel("a", armed=""), panel("z")).changed
    assert not panel_changes(panel("a"), panel("a", "b")).changed


@pytest.mark.parametrize(
    ("after", "failed_then", "missed"),
    [
        (panel("a", unavailable="K is not set"), None, True),
        # It was let through on the baseline as well, and judges that count let it through now: that is red anyway.
        (panel("a", unavailable="K is not set"), FailedThen({}, None, 1), False),
        (ASKED, None, False),
    ],
)
def test_a_known_bad_case_that_judges_blocked_and_nobody_can_block_now_is_lost(
    after: Panel,
    failed_then: FailedThen | None,
    missed: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    head = now(NOBODY, kind="known_bad", blocked_at="answer faithfulness")
    then = PastDemands(None, "known_bad", "answer faithfulness", "?", (), failed_then)
    found = LostMeasurements(SuiteDemands(Policy(), "", None, None, ASKED), after, Policy(), decided_on=TODAY)
    found.add(head, panel_of(make_row()), then)
    assert (found.result() is not None) == missed
