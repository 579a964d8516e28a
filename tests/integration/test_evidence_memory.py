"""What a store costs in memory: loaded in a process of its own, plain Latin text and text with curly quotes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from raggate_action.suite_files import load_suite

# Kind of text -> the most that loading it may take, as times the file. With a single curly quote Python takes two bytes
# for each character of a text.
BARS = {"plain": 1.3, "curly": 2.3}
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


def suite_of(directory: Path, kind: str, *, megabytes: int) -> int:
    """Write a suite of one case over so much evidence, 80 words a chunk; returns how many chunks it has."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "raggate.yaml").write_text(
        "suite: memory\nevidence: [evidence.jsonl]\ncases: [cases.jsonl]\ntarget: {kind: recorded, traces: t.jsonl}\n"
    )
    case = {"case_id": "one", "question": "What do they say?", "required_source_ids": ["doc-000000-3"]}
    trace = {"case_id": "one", "answer": "They say much.", "context": ["doc-000000-3"]}
    (directory / "cases.jsonl").write_text(json.dumps(case) + "\n")
    (directory / "t.jsonl").write_text(json.dumps(trace) + "\n")
    rng = random.Random(kind)
    words = ["".join(rng.choices("abcdefghilmnoprstuv", k=rng.randint(2, 9))) for _ in range(400)]
    size = chunks = 0
    with (directory / "evidence.jsonl").open("w", encoding="utf-8") as lines:
        while size < megabytes * 1_000_000:
            text = f"{' '.join(rng.choices(words, k=80)).capitalize()}."
            text = f"As they say, “{text}”" if kind == "curly" else text
            chunk = {"chunk_id": f"doc-{chunks // 10:06d}-{chunks % 10}", "version": "v3", "text": text}
            size += lines.write(json.dumps(chunk, ensure_ascii=False) + "\n")
            chunks += 1
    return chunks


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
