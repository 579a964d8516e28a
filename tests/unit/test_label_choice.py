"""Which claims people are asked about: what teaches first, chance untouched by it, and faults that are made."""

from __future__ import annotations

from collections.abc import Iterable

from raggate_action.core.judging.agreement_with_labels import claim_key
from raggate_action.core.judging.label_sampling import labelling_order, lesson_of_claims
from raggate_action.core.judging.synthetic_faults import synthetic_faults
from raggate_action.schema.calibration import LabelledAnswer, LabelledChunk, LabelledClaim
from raggate_action.schema.case_run import Claim, Finding
from raggate_action.schema.judgement import ClaimVote, JudgedVerdict

CONFLICT = Finding(kind="conflict", code="number", reason="30 is 14 there", key="k")


def votes(*verdicts: JudgedVerdict) -> tuple[ClaimVote, ...]:
    return tuple(ClaimVote(judge=f"judge-{place}", verdict=verdict) for place, verdict in enumerate(verdicts))


def claim(name: str, **fields: object) -> tuple[str, Claim]:
    return name, Claim.model_validate({"claim_id": name, "text": name, **fields})


PLAIN = [claim(f"plain-{number}") for number in range(9)]


def order_of(claims: Iterable[tuple[str, Claim]], *, seed: int) -> list[str]:
    return labelling_order({key: lesson_of_claims((each,)) for key, each in claims}, seed=seed)


def test_judges_apart_come_first_then_suspects_then_chance() -> None:
    apart = claim("two-to-one", votes=votes("supported", "unsupported", "supported"))
    even = claim("one-to-one", votes=votes("supported", "contradicted"))
    rule = claim("rule", findings=(CONFLICT,))
    judge = claim("judges-all-against", votes=votes("partial", "unsupported"))
    order = order_of([*PLAIN, rule, judge, apart, even], seed=3)
    by_chance = order_of(PLAIN, seed=3)
    assert [key for key in order if key not in dict(PLAIN)] == [
        "one-to-one",
        "two-to-one",
        "judges-all-against",
        "rule",
    ]
    assert [key for key in order if key in dict(PLAIN)] == by_chance
    assert sorted(order) == sorted({*order})
    assert len(order) == 13


def test_agreement_a_plain_verdict_and_advice_teach_nothing_more() -> None:
    advice = CONFLICT.model_copy(update={"advisory": True})
    for _, each in (
        claim("a", votes=votes("supported", "supported")),
        claim("b", verdict="supported"),
        claim("c", findings=(advice,)),
    ):
        assert lesson_of_claims((each,)) is None
    assert lesson_of_claims((claim("d", verdict="contradicted", labelled=True)[1],)) is not None


def test_every_third_is_drawn_whatever_is_said_of_it() -> None:
    suspects = [claim(f"suspect-{number}", findings=(CONFLICT,)) for number in range(9)]
    mixed = order_of([*PLAIN, *suspects], seed=1)
    drawn = order_of([(key, claim(key)[1]) for key, _each in [*PLAIN, *suspects]], seed=1)
    first = next(key for key in drawn if key not in mixed[:2])
    assert mixed[2] == first
    assert order_of(PLAIN, seed=6) != order_of(PLAIN, seed=5) == order_of(reversed(PLAIN), seed=5)


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


def right(answer: str, text: str = "Parcels can be returned within 30 days of delivery.") -> tuple[LabelledAnswer, str]:
    """A claim that is right, in its answer."""
    claims = (LabelledClaim(claim_id="c1", text=text, verdict="supported"),)
    return LabelledAnswer(id="x", question="q", chunks=CHUNKS, answer=answer, claims=claims), text


def test_a_right_claim_is_made_false_in_its_answer_citations_and_all() -> None:
    given = right("Yes. Parcels can be returned within 30 days of delivery [c1].")
    made = {each.answer: each.claims[0] for each in synthetic_faults([given])}
    # 30 * 3 + 7
    changed = made["Yes. Parcels can be returned within 97 days of delivery [c1]."]
    assert (changed.text, changed.made) == ("Parcels can be returned within 97 days of delivery.", True)
    assert "Yes. Parcels can not be returned within 30 days of delivery [c1]." in made
    assert "Yes. Parcels can be returned within 30 weeks of delivery [c1]." in made


def test_a_claim_behind_a_lead_in_is_found_by_what_stands_beside_the_change() -> None:
    given = right("Fees:\n- Basic is 30 EUR [1]\n- Pro is 90 EUR [1]", "Fees: Pro is 90 EUR")
    made = [each.answer for each in synthetic_faults([given])]
    assert "Fees:\n- Basic is 30 EUR [1]\n- Pro is 277 EUR [1]" in made


def test_no_fault_is_made_where_the_claim_cannot_be_found_or_offers_nothing() -> None:
    twice = right("It is 3. It is 3.", "It is 3.")
    nothing = right("Parcels go back.", "Parcels go back.")
    assert [*synthetic_faults([twice, right("Something else."), nothing])] == []


def test_every_claim_gets_one_fault_before_any_gets_two() -> None:
    text = "Parcels can be returned within 30 days of delivery."
    made = [each.answer for each in synthetic_faults([right(f"Shop {n}: {text}") for n in range(4)])]
    assert [each[:6] for each in made[:8]] == ["Shop 0", "Shop 1", "Shop 2", "Shop 3"] * 2
