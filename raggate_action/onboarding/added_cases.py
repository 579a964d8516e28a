"""Questions of a file or of documents beside a suite that is there: new cases are added, nothing is overwritten."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from raggate_action.errors import SuiteError, UsageError
from raggate_action.onboarding.document_files import Documents, read_documents
from raggate_action.onboarding.document_questions import cases_from, document_lines
from raggate_action.onboarding.judge_questions import QuestionsOfJudges, questions_by, writer_of
from raggate_action.onboarding.question_files import PresentCases, QuestionFile, read_questions
from raggate_action.onboarding.starter_cases import AppAnswer, KnownBad, StarterCase, from_questions, known_bad_cases
from raggate_action.onboarding.suite_text import (
    SUITE,
    FileText,
    NewFile,
    cases_text,
    file_plan,
    known_bad_text,
    write_new,
)
from raggate_action.run.clock import moment_now
from raggate_action.schema.target import RecordedTarget
from raggate_action.schema.trace import Trace, TracedChunk
from raggate_action.strings.numbers import count
from raggate_action.strings.questions import folded_question, free_id
from raggate_action.suite_files import LoadedSuite, case_files, load_suite
from raggate_action.suite_files.problems import path_text
from raggate_action.suite_files.yaml_file import scalar

# The files of a suite in its own words: `cases: [a.yaml, b.yaml]`, or one below the other.
_ON_A_LINE = re.compile(r"^cases:[ \t]*\[(?P<files>[^\]\n]*)(?P<end>\])", re.MULTILINE)
_BELOW = re.compile(r"^cases:[ \t]*\n(?P<files>(?P<indent>[ \t]*)-[^\n]*\n(?:(?P=indent)-[^\n]*\n)*)", re.MULTILINE)


# So many answers are tried: each is judged a few dozen times, with a fault each time.
_TRIED = 5


class Additions(NamedTuple):
    """What a file adds to a suite, not yet written.

    Attributes:
        file: What was read; its temporary files have to be closed. None for documents.
        files: The new files.
        suite: The text of the suite file with the new cases named; None where it is not changed.
        lines: What is told, a line each.
        next: The command that runs what was added.
    """

    file: QuestionFile | None
    files: tuple[NewFile, ...]
    suite: str | None
    lines: tuple[str, ...]
    next: str


def additions(folder: Path, path: Path, *, answers: bool) -> Additions:
    """What a file of questions, or of answers with their questions, adds to the suite of a folder.

    A row is of a case of the suite by its id, else by its question; where several cases ask that it is of the first,
    and they are named.

    Raises:
        SuiteError: The suite cannot be used as it is.
        UsageError: The file cannot be read.
    """
    loaded = _load_without_app(folder)
    ids: dict[str, list[str]] = {}
    for placed in loaded.cases:
        ids.setdefault(folded_question(placed.case.asked), []).append(placed.case.case_id)
    known = frozenset(case_id for found in ids.values() for case_id in found)
    doubtful: dict[str, list[str]] = {}

    def id_of(question: str) -> str | None:
        found = ids.get(folded_question(question), [])
        if len(found) > 1:
            doubtful[question] = found
        return found[0] if found else None

    file = read_questions(path, known=PresentCases(known, id_of), answers=answers)
    lines = [*file.table, *[_doubt(question, found) for question, found in doubtful.items()]]
    wanted: dict[Path, FileText] = {}
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem) or "more"
    named: list[str] = []
    if file.size:
        name = f"gate/cases-{stem}.{'jsonl' if file.cases is not None else 'yaml'}"
        new = [each for each in file.questions if each.case_id not in known]
        wanted[folder / name] = file.cases if file.cases is not None else cases_text(from_questions(new))
        named.append(name)
    else:
        lines.append("it asks nothing that the suite does not ask already")
    if not _has_known_bad(loaded):
        good = [_good_answer(each.question, each.trace) for each in file.questions if each.trace is not None]
        if bad := _known_bad_of(loaded, good):
            wanted[folder / (name := _free_name(folder, "known_bad"))] = known_bad_text(bad)
            named.append(name)
            lines.append(f"{count(len(bad), 'known-bad answer')} made of a good one")
        elif not _has_no_context(loaded):
            lines.append("the suite has no known-bad answer: `raggate-action init --documents FOLDER` makes some")
    text = _suite_with_case_files(folder, named, lines)
    run = "raggate-action run"
    if file.answered and (answers or isinstance(loaded.written_target, RecordedTarget)):
        wanted[folder / f"gate/traces-{stem}.jsonl"] = file.trace_lines
        run += f" --traces gate/traces-{stem}.jsonl"
    planned = file_plan(wanted, needed=frozenset(wanted), within=(folder,))
    return Additions(file, planned, text, tuple(lines), run)


def additions_of_documents(
    folder: Path,
    documents: Path,
    *,
    most: int,
    environment: Mapping[str, str] = MappingProxyType({}),
    tell: Callable[[str], object] = lambda _line: None,
) -> Additions:
    """What a folder of documents adds to the suite of a folder: so many questions at most that it does not ask yet.

    They are written by the suite's first judge whose key stands in the environment, else by rules.

    Raises:
        SuiteError: The suite cannot be used as it is.
        UsageError: The documents cannot be read.
    """
    loaded = _load_without_app(folder)
    questions = {folded_question(placed.case.asked) for placed in loaded.cases}
    ids = {placed.case.case_id for placed in loaded.cases}
    shows_nothing = _has_no_context(loaded)
    read = read_documents(documents)
    written = QuestionsOfJudges()
    if loaded.suite.judges is not None and (writer := writer_of(loaded.suite.judges, environment)) is not None:
        written = questions_by(writer, loaded.suite.judges, read, environment, most=most, tell=tell)
    proposed = cases_from(read, most=most, written=written.cases)
    lines = [*written.lines, *document_lines(read, proposed, most=most)]
    new: list[StarterCase] = []
    for case in proposed:
        if folded_question(case.question) not in questions:
            ids.add(case_id := free_id(case.case_id, ids))
            added = case.without_quotes if shows_nothing else case
            new.append(added._replace(case_id=case_id))
    if len(new) < len(proposed):
        lines.append(f"{len(proposed) - len(new)} of them are in the suite already")
    wanted: dict[str, FileText] = {}
    if new:
        # Documents are read again when there are more of them.
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", documents.resolve().name).strip("-.") or "documents"
        wanted[_free_name(folder, f"cases-{stem}")] = cases_text(new)
    if not shows_nothing and not _has_known_bad(loaded):
        if bad := _known_bad_of(loaded, _answers_of(proposed, read)):
            wanted[_free_name(folder, "known_bad")] = known_bad_text(bad)
            lines.append(f"{count(len(bad), 'known-bad answer')} made of a sentence of the documents")
        else:
            lines.append("no known-bad answer could be made of the documents: write one that must never ship")
    text = _suite_with_case_files(folder, list(wanted), lines)
    files = {folder / name: content for name, content in wanted.items()}
    planned = file_plan(files, needed=frozenset(files), within=(folder,))
    return Additions(None, planned, text, tuple(lines), "raggate-action run")


def _free_name(folder: Path, stem: str) -> str:
    """The name of a file of cases that is not there yet."""
    taken = {path.stem for path in (folder / "gate").glob("*")}
    return f"gate/{free_id(stem, taken)}.yaml"


def _suite_with_case_files(folder: Path, names: Sequence[str], lines: list[str]) -> str | None:
    """The suite file with these files of cases named; None where a person has to name them, which is told."""
    if not names:
        return None
    text = (folder / SUITE).read_text(encoding="utf-8")
    for name in names:
        more = _with_cases(text, name)
        if more is None:
            lines.append(f"name them in {SUITE}: write {' and '.join(names)} under `cases:`")
            return None
        text = more
    return text


def _has_known_bad(loaded: LoadedSuite) -> bool:
    return any(placed.case.known_bad for placed in loaded.cases)


def _known_bad_of(loaded: LoadedSuite, answers: Iterable[AppAnswer]) -> tuple[KnownBad, ...]:
    """Known-bad cases of the first good answer that gives any; no app is asked."""
    ids = {placed.case.case_id for placed in loaded.cases}
    for answer in islice((each for each in answers if each.evidence), _TRIED):
        if found := known_bad_cases(loaded, answer, now=moment_now()):
            return tuple([each._replace(case_id=free_id(each.case_id, ids)) for each in found])
    return ()


def _has_no_context(loaded: LoadedSuite) -> bool:
    return loaded.suite.pipeline is not None and loaded.suite.pipeline.has_no_context


def _good_answer(question: str, trace: Trace) -> AppAnswer:
    """An answer with the texts it was shown; whether their ids will be the same tomorrow is not known."""
    shown = tuple([chunk for chunk in trace.context_chunks if chunk.text])
    return AppAnswer(question, trace.model_copy(update={"case_id": None}), shown, own_ids=False)


def _answers_of(cases: Sequence[StarterCase], documents: Documents) -> Iterator[AppAnswer]:
    """For each question the sentence that answers it, as an answer that was shown its section."""
    for case in cases:
        for number, section in enumerate(documents.sections):
            if len(case.quotes) == 1 and case.quotes[0] in section.sentences:
                chunk = TracedChunk(chunk_id=f"{section.document}#{number}", text=" ".join(section.sentences))
                yield _good_answer(case.question, Trace(answer=case.quotes[0], context=(chunk,)))
                break


def _load_without_app(folder: Path) -> LoadedSuite:
    """The suite, whose app is not asked."""
    return load_suite(folder / SUITE, environment={}, target=RecordedTarget(kind="recorded", traces="traces.jsonl"))


def _doubt(question: str, found: list[str]) -> str:
    return f"“{question}” is asked by {count(len(found), 'case')}, {', '.join(found[:3])}; it was taken for {found[0]}"


def _with_cases(text: str, name: str) -> str | None:
    """The suite file with one more file of cases; None where its `cases` are written in another way."""
    if found := _ON_A_LINE.search(text):
        separator = ", " if found["files"].strip() else ""
        return f"{text[: found.start('end')].rstrip()}{separator}{scalar(name)}{text[found.start('end') :]}"
    if found := _BELOW.search(text):
        return f"{text[: found.end()]}{found['indent']}- {scalar(name)}\n{text[found.end() :]}"
    return None


def write_additions(folder: Path, added: Additions) -> None:
    """Write the new files and name them in the suite; all is as it was where the suite could not be used then.

    Raises:
        UsageError: A file cannot be written, or the suite with the new cases is not sound.
    """
    suite = folder / SUITE
    before = suite.read_bytes()
    write_new(added.files)
    try:
        if added.suite is not None and not {new.path.resolve() for new in added.files} & {
            each.resolve() for each in case_files(suite)
        }:
            suite.write_text(added.suite, encoding="utf-8")
        _load_without_app(folder)
    except BaseException as error:
        suite.write_bytes(before)
        for new in added.files:
            new.path.unlink(missing_ok=True)
        if isinstance(error, SuiteError):
            first = str(error).splitlines()[0]
            raise UsageError(
                f"with these cases {path_text(suite)} cannot be used: {first}",
                hint="Nothing was written. Correct the file that the cases come from.",
            ) from None
        raise
