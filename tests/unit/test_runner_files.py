"""Outputs and summary: no value ever makes an output of its own (F6)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.github.workflow_commands import LARGEST_SUMMARY, append_summary, write_outputs

DELIMITER = "raggate-6f1e"


def outputs_read(text: str) -> dict[str, str]:
    """As the runner reads the file: `NAME<<DELIM`, then lines until one equal to DELIM; or `NAME=VALUE`."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n")[:-1])
    for line in lines:
        name, heredoc, delimiter = line.partition("<<")
        assert heredoc, line
        assert "=" not in name
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found


@pytest.mark.parametrize(
    "value", ["", "a=b", "x\nEOF\nevil=1", "decision<<EOF\nrelease\nEOF", "a\r\nb\rc", "ghadelimiter_1"]
)
def test_f6_a_value_never_makes_an_output_of_its_own(tmp_path: Path, value: str) -> None:
    file = tmp_path / "output"
    write_outputs(file, {"result": value, "decision": "block"}, delimiter=DELIMITER)
    assert outputs_read(file.read_text()) == {
        "result": value.replace("\r\n", "\n").replace("\r", "\n"),
        "decision": "block",
    }


@given(value=st.text(st.characters(exclude_characters="\r")))
def test_f6_any_value_comes_through_whole(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    file = tmp_path_factory.mktemp("runner") / "output"
    write_outputs(file, {"report": value}, delimiter=DELIMITER)
    assert outputs_read(file.read_bytes().decode()) == {"report": value.encode(errors="replace").decode()}


@pytest.mark.parametrize(("name", "value"), [("report", f"x\n{DELIMITER}\ny"), ("a=b\nc", "x"), ("a b", "x")])
def test_what_would_break_out_is_refused(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        write_outputs(tmp_path / "output", {name: value}, delimiter=DELIMITER)
    assert not (tmp_path / "output").exists()


def test_a_summary_is_appended_to_what_stands_there(tmp_path: Path) -> None:
    file = tmp_path / "summary"
    append_summary(file, "one\n")
    append_summary(file, "zwei – 2\n")
    assert file.read_text() == "one\nzwei – 2\n"


def test_a_summary_beyond_what_the_runner_keeps_is_refused_and_the_rest_stays(tmp_path: Path) -> None:
    file = tmp_path / "summary"
    append_summary(file, "x" * (LARGEST_SUMMARY - 2))
    append_summary(file, "ab")
    with pytest.raises(ValueError, match="full"):
        append_summary(file, "c")
    assert file.stat().st_size == LARGEST_SUMMARY
