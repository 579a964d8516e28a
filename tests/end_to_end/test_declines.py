"""Declines of many kinds in one run, as a user sees it: none a lie, none hidden, and answers told from them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.command_line import raggate

SUITE = """\
suite: house
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""
EVIDENCE = {"pets": "Dogs and cats are allowed in every flat of the house.", "api": "The price stands in the reply."}
# Case: question, what is expected, answer, and the faithfulness gate's outcome.
CASES = {
    "english": ("Is there a sauna?", "abstain", "The documents cover pets, but nothing on saunas.", "not_applicable"),
    "german": ("Is there a sauna?", "abstain", "Dazu liegen mir keine Informationen vor.", "not_applicable"),
    "doubtful": ("Is there a sauna?", "abstain", "That sauna question had me stumped.", "no-adjudicator"),
    "repeated": ("Who owns the sauna?", "abstain", "The runbook doesn't name a person.", "not_applicable"),
    "beside": (
        "Does acetone burn?",
        "abstain",
        "Water does not. The table does not mention acetone.",
        "no-adjudicator",
    ),
    "italian": ("Is there a sauna?", "abstain", "Non riesco a trovare nulla su questo.", "no-adjudicator"),
    "reason": ("What can I eat?", "abstain", "You can safely have pilaf, as its entry lists no nuts.", "failed"),
    "aside": ("Are there nuts?", "abstain", "I don't know whether it contains nuts (it does not).", "failed"),
    "usual": ("How long?", "abstain", "There is no information on this, normally 30 days.", "failed"),
    "guess": ("How much?", "abstain", "No estoy seguro, quizá veinte euros.", "failed"),
    "duty": ("How do I book?", "abstain", "I don't know. Ask your manager no later than ten days before.", "failed"),
    "code": ("Where is the price?", "answer", "The price is items[0].price in the reply.", "no-adjudicator"),
}


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """The run's record, and its rows by case."""
    folder = tmp_path_factory.mktemp("declines")
    (folder / "raggate.yaml").write_text(SUITE)
    (folder / "evidence.jsonl").write_text(lines([{"chunk_id": i, "text": t} for i, t in EVIDENCE.items()]))
    cases = [{"case_id": name, "question": q, "expect": expect} for name, (q, expect, _, _) in CASES.items()]
    (folder / "cases.jsonl").write_text(lines(cases))
    traces = [{"case_id": name, "answer": a, "context": [*EVIDENCE]} for name, (_, _, a, _) in CASES.items()]
    (folder / "traces.jsonl").write_text(lines(traces))
    done = raggate("run", "--out", "out", cwd=folder)
    assert done.returncode == 1, done.stdout + done.stderr
    rows = map(json.loads, (folder / "out" / "cases.jsonl").read_text().splitlines())
    return json.loads((folder / "out" / "run.json").read_text()), {row["case_id"]: row for row in rows}


@pytest.mark.parametrize("name", CASES)
def test_each_is_read_as_it_is_meant(run: tuple[dict[str, Any], dict[str, Any]], name: str) -> None:
    row, expected = run[1][name], CASES[name][3]
    outcome = row["outcomes"]["faithfulness"]
    assert expected in {outcome["kind"], outcome.get("reason")}
    told = [problem["code"] for problem in outcome.get("problems", ())]
    assert told == (["answered-though-unanswerable"] if expected == "failed" else [])
    assert [hallucination["kind"] for hallucination in row["hallucinations"]] == ["answered"] * (expected == "failed")


def test_what_is_undecided_costs_no_budget_and_says_what_to_do(run: tuple[dict[str, Any], dict[str, Any]]) -> None:
    record, rows = run
    gates = {gate["gate"]: gate for gate in record["gates"]}
    assert gates["unmeasured"]["status"] == "passed"
    for name in ("doubtful", "italian"):
        assert rows[name]["state"] == "passed"
        assert "report answer.abstained" in rows[name]["outcomes"]["faithfulness"]["detail"]


def test_program_text_makes_no_suite_cite(run: tuple[dict[str, Any], dict[str, Any]]) -> None:
    assert run[1]["code"]["outcomes"]["citation_support"]["kind"] == "not_applicable"
    assert [claim["citations"] for claim in run[1]["code"]["claims"]] == [[]]
