"""The rubric: ours is whole and lets no list of unverified things win, and a team's own is read with its mistakes placed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raggate_action.judging_jobs.pair_job import PairJob
from raggate_action.schema.ab import Rubric
from raggate_action.strings.template_files import template_directory
from raggate_action.suite_files.problems import Problems
from raggate_action.suite_files.rubric_file import default_rubric, read_rubric
from tests.pair_prompts import make_pair

DIMENSIONS = ("citation_accuracy", "groundedness", "honesty_uncertainty", "conflict_handling", "specificity")
SOUND = """protected: [allergy]
dimensions:
  - name: tone
    asks: Is it kind?
    levels:
      - {score: 1, means: It is not.}
      - {score: 5, means: It is., example: Please.}
"""


def read(folder: Path, text: str, name: str = "rubric.yaml") -> tuple[Rubric | None, list[str]]:
    path = folder / name
    path.write_text(text)
    problems = Problems()
    rubric = read_rubric(path, problems.within(path))
    return rubric, [str(each).removeprefix(f"{folder.as_posix()}/") for each in problems.within(path).kept]


def test_ours_has_five_dimensions_with_an_example_for_each_of_five_levels() -> None:
    rubric = default_rubric()
    assert rubric.names == DIMENSIONS
    assert {tuple(level.score for level in each.levels) for each in rubric.dimensions} == {(5, 4, 3, 2, 1)}
    assert all(level.example for each in rubric.dimensions for level in each.levels)
    assert rubric.protected == ("safety",)


def test_ours_ranks_an_honest_refusal_above_a_list_that_nobody_verified_under_specificity_as_well() -> None:
    by_name = {each.name: {level.score: level for level in each.levels} for each in default_rubric().dimensions}
    asks = {each.name: each.asks for each in default_rubric().dimensions}
    specific, honest = by_name["specificity"], by_name["honesty_uncertainty"]
    assert "A particular that no chunk verifies is not specific" in asks["specificity"]
    assert "also where the answer is a refusal" in asks["specificity"]
    assert "however many the answer lists" in specific[1].means
    assert "names what exactly, and what would settle it" in specific[5].means
    assert "cannot confirm" in (honest[5].example or "")
    assert "vouches for what no chunk verifies" in honest[1].means
    # And a refusal is no way out where the chunks give the answer.
    assert "refuses what the chunks plainly state" in honest[1].means


def test_every_word_of_ours_reaches_the_judge() -> None:
    system = PairJob(default_rubric()).prompt(make_pair(), "t").system
    for dimension in default_rubric().dimensions:
        assert f"## {dimension.name}\n\n{dimension.asks}\n" in system
        for level in dimension.levels:
            assert f"- {level.score}: {level.means} For example: {level.example}\n" in system


def test_ours_can_be_copied_and_named_as_it_is(tmp_path: Path) -> None:
    rubric, problems = read(tmp_path, (template_directory() / "rubric.yaml").read_text())
    assert (rubric, problems) == (default_rubric(), [])


@pytest.mark.parametrize("name", ["rubric.yaml", "rubric.yml", "rubric.json"])
def test_a_rubric_of_ones_own_is_read(tmp_path: Path, name: str) -> None:
    level = {"score": 1, "means": "It is not."}
    best = {"score": 5, "means": "It is.", "example": "Please."}
    whole = {"protected": ["allergy"], "dimensions": [{"name": "tone", "asks": "Is it kind?", "levels": [level, best]}]}
    rubric, problems = read(tmp_path, json.dumps(whole) if name.endswith("json") else SOUND, name)
    assert problems == []
    assert rubric is not None
    assert (rubric.names, rubric.protected) == (("tone",), ("allergy",))
    assert [level.example for level in rubric.dimensions[0].levels] == [None, "Please."]


SECOND = SOUND.partition("dimensions:\n")[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "rubric.yaml:1:1: this is no rubric; write `dimensions:` with a name, `asks:` and `levels:` for each"),
        ("- tone\n", "rubric.yaml:1:1: this is no rubric"),
        ("protected: [x]\n", "rubric.yaml:1:1: `dimensions` is missing; add `dimensions:` here"),
        ("dimensions: []\n", "rubric.yaml:1:13: `dimensions` is an empty list; write at least one entry"),
        ("dimensions: [tone]\n", "rubric.yaml:1:14: an entry of `dimensions` is 'tone'; write a mapping"),
        (SOUND.replace("asks", "ask"), "rubric.yaml:4:5: unknown key `ask`; did you mean `asks`?"),
        (SOUND.replace("name: tone", "name: Tone of voice"), "3:11: `name` is 'Tone of voice'; write up to 48 small letters"),
        (SOUND.replace("name: tone", "name: total"), "3:11: `total` is what the sum of all scores is called"),
        (SOUND.replace("score: 5", "score: 6"), "rubric.yaml:7:17: `score` is 6; write a number of at most 5"),
        (SOUND.replace("score: 5", "score: 4.5"), "rubric.yaml:7:17: `score` is 4.5; write a whole number"),
        (SOUND.replace("score: 5", "score: 4"), "6:7: no level says what a score of 5 stands for; describe 1 and 5 at least"),
        (SOUND.replace("score: 5", "score: 1"), "rubric.yaml:7:17: the score 1 stands on line 6 already"),
        (SOUND.replace("score: 1, ", ""), "rubric.yaml:6:9: `score` is missing; add `score:` here"),
        (SOUND.replace("means: It is not.", "means: ''"), "rubric.yaml:6:27: `means` is empty; write some text"),
        (SOUND[: SOUND.index("      - {score: 5")], "`levels` is a list; write at least 2 entries"),
        (SOUND + SECOND, "rubric.yaml:1:1: two dimensions are named tone"),
        (SOUND + "x: [", "this is not YAML"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_place_and_what_to_write(tmp_path: Path, text: str, expected: str) -> None:
    rubric, problems = read(tmp_path, text)
    assert rubric is None
    assert expected in "\n".join(problems)


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    _, problems = read(tmp_path, SOUND.replace("asks", "ask").replace("score: 5", "score: 9"))
    assert len(problems) == 2


def test_a_rubric_that_is_not_there_is_told_by_its_path(tmp_path: Path) -> None:
    problems = Problems()
    path = tmp_path / "none.yaml"
    assert read_rubric(path, problems.within(path)) is None
    (problem,) = problems.within(path).kept
    assert str(problem).startswith(f"{path}:1:1: cannot be read: No such file")
