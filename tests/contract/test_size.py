"""The house grows no further: what stands in `dev/size.toml` bounds each area, and only falls."""

from __future__ import annotations

import subprocess
from pathlib import Path

from dev.size import ALLOWED, ROOT, above, allowed, lowered, measured

# A commit that lets a number rise says why in a line of its message that begins so.
_WHY = "Size:"


def test_no_area_is_larger_than_what_it_was_when_it_landed() -> None:
    assert above(measured(), allowed(ALLOWED.read_text())) == [], "make it smaller; `make size` shows the table"


def test_the_file_names_each_area_that_is_there_and_no_other() -> None:
    assert list(allowed(ALLOWED.read_text())) == [area for area in measured() if not area.startswith("[")]


def test_no_commit_lets_a_number_rise_without_a_word() -> None:
    told = _git("log", "--format=%H", "--", "dev/size.toml").split()
    for commit in told:
        parent = subprocess.run(
            ["git", "-C", ROOT, "show", f"{commit}^:dev/size.toml"], capture_output=True, text=True, check=False
        )
        if parent.returncode == 0:
            risen = above(allowed(_git("show", f"{commit}:dev/size.toml")), allowed(parent.stdout))
            message = _git("log", "-1", "--format=%B", commit).splitlines()
            assert not risen or any(line.startswith(_WHY) for line in message), (commit, risen)


def test_code_lines_leave_out_blanks_comments_and_docstrings(tmp_path: Path) -> None:
    package = tmp_path / "raggate_action/core/text"
    package.mkdir(parents=True)
    (package / "words.py").write_text(
        '"""Two\nlines."""\n\n# a comment\nimport os\n\n\nclass A:\n    """One."""\n\n    x = 1\n'
    )
    (tmp_path / "README.md").write_text("three plain words\n")
    sizes = measured(tmp_path)
    assert sizes["core/text"] == {"code": 3, "statements": 5, "modules": 1, "classes": 1}
    assert sizes["package"] == {"code": 3, "statements": 5, "modules": 1, "classes": 1, "data": 0, "words": 3}


def test_what_is_larger_is_named_and_lowering_raises_nothing() -> None:
    limits = {"cli": {"code": 10, "classes": 3}, "gone": {"code": 5}}
    sizes = {"cli": {"code": 12, "classes": 2}, "[tests]": {"code": 99}}
    assert above(sizes, limits) == ["cli: 12 code, 10 allowed"]
    assert allowed(lowered(sizes, limits)) == {"cli": {"code": 10, "classes": 2}}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout
