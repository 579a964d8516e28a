"""`history.jsonl`: carried from run to run along the baselines, by real commands; and what `report --history` shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fuzz.stored_runs import tie
from raggate_action.cli.main import main
from raggate_action.run.stored_runs import history_before
from raggate_action.run_store import read_history, read_run
from tests.integration.test_report_file import GOOD, WORSE
from tests.integration.test_report_file import suite as suite  # noqa: PLC0414 - a fixture

Suite = Callable[..., Path]


def dates(directory: Path) -> list[str]:
    return [line.date for line in read_history(directory)]


def decided(directory: Path) -> str:
    return read_run(directory).decided_at


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["report", *arguments]) == 0
    return capsys.readouterr().out


def test_a_run_has_the_runs_of_its_branch_before_it_and_not_itself(suite: Suite) -> None:
    first = suite("first", GOOD)
    second = suite("second", GOOD, "--baseline", str(first))
    third = suite("third", GOOD, "--baseline", str(second))
    # Two pull requests beside the same main: neither is in what main's next run carries on.
    pulls = [suite(f"pull-{n}", WORSE, "--baseline", str(third)) for n in range(2)]
    fourth = suite("fourth", GOOD, "--baseline", str(third))
    assert not (first / "history.jsonl").exists()
    assert dates(second) == [decided(first)]
    main_runs = [decided(each) for each in (first, second, third)]
    assert [dates(each) for each in (*pulls, fourth)] == [main_runs] * 3


def test_histories_that_were_put_together_have_each_run_once(suite: Suite) -> None:
    first = suite("first", GOOD)
    ours, theirs = (suite(name, GOOD, "--baseline", str(first)) for name in ("ours", "theirs"))
    ours_next, theirs_next = (suite(f"{each.name}-next", GOOD, "--baseline", str(each)) for each in (ours, theirs))
    both = (theirs_next / "history.jsonl").read_bytes() + (ours_next / "history.jsonl").read_bytes()
    (ours_next / "history.jsonl").write_bytes(both)
    tie(ours_next)
    after = suite("after", GOOD, "--baseline", str(ours_next))
    assert dates(after) == sorted(decided(each) for each in (first, ours, theirs, ours_next))


def test_on_a_laptop_runs_into_one_folder_make_a_history(suite: Suite, tmp_path: Path) -> None:
    told = [decided(suite("raggate-run", GOOD)) for _number in range(3)]
    assert dates(tmp_path / "raggate-run") == told[:2]
    # A run that was stopped has what it replaced.
    run = json.loads((tmp_path / "raggate-run/run.json").read_text())
    kept = ("schema_version", "suite", "suite_file", "scope", "started_at", "as_of", "provenance", "policy")
    begun = {"complete": False, "suite_cases": run["suite_cases"], **{key: run[key] for key in kept}}
    (tmp_path / "raggate-run/run.json").write_text(json.dumps(begun))
    assert [line.date for line in history_before(tmp_path / "raggate-run", "desk")] == told[:2]
    assert history_before(tmp_path / "raggate-run", "another") == ()
    assert history_before(tmp_path / "nothing", "desk") == ()


def test_a_history_that_cannot_be_read_begins_anew_and_costs_no_run(suite: Suite) -> None:
    first = suite("first", GOOD)
    second = suite("second", GOOD, "--baseline", str(first))
    for content in (b"{}\n", b"\xff", b'{"date": 1', b""):
        (second / "history.jsonl").write_bytes(content)
        third = suite("third", GOOD, "--baseline", str(second))
        assert dates(third) == [decided(second)]


def versioned(number: int, **more: Any) -> dict[str, Any]:
    return {"versions": {"service_version": f"v{number}", "prompt": f"p{number // 2}"}, "latency_ms": 100.0, **more}


def test_the_table_stands_in_columns_and_says_what_changed(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    last: list[str] = []
    for number in range(4):
        name = f"run-{number}"
        suite(name, WORSE if number < 2 else GOOD, *last, **versioned(number))
        last = ["--baseline", name]
    shown = printed(capsys, "run-3", "--history")
    lead, _empty, table = shown.partition("\n\n")
    # Two of three cases pass in two runs, then all do.
    assert "- Passed 66.7 % -> 100.0 % over 4 versions" in lead.splitlines()
    rows = table.splitlines()
    assert len({len(row) for row in rows}) == 1
    assert [re.sub(r"^\| \S+ \S+ \| `(v\d)` .*", r"\1", row) for row in rows[2:]] == ["v3", "v2", "v1", "v0"]
    changed = [row.split("|")[-2].strip() for row in rows[2:]]
    assert changed == ["`service_version v3`", "`prompt p1`, `service_version v2`", "`service_version v1`", "–"]
    page = (Path("run-3") / "report.html").read_text()
    assert 'aria-label="Passed over 4 versions: from 66.7 % to 100.0 %"' in page
    assert "History (4 runs)" in page
    assert 'class="trend"' not in (Path("run-1") / "report.html").read_text()


def test_words_of_versions_do_nothing_in_the_table(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "`|<img src=x>\x1b[31m\n# @here](http://x)\u202e"
    suite("raggate-run", GOOD, versions={"service_version": hostile})
    shown = printed(capsys, "raggate-run", "--history")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    (row,) = [line for line in shown.splitlines() if "img" in line]
    assert re.sub(r"(`+)(?:(?!\1).)*\1", "", row).find("<") == -1
