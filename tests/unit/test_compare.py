from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.core.comparison.comparer import Comparer
from raggate_action.core.comparison.hallucination_changes import with_baseline_keys
from raggate_action.schema.case_run import CaseRun, Claim, Hallucination, Musts
from raggate_action.schema.comparison import NotListed, StageMove, VersionChange
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
    ("before", "after", "regressed", "now_fixed", "moves"),
    [
        pytest.param(GOOD, GOOD, 0, 0, [], id="passes as before"),
        pytest.param(GOOD, RECALL, 1, 0, [(None, "candidate retrieval")], id="passed and fails: a regression"),
        pytest.param(RECALL, GOOD, 0, 1, [("candidate retrieval", None)], id="failed and passes: fixed"),
        pytest.param(RECALL, RECALL, 0, 0, [], id="fails as before"),
        pytest.param(
            RECALL, UNFAITHFUL, 0, 0, [("candidate retrieval", "answer faithfulness")], id="fails elsewhere: a move"
        ),
        pytest.param(GOOD, UNKNOWN, 0, 0, [], id="unmeasured now is no regression"),
        pytest.param(RECALL, UNKNOWN, 0, 0, [], id="unmeasured now is not fixed, and has not moved to passing"),
        pytest.param(UNKNOWN, RECALL, 0, 0, [], id="unmeasured then is no regression"),
        pytest.param(UNKNOWN, GOOD, 0, 0, [], id="unmeasured then is not fixed"),
    ],
)
def test_a_case_on_two_runs(
    before: dict[str, Any],
    after: dict[str, Any],
    regressed: int,
    now_fixed: int,
    moves: list[tuple[str | None, str | None]],
) -> None:
    found = compare([make_row(0, **after)], [make_row(0, **before)])
    assert found.compared == 1
    assert (found.regressed, found.now_fixed) == (regressed, now_fixed)
    assert [(move.before, move.after) for move in found.moves] == moves


def test_a_regression_names_its_stage_and_first_offender() -> None:
    (regression,) = compare([make_row(0, **RECALL)], [make_row(0)]).regressions
    assert (regression.case_id, regression.stage) == ("q0", "candidate retrieval")
    assert regression.problem == "missing-source: c7"


def test_a_waived_failure_is_no_regression_and_a_waiver_that_ends_brings_no_new_one() -> None:
    holding = make_policy(waivers=[waiver("q0", "candidate_recall")])
    assert compare([make_row(0, **RECALL)], [make_row(0)], holding).regressed == 0
    then = index([make_row(0, **RECALL)], holding)
    comparer = Comparer(then, make_policy(), decided_on=TODAY)
    comparer.add(make_row(0, **RECALL))
    found = comparer.comparison([("q0", "digest-0", True)], count([]))
    assert (found.regressed, found.moves) == (0, ())


def test_the_stage_of_a_regression_is_the_first_that_is_not_waived() -> None:
    policy = make_policy(waivers=[waiver("q0", "candidate_recall")])
    row = make_row(0, outcomes={"candidate_recall": failed(), "faithfulness": failed("unsupported-claim", "Q")})
    (regression,) = compare([row], [make_row(0)], policy).regressions
    assert (regression.stage, regression.problem) == ("answer faithfulness", "unsupported-claim: Q")


def test_moves_stand_by_number_of_cases_then_by_stage() -> None:
    base = [make_row(n) for n in range(4)]
    head = [make_row(0, **UNFAITHFUL), make_row(1, **UNFAITHFUL), make_row(2, **RECALL), make_row(3)]
    assert compare(head, base).moves == (
        StageMove(before=None, after="answer faithfulness", cases=2),
        StageMove(before=None, after="candidate retrieval", cases=1),
    )


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
    assert (found.newly_inadmissible, found.newly_unanswered) == (inadmissible, unanswered)


@pytest.mark.parametrize(
    ("gate", "row"),
    [pytest.param("admissibility", INADMISSIBLE, id="inadmissible"), pytest.param("target", ERROR, id="unanswered")],
)
def test_a_waiver_covers_the_hard_rules_of_its_gate(gate: str, row: dict[str, Any]) -> None:
    found = compare([make_row(0, **row)], [make_row(0)], make_policy(waivers=[waiver("q0", gate)]))
    assert (found.newly_inadmissible, found.newly_unanswered) == ((), ())


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
    assert compare([make_row(0, **after)], [make_row(0, **before)]).newly_unanswered == unanswered


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
    assert compare([after], [before]).newly_miscited == (("q0",) if new else ())


def test_a_forbidden_phrase_is_no_new_certain_hallucination() -> None:
    assert compare([make_row(0, hallucinations=(phrase(),))], [make_row(0)]).newly_hallucinating == ()
    both = make_row(0, hallucinations=(false_claim("a"), false_claim("b")))
    assert compare([both], [make_row(0)]).newly_hallucinating == ("q0",)
    assert compare([both], [both]).newly_hallucinating == ()
    # A falsehood that was not there counts where the answer was false already, too.
    other = make_row(0, hallucinations=(false_claim("a"), false_claim("Tea is made of iron.")))
    assert compare([other], [both]).newly_hallucinating == ("q0",)


