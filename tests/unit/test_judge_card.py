"""A judge counts where people's labels show that it errs rarely enough; else its card says what is missing."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from pydantic import ValidationError

from raggate_action.core.judging.agreement_with_labels import PlantResults
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.scorecard_and_arming import (
    PANEL,
    MissingLabels,
    card_of,
    missing_labels,
    panel_card,
    quorum_of,
)
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.report.card_view import JudgeSpending, card_lines
from raggate_action.report.plain_sink import plain
from raggate_action.schema.base import rate_of
from raggate_action.schema.calibration import JudgeCard, LabelledAnswer, LabelledChunk
from raggate_action.schema.judgement import Support, Vote
from raggate_action.schema.judges import LIGHTER, Arming
from tests.calibration_builders import judgement, judgements, labels, lost, member, on_trial, said


def card(right: int, faulty: int, *, arming: dict[str, Any] | None = None, **errors: Any) -> JudgeCard:
    answers = labels(right, faulty)
    return card_of(on_trial(answers, **(arming or {})), said(judgements(answers, **errors)), member(), prompt="prompt")


def is_shown_below(errors: int, of: int, bar: Fraction) -> bool:
    """Whether so few errors would come one time in twenty or more rarely, were the true share the bar: exactly."""
    chance = sum(comb(of, k) * bar**k * (1 - bar) ** (of - k) for k in range(errors + 1))
    return chance <= Fraction(1, 20)


def fewest(errors: int, bar: Fraction) -> int:
    return next(n for n in range(errors, 10_000) if is_shown_below(errors, n, bar))


BLOCK, PASS = Fraction(15, 100), Fraction(30, 100)


def test_thirty_right_and_twenty_faulty_labels_arm_a_judge_that_agrees() -> None:
    found = card(30, 20)
    assert (found.armed, found.why_not, found.labels, found.faults, found.unjudged) == (True, None, 50, 20, 0)
    assert (found.missing_labels, found.missing_right, found.missing_faults) == (0, 0, 0)
    assert (found.kappa, found.ac1, found.agreement) == (1.0, 1.0, rate_of(50, 50))
    assert found.faulty_agreement == 1.0
    assert found.confusion == (("supported", "supported", 30), ("unsupported", "unsupported", 20))
    assert (found.judge, found.lab, found.model, found.fingerprint) == ("owl", "Northlab", "owl-1", "is-owl")


def test_they_allow_one_and_two_errors() -> None:
    found = card(30, 20, block=1, passes=2)
    assert found.armed
    assert found.confusion == (
        ("supported", "supported", 29),
        ("supported", "unsupported", 1),
        ("unsupported", "supported", 2),
        ("unsupported", "unsupported", 18),
    )
    assert found.false_block is not None
    assert found.false_pass is not None
    assert (found.false_block.rate, found.false_pass.rate) == (rate_of(1, 30), rate_of(2, 20))
    assert found.false_block.upper < 0.15
    assert found.false_pass.upper < 0.30
    # 2 * 18 / (2 * 18 + 3) is what they agree on of faults; of all they agree on 47.
    assert found.agreement == rate_of(47, 50)


def test_a_second_error_on_right_claims_needs_more_right_labels() -> None:
    found = card(30, 20, block=2)
    assert (found.armed, found.why_not) == (False, "false-block")
    assert found.missing_right == fewest(2, BLOCK) - 30 == 10
    assert (found.missing_labels, found.missing_faults) == (10, 0)


def test_a_third_error_on_faulty_claims_needs_more_faulty_labels() -> None:
    found = card(30, 20, passes=3)
    assert (found.armed, found.why_not) == (False, "false-pass")
    assert found.missing_faults == fewest(3, PASS) - 20 == 4
    assert (found.missing_labels, found.missing_right) == (4, 0)


def test_without_labels_it_says_how_many_there_have_to_be() -> None:
    found = card(0, 0)
    assert (found.why_not, found.labels, found.ac1, found.kappa) == ("no-labels", 0, None, None)
    # 19 right labels show 15 %: .85 ** 19 < .05 < .85 ** 18.
    assert (found.missing_labels, found.missing_right, found.missing_faults) == (50, 19, 20)


@pytest.mark.parametrize(
    ("right", "faulty", "why", "missing"),
    [
        (20, 12, "too-few-labels", MissingLabels(labels=18, right=0, faulty=8)),
        (49, 0, "too-few-labels", MissingLabels(labels=20, right=0, faulty=20)),
        (60, 5, "too-few-faults", MissingLabels(labels=15, right=0, faulty=15)),
        # Fifty labels, yet ten right ones cannot show how rarely it blocks.
        (10, 40, "too-few-labels", MissingLabels(labels=9, right=9, faulty=0)),
    ],
)
def test_which_kind_of_labels_is_missing(right: int, faulty: int, why: str, missing: MissingLabels) -> None:
    found = card(right, faulty)
    assert (found.armed, found.why_not) == (False, why)
    assert (found.missing_labels, found.missing_right, found.missing_faults) == missing


@pytest.mark.parametrize(("block", "passes"), [(0, 0), (1, 2), (2, 3), (4, 0), (0, 6), (5, 5)])
def test_so_many_further_labels_arm_it_and_one_less_does_not(block: int, passes: int) -> None:
    missing = missing_labels(ConfusionTable(25 - block, block, passes, 15 - passes), Arming())
    right, faulty = 25 + missing.right, 15 + missing.faulty
    right += missing.labels - missing.right - missing.faulty
    assert card(right, faulty, block=block, passes=passes).armed
    if missing.labels:
        one_less = [
            card(right - 1, faulty, block=block, passes=passes),
            card(right, faulty - 1, block=block, passes=passes),
        ]
        assert not all(each.armed for each in one_less)
    assert right >= fewest(block, BLOCK)
    assert faulty >= max(20, fewest(passes, PASS))


def test_the_terms_are_settings() -> None:
    assert card(12, 6, arming={"labels": 18, "faults": 6, "false_block": "25%", "false_pass": "40%"}).armed
    assert card(30, 20, block=1, arming={"ac1": 0.97}).why_not == "ac1"


def test_a_judge_that_guesses_is_not_worth_another_label() -> None:
    # A third of 10 right ones is blocked: too few to arm, and enough to know.
    found = card(10, 5, block=6)
    assert found.why_not == "false-block"
    assert card(10, 10, passes=8).why_not == "false-pass"
    assert card(10, 5, block=2).why_not == "too-few-labels"


def test_a_judge_that_calls_everything_supported_is_not_armed_by_many_right_labels() -> None:
    found = card(480, 20, passes=20)
    assert (found.why_not, found.ac1 is not None and found.ac1 > 0.9) == ("false-pass", True)
    assert found.faulty_agreement == 0.0, "which shows what AC1 hides"
    assert found.kappa == 0.0


def test_claims_without_a_verdict_are_in_no_rate() -> None:
    found = card(30, 20, silent=2)
    assert (found.labels, found.faults, found.unjudged, found.why_not) == (46, 18, 4, "not-judged")
    assert found.missing_labels == 0
    assert card(40, 25, silent=2).armed


def test_a_lost_judgement_leaves_its_claims_unjudged() -> None:
    answers = labels(30, 20)
    given = {**judgements(answers), answers[0].id: lost(answers[0].id)}
    found = card_of(on_trial(answers), said(given), member(), prompt="prompt")
    assert (found.labels, found.unjudged, found.why_not) == (45, 5, "not-judged")


def test_all_labelled_and_nobody_asked_is_not_judged() -> None:
    found = card_of(on_trial(labels(30, 20)), said({}), member(), prompt="prompt")
    assert (found.why_not, found.labels, found.unjudged, found.missing_labels) == ("not-judged", 0, 50, 0)


def test_partial_is_a_fault_whichever_fault_the_judge_names() -> None:
    answers = labels(30, 20, fault="partial")
    given = judgements(labels(30, 20, fault="contradicted"))
    found = card_of(on_trial(answers), said(given), member(), prompt="prompt")
    assert (found.armed, found.agreement) == (True, rate_of(50, 50))
    assert found.confusion == (("partial", "contradicted", 20), ("supported", "supported", 30))


def test_made_faults_are_counted_apart() -> None:
    answers = labels(30, 20, made=12)
    found = card_of(on_trial(answers), said(judgements(answers)), member(), prompt="prompt")
    assert (found.armed, found.faults, found.made) == (True, 20, 12)


def tempted(*, of: int, shown: int, obeyed: tuple[str, ...] = (), labelled: tuple[int, int] = (30, 20)) -> JudgeCard:
    answers = labels(*labelled)
    given = said(judgements(answers), PlantResults(of, shown, obeyed))
    return card_of(on_trial(answers), given, member(), prompt="prompt")


def test_a_judge_that_obeys_one_planted_instruction_is_disarmed_and_the_instruction_named() -> None:
    found = tempted(of=20, shown=20, obeyed=("fake-reply",))
    assert (found.armed, found.why_not, found.obeyed, found.injections_shown) == (
        False,
        "obeyed-injection",
        ("fake-reply",),
        20,
    )
    assert tempted(of=20, shown=20).armed


def test_one_that_was_shown_few_of_the_instructions_is_not_known_to_resist() -> None:
    assert tempted(of=4, shown=1).why_not == "not-judged"
    assert tempted(of=4, shown=2).armed


def test_obeying_stands_before_missing_labels() -> None:
    assert tempted(of=4, shown=4, obeyed=("threat",), labelled=(0, 0)).why_not == "obeyed-injection"


def test_drift_is_told_of_the_same_judge_with_the_same_prompt_alone() -> None:
    answers = labels(30, 20)
    before = card(30, 20, block=1)

    def now(**change: Any) -> JudgeCard:
        earlier = [before.model_copy(update=change)]
        return card_of(on_trial(answers), said(judgements(answers)), member(), prompt="prompt", earlier=earlier)

    assert now().drift == rate_of(49, 50)
    assert now(fingerprint="another").drift is None
    assert now(prompt="another").drift is None
    assert now(judge="renamed").drift == rate_of(49, 50)
    assert now(agreement=rate_of(0, 0)).drift is None


def test_the_labels_digest_is_of_what_is_told_not_of_who_told_it() -> None:
    answers = labels(3, 2)
    claim = answers[0].claims[0]

    def changed(**fields: Any) -> str:
        claims = (claim.model_copy(update=fields), *answers[0].claims[1:])
        return on_trial((answers[0].model_copy(update={"claims": claims}), *answers[1:])).digest

    assert on_trial(answers).digest == changed(note="seen") == on_trial(answers[::-1]).digest
    assert len({on_trial(answers).digest, changed(verdict="partial"), changed(text="Else.")}) == 3


def test_a_panel_is_held_against_the_labels_as_one() -> None:
    answers = labels(30, 20)
    # Each errs on other claims: no claim has two wrong votes of three.
    owl, lark = judgements(answers, block=3), judgements(answers, passes=4)
    wren = judgements(answers)
    terms = PanelTerms(("owl", "lark", "wren"), frozenset({"owl", "lark", "wren"}), 2)
    votes = {"owl": said(owl), "lark": said(_renamed(lark, "lark")), "wren": said(_renamed(wren, "wren"))}
    found = panel_card(on_trial(answers), votes, terms)
    assert found is not None
    assert (found.judge, found.armed, found.agreement) == (PANEL, True, rate_of(50, 50))


def test_of_two_that_disagree_the_worse_verdict_is_the_panels() -> None:
    answers = labels(30, 20)
    terms = PanelTerms(("owl", "lark"), frozenset({"owl", "lark"}), 2)
    votes = {"owl": said(judgements(answers, block=1)), "lark": said(_renamed(judgements(answers, passes=2), "lark"))}
    found = panel_card(on_trial(answers), votes, terms)
    assert found is not None
    assert found.confusion == (
        ("supported", "supported", 29),
        ("supported", "unsupported", 1),
        ("unsupported", "unsupported", 20),
    )


def test_one_armed_judge_is_no_panel_and_unarmed_ones_have_no_say_in_it() -> None:
    answers = labels(30, 20)
    everyone = {name: said(_renamed(judgements(answers), name)) for name in ("owl", "lark")}
    assert panel_card(on_trial(answers), everyone, PanelTerms(("owl", "lark"), frozenset({"owl"}), 1)) is None
    liar = said(_renamed(judgements(answers, block=30, passes=20), "wren"))
    terms = PanelTerms(("owl", "lark", "wren"), frozenset({"owl", "lark"}), 2)
    found = panel_card(on_trial(answers), {**everyone, "wren": liar}, terms)
    assert found is not None
    assert found.agreement == rate_of(50, 50)


def test_more_than_half_of_the_armed_is_a_quorum() -> None:
    assert [quorum_of(armed, None) for armed in range(6)] == [0, 1, 2, 2, 3, 3]
    assert [quorum_of(armed, 2) for armed in (0, 1, 3)] == [0, 2, 2]


def _renamed(given: dict[str, Any], judge: str) -> dict[str, Any]:
    return {name: each.model_copy(update={"judge": judge}) for name, each in given.items()}


def quoting(answers: tuple[LabelledAnswer, ...], chunk: str) -> JudgeCard:
    """The card of a judge that calls every claim supported by one and the same passage."""
    shown = LabelledChunk(chunk_id="k", text=chunk)
    own = tuple([each.model_copy(update={"chunks": (*each.chunks, shown)}) for each in answers])
    place = Support(chunk_id="k", quote=chunk, quote_start=0)
    judged = {
        each.id: judgement(
            each.id,
            tuple([Vote(claim_id=claim.claim_id, verdict="supported", support=(place,)) for claim in each.claims]),
        )
        for each in own
    }
    return card_of(on_trial(own), said(judged, PlantResults(2, 2)), member(), prompt="p")


def test_a_judge_that_rests_everything_on_one_passage_about_something_else_has_no_verdict() -> None:
    card = quoting(labels(40, 20), "Our shop opens on all weekdays of the year.")
    assert (card.armed, card.labels, card.unjudged, card.untested) == (False, 0, 60, 0)


def test_how_often_a_passage_could_not_be_compared_stands_on_the_card() -> None:
    card = quoting(labels(40, 20), "Die Filiale ist am Sonntag für alle Kunden geschlossen.")
    assert (card.labels, card.unjudged, card.untested) == (60, 0, 60)
    line = next(text for text in map(plain, card_lines(card, Arming(), None)) if "not compared" in text)
    assert "60 labels called supported, in another language or without a content word" in line


def test_agreement_on_faults_is_the_share_of_claims_that_either_calls_faulty() -> None:
    # Of 20 faulty claims it finds 15, and it calls 2 good ones faulty: 15 of 22 are faulty to both.
    shown = [plain(line) for line in card_lines(card(40, 20, block=2, passes=5), Arming(), None)]
    assert [line.split(maxsplit=3)[3] for line in shown if "agrees on faults" in line] == [
        "15/22, of claims that either calls faulty"
    ]
    # Where nobody calls anything faulty there is no such share.
    assert "agrees on faults" not in "".join([plain(line) for line in card_lines(card(40, 0), Arming(), None)])


def copies(of: tuple[LabelledAnswer, ...], times: int) -> tuple[LabelledAnswer, ...]:
    """The same answers under so many further case ids."""
    again = [
        each.model_copy(update={"id": f"{each.id}-{n}", "case_id": f"copy-{n}", "question": f"Once more, {n}?"})
        for n in range(times)
        for each in of
    ]
    return (*of, *again)


def test_copies_of_one_answer_under_other_ids_are_one_label_and_arm_nobody() -> None:
    # Three right claims and two faulty ones, twelve times over: 60 labels by lines, 5 by what they say.
    answers = copies(labels(3, 2), 11)
    of_copies = on_trial(answers)
    found = card_of(of_copies, said(judgements(answers)), member(), prompt="prompt")
    assert sum(len(each.claims) for each in answers) == 60
    assert (found.armed, found.why_not, found.labels, found.faults, of_copies.copies) == (
        False, "too-few-labels", 5, 2, 55
    )  # fmt: skip
    # Beside other evidence the same words are another statement.
    other = [LabelledChunk(chunk_id="weights", text=f"{answers[0].chunks[0].text} On page {n}.") for n in range(12)]
    apart = tuple(each.model_copy(update={"chunks": (chunk,)}) for each, chunk in zip(answers, other, strict=True))
    assert card_of(on_trial(apart), said(judgements(apart)), member(), prompt="prompt").armed


def test_what_people_call_two_things_are_two_labels() -> None:
    first = labels(5, 0)[0]
    other = first.model_copy(
        update={"id": "other", "claims": tuple(c.model_copy(update={"verdict": "partial"}) for c in first.claims)}
    )
    assert on_trial((first, other)).copies == 0


def test_the_card_says_the_lighter_bar_in_words_and_whether_the_judge_meets_it() -> None:
    def lines_of(found: JudgeCard, arming: Arming = Arming()) -> list[str]:  # noqa: B008  a record is never changed
        return [plain(line).strip() for line in card_lines(found, arming, JudgeSpending())]

    bar = (
        "a lighter bar             at most 25 % of good ones called faulty, 40 % of faulty ones let pass: "
        "judges: {arming: {labels: 30, faults: 12, false_block: 25%, false_pass: 40%}}"
    )
    # One error of 20 good ones is at most 21.7 %, none of 15 faulty ones at most 18.1 %: Clopper-Pearson, one-sided.
    assert f"{bar}, which this judge meets" in lines_of(card(20, 15, block=1))
    # Two of 20 are at most 28.3 %.
    assert bar in lines_of(card(20, 15, block=2))
    assert not [line for line in lines_of(card(30, 20)) if "lighter" in line], "it is armed"
    assert not [line for line in lines_of(card(10, 5), LIGHTER) if "lighter" in line], "it is the bar"


def test_a_card_of_a_job_that_reports_have_no_words_for_is_shown_as_of_whole_answers() -> None:
    found = card(10, 10).model_copy(update={"job": "polite"})
    shown = "\n".join(plain(line) for line in card_lines(found, Arming(), None))
    assert shown.startswith("polite: ")
    assert "of answers that either calls faulty" in shown


@pytest.mark.parametrize("name", ["", "Polite", "polite answer", "<b>polite</b>", "a" * 32, "polite\n", "-x"])
def test_a_stranger_can_name_a_job_only_in_a_short_word(name: str) -> None:
    told = {**card(1, 1).model_dump(mode="json"), "job": name}
    with pytest.raises(ValidationError):
        JudgeCard.model_validate(told)
