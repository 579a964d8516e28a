"""`raggate-action audit` as people run it: real processes, real files, one JSON object and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from raggate_action.cli.audit_command import EXITS
from raggate_action.cli.schema_command import schema_of
from tests.forked import Forks

CHUNKS = """\
{"id": "fee", "text": "The fee is 20 EUR. The deposit is refunded within 14 days."}

{"chunk_id": "tea", "text": "Tea is served hot every day.", "version": "v2", "permitted": true}
"""


Done = subprocess.CompletedProcess[bytes]
PATH = {"PATH": "/usr/bin:/bin"}
AUDIT = ("-m", "raggate_action", "audit")


class Audit(NamedTuple):
    """The command in a folder."""

    folder: Path
    forks: Forks

    def __call__(self, *arguments: str, given: bytes = b"", **environment: str) -> Done:
        env = {**PATH, **environment}
        return self.forks.run_bytes(*AUDIT, *arguments, cwd=self.folder, env=env, given=given)

    def anew(self, *arguments: str, given: bytes = b"") -> Done:
        """Started anew, with the standard streams that such a process has."""
        command = [sys.executable, *AUDIT, *arguments]
        return subprocess.run(command, cwd=self.folder, env=PATH, input=given, capture_output=True, check=False)


@pytest.fixture
def audit(folder: Path, forks: Forks) -> Audit:
    return Audit(folder, forks)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "chunks.jsonl").write_text(CHUNKS)
    return tmp_path


def report_of(done: Done) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(done.stdout)
    Draft202012Validator(schema_of("audit")).validate(report)
    assert done.stderr == b""
    return report


@pytest.mark.parametrize(
    ("answer", "verdict", "code"),
    [
        pytest.param("The fee is 20 EUR [fee].", "faithful", 0, id="quoted"),
        pytest.param("The deposit is refunded within 41 days.", "unfaithful", 1, id="contradicted"),
        pytest.param("Paying back the deposit takes two weeks at most.", "unverified", 3, id="in other words"),
        pytest.param("The chunks do not say.", "unverified", 3, id="declined"),
        pytest.param("", "unverified", 3, id="empty"),
        pytest.param("\r\nTea is served\r\nhot every day.\r\n", "faithful", 0, id="lines that end as on Windows"),
    ],
)
def test_verdicts_and_exit_codes(folder: Path, audit: Audit, answer: str, verdict: str, code: int) -> None:
    (folder / "answer.txt").write_bytes(answer.encode())
    done = audit("--answer", "answer.txt", "--chunks", "chunks.jsonl")
    report = report_of(done)
    assert (report["verdict"], done.returncode) == (verdict, code)
    for claim in report["claims"]:
        assert answer[claim["offset"] :].startswith(claim["span"])
    assert ("suggested_fix" in report) == (bool(report["claims"]) and verdict != "faithful")


def test_every_verdict_has_its_exit_code() -> None:
    # Rules alone never reach `partial`; its code is rules 10's all the same.
    assert {verdict: int(code) for verdict, code in EXITS.items()} == {
        "faithful": 0, "partial": 1, "unfaithful": 1, "unverified": 3,
    }  # fmt: skip


def test_standard_input_and_a_byte_order_mark(folder: Path, audit: Audit) -> None:
    (folder / "chunks.jsonl").write_bytes(b"\xef\xbb\xbf" + CHUNKS.encode())
    done = audit("--answer", "-", "--chunks", "chunks.jsonl", given=b"\xef\xbb\xbfThe fee is 20 EUR.")
    assert report_of(done)["claims"][0]["offset"] == 0
    assert done.returncode == 0


def test_in_a_workflow_the_json_is_the_same_bytes(audit: Audit) -> None:
    answer = b"::error::The fee is 20 EUR.\n::stop-commands::x\n"
    arguments = ("--answer", "-", "--chunks", "chunks.jsonl")
    there = audit(*arguments, given=answer, GITHUB_ACTIONS="true")
    here = audit(*arguments, given=answer)
    assert (there.stdout, there.returncode) == (here.stdout, here.returncode)
    assert not any(line.startswith(b"::") for line in there.stdout.splitlines())


def test_what_no_encoding_holds_is_printed_all_the_same(folder: Path, audit: Audit) -> None:
    (folder / "chunks.jsonl").write_text('{"id": "c\\ud800", "text": "Tea \\ud83d is served hot every day."}\n')
    done = audit.anew("--answer", "-", "--chunks", "chunks.jsonl", given="Tea 😀 is cold\x00\x1b[31m.".encode())
    assert report_of(done)["verdict"] == "unverified"


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        pytest.param(b"", "chunks.jsonl:1:1: there are no chunks here", id="no line"),
        pytest.param(b'{"id": "a", "text": "x"}\n{"id": "b"}\n', "chunks.jsonl:2:1: chunk `b` has no text", id="no text"),
        pytest.param(b'{"text": "x"}\n', "chunks.jsonl:1:1: this chunk has no id", id="no id"),
        pytest.param(b'{"id": 7, "text": "x"}\n', "chunks.jsonl:1:1: this chunk has no id", id="an id that is no text"),
        pytest.param(b'{"id": "a", "text": "x"}\n{"chunk_id": "a", "text": "y"}\n', "chunks.jsonl:2:1: chunk `a` is written twice", id="one id twice"),
        pytest.param(b'["a"]\n', "chunks.jsonl:1:1: this is no chunk", id="a list"),
        pytest.param(b'{"id": "a",\n', "chunks.jsonl:1:12: this is not JSON", id="broken JSON"),
        pytest.param(b'{"id": "\xff"}\n', "chunks.jsonl:1:9: the byte 0xff is not UTF-8", id="not UTF-8"),
        pytest.param(b"[" * 100_000, "chunks.jsonl:1:", id="nested deeply"),
    ],
)  # fmt: skip
def test_chunks_that_cannot_be_used(folder: Path, audit: Audit, chunks: bytes, said: str) -> None:
    (folder / "chunks.jsonl").write_bytes(chunks)
    done = audit("--answer", "-", "--chunks", "chunks.jsonl", given=b"Tea is hot.")
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()
    assert b"/docs/errors.md#usage\n" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--answer", "none.txt", "--chunks", "chunks.jsonl"), "none.txt:1:1: cannot be read", id="an answer that is not there"),
        pytest.param(("--answer", "-", "--chunks", "."), "cannot be read", id="a folder"),
        pytest.param(("--answer", "-"), "--chunks", id="no chunks named"),
    ],
)  # fmt: skip
def test_arguments_that_cannot_be_used(audit: Audit, arguments: tuple[str, ...], said: str) -> None:
    done = audit(*arguments, given=b"Tea is hot.")
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


def test_help_says_what_it_is_not_for(audit: Audit) -> None:
    said = " ".join(audit("--help").stdout.decode().split())
    for use in ("composing", "retrieving", "style", "facts that are in no chunk"):
        assert use in said
    assert "exit codes: 0 faithful, 1 partial or unfaithful, 2 usage, 3 unverified" in said
