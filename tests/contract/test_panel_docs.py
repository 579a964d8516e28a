"""`docs/panel.md` cannot lie: its suite loads and compares two arms, its files, codes and defaults are the program's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from raggate_action.errors import ExitCode
from raggate_action.run_store.run_files import AB_FILES
from raggate_action.schema.ab import PairBudget
from raggate_action.schema.policy import Gates
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.ab_section import members_of, run_arms, shared_labs

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/panel.md").read_text()
SAMPLES = re.findall(r"<!-- ab: ([^\n]+) -->\n```yaml\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
SUITE = "suite: shop\ncases: [cases.yaml]\ntarget: {kind: http, url: 'http://localhost/ask'}\n"


@pytest.mark.parametrize(("name", "sample"), SAMPLES, ids=[name for name, _sample in SAMPLES])
def test_every_suite_shown_compares_two_arms(name: str, sample: str, tmp_path: Path) -> None:
    (tmp_path / "cases.yaml").write_text("- {case_id: a, question: q}\n")
    (tmp_path / "raggate.yaml").write_text(SUITE + sample)
    loaded = load_suite(tmp_path / "raggate.yaml", environment={}, arms=True)
    arms = run_arms(loaded.suite, loaded.written_target, {})
    assert arms is not None, name
    assert arms[0].target != arms[1].target
    assert len({member.lab for member in members_of(loaded.suite)}) >= 3
    assert shared_labs(loaded.suite) == ()


def test_there_is_a_suite_to_copy() -> None:
    assert len(SAMPLES) == DOCUMENT.count("```yaml") >= 1


def test_every_file_has_its_row_and_no_other() -> None:
    table = DOCUMENT.partition("## What is written")[2].partition("\n\n**")[0]
    named = {
        name for row in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)
    }
    assert named == set(AB_FILES)


def test_every_exit_code_is_told() -> None:
    table = DOCUMENT.partition("## Exit codes")[2].partition("## What it costs")[0]
    told = {int(code) for code in re.findall(r"^\| (\d) \|", table, re.MULTILINE)}
    assert told == {code.value for code in ExitCode} - {ExitCode.BUG}


def test_defaults_are_as_told() -> None:
    budget = PairBudget()
    assert f"`usd` {budget.usd} of judges" in DOCUMENT
    assert f"`calls_per_case` {budget.calls_per_case} for each pair" in DOCUMENT
    assert f"The gate's default level is `{Gates().ab.level}`." in DOCUMENT
