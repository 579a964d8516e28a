from __future__ import annotations

import hashlib
import io
import stat
import struct
import zipfile
from collections.abc import Callable
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.errors import ArtifactError
from raggate_action.github.archive import (
    MEMBERS_LEFT,
    MEMBERS_READ,
    Archive,
    MemberStream,
    open_archive,
    see_digest,
)
from raggate_action.run_store.run_files import KNOWN_FILES
from tests.thorough import examples

ROWS = b'{"case_id": "q1"}\n{"case_id": "q2"}\n'
RUN = b'{"schema_version": 3, "complete": true, "suite": "menu"}\n'


def zipped(members: dict[str, bytes] | None = None, **information: int) -> bytes:
    """A zip as upload-artifact makes one; `information` changes every member's entry."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in ({"run.json": RUN, "cases.jsonl": ROWS} if members is None else members).items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            for field, value in information.items():
                setattr(entry, field, value)
            archive.writestr(entry, content)
    return file.getvalue()


def opened(content: bytes) -> Archive:
    return open_archive(io.BytesIO(content), "the artifact")


def read(archive: Archive, name: str) -> bytes | None:
    stream = archive.open(name)
    if stream is None:
        return None
    with stream:
        return stream.read()


def patched(content: bytes, position: int, replacement: bytes) -> bytes:
    return content[:position] + replacement + content[position + len(replacement) :]


def first_entry(content: bytes) -> int:
    return content.index(b"PK\x01\x02")


def with_name(name: bytes) -> bytes:
    """A zip whose one member is called `name` in both places, whatever the library thinks of such a name."""
    return zipped({"n" * len(name): b"x"}).replace(b"n" * len(name), name)


def duplicate() -> bytes:
    """The same name twice, as a library that does not look would write it."""
    return zipped({"cases.jsonl": RUN, "xases.jsonl": RUN}).replace(b"xases.jsonl", b"cases.jsonl")


def overlapping() -> bytes:
    """Two entries of the list that both point at the first member."""
    content = zipped({"cases.jsonl": RUN, "traces.jsonl": RUN})
    second = content.index(b"PK\x01\x02", first_entry(content) + 1)
    return patched(content, second + 42, struct.pack("<L", 0))


def zip64() -> bytes:
    """A second end (zip64) that contradicts the first, as hostile archives have it."""
    content = zipped()
    end = content[-22:]
    size, offset = struct.unpack("<2L", end[12:20])
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(content) - 22, 1)
    return content[:-22] + record + locator + end


def locator_inside_the_list() -> bytes:
    """A zip64 locator kept where the list's last entry has its comment: the first end still fits to the byte."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        entry = zipfile.ZipInfo("run.json")
        entry.comment = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
        archive.writestr(entry, RUN)
    return file.getvalue()


def many(count: int) -> bytes:
    return zipped({f"member{position}": b"x" for position in range(count)})


def entry_sizes(compressed: int, whole: int) -> bytes:
    content = zipped({"run.json": RUN})
    return patched(content, first_entry(content) + 20, struct.pack("<2L", compressed, whole))


def flagged(flags: int) -> bytes:
    content = zipped()
    return patched(content, first_entry(content) + 8, struct.pack("<H", flags))


def prefixed(prefix: bytes) -> bytes:
    """A zip made after a prefix: offsets and end agree with each other."""
    file = io.BytesIO(prefix)
    file.seek(0, io.SEEK_END)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("run.json", RUN)
    return file.getvalue()


def not_text() -> bytes:
    content = with_name(b"run\xff.json")
    return patched(content, first_entry(content) + 8, struct.pack("<H", 0x800))


