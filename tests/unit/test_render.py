"""The templates are found wherever raggate is installed, and Jinja only when a page is rendered."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from raggate_action.errors import UsageError
from raggate_action.report.render import render_comment
from raggate_action.strings.template_files import template_directory
from tests.golden import pages

ROOT = Path(__file__).parents[2]
RENDER = (
    "import sys, raggate_action\nfrom raggate_action.report.render import render_comment\n"
    "from raggate_action.strings.template_files import template_directory\n"
    "from tests.golden import pages\nsys.stderr.write(f'{raggate_action.__file__}\\n{template_directory()}')\n"
    "sys.stdout.buffer.write(render_comment(pages.release()).encode())"
)


@pytest.mark.parametrize(
    "templates",
    [
        pytest.param("raggate_action/templates", id="inside the package, as a wheel carries them"),
        pytest.param("templates", id="beside the package, as in a checkout"),
    ],
)
def test_the_page_is_the_same_from_a_wheel_and_from_a_checkout(tmp_path: Path, templates: str) -> None:
    shutil.copytree(ROOT / "raggate_action", tmp_path / "raggate_action", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates", tmp_path / templates)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", RENDER], env=environment, cwd=tmp_path, capture_output=True, check=True
    )
    package, directory = done.stderr.decode().splitlines()
    assert Path(package).is_relative_to(tmp_path)
    assert Path(directory) == tmp_path / templates
    assert done.stdout.decode() == render_comment(pages.release())


def test_an_installation_without_templates_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the templates are missing") as raised:
        template_directory(tmp_path / "raggate_action")
    assert str(tmp_path / "templates") in str(raised.value)


def test_importing_the_report_does_not_load_jinja() -> None:
    code = "import sys, raggate_action.report.render\nsys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
