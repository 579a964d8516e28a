"""A run directory as an artifact's zip: written, and read where it lies as a stranger's file, never unpacked.

Only plain files with the names a run leaves may be in it. What must not be true of a zip is looked for before the
library reads its list of members; what it says of a member's size is held against what comes out of it.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Final, Self

from raggate_action.errors import ArtifactError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

import shutil
from pathlib import Path

# The names of a run directory: the first are read, the others left unopened.
MEMBERS_READ: Final = frozenset(
    {"run.json", "suite.json", "cases.jsonl", "traces.jsonl", "judgements.jsonl", "by_baseline.jsonl", "history.jsonl"}
)
MEMBERS_LEFT: Final = frozenset(
    {"baseline.jsonl", "comment.md", "summary.md", "comparison.json", "findings.md", "judge_rows.csv", "report.html",
     "junit.xml", "findings.sarif", "publication.json"}
)  # fmt: skip
LARGEST_ZIP: Final = 100 * 1024 * 1024
LARGEST_CONTENT: Final = 1024 * 1024 * 1024
LARGEST_RATIO: Final = 200
MOST_MEMBERS: Final = 20

_END = struct.Struct("<4s4H2LH")
_END_SIGNATURE = b"PK\x05\x06"
_LOCATOR_BYTES = 20
_LOCATOR_SIGNATURE = b"PK\x06\x07"
_LARGEST_LIST = 64 * 1024
_LOCAL_HEADER_BYTES = 30
# Encrypted, strongly encrypted, masked headers.
_SECRET_FLAGS = 0x0001 | 0x0040 | 0x2000
_DOS_DIRECTORY = 0x10
_BUFFER_BYTES = 256 * 1024
_NAME_CHARACTERS = 60
_HINT = "Upload the run directory alone, by actions/upload-artifact."
# What the library raises on a damaged file.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, IndexError, KeyError, NotImplementedError, OSError,
    OverflowError, RuntimeError, ValueError,
)  # fmt: skip


class Archive:
    """The files of one stored run in a zip; has what reading a run asks for. Close it: it holds the zip."""

    def __init__(self, members: zipfile.ZipFile, file: IO[bytes], where: str) -> None:
        self._members = members
        self._file = file
        self.where = where

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the zip."""
        self._members.close()
        self._file.close()

    def open(self, name: str) -> IO[bytes] | None:
        """The file `name` from its beginning, to be closed by the caller; None when there is none, or it is not read.

        Raises:
            ArtifactError: It is damaged, or does not hold what the archive says of it. Reading may raise it as well.
        """
        if name not in MEMBERS_READ or name not in self._members.NameToInfo:
            return None
        member = self._members.NameToInfo[name]
        where = f"{self.where}/{name}"
        try:
            stream = self._members.open(member)
        except _DAMAGE:
            raise _artifact_error(where, "it is damaged") from None
        most = min(LARGEST_CONTENT, LARGEST_RATIO * member.compress_size)
        return io.BufferedReader(MemberStream(stream, where, size=member.file_size, most=most), _BUFFER_BYTES)


