"""The files of a first suite: their text, with a comment where a reader would ask why, and how they are written."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from raggate_action.errors import UsageError
from raggate_action.onboarding.question_files import case_line
from raggate_action.onboarding.setup import EvidenceKind, Setup
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.report.render import render_scaffold
from raggate_action.schema.case import Case
from raggate_action.suite_files.problems import path_text
from raggate_action.suite_files.yaml_file import flow, scalar
from raggate_action.version import CASE_KEYS

SUITE = "raggate.yaml"
KNOWN_BAD = "gate/known_bad.yaml"
SCRIPT = "gate/export_evidence.py"
EVIDENCE = "gate/evidence.jsonl"
GATE = "release-gate.yml"
JUDGE_KEY = "OPENAI_API_KEY"
_ANY_SUITE = "my-app"
_MOST_TO_READ = 1000


def suite_name(folder: Path) -> str:
    """A name for the suite of a folder: the folder's, unless it has letters that a suite's name may not have."""
    own = folder.resolve().name
    if not own.isascii():
        return _ANY_SUITE
    return re.sub(r"[^A-Za-z0-9._-]+", "-", own).strip("-._")[:64] or _ANY_SUITE


def suite_text(setup: Setup, *, cases: str, has_known_bad: bool, cites: bool, language: str) -> str:
    """The suite file: `cases` is its file of cases; the answers cite, and are of one language (empty: of several)."""
    return _rendered(
        SUITE,
        target=setup.target,
        paths=setup.paths,
        has_context=setup.has_context,
        evidence=setup.evidence,
        judge_key=JUDGE_KEY if setup.judges else None,
        name=suite_name(setup.folder),
        cases=cases,
        has_known_bad=has_known_bad,
        cites=cites,
        language=language,
        known_bad=KNOWN_BAD,
        script=SCRIPT,
        evidence_file=EVIDENCE,
    )


def cases_text(cases: Iterable[StarterCase]) -> str:
    """A file of cases, for people to read."""
    return _rendered("cases.yaml", cases=cases, case_keys=CASE_KEYS, comment=_comment)


def cases_file(stem: str, cases: Sequence[StarterCase]) -> tuple[str, str]:
    """Name and text of a file of cases: YAML, or lines of JSON where there are more than people read."""
    if len(cases) > _MOST_TO_READ:
        return f"gate/{stem}.jsonl", "".join(map(case_line, cases))
    return f"gate/{stem}.yaml", cases_text(cases)


def known_bad_text(cases: Iterable[Case]) -> str:
    """The file of known-bad cases."""
    return _rendered("known_bad.yaml", cases=[(case, _trace_fields(case)) for case in cases])


def workflow_text(**needs: object) -> str:
    """The workflow file.

    Args:
        needs: `starts_app` before it is asked; `answers`, the file of recorded answers that every revision writes anew;
            `folder` of the suite, seen from the top of the repository; `requirements`, the file of an app that is a
            function; `secrets`, the environment variables that the suite reads.
    """
    usual = {"starts_app": True, "answers": "", "folder": "", "requirements": "", "secrets": ()}
    return render_scaffold(GATE, {**usual, **needs})


def export_script(kind: EvidenceKind) -> str:
    """The script's text. What it imports is the app's, and never imported here."""
    return render_scaffold(f"evidence/{kind}.py", {"out": EVIDENCE, "script": SCRIPT})


def _rendered(file: str, **values: object) -> str:
    return render_scaffold(file, {"scalar": scalar, "flow": _flow, **values})


def _flow(value: Any) -> str:
    return flow(list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value)


def _trace_fields(case: Case) -> dict[str, Any]:
    assert case.trace is not None  # noqa: S101
    trace = case.trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    answer = trace.get("answer", "")
    if isinstance(answer, dict) and set(answer) <= {"text"}:
        trace["answer"] = answer.get("text", "")
    return trace


def _comment(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def refuse_occupied(files: Iterable[Path], *, needed: Callable[[Path], bool], within: tuple[Path, ...]) -> None:
    """Check that files can be written and nothing is overwritten.

    Args:
        files: What is to be written.
        needed: Whether a file belongs to others: one that is there already would be another's.
        within: The folders that were named; below them no link is followed.

    Raises:
        UsageError: A needed one is there, a folder cannot be made where a file is, or a link leads elsewhere.
    """
    for path in files:
        if needed(path) and is_there(path):
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


def is_there(path: Path) -> bool:
    """Whether something stands at a path, a link to nothing as well."""
    return path.exists() or path.is_symlink()


def write_new(files: Mapping[Path, str]) -> None:
    """Write files that do not exist yet, all or none: half a suite would be in the way of the next try.

    Raises:
        UsageError: A file cannot be written, or came to be there meanwhile; what was written before it is removed.
    """
    made: list[Path] = []
    try:
        for path, text in files.items():
            _write(path, text, made)
    except BaseException:
        for each in reversed(made):
            with contextlib.suppress(OSError):
                each.rmdir() if each.is_dir() else each.unlink()
        raise


def _write(path: Path, text: str, made: list[Path]) -> None:
    """Write one file; what is made for it is added to `made` as it comes to be."""
    try:
        for folder in reversed([each for each in path.parents if not each.exists()]):
            folder.mkdir()
            made.append(folder)
        with path.open("xb") as stream:
            made.append(path)
            stream.write(text.encode())
    except OSError as error:
        raise UsageError(
            f"{path_text(path)} cannot be written: {error.strerror or error}",
            hint="Check that you may write there. Nothing was written.",
        ) from None
