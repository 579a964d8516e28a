"""The picture in `dev/notes/architecture.md` shows what the code does: every folder, no arrow that is not there or goes up."""

from __future__ import annotations

import re
from pathlib import Path

from tests.contract.test_layers import FILES, FLOORS, PACKAGE, family, own_imports

DOCUMENT = (Path(__file__).parents[2] / "dev/notes/architecture.md").read_text()
PICTURE = DOCUMENT.partition("```mermaid\n")[2].partition("```")[0]
ARROWS = re.findall(r"^\s*(\w+) --> (\w+)$", PICTURE, re.MULTILINE)
BOXES = re.findall(r"^ {4}(\w+)(?:\[|$| -->)", PICTURE, re.MULTILINE)


def test_every_arrow_is_an_import_that_goes_down() -> None:
    assert len(ARROWS) == PICTURE.count("-->") >= 15
    real = {(family(path), other) for path in FILES for other in own_imports(path)}
    assert [arrow for arrow in ARROWS if arrow not in real] == []
    assert [(above, below) for above, below in ARROWS if FLOORS[above] <= FLOORS[below]] == []


def test_every_folder_has_its_box() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert folders - set(BOXES) == set()
    assert set(BOXES) <= FLOORS.keys()


def test_rooms_that_know_nothing_of_each_other_do_not_import_each_other() -> None:
    inside = PICTURE.partition("subgraph rooms")[2].partition("  end")[0]
    rooms = set(re.findall(r"^ {4}(\w+)\[", inside, re.MULTILINE))
    assert len(rooms) == 7
    assert [path for path in FILES if family(path) in rooms and own_imports(path) & (rooms - {family(path)})] == []
