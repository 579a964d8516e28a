from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.core.comparison.comparer import Comparer
from raggate_action.core.comparison.hallucination_changes import with_baseline_keys
from raggate_action.schema.case_run import CaseRun, Claim, Hallucination, Musts
from raggate_action.schema.change import ChangeCount
from raggate_action.schema.comparison import Comparison, VersionChange
from raggate_action.schema.outcome import NotApplicable, Passed
from tests.row_builders import (
    TODAY,
    compare,
    count,
    failed,
    false_claim,
    gates_by_name,
    index,
    index_run,
    judge,
    make_policy,
    make_row,
    make_run,
    named,
    passed,
    phrase,
    suspicious,
    unmeasured,
    waiver,
)

GOOD: dict[str, Any] = {}
RECALL: dict[str, Any] = {"outcomes": {"candidate_recall": failed("missing-source", "c7")}}
UNFAITHFUL: dict[str, Any] = {"outcomes": {"faithfulness": failed()}}
UNKNOWN: dict[str, Any] = {"outcomes": {"behaviour": unmeasured()}}
ERROR: dict[str, Any] = {"outcomes": {"target": failed()}}
INADMISSIBLE: dict[str, Any] = {"outcomes": {"admissibility": failed()}}


@pytest.mark.parametrize(
    ("before", "after", "regressed", "now_fixed"),
    [
        pytest.param(GOOD, GOOD, 0, 0, id="passes as before"),
        pytest.param(GOOD, RECALL, 1, 0, id="passed and fails: a regression"),
        pytest.param(RECALL, GOOD, 0, 1, id="failed and passes: fixed"),
        pytest.param(RECALL, RECALL, 0, 0, id="fails as before"),
        pytest.param(RECALL, UNFAITHFUL, 0, 0, id="fails elsewhere"),
        pytest.param(GOOD, UNKNOWN, 0, 0, id="unmeasured now is no regression"),
        pytest.param(RECALL, UNKNOWN, 0, 0, id="unmeasured now is not fixed"),
        pytest.param(UNKNOWN, RECALL, 0, 0, id="unmeasured then is no regression"),
        pytest.param(UNKNOWN, GOOD, 0, 0, id="unmeasured then is not fixed"),
    ],
)
def test_a_case_on_two_runs(
    before: dict[str, Any],
    after: dict[str, Any],
    regressed: int,
    now_fixed: int,
) -> None:
    found = compare([make_row(0, **after)], [make_row(0, **before)])
    assert found.compared == 1
    assert (found.regressed, found.total("fixed")) == (regressed, now_fixed)


def test_a_regression_names_its_gate_and_first_problem() -> None:
    (regression,) = compare([make_row(0, **RECALL)], [make_row(0)]).states("new")
    assert (regression.case_id, regression.gate) == ("q0", "candidate_recall")
    assert str(regression.problem) == "missing-source: c7"


def test_a_waived_failure_is_no_regression_and_a_waiver_that_ends_brings_no_new_one() -> None:
    holding = make_policy(waivers=[waiver("q0", "candidate_recall")])
    assert compare([make_row(0, **RECALL)], [make_row(0)], holding).regressed == 0
    then = index([make_row(0, **RECALL)], holding)
    comparer = Comparer(then, make_policy(), decided_on=TODAY)
    comparer.add(make_row(0, **RECALL))
    found = comparer.comparison([("q0", "digest-0", True)], count([]))
    assert found.regressed == 0


def test_the_gate_of_a_regression_is_the_first_that_is_not_waived() -> None:
    policy = make_policy(waivers=[waiver("q0", "candidate_recall")])
    row = make_row(0, outcomes={"candidate_recall": failed(), "faithfulness": failed("unsupported-claim", "Q")})
    (regression,) = compare([row], [make_row(0)], policy).states("new")
    assert (regression.gate, str(regression.problem)) == ("faithfulness", "unsupported-claim: Q")


