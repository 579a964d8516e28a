"""Two runs under judges: what they said of both answers is compared; what is newly judged is not newly wrong."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import Judgement
from tests.builders import make_rules
from tests.panel_builders import ADVISING, all_say, judged_row, lost, vote
from tests.row_builders import compare, gates_by_name, named
from tests.row_builders import judge as decide_on

GOOD = (vote("claim-1", "supported"), vote("claim-2", "supported", "refunds"))
BAD = (vote("claim-1", "supported"), vote("claim-2", "contradicted"))
FAITHFUL, FALSE = all_say(*GOOD), all_say(*BAD)
UNJUDGED: list[Judgement] = []
LOST = [lost(name) for name in "abc"]


def moved(before: CaseRun, after: CaseRun) -> tuple[Any, ...]:
    found = compare([after], [before])
    told = found.of("hallucination_rate")
    return (
        found.regressed,
        found.total("fixed"),
        told.new,
        told.fixed,
        told.same,
    )


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(FAITHFUL, FALSE, (1, 0, 1, 0, 0), id="the same judges: new and a regression"),
        pytest.param(FALSE, FAITHFUL, (0, 1, 0, 1, 0), id="the same judges: fixed"),
        pytest.param(FALSE, FALSE, (0, 0, 0, 0, 1), id="the same judges: persisting"),
        pytest.param(FALSE, LOST, (0, 0, 0, 0, 0), id="the head's were: unmeasured, so neither"),
    ],
)  # fmt: skip
def test_one_answer_on_two_runs(before: list[Judgement], after: list[Judgement], expected: tuple[int, ...]) -> None:
    assert moved(judged_row(before), judged_row(after)) == expected


def test_judges_that_only_advise_make_no_difference_to_a_comparison() -> None:
    advised = judged_row(FALSE, terms=ADVISING)
    assert moved(judged_row([]), advised) == moved(advised, judged_row([])) == (0, 0, 0, 0, 0)
    assert moved(advised, judged_row(FALSE)) == moved(judged_row([]), judged_row(FALSE))


def test_a_judged_falsehood_is_found_again_in_other_words() -> None:
    before = judged_row(
        all_say(vote("claim-1", "contradicted")), "Every customer receives a free umbrella at the desk."
    )
    after = judged_row(all_say(vote("claim-1", "unsupported")), "Each customer gets a free umbrella at the desk.")
    other = judged_row(all_say(vote("claim-1", "unsupported")), "Parking behind the building is reserved for staff.")
    assert moved(before, after)[2:5] == (0, 0, 1)
    assert moved(before, other)[2:5] == (1, 1, 0)


def test_a_new_judged_hallucination_is_a_certain_one_for_its_gate() -> None:
    assert (
        gates_by_name(decide_on([judged_row(FALSE)], base=[judged_row(FAITHFUL)]))["new_hallucinations"][0] == "failed"
    )


def test_a_decline_that_the_panel_sees_is_a_newly_unanswered_case() -> None:
    italian, text = make_rules(language="it"), "Non lo so davvero."
    answers = all_say(vote("claim-1", "supported"), declines=False)
    declines = all_say(vote("claim-1", "unsupported"), declines=True)

    def newly(before: list[Judgement], after: list[Judgement]) -> tuple[str, ...]:
        rows = [judged_row(each, text, rules=italian) for each in (after, before)]
        return named(compare(rows[:1], rows[1:]), "newly_unanswered")

    assert newly(answers, declines) == ("q0",)


def test_a_citation_that_a_panel_finds_elsewhere_is_no_certain_fault() -> None:
    answer = {"claims": [{"text": "It opens early.", "citation_id": "refunds"}]}
    rules = make_rules(pipeline={"citations": True})
    before, after = [
        judged_row(all_say(vote("claim-1", "supported", name)), answer, rules=rules) for name in ("refunds", "hours")
    ]
    assert after.outcomes["citation_support"].kind == "failed"
    assert named(compare([after], [before]), "newly_miscited") == ()
