"""`judges label` writes a run's answers with empty verdicts; what people fill in is what `judges check` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from fuzz.stored_runs import tie
from raggate_action import run_suite
from raggate_action.suite_files.calibration_file import read_labels
from tests.command_line import raggate

CHUNKS: list[dict[str, Any]] = [
    {"chunk_id": "returns", "version": "v1", "text": "Parcels can be returned\nwithin 30 days of delivery."},
    {"chunk_id": "refunds", "version": "v1", "text": "Refunds are paid within 5 working days."},
]
QUOTED = "Parcels can be returned within 30 days of delivery."
ANSWERS = {
    "returns": f"{QUOTED} The label costs nothing.",
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
    """A suite of a question for each answer and the run of it; `traced` puts the chunks' texts into the traces."""
    given = CHUNKS if chunks is None else chunks
    lines(folder / "evidence.jsonl", given)
    context = given if traced else [chunk["chunk_id"] for chunk in given]
    traces = [{"case_id": name, "answer": answer, "context": context} for name, answer in answers.items()]
    lines(folder / "traces.jsonl", traces)
    asked = "".join(f"- {{case_id: {name}, question: 'What of {name}?'}}\n" for name in answers)
    (folder / "cases.yaml").write_text(cases or asked)
    store = "" if traced else "evidence: [evidence.jsonl]\n"
    target = "target: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "raggate.yaml").write_text(f"suite: shop\ncases: [cases.yaml]\n{store}{target}{suite}")
    run_suite(folder / "raggate.yaml", out=folder / "raggate-run")
    return folder / "raggate-run"


