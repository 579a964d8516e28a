"""A stored run is shown as it says; a fork's is counted from its rows: its numbers change nothing, rows that are not its
cases are refused."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fuzz.stored_runs import Place, outcome, places, read_documents, real_run, showings, write_documents
from raggate_action.cli.main import main
from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.errors import RaggateError, RunStoreError, UsageError
from raggate_action.run.count_and_decide import recount, texts_of
from raggate_action.run.stored_runs import stored_baseline, stored_reporting
from raggate_action.run_store import read_run, rows_of
from tests.stored_runs import leave_rows
from tests.thorough import some

# What is no count: how the run was made and judged. Everything else in run.json follows from the rows.
DECLARED = {"schema_version", "policy", "origin", "baseline", "by_suite"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(real_run(), tmp_path / "run")
    return tmp_path / "run"


@cache
def case_id() -> str:
    """A case of the run."""
    return str(read_documents(real_run())["cases.jsonl"][0]["case_id"])


def shown(directory: Path) -> list[str]:
    """What every command says of a run."""
    return [outcome(show).replace(str(directory), "DIR") for show in showings(directory, case_id())]


def published(directory: Path) -> str:
    """What the second stage says of a fork's run."""
    *_own, show = showings(directory, case_id())
    return outcome(show).replace(str(directory), "DIR")


def forged(directory: Path, change: Callable[[dict[str, Any]], None]) -> str:
    documents = read_documents(real_run())
    change(documents)
    write_documents(directory, documents)
    return published(directory)


def test_a_real_run_is_shown_as_it_was_decided_and_counted_again_is_itself() -> None:
    run = read_run(real_run())
    told = stored_reporting(real_run())
    assert told.run == run
    assert texts_of(told)["comment.md"] == (real_run() / "comment.md").read_text()
    base = stored_baseline(real_run().parent / "base", suite=run.suite)
    again = recount(run, lambda: rows_of(real_run(), run), baseline=base)
    assert again.run == run.model_copy(update={"files": {}})
    assert (again.listed, again.comparison) == (told.listed, told.comparison)


def test_no_forged_number_of_a_forks_run_is_published(copy: Path) -> None:
    assert all("is a bug" not in text and text for text in shown(copy))
    honest = published(copy)
    changed = 0
    run = read_documents(real_run())["run.json"]
    numbers = [place for place in places({key: run[key] for key in run if key not in DECLARED}) if _is_number(place)]
    for number in some(range(len(numbers))):

        def change(documents: dict[str, Any], number: int = number) -> None:
            whole = documents["run.json"]
            part = {key: whole[key] for key in whole if key not in DECLARED}
            holder, key = [place for place in places(part) if _is_number(place)][number]
            holder[key] = 987_654 if isinstance(holder[key], int) else 98.7
            whole.update(part)

        documents = read_documents(real_run())
        change(documents)
        write_documents(copy, documents)
        now = published(copy)
        refused = "DIR/run.json: " in now and "make the run again" in now
        assert now == honest or refused, (numbers[number].key, now)
        changed += 1
    assert changed > len(some(range(40))), "counts, gates, slices, stages, summary: a run has many numbers"


def _is_number(place: Place) -> bool:
    value = place.holder[place.key]
    return isinstance(value, int | float) and not isinstance(value, bool)


def test_forged_counts_without_the_failing_rows_are_refused(copy: Path) -> None:
    """The report that read `Release, 24 passed`."""

    def release(documents: dict[str, Any]) -> None:
        run, rows = documents["run.json"], documents["cases.jsonl"]
        run["counts"] |= {"passed": len(rows), "failed": 0, "cases": len(rows)}
        run["decision"] = {
            "kind": "release",
            "reasons": ["released"],
            "enforced": True,
        }
        documents["cases.jsonl"] = [row for row in rows if row["state"] == "passed"]
        assert len(documents["cases.jsonl"]) < len(rows)

    text = forged(copy, release)
    assert "no row" in text
    assert "though the run is complete" in text
    assert "Release" not in text


def test_a_forks_run_is_no_baseline(copy: Path) -> None:
    documents = read_documents(copy)
    origin = {"repository": "a/b", "server_url": "https://github.test", "event": "pull_request"}
    documents["run.json"]["origin"] = {**origin, "workflow_run_id": 7, "head_sha": "a", "fork": True}
    write_documents(copy, documents)
    with pytest.raises(UsageError, match="is a run of a fork or of Dependabot"):
        stored_baseline(copy, suite=read_run(copy).suite)


