"""`make demo DEMO=panel`: two arms, four scripted judges, a lost call, a biased judge; again, without a call."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.command_line import raggate

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "examples/menu/reference-run"
PAGE = ROOT / "docs/adapt.md"
SHOWN = re.compile(r"(?<=<!-- end of make demo DEMO=panel -->\n```text\n).*?(?=```)", re.DOTALL)
VOLATILE = ("run_id", "timestamp")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What the demo prints, and the folder it leaves."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(ROOT / "examples", folder / "examples")
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_KEY")}
    done = subprocess.run(
        [sys.executable, "-m", "examples.panel_demo"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    if os.environ.get("RAGGATE_UPDATE_GOLDEN"):
        first = folder / "panel-demo/first"
        shutil.copy(first / "findings.md", REFERENCE)
        if lasting(first) != lasting(REFERENCE):
            shutil.copy(first / "judge_rows.csv", REFERENCE)
        ending = done.stdout[done.stdout.index("What judging came to:") :]
        PAGE.write_text(SHOWN.sub(lambda _: ending, PAGE.read_text()))
    return done.stdout, folder / "panel-demo"


def rows_of(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder / "judge_rows.csv").read_text(), newline="")))


def lasting(folder: Path) -> str:
    """The bytes of the rows, with what differs from run to run taken out."""
    text = (folder / "judge_rows.csv").read_text()
    for name in VOLATILE:
        (value,) = {row[name] for row in rows_of(folder)}
        text = text.replace(value, name)
    return text


def section(findings: str, name: str) -> str:
    return findings.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def test_it_ends_as_the_page_shows_and_the_reference_run_is_what_it_makes(demo: tuple[str, Path]) -> None:
    printed, folder = demo
    (shown,) = SHOWN.findall(PAGE.read_text())
    assert printed.endswith(shown)
    assert (REFERENCE / "findings.md").read_bytes() == (folder / "first/findings.md").read_bytes()
    assert lasting(REFERENCE) == lasting(folder / "first")
    assert (folder / "second/findings.md").read_bytes() == (folder / "third/findings.md").read_bytes()


def test_the_judge_that_likes_what_stands_first_decides_nothing(demo: tuple[str, Path]) -> None:
    """Its winner is always the arm shown first, so that no win of it survives the swap."""
    findings = (demo[1] / "first/findings.md").read_text()
    crow = [row for row in rows_of(demo[1] / "first") if row["judge_name"] == "scripted-crow" and not row["identical"]]
    assert all((row["verdict"] == "A") == (row["shown_first"] == "control") for row in crow)
    assert Counter(row["shown_first"] for row in crow) == {"control": 8, "treatment": 8}
    line = next(line for line in section(findings, "By judge").splitlines() if "`scripted-crow`" in line)
    assert "| 0 | 0 | 8 | 2 | 0 | 0.00 | 0/8 |" in line


def test_what_is_found_names_the_one_variable_and_the_judge_of_the_producers_lab(demo: tuple[str, Path]) -> None:
    findings = (demo[1] / "first/findings.md").read_text()
    assert "Without judges that share a lab (`scripted-owl`)" in section(findings, "What is found")
    assert "Version of `tool`: control –, treatment `harness:directives`." in findings
    assert "they retrieved the same for 10 of 10 questions; so it is the only thing seen to differ" in findings


def test_the_rows_alone_come_to_the_same(tmp_path: Path) -> None:
    """A file of rows is counted anew by `ab --rows`, and says who is ahead as the comparison did."""
    labs = ["--control-lab", "Northlab", "--treatment-lab", "Northlab"]
    raggate("ab", "--rows", str(REFERENCE / "judge_rows.csv"), "--out", "counted", *labs, cwd=tmp_path)
    counted, findings = ((each / "findings.md").read_text() for each in (tmp_path / "counted", REFERENCE))
    for name in ("What is found", "By judge", "By dimension", "By question type", "By question", "Limits"):
        assert section(findings, name).strip(), name
        assert section(counted, name) == section(findings, name), name
