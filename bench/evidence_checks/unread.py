"""Answers by somebody who has not read the rules, through whole runs without labels: failed, to look at, or neither.

The sets stand in `unread/`; its sealed half is opened once, when the rules of reading have been rebuilt.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import raggate_action
from bench.table import Options, Table
from raggate_action.schema.case_run import CaseRun

PLACE = Path(__file__).with_name("unread")
STATES = ("failed", "unmeasured", "to look at", "neither")


def sets(place: Path = PLACE) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each set by what it holds: faults and right answers apart, declines and what looks like one."""
    lines = {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in place.glob("*.jsonl")}
    yield "right values", lines["values_right"]
    yield "wrong values", lines["values_wrong"]
    yield "right answers", [each for each in lines["answers"] if not each["fault"]]
    yield "faults of 15 kinds", [each for each in lines["answers"] if each["fault"]]
    yield "declines", [each for each in lines["declines"] if each["kind"] == "decline"]
    yield "answers that look like a decline", [each for each in lines["declines"] if each["kind"] == "answer"]


def rows_of(answers: list[dict[str, Any]]) -> Mapping[str, CaseRun]:
    """The rows of one run in which the app gives each of these answers, over the passages it was shown."""
    by_id = {each["id"]: each for each in answers}

    def app(case: Mapping[str, Any]) -> dict[str, Any]:
        each = by_id[case["case_id"]]
        passages = [
            {"text": passage} if isinstance(passage, str) else {"id": passage["chunk_id"], "text": passage["text"]}
            for passage in each["passages"]
        ]
        return {"answer": each["answer"], "contexts": passages}

    cases = [{"case_id": each["id"], "question": each["question"]} for each in answers]
    run = raggate_action.run_suite(cases, target=app)
    return {row.case_id: row for row in run.rows()}


def state_of(row: CaseRun) -> str:
    """What a reviewer sees of a case."""
    if row.state in {"failed", "unmeasured"}:
        return row.state
    found = (finding for claim in row.claims for finding in claim.findings)
    return "to look at" if any(not finding.advisory for finding in found) else "neither"


def tables(options: Options) -> Iterator[Table]:
    """How many of each set come out so; below them each right answer that fails, and each fault that is neither."""
    told: list[str] = []
    rows = []
    for name, answers in sets():
        states = {case_id: state_of(row) for case_id, row in rows_of(answers).items()}
        counts = Counter(states.values())
        rows.append([name, str(len(answers)), *[str(counts[state]) for state in STATES]])
        wrong = "failed" if "right" in name or "look like" in name else "neither"
        told += [f"{name}, {wrong}: {e['question']} -> {e['answer']}" for e in answers if states[e["id"]] == wrong]
    columns = ("set", "answers", *STATES)
    yield Table("Answers by somebody who has not read the rules", columns, rows, told if options.verbatim else ())
