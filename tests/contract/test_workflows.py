"""What runs on GitHub is pinned, has the least rights, and what documents say of it is so. Linters: `make lint`."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from raggate_action import __version__
from raggate_action.action.artifact_storing import UPLOAD_STEP

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
USES = re.compile(r"^\s*(?:- )?uses: (\S+)(.*)$", flags=re.MULTILINE)
POINT_AT_IMAGE = ROOT / ".github/scripts/point-at-image"
DIGEST = "sha256:" + "0123456789abcdef" * 4


def uses() -> Iterator[tuple[str, str, str]]:
    """Every use of a stranger's action: where, which, and the comment behind it."""
    for path in (*WORKFLOWS, ROOT / "action.yml"):
        for action, comment in USES.findall(path.read_text()):
            if action != "./":
                yield path.name, action, comment.strip()


def workflow(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text())
    return found


def test_f10_every_action_is_pinned_by_hash_with_its_version() -> None:
    found = list(uses())
    assert len(found) > 10
    loose = [
        (place, action)
        for place, action, comment in found
        if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", action) or not re.fullmatch(r"# v\d+\.\d+\.\d+", comment)
    ]
    assert not loose


def test_f10_one_action_has_one_hash() -> None:
    pins: dict[str, set[tuple[str, str]]] = {}
    for _place, action, comment in uses():
        name, _, pin = action.partition("@")
        pins.setdefault(name, set()).add((pin, comment))
    assert not {name: found for name, found in pins.items() if len(found) > 1}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_f10_a_workflow_has_no_rights_its_jobs_do_not_ask_for(path: Path) -> None:
    found = workflow(path)
    assert found["permissions"] == {}
    for name, job in found["jobs"].items():
        assert isinstance(job.get("permissions", {}), dict), name
        assert job["timeout-minutes"] <= 60, name


def test_what_takes_longer_than_a_change_waits_for_runs_every_night() -> None:
    found: Any = workflow(ROOT / ".github/workflows/ci.yml")
    assert found.get("on", found.get(True))["schedule"]
    (nightly,) = [job for job in found["jobs"].values() if {"run": "make test ALL=1"} in job["steps"]]
    assert "schedule" in nightly["if"]
    landing = (ROOT / ".ci/run").read_text()
    assert re.findall(r"^make .*?\b(test[\w-]*)", landing, re.MULTILINE) == ["test", "test-lowest", "test-container"]


def test_what_security_says_was_tested_is_a_test() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "SECURITY.md").read_text()))
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 5
    assert not {name for name in named if f"def {name}(" not in tests}


def test_the_image_installs_what_the_project_asks_for() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    wanted = [Requirement(text) for text in re.findall(r'^    "(.+)",$', project.split("classifiers")[0], re.MULTILINE)]
    lock = (ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(r"^([\w.-]+)==(\S+)", lock, flags=re.MULTILINE))
    assert len(wanted) >= 7
    assert not [str(each) for each in wanted if locked.get(each.name.lower(), "0") not in each.specifier]
    entries = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert not [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry]


def test_the_image_leaves_user_and_directory_to_the_runner() -> None:
    words = {line.split()[0] for line in (ROOT / "Dockerfile").read_text().splitlines() if line.strip()}
    assert {"FROM", "ENTRYPOINT"} <= words
    assert not words & {"USER", "WORKDIR"}


def pointed_at(image: str, folder: Path) -> tuple[int, str]:
    """Exit code of the release's edit of action.yml, and what became of it."""
    copy = folder / "action.yml"
    copy.write_text((ROOT / "action.yml").read_text())
    done = subprocess.run([POINT_AT_IMAGE, image, copy], capture_output=True, text=True, check=False)
    return done.returncode, copy.read_text()


