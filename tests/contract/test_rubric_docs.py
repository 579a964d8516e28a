"""`docs/rubric.md` cannot lie: its rubric is read, its reply is one, its table is that of the rubric that is used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from raggate_action.judging_jobs.pairs.pair_injections import PAIR_PLANTS
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.judging_jobs.pairs.pair_task import PairTask
from raggate_action.suite_files.problems import Problems
from raggate_action.suite_files.rubric_file import default_rubric, read_rubric
from tests.judge_readings import opened

DOCUMENT = (Path(__file__).parents[2] / "docs/rubric.md").read_text()
SAMPLES = re.findall(r"<!-- rubric: ([^\n]+) -->\n```yaml\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
REPLIES = re.findall(r"<!-- reply -->\n```json\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("name", "sample"), SAMPLES, ids=[name for name, _sample in SAMPLES])
def test_every_rubric_shown_is_read(name: str, sample: str, tmp_path: Path) -> None:
    path = tmp_path / "rubric.yaml"
    path.write_text(sample)
    problems = Problems()
    rubric = read_rubric(path, problems.within(path))
    assert problems.within(path).kept == ()
    assert rubric is not None
    assert name in rubric.names


def test_the_reply_shown_is_in_the_form_and_adds_up() -> None:
    (reply,) = REPLIES
    reading = opened(PairJob(default_rubric()).reading(reply, PairTask("?", "one", "other", ())))
    assert reading.problems == ()
    assert reading.scores is not None
    assert (sum(reading.scores.a.values()), sum(reading.scores.b.values())) == (22, 5)
    assert (reading.scores.total_a, reading.scores.total_b, reading.scores.verdict) == (22, 5, "A")


def test_nothing_is_shown_that_is_not_held() -> None:
    assert len(SAMPLES) == DOCUMENT.count("```yaml") == 1
    assert len(REPLIES) == DOCUMENT.count("```json")


def test_every_dimension_has_its_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", DOCUMENT, re.MULTILINE)
    assert tuple(rows) == default_rubric().names


def test_numbers_are_as_told() -> None:
    assert "five dimensions with five levels each" in DOCUMENT
    assert {len(each.levels) for each in default_rubric().dimensions} == {5}
    assert len(PAIR_PLANTS) == 40
    assert "Forty planted pairs" in DOCUMENT
