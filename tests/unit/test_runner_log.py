"""A step's log: what strangers say in it is text, what we say as a command arrives as one."""

from __future__ import annotations

import io
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout

from hypothesis import given
from hypothesis import strategies as st

from raggate_action.github.workflow_commands import RunnerLog, runner_log, send_commands


def test_a_command_written_in_pieces_is_no_command() -> None:
    stream = io.StringIO()
    log = RunnerLog(stream)
    for piece in ("::", "set-output name=a", "::b", "\n", "::error::x"):
        log.write(piece)
    log.end_line()
    assert stream.getvalue() == ": :set-output name=a::b\n: :error::x\n"


def test_our_own_commands_stand_on_lines_of_their_own() -> None:
    stream = io.StringIO()
    log = RunnerLog(stream)
    log.write("half a line")
    log.command("::notice::ours")
    log.write("end\n")
    assert stream.getvalue() == "half a line\n::notice::ours\nend\n"


def test_a_traceback_is_neutralised_too() -> None:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), runner_log():
        traceback.print_exception(ValueError("x\n::add-mask::a\r##[error]b"))
        sys.stdout.write("::stop-commands::t")
    assert "\n: :add-mask::a?## [error]b\n" in err.getvalue()
    assert out.getvalue() == ": :stop-commands::t\n"


def test_a_closed_log_stops_nothing() -> None:
    stream = io.StringIO()
    log = RunnerLog(stream)
    stream.close()
    assert log.write("a line\n") == 7


@given(st.lists(st.text(alphabet="ab:#[\n \r"), max_size=8))
def test_it_matters_nowhere_how_a_text_is_cut_into_pieces(pieces: list[str]) -> None:
    whole, cut = io.StringIO(), io.StringIO()
    RunnerLog(whole).write("".join(pieces) + "\n")
    log = RunnerLog(cut)
    for piece in [*pieces, "\n"]:
        log.write(piece)
    assert cut.getvalue() == whole.getvalue()


def test_what_a_command_prints_as_its_result_is_left_alone() -> None:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), runner_log(content=True):
        sys.stdout.write("::note:: of a page\n")
        sys.stderr.write("::error::x\n")
    assert (out.getvalue(), err.getvalue()) == ("::note:: of a page\n", ": :error::x\n")


def test_commands_are_sent_in_a_workflow_only() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        send_commands(["::notice::not in a workflow"])
        with runner_log():
            send_commands(["::notice::in one"])
    assert out.getvalue() == "::notice::in one\n"
