"""Answers by somebody who has not read the rules, through whole runs without labels: failed, to look at, or neither.

The sets stand in `unread/`; its sealed half is opened once, when the rules of reading have been rebuilt.
"""

from __future__ import annotations

import hashlib
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


def names(options: Options) -> Iterator[Table]:
    """Names and subjects exchanged or another's, and look-alikes: what is found on an answer and not on its baseline's.

    Rules are written on the half whose digest of the id is even; of the other only the counts are looked at.
    """
    lines = [json.loads(line) for line in PLACE.with_name("names.jsonl").read_text().splitlines()]
    told, rows = [], []
    for half, is_odd in (("even", False), ("odd", True)):
        own = [each for each in lines if int(hashlib.sha256(each["id"].encode()).hexdigest(), 16) % 2 == is_odd]
        ran = [rows_of([{**each, "answer": each[key]} for each in own]) for key in ("baseline_answer", "answer")]
        found = {}
        for each in own:
            before, now = (
                {
                    (f.kind, f.code, f.sharp)
                    for claim in run[each["id"]].claims
                    for f in claim.findings
                    if not f.advisory
                }
                for run in ran
            )
            found[each["id"]] = now - before
        for is_fault, name in ((True, "faults"), (False, "look-alikes")):
            new = [found[each["id"]] for each in own if each["fault"] is is_fault]
            sharp = sum(any(finding[2] for finding in findings) for findings in new)
            rows.append([f"{name}, {half}", str(len(new)), str(sum(map(bool, new))), str(sharp)])
        told += [
            f"{each['id']}: {each['answer']}" for each in own if not is_odd and each["fault"] and not found[each["id"]]
        ]
    columns = ("set", "answers", "new finding", "sharp")
    yield Table(
        "Names and subjects, by somebody who has not read the rules", columns, rows, told if options.verbatim else ()
    )


def rows_of(answers: list[dict[str, Any]]) -> Mapping[str, CaseRun]:
    """The rows of one run in which the app gives each of these answers, over the passages it was shown."""
    by_id = {each["id"]: each for each in answers}

    def app(case: Mapping[str, Any]) -> dict[str, Any]:
        each = by_id[case["case_id"]]
        passages = [
            {"text": passage}
            if isinstance(passage, str)
            else {"id": passage.get("chunk_id") or passage["id"], "text": passage["text"]}
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