@pytest.mark.parametrize(
    ("before", "after", "inadmissible", "unanswered"),
    [
        pytest.param(GOOD, INADMISSIBLE, ("q0",), (), id="admissible and now not"),
        pytest.param(INADMISSIBLE, INADMISSIBLE, (), (), id="inadmissible as before"),
        pytest.param(GOOD, ERROR, (), ("q0",), id="answered and now not"),
        pytest.param(ERROR, ERROR, (), (), id="unanswered as before"),
        pytest.param(ERROR, INADMISSIBLE, (), (), id="what was not answered was not admissible either"),
        pytest.param(GOOD, {"outcomes": {"target": unmeasured("cut")}}, (), (), id="cut is not unanswered"),
        pytest.param(
            {"outcomes": {"admissibility": NotApplicable(why="no store")}},
            INADMISSIBLE,
            (),
            (),
            id="what nobody checked was not admissible",
        ),
    ],
)
def test_the_hard_rules(
    before: dict[str, Any], after: dict[str, Any], inadmissible: tuple[str, ...], unanswered: tuple[str, ...]
) -> None:
    outcomes = {"admissibility": NotApplicable(why="no answer"), **after.get("outcomes", {})}
    head = make_row(0, outcomes=outcomes) if "target" in outcomes else make_row(0, **after)
    past = {"admissibility": NotApplicable(why="no answer"), **before.get("outcomes", {})}
    base = make_row(0, outcomes=past) if "target" in past else make_row(0, **before)
    found = compare([head], [base])
    assert (named(found, "newly_inadmissible"), named(found, "newly_unanswered")) == (inadmissible, unanswered)


@pytest.mark.parametrize(
    ("gate", "row"),
    [pytest.param("admissibility", INADMISSIBLE, id="inadmissible"), pytest.param("target", ERROR, id="unanswered")],
)
def test_a_waiver_covers_the_hard_rules_of_its_gate(gate: str, row: dict[str, Any]) -> None:
    found = compare([make_row(0, **row)], [make_row(0)], make_policy(waivers=[waiver("q0", gate)]))
    assert (named(found, "newly_inadmissible"), named(found, "newly_unanswered")) == ((), ())


ANSWERED: dict[str, Any] = {"outcomes": {"answered": Passed()}}
EVASIVE: dict[str, Any] = {"outcomes": {"answered": failed("declined")}}
PERHAPS: dict[str, Any] = {"outcomes": {"answered": unmeasured("no-adjudicator")}}
UNJUDGED: dict[str, Any] = {"outcomes": {"admissibility": failed(), "answered": NotApplicable(why="inadmissible")}}


@pytest.mark.parametrize(
    ("before", "after", "unanswered"),
    [
        pytest.param(ANSWERED, EVASIVE, ("q0",), id="answered and now declined"),
        pytest.param(EVASIVE, EVASIVE, (), id="declined as before"),
        pytest.param(ANSWERED, PERHAPS, (), id="what may decline is not certain"),
        pytest.param(PERHAPS, EVASIVE, (), id="what may have declined was not certain"),
        pytest.param(UNJUDGED, EVASIVE, (), id="a leak is mended and ends in a decline"),
        pytest.param(EVASIVE, ERROR, ("q0",), id="declined and now an error"),
    ],
)
def test_a_decline_is_newly_unanswered_where_there_certainly_was_an_answer(
    before: dict[str, Any], after: dict[str, Any], unanswered: tuple[str, ...]
) -> None:
    found = compare([make_row(0, **after)], [make_row(0, **before)])
    assert named(found, "newly_unanswered") == unanswered


def citing(*citations: str, text: str = "Tea is hot.", verdict: str = "supported") -> CaseRun:
    """A case of which one claim cites these chunks; the context holds a and b, and a supports the claim."""
    claim = {"claim_id": "claim-1", "text": text, "citations": citations, "verdict": verdict, "supported_by": ["a"]}
    if verdict != "supported":
        claim["supported_by"] = []
    outcome = passed() if "a" in citations and verdict == "supported" else failed("citation")
    claims = (Claim.model_validate_json(json.dumps(claim)),)
    return make_row(0, claims=claims, context=("a", "b"), outcomes={"citation_support": outcome})


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        pytest.param(citing("a"), citing("b"), True, id="another chunk says it"),
        pytest.param(citing("a"), citing("z"), True, id="never retrieved"),
        pytest.param(citing("z"), citing("b"), True, id="another fault"),
        pytest.param(citing("b"), citing("b", text="Hot is tea."), False, id="the same fault in other words"),
        pytest.param(citing("a"), citing("a", "b"), False, id="one of several citations is enough"),
        pytest.param(citing("a"), citing(), False, id="no citation is a matter of coverage"),
        pytest.param(citing("a"), citing("b", verdict="unverified"), False, id="nobody could verify it"),
        pytest.param(citing("a"), citing("b", verdict="contradicted"), False, id="a false claim is a hallucination"),
        pytest.param(citing("a"), citing("z", verdict="unverified"), True, id="what is not there needs no verifying"),
    ],
)
def test_a_citation_fault_is_new_by_what_it_cites(before: CaseRun, after: CaseRun, new: bool) -> None:  # noqa: FBT001
    assert named(compare([after], [before]), "newly_miscited") == (("q0",) if new else ())


