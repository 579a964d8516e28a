"""Labelling the claims of a real run: what is offered, what is at hand, what is written, and the way back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from raggate_action import run_suite
from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial
from raggate_action.errors import SuiteError, UsageError
from raggate_action.run.labelling.claims_to_label import LabelableClaim, claim_session, claims_to_label
from raggate_action.run.labelling.label_session import LabelJobs, LabelLedger, LabelOffer, progress_of

CHUNKS = [
    {"chunk_id": "returns", "version": "v1", "text": "Parcels can be returned within 30 days of delivery."},
    {"chunk_id": "refunds", "version": "v1", "text": "Refunds are paid within 5 working days."},
]
ANSWERS = {
    "returns": "Parcels can be returned within 30 days of delivery. The label costs nothing.",
    "refunds": "Refunds are paid within 9 working days.",
    "late": "Late parcels are refunded by the carrier.",
}


def lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))


def made_run(
    folder: Path,
    *,
    suite: str = "",
    chunks: list[dict[str, Any]] | None = None,
    cases: str = "",
    traced: bool = False,
    answers: Mapping[str, Any] = ANSWERS,
) -> Path:
    """A suite of three questions and the run of it; `traced` puts the chunks' texts into the traces."""
    given = CHUNKS if chunks is None else chunks
    lines(folder / "evidence.jsonl", given)
    context = given if traced else [chunk["chunk_id"] for chunk in given]
    lines(
        folder / "traces.jsonl",
        [{"case_id": name, "answer": answer, "context": context} for name, answer in answers.items()],
    )
    asked = "".join(f"- {{case_id: {name}, question: 'What of {name}?'}}\n" for name in answers)
    (folder / "cases.yaml").write_text(cases or asked)
    store = "" if traced else "evidence: [evidence.jsonl]\n"
    target = "target: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "raggate.yaml").write_text(f"suite: shop\ncases: [cases.yaml]\n{store}{target}{suite}")
    run_suite(folder / "raggate.yaml", out=folder / "raggate-run")
    return folder / "raggate-run"


def session_of(run: Path, name: str = "calibration.jsonl") -> LabelJobs:
    ledger = LabelLedger(run.parent / name)
    return LabelJobs([claim_session(claims_to_label(run, suite=None), ledger)], ledger)


def with_votes(run: Path, text: str, *verdicts: str) -> None:
    """As if judges had been asked about a claim."""
    rows = [json.loads(line) for line in (run / "cases.jsonl").read_text().splitlines()]
    for row in rows:
        for claim in row.get("claims", ()):
            if claim["text"] == text:
                claim["votes"] = [{"judge": f"judge-{n}", "verdict": verdict} for n, verdict in enumerate(verdicts)]
    lines(run / "cases.jsonl", rows)


def next_one(session: LabelJobs) -> LabelOffer[LabelableClaim]:
    offer = session.offer()
    assert offer is not None
    return offer


def stored(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run.parent / "calibration.jsonl").read_text().splitlines()]