def forge_baseline(change: Callable[[dict[str, Any]], None], directory: Path) -> BaselineIndex:
    documents = read_documents(real_run().parent / "head")
    change(documents)
    write_documents(directory, documents)
    return stored_baseline(directory, suite=read_run(directory).suite)


def _drop(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"].pop()


def _double(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"].append(documents["cases.jsonl"][0])


def _replace(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"][0]["digest"] = "0"


def _move(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"][0]["position"] = 10**6


def _leave_out(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"].pop()
    documents["run.json"]["suite_cases"][-1][2] = False


def _list_twice(documents: dict[str, Any]) -> None:
    documents["run.json"]["suite_cases"].append(documents["run.json"]["suite_cases"][0])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(_drop, "have no row|has no row", id="a row is gone"),
        pytest.param(_double, "has a second row", id="a row stands twice"),
        pytest.param(_replace, "or is none of those the run was to run", id="a row of another case"),
        pytest.param(_move, "or is none of those the run was to run", id="a row of no place"),
        pytest.param(_leave_out, "the scope is full", id="a case taken out of a full scope"),
        pytest.param(_list_twice, "names a case twice", id="a case listed twice"),
    ],
)
def test_rows_that_are_not_the_cases_are_refused(
    copy: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    text = forged(copy, change)
    assert re.search(said, text)
    assert "The run directory was changed" in text


def test_rows_in_another_order_are_the_same_run(copy: Path) -> None:
    """Honest: nothing is lost, nothing is added."""
    before = published(copy)
    assert forged(copy, lambda documents: documents["cases.jsonl"].reverse()) == before


def _truncate(directory: Path) -> None:
    rows = (directory / "cases.jsonl").read_bytes().splitlines(keepends=True)
    (directory / "cases.jsonl").write_bytes(b"".join(rows[:-1]))


def _swap(directory: Path) -> None:
    first, second, *rows = (directory / "cases.jsonl").read_bytes().splitlines(keepends=True)
    (directory / "cases.jsonl").write_bytes(b"".join([second, first, *rows]))


def _edit(directory: Path) -> None:
    rows = (directory / "cases.jsonl").read_text()
    (directory / "cases.jsonl").write_text(rows.replace('"state":"failed"', '"state":"passed"', 1))


def _of_another_run(directory: Path) -> None:
    shutil.copyfile(real_run().parent / "base/cases.jsonl", directory / "cases.jsonl")


def _remove(directory: Path) -> None:
    (directory / "comparison.json").unlink()


def _another_comparison(directory: Path) -> None:
    comparison = (directory / "comparison.json").read_text()
    (directory / "comparison.json").write_text(comparison.replace('"compared": ', '"compared":  '))


@pytest.mark.parametrize(
    ("change", "name"),
    [
        pytest.param(
            _truncate,
            "cases.jsonl: the number of lines is 15, and was 16 when the run ended",
            id="the last row is gone",
        ),
        pytest.param(_swap, "cases.jsonl is not the file that the run ended with", id="two rows change places"),
        pytest.param(_edit, "cases.jsonl is not the file that the run ended with", id="a row is edited"),
        pytest.param(_of_another_run, "cases.jsonl is not the file that the run ended with", id="another run's rows"),
        pytest.param(_remove, "comparison.json: No such file", id="no comparison"),
        pytest.param(_another_comparison, "comparison.json is not the file", id="an edited comparison"),
    ],
)
def test_a_file_that_is_not_the_runs_is_refused_by_its_name(
    copy: Path, change: Callable[[Path], None], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(copy)]) == 0
    change(copy)
    capsys.readouterr()
    assert main(["report", str(copy)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{copy}/{name}" in err


def unfinished(directory: Path, rows: int) -> None:
    """The run as a kill leaves it after so many rows."""
    documents = read_documents(real_run())
    keys = ("schema_version", "suite", "suite_file", "scope", "started_at", "as_of", "provenance", "policy",
            "case_filter", "suite_cases")  # fmt: skip
    run = {"complete": False, **{key: documents["run.json"][key] for key in keys}}
    shutil.rmtree(directory)
    directory.mkdir()
    write_documents(directory, {"run.json": run})
    leave_rows(directory, [f"{json.dumps(row)}\n".encode() for row in documents["cases.jsonl"][:rows]])


def test_an_unfinished_run_is_shown_as_one_and_is_no_baseline(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_scope = len(read_run(copy).suite_cases)
    unfinished(copy, 2)
    comment, _against, summary, *_ = shown(copy)
    for text in (comment, summary):
        assert f"**This run did not finish:** 2 of {in_scope} cases had finished" in text
        assert "**Inconclusive**" in text
    assert main(["report", str(copy), "--baseline", str(real_run().parent / "base")]) == 3
    assert "0 regressions" in capsys.readouterr().out
    with pytest.raises(RunStoreError, match="is not finished"):
        stored_baseline(copy, suite="deploy-policy")


def test_a_cancelled_run_is_no_baseline(copy: Path) -> None:
    with pytest.raises(UsageError, match="was cancelled"):
        forge_baseline(lambda documents: documents["run.json"].update(cancelled=True), copy)


def _a_day_that_is_none(documents: dict[str, Any]) -> None:
    documents["run.json"]["started_at"] = documents["run.json"]["decided_at"] = "never"


def _a_failure_without_problems(documents: dict[str, Any]) -> None:
    row = next(row for row in documents["cases.jsonl"] if row["state"] == "failed")
    for outcome_ in row["outcomes"].values():
        if outcome_["kind"] == "failed":
            outcome_["problems"] = []


def _a_rate_without_end(documents: dict[str, Any]) -> None:
    documents["run.json"]["summary"]["hallucination_rate"] = 1e308


def _a_share_of_a_thousand_million_noughts(documents: dict[str, Any]) -> None:
    documents["run.json"]["policy"]["gates"]["answered"]["min"] = "1e-999999999"


def _more_than_all(documents: dict[str, Any]) -> None:
    row = documents["cases.jsonl"][0]
    row["outcomes"]["faithfulness"] = {"kind": "passed", "share": {"hits": 5, "total": 3}}


def _latencies_that_add_up_to_no_number(documents: dict[str, Any]) -> None:
    for row in documents["cases.jsonl"]:
        row["latency_ms"] = 1e308


def _hallucinations_of_a_case_that_was_not_run(documents: dict[str, Any]) -> None:
    row = documents["cases.jsonl"][0]
    row["outcomes"]["target"] = {"kind": "unmeasured", "reason": "cut", "detail": "late"}
    row["hallucinations"] = [{"kind": "claim", "key": "k", "text": "t"}]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param(_a_day_that_is_none, "started_at", id="a date that is none"),
        pytest.param(_a_failure_without_problems, "problems", id="a failure without problems"),
        pytest.param(_a_rate_without_end, "hallucination_rate", id="a rate of 1e308"),
        pytest.param(_a_share_of_a_thousand_million_noughts, "min", id="a share that fills memory"),
        pytest.param(_more_than_all, "5 of 3 is more than all", id="5 of 3"),
        pytest.param(_latencies_that_add_up_to_no_number, "latency_ms", id="latencies whose sum overflows"),
        pytest.param(_hallucinations_of_a_case_that_was_not_run, "not run", id="hallucinations of nothing"),
    ],
)
def test_what_no_run_holds_is_refused_in_words(
    copy: Path, change: Callable[[dict[str, Any]], None], field: str
) -> None:
    text = forged(copy, change)
    assert field in text
    assert "make the run again" in text
    with pytest.raises(RaggateError):
        forge_baseline(change, copy)


def test_names_of_a_stored_run_reach_the_terminal_without_control_sequences(
    copy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    documents = read_documents(real_run())
    evil = "q\x1b[31mred\u202e"
    run, row = documents["run.json"], documents["cases.jsonl"][0]
    run["suite"] = f"menu{evil}"
    run["suite_cases"][0][0] = row["case_id"] = evil
    write_documents(copy, documents)
    assert main(["explain", str(copy), "qred"]) == 2
    assert main(["explain", str(copy), evil]) == 0
    main(["report", str(copy)])
    main(["report", str(copy), "--baseline", str(copy)])
    main(["run", str(real_run().parent / "example/raggate.yaml"), "--out", str(copy / "x"), "--baseline", str(copy)])
    out, err = capfd.readouterr()
    for text in (out, err):
        assert text
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert json.loads((copy / "run.json").read_text())["suite"].endswith(evil)