def two_large() -> bytes:
    """Two members of 4 MiB that say they have 600 MiB: a ratio of 150."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name in ("run.json", "cases.jsonl"):
            archive.writestr(name, b"x" * (4 * 1024 * 1024))
    content = file.getvalue()
    second = content.index(b"PK\x01\x02", first_entry(content) + 1)
    for entry in (first_entry(content), second):
        content = patched(content, entry + 24, struct.pack("<L", 600 * 1024 * 1024))
    return content


def longer_than_said() -> bytes:
    content = zipped({"run.json": RUN})
    return patched(content, first_entry(content) + 24, struct.pack("<L", len(RUN) - 1))


def shorter_than_said() -> bytes:
    content = zipped({"run.json": RUN})
    return patched(content, first_entry(content) + 24, struct.pack("<L", len(RUN) + 1))


REFUSED: list[tuple[str, Callable[[], bytes], str]] = [
    ("an empty file", lambda: b"", "is no zip"),
    ("a page instead of a zip", lambda: b"<html>503</html>" * 10, "is no zip"),
    ("cut in the middle", lambda: zipped()[: len(zipped()) // 2], "is no zip"),
    ("cut by one byte", lambda: zipped()[:-1], "is no zip"),
    ("something after its end", lambda: zipped() + b"x", "something follows"),
    ("a program before its beginning", lambda: b"#!/bin/sh\n" + zipped(), "is not where"),
    ("a prefix that the list knows of", lambda: prefixed(b"MZ"), "do not begin where the file begins"),
    ("a comment", lambda: patched(zipped(), len(zipped()) - 2, b"\x01\x00") + b"c", "is no zip"),
    ("a comment that is not there", lambda: patched(zipped(), len(zipped()) - 2, b"\x01\x00"), "is no zip"),
    ("a zip64 end", zip64, "zip64"),
    ("a zip64 locator in a comment", locator_inside_the_list, "zip64"),
    ("several disks", lambda: patched(zipped(), len(zipped()) - 18, b"\x01\x00"), "several disks"),
    ("an end that promises more members", lambda: patched(zipped(), len(zipped()) - 14, b"\x05\x00\x05\x00"), "more or fewer members"),
    ("21 members", lambda: many(21), "lists 21 members"),
    ("a list too long to be looked at", lambda: many(1500), "list of members"),
    ("an unknown name", lambda: zipped({"secrets.env": b"x"}), "'secrets.env' is no file of a run"),
    ("a directory above", lambda: zipped({"raggate-run/run.json": RUN}), "'raggate-run/run.json' is no file of a run"),
    ("a path upwards", lambda: zipped({"../run.json": RUN}), "is no file of a run"),
    ("an absolute path", lambda: zipped({"/run.json": RUN}), "is no file of a run"),
    ("a backslash", lambda: with_name(b"..\\run.json"), "is no file of a run"),
    ("a control character", lambda: with_name(b"run\x1b.json"), r"'run\x1b.json' is no file of a run"),
    ("a name cut by NUL", lambda: with_name(b"run.json\0.sh"), r"'run.json\x00.sh' is no file of a run"),
    ("an empty name", lambda: zipped({"": b"x"}), "is no file of a run"),
    ("a name that is no text", not_text, "list of members is damaged"),
    ("a directory entry", lambda: zipped({"run.json/": b""}), "is no file of a run"),
    ("a directory by its attributes", lambda: zipped(external_attr=0x10), "is no plain file"),
    ("a link", lambda: zipped(external_attr=(stat.S_IFLNK | 0o777) << 16), "is no plain file"),
    ("a device", lambda: zipped(external_attr=(stat.S_IFCHR | 0o666) << 16), "is no plain file"),
    ("a duplicate", duplicate, "holds a name twice"),
    ("overlapping members", overlapping, "overlap"),
    ("encrypted", lambda: flagged(0x1), "is encrypted"),
    ("masked headers", lambda: flagged(0x2000), "is encrypted"),
    ("another compression", lambda: patched(zipped(), first_entry(zipped()) + 10, b"\x0c\x00"), "unusual way"),
    ("a bomb", lambda: zipped({"run.json": b"\0" * 10_000_000}), "more than 200 times its size"),
    ("a size of 4 GiB", lambda: entry_sizes(50, 0xFFFFFFFE), "more than 200 times its size"),
    ("two members of 600 MiB", two_large, "more than 1 GiB"),
    ("a member longer than the file", lambda: entry_sizes(10_000, 10_000), "overlap"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "why"), [pytest.param(make, why, id=name) for name, make, why in REFUSED])
def test_f9_a_zip_is_refused_with(make: Callable[[], bytes], why: str) -> None:
    with pytest.raises(ArtifactError) as refused:
        opened(make())
    assert why in str(refused.value)
    assert str(refused.value).startswith("the artifact: ")
    assert str(refused.value).isprintable()


def test_a_run_is_read_from_its_zip() -> None:
    with opened(zipped({"run.json": RUN, "cases.jsonl": ROWS, "comment.md": b"# hello", "history.jsonl": b""})) as run:
        assert run.where == "the artifact"
        assert read(run, "run.json") == RUN
        rows = run.open("cases.jsonl")
        assert rows is not None
        with rows:
            assert list(rows) == ROWS.splitlines(keepends=True)
        assert read(run, "history.jsonl") == b""
        assert read(run, "traces.jsonl") is None
        # A second reader begins at the beginning.
        assert read(run, "run.json") == RUN


def test_other_files_of_a_run_are_left_unopened() -> None:
    with opened(zipped({"run.json": RUN, **dict.fromkeys(sorted(MEMBERS_LEFT), b"x")})) as run:
        assert [read(run, name) for name in sorted(MEMBERS_LEFT)] == [None] * len(MEMBERS_LEFT)


def test_the_names_are_those_a_run_leaves() -> None:
    assert sorted(MEMBERS_READ | MEMBERS_LEFT) == sorted(KNOWN_FILES)


def test_a_zip_without_members_holds_no_run() -> None:
    with opened(zipped({})) as run:
        assert read(run, "run.json") is None


def test_sizes_written_after_the_data_are_read() -> None:
    """As archives are made that are sent while they are packed."""

    class Stream(io.RawIOBase):
        def __init__(self) -> None:
            self.content = b""

        def writable(self) -> bool:
            return True

        def write(self, part: bytes) -> int:  # type: ignore[override]
            self.content += bytes(part)
            return len(part)

    stream = Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", RUN)
        archive.writestr("cases.jsonl", ROWS)
    with opened(stream.content) as run:
        assert (read(run, "run.json"), read(run, "cases.jsonl")) == (RUN, ROWS)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(
            lambda: patched(zipped({"run.json": RUN}), 40, b"\xff\xff\xff"), "is damaged", id="its bytes are damaged"
        ),
        pytest.param(lambda: entry_sizes(10, len(RUN)), "is damaged", id="its stream is cut"),
        pytest.param(
            lambda: patched(zipped({"run.json": RUN}), 30, b"nur.json"),
            "is damaged",
            id="it is called otherwise in place",
        ),
        pytest.param(longer_than_said, "is damaged", id="it holds more than the list says"),
        pytest.param(shorter_than_said, "ends before", id="it holds less than the list says"),
    ],
)
def test_f9_a_member_is_refused_where(content: Callable[[], bytes], why: str) -> None:
    with opened(content()) as run, pytest.raises(ArtifactError, match=why) as refused:
        read(run, "run.json")
    assert str(refused.value).startswith("the artifact/run.json: ")


def test_what_comes_out_is_counted_whatever_the_library_promises() -> None:
    with MemberStream(io.BytesIO(b"x" * 1000), "run.json", size=1000, most=999) as member:
        assert member.read(900) == b"x" * 900
        with pytest.raises(ArtifactError, match=r"run\.json: it unpacks to more than it may"):
            member.read(100)


def test_a_zip_above_the_cap_is_not_looked_at() -> None:
    class Large(io.BytesIO):
        def seek(self, offset: int, whence: int = 0) -> int:
            super().seek(offset, whence)
            return 100 * 1024 * 1024 + 1

        def read(self, size: int | None = -1) -> bytes:
            raise AssertionError(size)

    with pytest.raises(ArtifactError, match="larger than 100 MiB"):
        open_archive(Large(), "the artifact")


def test_f9_the_digest_is_held_against_what_github_keeps() -> None:
    file: IO[bytes] = io.BytesIO(zipped())
    right = hashlib.sha256(zipped()).hexdigest()
    for digest in (f"sha256:{right}", f"sha256:{right.upper()}", None, "", "sha512:abc"):
        see_digest(file, digest, "the artifact")
    with pytest.raises(ArtifactError, match="the artifact: its SHA-256 digest"):
        see_digest(file, f"sha256:{'0' * 64}", "the artifact")


def outcome(content: bytes) -> set[bytes | None] | str:
    try:
        with opened(content) as run:
            return {read(run, name) for name in MEMBERS_READ}
    except ArtifactError as error:
        return str(error)


@given(st.data())
@settings(max_examples=examples(300), deadline=None)
def test_flipped_bytes_end_in_our_error_or_in_the_run(data: st.DataObject) -> None:
    content = bytearray(zipped({"run.json": RUN * 3, "cases.jsonl": ROWS, "comment.md": b"# x"}))
    flips = data.draw(
        st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), min_size=1, max_size=6)
    )
    for position, value in flips:
        content[position] = value
    cut = data.draw(st.integers(0, len(content)))
    for damaged in (bytes(content), bytes(content[:cut])):
        found = outcome(damaged)
        # Checksums hold: what can be read is what was packed, or a member went missing under another name.
        assert found.isprintable() if isinstance(found, str) else found <= {RUN * 3, ROWS, b"# x", None}
