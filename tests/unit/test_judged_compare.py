"""Two runs under judges: what they said of both answers is compared; what is newly judged is not newly wrong."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.report.render import render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.run.row_counting import Count, Known
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.run import Policy
from tests.builders import make_rules
from tests.panel_builders import ADVISING, OPEN, PANEL, all_say, judged_row, judgement, lost, vote
from tests.row_builders import TODAY, compare, count, gates_by_name, index, make_row, make_run, named
from tests.row_builders import judge as decide_on

GOOD = (vote("claim-1", "supported"), vote("claim-2", "supported", "refunds"))
BAD = (vote("claim-1", "supported"), vote("claim-2", "contradicted"))
FAITHFUL, FALSE = all_say(*GOOD), all_say(*BAD)
UNJUDGED: list[Judgement] = []
LOST = [lost(name) for name in "abc"]


def by_other(judgements: list[Judgement]) -> list[Judgement]:
    """The same of judges under another prompt."""
    return [each.model_copy(update={"prompt": "another"}) for each in judgements]


def moved(before: CaseRun, after: CaseRun) -> tuple[Any, ...]:
    found = compare([after], [before])
    told = found.of("hallucination_rate")
    return (
        found.regressed,
        found.total("fixed"),
        told.new,
        told.fixed,
        told.same,
        found.other_panel.cases if found.other_panel else 0,
    )


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(FAITHFUL, FALSE, (1, 0, 1, 0, 0, 0), id="the same judges: new and a regression"),
        pytest.param(FALSE, FAITHFUL, (0, 1, 0, 1, 0, 0), id="the same judges: fixed"),
        pytest.param(FALSE, FALSE, (0, 0, 0, 0, 1, 0), id="the same judges: persisting"),
        pytest.param(UNJUDGED, FALSE, (0, 0, 0, 0, 0, 1), id="nobody judged the baseline: newly judged, not newly wrong"),
        pytest.param(FALSE, UNJUDGED, (0, 0, 0, 0, 0, 1), id="nobody judges the head: not fixed"),
        pytest.param(UNJUDGED, FAITHFUL, (0, 0, 0, 0, 0, 1), id="newly verified is not fixed"),
        pytest.param(by_other(FAITHFUL), FALSE, (0, 0, 0, 0, 0, 1), id="another prompt: not comparable"),
        pytest.param(by_other(FALSE), FAITHFUL, (0, 0, 0, 0, 0, 1), id="another prompt: not fixed"),
        pytest.param(LOST, FALSE, (0, 0, 0, 0, 0, 1), id="the baseline's judges were lost: not comparable"),
        pytest.param(FALSE, LOST, (0, 0, 0, 0, 0, 0), id="the head's were: unmeasured, so neither"),
    ],
)  # fmt: skip
def test_one_answer_on_two_runs(before: list[Judgement], after: list[Judgement], expected: tuple[int, ...]) -> None:
    assert moved(judged_row(before), judged_row(after)) == expected


def test_what_rules_say_counts_whoever_judged() -> None:
    """The head's answer has one fault of each kind; only the one that a rule finds is compared."""
    answer = "Refunds take eleven days. It opens early."
    row = judged_row(all_say(vote("claim-2", "unsupported")), answer)
    assert [each.text for each in row.hallucinations] == ["Refunds take eleven days.", "It opens early."]
    assert moved(judged_row([]), row) == (1, 0, 1, 0, 0, 1)
    # As with a baseline that the same judges judged, but for their own fault.
    assert moved(judged_row(FAITHFUL), row) == (1, 0, 2, 0, 0, 0)


def test_a_baseline_of_which_rules_left_nothing_open_stands_beside_any_panel() -> None:
    verified = judged_row([], "The shop opens at nine. Refunds take ten days.")
    assert [each.verdict for each in verified.claims] == ["supported", "supported"]
    assert moved(verified, judged_row(FALSE)) == (1, 0, 1, 0, 0, 0)
    assert moved(judged_row(FALSE), verified) == (0, 1, 0, 1, 0, 0)


