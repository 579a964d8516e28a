"""The run directory: what is written can be read, nothing half is taken for whole, nothing foreign is touched."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import closing
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.stored_runs import tie
from raggate_action.errors import ExitCode, RunStoreError
from raggate_action.run_store import (
    RunDirectory,
    read_comparison,
    read_rows,
    read_run,
    read_started,
    read_traces,
)
from raggate_action.run_store.run_file import RunHeader, read_header
from raggate_action.run_store.run_files import KNOWN_FILES, open_new, partial_name
from raggate_action.run_store.work_file import WORK, WorkFile
from raggate_action.schema.case_run import CaseRun, Hallucination
from raggate_action.schema.comparison import BaselineAmounts, Comparison
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy, Run, StartedRun
from raggate_action.schema.trace import Answer, TargetFailure, ToolCall, Trace, TraceClaim, TracedChunk, Usage
from raggate_action.schema.waived import Waiver
from tests.stored_runs import (
    EVENING,
    MORNING,
    answer_of,
    in_work_file,
    make_row,
    make_run,
    make_started,
    suite_cases,
)
from tests.thorough import examples

COMPARISON = Comparison(
    baseline_decided_at=MORNING,
    baseline_decision="release",
    compared=2,
    baseline=BaselineAmounts(mean_score=1.0, p95_latency_ms=None, hallucination_rate=0.0, cost_usd=None),
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "head"


def begin(place: Path, *positions: int, texts: Any = "quotes") -> RunDirectory:
    directory = RunDirectory.create(place, make_started(), texts=texts)
    for position in positions:
        directory.append(make_row(position), answer_of(position))
    return directory


def whole_run(place: Path, *positions: int) -> None:
    begin(place, *positions).finish(make_run(), suite_cases(len(positions)), {"comment.md": "# release\n"})


def stopped_run(place: Path, *positions: int) -> None:
    """A run that ended with its process: what had been appended is there, nothing more."""
    begin(place, *positions).close()


def contents(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir()}


def positions_of(place: Path) -> list[int]:
    return [row.position for row in read_rows(place)]


def stored_trace(place: Path, trace: Trace, **how: Any) -> tuple[bytes, Trace]:
    """One trace, written and read back: its line, and what a reader gets."""
    texts = how.pop("texts", "quotes")
    with RunDirectory.create(place, make_started(), texts=texts) as directory:
        directory.append(make_row(0), trace, **how)
    [stored] = read_traces(place)
    assert stored.case_id == "case-0"
    [(line,)] = in_work_file(place, "SELECT trace FROM cases")
    return line, stored.trace


# --- a run, from beginning to end


def test_what_is_written_is_read_back(place: Path) -> None:
    rows = [make_row(0), make_row(1, state="failed", first_failed_stage="behaviour", error="boom")]
    waiver = Waiver.model_validate_json(
        '{"case": "case-1", "gate": "behaviour", "reason": "r", "owner": "@me", "expires": "2027-01-31"}'
    )
    run = make_run(policy=Policy(gates=Gates(), waivers=(waiver,)), notes=("No évidence store was given.",))
    directory = RunDirectory.create(place, make_started())
    directory.append(rows[0], answer_of(0))
    directory.append(rows[1], None)
    directory.finish(run, suite_cases(2), {"summary.md": "s", "comparison.json": COMPARISON.model_dump_json()})

    stored = read_run(place)
    assert stored == run.model_copy(update={"suite_cases": tuple(suite_cases(2)), "files": stored.files})
    assert {name: each.lines for name, each in stored.files.items()} == {
        "cases.jsonl": 2, "traces.jsonl": 2, "comparison.json": 0,
    }  # fmt: skip
    assert stored.files["cases.jsonl"].digest == sha256((place / "cases.jsonl").read_bytes()).hexdigest()
    assert read_run(place).policy.gates.hallucination_rate.max == Decimal("0.02")
    assert list(read_rows(place)) == rows
    failure = Trace(case_id="case-1", error="boom")
    assert list(read_traces(place)) == [("case-0", answer_of(0), False), ("case-1", failure, False)]
    assert read_comparison(place) == COMPARISON
    assert (place / "summary.md").read_text() == "s"
    assert read_started(place) is None
    assert {path.name for path in place.iterdir()} == {
        "run.json", "cases.jsonl", "traces.jsonl", "summary.md", "comparison.json",
    }  # fmt: skip


def test_a_run_without_cases_and_without_baseline_is_whole(place: Path) -> None:
    RunDirectory.create(place, make_started()).finish(make_run(), [], {})
    assert read_run(place).model_copy(update={"files": {}}) == make_run()
    assert list(read_rows(place)) == []
    assert read_comparison(place) is None


def test_run_json_is_laid_out_for_people_with_the_cases_last_one_a_line(place: Path) -> None:
    RunDirectory.create(place, make_started()).finish(make_run(), iter(suite_cases(2)), {})
    text = (place / "run.json").read_text()
    assert text.startswith('{\n  "schema_version": 5,\n  "complete": true,\n  "files": {\n')
    assert text.endswith(
        '  "suite_cases": [\n    ["case-0","digest-0",true],\n    ["case-1","digest-1",true]\n  ]\n}\n'
    )
    assert Run.model_validate_json(text).suite_cases == tuple(suite_cases(2))


def test_a_finished_run_is_complete_whatever_its_record_said(place: Path) -> None:
    begin(place).finish(make_run(complete=False), [], {})
    assert read_run(place).complete


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    whole_run(tmp_path / "a", 0, 1, 2)
    whole_run(tmp_path / "b", 0, 1, 2)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o002, 0o664), (0o077, 0o600)])
def test_every_file_is_for_whom_its_owner_lets_read(place: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        whole_run(place, 1, 0)
    finally:
        os.umask(before)
    assert {stat.S_IMODE(path.stat().st_mode) for path in place.iterdir()} == {mode}


def test_half_a_surrogate_pair_from_an_app_is_written_as_a_question_mark(place: Path) -> None:
    broken = "half \ud83d a pair"
    directory = RunDirectory.create(place, make_started())
    directory.append(make_row(0, answer=broken), Trace(case_id="case-0", answer=broken))
    directory.finish(make_run(notes=(broken,)), [], {"comment.md": broken})
    assert [row.answer for row in read_rows(place)] == ["half ? a pair"]
    assert [stored.trace.answer for stored in read_traces(place)] == ["half ? a pair"]
    assert read_run(place).notes == ("half ? a pair",)
    assert (place / "comment.md").read_text() == "half ? a pair"


def test_a_strange_name_among_the_texts_is_a_mistake_of_ours(place: Path) -> None:
    directory = begin(place)
    for name in ("../outside.md", "run.json", "cases.jsonl", "notes.md"):
        with pytest.raises(ValueError, match="no texts of a run directory"):
            directory.finish(make_run(), [], {name: "x"})
    assert not (place.parent / "outside.md").exists()


def test_the_suites_cases_never_stand_in_memory_together(place: Path) -> None:
    directory = begin(place)
    tracemalloc.start()
    directory.finish(make_run(), ((f"case-{n}", "d" * 32, True) for n in range(20_000)), {})
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # 20,000 cases are 1.2 MB of file and more than 3 MB as objects; the buffer is 256 KiB.
    assert peak < 1_000_000
    assert len(read_run(place).suite_cases) == 20_000


def test_rows_of_a_large_suite_are_read_without_its_cases(place: Path) -> None:
    directory = begin(place, 0)
    directory.finish(make_run(), ((f"case-{n}", "d" * 32, True) for n in range(20_000)), {})
    tracemalloc.start()
    assert [row.position for row in read_rows(place)] == [0]
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # 1.2 MB of file and more than 3 MB as objects; what is read at once is a buffer of 256 KiB.
    assert peak < 1_000_000


@pytest.mark.parametrize("length", [0, 4040, 4050, 4060, 4070, 4080, 9000])
def test_a_header_is_told_wherever_it_stands(place: Path, length: int) -> None:
    """What a file begins with is looked at first, 4,096 bytes of it: nothing that is cut there may be taken as whole."""
    place.mkdir(parents=True)
    fields = {"padding": "," * length, "schema_version": 212, "complete": True, "suite": "a suite", "end": "," * 9000}
    (place / "run.json").write_text(json.dumps(fields))
    assert read_header(place) == RunHeader(212, complete=True, suite="a suite")


# --- order


@given(order=st.permutations(range(12)), resumed_after=st.integers(0, 12))
@settings(max_examples=examples(25), deadline=None)
def test_whatever_order_cases_finish_in_the_files_end_in_suite_order(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], resumed_after: int
) -> None:
    place = tmp_path_factory.mktemp("run") / "head"
    rows = {n: make_row(n, case_id=f'case-"{n}"\\é') for n in order}
    # Every third case leaves no trace; lengths differ so that a wrong offset shows.
    traces = {n: None if n % 3 == 0 else Trace(case_id=rows[n].case_id, answer="x" * n * 7) for n in order}
    with RunDirectory.create(place, make_started()) as directory:
        for n in order[:resumed_after]:
            directory.append(rows[n], traces[n])
    directory = RunDirectory.resume(place, make_started())
    assert [row.position for row in directory.rows()] == sorted(order[:resumed_after])
    for n in order[resumed_after:]:
        directory.append(rows[n], traces[n])
    directory.finish(make_run(), [], {})

    assert list(read_rows(place)) == [rows[n] for n in range(12)]
    kept = [(rows[n].case_id, traces[n], False) for n in range(12) if traces[n] is not None]
    assert [tuple(stored) for stored in read_traces(place)] == kept


def test_gaps_in_the_positions_are_no_disorder(place: Path) -> None:
    whole_run(place, 3, 8, 20)
    assert positions_of(place) == [3, 8, 20]


# --- after a kill


def test_an_incomplete_run_is_read_as_far_as_it_goes(place: Path) -> None:
    stopped_run(place, 0, 1)
    assert positions_of(place) == [0, 1]
    assert not (place / "cases.jsonl").exists()
    assert read_started(place) == make_started()
    with pytest.raises(RunStoreError, match="is not finished: it is still being written or was stopped") as caught:
        read_run(place)
    assert "--resume" in caught.value.hint


@pytest.mark.parametrize("kept", [0, 1, 24, 2000, 4119, 4120, -4120, -1], ids="killed {} bytes into the commit".format)
def test_a_kill_inside_a_commit_costs_that_case_only(place: Path, tmp_path: Path, kept: int) -> None:
    killed, log, answer = tmp_path / "killed", f"{WORK}-wal", Trace(case_id="case-2", answer="x" * 30_000)
    with begin(place, 0, 1) as directory:
        directory.work.commit()
        before = (place / log).stat().st_size
        directory.append(make_row(2), answer)
        directory.work.commit()
        shutil.copytree(place, killed)
    written = (killed / log).stat().st_size - before
    assert written > 2 * abs(kept)
    os.truncate(killed / log, before + kept % written)
    assert positions_of(killed) == [0, 1]
    with RunDirectory.resume(killed, make_started()) as directory:
        assert [row.position for row in directory.rows()] == [0, 1]
        directory.append(make_row(2), answer)
        directory.finish(make_run(), suite_cases(3), {"comment.md": "# release\n"})
    unbroken = begin(place, 0, 1)
    unbroken.append(make_row(2), answer)
    unbroken.finish(make_run(), suite_cases(3), {"comment.md": "# release\n"})
    assert contents(killed) == contents(place), "a resumed run is the run that was never stopped"


def test_what_a_kill_leaves_was_committed_to_the_last_byte(place: Path, tmp_path: Path) -> None:
    with begin(place, 0) as directory:
        directory.append(make_row(1), None)
        directory.work.commit()
        directory.append(make_row(2), None)
        shutil.copytree(place, tmp_path / "killed")
    with RunDirectory.resume(tmp_path / "killed", make_started()) as directory:
        assert [row.position for row in directory.rows()] == [0, 1]


def test_the_paths_that_a_run_chose_are_there_when_it_is_resumed(place: Path) -> None:
    chosen = {"answer": "data.reply", "context": "data.hits"}
    with RunDirectory.create(place, make_started(), suite_cases(3)) as directory:
        directory.keep_paths(chosen, suite_cases(3))
    with RunDirectory.resume(place, make_started(), suite_cases(3)) as directory:
        assert directory.started.taken == chosen


def test_an_end_that_could_not_be_written_is_written_by_the_resume(place: Path) -> None:
    whole_run(place, 2, 0, 1)
    expected = contents(place)
    directory = begin(place, 2, 0, 1)
    # Nothing can take the place of a directory: the traces are there, the rows cannot be.
    (place / "cases.jsonl").mkdir()
    with pytest.raises(RunStoreError, match=r"cases\.jsonl: Is a directory"):
        directory.finish(make_run(), suite_cases(3), {"comment.md": "# release\n"})
    directory.close()
    (place / "cases.jsonl").rmdir()

    with RunDirectory.resume(place, make_started()) as resumed:
        assert [row.position for row in resumed.rows()] == [0, 1, 2]
        resumed.finish(make_run(), suite_cases(3), {"comment.md": "# release\n"})
    assert contents(place) == expected


def test_a_kill_before_the_work_file_exists_leaves_a_run_to_resume(place: Path) -> None:
    stopped_run(place)
    (place / WORK).unlink()
    assert positions_of(place) == []
    with RunDirectory.resume(place, make_started()) as directory:
        assert list(directory.rows()) == []
        directory.append(make_row(0), None)
    assert positions_of(place) == [0]


def test_nothing_of_an_earlier_run_is_left_for_a_new_one_to_go_on_with(place: Path) -> None:
    stopped_run(place, 0, 1)
    # Nothing takes the place of a directory: the new run ends before its `run.json` is written.
    (place / partial_name("run.json")).mkdir()
    assert "Is a directory" in refused(RunDirectory.create, place, make_started())
    assert positions_of(place) == []


def test_a_row_takes_the_place_of_its_answers(place: Path) -> None:
    with begin(place) as directory:
        for position in (0, 1):
            directory.work.add_reply(position, TargetFailure("500"))
            directory.work.add_reply(position, TargetFailure("500"), ask=1)
        directory.append(make_row(0), None)
    with RunDirectory.resume(place, make_started()) as directory:
        assert directory.work.positions() == [1]
        assert [directory.work.has_reply(position, 1) for position in (0, 1)] == [False, True]


def test_the_first_clock_holds_for_a_resumed_run(place: Path) -> None:
    stopped_run(place)
    with RunDirectory.resume(place, make_started(started_at=EVENING, as_of=EVENING)) as directory:
        assert directory.started == make_started(started_at=MORNING, as_of=MORNING)
        assert list(directory.rows()) == []


def test_what_was_added_is_there_from_its_commit_on(place: Path) -> None:
    with begin(place, 0, 1) as directory:
        assert positions_of(place) == []
        assert [row.position for row in directory.rows()] == [0, 1]
        directory.work.commit()
        assert positions_of(place) == [0, 1]


def test_a_full_disk_is_said_and_what_was_written_can_be_resumed(place: Path) -> None:
    import resource
    import signal

    directory = begin(place)
    directory.append(make_row(0), answer_of(0))
    directory.work.commit()
    directory.append(make_row(1), None)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    # The commit is cut in the middle by the system.
    resource.setrlimit(resource.RLIMIT_FSIZE, ((place / f"{WORK}-wal").stat().st_size + 100, limits[1]))
    try:
        with pytest.raises(RunStoreError, match=r"\.work\.sqlite3: "):
            directory.work.commit()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert "closed database" in refused(lambda: directory.append(make_row(2), None))
    directory.close()
    with RunDirectory.resume(place, make_started()) as resumed:
        assert [row.position for row in resumed.rows()] == [0]


# --- refusals


def refused(action: Any, *arguments: Any) -> str:
    """The message and hint of the refusal, as the user reads them."""
    with pytest.raises(RunStoreError) as caught:
        # Readers of lines read when they are asked for one.
        list(action(*arguments))
    assert caught.value.exit_code is ExitCode.USAGE
    return f"{caught.value} | {caught.value.hint}"


@pytest.mark.parametrize(
    ("now", "named"),
    [
        pytest.param({"provenance": {"suite_digest": "x"}}, "another suite file ", id="suite"),
        pytest.param({"provenance": {"cases_digest": "x"}}, "another set of cases ", id="cases"),
        pytest.param({"provenance": {"evidence_digest": None}}, "another evidence ", id="evidence gone"),
        pytest.param({"provenance": {"target_digest": "x"}}, "another target ", id="target"),
        pytest.param({"scope": "pr"}, "another scope ", id="scope"),
        pytest.param({"case_filter": ("case-1",)}, "another choice of --case ", id="case filter"),
        pytest.param(
            {"scope": "pr", "provenance": {"suite_digest": "x"}}, "another suite file, another scope ", id="two at once"
        ),
    ],
)
def test_a_run_is_not_resumed_on_other_input(place: Path, now: dict[str, Any], named: str) -> None:
    stopped_run(place, 0)
    before = contents(place)
    said = refused(RunDirectory.resume, place, make_started(**now))
    assert f"cannot be resumed, for it was begun with {named}|" in said
    assert contents(place) == before


def test_another_version_or_commit_does_not_hinder_a_resume(place: Path) -> None:
    stopped_run(place, 0)
    RunDirectory.resume(place, make_started(provenance={"raggate_version": "0.1.1", "git_sha": "abc"})).close()


def test_nothing_to_resume_is_said(place: Path) -> None:
    assert "holds no run to resume | Run without --resume" in refused(RunDirectory.resume, place, make_started())
    whole_run(place, 0)
    said = refused(RunDirectory.resume, place, make_started())
    assert "is complete: nothing is left to resume" in said


def overwritten(file: Path) -> None:
    """Another page in place of every second one."""
    pages = file.read_bytes()
    assert len(pages) > 4 * 4096
    file.write_bytes(pages[:4096] + b"\x7f" * 4096 * (len(pages) // 4096 - 1))


def with_a_trigger(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.executescript("CREATE TRIGGER t AFTER INSERT ON cases BEGIN DELETE FROM cases; END")


def with_a_view(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.executescript("DROP TABLE cases; CREATE VIEW cases AS SELECT 1 AS position, 'x' AS row, 'y' AS trace")


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        pytest.param(lambda file: file.write_bytes(b"zzz\n" * 2000), "file is not a database", id="another file"),
        pytest.param(overwritten, "was not written by this version of raggate|malformed", id="pages overwritten"),
        pytest.param(with_a_trigger, "was not written by this version of raggate", id="a trigger"),
        pytest.param(with_a_view, "was not written by this version of raggate", id="a view"),
    ],
)
def test_a_damaged_or_foreign_work_file_is_neither_resumed_nor_read(
    place: Path, damage: Callable[[Path], object], named: str
) -> None:
    stopped_run(place, *range(9))
    damage(place / WORK)
    for action in (lambda: RunDirectory.resume(place, make_started()), lambda: read_rows(place)):
        said = refused(action)
        assert re.search(named, said)
        assert "run again without --resume" in said
    whole_run(place, 0)


def test_a_directory_that_is_no_run_is_left_alone(place: Path) -> None:
    place.mkdir(parents=True)
    (place / "thesis.tex").write_text("dear")
    (place / "junit.xml").write_text("<mine/>")
    assert "is not empty and holds no run | Choose an empty" in refused(RunDirectory.create, place, make_started())
    assert contents(place) == {"thesis.tex": b"dear", "junit.xml": b"<mine/>"}


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '{"suite": "x"}', '{"name": "app", "scripts": {}}', '{"schema_version": true, "complete": 1}'],
    ids=["empty", "a list", "no JSON", "too few keys", "another tool's", "other types"],
)
def test_a_run_json_of_another_tool_makes_no_run_directory(place: Path, content: str) -> None:
    place.mkdir(parents=True)
    (place / "run.json").write_text(content)
    assert "holds no run" in refused(RunDirectory.create, place, make_started())
    assert contents(place) == {"run.json": content.encode()}


@pytest.mark.parametrize("earlier", [whole_run, stopped_run], ids=["a whole run", "a stopped run"])
def test_a_new_run_replaces_the_old_one_and_touches_nothing_else(place: Path, earlier: Any) -> None:
    earlier(place, 0, 1)
    for name in KNOWN_FILES:
        if not (place / name).exists():
            (place / name).write_text("old")
    (place / "notes.txt").write_text("mine")
    (place / "screenshots").mkdir()
    (place / partial_name("comment.md")).write_text("half")

    RunDirectory.create(place, make_started()).close()
    assert {path.name for path in place.iterdir()} == {
        "run.json", WORK, "notes.txt", "screenshots",
    }  # fmt: skip
    assert read_started(place) == make_started()
    assert positions_of(place) == []
    assert (place / "notes.txt").read_text() == "mine"


def test_a_run_whose_keys_were_sorted_by_somebody_is_still_a_run(place: Path) -> None:
    whole_run(place, 0)
    run = place / "run.json"
    run.write_text(json.dumps(json.loads(run.read_text()), sort_keys=True))
    assert read_run(place).counts.cases == 2
    RunDirectory.create(place, make_started()).close()


def test_a_run_whose_file_was_cut_is_named_as_damaged_and_may_be_replaced(place: Path) -> None:
    whole_run(place, 0)
    run = place / "run.json"
    run.write_bytes(run.read_bytes()[:-20])
    assert "run.json: Invalid JSON" in refused(read_run, place)
    RunDirectory.create(place, make_started()).close()


def test_a_kill_at_the_very_start_does_not_block_the_next_run(place: Path) -> None:
    place.mkdir(parents=True)
    (place / partial_name("run.json")).write_text("{")
    begin(place, 0).close()
    assert positions_of(place) == [0]


def test_a_file_in_the_way_is_said(place: Path) -> None:
    place.parent.mkdir()
    place.write_text("a file")
    assert f"the run directory {place} cannot be made: a file stands there | Name another" in refused(
        RunDirectory.create, place, make_started()
    )
    assert f"the run directory {place / 'in'} cannot be made: a file stands there" in refused(
        RunDirectory.create, place / "in", make_started()
    )


def test_a_directory_that_the_system_does_not_give_is_said() -> None:
    nowhere = Path("/proc/raggate/run")
    said = refused(RunDirectory.create, nowhere, make_started())
    assert said == (
        "the run directory /proc/raggate/run cannot be made: No such file or directory (/proc/raggate) | "
        "Name another directory with --out."
    )


@pytest.mark.parametrize("earlier", [whole_run, stopped_run], ids=["a whole run", "a stopped run"])
def test_a_run_of_a_newer_raggate_is_neither_replaced_nor_shown(place: Path, earlier: Any) -> None:
    earlier(place, 0)
    run = place / "run.json"
    run.write_text(run.read_text().replace('"schema_version": 5', '"schema_version": 7', 1))
    before = contents(place)
    said = "run.json has schema_version 7; this raggate reads 5 | A newer raggate wrote this run"
    assert said in refused(RunDirectory.create, place, make_started())
    assert said in refused(read_rows, place)
    assert said in refused(read_traces, place)
    assert contents(place) == before


# --- links


def test_a_link_as_directory_is_not_followed(place: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    place.parent.mkdir()
    place.symlink_to(tmp_path / "elsewhere")
    assert "is a symbolic link" in refused(RunDirectory.create, place, make_started())
    assert "is a symbolic link" in refused(RunDirectory.resume, place, make_started())
    assert contents(tmp_path / "elsewhere") == {}


def test_links_inside_an_old_run_are_removed_not_followed(place: Path, tmp_path: Path) -> None:
    stopped_run(place, 0)
    outside = tmp_path / "outside"
    outside.write_text("precious")
    (place / WORK).unlink()
    names = ("cases.jsonl", "comment.md", partial_name("run.json"), partial_name("comment.md"))
    for name in (*names, WORK, f"{WORK}-wal", f"{WORK}-shm", f"{WORK}-journal"):
        (place / name).symlink_to(outside)
    whole_run(place, 0)
    assert outside.read_text() == "precious"
    assert not [path.name for path in place.iterdir() if path.is_symlink()]


@pytest.mark.parametrize("name", ["comment.md", "run.json", ".comment.md.partial", ".cases.jsonl.partial"])
def test_a_link_placed_during_the_run_is_replaced_not_followed(place: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.write_text("precious")
    directory = begin(place, 1, 0)
    (place / name).unlink(missing_ok=True)
    (place / name).symlink_to(outside)
    directory.finish(make_run(), [], {"comment.md": "new"})
    assert outside.read_text() == "precious"
    assert (place / "comment.md").read_text() == "new"


@pytest.mark.parametrize("points_to", ["outside", "nothing"])
def test_a_file_is_never_made_through_a_link(tmp_path: Path, points_to: str) -> None:
    (tmp_path / "outside").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / points_to)
    with pytest.raises(RunStoreError, match="File exists"):
        open_new(tmp_path / "link")
    assert not (tmp_path / "nothing").exists()


def link(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def pipe(path: Path, _outside: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("made", [link, pipe])
@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_a_link_or_a_pipe_in_place_of_the_work_file_is_refused(
    place: Path, tmp_path: Path, end: str, made: Callable[[Path, Path], None]
) -> None:
    stopped_run(place, 0)
    path, outside = place / f"{WORK}{end}", tmp_path / "outside"
    outside.write_bytes((place / WORK).read_bytes())
    path.unlink(missing_ok=True)
    made(path, outside)
    before = outside.read_bytes()
    for action in (lambda: RunDirectory.resume(place, make_started()), lambda: read_rows(place)):
        assert f"{path} is not a regular file | Remove it" in refused(action)
    assert outside.read_bytes() == before


def test_the_work_file_is_its_owners_alone_and_is_gone_at_the_end(place: Path) -> None:
    directory = begin(place, 0)
    directory.append(make_row(1), None)
    directory.work.commit()
    files = [path for path in place.iterdir() if path.name.startswith(WORK)]
    assert {path.name for path in files} == {WORK, f"{WORK}-wal", f"{WORK}-shm"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    directory.finish(make_run(), suite_cases(2), {})
    assert {path.name for path in place.iterdir()} == {"run.json", "cases.jsonl", "traces.jsonl"}


# --- strict reading


@pytest.mark.parametrize("earlier", [whole_run, stopped_run], ids=["a whole run", "a stopped run"])
def test_a_run_of_an_older_raggate_is_not_read_and_may_be_replaced(place: Path, earlier: Any) -> None:
    earlier(place, 0)
    run = place / "run.json"
    run.write_text(run.read_text().replace('"schema_version": 5', '"schema_version": 1', 1))
    said = "run.json has schema_version 1; this raggate reads 5 | An older raggate wrote this run: make the run again."
    for reader in (read_run, read_started, read_rows, read_traces):
        assert said in refused(reader, place)
    assert said in refused(RunDirectory.resume, place, make_started())
    whole_run(place, 0)
    assert read_run(place).schema_version == 5


def test_no_run_is_said(tmp_path: Path) -> None:
    said = refused(read_run, tmp_path)
    assert f"{tmp_path} holds no run: run.json is missing" in said
    assert read_started(tmp_path) is None
    assert "run.json is missing" in refused(read_run, tmp_path / "nowhere")


@pytest.mark.parametrize("earlier", [whole_run, stopped_run], ids=["a whole run", "a stopped run"])
@pytest.mark.parametrize("reader", [read_run, read_started])
def test_a_run_of_a_newer_raggate_is_refused_by_its_version(place: Path, earlier: Any, reader: Any) -> None:
    earlier(place, 0)
    run = place / "run.json"
    run.write_text(run.read_text().replace('"schema_version": 5', '"schema_version": 7, "invented_since": {}', 1))
    said = refused(reader, place)
    assert "has schema_version 7; this raggate reads 5 | A newer raggate" in said


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        pytest.param('"scope": "full"', '"scope": 3', "scope: Input should be a valid string", id="wrong type"),
        pytest.param('"scope": "full"', '"skope": "full"', "scope: Field required; skope: Extra", id="unknown key"),
        pytest.param('"decided_at"', '"d\\u001b[31mx"', "d?[31mx: Extra", id="a key that would colour the terminal"),
        pytest.param("]\n}\n", "", "Invalid JSON: EOF", id="cut short"),
    ],
)
def test_a_run_off_schema_is_refused_with_the_place(place: Path, old: str, new: str, named: str) -> None:
    whole_run(place, 0)
    run = place / "run.json"
    assert old in run.read_text()
    run.write_text(run.read_text().replace(old, new, 1))
    said = refused(read_run, place)
    assert f"{run}: " in said
    assert named in said


@pytest.mark.parametrize(
    ("damage", "line", "named"),
    [
        pytest.param(lambda lines: [lines[0], lines[1][:-1]], 2, "the last line is cut off", id="no line end"),
        pytest.param(lambda lines: [lines[0], lines[1][:40]], 2, "the last line is cut off", id="half a row"),
        pytest.param(lambda lines: [lines[0], b"\n", lines[1]], 2, "Invalid JSON", id="an empty line"),
        pytest.param(lambda lines: [b'{"a": 1}\n', lines[1]], 1, "case_id: Field required", id="another object"),
        pytest.param(
            lambda lines: [lines[0].replace(b'"passed"', b'"perfect"', 1), lines[1]],
            1,
            "state: Input should be 'passed', 'failed', 'unmeasured' or 'flaky'",
            id="an unknown state",
        ),
    ],
)
def test_a_damaged_row_of_a_whole_run_is_named(place: Path, damage: Any, line: int, named: str) -> None:
    whole_run(place, 0, 1)
    rows = place / "cases.jsonl"
    rows.write_bytes(b"".join(damage(rows.read_bytes().splitlines(keepends=True))))
    tie(place)
    said = refused(read_rows, place)
    assert f"{rows}:{line}: {named}" in said


def test_rows_are_read_one_at_a_time(place: Path) -> None:
    whole_run(place, 0, 1)
    with (place / "cases.jsonl").open("ab") as rows:
        rows.write(b"{}\n")
    tie(place)
    reader = read_rows(place)
    assert [next(reader).position, next(reader).position] == [0, 1]
    with pytest.raises(RunStoreError, match=r"cases\.jsonl:3"):
        next(reader)


def test_missing_rows_and_a_damaged_comparison_are_named(place: Path) -> None:
    whole_run(place, 0)
    (place / "comparison.json").write_text("{}")
    tie(place)
    assert "comparison.json: baseline_decided_at: Field required" in refused(read_comparison, place)
    (place / "cases.jsonl").unlink()
    assert "cases.jsonl: No such file" in refused(read_rows, place)


def test_a_started_run_off_schema_is_refused(place: Path) -> None:
    stopped_run(place)
    run = place / "run.json"
    run.write_text(run.read_text().replace("suite_digest", "digest_of_suite"))
    assert "run.json: provenance.suite_digest: Field required" in refused(read_started, place)


# --- what a trace line holds

FORBIDDEN = "the words of the chunk"
RICH = Trace(
    case_id="case-0",
    answer=Answer(
        text="Yes. [c1]",
        abstained=False,
        claims=(
            TraceClaim(claim_id="1", text="Yes.", citation_ids=("c1",), support_phrases=("yes",), answer_point="p"),
        ),
    ),
    candidates=(TracedChunk(chunk_id="c2", version="v1", text=FORBIDDEN), "c1"),
    rerank_input=("c2", "c1", "c1"),
    reranked=(),
    context=(
        TracedChunk(chunk_id="c1", version="v2", text=FORBIDDEN),
        TracedChunk(chunk_id="c2", text=FORBIDDEN),
        "c3",
    ),
    versions=(("index", "1"), ("index", "2")),
    tool_calls=(ToolCall(name="search", arguments={"q": None, "n": [1]}), "buy"),
    latency_ms=12.5,
    stage_latency_ms={"retrieve": 9.0},
    usage=Usage(input_tokens=3, cost_usd=0.1),
    error="slow",
)
IDS_ONLY: dict[str, Any] = {
    "candidates": ("c2", "c1"),
    "context": (TracedChunk(chunk_id="c1", version="v2"), "c2", "c3"),
}


@pytest.mark.parametrize("texts", ["quotes", "ids"])
def test_a_trace_is_kept_whole_but_for_the_chunks_texts(place: Path, texts: str) -> None:
    line, read = stored_trace(place, RICH, texts=texts)
    assert read == RICH.model_copy(update=IDS_ONLY)
    assert FORBIDDEN.encode() not in line


def test_full_texts_are_kept_where_the_suite_asks_for_them(place: Path) -> None:
    _line, read = stored_trace(place, RICH, texts="full")
    assert read == RICH


@pytest.mark.parametrize("texts", ["full", "quotes", "ids"])
def test_of_a_withheld_answer_no_word_is_kept(place: Path, texts: str) -> None:
    row = make_row(0, hallucinations=(Hallucination(kind="phrase", key="k", text="Yes.", quote=FORBIDDEN),))
    directory = RunDirectory.create(place, make_started(), texts=texts)  # type: ignore[arg-type]
    trace = RICH.model_copy(update={"tool_calls": (ToolCall(name="search", arguments=FORBIDDEN),), "error": FORBIDDEN})
    directory.append(row, trace, withheld=True)
    directory.close()

    [kept] = read_rows(place)
    hushed = (Hallucination(kind="phrase", key="k", text=""),)
    assert kept == row.model_copy(update={"answer": None, "claims": (), "hallucinations": hushed})
    assert (kept.answer_length, kept.answer_digest) == (14, "digest-of-answer")
    [(_case_id, read, _withheld)] = read_traces(place)
    silent = {"answer": "", "tool_calls": ("search",), "error": "withheld"}
    assert read == RICH.model_copy(update={**IDS_ONLY, **silent})
    written = b"".join(contents(place).values())
    assert FORBIDDEN.encode() not in written
    assert b"Yes." not in written
    assert b"Answer 0" not in written


@pytest.mark.parametrize(
    ("reported", "line_has", "read_back"),
    [
        pytest.param("case-0", b'{"case_id":"case-0","answer"', "case-0", id="the case's own id"),
        pytest.param(None, b'{"case_id":"case-0","answer"', "case-0", id="no id"),
        pytest.param("case-9", b'"reported_case_id":"case-9"', "case-9", id="another case's id"),
        pytest.param("", b'"reported_case_id":""', "", id="an empty id"),
    ],
)
def test_a_line_is_found_by_its_case_and_keeps_the_id_the_app_reported(
    place: Path, reported: str | None, line_has: bytes, read_back: str
) -> None:
    line, read = stored_trace(place, Trace(case_id=reported, answer="x"))
    assert line_has in line
    assert line.startswith(b'{"case_id":"case-0",')
    assert read.case_id == read_back


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param(Trace(case_id="case-0"), id="nothing reported"),
        pytest.param(Trace(case_id="case-0", answer="prose", versions={"index": "1"}), id="short forms"),
        pytest.param(Trace(case_id="case-0", answer=Answer(claims=())), id="itemised without a claim"),
        pytest.param(Trace(case_id="case-0", candidates=(), context=(), tool_calls=()), id="reported and empty"),
        pytest.param(Trace(case_id="case-0", versions=()), id="no versions reported"),
    ],
)
def test_what_was_not_reported_stays_apart_from_what_was_empty(place: Path, trace: Trace) -> None:
    assert stored_trace(place, trace)[1] == trace


def test_a_line_replays_as_a_recorded_trace(place: Path) -> None:
    line, read = stored_trace(place, RICH)
    assert Trace.model_validate_json(line) == read


@pytest.mark.parametrize(
    ("reported", "measured", "stored"),
    [
        pytest.param(None, 12.5, 12.5, id="measured by us"),
        pytest.param(3.0, 12.5, 3.0, id="reported by the app"),
        pytest.param(None, None, None, id="by nobody"),
    ],
)
def test_a_trace_keeps_the_time_its_case_took(
    place: Path, reported: float | None, measured: float | None, stored: float | None
) -> None:
    with RunDirectory.create(place, make_started()) as directory:
        directory.append(make_row(0, latency_ms=measured), Trace(answer="x", latency_ms=reported))
    assert [kept.trace.latency_ms for kept in read_traces(place)] == [stored]


def test_a_trace_of_no_case_is_refused(place: Path) -> None:
    whole_run(place, 0)
    (place / "traces.jsonl").write_text('{"answer": "x"}\n')
    tie(place)
    assert "traces.jsonl: a line names no case" in refused(read_traces, place)


def test_a_latency_that_json_cannot_hold_is_left_out(place: Path) -> None:
    _line, read = stored_trace(place, Trace(stage_latency_ms={"a": float("nan"), "b": float("inf"), "c": 1.0}))
    assert read.stage_latency_ms == {"c": 1.0}


def test_a_number_that_json_cannot_hold_is_null(place: Path) -> None:
    call = ToolCall(name="search", arguments={"limit": float("inf")})
    with begin(place) as directory:
        directory.append(make_row(0).model_copy(update={"latency_ms": float("nan")}), Trace(tool_calls=(call,)))
    [(row, trace)] = in_work_file(place, "SELECT row, trace FROM cases")
    assert b'"arguments":{"limit":null}' in trace
    assert [row.latency_ms for row in read_rows(place)] == [None]
    assert b"NaN" not in row


def test_a_row_is_written_as_its_record_would_write_it(place: Path) -> None:
    row = make_row(0, tags=("a", "b"), versions=(("index", "1"),), latency_ms=1.5)
    RunDirectory.create(place, make_started()).close()
    with RunDirectory.resume(place, make_started()) as directory:
        directory.append(row, None)
    written = json.loads(in_work_file(place, "SELECT row FROM cases")[0][0])
    assert written == json.loads(row.model_dump_json(exclude_none=True))
    assert list(written)[:2] == ["case_id", "position"]
    assert "kind" in written["outcomes"]["faithfulness"]


def test_closing_twice_is_closing_once(place: Path) -> None:
    with begin(place, 0) as directory:
        directory.close()
    directory.close()
    assert positions_of(place) == [0]


def test_what_a_run_knows_never_stands_in_memory_together(tmp_path: Path) -> None:
    work = WorkFile.at(tmp_path)
    tracemalloc.start()
    for position in range(10_000):
        work.add_reply(position, TargetFailure("x" * 100))
    for position in range(10_000):
        work.add_case(position, b"r" * 100 + b"\n", b"t" * 100 + b"\n")
    assert sum(len(line) for _where, line in work.lines("traces.jsonl")) == 10_000 * 101
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    work.close()
    assert peak < 100_000


def test_both_ways_of_beginning_agree_on_types(place: Path) -> None:
    ways: Sequence[Any] = (RunDirectory.create, RunDirectory.resume)
    for way in ways:
        with way(place, make_started(), texts="ids") as directory:
            assert isinstance(directory.started, StartedRun)
            assert directory.path == place
            assert not [row for row in directory.rows() if not isinstance(row, CaseRun)]
