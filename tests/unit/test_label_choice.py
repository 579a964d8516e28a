"""Which claims people are asked about: what teaches first, chance untouched by it, and faults that are made."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from raggate_action.core.judging.agreement_with_labels import claim_key
from raggate_action.core.judging.label_sampling import Sample, Turn, lesson_of_claim
from raggate_action.core.judging.synthetic_faults import synthetic_faults
from raggate_action.run.labelling.claims_to_label import LabelableClaim
from raggate_action.schema.calibration import LabelledChunk
from raggate_action.schema.case_run import Claim, Finding
from raggate_action.schema.judgement import ClaimVote, JudgedVerdict

CONFLICT = Finding(kind="conflict", code="number", reason="30 is 14 there", key="k")


def votes(*verdicts: JudgedVerdict) -> tuple[ClaimVote, ...]:
    return tuple(ClaimVote(judge=f"judge-{place}", verdict=verdict) for place, verdict in enumerate(verdicts))


def claim(name: str, **fields: object) -> tuple[str, Claim]:
    return name, Claim.model_validate({"claim_id": name, "text": name, **fields})


PLAIN = [claim(f"plain-{number}") for number in range(9)]


def sample_of(claims: Iterable[tuple[str, Claim]], *, seed: int) -> Sample:
    return Sample(((key, lesson_of_claim(each)) for key, each in claims), seed=seed)


def labelled_in_turn(sample: Sample, most: int = 1000, passed: frozenset[str] = frozenset()) -> list[Turn]:
    """Everybody's turn, each labelled at once."""
    turns: list[Turn] = []
    while len(turns) < most and (turn := sample.turn({each.key for each in turns}, passed)) is not None:
        turns.append(turn)
    return turns


def test_judges_apart_come_first_then_suspects_then_chance() -> None:
    apart = claim("two-to-one", votes=votes("supported", "unsupported", "supported"))
    even = claim("one-to-one", votes=votes("supported", "contradicted"))
    rule = claim("rule", findings=(CONFLICT,))
    judge = claim("judges-all-against", votes=votes("partial", "unsupported"))
    sample = sample_of([*PLAIN, rule, judge, apart, even], seed=3)
    assert sample.teaching == ("one-to-one", "two-to-one", "judges-all-against", "rule")
    assert [sample.why[key] for key in sample.teaching] == ["disagreement"] * 2 + ["suspect"] * 2
    turns = labelled_in_turn(sample)
    assert [turn.key for turn in turns if turn.drawn == "chosen"] == [
        key for key in sample.teaching if Turn(key, "random") not in turns
    ]
    assert len(turns) == len({turn.key for turn in turns}) == 13


def test_agreement_a_plain_verdict_and_advice_teach_nothing_more() -> None:
    advice = CONFLICT.model_copy(update={"advisory": True})
    for _, each in (
        claim("a", votes=votes("supported", "supported")),
        claim("b", verdict="supported"),
        claim("c", findings=(advice,)),
    ):
        assert lesson_of_claim(each) is None
    doubted = lesson_of_claim(claim("d", verdict="contradicted", labelled=True)[1])
    assert doubted is not None
    assert doubted.why == "suspect"


def test_every_third_is_drawn_from_the_start_and_all_are_where_nothing_teaches() -> None:
    suspects = [claim(f"suspect-{number}", findings=(CONFLICT,)) for number in range(9)]
    mixed = labelled_in_turn(sample_of([*PLAIN, *suspects], seed=1), most=9)
    assert [turn.drawn for turn in mixed] == ["chosen", "chosen", "random"] * 3
    assert {turn.drawn for turn in labelled_in_turn(sample_of(PLAIN, seed=1))} == {"random"}


def test_sessions_of_two_come_to_the_random_ones_as_well() -> None:
    suspects = [claim(f"suspect-{number}", findings=(CONFLICT,)) for number in range(9)]
    earlier = labelled_in_turn(sample_of([*PLAIN, *suspects], seed=1), most=2)
    again = sample_of([*PLAIN, *suspects], seed=1)
    turn = again.turn({each.key for each in earlier}, ())
    assert turn is not None
    assert turn.drawn == "random"


def test_a_claim_is_not_drawn_by_what_is_said_of_it() -> None:
    plain = sample_of(PLAIN, seed=5)
    doubted = sample_of([(key, each.model_copy(update={"findings": (CONFLICT,)})) for key, each in PLAIN], seed=5)
    assert plain.drawn == doubted.drawn
    assert sample_of(PLAIN, seed=6).drawn != plain.drawn
    assert sample_of(reversed(PLAIN), seed=5).drawn == plain.drawn


