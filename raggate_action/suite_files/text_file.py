"""Finding the files a suite names, and reading them as text."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from pathlib import Path

from raggate_action.suite_files.nodes import Written
from raggate_action.suite_files.problems import START, FileProblems, Mark
from raggate_action.suite_files.words import name_text

BOM = b"\xef\xbb\xbf"


def read_text(path: Path, problems: FileProblems) -> str | None:
    """The text of a UTF-8 file, without its byte order mark; None when it has none, which `problems` then says."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        problems.add(START, unreadable(error))
        return None
    return decoded(raw.removeprefix(BOM), problems)


def decoded(raw: bytes, problems: FileProblems, *, line: int = 1) -> str | None:
    """Bytes as text; None when they are not UTF-8. `line` is the line of the file that `raw` begins on."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        text = f"the byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8"
        problems.add(Mark(line + before.count(b"\n"), column), text)
        return None


def unreadable(error: OSError) -> str:
    """Message about a file that the system does not give out."""
    return f"cannot be read: {error.strerror or error}; check that it is there and that you may read it"


def matching_files(
    patterns: Iterable[Written], *, directory: Path, suffixes: Sequence[str], problems: FileProblems
) -> list[Path]:
    """Files that paths and glob patterns name, in the order named, each once; those of one pattern sorted.

    Args:
        patterns: As written in the suite file.
        directory: What they are relative to.
        suffixes: Kinds of file that can be read; another is a problem.
        problems: Of the suite file: a pattern that names nothing is a problem where it is written.
    """
    found: dict[Path, Path] = {}
    for pattern in patterns:
        paths = _named(pattern, directory, problems)
        for path in paths:
            if path.suffix.lower() in suffixes:
                found.setdefault(path.resolve(), path)
            else:
                known = ", ".join(suffixes)
                problems.add(
                    pattern.mark, f"`{name_text(path.name)}` is no kind of file read here; write one of {known}"
                )
    return list(found.values())


def _named(pattern: Written, directory: Path, problems: FileProblems) -> list[Path]:
    name = name_text(pattern.text)
    literal = directory / pattern.text
    try:
        if literal.is_file():
            return [literal]
        if literal.is_dir():
            example = name_text(pattern.text.rstrip("/"))
            problems.add(pattern.mark, f"`{name}` is a folder; write which files of it, as in `{example}/*.yaml`")
            return []
        matches = sorted(glob.glob(pattern.text, root_dir=directory, recursive=True))  # noqa: PTH207 - also takes absolute patterns
    except (OSError, ValueError):
        matches = []
    files = [directory / match for match in matches if (directory / match).is_file()]
    if not files:
        is_glob = glob.has_magic(pattern.text)
        problems.add(
            pattern.mark,
            f"`{name}` matches no file; correct the pattern, it is relative to this file's folder"
            if is_glob
            else f"there is no file `{name}`; write its path relative to this file's folder",
        )
    return files