def test_hallucinations_are_new_fixed_or_persisting() -> None:
    wrong: dict[str, Any] = {"outcomes": {"faithfulness": failed()}}
    base = [make_row(0, hallucinations=(false_claim("old"), false_claim("both")), **wrong)]
    head = [make_row(0, name="Vegan?", hallucinations=(false_claim("both"), false_claim("new")), **wrong)]
    found = compare(head, base)
    assert [(moved.move, moved.hallucination.text) for moved in found.hallucinations] == [
        ("new", "new"),
        ("fixed", "old"),
        ("persisting", "both"),
    ]
    counts = (found.new_hallucinations, found.fixed_hallucinations, found.persisting_hallucinations)
    assert counts == (1, 1, 1)
    assert {moved.name for moved in found.hallucinations} == {"Vegan?"}
    assert found.hallucinations[1].hallucination.key == "claim:old"


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
    counts = (found.new_hallucinations, found.fixed_hallucinations, found.persisting_hallucinations)
    assert (*counts, found.unconfirmed_hallucinations) == (new, fixed, persisting, unconfirmed)
    assert found.newly_hallucinating == (("q0",) if new else ())
    passes = not after.get("hallucinations") and not after.get("abstained")
    assert (found.now_fixed, found.now_unconfirmed) == ((passes and not unconfirmed), unconfirmed)
    assert {each.hallucination.key for each in found.hallucinations if each.move == "persisting"} <= {f"claim:{SIXTY}"}


def test_a_case_repaired_elsewhere_is_fixed_whatever_became_of_its_hallucination() -> None:
    lost = make_row(
        0, outcomes={"candidate_recall": failed(), "faithfulness": failed()}, hallucinations=(false_claim(SIXTY),)
    )
    softer = make_row(0, **saying("Perhaps 60 days for a return of parcels.", "unverified"))
    found = compare([softer], [lost])
    assert (found.fixed, found.unconfirmed) == (("q0",), ())


def test_two_falsehoods_of_which_one_is_exchanged_for_a_third() -> None:
    both = ("Hold bags may weigh 25 kg.", "Pets fly for free.")
    base = make_row(0, hallucinations=tuple(map(false_claim, both)), **UNFAITHFUL)
    head = make_row(
        0, hallucinations=tuple(map(false_claim, ("For free fly pets.", "Cabin bags cost 80 euros."))), **UNFAITHFUL
    )
    moved = {(each.move, each.hallucination.text) for each in compare([head], [base]).hallucinations}
    assert moved == {("persisting", "For free fly pets."), ("new", "Cabin bags cost 80 euros."), ("fixed", both[0])}


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
    assert (found.new_hallucinations, found.persisting_hallucinations) == (new, persisting)


def test_what_was_said_in_doubt_and_is_said_firmly_now_is_not_new() -> None:
    finding = {"kind": "conflict", "code": "number", "reason": "30", "key": "k", "chunk_id": "c1"}
    claim = {"claim_id": "1", "text": "Perhaps 60 days for a return of parcels.", "findings": [finding]}
    doubted = make_row(0, claims=(Claim.model_validate_json(json.dumps(claim)),))
    found = compare([make_row(0, **FALSE)], [doubted])
    assert (found.newly_hallucinating, found.new_hallucinations, found.persisting_hallucinations) == ((), 0, 1)
    # And the other way round the finding on the softer words is no new suspect.
    again = compare([doubted], [make_row(0, **FALSE)])
    assert (again.new_suspects.suspects, again.new_suspects.persisting) == (0, 1)
    assert compare([doubted], [make_row(0)]).new_suspects.suspects == 1


def test_an_answer_of_two_thousand_falsehoods_is_compared_without_looking_at_every_pair() -> None:
    def many(beginning: str) -> CaseRun:
        texts = [f"{beginning} number {n} costs {n} euros on each day." for n in range(2_000)]
        claims = tuple(Claim(claim_id=str(n), text=text, verdict="unsupported") for n, text in enumerate(texts))
        return make_row(0, claims=claims, hallucinations=tuple(map(false_claim, texts)), **UNFAITHFUL)

    found = compare([many("A ticket")], [many("The ticket of")])
    assert (found.persisting_hallucinations, found.new_hallucinations) == (100, 1_900)
    assert (found.fixed_hallucinations, found.unconfirmed_hallucinations) == (0, 1_900)


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
    assert (found.fixed_hallucinations, found.unconfirmed_hallucinations) == (0, 1)
    assert compare([make_row(0)], base).fixed_hallucinations == 1


def test_a_waived_hallucination_does_not_move() -> None:
    row = make_row(0, hallucinations=(false_claim(),), **UNFAITHFUL)
    policy = make_policy(waivers=[waiver("q0", "faithfulness")])
    assert compare([row], [make_row(0)], policy).new_hallucinations == 0
    assert compare([row], [row], policy).hallucinations == ()
    # And when the waiver ends it is not news.
    comparer = Comparer(index([row], policy), make_policy(), decided_on=TODAY)
    comparer.add(row)
    found = comparer.comparison([], count([]))
    assert (found.new_hallucinations, found.persisting_hallucinations) == (0, 1)


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
    assert (found.new_phrases, found.new_hallucinations) == (expected, len(expected))


