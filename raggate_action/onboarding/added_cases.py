"""Questions of a file or of documents beside a suite that is there: new cases are added, nothing is overwritten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from raggate_action.errors import SuiteError, UsageError
from raggate_action.onboarding.document_files import Documents, read_documents
from raggate_action.onboarding.document_questions import cases_from, document_lines
from raggate_action.onboarding.judge_questions import questions_by, writer_of
from raggate_action.onboarding.known_bad_cases import known_bad_cases
from raggate_action.onboarding.question_files import QuestionFile
from raggate_action.onboarding.setup import Setup
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.onboarding.suite_text import SUITE, cases_file, cases_text, known_bad_text, write_new
from raggate_action.schema.case import Case
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


def add_file(setup: Setup, path: Path, *, answers: bool) -> str:
    """Plan what a file of questions, or of answers with their questions, adds to the suite of a folder.

    A row is of a case of the suite by its id, else by its question; where several cases ask that it is of the first,
    and they are named.

    Returns:
        The command that runs what is added.

    Raises:
        SuiteError: The suite cannot be used as it is.
        UsageError: The file cannot be read.
    """
    loaded = _load_without_app(setup.folder)
    known: dict[str, list[str]] = {}
    for placed in loaded.cases:
        known.setdefault(folded_question(placed.case.asked), []).append(placed.case.case_id)
    file = QuestionFile(path, known=known, answers=answers)
    setup.lines += file.lines
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem) or "more"
    if file.new:
        name, text = cases_file(f"cases-{stem}", file.new)
        setup.files[setup.folder / name] = text
    else:
        setup.lines.append("it asks nothing that the suite does not ask already")
    if not _has_known_bad(loaded):
        answered = ((each.question, each.trace) for each in file.cases if each.trace is not None)
        if bad := _known_bad_of(loaded, answered, setup):
            setup.lines.append(f"{count(len(bad), 'known-bad answer')} made of a good one")
        elif not _has_no_context(loaded):
            setup.lines.append("the suite has no known-bad answer: `raggate-action init --documents FOLDER` makes some")
    if file.traces and (answers or isinstance(loaded.written_target, RecordedTarget)):
        name = f"gate/traces-{stem}.jsonl"
        setup.files[setup.folder / name] = file.trace_lines
        return f"raggate-action run --traces {name}"
    return "raggate-action run"


def add_documents(setup: Setup, folder: Path, *, most: int) -> None:
    """Plan what a folder of documents adds to a suite: so many questions at most that it does not ask yet.

    They are written by the suite's first judge whose key stands in the environment, else by rules.

    Raises:
        SuiteError: The suite cannot be used as it is.
        UsageError: The documents cannot be read.
    """
    loaded = _load_without_app(setup.folder)
    questions = {folded_question(placed.case.asked) for placed in loaded.cases}
    ids = {placed.case.case_id for placed in loaded.cases}
    shows_nothing = _has_no_context(loaded)
    documents = read_documents(folder)
    written: list[StarterCase] = []
    judges = loaded.suite.judges
    if judges is not None and (writer := writer_of(judges, setup.environment)) is not None:
        written, lines = questions_by(writer, judges, documents, setup.environment, most=most, tell=setup.tell)
        setup.lines += lines
    proposed = cases_from(documents, most=most, written=written)
    setup.lines += document_lines(documents, proposed, most=most)
    new: list[StarterCase] = []
    for case in proposed:
        if folded_question(case.question) not in questions:
            ids.add(case_id := free_id(case.case_id, ids))
            new.append((case.without_quotes if shows_nothing else case)._replace(case_id=case_id))
    if len(new) < len(proposed):
        setup.lines.append(f"{len(proposed) - len(new)} of them are in the suite already")
    if new:
        # Documents are read again when there are more of them.
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-.") or "documents"
        setup.files[_free_path(setup.folder, f"cases-{stem}")] = cases_text(new)
    if not shows_nothing and not _has_known_bad(loaded):
        if bad := _known_bad_of(loaded, _answers_of(proposed, documents), setup):
            setup.lines.append(f"{count(len(bad), 'known-bad answer')} made of a sentence of the documents")
        else:
            setup.lines.append("no known-bad answer could be made of the documents: write one that must never ship")


def _free_path(folder: Path, stem: str) -> Path:
    """A file of cases that is not there yet."""
    taken = {path.stem for path in (folder / "gate").glob("*")}
    return folder / f"gate/{free_id(stem, taken)}.yaml"


def _has_known_bad(loaded: LoadedSuite) -> bool:
    return any(placed.case.known_bad for placed in loaded.cases)


def _known_bad_of(loaded: LoadedSuite, answers: Iterable[tuple[str, Trace]], setup: Setup) -> list[Case]:
    """Plan known-bad cases of the first good answer that gives any; no app is asked."""
    ids = {placed.case.case_id for placed in loaded.cases}
    with_evidence = ((asked, trace) for asked, trace in answers if any(chunk.text for chunk in trace.context_chunks))
    for asked, trace in islice(with_evidence, _TRIED):
        shown = [chunk for chunk in trace.context_chunks if chunk.text]
        bare = trace.model_copy(update={"case_id": None})
        # Whether the ids will be the same tomorrow is not known.
        if found := known_bad_cases(loaded, asked, bare, shown, own_ids=False, now=setup.now):
            named = [case.model_copy(update={"case_id": free_id(case.case_id, ids)}) for case in found]
            setup.files[_free_path(setup.folder, "known_bad")] = known_bad_text(named)
            return named
    return []


def _has_no_context(loaded: LoadedSuite) -> bool:
    return loaded.suite.pipeline is not None and loaded.suite.pipeline.has_no_context


def _answers_of(cases: Sequence[StarterCase], documents: Documents) -> Iterator[tuple[str, Trace]]:
    """For each question the sentence that answers it, as an answer that was shown its section."""
    for case in cases:
        for number, section in enumerate(documents.sections):
            if len(case.quotes) == 1 and case.quotes[0] in section.sentences:
                chunk = TracedChunk(chunk_id=f"{section.document}#{number}", text=" ".join(section.sentences))
                yield case.question, Trace(answer=case.quotes[0], context=(chunk,))
                break


def _load_without_app(folder: Path) -> LoadedSuite:
    """The suite, whose app is not asked."""
    return load_suite(folder / SUITE, environment={}, target=RecordedTarget(kind="recorded", traces="traces.jsonl"))


def name_in_suite(setup: Setup) -> str | None:
    """The suite file with the new files of cases named; None where a person has to name them, which is told."""
    text = (setup.folder / SUITE).read_text(encoding="utf-8")
    names = [path.relative_to(setup.folder).as_posix() for path in setup.files if not path.name.startswith("traces-")]
    for name in names:
        if found := _ON_A_LINE.search(text):
            separator = ", " if found["files"].strip() else ""
            text = f"{text[: found.start('end')].rstrip()}{separator}{scalar(name)}{text[found.start('end') :]}"
        elif found := _BELOW.search(text):
            text = f"{text[: found.end()]}{found['indent']}- {scalar(name)}\n{text[found.end() :]}"
        else:
            setup.lines.append(f"name them in {SUITE}: write {' and '.join(names)} under `cases:`")
            return None
    return text


def write_additions(setup: Setup, text: str | None) -> None:
    """Write the new files, and name them in the suite; all is as it was where the suite could not be used then.

    Args:
        setup: With the planned files.
        text: The suite file with these named; None leaves it as it is.

    Raises:
        UsageError: A file cannot be written, or the suite with the new cases is not sound.
    """
    suite = setup.folder / SUITE
    before = suite.read_bytes()
    write_new(setup.files)
    try:
        there = {each.resolve() for each in case_files(suite)}
        if text is not None and there.isdisjoint(path.resolve() for path in setup.files):
            suite.write_text(text, encoding="utf-8")
        _load_without_app(setup.folder)
    except BaseException as error:
        suite.write_bytes(before)
        for path in setup.files:
            path.unlink(missing_ok=True)
        if isinstance(error, SuiteError):
            first = str(error).splitlines()[0]
            raise UsageError(
                f"with these cases {path_text(suite)} cannot be used: {first}",
                hint="Nothing was written. Correct the file that the cases come from.",
            ) from None
        raise
