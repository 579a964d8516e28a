"""Labelling facts and criteria of a real run: what is offered, in which order, what is written, and the way back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from raggate_action import run_suite
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES
from raggate_action.run.labelling.claims_to_label import LabelableClaim, claim_session, claims_to_label
from raggate_action.run.labelling.items_to_label import LabelableItem, item_sessions, items_to_label
from raggate_action.run.labelling.label_session import LabelJobs, LabelLedger, LabelOffer, LabelSession
from raggate_action.schema.judgement import ItemGate
from raggate_action.suite_files import load_suite
from tests.integration.terminal import Terminal
from tests.integration.test_label_session import lines

PROMPT = "q quit  j other job\r\n> "
CHUNKS: list[dict[str, Any]] = [
    {"chunk_id": "returns", "version": "v1", "text": "Parcels can be returned within 30 days of delivery."}
]
ANSWERS = {
    "returns": "Parcels can be returned within 30 days of delivery. The label costs nothing.",
    "late": "Late parcels are refunded by the carrier.",
    "no": "I do not know.",
}
CASES = """\
- case_id: returns
  question: What of returns?
  reference_answer: Parcels can be returned within 30 days. It costs nothing.
  criteria: [names a number of days, {must_not: promises a refund}]
- case_id: late
  question: What of late parcels?
  reference_answer: The carrier refunds late parcels.
- case_id: "no"
  question: What of lost ones?
  reference_answer: They are searched for.
  criteria: [is polite]
