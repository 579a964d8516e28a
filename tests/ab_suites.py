"""Suites that compare two arms, for tests: what each arm answers is written down or made by a small program."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.fake_chat.server import FakeChat
from tests.judged_suites import CHUNK, lines, member

# An answer of the treatment, which the honest judge of these tests takes for the better one, and one of the control.
SOUND = "Returns are free within thirty days [desk]; of order {} the desk's notice says nothing more."
BOLD = "Order {} can be returned whenever you like, at no cost at all."
DECLINE = "I cannot tell that from the documents I was given."


def sound(number: int) -> str:
    """An answer that says what the chunk says."""
    return SOUND.format(number)


def bold(number: int) -> str:
    """An answer that promises more."""
    return BOLD.format(number)


def write_arm(folder: Path, name: str, answers: Mapping[str, Any], shown: Iterable[str] = ("desk",)) -> None:
    """What an arm answers, as recorded traces: a text, or the fields of a trace."""
    ids = list(shown)
    traces = [
        {"case_id": case_id, "context": ids, **(said if isinstance(said, dict) else {"answer": said})}
        for case_id, said in answers.items()
    ]
    (folder / f"{name}-answers.jsonl").write_text(lines(traces))


def write_ab(
    folder: Path,
    control: Mapping[str, Any],
    treatment: Mapping[str, Any],
    judges: Iterable[Mapping[str, Any]],
    *,
    ab: Mapping[str, Any] | None = None,
    cases: Mapping[str, Mapping[str, Any]] | None = None,
    chunks: Iterable[Mapping[str, Any]] | None = (CHUNK,),
    **suite: Any,
) -> Path:
    """A suite whose two arms are recorded answers.

    Args:
        folder: Where it is written.
        control, treatment: Case id -> answer, or the fields of its trace; a case that is left out has none.
        judges: Of the comparison.
        ab: Further fields of its section.
        cases: Case id -> further fields of the case.
        chunks: Its evidence; None is no store.
        suite: Further fields of the suite.
    """
    names = dict.fromkeys((*control, *treatment))
    more = cases or {}
    asked = [{"case_id": name, "question": f"May I return order {name}?", **more.get(name, {})} for name in names]
    (folder / "cases.jsonl").write_text(lines(asked))
    write_arm(folder, "control", control)
    write_arm(folder, "treatment", treatment)
    content: dict[str, Any] = {
        "suite": "returns",
        "cases": ["cases.jsonl"],
        "target": {"kind": "recorded", "traces": "control-answers.jsonl"},
        "ab": {
            "control": {"model": "small", "lab": "the arms' lab"},
            "treatment": {"target": {"traces": "treatment-answers.jsonl"}},
            "judges": list(judges),
            **(ab or {}),
        },
        **suite,
    }
    if chunks is not None:
        (folder / "evidence.jsonl").write_text(lines(chunks))
        content["evidence"] = ["evidence.jsonl"]
    path = folder / "raggate.json"
    path.write_text(json.dumps(content))
    return path


def panel(chat: FakeChat, *names: str, **fields: Any) -> list[dict[str, Any]]:
    """Judges of these names, each of a lab of its own."""
    return [member(name, chat, **fields) for name in names]


def ab_of(directory: Path) -> dict[str, Any]:
    """The record of a comparison."""
    found: dict[str, Any] = json.loads((directory / "ab.json").read_text())
    return found


def rows_in(directory: Path) -> list[dict[str, str]]:
    """Its rows, as a spreadsheet reads them."""
    with (directory / "judge_rows.csv").open(newline="") as file:
        return list(csv.DictReader(file))
