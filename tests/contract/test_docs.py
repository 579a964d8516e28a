"""Documents that cannot lie: every code, error and gate the program can name has its entry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from raggate_action import errors
from raggate_action.errors import ExitCode, RaggateError
from raggate_action.schema.outcome import GATES
from raggate_action.schema.trace import STAGES

ROOT = Path(__file__).parents[2]
GATE_DOCS = (ROOT / "docs/gates.md").read_text()
ERROR_DOCS = (ROOT / "docs/errors.md").read_text()


def error_classes() -> list[type[RaggateError]]:
    found = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, RaggateError)]
    return sorted(found, key=lambda error: error.__name__)


@pytest.mark.parametrize("error", error_classes(), ids=lambda error: error.__name__)
def test_every_error_has_its_entry(error: type[RaggateError]) -> None:
    assert f"\n## {error.slug}\n" in ERROR_DOCS


@pytest.mark.parametrize("code", ExitCode, ids=lambda code: code.name.lower())
def test_every_exit_code_is_listed(code: ExitCode) -> None:
    assert f"| {code.value} | {code.name.lower()} |" in ERROR_DOCS


@pytest.mark.parametrize("gate", GATES)
def test_every_gate_has_its_row(gate: str) -> None:
    place = GATES[gate]  # type: ignore[index]
    row = next(line for line in GATE_DOCS.splitlines() if line.startswith(f"| `{gate}` |"))
    assert f"| {place.stage} |" in row
    assert row.endswith(f"| {place.repair} |")


def test_every_problem_code_is_documented() -> None:
    source = "".join(path.read_text() for path in (ROOT / "raggate_action/core").rglob("*.py"))
    written = set(re.findall(r'Problem\(\s*code="([a-z-]+)"', source))
    computed = {f"not-in-{stage}" for stage in (s.replace("_", "-") for s in STAGES[:-1])} | {
        f"claim-{verdict}" for verdict in ("partial", "unsupported", "contradicted")
    }
    assert len(written) > 20, "the pattern no longer finds the codes"
    missing = {code for code in written | computed if f"`{code}`" not in GATE_DOCS}
    assert not missing
