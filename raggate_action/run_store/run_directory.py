"""A directory while a run, or a comparison of two arms, is written into it: begun, gone on with, finished.

Of both holds: one process writes; a link, a stranger's directory and what a newer raggate wrote are refused; and the
file it is known by says `complete: false` until everything else is in its place, so that what was killed is never taken
for a whole one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import chain, zip_longest
from pathlib import Path
from types import TracebackType
from typing import Self

from raggate_action.errors import RunStoreError
from raggate_action.run_store.case_lines import row_line, stored_trace_line
from raggate_action.run_store.judgements import usable_judgement, write_judgements
from raggate_action.run_store.run_file import (
    A_COMPARISON,
    A_RUN,
    Kind,
    described_file,
    indented,
    read_header,
    refuse_newer,
    run_pieces,
)
from raggate_action.run_store.run_files import (
    AB,
    AB_FILES,
    BY_BASELINE,
    HISTORY,
    JUDGEMENTS,
    KNOWN_FILES,
    ROWS,
    RUN,
    SUITE,
    TIED_FILES,
    TRACES,
    make_directory,
    only_writer,
    partial_name,
    remove,
    replace_whole,
    settle,
    store_errors,
)
from raggate_action.run_store.run_reading import parsed_lines, read_started
from raggate_action.run_store.stored_files import DirectoryFiles, files_of, read_lines
from raggate_action.run_store.work_file import WorkFile, remove_work_file
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.history import HistoryLine
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.later import AbRun, Judgement, MainAnswer, StartedAb
from raggate_action.schema.policy import Texts
from raggate_action.schema.run import Run, StartedRun, SuiteCase
from raggate_action.schema.trace import Grounds, Trace


class _OwnDirectory:
    """A directory that this process alone writes into; a context manager, which lets go however the block ends.

    Attributes:
        path: The directory.
    """

    def __init__(self, path: Path, opened: ExitStack) -> None:
        """Take over what is open: the lock, and the work file."""
        self.path = path
        self._opened = opened

    def close(self) -> None:
        """Write what waits and let go of the files; what stands there stays as it is, incomplete or finished."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _complete(self, texts: Mapping[str, Iterable[bytes]], known_by: str, pieces: Iterable[bytes]) -> None:
        """Put everything into its place, the file it is known by last."""
        for name, content in texts.items():
            replace_whole(self.path, name, content)
        # Whatever that file vouches for is on disk before it says so.
        settle(self.path)
        replace_whole(self.path, known_by, pieces)
        settle(self.path)


