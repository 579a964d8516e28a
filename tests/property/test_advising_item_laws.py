"""What advising judges say of facts and criteria changes no outcome, no state and no decision, whatever they say."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.schema.answer_votes import majority, worst_first
from raggate_action.schema.judgement import ItemSaid, ItemVote, Judgement
from tests.held_answers import ADVISING_ITEMS, ARMED, held_row
from tests.panel_builders import judgement, lost
from tests.property.test_advising_laws import answers
from tests.row_builders import gates_by_name
from tests.row_builders import judge as decide_on
from tests.thorough import examples

REFERENCE = "The shop opens at nine. It is closed on Sundays."
CRITERIA: list[Any] = ["names an hour", {"must_not": "promises a refund"}]
SAID: list[ItemSaid] = ["stated", "lacking", "contradicted", "yes", "no", "cannot-tell"]
cases = st.fixed_dictionaries(
    {"reference_answer": st.just(REFERENCE), "criteria": st.just(CRITERIA)},
    optional={"expect": st.just("abstain"), "must_not_contain": st.just(["slow"])},
)


@st.composite
def opinions(draw: st.DrawFn) -> list[Judgement]:
    """What three judges say of facts and criteria, with right and wrong names and quotations, or how they were lost."""
    said = []
    for name in "abc":
        if draw(st.integers(0, 4)) == 0:
            gone = lost(name, draw(st.sampled_from(["judge-timeout", "budget"])))
            said.append(gone.model_copy(update={"job": "answer"}))
            continue
        votes = []
        for item in draw(
            st.lists(st.sampled_from(["fact-1", "fact-2", "criterion-1", "criterion-2", "fact-9"]), unique=True)
        ):
            quote = draw(st.sampled_from([None, "The shop opens at nine.", "made up"]))
            kind: Any = item.partition("-")[0]
            votes.append(ItemVote(kind=kind, item=item, said=draw(st.sampled_from(SAID)), quote=quote))
        said.append(judgement(name, job="answer", items=tuple(votes)))
    return said


@settings(max_examples=examples(60), deadline=None)
@given(answers, cases, opinions())
def test_no_outcome_hangs_on_who_only_advises(answer: str, case: dict[str, Any], said: list[Judgement]) -> None:
    advised = held_row(answer, said, terms=ADVISING_ITEMS, **case)
    plain = held_row(answer, asked=False, **case)
    assert advised.model_copy(update={"answer_votes": None}) == plain
    decided, before = decide_on([advised]), decide_on([plain])
    assert decided.decision.kind == before.decision.kind
    assert gates_by_name(decided) == gates_by_name(before)


@settings(max_examples=examples(60), deadline=None)
@given(answers, cases, opinions())
def test_what_armed_judges_decide_is_always_told_apart_from_what_rules_do(
    answer: str, case: dict[str, Any], said: list[Judgement]
) -> None:
    judged = held_row(answer, said, terms=ARMED, **case)
    plain = held_row(answer, asked=False, **case)
    alone = judged.by_rules.outcomes if judged.by_rules is not None else {}
    assert {**judged.outcomes, **alone} == plain.outcomes


@given(st.lists(st.sampled_from(["yes", "no", "cannot-tell"])), st.booleans())
def test_a_vote_for_the_worse_never_makes_it_better(said: list[ItemSaid], forbidden: bool) -> None:  # noqa: FBT001
    order = worst_first("criterion", must_not=forbidden)
    found = majority(said, order)
    more = majority([*said, order[0]], order)
    assert more is not None
    assert found is None or not (more == order[-1] and found != order[-1])
    assert majority(list(reversed(said)), order) == found