def labelled(folder: Path, *options: str) -> str:
    done = raggate("judges", "label", "raggate-run", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def entries(folder: Path, name: str = "labels.yaml") -> list[dict[str, Any]]:
    path = folder / name
    return list(yaml.safe_load(path.read_text())) if path.is_file() else []


def with_votes(run: Path, text: str, *verdicts: str) -> None:
    """As if judges had been asked about a claim."""
    rows = [json.loads(line) for line in (run / "cases.jsonl").read_text().splitlines()]
    for row in rows:
        for claim in row.get("claims", ()):
            if claim["text"] == text:
                claim["votes"] = [{"judge": f"judge-{n}", "verdict": verdict} for n, verdict in enumerate(verdicts)]
    lines(run / "cases.jsonl", rows)
    tie(run)


def test_answers_are_written_whole_with_empty_verdicts_and_nothing_that_others_said(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    with_votes(run, ANSWERS["late"], "supported", "unsupported")
    said = labelled(tmp_path)
    text = (tmp_path / "labels.yaml").read_text()
    first, second, *_others = own = entries(tmp_path)
    assert {key: first[key] for key in first if key != "id"} == {
        "case_id": "late",
        "question": "What of late?",
        "chunks": [{"chunk_id": chunk["chunk_id"], "text": chunk["text"]} for chunk in CHUNKS],
        "answer": ANSWERS["late"],
        "claims": [{"claim_id": "claim-1", "text": ANSWERS["late"], "verdict": None}],
    }
    assert second["case_id"] == "refunds", "a rule found something"
    assert [claim["text"] for claim in own[2]["claims"]] == [QUOTED, "The label costs nothing."]
    assert not any(word in text for word in ("judge-0", "unverified", "conflict"))
    assert "    verdict:\n" in text
    assert "    text: |-\n      Parcels can be returned\n      within 30 days of delivery.\n" in text
    # Four claims, and faults of the one that is a quotation.
    written = sum(len(entry["claims"]) for entry in own)
    made = [claim for entry in own for claim in entry["claims"] if claim.get("made")]
    assert made
    assert len(made) == written - 4
    assert said.startswith(
        f"raggate: labels.yaml\n  claims: {written} empty verdicts written, {len(made)} of them of planted"
    )
    assert f"; {written} empty now; a judge needs 50 labels more to be armed\n" in said


def test_what_is_filled_in_stays_and_is_not_asked_about_again(tmp_path: Path) -> None:
    made_run(tmp_path)
    labelled(tmp_path, "--count", "1")
    before = (tmp_path / "labels.yaml").read_text().replace("verdict:\n", "verdict: unsupported # my own\n")
    (tmp_path / "labels.yaml").write_text(before)
    assert "1 verdict" not in labelled(tmp_path)
    after = (tmp_path / "labels.yaml").read_text()
    assert after.startswith(before)
    texts = [claim["text"] for entry in entries(tmp_path) for claim in entry["claims"]]
    assert len(texts) == len(set(texts))
    assert "0 empty verdicts written" in labelled(tmp_path)
    assert (tmp_path / "labels.yaml").read_text() == after


def test_faults_are_made_of_what_people_call_right(tmp_path: Path) -> None:
    made_run(tmp_path, answers={"late": ANSWERS["late"]})
    assert "made" not in labelled(tmp_path), "nothing is verified by rules"
    path = tmp_path / "labels.yaml"
    path.write_text(path.read_text().replace("verdict:\n", "verdict: supported\n"))
    assert "of them of planted" in labelled(tmp_path)
    made = entries(tmp_path)[1:]
    assert all(entry["claims"][0]["text"] in entry["answer"] != ANSWERS["late"] for entry in made)


def test_a_copy_of_an_answer_under_another_case_id_is_written_once(tmp_path: Path) -> None:
    made_run(tmp_path, answers={f"copy-{n}": ANSWERS["refunds"] for n in range(20)})
    labelled(tmp_path)
    assert len(entries(tmp_path)) == 1


def test_a_file_that_nothing_can_be_written_behind_is_left_as_it_is(tmp_path: Path) -> None:
    made_run(tmp_path)
    entry = {"id": "a", "question": "?", "chunks": [], "answer": "A.", "claims": [{"claim_id": "c", "text": "A."}]}
    for content, told in (
        (json.dumps([entry]), "nothing can be written behind the labels in labels.yaml"),
        ("- {id: a}\n", "labels.yaml:1:"),
    ):
        (tmp_path / "labels.yaml").write_text(content)
        done = raggate("judges", "label", "raggate-run", cwd=tmp_path)
        assert done.returncode == 2
        assert told in done.stderr
        assert (tmp_path / "labels.yaml").read_text() == content
        assert not [*tmp_path.glob(".labels*")]


def test_two_people_fill_in_a_copy_each_and_check_says_where_they_differ(tmp_path: Path) -> None:
    made_run(tmp_path)
    labelled(tmp_path)
    labelled(tmp_path, "--out", "second.yaml")
    text = (tmp_path / "labels.yaml").read_text()
    assert (tmp_path / "second.yaml").read_text() == text
    (tmp_path / "second.yaml").write_text(text.replace("verdict:\n", "verdict: unsupported\n"))
    first = text.replace("verdict:\n", "verdict: contradicted\n", 1).replace("verdict:\n", "verdict: supported\n", 1)
    (tmp_path / "labels.yaml").write_text(first)
    done = raggate("judges", "check", "labels.yaml", "second.yaml", cwd=tmp_path)
    own = [claim["text"] for entry in entries(tmp_path) for claim in entry["claims"]]
    assert (done.returncode, done.stderr) == (0, "")
    # One of two is on the same side; people who call everything faulty agree no more than by chance.
    assert done.stdout == (
        "raggate: claims: two people agree what is right on 1/2, kappa 0: a judge can hardly reach more\n"
        f"  contradicted or unsupported: {own[0]}\n"
        f"  supported or unsupported: {own[1]}\n"
    )


# --- what is at hand


def test_without_a_store_texts_are_at_hand_only_where_the_run_kept_them(tmp_path: Path) -> None:
    (tmp_path / "quotes").mkdir()
    (tmp_path / "full").mkdir()
    made_run(tmp_path / "quotes", traced=True, suite="texts: quotes\n")
    made_run(tmp_path / "full", traced=True)
    said = labelled(tmp_path / "quotes")
    assert said.startswith(
        "raggate: the run has nothing to label\n  4 claims cannot be labelled, for the texts of their"
    )
    assert entries(tmp_path / "quotes") == []
    labelled(tmp_path / "full")
    assert {entry["case_id"] for entry in entries(tmp_path / "full")} == set(ANSWERS)


def test_a_suite_that_keeps_ids_alone_gives_no_text_to_a_file_of_labels(tmp_path: Path) -> None:
    made_run(tmp_path, suite="texts: ids\n")
    assert "4 claims cannot be labelled, for the suite keeps ids alone" in labelled(tmp_path)
    assert not (tmp_path / "labels.yaml").exists()


def test_a_chunk_that_is_another_by_now_is_not_put_beside_an_old_answer(tmp_path: Path) -> None:
    made_run(tmp_path)
    changed = [{**CHUNKS[0], "text": "Parcels can be returned within 14 days.", "version": "v2"}, CHUNKS[1]]
    lines(tmp_path / "evidence.jsonl", changed)
    assert "nothing to label" in labelled(tmp_path)
    lines(tmp_path / "evidence.jsonl", [*CHUNKS, {"chunk_id": "new", "text": "New."}])
    labelled(tmp_path)
    assert {entry["case_id"] for entry in entries(tmp_path)} == set(ANSWERS), "these chunks are what they were"


def test_what_the_asker_may_not_read_is_written_nowhere_and_what_some_may_is_named(tmp_path: Path) -> None:
    staff = {"chunk_id": "staff", "version": "v1", "text": "Staff pay half.", "principals": ["staff"]}
    cases = "".join(
        f"- {{case_id: {name}, question: 'What of {name}?'{', principals: [staff]' if name == 'late' else ''}}}\n"
        for name in ANSWERS
    )
    made_run(tmp_path, chunks=[*CHUNKS, staff], cases=cases)
    assert "1 chunk of these answers may be read only by some people" in labelled(tmp_path)
    # The other two showed the chunk to somebody who may not read it: they are inadmissible and have no claims.
    assert {entry["case_id"] for entry in entries(tmp_path)} == {"late"}
    (tmp_path / "labels.yaml").unlink()
    (tmp_path / "cases.yaml").write_text(cases.replace("principals: [staff]", "tags: [x]"))
    assert "1 claim cannot be labelled" in labelled(tmp_path), "who asks by now may not read it"
    assert not (tmp_path / "labels.yaml").exists()


def test_known_bad_answers_and_declines_are_no_claims_of_the_app(tmp_path: Path) -> None:
    cases = (
        "- {case_id: late, question: 'What of late?', released: false, blocked_at: answer faithfulness,\n"
        "   trace: {answer: 'Late parcels are burnt. Parcels can be returned within 3 days of delivery.',\n"
        "           context: [returns]}}\n"
        "- {case_id: open, question: 'Are you open on Sundays?', expect: abstain}\n"
        "- {case_id: returns, question: 'What of returns?'}\n"
    )
    declined = {"text": "Late parcels are burnt.", "abstained": True}
    made_run(tmp_path, cases=cases, answers={"open": declined, "returns": ANSWERS["returns"]})
    labelled(tmp_path)
    assert {entry["case_id"] for entry in entries(tmp_path)} == {"returns"}


def test_an_answer_that_is_not_the_one_of_its_row_is_not_written(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    traces = (run / "traces.jsonl").read_text()
    (run / "traces.jsonl").write_text(traces.replace("9 working days", "8 working days"))
    tie(run)
    labelled(tmp_path)
    assert {entry["case_id"] for entry in entries(tmp_path)} == {"returns", "late"}


# --- facts and criteria

JUDGES = "judges: {panel: [{name: owl, lab: North, model: owl-1, base_url: 'http://127.0.0.1:9/v1', attempts: 1}]}\n"
ASKED = """\
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


def test_facts_and_criteria_have_entries_with_their_job(tmp_path: Path) -> None:
    answers = {"returns": ANSWERS["returns"], "late": ANSWERS["late"], "no": "I do not know."}
    made_run(tmp_path, suite=JUDGES, cases=ASKED, answers=answers)
    said = labelled(tmp_path)
    held = [entry for entry in entries(tmp_path) if "job" in entry]
    own = [entry for entry in held if not any(item.get("made") for item in entry["items"])]
    assert {(entry["job"], entry["case_id"], *[item["text"] for item in entry["items"]]) for entry in own} == {
        ("agreement", "returns", "Parcels can be returned within 30 days.", "It costs nothing."),
        ("agreement", "late", "The carrier refunds late parcels."),
        ("criteria", "returns", "names a number of days", "promises a refund"),
    }
    # An answer beside the facts of another case: it hardly has them.
    made = [entry for entry in held if entry not in own]
    assert {(entry["case_id"], entry["items"][0]["text"]) for entry in made} == {
        ("returns", "The carrier refunds late parcels."), ("late", "Parcels can be returned within 30 days."),
    }  # fmt: skip
    assert "  agreement: 6 empty verdicts written, 3 of them of planted faults" in said
    text = (tmp_path / "labels.yaml").read_text()
    (tmp_path / "labels.yaml").write_text(text.replace('days"\n    verdict:', 'days"\n    verdict: yes'))
    [criteria] = [label for label in read_labels(tmp_path / "labels.yaml") if label.job == "criteria"]
    assert [item.verdict for item in criteria.items] == ["yes", None]


def test_what_repeats_text_that_the_asker_may_not_read_is_not_written(tmp_path: Path) -> None:
    kept_back = "The depot in Bremen opens its back door at six every morning for carriers."
    hidden = {"chunk_id": "hidden", "version": "v1", "text": kept_back, "principals": ["staff"]}
    cases = ASKED.replace("It costs nothing.", kept_back)
    answers = {"returns": ANSWERS["returns"], "late": ANSWERS["late"], "no": "I do not know."}
    lines(tmp_path / "evidence.jsonl", [*CHUNKS, hidden])
    run = made_run(tmp_path, suite=JUDGES, cases=cases, answers=answers)
    lines(tmp_path / "evidence.jsonl", [*CHUNKS, hidden])
    labelled(tmp_path)
    assert run.is_dir()
    assert "Bremen" not in (tmp_path / "labels.yaml").read_text()
    assert "names a number of days" in (tmp_path / "labels.yaml").read_text()