class RunDirectory(_OwnDirectory):
    """A directory that one run is being written into.

    Attributes:
        path: The directory.
        work: All that the run knows until its end; what has been appended is written however the block ends.
        started: What the run began with; of a resumed run what it began with the first time.
    """

    def __init__(self, path: Path, started: StartedRun, work: WorkFile, opened: ExitStack, *, texts: Texts) -> None:
        """Take over what is open; `create` and `resume` are the ways in."""
        super().__init__(path, opened)
        self.work = work
        self.started = started
        self._texts = texts

    @classmethod
    def create(
        cls,
        path: Path,
        started: StartedRun,
        suite_cases: Iterable[SuiteCase] = (),
        *,
        texts: Texts = "quotes",
        suite: bytes = b"",
    ) -> RunDirectory:
        """Begin a run in `path`; the directory is made, or the run that it holds is replaced.

        Of an earlier run the files that raggate writes are removed, and nothing else is touched.

        Args:
            path: Where the run is stored.
            started: What it begins with; its own `suite_cases` are not looked at.
            suite_cases: Every case of the suite in order, taken one at a time.
            texts: Which texts it may hold.
            suite: Its suite as data; not written where it is empty.

        Raises:
            RunStoreError: `path` holds something that is no run, or a run of a newer raggate, or is a link, or cannot
                be made, or another process is writing there.
        """
        with ExitStack() as opened:
            _take(path, A_RUN, opened)
            # Before `run.json` is this run's, nothing may be left that a resume would take for its own.
            remove_work_file(path)
            _remove_others(path, KNOWN_FILES, RUN)
            replace_whole(path, RUN, run_pieces(started, suite_cases))
            if suite:
                replace_whole(path, SUITE, [suite])
            work = opened.enter_context(closing(WorkFile.at(path)))
            return cls(path, started, work, opened.pop_all(), texts=texts)

    def keep_paths(self, taken: dict[str, str], suite_cases: Iterable[SuiteCase]) -> None:
        """Store by which paths the replies of its app are read, so that the run is resumed with them.

        Raises:
            RunStoreError: The directory cannot be written.
        """
        self.started = self.started.model_copy(update={"taken": taken})
        replace_whole(self.path, RUN, run_pieces(self.started, suite_cases))

    @classmethod
    def resume(
        cls, path: Path, started: StartedRun, suite_cases: Iterable[SuiteCase] = (), *, texts: Texts = "quotes"
    ) -> RunDirectory:
        """Go on with the run in `path` where it stopped; its first `started_at` and `as_of` hold.

        Args:
            path: Where the run is stored.
            started: What this run would begin with; it has to agree with what the stored one began with.
            suite_cases: As for `create`; they have to be the same, with the same ones in scope.
            texts: Which texts it may hold.

        Raises:
            RunStoreError: There is no incomplete run, it was begun on other input, its work file is damaged, or another
                process is writing there.
        """
        _refuse_link(path)
        if not path.is_dir():
            raise _nothing_to_resume(path)
        with ExitStack() as opened:
            opened.enter_context(only_writer(path))
            first = read_started(path)
            if first is None:
                raise _nothing_to_resume(path)
            if differing := _differences(first, started, suite_cases):
                raise RunStoreError(
                    f"{path} cannot be resumed, for it was begun with another {', another '.join(differing)}",
                    hint="One run has one input: undo the change, or run again without --resume.",
                )
            unlisted = first.model_copy(update={"suite_cases": ()})
            work = opened.enter_context(closing(WorkFile.at(path)))
            return cls(path, unlisted, work, opened.pop_all(), texts=texts)

    def rows(self) -> Iterator[CaseRun]:
        """Every row until now, in suite order.

        Raises:
            RunStoreError: A row is off schema.
        """
        return parsed_lines(CaseRun, self.work.lines(ROWS))

    def rows_by_baseline(self) -> Iterator[CaseRun]:
        """Every row as it comes out by the baseline's suite; behind them those of cases that only that has."""
        return parsed_lines(CaseRun, self.work.lines_by_baseline())

    def add_by_baseline(self, row: CaseRun) -> None:
        """Keep how a case comes out by the baseline's suite, before the case itself.

        Raises:
            RunStoreError: It cannot be written.
        """
        self.work.add_by_baseline(row.position, json_line(row))

    def append(
        self,
        row: CaseRun,
        trace: Trace | None,
        *,
        withheld: bool = False,
        others: Sequence[Trace] = (),
        grounds: Sequence[Grounds | None] = (),
        earlier: Sequence[MainAnswer] = (),
    ) -> None:
        """Keep a finished case; it outlives a kill from the next commit on.

        Args:
            row: The case as run.
            trace: What the target left, without anything that no file may hold; None when it left nothing.
            withheld: Nothing of the answer's words may be kept, in row or trace.
            others: The traces of the case's other answers, as `trace`.
            grounds: What the values of its answers stand on.
            earlier: What earlier runs of the branch answered to the same.

        Raises:
            RunStoreError: It cannot be written.
        """
        line = None
        if trace is None and row.error is not None:
            # The error is all there is to replay.
            trace = Trace(error=row.error)
        if trace is not None:
            line = stored_trace_line(
                row, trace, texts=self._texts, withheld=withheld, others=others, grounds=grounds, earlier=earlier
            )
        self.work.add_case(row.position, row_line(row, withheld=withheld), line)

    def keep_history(self, lines: Sequence[HistoryLine]) -> None:
        """Write the runs before this one; without any there is no file.

        Raises:
            RunStoreError: It cannot be written.
        """
        if lines:
            replace_whole(self.path, HISTORY, [f"{line.model_dump_json()}\n".encode() for line in lines])

    def finish(
        self,
        run: Run,
        suite_cases: Iterable[SuiteCase],
        texts: Mapping[str, str],
        files: Mapping[str, Iterable[bytes]] = {},
    ) -> None:
        """Complete the run: rows and traces in suite order, then the texts, and `run.json` last.

        Args:
            run: The run; its own `suite_cases` are not looked at.
            suite_cases: Every case of the suite in order, taken one at a time.
            texts: File name -> content, of the names a run directory knows.
            files: The same in pieces; one without any is not made.

        Raises:
            RunStoreError: Something cannot be written; the run then stays incomplete and can be resumed.
            ValueError: `texts` has a name that is none of a run directory's texts.
        """
        if strange := set(texts) - (set(KNOWN_FILES) - {RUN, SUITE, ROWS, TRACES, JUDGEMENTS, BY_BASELINE}):
            raise ValueError(f"no texts of a run directory: {sorted(strange)}")
        self.work.commit()
        for name in (TRACES, ROWS, *((BY_BASELINE,) if any(self.work.lines(BY_BASELINE)) else ())):
            replace_whole(self.path, name, (line for _where, line in self.work.lines(name)))
        write_judgements(self.path, self.work, run.judge_names, texts=self._texts)
        content: dict[str, Iterable[bytes]] = {name: [text.encode(errors="replace")] for name, text in texts.items()}
        for name, pieces in files.items():
            left = iter(pieces)
            if (first := next(left, None)) is not None:
                content[name] = chain((first,), left)
        self._complete(content, RUN, self._run_pieces(run, suite_cases))
        self.work.remove(self.path)
        self.close()

    def _run_pieces(self, run: Run, suite_cases: Iterable[SuiteCase]) -> Iterator[bytes]:
        """The bytes of `run.json`, with the files as they lie there once the first piece is asked for."""
        stored, files = {}, DirectoryFiles(self.path)
        for name in TIED_FILES:
            if (stream := files.open(name)) is not None:
                with store_errors(self.path / name), stream:
                    stored[name] = described_file(stream)
        yield from run_pieces(run.model_copy(update={"files": stored, "complete": True}), suite_cases)


