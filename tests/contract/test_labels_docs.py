"""`docs/labels.md` cannot lie: its files are written, its commands run, their output compared word for word."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.forked import Forks

DOCUMENT = (Path(__file__).parents[2] / "docs/labels.md").read_text()
SAMPLES = dict(re.findall(r"<!-- sample: (\S+) -->\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL))
CONSOLE = [
    (command, output)
    for block in re.findall(r"```console\n(.*?)```", DOCUMENT, re.DOTALL)
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


def test_the_files_and_commands_are_as_shown(tmp_path: Path, forks: Forks) -> None:
    assert sorted(SAMPLES) == ["cases.yaml", "evidence.jsonl", "raggate.yaml", "traces.jsonl"]
    assert len(CONSOLE) == 6
    for name, text in SAMPLES.items():
        (tmp_path / name).write_text(text)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    def ran(command: str) -> str:
        piped = subprocess.run(
            ["/bin/sh", "-c", f"{{ {command}\n}} 2>&1"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return piped.stdout

    forks.run("-m", "raggate_action", "run", cwd=tmp_path, env=os.environ)
    for command, output in CONSOLE:
        assert ran(command) == output, command
