"""The gate on a blind panel, by rows whose test can be reckoned by hand."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.rule_findings import SignFlipResult, sign_flip_result
from raggate_action.core.ab.score_table import ComparisonTerms, PairTrial, PanelQuestion
from raggate_action.core.decision.ab_gate import ab_gate
from raggate_action.schema.base import rate_of
from raggate_action.schema.change import Change
from raggate_action.schema.decision import Bar, Measured, RunGate
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.outcome import Problem
from raggate_action.schema.policy import Gates, LevelGate
from tests.panel_ab_builders import ahead, identical, lost, scored


def lost_to_control(case_id: str, words: str) -> Change:
    return Change(case_id=case_id, gate="ab", problem=Problem(code="lost-to-control", detail=words))


def led(*leads: int, judge: str = "a") -> list[JudgeRow]:
    return [ahead(f"q{n}", judge, lead) for n, lead in enumerate(leads)]


def gate_of(rows: Sequence[JudgeRow], *questions: PanelQuestion) -> RunGate:
    (gate,) = ab_gate(aggregate(rows, ComparisonTerms(questions=questions)), Gates().ab)
    return gate


def test_the_control_wins_by_the_test() -> None:
    # Nine of ten to the control by 1 each, one to the treatment by 1: of 1,024 ways, 1 + 10 are as low.
    gate = gate_of(led(*[-1] * 9, 1))
    assert gate == RunGate(
        gate="ab",
        level="warn",
        status="failed",
        passed=1,
        scored=10,
        bar=Bar(operator=">", amount=Decimal("0.05"), unit="p"),
        measured=Measured(kind="arms", treatment=1, control=9, tie=0, p=rate_of(11, 1024)),
        offenders=gate.offenders,
        offending=9,
    )
    assert gate.offenders[0] == lost_to_control("q0", "1 of 1 judges prefer the other answer")
    # Eight and two: 1 + 10 + 45 of 1,024 are .0547.
    almost = gate_of(led(*[-1] * 8, 1, 1))
    assert (almost.status, almost.measured) == (
        "passed",
        Measured(kind="arms", treatment=2, control=8, tie=0, p=rate_of(56, 1024)),
    )
    assert almost.offending == 0


def test_what_is_just_at_the_bar_fails() -> None:
    # Of 2**n ways none is one in twenty; of 10,000 drawn ones 500 are.
    found = aggregate(led(*[-1] * 9, 1), ComparisonTerms())
    assert found.headline.test is not None
    for hits, status in ((500, "failed"), (501, "passed")):
        test = found.headline.test.model_copy(update={"control": rate_of(hits, 10_000)})
        changed = found.model_copy(update={"headline": found.headline.model_copy(update={"test": test})})
        assert ab_gate(changed, Gates().ab)[0].status == status


def test_a_treatment_that_wins_by_the_test_passes() -> None:
    assert gate_of(led(*[1] * 9, -1)).status == "passed"


def test_a_protected_question_that_fails_the_gate_alone_is_the_reason_and_the_test_is_not() -> None:
    """Two of eight decided questions to the control by the test's count: p is far over the bar, and yet it fails."""
    rows = [*led(-1, *[3] * 9), *led(-2, *[3] * 9, judge="b")]
    alone = gate_of(rows, PanelQuestion("q0", protected=True))
    assert alone.measured == Measured(kind="arms", treatment=9, control=1, tie=0, p=rate_of(1023, 1024), harmed=1)
    # Where the test fails it as well, the test is shown.
    both = gate_of([*led(*[-1] * 10), *led(*[-1] * 10, judge="b")], PanelQuestion("q0", protected=True))
    assert both.measured is not None
    assert (both.status, both.measured.harmed) == ("failed", 0)