class AbDirectory(_OwnDirectory):
    """A directory that one comparison of two arms is being written into.

    Until `begin` nothing in it is touched: an app that is down costs nobody what was there. A comparison that is made
    again goes on with what judges have said.
    """

    work: WorkFile | None = None
    _texts: Texts = "quotes"

    @classmethod
    def open(cls, path: Path) -> AbDirectory:
        """Be the only writer of a directory, which is made where it is not there.

        Raises:
            RunStoreError: It holds something that is no comparison, or one of a newer raggate; or is a link, or cannot
                be made, or another process is writing there.
        """
        with ExitStack() as opened:
            _take(path, A_COMPARISON, opened)
            return cls(path, opened.pop_all())

    def begin(self, started: StartedAb, *, texts: Texts) -> WorkFile:
        """Begin a comparison: the one before is gone but for what its judges said; gives where theirs is kept now.

        Args:
            started: What it begins with.
            texts: Which texts it may hold.

        Raises:
            RunStoreError: It cannot be written.
        """
        replace_whole(self.path, AB, [indented(started), b"\n"])
        self.work, self._texts = self._opened.enter_context(closing(WorkFile.at(self.path))), texts
        judgements = self.path / JUDGEMENTS
        is_there = judgements.is_file() and not judgements.is_symlink()
        self.work.set_aside(_whole_lines(self.path, JUDGEMENTS) if is_there else ())
        _remove_others(self.path, AB_FILES, AB)
        return self.work

    def earlier_verdicts(self) -> Iterator[Judgement | None]:
        """What judges said in the comparisons before this one; None for each line that cannot be read."""
        for line in self.work.judged_before() if self.work is not None else ():
            yield usable_judgement(line)

    def finish(
        self, run: AbRun, files: Mapping[str, Iterable[bytes]], *, judges: Sequence[str], cases: Sequence[str]
    ) -> None:
        """Complete it: judgements in order, the files, and `ab.json` last.

        Args:
            run: The comparison.
            files: File name -> content, of the names it knows.
            judges: The panel, in order.
            cases: Case ids, in order.

        Raises:
            RunStoreError: Something cannot be written; the comparison stays incomplete.
            ValueError: `files` has another name.
        """
        if strange := set(files) - (set(AB_FILES) - {AB, JUDGEMENTS}):
            raise ValueError(f"no files of a comparison: {sorted(strange)}")
        if self.work is not None:
            write_judgements(self.path, self.work, judges, texts=self._texts, cases=cases)
        self._complete(files, AB, [indented(run), b"\n"])
        if self.work is not None:
            self.work.remove(self.path)