class MemberStream(io.RawIOBase):
    """The bytes that come out of a member, counted as they come."""

    def __init__(self, stream: IO[bytes], where: str, *, size: int, most: int) -> None:
        """Count what `stream` gives.

        Args:
            stream: Unpacks the member.
            where: What messages call it.
            size: So many bytes it is said to have.
            most: So many it may have.
        """
        self._stream = stream
        self._where = where
        self._size = size
        self._most = most
        self._come = 0

    def readable(self) -> bool:
        """True: it can only be read from, as `io.BufferedReader` asks."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """See `io.RawIOBase`; raises `ArtifactError` for what is damaged, or more or less than was said."""
        view = memoryview(buffer)
        try:
            part = self._stream.read(len(view))
        except _DAMAGE:
            raise _artifact_error(self._where, "it is damaged") from None
        self._come += len(part)
        if self._come > self._most:
            raise _artifact_error(self._where, "it unpacks to more than it may")
        if not part and self._come != self._size:
            raise _artifact_error(self._where, "it ends before the size the archive gives for it")
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        """Let go of the member."""
        self._stream.close()
        super().close()


def open_archive(file: IO[bytes], where: str) -> Archive:
    """The run in a zip.

    Args:
        file: The zip; the archive closes it. On an error it stays open.
        where: What messages call the archive.

    Raises:
        ArtifactError: It is no zip, damaged, or holds what no run leaves; the message says which member and why.
    """
    count = _see_end(file, where)
    try:
        members = zipfile.ZipFile(file)
        listed = members.infolist()
    except _DAMAGE:
        raise _artifact_error(where, "its list of members is damaged") from None
    if len(listed) != count:
        raise _artifact_error(where, "its end promises more or fewer members than it lists")
    if count > MOST_MEMBERS:
        raise _artifact_error(where, f"it lists {count} members; more than {MOST_MEMBERS} are not read")
    for member in listed:
        if why := _what_is_wrong(member):
            raise _artifact_error(where, f"member {member.orig_filename[:_NAME_CHARACTERS]!r} {why}")
    if len(members.NameToInfo) != count:
        raise _artifact_error(where, "it holds a name twice")
    if sum(member.file_size for member in listed) > LARGEST_CONTENT:
        raise _artifact_error(where, "it unpacks to more than 1 GiB")
    if not _stand_side_by_side(listed, members.start_dir):
        raise _artifact_error(where, "its members overlap, or do not begin where the file begins")
    return Archive(members, file, where)


def see_digest(file: IO[bytes], digest: str | None, where: str) -> None:
    """See that a zip is the one that was stored.

    Args:
        file: The zip, at any position.
        digest: `sha256:` and hex, as the API gives it; None, or another kind of digest, is not looked at.
        where: What messages call the archive.

    Raises:
        ArtifactError: It is another one.
    """
    kind, _, expected = (digest or "").partition(":")
    if kind != "sha256":
        return
    found = hashlib.sha256()
    file.seek(0)
    while part := file.read(_BUFFER_BYTES):
        found.update(part)
    if found.hexdigest() != expected.lower():
        raise _artifact_error(where, "its SHA-256 digest is not the one GitHub keeps of it")


def _see_end(file: IO[bytes], where: str) -> int:
    """How many members the end of the zip promises.

    The library would search for it, skip what stands before the first member, and let a second, larger end (zip64)
    correct it. A run's zip needs none of this, and a hostile list would be in memory before it could be counted.
    """
    size = file.seek(0, os.SEEK_END)
    if size > LARGEST_ZIP:
        raise _artifact_error(where, f"it is larger than {LARGEST_ZIP // 1024 // 1024} MiB")
    if size < _END.size:
        raise _artifact_error(where, "it is no zip")
    at = max(0, size - _END.size - _LOCATOR_BYTES)
    file.seek(at)
    tail = file.read()
    signature, disk, first_disk, here, count, length, offset, comment = _END.unpack(tail[-_END.size :])
    if signature != _END_SIGNATURE or comment:
        raise _artifact_error(where, "it is no zip, is cut off, or something follows its end")
    if tail.startswith(_LOCATOR_SIGNATURE) or disk or first_disk or here != count:
        raise _artifact_error(where, "it is of a kind (zip64, several disks) that a run does not need")
    if offset + length + _END.size != size or length > _LARGEST_LIST:
        raise _artifact_error(where, "its list of members is not where, or as large as, its end says")
    return int(count)


def _what_is_wrong(member: zipfile.ZipInfo) -> str:
    """Why a member must not be in a run's archive; empty for nothing."""
    mode = member.external_attr >> 16
    reasons = {
        # The library cuts a name at its first NUL.
        "is no file of a run": member.orig_filename not in MEMBERS_READ | MEMBERS_LEFT,
        "is no plain file": stat.S_IFMT(mode) not in {0, stat.S_IFREG} or member.external_attr & _DOS_DIRECTORY,
        "is encrypted": member.flag_bits & _SECRET_FLAGS,
        "is compressed in an unusual way": member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED},
        f"unpacks to more than {LARGEST_RATIO} times its size": member.file_size > LARGEST_RATIO * member.compress_size,
    }
    return next((why for why, is_so in reasons.items() if is_so), "")


def _stand_side_by_side(listed: Iterable[zipfile.ZipInfo], end: int) -> bool:
    begin = 0
    for position, member in enumerate(sorted(listed, key=lambda member: member.header_offset)):
        if member.header_offset < begin or (position == 0 and member.header_offset):
            return False
        begin = member.header_offset + _LOCAL_HEADER_BYTES + len(member.filename) + member.compress_size
    return begin <= end


def _artifact_error(where: str, why: str) -> ArtifactError:
    return ArtifactError(f"{where}: {why}", hint=_HINT)


# The earliest that a zip can name: when a file was written says nothing of a run.
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644


def write_zip(directory: Path, file: IO[bytes]) -> None:
    """Pack a run directory: the files that a run leaves, as plain files, and nothing else that lies there.

    Args:
        directory: A run's.
        file: Where the zip is written to.

    Raises:
        OSError: A file cannot be read, or the zip cannot be written.
        zipfile.LargeZipFile: A file of 2 GiB or more, which no reader of ours takes.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=False) as packed:
        for name in sorted(MEMBERS_READ | MEMBERS_LEFT):
            path = directory / name
            if not path.is_file() or path.is_symlink():
                continue
            member = zipfile.ZipInfo(name, _MOMENT)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, _MODE << 16
            member.file_size = path.stat().st_size
            with path.open("rb") as content, packed.open(member, "w") as place:
                shutil.copyfileobj(content, place)
