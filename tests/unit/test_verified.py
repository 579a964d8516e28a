"""What a green run knows: verified answers apart from those that are only not refuted."""

from __future__ import annotations

import pytest

from raggate_action.core.counting.case_state import is_verified, open_claim
from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.report.decision_words import passed_in_words
from raggate_action.report.render import render_comment
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import conclude
from raggate_action.run.decision_text_and_exit_code import outcome_lines
from raggate_action.schema.case import Expect, PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import Counts
from raggate_action.schema.outcome import GateName, NotApplicable, Outcome
from raggate_action.schema.run import RunDescription
from raggate_action.schema.trace import Answered
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace
from tests.row_builders import (
    compare,
    count,
    failed,
    false_claim,
    gates_by_name,
    in_words,
    judge,
    make_policy,
    make_row,
    make_run,
    passed,
    unmeasured,
)

STORE = make_store(
    make_chunk("c1", "Parcels can be returned within 30 days of delivery. Refunds take five working days."),
)
DECLINES = {"answered": passed(), "faithfulness": NotApplicable(why="the answer declined, as expected")}
SUPPORTED = {"answered": passed(), "faithfulness": passed((2, 2))}
FREE_TEXT = {"answered": passed(), "faithfulness": unmeasured("no-adjudicator")}


def row_of(answer: str, **case: object) -> CaseRun:
    """The row of a real answer over one chunk, judged by rules alone."""
    placed = PlacedCase(make_case(**case), 0, "d", "f", 1)
    reply = Answered(make_trace(answer=answer, context=["c1"]))
    return evaluate_reply(placed, reply, make_rules(STORE), custom=None, finished_at="").row


@pytest.mark.parametrize(
    ("answer", "case", "verified"),
    [
        pytest.param("Parcels can be returned within 30 days of delivery.", {}, True, id="a quotation"),
        pytest.param("You have a month to send it back.", {}, False, id="words of its own"),
        pytest.param(
            "You have a month, that is 30 days.",
            {"must_contain": ["30 days"]},
            False,
            id="a required phrase is no proof",
        ),
        pytest.param(
            "Parcels can be returned within 30 days of delivery. We even pay the postage.",
            {},
            False,
            id="a quotation with a claim beside it",
        ),
        pytest.param(
            "Parcels can be returned within 30 days of delivery.",
            {"expect": "abstain"},
            False,
            id="answered all the same",
        ),
        pytest.param("I don't know.", {"expect": "abstain"}, True, id="declined as asked"),
        pytest.param("I don't know.", {}, False, id="declined where an answer was asked for"),
        pytest.param("", {}, False, id="empty"),
    ],
)
def test_what_verifies_an_answer(answer: str, case: dict[str, object], verified: bool) -> None:  # noqa: FBT001
    assert is_verified(row_of(answer, **case)) is verified


def test_what_per_case_lets_through_is_not_verified() -> None:
    assert not is_verified(make_row(0, outcomes={"answered": passed(), "faithfulness": passed((4, 5))}))
    assert is_verified(make_row(0, outcomes={"answered": passed(), "faithfulness": passed((5, 5))}))


def test_every_passed_case_is_counted_once_as_verified_refuted_or_neither() -> None:
    rows = [
        make_row(0, outcomes=SUPPORTED),
        make_row(1, outcomes=DECLINES, expect="abstain"),
        make_row(2, outcomes=FREE_TEXT),
        make_row(3, outcomes=SUPPORTED, hallucinations=(false_claim(),)),
        make_row(4, outcomes={**SUPPORTED, "behaviour": failed()}),
        make_row(5, outcomes={"target": failed()}),
    ]
    counts = count(rows).counts
    assert (counts.passed, counts.verified, counts.refuted, counts.answered) == (4, 2, 1, 5)
    assert passed_in_words(counts) == "4 passed (2 verified, 1 refuted, 1 not refuted: no fault found, but not proven)"


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (Counts(passed=80, verified=12), "80 passed (12 verified, 68 not refuted: no fault found, but not proven)"),
        (Counts(passed=80), "80 passed (0 verified, 80 not refuted: no fault found, but not proven)"),
        (Counts(passed=16, verified=16), "16 passed (16 verified)"),
        (Counts(failed=3), "0 passed"),
    ],
)
def test_the_line_tells_verified_from_not_refuted(counts: Counts, words: str) -> None:
    assert passed_in_words(counts) == words


