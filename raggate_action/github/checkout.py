"""What a workflow's workspace holds: files and commits of the repository, and files that only this job wrote."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

_NAME_LENGTH = 0x0FFF
_LARGEST_INDEX = 256 * 1024 * 1024
_LONGEST_LINE = 1000
_LONGEST_COMMIT = 64 * 1024
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REFERENCE = re.compile(r"refs(?:/(?!\.)[^/\0]+)+")


def path_in_checkout(workspace: Path, path: Path) -> str | None:
    """A path seen from the top of the checkout; None for one outside of it."""
    try:
        return path.resolve().relative_to(workspace.resolve()).as_posix()
    except ValueError:
        return None


def was_checked_out(workspace: Path, place: str) -> bool:
    """Whether a file came with the checkout; assumed where there is no index.

    git lists every file that it has checked out in `.git/index`, each path behind two bytes that hold its length and
    before a zero. git itself is not needed, and the runner's git may be newer than any we could bring.

    Args:
        workspace: Top of the checkout.
        place: The file, seen from there.
    """
    index = workspace / ".git" / "index"
    try:
        if index.stat().st_size > _LARGEST_INDEX:
            return True
        entries = index.read_bytes()
    except OSError:
        return True
    # Version 4 cuts what a path shares with the one before; nothing can be found there.
    if entries[:4] != b"DIRC" or entries[4:8] not in {b"\0\0\0\2", b"\0\0\0\3"}:
        return True
    name = place.encode(errors="surrogateescape")
    # The upper four bits are flags. Extended entries have two more bytes of flags before the path.
    return any(
        len(name) in {_length_at(entries, found.start() - 2), _length_at(entries, found.start() - 4)}
        for found in re.finditer(re.escape(name) + b"\0", entries)
    )


def checkout_of(workspace: Path, folder: Path) -> Path:
    """The checkout that a folder is in: a workflow may have put it below the workspace, or several side by side."""
    top, place = workspace.resolve(), folder.resolve()
    between = [each for each in (place, *place.parents) if each.is_relative_to(top)]
    return next((each for each in between if (each / ".git").exists()), top)


def checked_out_commit(checkout: Path) -> str | None:
    """The commit that git has checked out; None where that cannot be read off its files."""
    git = checkout / ".git"
    head = _first_line(git / "HEAD")
    reference = head.removeprefix("ref: ")
    if reference != head:
        head = _first_line(git / reference) if _REFERENCE.fullmatch(reference) else ""
    return head if _COMMIT.fullmatch(head) else None


def parents_in(checkout: Path, commit: str) -> tuple[str, ...]:
    """The parents of a commit that lies in a file of its own, as one that this job has made does; else empty."""
    try:
        with (checkout / ".git" / "objects" / commit[:2] / commit[2:]).open("rb") as stream:
            content = zlib.decompressobj().decompress(stream.read(_LONGEST_COMMIT), _LONGEST_COMMIT)
    except (OSError, zlib.error):
        return ()
    head = content.partition(b"\n\n")[0].decode(errors="replace")
    return tuple(re.findall(r"^parent ([0-9a-f]{40,64})$", head, flags=re.MULTILINE))


def _first_line(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.readline(_LONGEST_LINE).strip()
    except OSError:
        return ""


def _length_at(entries: bytes, start: int) -> int:
    return int.from_bytes(entries[start : start + 2]) & _NAME_LENGTH