def test_judges_that_only_advise_make_no_difference_to_a_comparison() -> None:
    advised = judged_row(FALSE, terms=ADVISING)
    assert moved(judged_row([]), advised) == moved(advised, judged_row([])) == (0, 0, 0, 0, 0, 0)
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
    fresh = gates_by_name(decide_on([judged_row(FALSE)], base=[judged_row([])]))
    assert (fresh["new_hallucinations"][0], fresh["hallucination_rise"][0]) == ("passed", "passed")
    # It counts all the same for the bars over the run's own answers.
    assert (fresh["faithfulness"][0], fresh["hallucination_rate"][0]) == ("failed", "failed")


def test_a_decline_that_only_other_judges_see_is_no_newly_unanswered_case() -> None:
    italian, text = make_rules(language="it"), "Non lo so davvero."
    answers = all_say(vote("claim-1", "supported"), declines=False)
    declines = all_say(vote("claim-1", "unsupported"), declines=True)

    def newly(before: list[Judgement], after: list[Judgement]) -> tuple[str, ...]:
        rows = [judged_row(each, text, rules=italian) for each in (after, before)]
        return named(compare(rows[:1], rows[1:]), "newly_unanswered")

    assert newly(answers, declines) == ("q0",)
    assert newly(by_other(answers), declines) == ()


def test_a_citation_that_a_panel_finds_elsewhere_is_no_certain_fault() -> None:
    answer = {"claims": [{"text": "It opens early.", "citation_id": "refunds"}]}
    rules = make_rules(pipeline={"citations": True})
    before, after = [
        judged_row(all_say(vote("claim-1", "supported", name)), answer, rules=rules) for name in ("refunds", "hours")
    ]
    assert after.outcomes["citation_support"].kind == "failed"
    assert named(compare([after], [before]), "newly_miscited") == ()


def test_counts_of_other_judges_stand_beside_none_of_ours() -> None:
    base, head = judged_row([]), judged_row(FALSE)

    def counted(before: CaseRun) -> Any:
        counting = Count(Policy(), decided_on=TODAY, baseline=index([before]), known=Known())
        counting.add(head)
        comparison = counting.counted([(head.case_id, head.digest, True)])[1]
        assert comparison is not None
        return comparison

    alike, other = counted(judged_row(FAITHFUL)), counted(base)
    assert {"faithfulness", "admissibility", "hallucination_rate"} <= {gate.name for gate in alike.gates}
    left = {gate.name for gate in other.gates}
    assert left.isdisjoint({"faithfulness", "hallucination_rate", "answered", "verified"})
    assert "admissibility" in left
    assert "faithfulness" not in other.statuses
    assert other.other_panel is not None
    assert other.other_panel.not_comparable == ("q0",)
    assert alike.other_panel is None


def test_a_comparison_without_judges_names_none() -> None:
    assert compare([make_row(0)], [make_row(0)]).other_panel is None
    assert moved(judged_row([]), judged_row([])) == (0, 0, 0, 0, 0, 0)


def test_one_judge_less_is_another_panel() -> None:
    two = [judgement("a", *GOOD), judgement("b", *GOOD)]
    smaller = PANEL._replace(members=("a", "b"), armed=frozenset("ab"))
    assert moved(judged_row(two, terms=smaller), judged_row(FALSE))[-1] == 1
    # A judge that was lost for this answer is still of the panel that judged it.
    assert moved(judged_row([*two, lost("c")], OPEN), judged_row(FALSE)) == (1, 0, 1, 0, 0, 0)


def test_a_reader_is_told_which_cases_other_judges_judged() -> None:
    comparison = compare([judged_row(FALSE)], [judged_row([])])
    head = make_run([judged_row(FALSE)])
    told = render_summary(Reporting(run=head, listed=count([judged_row(FALSE)]).listed, comparison=comparison))
    assert "1 case judged by other judges than on the baseline, or by none there" in told
    assert "neither new nor fixed, what rules say is compared: `q0`" in told
