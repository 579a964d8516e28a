"""`CONTRIBUTING.md` names what is there: paths, make targets, words."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "CONTRIBUTING.md").read_text()


def test_every_path_is_there() -> None:
    named = set(re.findall(r"`((?:raggate_action|tests|docs)/[\w./]+|\.ci/run)`", DOCUMENT))
    named |= set(re.findall(r"\]\(([^)#]+)\)", DOCUMENT))
    assert len(named) > 40
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_command_is_a_target_of_the_makefile() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    used = set(re.findall(r"\bmake ([a-z][\w-]+)(?=`|  )", DOCUMENT))
    assert len(used) >= 7
    assert used <= targets


def test_names_stand_in_the_files_they_are_said_to_be_in() -> None:
    for name, path in re.findall(r"`(\w+)`(?: and `\w+`)? (?:in|of)\s+(?:the members of )?`([\w/]+\.py)`", DOCUMENT):
        assert re.search(rf"\b{name}\b", (ROOT / path).read_text()), (name, path)


def test_every_word_is_used_where_it_is_said_to_live() -> None:
    rows = re.findall(r"^\| ([\w ,]+) \| [^|]+ \| (`raggate_action[^|]+) \|$", DOCUMENT, re.MULTILINE)
    assert 20 <= len(rows) <= 26
    for words, places in rows:
        paths = [ROOT / place for place in re.findall(r"`([^`]+)`", places)]
        files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))]
        text = " ".join(file.read_text() for file in files).lower()
        for word in words.split(", "):
            assert re.search(rf"{word.replace(' ', '.')}", text), (word, places)
