"""The files of a first suite: their text, with a comment where a reader would ask why, and how they are written."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, TypeAlias, get_args

from raggate_action.errors import UsageError
from raggate_action.onboarding.starter_cases import KnownBad, StarterCase
from raggate_action.report.render import render_scaffold
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, RecordedTarget, TargetSection
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

_CASES_HEAD = f"""\
# One case per question, with what a good answer must and must not do. Every key:
# {CASE_KEYS}"""
_KNOWN_BAD_HEAD = """\
# Answers that must never ship, each with one fault. Every run shows that its stage still blocks it. Add the bad answers
# that your users have met."""


class SuiteNotes(NamedTuple):
    """What a suite file holds besides its target.

    Attributes:
        name: The suite's.
        paths: Trace field -> path in the reply; empty where a run needs none.
        has_context: The app shows what its answers rest on.
        evidence: How the evidence is to be exported; None for no script.
        has_known_bad: There are known-bad cases.
        cases: The file of cases.
        has_judges: Judges are asked about what rules leave open.
        cites: The app's answers cite.
        language: Of the app's answers; empty where they tell none.
    """

    name: str
    paths: Mapping[str, str]
    has_context: bool
    evidence: EvidenceKind | None
    has_known_bad: bool = False
    cases: str = CASES
    has_judges: bool = False
    cites: bool = False
    language: str = ""


def suite_name(folder: Path) -> str:
    """A name for the suite of a folder: the folder's, unless it has letters that a suite's name may not have."""
    own = folder.resolve().name
    if not own.isascii():
        return _ANY_SUITE
    return re.sub(r"[^A-Za-z0-9._-]+", "-", own).strip("-._")[:64] or _ANY_SUITE


def suite_text(target: TargetSection, notes: SuiteNotes) -> str:
    """The suite file."""
    return "\n".join([*_head(notes), *_target(target, notes), *_pipeline(notes), *_judges(notes), *_tail(notes)]) + "\n"


def _head(notes: SuiteNotes) -> Iterator[str]:
    yield f"suite: {scalar(notes.name)}"
    files = [notes.cases, *([KNOWN_BAD] if notes.has_known_bad else [])]
    yield f"cases: [{', '.join(files)}]"
    if notes.language:
        yield f"language: {notes.language}    # of the answers; without it each answer is read in its own"
    yield ""


def _target(target: TargetSection, notes: SuiteNotes) -> Iterator[str]:
    yield "target:"
    yield f"  kind: {target.kind}"
    match target:
        case HttpTarget():
            yield f"  url: {scalar(target.url)}"
            if target.headers:
                yield f"  headers: {flow(dict(target.headers))}    # the key stays in your environment"
            method = f"method: {target.request.method}, " if target.request.method != "POST" else ""
            yield f"  request: {{{method}body: {flow(target.request.body)}}}"
            yield "  # ready: {url: ..., timeout_s: 60} waits until that page answers; else the app has 30 s to start."
        case FunctionTarget():
            yield f"  function: {scalar(target.function)}    # called with the case, or with the question as text"
            if target.python:
                yield f"  python: {scalar(target.python)}"
            if target.env:
                yield f"  env: {flow(dict(target.env))}    # nothing else of your environment reaches the app"
        case CommandTarget():
            yield f"  command: {flow([*target.command])}    # in this folder, without a shell"
            if target.per_case:
                yield "  per_case: true    # started anew for each case, which is a line of JSON on its standard input"
            if target.env:
                yield f"  env: {flow(dict(target.env))}    # nothing else of your environment reaches the app"
        case RecordedTarget():
            yield f"  traces: {scalar(target.traces)}"
    if notes.paths and not isinstance(target, RecordedTarget):
        yield f"  response: {flow(dict(notes.paths))}    # where a reply has them (JMESPath); nothing else is read"
    yield ""


def _pipeline(notes: SuiteNotes) -> Iterator[str]:
    if notes.has_context:
        if notes.cites:
            yield "pipeline: {citations: true}    # its citations are judged, and an answer without any fails"
            yield ""
        return
    yield "# The app does not show what its answers rest on, so no claim can be checked against it: a red run can only"
    yield '# come from what your cases say. Let it return {"answer": "...", "contexts": ["..."]} and take this out.'
    yield "pipeline: {context: none}"
    yield ""


def _judges(notes: SuiteNotes) -> Iterator[str]:
    if not notes.has_judges:
        return
    yield "# Judges look at what rules leave open. Until labels show that one can be believed it advises: label with"
    yield "# `raggate-action judges label`. Name your model and its price; without the key nobody is asked."
    yield "judges:"
    yield "  panel:"
    yield "    - name: judge"
    yield "      lab: OpenAI    # who trained the model: take another lab than your app's"
    yield "      model: gpt-5-mini"
    yield f"      api_key_env: {JUDGE_KEY}"
    yield "      price: {input: 0.25, output: 2.00}    # dollars per million tokens"
    yield ""


def _tail(notes: SuiteNotes) -> Iterator[str]:
    if notes.evidence is not None:
        yield f"# Once `python {SCRIPT}` has run, this checks ids and texts against your index, who may"
        yield "# read what, and until when:"
        yield f"# evidence: [{EVIDENCE}]"
        yield ""
    yield "# A green run says that rules found nothing wrong. Right is what your cases say: `required_source_ids`,"
    yield "# `must_contain`, `required_points`, `expect: abstain`. Write them for the questions that matter most first."


def cases_text(cases: Iterable[StarterCase]) -> str:
    """The file of cases."""
    blocks = [_CASES_HEAD]
    for case in cases:
        lines = [f"- case_id: {scalar(case.case_id)}"]
        if case.remark:
            lines[0] += f"    # {_comment(case.remark)}"
        lines.append(f"  question: {scalar(case.question)}")
        mark = "    # proposed" if case.proposed else ""
        if case.reference:
            lines.append(f"  reference_answer: {scalar(case.reference)}{mark}")
        if case.quotes:
            lines += ["  required_quotes:    # proposed", *[f"    - {scalar(quote)}" for quote in case.quotes]]
        lines += [f"  {name}: {flow(value)}" for name, value in case.labels.items()]
        if case.sources:
            lines.append(f"  required_source_ids: [{', '.join(map(scalar, case.sources))}]    # has to be found")
        if case.declines:
            lines.append(f"  expect: abstain{mark}")
        if case.may_decline:
            lines.append("  # expect: abstain    # it declined, and nothing shown speaks of this: is that right?")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def known_bad_text(cases: Iterable[KnownBad]) -> str:
    """The file of known-bad cases."""
    blocks = [_KNOWN_BAD_HEAD]
    for case in cases:
        trace = case.trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        answer = trace.get("answer", "")
        if isinstance(answer, dict) and set(answer) <= {"text"}:
            trace["answer"] = answer.get("text", "")
        lines = [
            f"- case_id: {scalar(case.case_id)}",
            f"  question: {scalar(case.question)}",
            "  released: false",
            f"  blocked_at: {case.blocked_at}",
        ]
        if case.required_source_ids:
            lines.append(f"  required_source_ids: [{', '.join(map(scalar, case.required_source_ids))}]")
        lines += ["  trace:", *[f"    {name}:{_field(value)}" for name, value in trace.items()]]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _field(value: Any) -> str:
    """A field of a trace: chunks one below the other, anything else on a line."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "\n" + "\n".join(f"      - {flow(item)}" for item in value)
    return f" {flow(value)}"


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
