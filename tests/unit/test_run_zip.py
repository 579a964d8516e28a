"""A run directory as a zip: what a run leaves and nothing else, readable by what reads a stranger's."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from raggate_action.github.archive import MEMBERS_READ, open_archive, write_zip
from raggate_action.run_store.run_files import KNOWN_FILES, partial_name


def zipped(directory: Path) -> bytes:
    file = io.BytesIO()
    write_zip(directory, file)
    return file.getvalue()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    for name in KNOWN_FILES:
        (tmp_path / name).write_text(f"{name}: héllo\n" * 3)
    return tmp_path


def test_what_reads_a_strangers_zip_reads_it(directory: Path) -> None:
    with open_archive(io.BytesIO(zipped(directory)), "the artifact") as archive:
        for name in MEMBERS_READ:
            stream = archive.open(name)
            assert stream is not None
            with stream:
                assert stream.read() == (directory / name).read_bytes()


def test_the_same_run_is_the_same_bytes_whenever_and_wherever_it_is_packed(directory: Path) -> None:
    first = zipped(directory)
    for name in KNOWN_FILES:
        os.utime(directory / name, (1, 1))
        (directory / name).chmod(0o600)
    assert zipped(directory) == first


def test_nothing_else_that_lies_there_is_packed(directory: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = zipped(directory)
    for name in ("secret.env", partial_name("run.json"), ".git"):
        (directory / name).write_text("TOKEN")
    (directory / "folder").mkdir()
    assert zipped(directory) == first
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "passwd"
    elsewhere.write_text("root:x")
    (directory / "findings.md").unlink()
    without = zipped(directory)
    (directory / "findings.md").symlink_to(elsewhere)
    assert zipped(directory) == without
