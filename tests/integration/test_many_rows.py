"""A hundred thousand rows of a file become cases in bounded memory: as lines of CSV, as lines of JSON, as one list."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.integration.peak_memory import LIMIT_MB, measured
from tests.thorough import THOROUGH

# Of some 800 bytes each, which are 80 MB: a list of their records would take several times as much.
ROWS = 100_000 if THOROUGH else 2_000
_FILLER = "Parcels can be returned within thirty days of delivery, in their own box. " * 6
# What reading rows one by one may add to what the package itself takes.
STREAMED_MB = 200

READ = """
from pathlib import Path
from raggate_action.onboarding.question_files import read_questions
file = read_questions(Path(sys.argv[1]))
print(file.size, file.answered, len(file.questions))
file.cases.seek(0)
print(sum(1 for line in file.cases))
"""


def _row(number: int) -> dict[str, str]:
    return {
        "question": f"When is parcel number {number} delivered?",
        "reference": f"On day {number}.",
        "answer": f"It is delivered on day {number}.",
        "contexts": json.dumps([f"Parcel {number}. {_FILLER}"]),
    }


def _csv(path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, ["question", "reference", "answer", "contexts"])
        writer.writeheader()
        writer.writerows(map(_row, range(ROWS)))


def _jsonl(path: Path) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(_row(number)) + "\n" for number in range(ROWS))


def _json(path: Path) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.write("[")
        stream.writelines(("," if number else "") + json.dumps(_row(number)) for number in range(ROWS))
        stream.write("]")


@pytest.mark.parametrize(
    ("name", "write", "most"),
    [("rows.csv", _csv, STREAMED_MB), ("rows.jsonl", _jsonl, STREAMED_MB), ("rows.json", _json, LIMIT_MB)],
)
def test_a_hundred_thousand_rows_take_bounded_memory(tmp_path: Path, name: str, write: object, most: int) -> None:
    assert callable(write)
    write(tmp_path / name)
    printed, peak_mb = measured(READ, str(tmp_path / name), timeout_s=300)
    assert printed == [f"{ROWS} {ROWS} 1000", str(ROWS)]
    assert peak_mb < most, peak_mb
