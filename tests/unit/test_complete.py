"""Records are written as what they are, whichever version of pydantic built them and however they were made."""

from __future__ import annotations

import subprocess
import sys

import pytest

# What a record may hold is read off the annotations, so each way of holding stands here: directly, behind a union, in a
# mapping below `SerializeAsAny`, two records deep.
HELD = {
    "case_run.CaseRun": {"CaseRun", "Passed", "Failed", "NotApplicable", "Unmeasured", "Rate", "Problem", "Finding"},
    "trace.Trace": {"Trace", "Answer", "TraceClaim", "TracedChunk", "ToolCall", "Usage"},
}


def in_a_new_process(code: str) -> str:
    """What `code` prints where no record was used before: a test of this process may have built any of them."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("record", HELD)
def test_a_record_and_all_it_may_hold_can_be_written(record: str) -> None:
    module, _, name = record.partition(".")
    code = (
        f"from raggate_action.schema.{module} import {name}\n"
        "from raggate_action.schema import base, case_run, json_lines, outcome, trace\n"
        f"json_lines.complete({name})\n"
        "kinds = {k for m in (base, case_run, outcome, trace) for k in vars(m).values() if isinstance(k, type)}\n"
        "print(*{k.__name__ for k in kinds if issubclass(k, base.Record) and k.__pydantic_complete__})"
    )
    assert set(in_a_new_process(code).split()) >= HELD[record]


def test_records_made_without_validation_are_written_in_a_new_process() -> None:
    code = (
        "from raggate_action.run_store.case_lines import row_line, stored_trace_line\n"
        "from raggate_action.schema.case_run import CaseRun\n"
        "from raggate_action.schema.outcome import Passed\n"
        "from raggate_action.schema.trace import Answer, Trace, TraceClaim\n"
        "row = CaseRun.model_construct(case_id='a', position=0, digest='d', file='f', line=1, question='q', state='passed',\n"
        "    outcomes={'target': Passed.model_construct(kind='passed', share=None)})\n"
        "claim = TraceClaim.model_construct(text='c', citation_ids=('k',))\n"
        "trace = Trace.model_construct(answer=Answer.model_construct(text='t', claims=(claim,)))\n"
        "print(row_line(row, withheld=False).decode(), end='')\n"
        "print(stored_trace_line(row, trace, texts='full', withheld=False).decode(), end='')"
    )
    row, trace = in_a_new_process(code).splitlines()
    assert '"outcomes":{"target":{"kind":"passed"}}' in row
    assert '"answer":{"text":"t","claims":[{"text":"c","citation_ids":["k"]' in trace
