"""Every rule by which pairs are put in order and judgements become rows, how to turn it off, and what shows it.

Rows for `tests.rule_switches`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.judgement import Judgement, PairScores

Core: TypeAlias = dict[str, ModuleType]
Example: TypeAlias = Callable[[Core], Any]

_QUESTIONS = [f"q{at}" for at in range(12)]
_SAID = {"a": {"tone": 5}, "b": {"tone": 2}, "total_a": 9, "total_b": 4}


def drawn(*, seed: int = 7, judge: str = "a", swapped: bool = False) -> Example:
    """Which arm stands first for some questions."""
    return lambda core: [
        core["ab.presentation_order"].first_arm(seed, question, judge, swapped=swapped) for question in _QUESTIONS
    ]


def two_draws(one: dict[str, Any], other: dict[str, Any]) -> Example:
    """Whether two draws are the same."""
    return lambda core: drawn(**one)(core) == drawn(**other)(core)


def one_draw(core: Core) -> bool:
    """Whether every question has the same."""
    return len(set(drawn()(core))) == 1


def head(core: Core, control: str = "x", treatment: str = "y") -> Any:
    texts = dict.fromkeys(("run_id", "timestamp", "question_text", "question_type", "lab"), "")
    answers = {"control_response": control, "treatment_response": treatment}
    return core["ab.pair_rows"].RowFields(**texts, **answers, question_id="q", judge="a")


def row(first: ArmName, verdict: str | None = "A", ask: int = 0) -> Example:
    """The row of a judgement that prefers A."""
    scores = PairScores.model_validate({**_SAID, "verdict": verdict})
    said = Judgement(id="q", ask=ask, job="pair", judge="a", fingerprint="f", prompt="p", key="k", scores=scores)
    return lambda core: core["ab.pair_rows"].judgement_row(head(core), said, first).model_dump()


def unasked(control: str, treatment: str) -> Example:
    """The row of a pair, if nobody is to be asked about it."""

    def example(core: Core) -> Any:
        found = core["ab.pair_rows"].unjudged_row(head(core, control, treatment))
        return found and found.model_dump()

    return example


PAIR_RULES: list[tuple[str, str, str, str, Example]] = [
    ("order: drawn for each question", "ab.presentation_order", "[seed, question_id, judge]", "[seed, judge]", one_draw),
    ("order: for each judge", "ab.presentation_order", "[seed, question_id, judge]", "[seed, question_id]", two_draws({}, {"judge": "b"})),
    ("order: by the seed", "ab.presentation_order", "[seed, question_id, judge]", "[question_id, judge]", two_draws({}, {"seed": 8})),
    ("order: the second call turns the pair around", "ab.presentation_order", "other_arm(first) if swapped else first", "first", drawn(swapped=True)),
    ("order: what stood second is the other arm's", "ab.presentation_order", 'if first == "control" else (treatment, control)', "", row("treatment")),
    ("rows: the swapped call is the second order", "ab.pair_rows", "judgement.ask + 1", "1", row("control", ask=1)),
    ("rows: A is the arm that stood first", "ab.pair_rows", "            return first", '            return "control"', row("treatment")),
    ("rows: B is the other one", "ab.pair_rows", 'case "B":\n            return other_arm(first)', 'case "B":\n            return first', row("treatment", "B")),
    ("rows: an arm without an answer does not lose", "ab.pair_rows", "if not all(answers):", "if False:", unasked("x", "")),
    ("rows: an answer of spaces is none", "ab.pair_rows", "[text.strip() for text in", "[text for text in", unasked("x", " ")),
    ("rows: nobody is asked about identical answers", "ab.pair_rows", " if answers[0] == answers[1] else None", " if False else None", unasked("x", "x\n")),
    ("rows: somebody is about others", "ab.pair_rows", " if answers[0] == answers[1] else None", "", unasked("x", "y")),
]  # fmt: skip
