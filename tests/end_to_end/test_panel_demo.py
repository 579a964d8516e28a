"""`make panel-demo`: two arms, four scripted judges, a lost call, a biased judge; again, without a call."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "examples/menu/reference-run"
PAGE = ROOT / "docs/adapt.md"
SHOWN = re.compile(r"(?<=<!-- end of make panel-demo -->\n```text\n).*?(?=```)", re.DOTALL)
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


def judgements(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "judgements.jsonl").read_text().splitlines()]


def section(findings: str, name: str) -> str:
    return findings.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def test_it_ends_as_the_page_shows(demo: tuple[str, Path]) -> None:
    (shown,) = SHOWN.findall(PAGE.read_text())
    assert shown.startswith("What judging came to:")
    assert demo[0].endswith(shown)


def test_findings_and_tables_are_printed_as_they_stand(demo: tuple[str, Path]) -> None:
    printed, folder = demo
    findings = (folder / "first/findings.md").read_text()
    for name in ("What is found", "By judge", "By dimension"):
        assert section(findings, name).strip()
        assert section(findings, name).strip() in printed


def test_the_reference_run_is_what_the_demo_makes(demo: tuple[str, Path]) -> None:
    first = demo[1] / "first"
    assert (REFERENCE / "findings.md").read_bytes() == (first / "findings.md").read_bytes()
    assert lasting(REFERENCE) == lasting(first)


def test_the_reference_run_says_that_its_judges_are_scripted() -> None:
    assert {row["judge_name"].partition("-")[0] for row in rows_of(REFERENCE)} == {"scripted"}
    page = (REFERENCE / "README.md").read_text()
    assert "**scripted** judges, which are no models" in page
    assert set(re.findall(r"\| `(scripted-\w+)` \|", page)) == {row["judge_name"] for row in rows_of(REFERENCE)}
    assert "`scripted-" in section((REFERENCE / "findings.md").read_text(), "By judge")


def test_the_rows_are_the_panel_judge_by_question_and_order() -> None:
    """10 questions, 4 judges, both orders; two questions have one answer, which has one order, and one call was lost."""
    rows = rows_of(REFERENCE)
    assert len(rows) == 8 * 4 * 2 + 2 * 4
    alike = {row["question_id"] for row in rows if row["identical"]}
    assert len(alike) == 2
    times = Counter((row["question_id"], row["judge_name"]) for row in rows)
    assert all(number == (1 if question in alike else 2) for (question, _judge), number in times.items())
    (lost,) = [row for row in rows if row["lost"]]
    assert (lost["judge_name"], lost["lost"].partition(":")[0]) == ("scripted-lark", "judge-server-error")
    for row in rows:
        assert row["augmented_response"] != row["baseline_response"] or row["identical"]
    arms = {row["question_id"]: row["augmented_response"] for row in rows if not row["identical"]}
    assert len(arms) == 8
    assert all(answer.startswith("I cannot answer this") for answer in arms.values())


def test_the_judge_that_likes_what_stands_first_decides_nothing(demo: tuple[str, Path]) -> None:
    """Its winner is always the arm shown first, so that no win of it survives the swap."""
    findings = (demo[1] / "first/findings.md").read_text()
    crow = [row for row in rows_of(demo[1] / "first") if row["judge_name"] == "scripted-crow" and not row["identical"]]
    assert len(crow) == 16
    assert all((row["verdict"] == "A") == (row["shown_first"] == "control") for row in crow)
    assert Counter(row["shown_first"] for row in crow) == {"control": 8, "treatment": 8}
    line = next(line for line in section(findings, "By judge").splitlines() if "`scripted-crow`" in line)
    assert "| 0 | 0 | 10 | 0 | 0.00 | 0/8 |" in line


def test_the_judge_of_the_producers_lab_is_named_and_left_out_once(demo: tuple[str, Path]) -> None:
    findings = (demo[1] / "first/findings.md").read_text()
    assert "Without judges that share a lab (`scripted-owl`)" in section(findings, "What is found")
    assert "`scripted-owl`" in section(findings, "Limits")


def test_the_one_variable_is_the_tool(demo: tuple[str, Path]) -> None:
    findings = (demo[1] / "first/findings.md").read_text()
    assert "`target.url`" in findings
    assert "Versions that differ: `tool`: control names none, treatment `harness:directives`." in findings
    assert "they retrieved the same for 10 of 10 questions; so it is the only thing seen to differ" in findings


def test_what_was_lost_is_asked_again_and_then_nothing(demo: tuple[str, Path]) -> None:
    calls = [[each for each in judgements(demo[1] / name) if each["calls"]] for name in ("first", "second", "third")]
    assert [len(each) for each in calls] == [8 * 4 * 2 + 40 * 4, 1, 0]
    (again,) = calls[1]
    assert again["judge"] == "scripted-lark"
    assert "lost" not in again
    second, third = ((demo[1] / name / "findings.md").read_bytes() for name in ("second", "third"))
    assert second == third
    assert lasting(demo[1] / "second") == lasting(demo[1] / "third")


def test_the_rows_alone_come_to_the_same(tmp_path: Path) -> None:
    """A file of rows is counted anew by `ab --rows`, and says who is ahead as the comparison did."""
    command = [
        sys.executable,
        "-m",
        "raggate_action",
        "ab",
        "--rows",
        str(REFERENCE / "judge_rows.csv"),
        "--out",
        "counted",
    ]
    labs = ["--control-lab", "Northlab", "--treatment-lab", "Northlab"]
    subprocess.run([*command, *labs], cwd=tmp_path, capture_output=True, text=True, check=True)
    counted, findings = ((each / "findings.md").read_text() for each in (tmp_path / "counted", REFERENCE))
    for name in ("What is found", "By judge", "By dimension", "By question type", "By question", "Limits"):
        assert section(findings, name).strip(), name
        assert section(counted, name) == section(findings, name), name