@given(
    teaching=st.lists(st.booleans(), min_size=1, max_size=30),
    labelled=st.integers(1, 30),
    seed=st.integers(0, 5),
    skipped=st.sets(st.integers(0, 29), max_size=5),
)
def test_what_counts_as_random_is_always_the_beginning_of_the_draw(
    teaching: list[bool], labelled: int, seed: int, skipped: set[int]
) -> None:
    claims = [
        claim(f"claim-{number}", findings=(CONFLICT,) if teaches_more else ())
        for number, teaches_more in enumerate(teaching)
    ]
    sample = sample_of(claims, seed=seed)
    passed = frozenset(f"claim-{number}" for number in skipped)
    turns = labelled_in_turn(sample, most=labelled, passed=passed)
    random: set[str] = set()
    known: set[str] = set()
    for turn in turns:
        known.add(turn.key)
        random |= {turn.key} if turn.drawn == "random" else set()
        random |= set(sample.drawn_so_far(known, turn))
    answered = [key for key in sample.drawn if key not in passed]
    assert random == set(answered[: len(random)])
    if len(turns) == len(claims):
        assert random == set(sample.drawn)


FEE = LabelledChunk(chunk_id="fee", text="A late return costs 15 EUR.")
HOURS = LabelledChunk(chunk_id="hours", text="The desk is open from nine to five.")


def test_a_claim_is_what_it_says_beside_which_evidence_whatever_answer_it_stands_in() -> None:
    late = "A late return of a book costs 15 EUR."
    one = claim_key("What is the fee?", f"{late} Pay at the desk.", late, (FEE, HOURS))
    again = (HOURS, FEE.model_copy(update={"chunk_id": "fee-2"}))
    assert claim_key("Is there a fee?", late, f"  {late.upper()}", again) == one
    assert claim_key("What is the fee?", late, late, (FEE,)) != one, "other evidence"
    assert claim_key("What is the fee?", late, late.replace("15", "16"), (FEE, HOURS)) != one


def test_a_claim_that_leans_on_what_stands_around_it_is_another_one_in_another_answer() -> None:
    free = [
        claim_key(f"Is {of} free?", "Yes. It is free.", "It is free.", (FEE,)) for of in ("parking", "parking", "entry")
    ]
    assert free[0] == free[1] != free[2]


# --- faults that are made


CHUNKS = (LabelledChunk(chunk_id="c1", text="Parcels can be returned within 30 days of delivery to Bremen or Kiel."),)
RIGHT = LabelableClaim(
    "How long?", "Yes. Parcels can be returned within 30 days of delivery [c1].", CHUNKS,
    "Parcels can be returned within 30 days of delivery.", "claim-1", "returns",
)  # fmt: skip


def test_a_right_claim_is_made_false_in_its_answer_citations_and_all() -> None:
    made = {each.fault: (each.text, each.answer) for each in synthetic_faults([RIGHT])}
    # 30 * 3 + 7
    assert made["number changed"] == (
        "Parcels can be returned within 97 days of delivery.",
        "Yes. Parcels can be returned within 97 days of delivery [c1].",
    )
    assert made["claim negated"][1] == "Yes. Parcels can not be returned within 30 days of delivery [c1]."
    assert made["unit changed"][1] == "Yes. Parcels can be returned within 30 weeks of delivery [c1]."


def test_a_claim_behind_a_lead_in_is_found_by_what_stands_beside_the_change() -> None:
    item = RIGHT._replace(answer="Fees:\n- Basic is 30 EUR [1]\n- Pro is 90 EUR [1]", text="Fees: Pro is 90 EUR")
    made = {each.fault: each.answer for each in synthetic_faults([item])}
    assert made["number changed"] == "Fees:\n- Basic is 30 EUR [1]\n- Pro is 277 EUR [1]"


def test_no_fault_is_made_where_the_claim_cannot_be_found_or_offers_nothing() -> None:
    twice = RIGHT._replace(answer="It is 3. It is 3.", text="It is 3.")
    elsewhere = RIGHT._replace(answer="Something else.")
    nothing = RIGHT._replace(answer="Parcels go back.", text="Parcels go back.")
    assert [*synthetic_faults([twice, elsewhere, nothing])] == []


def test_every_claim_gets_one_fault_before_any_gets_two() -> None:
    claims = [RIGHT._replace(answer=f"Shop {n}: {RIGHT.text}", claim_id=f"claim-{n}") for n in range(4)]
    first = [each.origin.claim_id for each in synthetic_faults(claims)][:8]
    assert first == [f"claim-{n}" for n in range(4)] * 2