def test_votes_of_judges_of_which_none_was_tried_are_not_counted() -> None:
    """The budget sufficed for the pairs alone: all calls with planted pairs were lost."""
    rows = [*led(*[-1] * 10), *led(*[-1] * 10, judge="b")]

    def with_trials(**trials: PairTrial) -> RunGate:
        terms = ComparisonTerms(questions=(PanelQuestion("q0", protected=True),), trials=trials)
        (gate,) = ab_gate(aggregate(rows, terms), Gates().ab)
        return gate

    gate = with_trials(a=PairTrial(40, 0), b=PairTrial(40, 0))
    assert (gate.status, gate.passed, gate.scored, gate.unmeasured) == ("unmeasured", 0, 0, 10)
    assert (gate.measured, gate.offending) == (Measured(kind="arms", treatment=0, control=0, tie=0), 0)
    # One that was tried, or judges that nobody meant to try: rows of a file.
    assert with_trials(a=PairTrial(40, 0), b=PairTrial(40, 2, varied=True)).status == "failed"
    assert with_trials().status == "failed"


def test_answers_that_nobody_was_asked_about_need_no_tried_judge() -> None:
    rows = [identical(f"q{n}", "a") for n in range(10)]
    (gate,) = ab_gate(aggregate(rows, ComparisonTerms(trials={"a": PairTrial(40, 0)})), Gates().ab)
    assert gate.status == "passed"


def test_under_ten_questions_nothing_is_known_whatever_they_say() -> None:
    gate = gate_of(led(*[-5] * 9))
    assert (gate.status, gate.passed, gate.scored, gate.offending) == ("insufficient", 0, 9, 0)
    assert gate_of(led(*[-5] * 10)).status == "failed"


def test_on_a_protected_question_all_judges_are_enough_at_any_size() -> None:
    rows = [*led(-1, 3, 3), *led(-2, 3, 3, judge="b")]
    protected = PanelQuestion("q0", protected=True)
    gate = gate_of(rows, protected)
    assert (gate.status, gate.offending) == ("failed", 1)
    assert gate.offenders == (lost_to_control("q0", "2 of 2 judges prefer the other answer, protected"),)
    assert gate_of(rows).status == "insufficient"
    assert gate_of([*rows, ahead("q0", "c", 0)], protected).status == "insufficient"
    # One judge alone is no panel; a judge that was lost has no say.
    assert gate_of(led(-1, 3, 3), protected).status == "insufficient"
    assert gate_of([*rows, lost("q0", "c")], protected).status == "failed"
    assert gate_of([ahead("q0", "a", 2), ahead("q0", "b", 2)], protected).status == "insufficient"


def test_the_protected_stand_first_and_then_the_widest() -> None:
    rows = [*led(*[-1] * 8, -4, -2), *led(*[-1] * 8, -4, -2, judge="b")]
    gate = gate_of(rows, PanelQuestion("q3", protected=True))
    assert [each.case_id for each in gate.offenders][:3] == ["q3", "q8", "q9"]
    assert gate.offending == 10


def test_where_nothing_was_judged_nothing_is_measured() -> None:
    gate = gate_of([lost("q0", "a"), lost("q1", "a")])
    assert (gate.status, gate.scored, gate.unmeasured) == ("unmeasured", 0, 2)
    assert gate.measured == Measured(kind="arms", treatment=0, control=0, tie=0)
    assert gate_of([]).status == "unmeasured"


def test_one_judge_of_two_does_not_carry_the_panel() -> None:
    """One judge has the control ahead on every question, the other sees no difference: no question is the control's."""
    # The other one ties all, and not with one score for everything.
    ties = [scored(f"q{n}", "b", *[f"{1 + n % 5}" * 5] * 2) for n in range(12)]
    rows = [*led(*[-4] * 12), *ties]
    gate = gate_of(rows)
    assert (gate.status, gate.measured) == (
        "passed",
        Measured(kind="arms", treatment=0, control=0, tie=12, p=rate_of(1, 4096)),
    )
    turned = [*led(*[4] * 12), *ties]
    assert [sign_flip_result(aggregate(each, ComparisonTerms()).headline) for each in (rows, turned)] == [
        SignFlipResult("tie", rate_of(2, 4096)),
        SignFlipResult("tie", rate_of(2, 4096)),
    ]