def test_a_release_uses_its_published_image(tmp_path: Path) -> None:
    code, text = pointed_at(f"ghcr.io/octo/raggate@{DIGEST}", tmp_path)
    assert code == 0
    before, after = yaml.safe_load((ROOT / "action.yml").read_text()), yaml.safe_load(text)
    assert after["runs"].pop("image") == f"docker://ghcr.io/octo/raggate@{DIGEST}"
    assert before["runs"].pop("image") == "Dockerfile"
    assert after == before


@pytest.mark.parametrize(
    "image",
    ["ghcr.io/octo/raggate:v1", f"ghcr.io/Octo/raggate@{DIGEST}", f"x@{DIGEST}0", "x@sha256:", f"a|b@{DIGEST}"],
)
def test_a_release_uses_nothing_but_an_image_by_digest(image: str, tmp_path: Path) -> None:
    code, text = pointed_at(image, tmp_path)
    assert code == 2
    assert text == (ROOT / "action.yml").read_text()


GUIDES = ("README.md", "docs/pull-requests.md")
AROUND_STEPS = """\
name: release gate
on: {pull_request: }
permissions: {}
concurrency: {group: "${{ github.workflow }}-${{ github.ref }}", cancel-in-progress: true}
jobs:
  gate:
    runs-on: ubuntu-24.04
    permissions: {contents: read}
"""


def shown_workflows() -> list[str]:
    """The workflows that users copy, in the order shown; steps alone are put into a job."""
    text = "".join((ROOT / name).read_text() for name in GUIDES)
    found = re.findall(r"^<!-- workflow( steps)?: [^\n]+ -->\n```yaml\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    return [AROUND_STEPS + textwrap.indent(block, "    ") if steps else block for steps, block in found]


def test_the_pull_request_named_by_hand_is_handed_to_the_action() -> None:
    shown = yaml.safe_load(shown_workflows()[0])
    started = shown.get("on", shown.get(True))
    (named,) = started["workflow_dispatch"]["inputs"]
    (ours,) = [each for each in shown["jobs"]["gate"]["steps"] if "raggate-action/" in each.get("uses", "")]
    assert "with" not in ours
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["inputs"]["pr-number"]["default"] == f"${{{{ github.event.inputs.{named} }}}}"
    # What GitHub starts without being told which, and a draft that becomes ready.
    assert started["pull_request"]["types"] == ["opened", "synchronize", "reopened", "ready_for_review"]


def test_f10_what_users_copy_has_our_hashes_and_this_version() -> None:
    pinned = {action.partition("@")[0]: (action, comment) for _place, action, comment in uses()}
    # Our own workflows need no such step; it is the one that the log tells people to add.
    shown, _blank, comment = UPLOAD_STEP.partition(" ")
    pinned["actions/upload-artifact"] = (shown, comment)
    found = [use for block in shown_workflows() for use in USES.findall(block)]
    ours = "raggate-action/raggate-action"
    assert {action for action, _comment in found if action.startswith(ours)} == {f"{ours}@v{__version__}"}
    others = [(action, comment.strip()) for action, comment in found if not action.startswith(ours)]
    assert len(others) >= 6
    assert not [use for use in others if pinned[use[0].partition("@")[0]] != use]
    installed = re.findall(r"pip install (\S+)", "".join(shown_workflows()))
    assert set(installed) == {f"raggate-action=={__version__}"}


def passes_the_linters(texts: Iterable[str], folder: Path) -> None:
    """Workflows as users write them: our releases are followed by their tags, everything else is pinned by hash."""
    place = folder / ".github/workflows"
    place.mkdir(parents=True)
    policies = '{"raggate-action/raggate-action": ref-pin, "*": hash-pin}'
    (folder / ".github/zizmor.yml").write_text(f"rules: {{unpinned-uses: {{config: {{policies: {policies}}}}}}}\n")
    for number, text in enumerate(texts):
        (place / f"{number}-release-gate.yml").write_text(text)
    files = sorted(map(str, place.iterdir()))
    assert files
    for name, *arguments in (
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files),
        ("zizmor", "--offline", "--no-progress", str(folder)),
    ):
        program = Path(sys.executable).with_name(name)
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