def test_a_forbidden_phrase_is_no_new_certain_hallucination() -> None:
    assert named(compare([make_row(0, hallucinations=(phrase(),))], [make_row(0)]), "new_hallucinations") == ()
    both = make_row(0, hallucinations=(false_claim("a"), false_claim("b")))
    assert named(compare([both], [make_row(0)]), "new_hallucinations") == ("q0",)
    assert named(compare([both], [both]), "new_hallucinations") == ()
    # A falsehood that was not there counts where the answer was false already, too.
    other = make_row(0, hallucinations=(false_claim("a"), false_claim("Tea is made of iron.")))
    assert named(compare([other], [both]), "new_hallucinations") == ("q0",)


def test_hallucinations_are_new_fixed_or_persisting() -> None:
    wrong: dict[str, Any] = {"outcomes": {"faithfulness": failed()}}
    base = [make_row(0, hallucinations=(false_claim("old"), false_claim("both")), **wrong)]
    head = [make_row(0, name="Vegan?", hallucinations=(false_claim("both"), false_claim("new")), **wrong)]
    found = compare(head, base)
    assert moves(found) == [("fixed", "old"), ("new", "new"), ("same", "both")]
    assert found.of("hallucination_rate") == ChangeCount(new=1, fixed=1, same=1, blocking=1)
    assert [each.key for each in found.found("hallucination_rate", "fixed")] == ["claim:old"]


def moves(found: Comparison) -> list[tuple[str, str]]:
    """How each falsehood moved, with its words."""
    changes = [each for each in found.changes if each.gate == "hallucination_rate"]
    return [(each.move, each.problem.detail) for each in changes if each.problem is not None]


SIXTY = "Parcels can be returned within 60 days."
FALSE: dict[str, Any] = {"hallucinations": (false_claim(SIXTY),), **UNFAITHFUL}
UNVERIFIED: dict[str, Any] = {"outcomes": {"faithfulness": unmeasured("no-adjudicator")}}


def saying(text: str, verdict: str, *, false: bool = False) -> dict[str, Any]:
    """A case whose answer makes one claim."""
    claim = Claim.model_validate_json(json.dumps({"claim_id": "1", "text": text, "verdict": verdict}))
    found = {"hallucinations": (false_claim(text),), **UNFAITHFUL} if false else {}
    return {"claims": (claim,), **({} if verdict == "supported" or false else UNVERIFIED), **found}


@pytest.mark.parametrize(
    ("after", "new", "fixed", "persisting", "unconfirmed"),
    [
        pytest.param(saying("You may return a parcel up to 60 days.", "unsupported", false=True), 0, 0, 1, 0,
                     id="reworded"),
        pytest.param(saying("Parcels can be returned within 90 days.", "unsupported", false=True), 1, 1, 0, 0,
                     id="the same words and another value"),
        pytest.param(saying("Perhaps 60 days for a return of parcels.", "unverified"), 0, 0, 0, 1, id="worded softer"),
        pytest.param(saying("Parcels can be returned within 30 days.", "supported"), 0, 1, 0, 0, id="verified"),
        pytest.param(saying("Parcels can be returned within 30 days.", "unverified"), 0, 1, 0, 0,
                     id="gone, and nobody has verified what stands there now"),
        pytest.param(saying(SIXTY, "supported"), 0, 1, 0, 0, id="the same words, which the evidence says by now"),
        pytest.param({"abstained": True, "outcomes": {"answered": failed("declined")}}, 0, 1, 0, 0, id="declined"),
    ],
)  # fmt: skip
def test_a_hallucination_is_found_again_by_what_it_says(
    after: dict[str, Any], new: int, fixed: int, persisting: int, unconfirmed: int
) -> None:
    found = compare([make_row(0, **after)], [make_row(0, **FALSE)])
    told = found.of("hallucination_rate")
    assert (told.new, told.fixed, told.same, told.unknown) == (new, fixed, persisting, unconfirmed)
    assert named(found, "new_hallucinations") == (("q0",) if new else ())
    passes = not after.get("hallucinations") and not after.get("abstained")
    assert (found.total("fixed"), found.total("unknown")) == ((passes and not unconfirmed), unconfirmed)
    assert {each.key for each in found.found("hallucination_rate", "same")} <= {f"claim:{SIXTY}"}


