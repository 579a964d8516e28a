"""A panel on weaker terms, and judges that are gone, told from a panel that an honest team changes."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.comparison.panel_changes import HIGHER_IS_WEAKER, LOWER_IS_WEAKER, PanelChanges, panel_changes
from raggate_action.core.panel.card import terms_under
from raggate_action.core.panel.fold import PanelTerms
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import ErrorRate, JudgeCard
from raggate_action.schema.judges import Arming
from raggate_action.schema.panel import Panel, PanelMember, PanelRules


def rules(quorum: int | None = None, **arming: Any) -> PanelRules:
    return PanelRules.model_validate_json(PanelRules(arming=Arming(**arming), quorum=quorum).model_dump_json())


def panel(*names: str, armed: str | None = None, terms: PanelRules | None = None, **fields: Any) -> Panel:
    """Judges by name, all of them armed unless it is said which; the model is the name in small letters."""
    counted = [name for name in names if armed is None or name in armed]
    members = [PanelMember(name=name, lab="lab", model="m", fingerprint=f"is-{name}") for name in names]
    cards = [JudgeCard(judge=name, armed=name in counted, why_not=None) for name in names]
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


def test_every_term_of_arming_is_told_from_its_opposite() -> None:
    assert set(Arming.model_fields) == LOWER_IS_WEAKER | HIGHER_IS_WEAKER
    assert not LOWER_IS_WEAKER & HIGHER_IS_WEAKER


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
    then = terms_under(rules(), [card("a"), card("b", **fields)], today)
    assert then == PanelTerms(("a", "b"), frozenset("a"), 1)
    assert terms_under(rules(), [card("a"), card("b")], today) is None, "both meet them"


def test_on_the_baselines_terms_a_verdict_needs_its_quorum_and_never_less_than_today() -> None:
    today = PanelTerms(("a", "b", "c"), frozenset("abc"), 2)
    cards = [card(name) for name in "abc"]
    assert terms_under(rules(3), cards, today) == today._replace(quorum=3)
    assert terms_under(rules(1), cards, today) is None


def test_a_judge_that_does_not_count_today_counts_on_no_terms() -> None:
    today = PanelTerms(("a", "b"), frozenset("a"), 1)
    assert terms_under(rules(), [card("a"), card("b").model_copy(update={"armed": False})], today) is None