def test_a_phrase_that_was_waived_then_is_not_new_when_the_waiver_ends() -> None:
    comparer = Comparer(
        index([flagged(0)], make_policy(waivers=[waiver("q0", "behaviour")])), make_policy(), decided_on=TODAY
    )
    comparer.add(flagged(0))
    assert comparer.comparison([], count([])).new_phrases == ()


@pytest.mark.parametrize("case", ["q0", ""])
def test_a_new_suspect_that_is_waived_is_counted_as_waived_alone(case: str) -> None:
    """Of two cases, each with one new suspect: a waiver of one leaves the other, one of the change leaves none."""
    policy = make_policy(waivers=[waiver(case, "new_suspects")])
    rows = [suspicious(0, "conflict", sharp=True), suspicious(1, "absent")]
    comparer = Comparer(index([make_row(0), make_row(1)]), policy, decided_on=TODAY)
    for row in rows:
        comparer.add(row)
    found = comparer.comparison([], count(rows)).new_suspects
    left = 1 if case else 0
    assert (found.waived, found.conflict, found.sharp, found.absent, len(found.listed)) == (2 - left, 0, 0, left, left)


def test_hallucinations_of_one_case_stay_in_their_order() -> None:
    head = make_row(0, hallucinations=tuple(false_claim(text) for text in ("a", "b", "c")), **UNFAITHFUL)
    assert [moved.hallucination.text for moved in compare([head], [make_row(0)]).hallucinations] == ["a", "b", "c"]


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
    found = compare([after], [before]).new_suspects
    assert (found.suspects, found.persisting) == (new, persisting)


def test_a_case_the_baseline_had_but_did_not_run_is_not_compared() -> None:
    comparer = Comparer(index([make_row(1)], not_in_scope=("q0",)), make_policy(), decided_on=TODAY)
    comparer.add(flagged(0))
    found = comparer.comparison([("q0", "digest-0", True), ("q1", "digest-1", False)], count([]))
    assert (found.compared, found.new_phrases, found.not_run) == (0, ("q0",), 1)
    assert (found.changed, found.added, found.removed) == ((), (), ())


def test_the_suite_s_own_changes_are_told_apart_from_the_scope() -> None:
    base = index([make_row(n) for n in range(4)], not_in_scope=("q8",))
    comparer = Comparer(base, make_policy(waivers=[waiver("q3", "removed")]), decided_on=TODAY)
    comparer.add(make_row(1, digest="rewritten", **RECALL))
    head = [("q0", "digest-0", False), ("q1", "rewritten", True), ("q9", "digest-9", True)]
    found = comparer.comparison(head, count([]))
    assert (found.changed, found.added, found.removed) == (("q1",), ("q9",), ("q3", "q2", "q8"))
    assert (found.not_run, found.compared, found.regressed) == (1, 0, 0)


def test_known_bad_cases_are_not_compared() -> None:
    bad: dict[str, Any] = {
        "kind": "known_bad",
        "blocked_at": "admissibility",
        "hallucinations": (phrase(),),
        "flagged": True,
    }
    found = compare([make_row(0, **bad)], [make_row(0, **bad, **INADMISSIBLE)])
    assert (found.compared, found.hallucinations, found.new_phrases, found.moves) == (0, (), (), ())


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
    assert (found.regressed, len(found.regressions), found.regressions[0].case_id) == (250, 200, "q240")
    assert found.newly_inadmissible[:2] == ("q240", "q0")
    assert found.not_listed == NotListed(newly_inadmissible=50)
    phrases = compare([flagged(n) for n in numbers], base)
    assert (len(phrases.new_phrases), phrases.not_listed) == (200, NotListed(new_phrases=50))
    renamed = [row.model_copy(update={"case_id": f"r{row.position}"}) for row in head]
    assert compare(renamed, base).not_listed == NotListed(added=50, removed=50)


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
    assert [each.problem for each in found.newly_missed] == ['phrase-missing: Missing: "30 days"'] * cases
    # One of a hundred is above every bar of 95 %, and blocks all the same.
    kind = judge(head, base=base).decision.kind
    assert (kind, judge(head).decision.kind) == ("block" if cases else "release", "release")


def test_a_waiver_of_behaviour_covers_a_newly_missed_must() -> None:
    head, base = [make_row(0, musts=Musts(missed=(0,)), outcomes=MISSING)], [make_row(0, musts=Musts(met=(0,)))]
    assert compare(head, base, make_policy(waivers=[waiver("q0", "behaviour")])).newly_missed == ()
    allowed = make_policy(gates={"newly_missed": {"max": 1}, "behaviour": {"min": "0%"}})
    assert gates_by_name(judge(head, allowed, base=base))["newly_missed"] == ("passed", "block")
