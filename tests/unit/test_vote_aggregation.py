"""Votes become verdicts: each rule with the case that looks like its breach."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from raggate_action.core.claims.claim_extraction import Draft, Drafts
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, fold
from raggate_action.core.judging.undecided_claims import known_decline, open_points, with_panel_decline
from raggate_action.schema.case_run import Claim, Finding
from raggate_action.schema.judgement import JudgedVerdict, Judgement, Part, PointVote, Support, Vote
from raggate_action.schema.verdicts import Verdicts
from tests.builders import make_case
from tests.panel_builders import CHUNKS, claim, judgement, lost, place, vote

Known: TypeAlias = bool | None
ALL = PanelTerms(("a", "b", "c"), frozenset("abc"), 2)


def folded(*judgements: Judgement, claims: tuple[Claim, ...] = (claim(),), terms: PanelTerms = ALL) -> Verdicts:
    return fold(claims, judgements, terms, chunks=CHUNKS, declined=False)


def verdict_of(*verdicts: JudgedVerdict) -> str:
    names = "abcdefgh"[: len(verdicts)]
    terms = PanelTerms(tuple(names), frozenset(names), 1)
    said = [judgement(name, vote("c1", each)) for name, each in zip(names, verdicts, strict=True)]
    return folded(*said, terms=terms).claims[0].verdict


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["supported"], "supported"),
        (["supported", "supported", "contradicted"], "supported"),
        (["supported", "unsupported"], "unsupported"),
        (["supported", "partial", "unsupported"], "unsupported"),
        (["partial", "partial", "contradicted"], "partial"),
        (["unsupported", "contradicted"], "contradicted"),
        (["supported", "supported", "unsupported", "partial"], "unsupported"),
        # Two of five say supported and no other verdict has as many: still three of five say that it is faulty.
        (["supported", "supported", "partial", "unsupported", "contradicted"], "contradicted"),
    ],
)
def test_most_votes_decide_and_of_equals_the_worse(verdicts: list[JudgedVerdict], expected: str) -> None:
    assert verdict_of(*verdicts) == expected
    assert verdict_of(*reversed(verdicts)) == expected


def test_a_claim_is_supported_by_the_chunks_that_most_of_its_supporters_name_in_context_order() -> None:
    one = folded(
        judgement("a", vote("c1", "supported", "refunds", "hours")),
        judgement("b", vote("c1", "supported", "refunds")),
        judgement("c", vote("c1", "unsupported")),
    ).claims[0]
    # Both supporters name `refunds`, one of two names `hours`.
    assert (one.supported_by, one.quote, one.quote_start) == (("refunds",), "Refunds take ten days.", 0)
    assert one.judged
    both = [judgement(name, vote("c1", "supported", "refunds", "hours")) for name in "ab"]
    assert folded(*both).claims[0].supported_by == ("hours", "refunds")


def test_chunks_that_no_majority_names_count_where_none_does() -> None:
    one = folded(judgement("a", vote("c1", "supported", "refunds")), judgement("b", vote("c1", "supported", "hours")))
    assert one.claims[0].supported_by == ("hours", "refunds")
    assert one.claims[0].quote == "The shop opens at nine."


def test_a_contradicted_claim_has_the_words_that_say_otherwise_and_why() -> None:
    against = place("hours", "It is closed on Sundays.")
    one = folded(
        judgement("a", vote("c1", "contradicted", note="it is closed", against=against)),
        judgement("b", vote("c1", "contradicted", "hours", note="not on Sundays")),
    ).claims[0]
    assert (one.verdict, one.supported_by, one.quote, one.quote_start) == (
        "contradicted",
        (),
        "It is closed on Sundays.",
        24,
    )
    assert one.note == "it is closed"
    assert [(each.chunk_id, each.support) for each in one.votes] == [("hours", ()), (None, ())]


@pytest.mark.parametrize(
    "support",
    [
        Support(chunk_id="hours", quote="The shop opens at ten.", quote_start=0),
        Support(chunk_id="hours", quote="It is closed on Sundays.", quote_start=0),
        Support(chunk_id="elsewhere", quote="The shop opens at nine.", quote_start=0),
        Support(chunk_id="hours", quote=" ", quote_start=3),
    ],
)
def test_a_vote_whose_quote_is_not_in_its_chunk_supports_nothing(support: Support) -> None:
    invented = judgement("a", Vote(claim_id="c1", verdict="supported", support=(support,)))
    one = folded(invented, judgement("b", vote("c1", "supported"))).claims[0]
    assert one.verdict == "unverified", "one vote is left, and the quorum is two"
    assert [each.judge for each in one.votes] == ["b"]


def test_an_id_without_its_quote_is_dropped_and_the_others_stay() -> None:
    there = place("hours")
    gone = Support(chunk_id="refunds", quote="Refunds take two days.", quote_start=0)
    said = Vote(claim_id="c1", verdict="supported", support=(gone, there))
    one = folded(judgement("a", said), judgement("b", said)).claims[0]
    assert (one.verdict, one.supported_by) == ("supported", ("hours",))


def test_fewer_votes_than_the_quorum_decide_nothing_and_are_shown() -> None:
    one = folded(judgement("a", vote("c1", "contradicted")), lost("b"), lost("c", "budget"))
    assert (one.claims[0].verdict, one.claims[0].judged) == ("unverified", False)
    assert [each.verdict for each in one.claims[0].votes] == ["contradicted"]
    assert [(each.judge, each.armed, each.lost and each.lost.code) for each in one.judges] == [
        ("a", True, None),
        ("b", True, "judge-timeout"),
        ("c", True, "budget"),
    ]


def test_armed_judges_too_few_for_the_quorum_count_like_judges_that_advise() -> None:
    terms = ALL._replace(armed=frozenset("a"))
    one = folded(judgement("a", vote("c1", "supported")), judgement("b", vote("c1", "supported")), terms=terms)
    assert one.claims[0].verdict == "unverified"
    assert not any(each.armed for each in one.judges)
    assert not any(each.armed for each in one.claims[0].votes)


def test_a_judge_that_only_advises_is_shown_and_decides_nothing() -> None:
    said = [judgement(name, vote("c1", "unsupported"), declines=True, points={"p": "c1"}) for name in "abc"]
    one = fold((claim(),), said, ALL._replace(armed=frozenset()), chunks=CHUNKS, declined=None)
    assert one.claims[0].model_copy(update={"votes": ()}) == claim()
    assert [(each.judge, each.armed) for each in one.claims[0].votes] == [("a", False), ("b", False), ("c", False)]
    assert (one.declines, one.points) == (None, ())


@pytest.mark.parametrize(
    "told",
    [
        claim(verdict="unsupported", labelled=True),
        claim(verdict="unverified", labelled=True),
        claim(verdict="supported", supported_by=("hours",)),
        claim(verdict="contradicted", findings=(Finding(kind="conflict", code="time", reason="", certain=True),)),
        claim(findings=(Finding(kind="conflict", code="time", reason="", certain=True),)),
    ],
)
def test_what_a_label_a_quotation_or_a_certain_rule_says_stands_beside_every_vote(told: Claim) -> None:
    opposite: JudgedVerdict = "contradicted" if told.verdict == "supported" else "supported"
    one = folded(*[judgement(name, vote("c1", opposite)) for name in "abc"], claims=(told,)).claims[0]
    assert one.model_copy(update={"votes": ()}) == told
    assert [each.verdict for each in one.votes] == [opposite] * 3


def test_a_finding_that_leaves_a_doubt_leaves_the_claim_to_the_panel() -> None:
    doubted = claim(findings=(Finding(kind="conflict", code="time", reason="ten", key="k"),), note="ten")
    one = folded(*[judgement(name, vote("c1", "supported")) for name in "ab"], claims=(doubted,)).claims[0]
    assert (one.verdict, one.findings, one.note) == ("supported", doubted.findings, "ten")


def test_a_claim_that_a_reply_left_out_stays_open() -> None:
    two = (claim(), claim("c2", "Refunds take ten days."))
    found = folded(*[judgement(name, vote("c1", "supported")) for name in "ab"], claims=two).claims
    assert [each.verdict for each in found] == ["supported", "unverified"]


def test_where_a_text_is_not_at_hand_nothing_is_said_to_be_without_backing() -> None:
    chunks = {**CHUNKS, "unread": None}

    def of(verdict: JudgedVerdict, shown: dict[str, str | None]) -> str:
        said = [judgement(name, vote("c1", verdict)) for name in "ab"]
        return fold((claim(),), said, ALL, chunks=shown, declined=False).claims[0].verdict

    assert of("unsupported", {**CHUNKS}) == "unsupported"
    assert of("unsupported", chunks) == of("partial", chunks) == "unverified"
    assert (of("supported", chunks), of("contradicted", chunks)) == ("supported", "contradicted")
    assert of("contradicted", {"unread": None}) == "unverified", "no chunk was read at all"
    assert of("unsupported", {}) == "unverified"


def test_parts_are_kept_where_their_words_are_the_claims() -> None:
    parts = (Part(span="opens at nine", verdict="supported"), Part(span="on Sundays", verdict="unsupported"))
    one = folded(judgement("a", vote("c1", "partial", parts=parts)))
    assert one.claims[0].votes[0].parts == parts[:1]


def test_an_unknown_judge_has_no_vote() -> None:
    one = folded(*[judgement(name, vote("c1", "supported")) for name in ("a", "stranger")])
    assert one.claims[0].verdict == "unverified"
    assert [each.judge for each in one.judges] == ["a"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([True, True, False], True),
        ([False, False, True], False),
        ([True, False], None),
        ([True], None),
        ([True, None, None], None),
        ([True, True, None], True),
    ],
)
def test_whether_an_answer_declines_is_what_more_armed_judges_say(said: list[bool | None], expected: Known) -> None:
    judgements = [judgement(name, declines=each) for name, each in zip("abc", said, strict=False)]
    assert fold((claim(),), judgements, ALL, chunks=CHUNKS, declined=None).declines is expected
    assert fold((claim(),), judgements, ALL, chunks=CHUNKS, declined=False).declines is None, "rules know it"


def test_an_answer_that_declines_asserts_nothing() -> None:
    said = [judgement(name, vote("c1", "unsupported"), declines=True) for name in "abc"]
    declining = fold((claim(text="I cannot say."),), said, ALL, chunks=CHUNKS, declined=None)
    assert (declining.declines, declining.claims[0].verdict) == (True, "unverified")
    # Judges at odds: it may be one.
    at_odds = [each.model_copy(update={"declines": each.judge == "a"}) for each in said[:2]]
    doubtful = fold((claim(text="I cannot say."),), at_odds, ALL, chunks=CHUNKS, declined=None)
    assert (doubtful.declines, doubtful.claims[0].verdict) == (None, "unverified")
    backed = [judgement(name, vote("c1", "supported"), declines=name == "a") for name in "ab"]
    assert fold((claim(),), backed, ALL, chunks=CHUNKS, declined=None).claims[0].verdict == "supported"
    # The same votes where the answer is known to say something.
    assert fold((claim(),), said, ALL, chunks=CHUNKS, declined=False).claims[0].verdict == "unsupported"


def points(*named: str | None) -> str | tuple[()] | None:
    """The claim that makes a point by these judges; () where it is not decided."""
    names = "abcd"[: len(named)]
    terms = PanelTerms(tuple(names), frozenset(names), 2)
    backed = (vote("c1", "supported"), vote("c2", "unsupported"))
    said = [judgement(name, *backed, points={"p": each}) for name, each in zip(names, named, strict=True)]
    found = fold((claim(), claim("c2", "Two.")), said, terms, chunks=CHUNKS, declined=False).points
    return found[0].claim_id if found else ()


def test_a_point_is_made_by_the_claim_that_most_judges_name() -> None:
    assert points("c1", "c1", None) == "c1"
    assert points("c1", None, None) is None
    assert points("c1", None) is None, "of equals the worse"
    assert points("c1", "c2", None) == "c2", "made, by the claim that is verified least"
    assert points("c1", "c1", "c2") == "c1"
    assert points("c1") == (), "fewer votes than the quorum"
    assert points("c9", "c9") is None, "there is no such claim"


def drafts(**fields: object) -> Drafts:
    made = Draft("c1", "The shop opens at nine.", 0, 23, (), (), None)
    return Drafts((made,), declined=False, itemised=False)._replace(**fields)  # type: ignore[arg-type]


def test_whether_an_answer_declines_is_open_where_nothing_can_tell() -> None:
    supported = claim(verdict="supported")
    assert known_decline(drafts(), [claim()]) is False
    assert known_decline(drafts(declined=True), [claim()]) is True
    assert known_decline(drafts(declined=None), [claim()]) is None
    assert known_decline(drafts(may_decline=True), [claim()]) is None
    assert known_decline(drafts(declined=None), [claim(), supported]) is False, "a verified claim asserts something"
    judged = claim(verdict="unsupported", judged=True)
    assert known_decline(drafts(declined=None), [judged]) is None, "no chunk backs a decline either"
    assert known_decline(drafts(declined=None), []) is False


def test_the_panels_word_on_declining_fills_what_is_open_and_nothing_else() -> None:
    open_drafts = drafts(may_decline=True)
    assert with_panel_decline(open_drafts, [claim()], declines=True).declined is True
    told = with_panel_decline(open_drafts, [claim()], declines=False)
    assert (told.declined, told.may_decline) == (False, False)
    assert with_panel_decline(open_drafts, [claim()], declines=None) is open_drafts
    known = drafts()
    assert with_panel_decline(known, [claim()], declines=True) is known


def test_points_without_phrases_and_labels_are_open() -> None:
    case = make_case(required_points=["named", {"id": "phrased", "answer_phrases": ["nine"]}])
    assert [point.id for point in open_points(case, drafts(), [claim()])] == ["named"]
    labelled = drafts(claims=(Draft("c1", "Nine.", None, None, (), (), "named"),))
    assert open_points(case, labelled, [claim()]) == ()
    assert open_points(case, drafts(), []) == ()


def test_what_became_of_asking_is_kept_for_each_judge() -> None:
    said = judgement("a", vote("c1", "supported"), points={"p": "c1"}, declines=False, cost_usd=0.25, reused=True)
    one, other = folded(said, judgement("b", prompt="another")).judges
    assert one.model_dump(exclude={"bound_to", "armed"}) == {
        name: value for name, value in said.model_dump().items() if name in type(one).model_fields
    }
    assert (one.points, one.reused) == ((PointVote(point="p", claim_id="c1"),), True)
    assert one.bound_to != folded(judgement("a", prompt="another")).judges[0].bound_to
    assert one.bound_to != other.bound_to
    assert one.bound_to == folded(said).judges[0].bound_to


def heard(text: str, quote: str, chunk: str = "", question: str = "", before: str = "") -> Verdicts:
    """What three judges come to that call a claim supported by this passage of a chunk."""
    chunk = chunk or quote
    place_ = Support(chunk_id="k", quote=quote, quote_start=chunk.index(quote))
    said = [judgement(name, Vote(claim_id="c1", verdict="supported", support=(place_,))) for name in "abc"]
    claims = [*([claim("c0", before)] if before else []), claim("c1", text)]
    return fold(claims, said, ALL, chunks={"k": chunk}, declined=False, question=question)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The kettle is dishwasher safe.", "Our shop opens at nine on weekdays."),
        ("Premium members receive a personal trainer.", "The desk opens at nine."),
        ("Aspirin cures migraine within an hour.", "Store the tablets below 25 °C in a dry place."),
        ("The tenant may keep two dogs.", "Rent is due on the first of each month."),
        ("Section 4 allows a sublet.", "Notices are sent by registered post."),
        ("The bus stops at the museum.", "Tickets are sold by the driver."),
        ("Version 3 supports dark mode.", "Open the settings to sign in."),
        ("Pupils are insured abroad.", "Lunch is served at noon in the hall."),
        ("The vaccine needs two doses.", "Parking in front of the clinic is free."),
        ("Der Vertrag läuft fünf Jahre.", "Die Filiale ist am Sonntag geschlossen."),
        ("La garantie couvre les chutes.", "Le magasin est ouvert le samedi."),
        ("It comes with a spare battery.", "Our shop opens at nine."),
    ],
)
def test_a_passage_that_shares_no_word_and_no_value_with_the_claim_supports_nothing(text: str, quote: str) -> None:
    found = heard(text, quote, question="What else should I know?")
    assert [(each.verdict, each.votes) for each in found.claims] == [("unverified", ())]
    reason = "its passage shares no word and no value with the claim"
    assert [[(each.claim_id, each.reason) for each in judge.dropped] for judge in found.judges] == [
        [("c1", reason)]
    ] * 3


@pytest.mark.parametrize(
    ("text", "quote", "more"),
    [
        ("Returns are accepted for 30 days.", "You have thirty days.", {}),
        ("It is free.", "There is no charge for delivery.", {"question": "What does delivery cost?"}),
        ("Free of charge.", "Delivery costs nothing.", {"question": "What is the price of delivery?"}),
        ("It is free.", "There is no charge for delivery.", {"before": "We deliver to all of Europe."}),
        ("Delivery is free.", "There is no charge.", {"chunk": "# Delivery\n\nThere is no charge."}),
        ("Delivery is free.", "There is no charge.", {"chunk": "Delivery\nOpen to all.\nThere is no charge."}),
        ("The tagine is free of nuts.", "It contains none.", {"chunk": "We serve a tagine. It contains none."}),
        ("The dish is vegan.", "Yes, it is.", {"chunk": "Is the dish vegan? Yes, it is."}),
        ("Firms advertise to persuade.", "Advertising has three objectives.", {}),
        ("You can cancel at any time.", "Cancellation is possible whenever you like.", {}),
        ("We ship worldwide.", "Shipments go to every country.", {}),
        ("Die Lieferung ist kostenlos.", "Es fallen keine Lieferkosten an.", {}),
        ("The fee is 1,200 euros.", "Er zahlt 1200 EUR.", {}),
        ("The shop closes at 5 pm.", "Doors shut at 17:00.", {}),
    ],
)
def test_a_passage_that_shares_a_word_or_a_value_supports_the_claim(
    text: str, quote: str, more: dict[str, str]
) -> None:
    found = heard(text, quote, **more)
    assert (found.claims[-1].verdict, len(found.claims[-1].votes)) == ("supported", 3)
    assert not any(judge.dropped or vote.untested for judge in found.judges for vote in found.claims[-1].votes)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Die Lieferung ist für Mitglieder kostenlos.", "There is no charge if you are in the club."),
        ("Toimitus on ilmainen kaikille asiakkaille koko maassa.", "There is no charge for members of the club."),
        ("配送是免费的。", "There is no charge for delivery."),
        ("It is not.", "There is no charge for delivery."),
    ],
)
def test_a_vote_whose_passage_cannot_be_compared_counts_and_says_so(text: str, quote: str) -> None:
    one = heard(text, quote).claims[0]
    assert (one.verdict, [vote.untested for vote in one.votes]) == ("supported", [True] * 3)


def test_one_passage_of_several_is_enough_and_faults_need_none() -> None:
    kept = folded(
        judgement("a", vote("c1", "supported", "refunds", "hours")), claims=(claim(text="Refunds are fast."),)
    )
    assert kept.claims[0].votes[0].support == ("hours", "refunds")
    odd = [judgement(name, vote("c1", "partial", "hours")) for name in "abc"]
    assert folded(*odd, claims=(claim(text="The kettle is dishwasher safe."),)).claims[0].verdict == "partial"
