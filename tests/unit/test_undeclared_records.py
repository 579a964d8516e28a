"""Records are written where their type is not declared, whichever version of pydantic built them."""

from __future__ import annotations

import subprocess
import sys


def in_a_new_process(code: str) -> list[str]:
    """What `code` prints where no record was used before: a test of this process may have built any of them."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_row_and_a_trace_read_in_a_new_process_are_written_again() -> None:
    code = (
        "from raggate_action.run_store.case_lines import row_line, stored_trace_line\n"
        "from raggate_action.schema.case_run import CaseRun\n"
        "from raggate_action.schema.trace import TraceLine\n"
        """row = '{"case_id":"a","position":0,"digest":"d","file":"f","line":1,"question":"q","state":"failed",'\n"""
        """row += '"outcomes":{"target":{"kind":"passed"},"slow":{"kind":"not_applicable","why":"w"},'\n"""
        """row += '"answered":{"kind":"failed","problems":[{"code":"c","detail":"d"}]},'\n"""
        """row += '"faithfulness":{"kind":"unmeasured","reason":"cut","detail":"d"}}}'\n"""
        "row = CaseRun.model_validate_json(row)\n"
        """trace = '{"answer":{"text":"t","claims":[{"text":"c"}]},"context":[{"chunk_id":"k","text":"x"}],'\n"""
        """trace += '"tool_calls":[{"name":"n"}],"usage":{},"earlier":[{"text":"e","run":"r"}]}'\n"""
        "trace = TraceLine.model_validate_json(trace)\n"
        "print(row_line(row, withheld=False).decode(), end='')\n"
        "line = stored_trace_line(row, trace.trace, texts='full', withheld=False, earlier=trace.earlier)\n"
        "print(line.decode(), end='')"
    )
    row, trace = in_a_new_process(code)
    assert '"outcomes":{"target":{"kind":"passed"},"slow":{"kind":"not_applicable","why":"w"}' in row
    assert '"answered":{"kind":"failed","problems":[{"code":"c","detail":"d"}]}' in row
    assert '"answer":{"text":"t","claims":[{"text":"c"' in trace
    assert '"context":[{"chunk_id":"k","text":"x"}],"tool_calls":[{"name":"n"}],"usage":{"input_tokens":0' in trace
    assert '"earlier":[{"text":"e","run":"r"}]' in trace


def test_a_case_read_in_a_new_process_has_a_digest() -> None:
    code = (
        "from raggate_action.schema.case import Case, case_digest\n"
        """given = '{"case_id":"a","question":"q","must_contain":[{"word":"w"},{"regex":"r"},{"any":["a",{"word":"b"}]}]}'\n"""
        "print(case_digest(Case.model_validate_json(given)))"
    )
    assert len(in_a_new_process(code)) == 1
