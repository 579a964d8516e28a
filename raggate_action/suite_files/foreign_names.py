"""What other tools' data sets call the parts of a case."""

from __future__ import annotations

from collections.abc import Iterable

# In order of preference: where a table has several, the first is taken.
QUESTION_NAMES = ("question", "user_input", "input", "query", "prompt", "inputs.question", "user_query")
REFERENCE_NAMES = (
    "reference_answer",
    "reference",
    "ground_truth",
    "ground_truths",
    "expected_output",
    "expected_answer",
    "expected",
    "outputs.answer",
    "answer",
    "output",
)
ID_NAMES = ("case_id", "id", "question_id", "test_id")

_MEANS = {
    **dict.fromkeys(QUESTION_NAMES, "question"),
    **dict.fromkeys(REFERENCE_NAMES, "reference_answer"),
    **dict.fromkeys(ID_NAMES, "case_id"),
}


def meant_by(name: str) -> str | None:
    """The field of a case that other tools call `name`; None where it is none of theirs."""
    return _MEANS.get(name.strip().lower().replace(" ", "_"))


def named_in(names: Iterable[str], wanted: tuple[str, ...]) -> str | None:
    """Of the names that are there the one that comes first among those wanted, in any case; None without one."""
    there = {name.strip().lower().replace(" ", "_"): name for name in names}
    return next((there[each] for each in wanted if each in there), None)
