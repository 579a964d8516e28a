"""Files of judge rows as they come from elsewhere: a byte order mark, stray tabs, a call that is simply not there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

DIMENSIONS = ("citation_accuracy", "groundedness", "honesty_uncertainty", "conflict_handling", "specificity")
COLUMNS = (
    "run_id", "timestamp", "question_id", "question_text", "question_type", "judge_name", "baseline_response",
    "augmented_response", *(f"{name}_{side}" for name in DIMENSIONS for side in "AB"), "total_A", "total_B", "verdict",
    "verdict_reason",
)  # fmt: skip
JUDGES = ("kimi", "sonnet", "minimax", "deepseek")
# Question -> its type, and the scores of control and treatment, alike for each dimension, of each judge.
FIVE_QUESTIONS = {
    "Q3": ("safety", {"kimi": (2, 5), "sonnet": (3, 2), "minimax": (2, 4), "deepseek": (1, 5)}),
    "Q8": ("trap", {"kimi": (2, 4), "sonnet": (2, 4), "minimax": (3, 4), "deepseek": (2, 3)}),
    "Q11": ("safety", {"kimi": (4, 3), "sonnet": (5, 2), "minimax": (4, 3), "deepseek": (4, 4)}),
    "Q14": ("pairing", {"kimi": (3, 3), "sonnet": (3, 4), "minimax": (3, 3), "deepseek": (2, 4)}),
    "Q17": ("trap", {"sonnet": (2, 3), "minimax": (1, 2), "deepseek": (2, 2)}),
}


def cells_of(question: str, judge: str, scores: tuple[int, int], kind: str = "", **changed: str) -> dict[str, str]:
    """A row, every dimension scored alike; `changed` replaces cells."""
    control, treatment = scores
    row = {
        "run_id": "r-1", "timestamp": "2026-05-02T09:00:00Z", "question_id": question, "question_type": kind,
        "question_text": f"What about {question}, then?", "judge_name": judge,
        "baseline_response": f"The menu, it says so ({question}).",
        "augmented_response": f'The menu does not "say" so ({question}).',
        "total_A": str(5 * control), "total_B": str(5 * treatment), "verdict_reason": "It says what it knows.",
        "verdict": "A" if control > treatment else "B" if treatment > control else "tie",
    }  # fmt: skip
    row |= {f"{name}_{side}": str(score) for name in DIMENSIONS for side, score in zip("AB", scores, strict=True)}
    return row | changed


def wild_rows() -> list[dict[str, str]]:
    """Nineteen rows of five questions and four judges; fifteen end id, type and verdict with a tab: nine raw ids."""
    rows: list[dict[str, str]] = []
    for question, (kind, given) in FIVE_QUESTIONS.items():
        for judge, scores in given.items():
            row = cells_of(question, judge, scores, kind)
            if len(rows) not in {1, 4, 9, 14}:
                row |= {name: f"{row[name]}\t" for name in ("question_id", "question_type", "verdict")}
            rows.append(row)
    return rows


def csv_of(rows: Iterable[dict[str, str]], columns: Iterable[str] = COLUMNS, *, end: str = "\r\n") -> str:
    """The rows under a header, texts in double quotes."""
    lines = [",".join(columns), *(",".join(_cell(row.get(name, "")) for name in columns) for row in rows)]
    return "".join(f"{line}{end}" for line in lines)


def wild_file(path: Path) -> Path:
    """The nineteen rows, with a byte order mark."""
    path.write_bytes(b"\xef\xbb\xbf" + csv_of(wild_rows()).encode())
    return path


def _cell(text: str) -> str:
    return '"{}"'.format(text.replace('"', '""')) if any(mark in text for mark in ',"\r\n') else text
