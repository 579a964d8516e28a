"""`make demo DEMO=judge`: judges on trial, a release, a block by what judges alone can see, and a run without a call."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What the demo prints, and the folder it leaves."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(ROOT / "examples", folder / "examples")
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_KEY")}
    done = subprocess.run(
        [sys.executable, "-m", "examples.judge_demo"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, folder / "judge-demo"


def comment_of(demo: tuple[str, Path], name: str) -> str:
    return (demo[1] / name / "comment.md").read_text()


def judge_line(comment: str) -> str:
    fold = comment.partition("<summary>Judges: ")[2].partition("</details>")[0]
    return next(line for line in fold.splitlines() if line.startswith("- ")).removeprefix("- ")


def test_an_unchanged_app_costs_no_call_and_all_ends_as_it_must_be(demo: tuple[str, Path]) -> None:
    assert "  again     207 judgements, 207 reused; 0 calls, 0.0000 USD\n" in demo[0]
    assert demo[0].endswith(
        "As it must be: released, blocked by what judges alone can see, released again without a call.\n"
    )


def test_the_judge_that_obeys_is_disarmed_and_named_and_the_others_count(demo: tuple[str, Path]) -> None:
    printed, _folder = demo
    assert "owl (Northlab, north-mini): armed" in printed
    assert "lark (Southlab, south-small): armed" in printed
    assert re.search(r"crow \(Eastlab, east-3b\): advises \(it obeyed \d+ planted instructions\)", printed)
    comment = comment_of(demo, "changed")
    assert re.search(
        r"\*\*Advice only:\*\* `crow` \(Eastlab\): it obeyed \d+ planted instructions\. Choose another model\.",
        comment,
    )


def test_the_change_is_blocked_by_what_no_rule_sees(demo: tuple[str, Path]) -> None:
    comment = comment_of(demo, "changed")
    line = judge_line(comment)
    assert line.startswith("2 of 3 armed: `owl` (Northlab), `lark` (Southlab) ·")
    assert "1 lost (stopped by a content filter)" in line
    assert line.endswith("USD and unknown prices (`crow`)")
    assert "  - faithfulness: judges gave no usable verdict: " in comment
    assert "first lark (stopped by a content filter: the provider's content filter took the reply)" in comment
    assert "judge-filtered" not in comment
    evidence = next(line for line in comment.splitlines() if line.startswith("  - evidence: `starter-fava` "))
    assert " · 2 of 2 armed judges say unsupported · id `claim:" in evidence
    votes = comment.partition("Judges on new hallucinations (6)")[2].partition("</details>")[0]
    assert votes.count("  - `owl`") == votes.count("`crow` (advising)") == 6
    assert "  - `owl`, `lark`, `crow` (advising): unsupported · No chunk says: confirm, delivery, " in votes, (
        "once for all"
    )
    assert "Release" in comment_of(demo, "baseline").splitlines()[2]


def test_what_did_not_change_costs_no_call(demo: tuple[str, Path]) -> None:
    line = judge_line(comment_of(demo, "again"))
    assert line.endswith("15 judgements of 5 answers, 15 reused · agree on 8 of 8 claims · no call")


def test_every_vote_is_explained_at_the_terminal(demo: tuple[str, Path]) -> None:
    def explained(case: str) -> str:
        command = [sys.executable, "-m", "raggate_action", "explain", str(demo[1] / "changed"), case]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    vegan = explained("fava-vegan")
    assert "2 of 2 armed judges say unsupported" in vegan
    # Votes that say the same stand together.
    said = r"[^:\n]*: unsupported · No chunk says: confirm, delivery, every, supplier, vegan\."
    assert re.search(rf"owl{said}", vegan)
    assert re.search(r"crow \(advising\)[^:\n]*: unsupported", vegan)
    assert "lark (armed): lost, stopped by a content filter" in explained("orzo-shellfish")
