"""What reading and counting judge rows costs as they grow: ten times the rows, at most twelve times the time.

    python -m bench.judge_rows                              # 10,000 and 100,000 rows

Each file is read and counted in a process of its own, as `ab --rows` does, and its CPU time is taken without the start.
It fails above twelve times, of the best of three rounds.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.judge_row_files import cells_of, csv_of

_MOST = 12.0
_SIZES = (10_000, 100_000)
_COUNT = """
import sys, time
from pathlib import Path
from raggate_action.run.ab.rows_aggregation import aggregate_file
begun = time.process_time()
done = aggregate_file(Path(sys.argv[1]), {})
print(len(done.report.aggregate.questions), time.process_time() - begun)
"""


def write_rows(path: Path, rows: int) -> None:
    """So many questions with a row each, scores drawn."""
    draw = random.Random(1)
    drawn = [(draw.randint(1, 5), draw.randint(1, 5)) for _ in range(rows)]
    path.write_text(csv_of(cells_of(f"Q{number}", "kimi", scores) for number, scores in enumerate(drawn)))


def seconds(path: Path, rows: int) -> float:
    """CPU seconds to read and count the file."""
    done = subprocess.run([sys.executable, "-c", _COUNT, str(path)], capture_output=True, text=True, check=True)
    questions, took = done.stdout.split()
    if int(questions) != rows:
        raise RuntimeError(f"{questions} questions of {rows} rows were counted")
    return float(took)


def measured(folder: Path, sizes: tuple[int, int], rounds: int) -> tuple[float, float]:
    """The best CPU seconds of a small and a large file."""
    paths = [folder / f"{rows}.csv" for rows in sizes]
    for path, rows in zip(paths, sizes, strict=True):
        write_rows(path, rows)
    small, large = (min(seconds(path, rows) for _ in range(rounds)) for path, rows in zip(paths, sizes, strict=True))
    return small, large


def main() -> int:
    """Measure and print; 1 where the bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        small, large = measured(Path(folder), _SIZES, rounds)
    print(
        f"judge rows: {_SIZES[0]:,} in {small:.2f} s, {_SIZES[1]:,} in {large:.2f} s of CPU: {large / small:.1f} times"
    )
    print(f"bound: at most {_MOST:g} times")
    return int(large > _MOST * small)


if __name__ == "__main__":
    sys.exit(main())