def _take(path: Path, kind: Kind, opened: ExitStack) -> None:
    """Be the only writer of a directory, made where there is none, that holds nothing or what is of this kind."""
    _refuse_link(path)
    make_directory(path)
    opened.enter_context(only_writer(path))
    _refuse_foreign(path, kind)


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise RunStoreError(
            f"{path} is a symbolic link, which is not followed for writing",
            hint="Give the directory itself with --out.",
        )


def _refuse_foreign(path: Path, kind: Kind) -> None:
    """See that `path` holds what is of this kind, or nothing but what a kill at the very start of one leaves."""
    with store_errors(path):
        names = {entry.name for entry in path.iterdir()}
    if names <= {partial_name(kind.file)}:
        return
    header = None if (path / kind.file).is_symlink() else read_header(path, kind)
    if header is None:
        raise RunStoreError(
            f"{path} is not empty and holds no {kind.name}",
            hint="Choose an empty directory with --out, or remove what is in this one.",
        )
    refuse_newer(path, header, kind)


def _remove_others(path: Path, names: Iterable[str], known_by: str) -> None:
    """Remove what was written before, but for the file it is known by: without it, nobody could tell whose it is."""
    for name in names:
        remove(path / partial_name(name))
        if name != known_by:
            remove(path / name)


def _nothing_to_resume(path: Path) -> RunStoreError:
    header = read_header(path)
    if header is not None and header.complete:
        return RunStoreError(
            f"the run in {path} is complete: nothing is left to resume",
            hint="Run without --resume; that replaces it.",
        )
    return RunStoreError(f"{path} holds no run to resume", hint="Run without --resume, or correct --out.")


def _differences(first: StartedRun, now: StartedRun, suite_cases: Iterable[SuiteCase]) -> list[str]:
    """What the two runs do not have in common, as people call it."""
    before, after = first.provenance, now.provenance
    pairs = (
        ("suite file", before.suite_digest, after.suite_digest),
        ("set of cases", before.cases_digest, after.cases_digest),
        ("evidence", before.evidence_digest, after.evidence_digest),
        ("target", before.target_digest, after.target_digest),
        ("scope", first.scope, now.scope),
        ("choice of --case", first.case_filter, now.case_filter),
        ("choice of texts", first.policy.texts, now.policy.texts),
    )
    differing = [name for name, old, new in pairs if old != new]
    if first.by_suite and now.by_suite and first.by_suite != now.by_suite:
        differing.append("baseline")
    # A scope may choose cases by the baseline: with another baseline it would choose others.
    if not differing and any(old != new for old, new in zip_longest(first.suite_cases, suite_cases)):
        differing.append("choice of cases")
    return differing


def _whole_lines(path: Path, name: str) -> Iterator[bytes]:
    """The lines of a file; a last one without its end is left out."""
    for _where, line in read_lines(files_of(path), name):
        if line.endswith(b"\n"):
            yield line
