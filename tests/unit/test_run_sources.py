"""A stored run is read from any source of named files, and never without a bound."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest

from fuzz.stored_runs import tie
from raggate_action.errors import RunStoreError
from raggate_action.run.stored_runs import stored_baseline
from raggate_action.run_store import (
    DirectoryFiles,
    RunDirectory,
    read_comparison,
    read_rows,
    read_run,
    read_started,
    read_traces,
)
from raggate_action.run_store.stored_files import DOCUMENT, LINE
from tests.stored_runs import answer_of, make_row, make_run, make_started, suite_cases


class Archive(NamedTuple):
    """The files of a zip archive, read where they stand."""

    archive: zipfile.ZipFile
    where: str = "baseline.zip"

    def open(self, name: str) -> IO[bytes] | None:
        try:
            return self.archive.open(name)
        except KeyError:
            return None


class Bytes(NamedTuple):
    """Files from a mapping."""

    content: dict[str, bytes]
    where: str = "memory"

    def open(self, name: str) -> IO[bytes] | None:
        return io.BytesIO(self.content[name]) if name in self.content else None


class Broken(io.RawIOBase):
    """A file whose medium fails."""

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: Any) -> int:
        raise OSError(5, "Input/output error")


class BrokenFiles:
    where = "tape"

    def open(self, _name: str) -> IO[bytes] | None:
        return io.BufferedReader(Broken())


@pytest.fixture
def place(tmp_path: Path) -> Path:
    directory = RunDirectory.create(tmp_path / "run", make_started())
    for position in range(3):
        directory.append(make_row(position), answer_of(position))
    directory.finish(make_run(), suite_cases(3), {"comment.md": "# release\n"})
    return tmp_path / "run"


def archived(place: Path) -> Archive:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in place.iterdir():
            archive.write(path, path.name)
    return Archive(zipfile.ZipFile(packed))


def refused(action: Any, source: Any) -> str:
    with pytest.raises(RunStoreError) as caught:
        list(action(source))
    return f"{caught.value} | {caught.value.hint}"


def test_a_run_reads_the_same_from_its_directory_and_from_an_archive(place: Path) -> None:
    archive = archived(place)
    for source in (archive, DirectoryFiles(place)):
        assert read_run(source) == read_run(place)
        assert list(read_rows(source)) == list(read_rows(place)) == [make_row(n) for n in range(3)]
        assert list(read_traces(source)) == list(read_traces(place))
        assert read_comparison(source) is None
        assert read_started(source) is None
        read, again = (stored_baseline(each, suite="demo") for each in (source, place))
        assert read.rows is not None
        assert list(read.rows()) == [make_row(n) for n in range(3)]
        assert read.main_answers is not None
        assert again.main_answers is not None
        assert list(read.main_answers()) == list(again.main_answers()) != []
        read_anew = ("rows", "judgements", "traces", "main_answers", "suite")
        apart: dict[str, Any] = dict.fromkeys(read_anew)
        assert read._replace(**apart) == again._replace(**apart)


def test_what_is_wrong_in_an_archive_is_named_by_the_archive(place: Path) -> None:
    (place / "cases.jsonl").write_bytes((place / "cases.jsonl").read_bytes() + b"{}\n")
    tie(place)
    assert "baseline.zip/cases.jsonl:4: case_id: Field required" in refused(read_rows, archived(place))
    (place / "cases.jsonl").unlink()
    assert "baseline.zip/cases.jsonl: No such file" in refused(read_rows, archived(place))
    (place / "run.json").unlink()
    assert "baseline.zip holds no run: run.json is missing" in refused(read_run, archived(place))


def test_a_medium_that_fails_is_named() -> None:
    assert "tape/run.json: Input/output error" in refused(read_run, BrokenFiles())
    assert "tape/run.json: Input/output error" in refused(read_rows, BrokenFiles())


ENDLESS = b'{"schema_version": 3, "complete": true, "suite": "' + b"x" * DOCUMENT.length
CROWDED = b'{"schema_version": 5, "complete": true, "suite": "demo", "notes": [' + b"[]," * (DOCUMENT.marks // 2 + 1)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        pytest.param(ENDLESS, "memory/run.json: the file has more than 64 MiB", id="too long"),
        pytest.param(b" " + ENDLESS, "memory/run.json: the file has more than 64 MiB", id="too long to find its keys"),
        pytest.param(CROWDED, "memory/run.json: the file has more than 2,000,000 values", id="too many values"),
    ],
)
def test_a_run_json_made_to_fill_memory_is_refused(content: bytes, named: str) -> None:
    assert named in refused(read_run, Bytes({"run.json": content}))
    begun = content.replace(b'"complete": true', b'"complete": false', 1)
    assert named in refused(read_started, Bytes({"run.json": begun}))


def test_a_comparison_made_to_fill_memory_is_refused() -> None:
    files = Bytes({"comparison.json": b"[" * (DOCUMENT.marks + 1)})
    assert "memory/comparison.json: the file has more than 2,000,000 values" in refused(read_comparison, files)


@pytest.mark.parametrize("reader", [read_rows, read_traces])
@pytest.mark.parametrize(
    ("line", "named"),
    [
        pytest.param(b'{"case_id": "' + b"x" * LINE.length, "the line has more than 32 MiB", id="a line without end"),
        pytest.param(b'{"claims": [' + b"1," * LINE.marks, "the line has more than 500,000 values", id="many numbers"),
        pytest.param(b"[" * (LINE.marks + 1), "the line has more than 500,000 values", id="many lists"),
    ],
)
def test_a_line_made_to_fill_memory_is_refused(place: Path, reader: Any, line: bytes, named: str) -> None:
    for name in ("cases.jsonl", "traces.jsonl"):
        (place / name).write_bytes((place / name).read_bytes() + line + b"\n")
    tie(place)
    said = refused(reader, Bytes({path.name: path.read_bytes() for path in place.iterdir()}))
    assert f".jsonl:4: {named}" in said


def test_a_long_line_of_plain_words_is_read(place: Path) -> None:
    # Longer than the number of marks allowed, so that its marks are counted.
    row = make_row(3, answer="word " * 200_000)
    rows = place / "cases.jsonl"
    rows.write_bytes(rows.read_bytes() + row.model_dump_json().encode() + b"\n")
    tie(place)
    assert list(read_rows(Bytes({path.name: path.read_bytes() for path in place.iterdir()})))[-1] == row


def test_thousands_of_mistakes_are_counted_and_not_listed(place: Path) -> None:
    files = Bytes({path.name: path.read_bytes() for path in place.iterdir()})
    files.content["run.json"] = files.content["run.json"].replace(
        b'"notes": []', b'"notes": [' + b"1," * 5000 + b"1]", 1
    )
    assert "memory/run.json: off schema in 5,001 places" in refused(read_run, files)
