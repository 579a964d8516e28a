"""The programs and tests of `docs/python.md` run as they stand, without a warning."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.forked import Forks

DOCUMENT = (Path(__file__).parents[2] / "docs/python.md").read_text()
SAMPLES = dict(re.findall(r"<!-- sample: (\S+) -->\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL))
PROGRAMS = re.findall(r"(?<!-->)\n```python\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in SAMPLES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.strip().splitlines()[-1][:40])
def test_the_programs_do_what_they_say(program: str, folder: Path, forks: Forks) -> None:
    (folder / "program.py").write_text(program)
    done = forks.run("-W", "error", "program.py", cwd=folder, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_tests_pass_and_fail_with_the_app_and_a_suite_is_collected(folder: Path, forks: Forks) -> None:
    # What is loaded already is not rewritten, of which pytest warns. Of its plugins only ours: the others take longest.
    strict = "-W error -W ignore::pytest.PytestAssertRewriteWarning"
    env = {**os.environ, "PYTEST_ADDOPTS": f"{strict} -p no:hypothesispytest -p no:anyio -p no:xdist"}

    def printed(*arguments: str) -> str:
        return forks.run("-m", "pytest", *arguments, "-p", "no:cacheprovider", cwd=folder, env=env).stdout

    assert "2 passed" in printed("-q", "test_release.py", "test_in_one_line.py")
    for command in re.findall(r"^pytest ([^#\n]*)", DOCUMENT, re.MULTILINE):
        assert "PASSED raggate.yaml::refund-window" in printed(*command.split(), "-rA")
    app = folder / "support.py"
    app.write_text(app.read_text().replace("within 30 days", "within 90 days"))
    # As long as before, and in the same second: bytecode that was kept would be taken for this one's.
    os.utime(app, (0, 0))
    assert "2 failed" in printed("-q", "test_release.py", "test_in_one_line.py")
