"""What a store costs in memory: measured in a process of its own, as the bench measures whole runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.evidence_memory import BARS, row_of, suite_of, write_evidence
from raggate_action.suite_files import load_suite

# What loading adds to the peak, as times the file; the program itself, some fifty MB, is left out.
_MEASURE = """
import sys
from pathlib import Path
from raggate_action.suite_files import load_suite

def peak():
    # Of this program alone; what `getrusage` says begins from what started it.
    (line,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024

folder = Path(sys.argv[1])
load_suite(folder / "small" / "raggate.yaml", environment={})
before = peak()
loaded = load_suite(folder / "large" / "raggate.yaml", environment={})
print((peak() - before) / (folder / "large" / "evidence.jsonl").stat().st_size, len(loaded.evidence))
"""


@pytest.mark.parametrize("kind", BARS)
def test_a_store_is_little_larger_than_its_file(tmp_path: Path, kind: str) -> None:
    suite_of(tmp_path / "small", kind, megabytes=1)
    chunks = suite_of(tmp_path / "large", kind, megabytes=30)
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout.split()
    assert int(done[1]) == chunks
    # The texts themselves are 0.87 of the file, and each is there: less would be a mistake of the measurement.
    assert 0.8 < float(done[0]) < BARS[kind]


def test_the_bench_writes_what_it_says(tmp_path: Path) -> None:
    for kind in BARS:
        path = tmp_path / kind
        chunks = write_evidence(path, kind, megabytes=1)
        text = path.read_text(encoding="utf-8")
        assert 1_000_000 <= path.stat().st_size < 1_010_000
        assert text.count("\n") == chunks
        # One in Latin alone, one with quotes for which Python takes two bytes a character.
        assert text.isascii() == (kind == "plain")
        assert text.count("“") == (chunks if kind == "curly" else 0)


def test_the_bench_measures_a_whole_run() -> None:
    cells = row_of("plain", megabytes=2).split("|")
    assert float(cells[3]) == 2
    assert float(cells[4]) > 2  # the interpreter and its libraries alone are larger than this file


def test_a_chunk_of_the_store_reads_as_it_was_written(tmp_path: Path) -> None:
    suite_of(tmp_path, "curly", megabytes=1)
    loaded = load_suite(tmp_path / "raggate.yaml", environment={}).evidence
    assert loaded is not None
    texts = [chunk.text for chunk in loaded]
    assert all(text.startswith("As they say, “") and text.endswith(".”") for text in texts)
    first, third = loaded.get("doc-000000-0"), loaded.get("doc-000000-3")
    assert first is not None
    assert third is not None
    assert (first.text, third.text) == (texts[0], texts[3])
    assert loaded.get("doc-999999-9") is None
