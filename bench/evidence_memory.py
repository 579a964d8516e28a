"""Peak memory of a run with much evidence, as times its file: the whole process, `raggate-action run` of one case.

    python bench/evidence_memory.py                   # 509 MB, as a large corpus is
    python bench/evidence_memory.py --megabytes 50    # quicker; the program itself then counts for more

Prints a Markdown table. Plain Latin text takes one byte a character as a Python string, text with a single curly quote
two: each chunk of the second row has some. A chunk is 80 words, as in the other benches.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bench.measure import OUT, cost_of  # noqa: E402

WORDS = 80
# Kind of text -> the most that a run may take, as times the file.
BARS = {"plain": 1.3, "curly": 2.3}
_NAMES = {"plain": "plain Latin text", "curly": "with curly quotes"}
_POOL = 400
_SUITE = """\
suite: bench-evidence
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""


def write_evidence(path: Path, kind: str, *, megabytes: int, seed: int = 1) -> int:
    """Write chunks until the file is as large; returns how many. The same seed gives the same bytes."""
    rng = random.Random(f"{seed}/{kind}")
    words = ["".join(rng.choices("abcdefghilmnoprstuv", k=rng.randint(2, 9))) for _ in range(_POOL)]
    size = chunks = 0
    with path.open("w", encoding="utf-8") as lines:
        while size < megabytes * 1_000_000:
            text = f"{' '.join(rng.choices(words, k=WORDS)).capitalize()}."
            chunk = {
                "chunk_id": f"doc-{chunks // 10:06d}-{chunks % 10}",
                "document_id": f"doc-{chunks // 10:06d}",
                "version": "v3",
                "text": f"As they say, “{text}”" if kind == "curly" else text,
            }
            size += lines.write(line := json.dumps(chunk, ensure_ascii=False) + "\n") + line.count("“") * 4
            chunks += 1
    return chunks


def suite_of(directory: Path, kind: str, *, megabytes: int) -> int:
    """Write a suite of one case over so much evidence; returns how many chunks it has."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "raggate.yaml").write_text(_SUITE, encoding="utf-8")
    case = {"case_id": "one", "question": "What do they say?", "required_source_ids": ["doc-000000-3"]}
    trace = {"case_id": "one", "answer": "They say much.", "context": ["doc-000000-3"]}
    (directory / "cases.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    (directory / "traces.jsonl").write_text(json.dumps(trace) + "\n", encoding="utf-8")
    return write_evidence(directory / "evidence.jsonl", kind, megabytes=megabytes)


def row_of(kind: str, *, megabytes: int) -> str:
    """Measure one kind of text; a row of the table."""
    directory = OUT / f"evidence-{kind}"
    chunks = suite_of(directory, kind, megabytes=megabytes)
    size = (directory / "evidence.jsonl").stat().st_size
    run = [
        sys.executable,
        "-m",
        "raggate_action",
        "run",
        str(directory / "raggate.yaml"),
        "--out",
        str(directory / "run"),
    ]
    cost = cost_of(run, OUT / "said.txt", allowed=frozenset({0, 1}))
    shutil.rmtree(directory)
    times = cost.peak_mib * 1024 * 1024 / size
    over = " (over)" if times > BARS[kind] else ""
    peak = cost.peak_mib * 1.048576
    cells = [_NAMES[kind], f"{chunks:,}", f"{size / 1e6:.0f}", f"{peak:.0f}", f"{times:.2f}", f"{BARS[kind]}{over}"]
    return f"| {' | '.join([*cells, f'{cost.cpu_s:.1f}'])} |"


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description="Measure peak memory over much evidence.")
    parser.add_argument("--megabytes", type=int, default=509)
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    print("| evidence | chunks | file MB | peak MB | times the file | at most | CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for kind in BARS:
        print(row_of(kind, megabytes=given.megabytes), flush=True)


if __name__ == "__main__":
    main()