def test_a_case_repaired_elsewhere_is_fixed_whatever_became_of_its_hallucination() -> None:
    lost = make_row(
        0, outcomes={"candidate_recall": failed(), "faithfulness": failed()}, hallucinations=(false_claim(SIXTY),)
    )
    softer = make_row(0, **saying("Perhaps 60 days for a return of parcels.", "unverified"))
    found = compare([softer], [lost])
    assert ([each.case_id for each in found.states("fixed")], found.states("unknown")) == (["q0"], ())


def test_two_falsehoods_of_which_one_is_exchanged_for_a_third() -> None:
    both = ("Hold bags may weigh 25 kg.", "Pets fly for free.")
    base = make_row(0, hallucinations=tuple(map(false_claim, both)), **UNFAITHFUL)
    head = make_row(
        0, hallucinations=tuple(map(false_claim, ("For free fly pets.", "Cabin bags cost 80 euros."))), **UNFAITHFUL
    )
    assert moves(compare([head], [base])) == [
        ("fixed", both[0]), ("new", "Cabin bags cost 80 euros."), ("same", "For free fly pets."),
    ]  # fmt: skip


def bare(key: str, chunk: str = "c1") -> CaseRun:
    """A false claim of a run that keeps no words."""
    found = Hallucination(kind="claim", key=f"claim:{key}", text="", chunk_id=chunk)
    return make_row(0, hallucinations=(found,), **UNFAITHFUL)


@pytest.mark.parametrize(
    ("after", "new", "persisting"),
    [
        pytest.param(bare("aaaaaaaa22222222"), 0, 1, id="other words, the same values"),
        pytest.param(bare("bbbbbbbb11111111"), 1, 0, id="other values"),
        pytest.param(bare("aaaaaaaa22222222", "c2"), 1, 0, id="another chunk"),
    ],
)
def test_without_words_a_falsehood_is_found_again_by_its_chunk_and_values(
    after: CaseRun, new: int, persisting: int
) -> None:
    found = compare([after], [bare("aaaaaaaa11111111")])
    assert (found.of("hallucination_rate").new, found.of("hallucination_rate").same) == (new, persisting)


def test_what_was_said_in_doubt_and_is_said_firmly_now_is_not_new() -> None:
    finding = {"kind": "conflict", "code": "number", "reason": "30", "key": "k", "chunk_id": "c1"}
    claim = {"claim_id": "1", "text": "Perhaps 60 days for a return of parcels.", "findings": [finding]}
    doubted = make_row(0, claims=(Claim.model_validate_json(json.dumps(claim)),))
    found = compare([make_row(0, **FALSE)], [doubted])
    assert (named(found, "new_hallucinations"), found.of("hallucination_rate")) == ((), ChangeCount(same=1))
    # And the other way round the finding on the softer words is no new suspect.
    again = compare([doubted], [make_row(0, **FALSE)])
    assert again.of("new_suspects") == ChangeCount(same=1)
    assert compare([doubted], [make_row(0)]).of("new_suspects") == ChangeCount(new=1)


def test_an_answer_of_two_thousand_falsehoods_is_compared_without_looking_at_every_pair() -> None:
    def many(beginning: str) -> CaseRun:
        texts = [f"{beginning} number {n} costs {n} euros on each day." for n in range(2_000)]
        claims = tuple(Claim(claim_id=str(n), text=text, verdict="unsupported") for n, text in enumerate(texts))
        return make_row(0, claims=claims, hallucinations=tuple(map(false_claim, texts)), **UNFAITHFUL)

    found = compare([many("A ticket")], [many("The ticket of")])
    assert (found.of("hallucination_rate").same, found.of("hallucination_rate").new) == (100, 1_900)
    assert (found.of("hallucination_rate").fixed, found.of("hallucination_rate").unknown) == (0, 1_900)


