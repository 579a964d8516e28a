"""The templates of `init` are found wherever raggate is installed; no run loads Jinja for its texts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from raggate_action.errors import UsageError
from raggate_action.report.render import render_scaffold
from raggate_action.strings.template_files import template_directory

ROOT = Path(__file__).parents[2]
RENDER = (
    "import sys, raggate_action\nfrom raggate_action.report.render import render_scaffold\n"
    "from raggate_action.strings.template_files import template_directory\n"
    "sys.stderr.write(f'{raggate_action.__file__}\\n{template_directory()}')\n"
    "sys.stdout.buffer.write(render_scaffold('evidence/markdown.py', {'out': 'e.jsonl', 'script': 's.py'}).encode())"
)


@pytest.mark.parametrize(
    "templates",
    [
        pytest.param("raggate_action/templates", id="inside the package, as a wheel carries them"),
        pytest.param("templates", id="beside the package, as in a checkout"),
    ],
)
def test_a_scaffold_is_the_same_from_a_wheel_and_from_a_checkout(tmp_path: Path, templates: str) -> None:
    shutil.copytree(ROOT / "raggate_action", tmp_path / "raggate_action", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates", tmp_path / templates)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", RENDER], env=environment, cwd=tmp_path, capture_output=True, check=True
    )
    package, directory = done.stderr.decode().splitlines()
    assert Path(package).is_relative_to(tmp_path)
    assert Path(directory) == tmp_path / templates
    assert done.stdout.decode() == render_scaffold("evidence/markdown.py", {"out": "e.jsonl", "script": "s.py"})
    assert "e.jsonl" in done.stdout.decode()


def test_an_installation_without_templates_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the templates are missing") as raised:
        template_directory(tmp_path / "raggate_action")
    assert str(tmp_path / "templates") in str(raised.value)


def test_a_comment_is_written_without_jinja() -> None:
    code = (
        "import sys\nfrom raggate_action.report.render import render_comment, render_summary\n"
        "from tests.golden import pages\nrender_comment(pages.release())\nrender_summary(pages.release())\n"
        "sys.exit('jinja2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0