def test_ten_identical_answers_say_nothing_of_those_that_differ() -> None:
    """Every call was lost: that nothing is known does not read as passed for the answers nobody had to be asked about."""
    same = [identical(f"same{n}", "a") for n in range(10)]
    assert gate_of([*same, lost("q0", "a"), lost("q1", "a")]).status == "unmeasured"
    assert gate_of([*same, lost("q0", "a"), ahead("q1", "a", 1)]).status == "insufficient"


def test_ten_identical_answers_are_no_loss() -> None:
    gate = gate_of([identical(f"q{n}", "a") for n in range(10)])
    assert (gate.status, gate.measured) == (
        "passed",
        Measured(kind="arms", treatment=0, control=0, tie=10, p=rate_of(1024, 1024)),
    )


def test_a_gate_that_could_not_have_failed_has_not_passed() -> None:
    same = [identical(f"same{n}", "a") for n in range(20)]
    # Four answers that differ, all worse: 1 of 16 ways. Five: 1 of 32, which is less than one in twenty.
    for leads, status in (
        ([-5] * 4, "insufficient"),
        ([-5] * 5, "failed"),
        ([5] * 4, "insufficient"),
        ([5] * 5, "passed"),
    ):
        assert gate_of([*same, *led(*leads)]).status == status
    # Ties that somebody was asked about could have been otherwise.
    assert gate_of([*same, *led(0, 0, 0, 0, 0)]).status == "passed"


def test_without_a_panel_there_is_no_gate() -> None:
    assert ab_gate(None, Gates().ab) == []


def test_it_warns_unless_a_suite_says_otherwise_and_a_suite_without_it_is_stored_as_before() -> None:
    assert Gates().ab.level == "warn"
    assert "ab" not in Gates().model_dump()
    assert Gates.model_validate_json('{"ab": {"level": "block"}}').model_dump()["ab"] == {"level": "block"}
    (gate,) = ab_gate(aggregate([], ComparisonTerms()), LevelGate(level="block"))
    assert gate.level == "block"


def asked(**gates: bool | None) -> list[PanelQuestion]:
    """Twelve questions, and whether the treatment's answer to each passes hard gates."""
    return [PanelQuestion(f"q{n}", gates_passed=gates.get(f"q{n}")) for n in range(12)]


def test_a_question_under_a_rubric_concern_makes_nothing_fail() -> None:
    """The panel prefers the control on all of twelve; the treatment's answers to three of them pass the hard gates."""
    rows = led(*[-1] * 12)
    assert gate_of(rows).status == "failed"
    gate = gate_of(rows, *asked(q0=True, q1=True))
    assert (gate.status, gate.offending) == ("failed", 10), "ten others are enough"
    assert "q0" not in [each.case_id for each in gate.offenders]
    gate = gate_of(rows, *asked(q0=True, q1=True, q2=True))
    assert (gate.status, gate.offending, gate.unmeasured) == ("insufficient", 0, 0)
    assert gate.measured == Measured(kind="arms", treatment=0, control=9, tie=0, p=rate_of(1, 512), set_aside=3)
    # An answer that fails them, or of which nobody knows, is no concern.
    assert gate_of(rows, *asked(q0=False, q1=None, q2=False)).status == "failed"


def test_nor_does_a_protected_one_that_all_judges_prefer_the_control_on() -> None:
    rows = [ahead("q0", judge, -3) for judge in ("a", "b")]
    for passes, status in ((True, "insufficient"), (False, "failed"), (None, "failed")):
        assert gate_of(rows, PanelQuestion("q0", protected=True, gates_passed=passes)).status == status


def test_a_record_of_before_is_decided_by_all_of_its_questions() -> None:
    found = aggregate(led(*[-1] * 12), ComparisonTerms(questions=tuple(asked(q0=True, q1=True, q2=True)))).model_copy(
        update={"unconcerned": None}
    )
    (gate,) = ab_gate(found, Gates().ab)
    assert gate.status == "failed"


def test_where_every_answer_is_under_a_concern_nothing_passes_by_it() -> None:
    every = asked(**{f"q{n}": True for n in range(12)})
    assert gate_of(led(*[-1] * 12), *every).status == "insufficient"
