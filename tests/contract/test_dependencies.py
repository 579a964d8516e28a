"""What we depend on is declared with both bounds, locked, named in NOTICE with its licence, and can be loaded."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
RUNTIME = [Requirement(text) for text in PROJECT["dependencies"]]
ALL = RUNTIME + [Requirement(text) for extra in PROJECT["optional-dependencies"].values() for text in extra]
LOCK = (ROOT / "requirements.lock").read_text()
NOTICE = (ROOT / "NOTICE").read_text()
# The image's machine: markers of the lock that hold elsewhere only name libraries it does not have.
IMAGE = {
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "sys_platform": "linux",
    "python_full_version": "3.13.0",
}
# Import name -> what is declared for it, where the two differ. pydantic asks for exactly one pydantic_core.
IMPORTED = {"github": "pygithub", "httpx_sse": "httpx-sse", "pydantic_core": "pydantic", "yaml": "pyyaml"}


def locked() -> dict[str, str]:
    """Name and version of every library of the lock that the image installs."""
    found = [Requirement(line) for line in re.findall(r"^([\w.-]+==[^\\\n]+)", LOCK, re.MULTILINE)]
    assert len(found) > 20
    chosen = [each for each in found if each.marker is None or each.marker.evaluate(IMAGE)]
    return {each.name: str(each.specifier).removeprefix("==") for each in chosen}


def plain(name: str) -> str:
    """A name as the lock spells it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("wanted", ALL, ids=str)
def test_every_dependency_has_a_lowest_and_a_highest_version(wanted: Requirement) -> None:
    """Both are what `make test VERSIONS=...` installs; without a bound it would test nothing that was promised."""
    assert {each.operator for each in wanted.specifier} == {">=", "<"}


def test_what_is_imported_is_declared() -> None:
    imported = set()
    for path in (ROOT / "raggate_action").rglob("*.py"):
        if path.name == "pytest_plugin.py":
            continue  # it is imported by pytest alone, which is there then
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.split(".")[0])
    outside = imported - sys.stdlib_module_names - {"raggate_action", "_typeshed"}
    assert {"httpx", "pydantic_core"} <= outside
    assert {IMPORTED.get(name, name) for name in outside} <= {each.name for each in RUNTIME}


def test_the_notice_names_what_the_image_installs_and_nothing_else() -> None:
    named = dict(re.findall(r"^={100}\n(\S+) (\S+)$", NOTICE, re.MULTILINE))
    assert {plain(name): version for name, version in named.items()} == locked()


def test_the_notice_has_the_licences_whole() -> None:
    parts = {part.split()[0]: part for part in re.split(r"^={100}\n", NOTICE, flags=re.MULTILINE)[1:]}
    assert all(len(part) > 700 for part in parts.values()), "the shortest licence has some 1,000 characters"
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in parts["PyGithub"]
    assert "END OF TERMS AND CONDITIONS" in parts["PyGithub"], "the GPL, which the LGPL builds upon"
    assert "END OF TERMS AND CONDITIONS" in parts["openai"], "Apache 2.0"
    assert "Copyright © 2023 Santhosh Thottingal" in parts["sentencex"], "its wheel brings no licence"
    assert "Compiled in:\n  " in parts["pydantic_core"]


def test_packages_ship_the_notice() -> None:
    """The image's own test looks for it there."""
    assert "NOTICE" in PROJECT["license-files"]
    assert "/NOTICE" in SETTINGS["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]


def test_the_openai_client_can_be_loaded() -> None:
    """Nothing of ours imports it yet: a version of the range that fails to load would be found by nobody else."""
    code = "import openai; openai.AsyncOpenAI(api_key='none', base_url='http://127.0.0.1:9/v1')"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
