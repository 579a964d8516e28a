"""`make demo DEMO=action`, so that it never rots: a stranger's first look at the action has to work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_demo_is_blocked_mended_and_told_in_one_comment(image: str, tmp_path: Path) -> None:
    for folder in ("examples", "tests", "raggate_action"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "action.yml", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "examples.action_demo"],
        cwd=tmp_path,
        env={**os.environ, "RAGGATE_IMAGE": image},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert re.findall(r"^   raggate: (RELEASE|BLOCK) ", done.stdout, re.MULTILINE) == ["RELEASE", "BLOCK", "RELEASE"]
    assert len(set(re.findall(r"^   comment (\d+),", done.stdout, re.MULTILINE))) == 1
    left = sorted(path.name for path in (tmp_path / "action-demo").iterdir())
    jobs = [f"job-{number}-{file}" for number in (1, 2, 3) for file in ("log.txt", "summary.md")]
    assert left == ["comment-1.md", "comment-2.md", *jobs]
    red, green = ((tmp_path / f"action-demo/comment-{number}.md").read_text() for number in (1, 2))
    assert "**Block**" in red
    assert "The Samos Muscat is the perfect match for the Slow Lamb Shank" in red, "what was made up is quoted"
    assert "**Release**" in green
    assert "hallucinations:**" not in green
    assert "0 commits behind" not in green, "the baseline is of today"


def test_without_docker_the_demo_says_so(tmp_path: Path) -> None:
    nowhere = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    command = ["make", "demo", "DEMO=action"]
    done = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "no Docker engine answers" in done.stdout
