"""The image itself, and whose code runs in it whatever the checkout holds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from raggate_action import __version__
from raggate_action.core.text.languages.language_rules import KNOWN
from tests.container.action_container import ActionContainer
from tests.installed import FOUND

ROOT = Path(__file__).parents[2]
MEGABYTE = 1_000_000
# Leaves a trace wherever it is imported or run.
EVIL = "open('/github/workspace/OWNED', 'a').write(__name__ + '\\n')\n"
MODULES = ("httpx", "json", "asyncio", "pydantic", "sitecustomize", "usercustomize", "encodings/__init__")


def inspected(image: str) -> dict[str, Any]:
    done = subprocess.run(["docker", "image", "inspect", image], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)[0]
    return found


@pytest.fixture
def base_image() -> str:
    """What the image was built from; a build need not leave it among the machine's images."""
    base = os.environ.get("RAGGATE_BASE", "python:3.13-slim")
    if subprocess.run(["docker", "image", "inspect", base], capture_output=True, check=False).returncode != 0:
        subprocess.run(["docker", "pull", "--quiet", base], capture_output=True, check=True)
    return base


def test_the_version_is_ours(container: ActionContainer) -> None:
    step = container.run("--version")
    assert (step.code, step.stdout) == (0, f"raggate-action {__version__}\n"), step.log


def test_the_image_is_as_github_asks(image: str) -> None:
    config = inspected(image)["Config"]
    assert config["User"] == ""
    assert config["WorkingDir"] in {"", "/"}
    assert config["Entrypoint"] == ["/opt/raggate/bin/python", "-I", "-m", "raggate_action"]
    assert config["Cmd"] == ["action"]


def test_the_image_is_small(image: str, base_image: str) -> None:
    added = inspected(image)["Size"] - inspected(base_image)["Size"]
    assert 0 < added < 120 * MEGABYTE


def test_the_image_holds_what_a_run_needs_and_no_more(container: ActionContainer) -> None:
    files = container.start(entrypoint=["find", "/opt/raggate", "-type", "f"]).end().stdout.splitlines()
    assert any(file.endswith("/raggate_action/templates/scaffold/release-gate.yml.j2") for file in files)
    assert "/opt/raggate/LICENSE" in files
    assert "/opt/raggate/NOTICE" in files
    package = [file for file in files if "/site-packages/raggate_action/" in file and file.endswith(".py")]
    compiled = [file for file in files if "/site-packages/raggate_action/" in file and file.endswith(".pyc")]
    assert len(package) == len(compiled) > 50
    assert not [file for file in files if "/site-packages/pip/" in file]
    for tool in ("cc", "gcc", "git"):
        assert container.start(entrypoint=["sh", "-c", f"command -v {tool}"]).end().stdout == ""


def test_the_image_finds_every_language(container: ActionContainer) -> None:
    ended = container.start(entrypoint=["/opt/raggate/bin/python", "-I", "-c", FOUND]).end()
    assert ended.stdout.splitlines()[0] == " ".join(KNOWN), ended.log


def test_the_image_names_the_licence_of_every_library_it_holds(container: ActionContainer) -> None:
    program = (
        "import re\nfrom importlib.metadata import distributions\nfrom pathlib import Path\n"
        "held = {(d.name.lower(), d.version) for d in distributions()}\n"
        "notice = Path('/opt/raggate/NOTICE').read_text().lower()\n"
        "print(len(held), held ^ set(re.findall(r'^={100}\\n(\\S+) (\\S+)$', notice, re.MULTILINE)))\n"
        "import openai"
    )
    ended = container.start(entrypoint=["/opt/raggate/bin/python", "-I", "-c", program]).end()
    number, _, differing = ended.stdout.strip().partition(" ")
    assert int(number) > 20, ended.log
    assert differing == "set()"
    assert ended.code == 0, ended.log


def test_an_app_can_have_an_environment_of_its_own(container: ActionContainer) -> None:
    program = (
        "python3 -m venv /tmp/app && /tmp/app/bin/python -m pip --version && /tmp/app/bin/python -c 'import httpx'"
    )
    step = container.start(
        entrypoint=["setpriv", "--reuid=65532", "--regid=65532", "--clear-groups", "sh", "-c", program]
    )
    ended = step.end()
    assert ended.stdout.startswith("pip "), ended.log
    # Ours are none of its business.
    assert "No module named 'httpx'" in ended.stderr


def hostile_checkout() -> dict[str, str]:
    files = {f"{name}.py": EVIL for name in MODULES}
    files |= {f"raggate_action/{name}.py": EVIL for name in ("__init__", "__main__", "main")}
    return files | {
        "python": "#!/bin/sh\necho python >>/github/workspace/OWNED\n",
        "pyvenv.cfg": "home = /github/workspace\n",
    }


HOSTILE_ENVIRONMENT = {
    "PYTHONPATH": ".",
    "PYTHONSTARTUP": "httpx.py",
    "PYTHONHOME": "/github/workspace",
    "PYTHONINSPECT": "1",
    "PATH": "/github/workspace:/usr/local/bin:/usr/bin:/bin",
}


@pytest.mark.parametrize("arguments", [["--version"], ["run"], []], ids=["version", "run", "action"])
def test_f11_in_a_hostile_checkout_our_code_is_still_ours(arguments: list[str], container: ActionContainer) -> None:
    container.checkout(hostile_checkout())
    (container.workspace / "python").chmod(0o755)
    shutil.copytree(ROOT / "examples/deploy_policy", container.workspace, dirs_exist_ok=True)
    step = container.run(*arguments, env=HOSTILE_ENVIRONMENT)
    assert not (container.workspace / "OWNED").exists(), step.log
    assert step.code == (0 if "--version" in arguments else 1), step.log


def test_the_control_of_the_hostile_checkout_owns_a_plain_start(container: ActionContainer) -> None:
    container.checkout(hostile_checkout())
    container.start(entrypoint=["/opt/raggate/bin/python", "-m", "raggate_action", "--version"]).end()
    assert "raggate_action" in (container.workspace / "OWNED").read_text()


def test_the_recorded_example_is_blocked_as_on_a_laptop(container: ActionContainer) -> None:
    shutil.copytree(ROOT / "examples/deploy_policy", container.workspace, dirs_exist_ok=True)
    step = container.run("run")
    assert step.code == 1, step.log
    assert step.stdout.startswith("raggate: BLOCK · deploy-policy · "), step.log
    assert (container.workspace / "raggate-run/comment.md").is_file()
