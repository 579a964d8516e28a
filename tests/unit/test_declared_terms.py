"""Votes of judges that count by declaration beside those of armed ones: a fault counts, a good word does not."""

from __future__ import annotations

import pytest

from raggate_action.core.judging.claim_vote_aggregation import fold
from raggate_action.core.judging.facts_and_criteria import AnswerItem
from raggate_action.core.judging.item_vote_aggregation import fold_items
from raggate_action.core.judging.scorecard_and_arming import declared_card, terms_of
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.judgement import ItemVote, JudgedVerdict, Judgement, PointVote
from tests.panel_builders import CHUNKS, claim, judgement, vote

ALL, ABC = ("a", "b", "c"), frozenset("abc")
# `a` is armed by labels, the others by declaration; and all three by declaration.
MIXED, DECLARED = terms_of(ALL, ABC, frozenset("bc"), None), terms_of(ALL, ABC, ABC, None)


@pytest.mark.parametrize(
    ("terms", "verdicts", "expected"),
    [
        (DECLARED, ("unsupported", "unsupported", "supported"), "unsupported"),
        (DECLARED, ("supported", "supported", "supported"), "unverified"),
        # Two declared judges outvote the armed one towards a fault, and cannot outvote it towards supported.
        (MIXED, ("supported", "unsupported", "unsupported"), "unsupported"),
        (MIXED, ("unsupported", "supported", "supported"), "unsupported"),
        (MIXED, ("supported", "supported", "unsupported"), "supported"),
        (MIXED, ("supported", "supported", "supported"), "supported"),
    ],
)
def test_supported_is_what_those_say_who_may_verify(
    terms: object, verdicts: tuple[JudgedVerdict, ...], expected: str
) -> None:
    said = [judgement(name, vote("c1", each)) for name, each in zip(ALL, verdicts, strict=True)]
    found = fold((claim(),), said, terms, chunks=CHUNKS, declined=False)  # type: ignore[arg-type]
    assert found.claims[0].verdict == expected


@pytest.mark.parametrize(("said", "expected"), [(True, None), (False, False)])
def test_they_may_say_that_an_answer_does_not_decline_and_not_that_it_does(
    *, said: bool, expected: bool | None
) -> None:
    votes = [judgement(name).model_copy(update={"declines": said}) for name in ALL]
    assert fold((claim(),), votes, DECLARED, chunks=CHUNKS, declined=None).declines is expected


@pytest.mark.parametrize(("named", "expected"), [("c1", ()), (None, (PointVote(point="p", claim_id=None),))])
def test_they_may_say_that_a_point_is_not_made_and_not_that_it_is(
    named: str | None, expected: tuple[PointVote, ...]
) -> None:
    point = (PointVote(point="p", claim_id=named),)
    votes = [judgement(name).model_copy(update={"points": point}) for name in ALL]
    assert fold((claim(),), votes, DECLARED, chunks=CHUNKS, declined=False).points == expected


@pytest.mark.parametrize(("said", "expected"), [("stated", None), ("lacking", "lacking")])
def test_they_may_say_that_a_fact_is_lacking_and_not_that_it_is_stated(said: str, expected: str | None) -> None:
    quote = {"quote": "ten days"} if said == "stated" else {}
    votes: list[Judgement] = [
        judgement(name).model_copy(
            update={"items": (ItemVote.model_validate({"kind": "fact", "item": "f", "said": said, **quote}),)}
        )
        for name in ALL
    ]
    item = AnswerItem("fact", "f", "It takes ten days.")
    found = fold_items([item], votes, {"agreement": DECLARED}, answer="It takes ten days.")
    assert found.items[0].said == expected


def test_a_declared_judge_verifies_only_where_the_same_judge_counted_on_the_baseline() -> None:
    card = JudgeCard(judge="a", fingerprint="is-a", injections_shown=5)
    same, other = card.model_copy(update={"armed": True}), JudgeCard(judge="a", fingerprint="is-b", armed=True)
    assert declared_card(card, of_plants=10, earlier=[same]).verifies
    assert not declared_card(card, of_plants=10, earlier=[other]).verifies, "another model under its name"
    assert not declared_card(card, of_plants=10, earlier=[card]).verifies, "there it only advised"
    # Shown 5 of 11 instructions, fewer than half: nobody knows what it does.
    unseen = declared_card(card, of_plants=11, earlier=[same])
    assert (unseen.armed, unseen.why_not) == (False, "not-judged")
