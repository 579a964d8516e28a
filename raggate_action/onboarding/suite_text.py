"""The files of a first suite: their text, with a comment where a reader would ask why, and how they are written."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, TypeAlias, get_args

from raggate_action.errors import UsageError
from raggate_action.onboarding.starter_cases import KnownBad, StarterCase
from raggate_action.report.render import render_scaffold
from raggate_action.schema.target import TargetSection
from raggate_action.suite_files.problems import path_text
from raggate_action.suite_files.yaml_file import flow, scalar
from raggate_action.version import CASE_KEYS

SUITE = "raggate.yaml"
CASES = "gate/cases.yaml"
# Where there are more than people read one below the other.
MANY_CASES = "gate/cases.jsonl"
_ANY_SUITE = "my-app"
KNOWN_BAD = "gate/known_bad.yaml"
JUDGE_KEY = "OPENAI_API_KEY"


def suite_name(folder: Path) -> str:
    """A name for the suite of a folder: the folder's, unless it has letters that a suite's name may not have."""
    own = folder.resolve().name
    if not own.isascii():
        return _ANY_SUITE
    return re.sub(r"[^A-Za-z0-9._-]+", "-", own).strip("-._")[:64] or _ANY_SUITE


def suite_text(target: TargetSection, **notes: object) -> str:
    """The suite file.

    Args:
        target: The app.
        notes: `name`; `cases`, the file of cases; `has_known_bad`; `has_context`: the app shows what its answers rest
            on; `paths`: trace field -> path in the reply, empty where a run needs none; `evidence`: it is exported by a
            script; `judge_key`: the variable with a judge's key; `cites`; `language` of the answers. None is no such.
    """
    fixed = {"known_bad": KNOWN_BAD, "script": SCRIPT, "evidence_file": EVIDENCE}
    return _rendered(SUITE, target=target, **fixed, **notes)


def cases_text(cases: Iterable[StarterCase]) -> str:
    """The file of cases."""
    return _rendered("cases.yaml", cases=cases, case_keys=CASE_KEYS, comment=_comment)


def known_bad_text(cases: Iterable[KnownBad]) -> str:
    """The file of known-bad cases."""
    return _rendered("known_bad.yaml", cases=[(case, _trace_fields(case)) for case in cases])


def _rendered(file: str, **values: object) -> str:
    return render_scaffold(file, {"scalar": scalar, "flow": _flow, **values})


def _flow(value: Any) -> str:
    return flow(list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value)


def _trace_fields(case: KnownBad) -> dict[str, Any]:
    trace = case.trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    answer = trace.get("answer", "")
    if isinstance(answer, dict) and set(answer) <= {"text"}:
        trace["answer"] = answer.get("text", "")
    return trace


def _comment(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


EvidenceKind: TypeAlias = Literal["markdown", "qdrant"]
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)
SCRIPT = "gate/export_evidence.py"
EVIDENCE = "gate/evidence.jsonl"


def export_script(kind: EvidenceKind) -> str:
    """The script's text. What it imports is the app's, and never imported here."""
    return render_scaffold(f"evidence/{kind}.py", {"out": EVIDENCE, "script": SCRIPT})


# The text of a file, or a temporary file that holds it because it is long.
FileText: TypeAlias = str | IO[bytes]


class NewFile(NamedTuple):
    """A file to be written, or one that is there and stays as it is."""

    path: Path
    text: FileText
    is_there: bool

    def lines(self, most: int) -> list[str]:
        """Its first lines."""
        if isinstance(self.text, str):
            return self.text.splitlines()[:most]
        self.text.seek(0)
        return [line.decode().rstrip("\n") for line in islice(self.text, most)]


def file_plan(
    files: Mapping[Path, FileText], *, needed: frozenset[Path], within: tuple[Path, ...]
) -> tuple[NewFile, ...]:
    """The plan of the files to write.

    Args:
        files: Path -> text.
        needed: Files that belong together: one of them that is there already would be another's.
        within: The folders that were named; below them no link is followed.

    Raises:
        UsageError: One of `needed` is there, a folder cannot be made where a file is, or a link leads elsewhere.
    """
    for path in files:
        if path in needed and (path.exists() or path.is_symlink()):
            raise UsageError(
                f"{path_text(path)} is there already, and nothing is overwritten",
                hint="Name another folder, as in `raggate-action init eval`, or move the file away.",
            )
        below = [each for each in path.parents if each not in within and any(top in each.parents for top in within)]
        link = next((each for each in below if each.is_symlink()), None)
        if link is not None:
            raise UsageError(
                f"{path_text(link)} is a link to another place, where nothing is written",
                hint="Remove the link, or name another folder, as in `raggate-action init eval`.",
            )
        blocked = next((each for each in path.parents if each.exists() and not each.is_dir()), None)
        if blocked is not None:
            raise UsageError(f"{path_text(blocked)} is no folder", hint="Move it away, or name another folder.")
    return tuple([NewFile(path, text, path.exists() or path.is_symlink()) for path, text in files.items()])


def copy_text(text: FileText, stream: IO[bytes]) -> None:
    """Write a text, wherever it is, into an open file."""
    if isinstance(text, str):
        stream.write(text.encode())
    else:
        text.seek(0)
        shutil.copyfileobj(text, stream)


def write_new(files: tuple[NewFile, ...]) -> None:
    """Write the files that do not exist yet, all or none: half a suite would be in the way of the next try.

    Raises:
        UsageError: A file cannot be written, or came to be there meanwhile; what was written before it is removed.
    """
    made: list[Path] = []
    try:
        for new in files:
            if not new.is_there:
                _write(new, made)
    except BaseException:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _write(new: NewFile, made: list[Path]) -> None:
    """Write one file; what is made for it is added to `made` as it comes to be."""
    try:
        for folder in reversed([each for each in new.path.parents if not each.exists()]):
            folder.mkdir()
            made.append(folder)
        with new.path.open("xb") as stream:
            made.append(new.path)
            copy_text(new.text, stream)
    except OSError as error:
        raise UsageError(
            f"{path_text(new.path)} cannot be written: {error.strerror or error}",
            hint="Check that you may write there. Nothing was written.",
        ) from None
