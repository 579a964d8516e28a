"""A judge that only advises changes no outcome, whatever it says and whatever the answer."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.gates.diagnosis import gate, rule_verdicts
from raggate_action.schema.judgement import JudgedVerdict, Judgement
from tests.builders import make_rules
from tests.panel_builders import ADVISING, drafted, judged_row, judgement, lost, place, said_of, vote
from tests.row_builders import gates_by_name
from tests.row_builders import judge as decide_on
from tests.thorough import examples

SENTENCES = [
    "The shop opens at nine.",
    "Refunds take eleven days.",
    "It opens early.",
    "I don't know.",
    "Non lo so davvero.",
    "Refunds are slow [refunds].",
    "It may be so [nowhere].",
]
answers = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(" ".join)
VERDICTS: list[JudgedVerdict] = ["supported", "partial", "unsupported", "contradicted"]
cases = st.fixed_dictionaries(
    {},
    optional={
        "expect": st.just("abstain"),
        "required_points": st.just(["opening", {"id": "refunds", "answer_phrases": ["refunds"]}]),
        "must_not_contain": st.just(["slow"]),
        "required_source_ids": st.just(["hours"]),
    },
)


@st.composite
def opinions(draw: st.DrawFn) -> list[Judgement]:
    """What three judges say of up to four claims, or how they were lost."""
    said = []
    for name in "abc":
        if draw(st.integers(0, 4)) == 0:
            said.append(lost(name, draw(st.sampled_from(["judge-timeout", "budget"]))))
            continue
        votes = [
            vote(
                f"claim-{number}",
                draw(st.sampled_from(VERDICTS)),
                against=draw(st.sampled_from([None, place("refunds")])),
                note="x",
            )
            for number in draw(st.lists(st.integers(1, 4), unique=True))
        ]
        point, declines = draw(st.sampled_from([None, "claim-1"])), draw(st.sampled_from([None, True, False]))
        said.append(judgement(name, *votes, points={"opening": point}, declines=declines))
    return said


@settings(max_examples=examples(60), deadline=None)
@given(answers, cases, opinions(), st.sampled_from(["en", "it"]))
def test_no_outcome_hangs_on_who_only_advises(
    answer: str, case: dict[str, Any], said: list[Judgement], language: str
) -> None:
    rules = make_rules(language=language)
    found = drafted(answer, rules, **case)
    alone = gate(found, rule_verdicts(found), rules)
    advised = gate(found, said_of(found, said, ADVISING), rules)
    same = ("outcomes", "first_failed_stage", "hallucinations", "behaviour", "abstained")
    assert [getattr(advised, name) for name in same] == [getattr(alone, name) for name in same]
    assert [claim.model_copy(update={"votes": ()}) for claim in advised.claims] == list(alone.claims)
    row, plain = (
        judged_row(said, answer, terms=ADVISING, rules=rules, **case),
        judged_row([], answer, rules=rules, **case),
    )
    assert row.model_copy(update={"claims": plain.claims, "judges": ()}) == plain
    decided, before = decide_on([row]), decide_on([plain])
    assert (decided.decision, gates_by_name(decided)) == (before.decision, gates_by_name(before))