def test_one_falsehood_keeps_its_key_through_three_wordings() -> None:
    first = make_row(0, **FALSE)
    second = make_row(0, **saying("You may return a parcel up to 60 days.", "unsupported", false=True))
    third = make_row(0, **saying("Sixty days you have to return a parcel.", "unsupported", false=True))
    kept = with_baseline_keys(second, index([first]).cases["q0"])
    last = with_baseline_keys(third, index([kept]).cases["q0"])
    assert [each.hallucinations[0].key for each in (kept, last)] == [f"claim:{SIXTY}"] * 2
    assert with_baseline_keys(third, None) is third
    changed = third.model_copy(update={"digest": "other"})
    assert with_baseline_keys(changed, index([kept]).cases["q0"]) is changed


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(ERROR, id="no answer"),
        pytest.param(INADMISSIBLE, id="an inadmissible trace"),
        pytest.param({"outcomes": {"target": unmeasured("cut")}}, id="not run"),
        pytest.param({"outcomes": {"faithfulness": unmeasured("no-adjudicator")}}, id="claims nobody judged"),
    ],
)
def test_what_nobody_looked_for_is_not_fixed(head: dict[str, Any]) -> None:
    base = [make_row(0, hallucinations=(false_claim(),), **UNFAITHFUL)]
    found = compare([make_row(0, **head)], base)
    assert (found.of("hallucination_rate").fixed, found.of("hallucination_rate").unknown) == (0, 1)
    assert compare([make_row(0)], base).of("hallucination_rate").fixed == 1


def test_a_waived_hallucination_does_not_move() -> None:
    row = make_row(0, hallucinations=(false_claim(),), **UNFAITHFUL)
    policy = make_policy(waivers=[waiver("q0", "faithfulness")])
    assert compare([row], [make_row(0)], policy).of("hallucination_rate").new == 0
    assert moves(compare([row], [row], policy)) == []
    # And when the waiver ends it is not news.
    comparer = Comparer(index([row], policy), make_policy(), decided_on=TODAY)
    comparer.add(row)
    found = comparer.comparison([], count([]))
    assert (found.of("hallucination_rate").new, found.of("hallucination_rate").same) == (0, 1)


def flagged(position: int, **fields: Any) -> CaseRun:
    return make_row(position, outcomes={"behaviour": failed()}, hallucinations=(phrase(),), flagged=True, **fields)


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        pytest.param([make_row(0)], ("q0",), id="the baseline did not have it"),
        pytest.param([flagged(0)], (), id="the baseline had it"),
        pytest.param([flagged(0, digest="other")], ("q0",), id="the case has changed, so it counts as new"),
        pytest.param([make_row(1)], ("q0",), id="the case is new"),
    ],
)
def test_a_forbidden_phrase_is_new_when(base: list[CaseRun], expected: tuple[str, ...]) -> None:
    found = compare([flagged(0)], base)
    assert (named(found, "forbidden_phrases"), found.of("hallucination_rate").new) == (expected, len(expected))


def test_a_phrase_that_was_waived_then_is_not_new_when_the_waiver_ends() -> None:
    comparer = Comparer(
        index([flagged(0)], make_policy(waivers=[waiver("q0", "behaviour")])), make_policy(), decided_on=TODAY
    )
    comparer.add(flagged(0))
    assert named(comparer.comparison([], count([])), "forbidden_phrases") == ()


@pytest.mark.parametrize("case", ["q0", ""])
def test_a_new_suspect_that_is_waived_is_counted_as_waived_alone(case: str) -> None:
    """Of two cases, each with one new suspect: a waiver of one leaves the other, one of the change leaves none."""
    policy = make_policy(waivers=[waiver(case, "new_suspects")])
    rows = [suspicious(0, "conflict", sharp=True), suspicious(1, "absent")]
    comparer = Comparer(index([make_row(0), make_row(1)]), policy, decided_on=TODAY)
    for row in rows:
        comparer.add(row)
    found = comparer.comparison([], count(rows))
    left = 1 if case else 0
    assert found.of("new_suspects") == ChangeCount(waived=2 - left, new=left)
    assert len(found.found("new_suspects")) == left