def test_what_teaches_is_offered_first_and_a_label_is_written_at_once(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with_votes(run, "The label costs nothing.", "supported", "unsupported")
    session = session_of(run)
    first = next_one(session)
    assert (first.of.text, first.turn.drawn) == ("The label costs nothing.", "chosen")
    assert first.of.question == "What of returns?"
    assert first.of.answer[slice(*(first.of.span or ()))] == first.of.text
    assert [chunk.text for chunk in first.of.chunks] == [chunk["text"] for chunk in CHUNKS]
    session.label(first, "unsupported", "nothing is said of a label")
    (line,) = stored(run)
    assert line["claims"] == [
        {
            "claim_id": "claim-2",
            "text": "The label costs nothing.",
            "verdict": "unsupported",
            "drawn": "chosen",
            "note": "nothing is said of a label",
        }
    ]
    assert (line["case_id"], line["answer"]) == ("returns", ANSWERS["returns"])
    second = next_one(session)
    assert second.of.text == "Refunds are paid within 9 working days.", "the suspect"


def test_claims_of_one_answer_share_a_line_and_are_not_offered_again_whoever_labelled_them(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    session = session_of(run)
    seen = []
    while (offer := session.offer()) is not None and offer.turn.drawn != "made":
        seen.append(offer.of.text)
        session.label(offer, "supported", None)
    assert sorted(seen) == sorted(
        ["Parcels can be returned within 30 days of delivery.",
         "The label costs nothing.", ANSWERS["refunds"], ANSWERS["late"]]
    )  # fmt: skip
    assert sorted(len(line["claims"]) for line in stored(run)) == [1, 1, 2]
    assert {claim["drawn"] for line in stored(run) for claim in line["claims"]} == {"random"}, (
        "all of them are labelled"
    )
    again = session_of(run)
    assert again.sessions[0].unlabelled_count == 0
    assert again.offer() is None or next_one(again).turn.drawn == "made"


def test_back_takes_the_last_label_away_and_offers_its_claim_again(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    session = session_of(run)
    assert not session.back()
    first = next_one(session)
    session.label(first, "supported", None)
    kept = (tmp_path / "calibration.jsonl").read_bytes()
    second = next_one(session)
    session.label(second, "partial", None)
    session.skip(next_one(session))
    assert session.back()
    assert session.back()
    assert (tmp_path / "calibration.jsonl").read_bytes() == kept
    assert next_one(session) == second
    assert session.back()
    assert (tmp_path / "calibration.jsonl").read_bytes() == b""
    assert next_one(session) == first


def test_a_copy_of_an_answer_under_another_case_id_is_not_offered_and_counts_once(tmp_path: Path) -> None:
    copied = {f"copy-{n}": ANSWERS["refunds"] for n in range(50)}
    run = made_run(tmp_path, answers=copied)
    session = session_of(run)
    assert session.total == 1
    session.label(next_one(session), "contradicted", None)
    assert (session.sessions[0].unlabelled_count, len(stored(run))) == (0, 1)
    # As a file that was written before has it: a line for each case id.
    (line,) = stored(run)
    many = [line | {"id": name, "case_id": name, "question": f"What of {name}?"} for name in copied]
    lines(tmp_path / "calibration.jsonl", many)
    again = session_of(run)
    assert (again.sessions[0].progress.faulty, again.sessions[0].unlabelled_count) == (1, 0)


def test_what_is_skipped_comes_again_in_the_next_session_only(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    session = session_of(run)
    skipped = next_one(session)
    session.skip(skipped)
    while (offer := session.offer()) is not None:
        assert offer.turn.key != skipped.turn.key
        session.skip(offer)
    assert next_one(session_of(run)) == skipped


def test_a_file_that_somebody_else_changes_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    session = session_of(made_run(tmp_path))
    (tmp_path / "calibration.jsonl").write_text("\n")
    with pytest.raises(UsageError, match="was changed meanwhile"):
        session.label(next_one(session), "supported", None)
    assert (tmp_path / "calibration.jsonl").read_text() == "\n"


def test_a_broken_line_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    (tmp_path / "calibration.jsonl").write_text('{"id": "a"}\n')
    with pytest.raises(SuiteError, match=r"calibration\.jsonl:1:"):
        session_of(run)


# --- what is at hand


def test_without_a_store_texts_are_at_hand_only_where_the_run_kept_them(tmp_path: Path) -> None:
    (tmp_path / "quotes").mkdir()
    (tmp_path / "full").mkdir()
    quotes = claims_to_label(made_run(tmp_path / "quotes", traced=True), suite=None)
    full = claims_to_label(made_run(tmp_path / "full", traced=True, suite="texts: full\n"), suite=None)
    assert (len(quotes.claims), quotes.without_texts) == (0, 4)
    assert (len(full.claims), full.without_texts) == (4, 0)
    assert {chunk.text for each in full.claims.values() for chunk in each.chunks} == {each["text"] for each in CHUNKS}


def test_a_suite_that_keeps_ids_alone_gives_no_text_to_a_file_of_labels(tmp_path: Path) -> None:
    of_run = claims_to_label(made_run(tmp_path, suite="texts: ids\n"), suite=None)
    assert (of_run.claims, of_run.without_texts, of_run.ids_alone) == ({}, 4, True)


def test_a_chunk_that_is_another_by_now_is_not_put_beside_an_old_answer(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    changed = [{**CHUNKS[0], "text": "Parcels can be returned within 14 days.", "version": "v2"}, CHUNKS[1]]
    lines(tmp_path / "evidence.jsonl", changed)
    assert claims_to_label(run, suite=None).claims == {}
    lines(tmp_path / "evidence.jsonl", [*CHUNKS, {"chunk_id": "new", "text": "New."}])
    assert len(claims_to_label(run, suite=None).claims) == 4, "these chunks are what they were"


def test_what_the_asker_may_not_read_is_shown_to_no_labeller_and_what_some_may_is_named(tmp_path: Path) -> None:
    chunks: list[dict[str, Any]] = [
        *CHUNKS,
        {"chunk_id": "staff", "version": "v1", "text": "Staff pay half.", "principals": ["staff"]},
    ]
    cases = "".join(
        f"- {{case_id: {name}, question: 'What of {name}?'{', principals: [staff]' if name == 'late' else ''}}}\n"
        for name in ANSWERS
    )
    of_run = claims_to_label(made_run(tmp_path, chunks=chunks, cases=cases), suite=None)
    # The other two showed the chunk to somebody who may not read it: they are inadmissible and have no claims.
    assert {each.case_id for each in of_run.claims.values()} == {"late"}
    assert of_run.for_some == {"staff"}
    today = cases.replace("principals: [staff]", "tags: [x]")
    (tmp_path / "cases.yaml").write_text(today)
    after = claims_to_label(tmp_path / "raggate-run", suite=None)
    assert (after.claims, after.without_texts) == ({}, 1), "who asks by now may not read it"


def test_known_bad_answers_and_declines_are_no_claims_of_the_app(tmp_path: Path) -> None:
    cases = (
        "- {case_id: late, question: 'What of late?', released: false, blocked_at: answer faithfulness,\n"
        "   trace: {answer: 'Late parcels are burnt. Parcels can be returned within 3 days of delivery.',\n"
        "           context: [returns]}}\n"
        "- {case_id: open, question: 'Are you open on Sundays?', expect: abstain}\n"
        "- {case_id: returns, question: 'What of returns?'}\n"
    )
    declined = {"text": "Late parcels are burnt.", "abstained": True}
    answers = {"open": declined, "returns": ANSWERS["returns"]}
    of_run = claims_to_label(made_run(tmp_path, cases=cases, answers=answers), suite=None)
    assert {each.case_id for each in of_run.claims.values()} == {"returns"}


def test_an_answer_that_is_not_the_one_of_its_row_is_not_offered(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    traces = (run / "traces.jsonl").read_text()
    (run / "traces.jsonl").write_text(traces.replace("9 working days", "8 working days"))
    assert {each.case_id for each in claims_to_label(run, suite=None).claims.values()} == {"returns", "late"}


# --- faults that are made


def test_faults_are_made_of_right_claims_once_the_right_ones_are_enough(tmp_path: Path) -> None:
    run = made_run(
        tmp_path,
        suite="judges:\n  panel: [{name: a, lab: l, model: m}]\n  arming: {labels: 3, faults: 2, false_block: 1.0, false_pass: 1.0}\n",
    )
    session = session_of(run)
    offer = next_one(session)
    assert offer.turn.drawn != "made"
    while next_one(session).of.text != "Parcels can be returned within 30 days of delivery.":
        session.skip(next_one(session))
    session.label(next_one(session), "supported", None)
    assert session.sessions[0].progress == (1, 0, 0, (2, 0, 2))
    session = session_of(run)
    assert session.sessions[0].unlabelled_count == 3, "claims are left, and faults are what is missing"
    made = next_one(session)
    assert made.turn.drawn == "made"
    assert made.turn.drawn == "made"
    assert made.of.changed_from == "Parcels can be returned within 30 days of delivery."
    assert made.of.text != made.of.changed_from
    assert made.of.answer[slice(*(made.of.span or ()))] == made.of.text
    session.label(made, "contradicted", None)
    line = stored(run)[-1]
    assert (line["answer"], line.get("run"), line["case_id"]) == (made.of.answer, None, "returns")
    assert line["claims"][0]["drawn"] == "made"
    assert session.sessions[0].progress.made == 1
    # One that is right all the same is no fault, and not offered again.
    other = next_one(session)
    assert other.turn.drawn == "made"
    session.label(other, "supported", None)
    assert session.sessions[0].progress.missing == (1, 0, 1)
    assert next_one(session).of.text not in {made.of.text, other.of.text}


def test_where_the_run_has_no_other_claim_faults_are_made_of_what_rules_verified(tmp_path: Path) -> None:
    run = made_run(tmp_path, answers={"returns": "Parcels can be returned within 30 days of delivery."})
    session = session_of(run)
    session.skip(next_one(session))
    made = next_one(session)
    assert made.turn.drawn == "made", "a quotation of the chunk is right without a label"
    session.label(made, "contradicted", None)
    while session.offer() is not None:
        session.skip(next_one(session))
    assert session.sessions[0].progress.made == 1


def test_a_claim_that_people_call_faulty_makes_no_faults_though_rules_verified_it(tmp_path: Path) -> None:
    run = made_run(tmp_path, answers={"returns": "Parcels can be returned within 30 days of delivery."})
    session = session_of(run)
    session.label(next_one(session), "partial", None)
    assert session.offer() is None


def test_progress_counts_what_arms_a_judge() -> None:
    # 0.85 ** 19 < 0.05: so many right ones show that a judge without an error blocks at most 15 % of them.
    assert progress_of(OnTrial(LABELLED["claims"], ())) == (0, 0, 0, (50, 19, 20))
