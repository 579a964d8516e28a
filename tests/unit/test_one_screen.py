"""The comment is one screen: lines and words that stand open, in twelve situations that a reviewer meets."""

from __future__ import annotations

import re

import pytest

from raggate_action.report.render import render_comment
from raggate_action.report.report_input import Reporting
from tests.open_lines import open_text
from tests.situations import SITUATIONS, comments_of, half_of_five_thousand

# Lines and words at most, as a reader sees them before any click; words where the lines are long ones.
BOUNDS: dict[str, tuple[int, int | None]] = {
    "release": (8, None),
    "first-run": (12, None),
    "block-of-one": (22, 220),
    "forty": (25, 250),
    "app-down": (4, None),
    "flaky": (8, None),
    "weakened": (22, 220),
    "advice": (12, None),
    "two-suites": (22, 220),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_what_stands_open_keeps_its_bound(name: str) -> None:
    lines, words = BOUNDS[name]
    for page in comments_of(SITUATIONS[name]()):
        shown = open_text(page)
        assert len(shown.lines) <= lines, shown.lines
        assert words is None or shown.words <= words, (shown.words, shown.lines)


def test_every_situation_has_a_bound_but_the_hostile_one() -> None:
    """What a stranger writes into it may take lines; that it does nothing is held elsewhere."""
    assert set(SITUATIONS) - set(BOUNDS) == {"hostile"}


def test_half_of_five_thousand_is_no_longer_than_forty() -> None:
    shown = open_text(render_comment(half_of_five_thousand()))
    assert len(shown.lines) <= 25, shown.lines
    assert shown.words <= 250, (shown.words, shown.lines)
    assert shown.lines[2].startswith("400 answers used forbidden evidence (0 allowed)")


def test_a_line_and_a_word_are_what_a_reader_sees() -> None:
    page = (
        "<!-- raggate:v1 suite=menu -->\n> [!CAUTION]\n> **Block** · suite `menu`\n> - **1 used** [`a`](https://x/y)\n\n"
        "| Gate | Rate |\n| --- | ---: |\n| a | 1 |\n\n<details><summary>Cases (2)</summary>\n\n- hidden\n\n</details>\n"
    )
    assert open_text(page).lines == ("Caution", "Block suite menu", "1 used a", "Gate   Rate", "a   1", "Cases (2)")
    assert open_text(page).words == 1 + 3 + 3 + 2 + 2 + 2


@pytest.mark.parametrize("name", ["block-of-one", "forty", "weakened", "release"])
def test_a_new_commit_with_the_same_answers_edits_commit_and_links_alone(name: str) -> None:
    told = SITUATIONS[name]()
    assert isinstance(told, Reporting)
    origin = told.run.origin
    assert origin is not None
    other = origin.model_copy(update={"head_sha": "f" * 40, "workflow_run_id": 9, "run_attempt": 1})
    later = told._replace(run=told.run.model_copy(update={"origin": other, "decided_at": "2026-06-03T18:00:00Z"}))

    def without(page: str) -> list[str]:
        page = re.sub(
            r"run=\d+ attempt=\d+ head=[0-9a-f]{40}|commit \[`[0-9a-f]{12}`\]\([^)]*\)|/blob/[0-9a-f]{40}/", "", page
        )
        return re.sub(r"\[workflow run \d+(, attempt \d+)?\]\([^)]*\)", "", page).splitlines()

    assert render_comment(later) != render_comment(told)
    assert without(render_comment(later)) == without(render_comment(told))