def test_a_gate_on_the_run_names_a_case_that_passes_but_no_waived_one() -> None:
    policy = make_policy(waivers=[waiver("q1", "new_suspects")])
    head = [*(suspicious(n, "conflict") for n in range(2)), make_row(2, hallucinations=(false_claim(),))]
    found = compare(head, [make_row(n) for n in range(3)], policy)
    assert [(each.case_id, each.gates) for each in found.named] == [
        ("q0", ("new_suspects",)),
        ("q2", ("new_hallucinations",)),
    ]


@pytest.mark.parametrize("level", ["block", "warn"])
def test_a_change_counts_by_the_level_of_its_gate(level: str) -> None:
    found = compare(
        [make_row(0, **EVASIVE)], [make_row(0, **ANSWERED)], make_policy(gates={"newly_unanswered": {"level": level}})
    )
    assert [each.counts for each in found.found("newly_unanswered")] == [level]
    assert found.of("newly_unanswered").blocking == (level == "block")


def test_hallucinations_of_one_case_stay_in_their_order() -> None:
    head = make_row(0, hallucinations=tuple(false_claim(text) for text in ("a", "b", "c")), **UNFAITHFUL)
    assert moves(compare([head], [make_row(0)])) == [("new", "a"), ("new", "b"), ("new", "c")]


@pytest.mark.parametrize(
    ("before", "after", "new", "persisting"),
    [
        pytest.param(suspicious(0, "conflict"), suspicious(0, "conflict"), 0, 1, id="a suspect as before"),
        pytest.param(suspicious(0, "conflict", advisory=True), suspicious(0, "conflict"), 1, 0, id="advice before"),
        pytest.param(suspicious(0, "structure"), suspicious(0, "structure"), 0, 0, id="structure is no suspect"),
        pytest.param(make_row(0), suspicious(0, "absent", advisory=True), 0, 0, id="advice is no suspect"),
        pytest.param(make_row(0), suspicious(0, "absent"), 1, 0, id="a suspect that was not there"),
    ],
)
def test_a_suspect_is_the_same_thing_on_both_runs(before: CaseRun, after: CaseRun, new: int, persisting: int) -> None:
    assert compare([after], [before]).of("new_suspects") == ChangeCount(new=new, same=persisting)


def test_a_case_the_baseline_had_but_did_not_run_is_not_compared() -> None:
    comparer = Comparer(index([make_row(1)], not_in_scope=("q0",)), make_policy(), decided_on=TODAY)
    comparer.add(flagged(0))
    found = comparer.comparison([("q0", "digest-0", True), ("q1", "digest-1", False)], count([]))
    assert (found.compared, named(found, "forbidden_phrases"), found.not_run) == (0, ("q0",), 1)
    assert (found.changed.named, found.added.named, found.removed.named) == ((), (), ())


def test_the_suite_s_own_changes_are_told_apart_from_the_scope() -> None:
    base = index([make_row(n) for n in range(4)], not_in_scope=("q8",))
    comparer = Comparer(base, make_policy(waivers=[waiver("q3", "removed")]), decided_on=TODAY)
    comparer.add(make_row(1, digest="rewritten", **RECALL))
    head = [("q0", "digest-0", False), ("q1", "rewritten", True), ("q9", "digest-9", True)]
    found = comparer.comparison(head, count([]))
    assert (found.changed.named, found.added.named, found.removed.named) == (("q1",), ("q9",), ("q3", "q2", "q8"))
    assert (found.not_run, found.compared, found.regressed) == (1, 0, 0)


def test_known_bad_cases_are_not_compared() -> None:
    bad: dict[str, Any] = {
        "kind": "known_bad",
        "blocked_at": "admissibility",
        "hallucinations": (phrase(),),
        "flagged": True,
    }
    found = compare([make_row(0, **bad)], [make_row(0, **bad, **INADMISSIBLE)])
    assert (found.compared, found.changes) == (0, ())