def test_without_a_bar_neither_a_low_share_nor_a_fall_is_a_fault() -> None:
    free, known = ([make_row(n, outcomes=outcomes) for n in range(40)] for outcomes in (FREE_TEXT, SUPPORTED))
    assert "verified" not in gates_by_name(judge(free))
    assert "verified" not in gates_by_name(judge(free, base=known))


def test_the_gate_holds_a_bar_where_a_suite_sets_one() -> None:
    free = [make_row(n, outcomes=FREE_TEXT) for n in range(41)]
    known = [make_row(100 + n, outcomes=SUPPORTED) for n in range(40)]
    half = make_policy(gates={"verified": {"level": "warn", "min": "50%"}})
    assert gates_by_name(judge([*free, *known], half))["verified"] == ("failed", "warn")
    assert gates_by_name(judge([*free[1:], *known], half))["verified"] == ("passed", "warn")
    assert judge([*free, *known], half).decision.kind == "release"
    strict = make_policy(gates={"verified": {"min": "50%"}})
    assert judge([*free[1:], *known], strict).decision.kind == "release"
    decided = judge([*free, *known], strict)
    assert decided.decision.kind == "block"
    assert in_words(decided) == ("verified failed: 40 of 81 verified (49.4 %), the bar is ≥ 50 %; first: q0",)


def test_an_app_that_answered_nothing_has_no_share_of_verified_answers() -> None:
    down, half = make_row(0, outcomes={"target": failed()}), make_policy(gates={"verified": {"min": "50%"}})
    assert gates_by_name(judge([down], half))["verified"] == ("insufficient", "block")


def test_no_gate_passes_that_measured_nothing() -> None:
    """Forty answers in words of their own: nothing was searched for, and nobody knows how many are invented."""
    decided = judge([make_row(n, outcomes=FREE_TEXT) for n in range(40)])
    gates = gates_by_name(decided)
    assert gates["forbidden_phrases"] == ("insufficient", "block")
    assert gates["hallucination_rate"] == ("insufficient", "block")
    (why,) = in_words(decided)
    assert why == ("every gate passed except faithfulness and hallucination_rate, which measured nothing")


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(make_row(40, outcomes=SUPPORTED), id="a supported answer"),
        pytest.param(make_row(40, outcomes=FREE_TEXT, forbids=True), id="phrases that were searched for"),
    ],
)
def test_the_rate_of_hallucinations_is_measured_where_anything_is_known(known: CaseRun) -> None:
    gates = gates_by_name(judge([*[make_row(n, outcomes=FREE_TEXT) for n in range(40)], known]))
    assert gates["hallucination_rate"] == ("passed", "block")


def test_what_is_found_fails_the_rate_however_little_is_known() -> None:
    rows = [make_row(n, outcomes=FREE_TEXT) for n in range(9)]
    found = make_row(9, outcomes=FREE_TEXT, hallucinations=(false_claim(),))
    assert gates_by_name(judge([*rows, found]))["hallucination_rate"] == ("failed", "block")


def reporting_of(rows: list[CaseRun], base: list[CaseRun] | None = None, **policy_fields: object) -> Reporting:
    policy = make_policy(**policy_fields)
    facts = count(rows, policy)
    comparison = compare(rows, base, policy) if base is not None else None
    run = make_run(rows, policy)
    head = RunDescription(**{name: value for name, value in run if name in RunDescription.model_fields})
    return conclude(head, facts, comparison)


