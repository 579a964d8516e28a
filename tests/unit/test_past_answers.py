"""Answers of a baseline that today's panel has judged again: their rows, how they compare, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.comparison.baseline_index import PastAnswers, past_answers
from raggate_action.core.comparison.comparer import Comparer
from raggate_action.core.comparison.confirmation_asks import Confirmation
from raggate_action.core.comparison.same_judges import are_alike, panel_of, row_by_panel
from raggate_action.report.render import render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.schema.baseline_answer import BaselineAnswer, NotJudgedAgain
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy
from tests.builders import make_rules
from tests.panel_builders import all_say, judged_row, lost, vote
from tests.row_builders import TODAY, count, failed, index, make_run, named

GOOD = (vote("claim-1", "supported"), vote("claim-2", "supported", "refunds"))
BAD = (vote("claim-1", "supported"), vote("claim-2", "contradicted"))
FAITHFUL, FALSE = all_say(*GOOD), all_say(*BAD)
DECLINES = all_say(vote("claim-1", "unsupported"), declines=True)
GATES = make_rules().gates


def by_other(judgements: list[Judgement]) -> list[Judgement]:
    return [each.model_copy(update={"prompt": "another"}) for each in judgements]


@pytest.mark.parametrize(
    "then",
    [
        pytest.param([], id="nobody"),
        pytest.param(by_other(FALSE), id="others"),
        pytest.param([lost(name) for name in "abc"], id="lost"),
    ],
)
@pytest.mark.parametrize("now", [FAITHFUL, FALSE, []], ids=["faithful", "false", "nobody"])
def test_a_row_under_another_panel_is_as_if_that_had_judged_it_at_once(
    then: list[Judgement], now: list[Judgement]
) -> None:
    stored, again = judged_row(then), judged_row(now)
    assert row_by_panel(stored, again, GATES) == again


def test_a_decline_that_only_the_new_panel_sees_takes_demands_with_it_and_none_that_it_does_not_see() -> None:
    italian = make_rules(language="it")
    case: dict[str, Any] = {"rules": italian, "must_contain": ["week"]}
    rows = [judged_row(each, "Non lo so davvero.", **case) for each in (by_other(FAITHFUL[:1]), DECLINES)]
    assert row_by_panel(rows[0], rows[1], italian.gates) == rows[1]
    assert row_by_panel(rows[1], rows[0], italian.gates) == rows[0]


def test_what_a_check_found_then_stays() -> None:
    """No check is asked of an old answer, so that its outcome could only be lost."""
    stored = judged_row(by_other(FALSE))
    checked = stored.model_copy(
        update={"outcomes": {**stored.outcomes, "behaviour": failed("custom-check")}, "issues": ("odd",)}
    )
    found = row_by_panel(checked, judged_row(FAITHFUL), GATES)
    assert (found.outcomes["behaviour"], found.issues) == (failed("custom-check"), ("odd",))
    assert found.outcomes["faithfulness"].kind == "passed"
    assert found.state == "failed"


def kept(row: CaseRun, again: CaseRun) -> BaselineAnswer:
    [answer] = PastAnswers({row.case_id: again}).kept([row])
    return answer


def test_what_was_kept_is_taken_for_no_other_answer() -> None:
    stored, again = judged_row([]), judged_row(FAITHFUL)
    answer = kept(stored, again)
    assert past_answers([answer], [stored]).rows == {stored.case_id: again}
    for change in ({"answer_digest": "another"}, {"digest": "another"}, {"finished_at": "2026-06-03T12:00:00Z"}):
        assert past_answers([answer], [stored.model_copy(update=change)]) == PastAnswers()
    left = PastAnswers(left={stored.case_id: "budget"})
    assert past_answers(left.kept([stored]), [stored]) == left
    assert list(PastAnswers().kept([stored])) == []


def test_a_line_says_what_became_of_the_answer_or_why_nothing_did() -> None:
    with pytest.raises(ValueError, match="judged again, or it says why not"):
        BaselineAnswer(case_id="q", digest="d", finished_at="")


def compared(head: list[CaseRun], base: list[CaseRun], again: PastAnswers) -> Comparison:
    rows = list(again.in_place(base))
    comparer = Comparer(index(rows)._replace(again=again), Policy(), decided_on=TODAY)
    for row in head:
        comparer.add(row)
    return comparer.comparison([(row.case_id, row.digest, True) for row in head], count(head))


def at(position: int, judgements: list[Judgement]) -> CaseRun:
    return judged_row(judgements, position=position)


def test_judged_again_it_compares_as_any_other_and_the_rest_by_rules_alone() -> None:
    base = [at(number, by_other(FAITHFUL)) for number in range(4)]
    head = [at(0, FALSE), at(1, FALSE), at(2, FALSE), at(3, FAITHFUL)]
    again = PastAnswers({"q0": at(0, FAITHFUL), "q1": at(1, FALSE), "q3": at(3, FALSE)}, {"q2": "budget"})
    found = compared(head, base, again)
    assert named(found, "new_hallucinations") == ("q0",)
    assert (found.regressed, found.total("fixed"), found.of("hallucination_rate").same) == (1, 1, 1)
    assert found.other_panel is not None
    assert found.other_panel.model_dump(mode="json") == {
        "judged_again": 3,
        "not_comparable": ["q2"],
        "cases": 1,
        "why": [{"why": "budget", "cases": 1}],
    }


def test_judged_again_by_judges_that_were_lost_nothing_is_comparable() -> None:
    row = row_by_panel(at(0, by_other(FAITHFUL)), at(0, [lost(name) for name in "abc"]), GATES)
    assert not are_alike(panel_of(row), panel_of(at(0, FALSE)))


LEFT = "; what judges said of them is neither new nor fixed, what rules say is compared: "


@pytest.mark.parametrize(
    ("again", "left", "told"),
    [
        pytest.param(1, {}, "1 case {by}; the baseline's answer was judged again by this run's judges", id="one"),
        pytest.param(3, {}, "3 cases {by}; the baseline's answers were judged again by this run's judges", id="all"),
        pytest.param(0, {"not-asked": 1}, "1 case {by}" + LEFT + "`q0`", id="nobody could be asked"),
        pytest.param(
            0,
            {"text": 2},
            "2 cases {by}; the baseline's answers could not be judged again (the answer or the text of its chunks is not "
            "at hand as it was)" + LEFT + "`q0`, `q1`",
            id="none",
        ),
        pytest.param(
            1,
            {"budget": 2, "judge": 1},
            "4 cases {by}; 1 answer of the baseline was judged again by this run's judges, 3 answers could not be "
            "(2: the budget was used up; 1: judges were lost)" + LEFT.replace("them", "these") + "`q0`, `q1`, `q2`",
            id="some",
        ),
    ],
)
def test_a_reader_is_told_in_one_sentence(again: int, left: dict[NotJudgedAgain, int], told: str) -> None:
    reasons = [why for why, cases in left.items() for _case in range(cases)]
    whys = {f"q{number}": why for number, why in enumerate(reasons)}
    numbers = range(len(reasons), len(reasons) + again)
    base = [at(number, by_other(FAITHFUL)) for number in range(len(reasons) + again)]
    head = [at(number, FAITHFUL) for number in range(len(reasons) + again)]
    known = PastAnswers({f"q{number}": at(number, FAITHFUL) for number in numbers}, whys)
    comparison = compared(head, base, known)
    summary = render_summary(Reporting(run=make_run(head), listed=count(head).listed, comparison=comparison))
    by = "judged by other judges than on the baseline, or by none there"
    [line] = [line for line in summary.splitlines() if by in line]
    assert line.removeprefix("- ") == told.format(by=by)


def test_a_failing_case_is_asked_again_where_nobody_knows_yet_whether_its_baseline_fails() -> None:
    """Judged by others it failed as well, which may not hold once it is judged again."""
    partial = [vote("claim-1", "supported"), vote("claim-2", "partial")]
    policy = Policy(gates=Gates.model_validate({"faithfulness": {"level": "block"}}))
    head = judged_row(all_say(*partial))
    assert (head.state, head.hallucinations) == ("failed", ()), "nothing in it counts at once"
    for before, is_doubtful in ((by_other(all_say(*partial)), True), (all_say(*partial), False)):
        confirmation = Confirmation(policy, decided_on=TODAY, baseline=index([judged_row(before)]))
        assert confirmation.is_doubtful(head) is is_doubtful