def test_the_baseline_s_counts_stand_beside() -> None:
    policy = make_policy(slices={"by": ["workflow"]})
    rows = [make_row(n, slices=("workflow=a",), score=0.5, latency_ms=7, cost_usd=0.25) for n in range(2)]
    base = [rows[0], rows[1].model_copy(update={"state": "failed", "outcomes": RECALL["outcomes"]})]
    found = compare(rows, base, policy)
    assert {delta.name: (delta.passed, delta.scored) for delta in found.gates}["candidate_recall"] == (0, 1)
    assert [(delta.name, delta.passed, delta.scored) for delta in found.slices] == [("workflow=a", 1, 2)]
    amounts = found.baseline
    assert (amounts.mean_score, amounts.p95_latency_ms, amounts.hallucination_rate, amounts.cost_usd) == (
        0.5,
        7,
        0.0,
        0.5,
    )
    assert (found.baseline_git_sha, found.baseline_decision) == ("abc", "block")


def test_pipeline_versions_that_differ_are_named() -> None:
    base = [make_row(0, versions=(("index", "i1"), ("prompt", "p1"), ("sparse", "s1")))]
    head = [make_row(0, versions=(("index", "i1"), ("prompt", "p2"), ("prompt", "p1"), ("dense", "d1")))]
    assert compare(head, base).versions == (
        VersionChange(key="dense", before=(), after=("d1",)),
        VersionChange(key="prompt", before=("p1",), after=("p1", "p2")),
        VersionChange(key="sparse", before=("s1",), after=()),
    )


def test_lists_are_cut_heaviest_first_and_what_was_cut_is_counted() -> None:
    numbers = range(250)
    base = [make_row(n) for n in numbers]
    head = [make_row(n, weight=9 if n == 240 else 1, **INADMISSIBLE) for n in numbers]
    found = compare(head, base)
    assert (found.regressed, len(found.regressions), found.regressions[0]) == (250, 200, "q240")
    assert named(found, "newly_inadmissible")[:2] == ("q240", "q0")
    assert (len(named(found, "newly_inadmissible")), found.of("newly_inadmissible").new) == (200, 250)
    renamed = [row.model_copy(update={"case_id": f"r{row.position}"}) for row in head]
    changed = compare(renamed, base)
    assert [(each.cases, len(each.named)) for each in (changed.added, changed.removed)] == [(250, 200), (250, 200)]


def test_rows_of_a_run_that_lists_no_cases_are_indexed() -> None:
    rows = [make_row(0)]
    bare = make_run(rows).model_copy(update={"suite_cases": ()})
    comparer = Comparer(index_run(bare, rows), make_policy(), decided_on=TODAY)
    comparer.add(make_row(0, **RECALL))
    assert comparer.comparison([("q0", "digest-0", True)], count([])).regressed == 1


MISSING = {"behaviour": failed("phrase-missing", 'Missing: "30 days"')}


@pytest.mark.parametrize(
    ("met", "missed", "outcomes", "cases"),
    [
        pytest.param((0, 1), (0,), MISSING, 1, id="met then, missed now"),
        pytest.param((1,), (0,), MISSING, 0, id="missed then too"),
        pytest.param((0, 1), (0,), {"behaviour": passed()}, 0, id="a score that is enough: nothing is missed"),
        pytest.param((), (0,), MISSING, 0, id="a baseline that says nothing of it"),
    ],
)
def test_a_must_is_newly_missed(
    met: tuple[int, ...], missed: tuple[int, ...], outcomes: dict[str, Any], cases: int
) -> None:
    others = [make_row(n, outcomes={"behaviour": passed()}) for n in range(1, 100)]
    head = [make_row(0, musts=Musts(met=(1,), missed=missed), outcomes=outcomes), *others]
    base = [make_row(0, musts=Musts(met=met), outcomes={"behaviour": passed()}), *others]
    found = compare(head, base)
    assert [str(each.problem) for each in found.found("newly_missed")] == ['phrase-missing: Missing: "30 days"'] * cases
    # One of a hundred is above every bar of 95 %, and blocks all the same.
    kind = judge(head, base=base).decision.kind
    assert (kind, judge(head).decision.kind) == ("block" if cases else "release", "release")


def test_a_waiver_of_behaviour_covers_a_newly_missed_must() -> None:
    head, base = [make_row(0, musts=Musts(missed=(0,)), outcomes=MISSING)], [make_row(0, musts=Musts(met=(0,)))]
    assert compare(head, base, make_policy(waivers=[waiver("q0", "behaviour")])).found("newly_missed") == ()
    allowed = make_policy(gates={"newly_missed": {"max": 1}, "behaviour": {"min": "0%"}})
    assert gates_by_name(judge(head, allowed, base=base))["newly_missed"] == ("passed", "block")
