"""What a stored run says is counted from its rows: forged counts change nothing, missing and doubled rows are refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fuzz.stored_runs import Place, outcome, places, read_documents, real_run, showings, write_documents
from raggate_action.cli.main import main
from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.errors import RaggateError, RowsError, RunStoreError, UsageError
from raggate_action.run.count_and_decide import head_of, recount, texts_of
from raggate_action.run.stored_runs import stored_baseline
from raggate_action.run_store import read_comparison, read_rows, read_run, rows_of
from tests.stored_runs import leave_rows
from tests.thorough import some

# What is no count: how the run was made and judged. Everything else in run.json follows from the rows.
DECLARED = {"schema_version", "policy", "origin", "baseline", "held_against"}

# Of what shows a run, see `showings`.
SUMMARY, SECOND_STAGE = 2, -1


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


def forged(directory: Path, change: Callable[[dict[str, Any]], None]) -> list[str]:
    documents = read_documents(real_run())
    change(documents)
    write_documents(directory, documents)
    return shown(directory)


def test_a_real_run_counted_again_is_itself() -> None:
    """Recounting renews every field that follows from rows, and finds each as it was stored."""
    run = read_run(real_run())
    again = recount(
        head_of(run),
        rows_of(real_run(), run),
        suite_cases=run.suite_cases,
        comparison=read_comparison(real_run()),
    )
    assert again.run == run
    assert texts_of(again)["comment.md"] == (real_run() / "comment.md").read_text()
    compared = recount(
        head_of(run),
        read_rows(real_run()),
        suite_cases=run.suite_cases,
        baseline=stored_baseline(real_run().parent / "base", suite=run.suite),
    )
    assert compared == again


def test_no_forged_number_of_a_run_is_shown(copy: Path) -> None:
    honest = shown(copy)
    assert all("is a bug" not in text and text for text in honest)
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
        for place in (SUMMARY, SECOND_STAGE):
            now = outcome(list(showings(copy, case_id()))[place]).replace(str(copy), "DIR")
            refused = "DIR/run.json: " in now and "make the run again" in now
            assert now == honest[place] or refused, (numbers[number].key, now)
            changed += 1
    assert changed > 2 * len(some(range(40))), "counts, gates, slices, stages, summary: a run has many numbers"


def _is_number(place: Place) -> bool:
    value = place.holder[place.key]
    return isinstance(value, int | float) and not isinstance(value, bool)


def test_forged_counts_without_the_failing_rows_are_refused_by_every_command(copy: Path) -> None:
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

    for text in forged(copy, release):
        assert "no row" in text
        assert "though the run is complete" in text
        assert "Release" not in text


def counted(directory: Path) -> BaselineIndex:
    """A baseline without the way to its rows, which is another each time it is read."""
    index = stored_baseline(directory, suite=read_run(directory).suite)
    return index._replace(rows=None, judgements=None, traces=None, shown=None, with_again=None)


def forge_baseline(change: Callable[[dict[str, Any]], None], directory: Path) -> BaselineIndex:
    documents = read_documents(real_run().parent / "head")
    change(documents)
    write_documents(directory, documents)
    return counted(directory)


def test_a_baseline_gives_counts_of_its_rows_and_no_others(copy: Path) -> None:
    def boast(documents: dict[str, Any]) -> None:
        run = documents["run.json"]
        for gate in run["gates"]:
            gate |= {"passed": 987_654, "scored": 987_654}
        for part in run["slices"]:
            part |= {"passed": 987_654, "scored": 987_654, "status": "passed"}
        run["summary"] |= {"hallucination_rate": 0.0, "mean_score": 1.0, "p95_latency_ms": 1.0}
        run["decision"]["kind"] = "release"

    honest = counted(copy)
    assert honest.decision == "block"
    # What its app answered is read from another file, when it is asked for.
    forged = forge_baseline(boast, copy)
    assert forged._replace(main_answers=None) == honest._replace(main_answers=None)


def _drop(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"].pop()


def _double(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"].append(documents["cases.jsonl"][0])


def _replace(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"][0]["digest"] = "0"


def _move(documents: dict[str, Any]) -> None:
    documents["cases.jsonl"][0]["position"] = 10**6


def _claim_to_pass(documents: dict[str, Any]) -> None:
    row = next(row for row in documents["cases.jsonl"] if row["state"] == "failed" and row.get("kind") != "known_bad")
    row["state"] = "passed"
    del row["first_failed_stage"]


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
        pytest.param(_replace, "is none of those the run was to run", id="a row of another case"),
        pytest.param(_move, "is none of those the run was to run", id="a row of no place"),
        pytest.param(_claim_to_pass, "does not follow from its gates", id="a row that says passed of failed gates"),
        pytest.param(_leave_out, "the scope is full", id="a case taken out of a full scope"),
        pytest.param(_list_twice, "names a case twice", id="a case listed twice"),
    ],
)
def test_rows_that_are_not_the_cases_are_refused(
    copy: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    with pytest.raises(RowsError, match=said):
        forge_baseline(change, copy)
    texts = forged(copy, change)
    assert all("The run directory was changed" in text for text in texts), texts


def test_rows_in_another_order_are_the_same_run(copy: Path) -> None:
    """Honest: nothing is lost, nothing is added."""
    before = shown(copy)
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
        pytest.param(_truncate, "cases.jsonl has 15 lines, and the run ended with 16", id="the last row is gone"),
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
    texts = forged(copy, change)
    assert all(field in text and "make the run again" in text for text in texts), texts
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
