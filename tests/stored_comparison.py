"""What a run stored of its comparison, as tests read it."""

from __future__ import annotations

from pathlib import Path

from raggate_action.schema.comparison import Comparison


def compared(directory: Path) -> Comparison:
    """The comparison of a run directory."""
    return Comparison.model_validate_json((directory / "comparison.json").read_bytes())


def moves(directory: Path) -> list[tuple[str, str, str]]:
    """Each falsehood with its case and how it moved: fixed, new, same, unknown, in this order."""
    changes = [each for each in compared(directory).changes if each.gate == "hallucination_rate"]
    return [(each.case_id, each.move, each.problem.detail) for each in changes if each.problem is not None]