"""
JUDGES = "judges: {panel: [{name: owl, lab: North, model: owl-1, base_url: 'http://127.0.0.1:9/v1', attempts: 1}]}\n"


def made_run(
    folder: Path,
    *,
    judges: str = JUDGES,
    suite: str = "",
    answers: Mapping[str, str] = ANSWERS,
    chunks: list[dict[str, Any]] = CHUNKS,
    cases: str = CASES,
) -> Path:
    lines(folder / "evidence.jsonl", chunks)
    lines(
        folder / "traces.jsonl",
        [{"case_id": name, "answer": answer, "context": ["returns"]} for name, answer in answers.items()],
    )
    (folder / "cases.yaml").write_text(cases)
    target = "target: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "raggate.yaml").write_text(
        f"suite: shop\ncases: [cases.yaml]\nevidence: [evidence.jsonl]\n{target}{judges}{suite}"
    )
    run_suite(folder / "raggate.yaml", out=folder / "raggate-run")
    return folder / "raggate-run"


def jobs_of(run: Path) -> LabelJobs:
    of_run = claims_to_label(run, suite=None)
    ledger = LabelLedger(run.parent / "calibration.jsonl")
    return LabelJobs([claim_session(of_run, ledger), *item_sessions(run, of_run.loaded, ledger)], ledger)


def session_of(run: Path, gate: ItemGate) -> LabelSession[LabelableItem]:
    return next(each for each in jobs_of(run).sessions if each.job == gate)


def stored(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run.parent / "calibration.jsonl").read_text().splitlines()]


def offered(session: LabelSession[LabelableItem]) -> LabelOffer[LabelableItem]:
    found = session.offer()
    assert found is not None
    return found


def with_item_votes(run: Path, text: str, *said: str) -> None:
    """As if judges had said this of a fact or criterion."""
    kept = []
    for line in (run / "cases.jsonl").read_text().splitlines():
        row = json.loads(line)
        for item in (row.get("answer_votes") or {}).get("items", ()):
            if item.get("text") == text:
                item["votes"] = [{"judge": f"judge-{n}", "said": word} for n, word in enumerate(said)]
        kept.append(row)
    lines(run / "cases.jsonl", kept)


def test_facts_and_criteria_of_answers_that_say_something_are_offered(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    found = items_to_label(run, load_suite(tmp_path / "raggate.yaml", environment={}))
    assert [(each.gate, each.held.case_id, each.item.text, each.item.must_not) for each in found.values()] == [
        ("agreement", "returns", "Parcels can be returned within 30 days.", False),
        ("agreement", "returns", "It costs nothing.", False),
        ("criteria", "returns", "names a number of days", False),
        ("criteria", "returns", "promises a refund", True),
        ("agreement", "late", "The carrier refunds late parcels.", False),
    ]


def test_without_judges_a_reference_is_for_people_and_criteria_are_offered(tmp_path: Path) -> None:
    run = made_run(tmp_path, judges="")
    assert {
        each.gate for each in items_to_label(run, load_suite(tmp_path / "raggate.yaml", environment={})).values()
    } == {"criteria"}


def test_a_suite_that_keeps_ids_alone_offers_none(tmp_path: Path) -> None:
    run = made_run(tmp_path, suite="texts: ids\n")
    assert items_to_label(run, load_suite(tmp_path / "raggate.yaml", environment={})) == {}


def test_a_label_is_a_line_with_its_job_and_with_all_items_and_grows_with_the_next(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    before = '{"id": "a1", "question": "?", "chunks": [], "answer": "Hot.", "claims": [{"claim_id": "k", "text": "Hot.", "verdict": "unsupported"}]}'
    (tmp_path / "calibration.jsonl").write_text(before + "\n")
    session = session_of(run, "criteria")
    first = offered(session)
    session.label(first, "yes" if first.of.item.text == "names a number of days" else "no", "why")
    kept, line = (tmp_path / "calibration.jsonl").read_text().splitlines()
    assert kept == before, "a line that nobody adds to stays byte for byte"
    written = json.loads(line)
    assert (written["job"], written["question"], written["case_id"]) == ("criteria", "What of returns?", "returns")
    assert written["id"].startswith("returns-")
    assert [(item["text"], item.get("verdict")) for item in written["items"]] == [
        ("names a number of days", "yes" if first.of.place == 0 else None),
        ("promises a refund", "no" if first.of.place == 1 else None),
    ]
    again = session_of(run, "criteria")
    assert (again.total, again.unlabelled_count) == (2, 1)
    second = offered(again)
    assert second.of.place == 1 - first.of.place
    again.label(second, "yes" if second.of.place == 0 else "no", None)
    assert len(stored(run)) == 2, "in the same line"
    # A number is named, and no refund promised: both are right.
    assert again.progress[:3] == (2, 0, 0)
    loaded = load_suite(tmp_path / "raggate.yaml", environment={})
    assert [len(each.labelled) for each in loaded.held] == [2]
    assert {item.drawn for item in loaded.held[0].items} == {"random"}


def test_what_judges_disagree_about_comes_first_and_says_so(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with_item_votes(run, "It costs nothing.", "stated", "lacking")
    with_item_votes(run, "The carrier refunds late parcels.", "lacking", "lacking")
    session = session_of(run, "agreement")
    order = []
    while (offer := session.offer()) is not None and offer.turn.drawn != "made":
        order.append((offer.of.item.text, offer.turn.drawn))
        session.label(offer, "stated", None)
    assert order[:2] == [
        ("It costs nothing.", "chosen"),
        ("The carrier refunds late parcels.", "chosen"),
    ]
    assert order[2] == ("Parcels can be returned within 30 days.", "random")


def test_where_faults_are_missing_an_answer_is_held_against_another_cases_facts(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    session = session_of(run, "agreement")
    while (offer := session.offer()) is not None and offer.turn.drawn != "made":
        session.label(offer, "stated", None)
    assert offer is not None
    own = {"returns": ANSWERS["returns"], "late": ANSWERS["late"]}
    assert own[str(offer.of.held.case_id)] == offer.of.held.answer
    of_other = {"returns": "late", "late": "returns"}[str(offer.of.held.case_id)]
    assert (offer.of.item.text == "The carrier refunds late parcels.") is (of_other == "late")
    session.label(offer, "lacking", None)
    assert session.progress[:3] == (3, 1, 1)
    assert [item["drawn"] for line in stored(run) for item in line["items"] if item.get("verdict") == "lacking"] == [
        "made"
    ]
    following = session.offer()
    assert following is None or following.turn.key != offer.turn.key


def test_one_job_after_another_and_the_way_back_over_both(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    jobs = jobs_of(run)
    while (offer := jobs.offer()) is not None and isinstance(offer.of, LabelableClaim):
        jobs.label(offer, "supported", None) if offer.turn.drawn != "made" else jobs.skip(offer)
    assert offer is not None
    given = jobs.given
    assert offer.of.gate == "agreement"
    jobs.label(offer, "stated", None)
    assert jobs.go_over()
    criterion = jobs.offer()
    assert criterion is not None
    assert isinstance(criterion.of, LabelableItem)
    assert criterion.of.gate == "criteria"
    jobs.skip(criterion)
    assert jobs.back()
    assert jobs.offer() == criterion
    assert jobs.back()
    again = jobs.offer()
    assert again is not None
    assert isinstance(again.of, LabelableItem)
    assert again.of.item == offer.of.item
    assert jobs.given == given
    assert not any("job" in line for line in stored(run)), "its line is gone"


def test_at_a_terminal_a_person_goes_over_to_criteria_and_back(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with_item_votes(run, "promises a refund", "yes", "no")
    with Terminal("judges", "label", "raggate-run", cwd=tmp_path, columns=160) as terminal:
        head = terminal.until(PROMPT)
        assert "And agreement: 3 of 3 facts to label; so far 0 labels: 0 right, 0 faulty;" in head
        assert (
            "And criteria: 2 of 2 criteria to label; 1 where judges disagree, 0 that they doubt; so far 0 labels"
            in head
        )
        facts = terminal.press("j", PROMPT)
        assert "s stated  l lacking  c contradicted\n" in facts
        assert "── fact 1 · " in facts
        criteria = terminal.press("j", PROMPT)
        assert "Criteria: say whether the answer does what stands there, not whether it should." in criteria
        assert "── criterion 1 · returns ─" in criteria
        assert "chosen, for it teaches more than others\n" in criteria
        # Neither what judges say nor whether it is wanted stands there before the key.
        assert "judge-0" not in criteria
        assert "must" not in criteria.partition("── criterion")[2]
        assert "y yes  x no\n" in criteria
        assert "this is none of the keys above" in terminal.press("s", PROMPT)
        after = terminal.press("y", PROMPT)
        assert "  judge-0: yes · judge-1: no\n" in after
        assert "  1 label: 0 right, 1 faulty;" in after
        assert "── criterion 2 · returns ─" in after
        assert "── criterion 1 · returns ─" in terminal.press("b", PROMPT)
        terminal.press("x", PROMPT)
        terminal.press("q", "")
        code, end = terminal.ended()
    assert code == 0
    assert "  criteria: 1 label: 1 right, 0 faulty;" in end
    (line,) = stored(run)
    assert [(item.get("verdict"), item["drawn"]) for item in line["items"]] == [(None, "chosen"), ("no", "chosen")]


@pytest.mark.parametrize("gate", ITEM_GATES)
def test_a_label_of_one_job_is_none_of_another(tmp_path: Path, gate: ItemGate) -> None:
    run = made_run(tmp_path)
    session = session_of(run, gate)
    session.label(offered(session), "stated" if gate == "agreement" else "yes", None)
    for other in jobs_of(run).sessions[1:]:
        assert sum(other.progress[:2]) == (other.job == gate)
    assert jobs_of(run).sessions[0].unlabelled_count == jobs_of(run).sessions[0].total


def test_what_repeats_text_that_the_asker_may_not_read_is_not_offered(tmp_path: Path) -> None:
    kept_back = "The depot in Bremen opens its back door at six every morning for carriers."
    hidden = {"chunk_id": "hidden", "version": "v1", "text": kept_back, "principals": ["staff"]}
    cases = CASES.replace("It costs nothing.", kept_back)
    run = made_run(tmp_path, chunks=[*CHUNKS, hidden], cases=cases)
    found = items_to_label(run, load_suite(tmp_path / "raggate.yaml", environment={}))
    assert not any("Bremen" in each.text for item in found.values() for each in item.held.items)
    assert ("criteria", "returns") in {(each.gate, each.held.case_id) for each in found.values()}
    assert ("agreement", "late") in {(each.gate, each.held.case_id) for each in found.values()}