def test_a_first_run_without_labels_says_the_next_step() -> None:
    reporting = reporting_of([make_row(n, outcomes=FREE_TEXT) for n in range(40)])
    lines = outcome_lines(reporting)
    assert lines[0].startswith(
        "raggate: RELEASE · menu · 40 passed (0 verified, 40 not refuted: no fault found, but not proven) · 0 failed"
    )
    assert lines[2] == (
        "  next: this suite cannot see a wrong answer in good form (no case says what is right); an answer made up where "
        "there is none (no case has expect: abstain). raggate-action accept proposes labels. Keep this run as the "
        "baseline: the next run then blocks on regressions."
    )
    comment = render_comment(reporting)
    assert "**Next:** this suite cannot see a wrong answer in good form (no case says what is right)" in comment


LABELLED = {**FREE_TEXT, "context_recall": passed(), "point_coverage": passed(), "behaviour": passed()}


@pytest.mark.parametrize(
    ("outcomes", "expect", "no_context", "unseen"),
    [
        (LABELLED, "abstain", False, "read the answers that are not verified"),
        (
            LABELLED,
            "answer",
            False,
            "this suite cannot see an answer made up where there is none (no case has expect: abst",
        ),
        (
            FREE_TEXT,
            "abstain",
            False,
            "this suite cannot see a wrong answer in good form (no case says what is right). ra",
        ),
        ({**FREE_TEXT, "behaviour": passed()}, "abstain", False, "read the answers that are not verified"),
        (
            LABELLED,
            "abstain",
            True,
            "this suite cannot see a claim that no evidence backs (the app shows no contexts). ",
        ),
    ],
)
def test_a_first_run_says_what_its_suite_cannot_see(
    outcomes: dict[GateName, Outcome], expect: Expect, unseen: str, *, no_context: bool
) -> None:
    rows = [make_row(n, outcomes=outcomes) for n in range(9)]
    rows.append(make_row(9, outcomes=outcomes, expect=expect))
    lines = outcome_lines(reporting_of(rows, no_context=no_context))
    (following,) = [line for line in lines if line.startswith("  next: ")]
    assert following.startswith(f"  next: {unseen}")
    assert not [line for line in outcome_lines(reporting_of(rows, base=rows)) if line.startswith("  next: ")]


def test_it_is_said_of_a_first_run_alone_and_only_where_little_is_known() -> None:
    free, known = [make_row(0, outcomes=FREE_TEXT)], [make_row(0, outcomes=SUPPORTED)]
    assert "  next: " in "".join(outcome_lines(reporting_of(free)))
    assert "  next: " not in "".join(outcome_lines(reporting_of(free, base=free)))
    assert "  next: " not in "".join(outcome_lines(reporting_of(known)))
    silent = [make_row(0, outcomes={"target": failed()})]
    assert "  next: " not in "".join(outcome_lines(reporting_of(silent)))


def test_a_claim_that_stands_word_for_word_is_no_example_of_what_nothing_supports() -> None:
    """What it leans on is left out, which its note says; a claim without such a note stands before it."""
    leaning = "They arrive on the sixth one at the latest."
    store = make_store(make_chunk("c1", f"Parcels can be returned. Refunds take five working days. {leaning}"))

    def verdicts(answer: str) -> CaseRun:
        placed = PlacedCase(make_case(), 0, "d", "f", 1)
        reply = Answered(make_trace(answer=answer, context=["c1"]))
        return evaluate_reply(placed, reply, make_rules(store), custom=None, finished_at="").row

    why = "it stands word for word in a chunk, behind a sentence or a heading that the answer leaves out"
    assert [(claim.verdict, claim.note) for claim in verdicts(leaning).claims] == [("unverified", why)]
    assert open_claim(verdicts(leaning)) == f"{leaning} ({why})"
    assert open_claim(verdicts(f"{leaning} Bring the parcel back.")) == "Bring the parcel back."
    assert [claim.note for claim in verdicts("They arrive on the sixth one.").claims] == [None]
