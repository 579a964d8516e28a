"""Stored runs that are read: to be shown, as baselines, and the traces of a run that is judged again."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.run_history import carried, folded, trend_of
from raggate_action.core.comparison.same_judges import JudgedBy
from raggate_action.core.counting.judge_only_findings import advised_claims
from raggate_action.core.counting.waivers import Waivers, without_waived
from raggate_action.errors import OldRunError, RunStoreError, SuiteError, UsageError
from raggate_action.report.report_input import Reporting
from raggate_action.run.baseline.baseline_redaction import permitted_comparison
from raggate_action.run.baseline.by_baseline_suite import ByBaselineSuite, difference_from
from raggate_action.run.baseline.compared_baseline import ComparedBaseline
from raggate_action.run.count_and_decide import index_stored, recount
from raggate_action.run.run_session import restricted_text
from raggate_action.run_store import (
    RunSource,
    StoredTrace,
    read_by_baseline,
    read_comparison,
    read_history,
    read_main_answers,
    read_publication,
    read_rows,
    read_run,
    read_stored,
    read_suite,
    read_traces,
    rows_named,
    rows_of,
    tied_judgements,
)
from raggate_action.run_store.run_files import RUN, TIED_FILES
from raggate_action.run_store.stored_files import DirectoryFiles, files_of
from raggate_action.schema.base import day_of
from raggate_action.schema.history import HistoryLine
from raggate_action.schema.later import BaselineNote, MainAnswers, Origin
from raggate_action.schema.listed_cases import AdvisedCase, Listed
from raggate_action.schema.run import Run, StartedRun
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files import LoadedSuite, load_suite


def stored_reporting(source: RunSource, *, baseline: RunSource | None = None) -> Reporting:
    """A stored run as it was decided; one that did not end, or is to be compared anew, is counted and decided.

    Args:
        source: Where it is stored.
        baseline: The run to compare with; None keeps the comparison that is stored with the run.

    Raises:
        RunStoreError: There is no run, or its files are not what raggate wrote.
        UsageError: The baseline cannot be one of this run.
    """
    stored = read_stored(source)
    against = None if baseline is None else stored_baseline(baseline, suite=stored.suite)
    if isinstance(stored, Run) and against is None:
        reporting = Reporting(stored, _listed_rows(stored, source), read_comparison(source))
    else:
        reporting = recount_stored(stored, source, against)
    history = against.history if against is not None else () if reporting.run.of_fork else read_history(source)
    published = read_publication(source)
    reporting = reporting._replace(
        trend=trend_of(history, reporting.run), page=published.report_url if published is not None else ""
    )
    return reporting if baseline is None else _permitted(reporting, stored, source)


def _baseline_suite_beside(
    stored: Run | StartedRun, source: RunSource, baseline: BaselineIndex
) -> ByBaselineSuite | None:
    """The suite of a baseline beside a stored run's own, with the rows by it where the run was evaluated by it."""
    own = partial(read_suite, source)
    difference = difference_from(baseline, stored.suite_digest, own, decided_on=day_of(stored.started_at))
    if difference is None:
        return None
    if not isinstance(stored, Run) or stored.by_suite != baseline.run.suite_digest:
        return ByBaselineSuite(difference, None)
    return ByBaselineSuite(difference, lambda: read_by_baseline(source, stored, rows_of(source, stored)))


def _listed_rows(run: Run, source: RunSource) -> Listed:
    """The rows that a finished run names, after its waivers."""
    rows = rows_named(source, {case_id for ids in run.listed.values() for case_id in ids})
    waivers = Waivers(run.policy, decided_on=run.decided_on)

    listed: dict[str, Any] = {name: tuple([rows[case_id] for case_id in ids]) for name, ids in run.listed.items()}
    for name in ("failing", "unmeasured", "hallucinating", "with_issues"):
        listed[name] = tuple([without_waived(row, waivers.standing(row)) for row in listed.get(name, ())])
    listed["advised"] = tuple([AdvisedCase(row, advised_claims(row)) for row in listed.get("advised", ())])
    return Listed(**listed, waived=run.waived, expired=run.expired)


def history_before(out: Path, suite: str) -> tuple[HistoryLine, ...]:
    """The history of a run that is compared with nothing and replaces what lies in `out`: that run's, and that run.

    Of a folder without a run of this suite, or with one that cannot be read, nothing.
    """
    with suppress(RunStoreError):
        stored = read_stored(out)
        if stored.suite == suite and not stored.case_filter:
            before = read_history(out)
            return carried(before, stored) if isinstance(stored, Run) and not stored.cancelled else folded(before)
    return ()


def recount_stored(
    stored: Run | StartedRun,
    source: RunSource,
    baseline: BaselineIndex | None,
    *,
    found: tuple[Origin, BaselineNote | None] | None = None,
) -> Reporting:
    """Count and decide a stored run from its rows, as it is compared with a baseline.

    Args:
        stored: The run.
        source: Where it is stored.
        baseline: The baseline; None compares with nothing.
        found: See `recount`.

    Raises:
        RunStoreError: Its rows are not its cases, or are off schema.
    """
    rows = partial(rows_of, source, stored)
    if baseline is None:
        return recount(stored, rows, found=found)
    is_strangers = found is not None or (isinstance(stored, Run) and stored.of_fork)
    panel = stored.panel if isinstance(stored, Run) and found is None else None
    by_suite = _baseline_suite_beside(stored, source, baseline)
    judged_by = JudgedBy.of(stored.provenance, panel)
    with closing(ComparedBaseline(baseline, stored.policy, judged_by, stored.suite_cases)) as compared:
        # What a stranger's run kept of the baseline's answers is not believed.
        compared.read(None if is_strangers else source)
        return recount(stored, rows, baseline=compared.index, found=found, by_suite=by_suite)


def _permitted(reporting: Reporting, stored: Run | StartedRun, source: RunSource) -> Reporting:
    """Without words of the baseline that its asker may not read by now, as the run itself left them out."""
    comparison = reporting.comparison
    if comparison is None or stored.provenance.evidence_digest is None:
        return reporting
    loaded = suite_beside(stored, source)
    if loaded is None:
        return reporting
    return reporting._replace(comparison=permitted_comparison(comparison, loaded, restricted_text(loaded)))


def suite_beside(stored: Run | StartedRun, source: RunSource) -> LoadedSuite | None:
    """The suite file that a stored run was made of, where it still lies where it lay; None where not.

    Its cases may be others by now; its evidence is what it was.
    """
    if not isinstance(source, Path) or not isinstance(stored, Run) or stored.invocation.directory is None:
        return None
    path = source / stored.invocation.directory / stored.suite_file
    # Nobody is asked: whatever variables the target's section names need no value.
    nobody = RecordedTarget(kind="recorded", traces="traces.jsonl")
    try:
        loaded = load_suite(path, environment={}, target=nobody)
    except (SuiteError, OSError):
        return None
    evidence = loaded.evidence.digest if loaded.evidence is not None else None
    return loaded if evidence == stored.provenance.evidence_digest else None


def found_suite(stored: Run, directory: Path, suite: Path | None, *, command: str) -> LoadedSuite:
    """The suite of a stored run, as it is today, for a command that cannot do without.

    Args:
        stored: The run.
        directory: Where it is stored.
        suite: The suite file; None is the one the run was made of.
        command: What the user has typed, for the hint.

    Raises:
        SuiteError: It is not where it was, or cannot be used as written.
    """
    origin = stored.invocation.directory
    path = suite or Path(stored.suite_file)
    if suite is None and origin is not None and (directory / origin / stored.suite_file).is_file():
        path = directory / origin / stored.suite_file
    if suite is None and not path.is_file():
        raise SuiteError(f"the run's suite file {path} is not here", hint=f"Name it: `{command} RUN --suite FILE`.")
    # Nobody is asked: whatever variables the target's section names need no value.
    return load_suite(path, environment={}, target=RecordedTarget(kind="recorded", traces="traces.jsonl"))


def stored_baseline(source: RunSource, *, suite: str, out: Path | None = None) -> BaselineIndex:
    """The baseline run in a directory, or in whatever else has its files, indexed.

    Args:
        source: Where it is stored; it is read again when the run is decided.
        suite: The suite it has to be a run of.
        out: Where the run that is compared with it is written; its own baseline is copied first.

    Raises:
        RunStoreError: There is no complete run; an incomplete one is never a baseline. Or its rows are not its cases.
        UsageError: The run was cancelled, is of another suite, or of cases named one by one: what it lacks would count
            as new.
    """
    run = read_run(source)
    _see_is_baseline(run, files_of(source).where, suite)
    if out is not None and isinstance(source, Path) and source.resolve() == out.resolve():
        source = _CopiedRun(source)
    stored = source

    def traces() -> Iterator[StoredTrace]:
        with suppress(RunStoreError):
            yield from read_traces(stored)

    def main_answers() -> Iterator[MainAnswers]:
        with suppress(RunStoreError):
            yield from read_main_answers(stored, run.decided_at)

    index = index_stored(run, read_rows(stored))
    return index._replace(
        rows=partial(read_rows, stored),
        # Without the words that verdicts rest on nothing can be used again.
        judgements=None if run.policy.texts == "ids" else partial(tied_judgements, stored),
        traces=traces,
        main_answers=main_answers,
        suite=partial(read_suite, stored),
        history=folded([*_history_of(stored), *index.history]),
    )


class _CopiedRun:
    """The files of a run whose directory is about to be replaced; they go with this object."""

    def __init__(self, directory: Path) -> None:
        self.where = str(directory)
        self._copy = Path(tempfile.mkdtemp(prefix="raggate-"))
        weakref.finalize(self, shutil.rmtree, self._copy, ignore_errors=True)
        for name in (RUN, *TIED_FILES):
            if (directory / name).is_file():
                shutil.copyfile(directory / name, self._copy / name)

    def open(self, name: str) -> IO[bytes] | None:
        """The file of the copy; None where the baseline has none of that name."""
        return DirectoryFiles(self._copy).open(name)


def _history_of(source: RunSource) -> tuple[HistoryLine, ...]:
    """The history of a baseline; one that cannot be read begins anew, for no decision rests on it."""
    try:
        return read_history(source)
    except RunStoreError:
        return ()


def _see_is_baseline(run: Run, where: str, suite: str) -> None:
    if run.of_fork:
        raise UsageError(
            f"the baseline {where} is a run of a fork or of Dependabot: nobody here has checked it",
            hint="Give a run of the base branch with --baseline.",
        )
    if run.cancelled:
        raise UsageError(
            f"the baseline {where} was cancelled: what it lacks would count as new",
            hint="Give a run that came to its end with --baseline.",
        )
    if run.suite != suite:
        raise UsageError(
            f"the baseline {where} is a run of suite {run.suite!r}, not of {suite!r}",
            hint="Give a run of the same suite with --baseline.",
        )
    if run.case_filter:
        raise UsageError(
            f"the baseline {where} is a run of {_cases(len(run.case_filter))} named by --case",
            hint="Give a run of the whole suite, or of one of its scopes, with --baseline.",
        )


def baseline_of(
    source: Path, loaded: LoadedSuite, *, out: Path | None = None
) -> tuple[BaselineIndex | None, BaselineNote | None]:
    """The baseline of a run of this suite that is about to be made into `out`; a note where its format is read no more.

    Raises as `stored_baseline`.
    """
    try:
        return stored_baseline(source, suite=loaded.suite.suite, out=out), None
    except OldRunError:
        from raggate_action.schema.origin import BaselineNote

        missing = f"The run in {source} was stored by an older raggate, and is not read: the base branch's next run"
        return None, BaselineNote(missing=f"{missing} makes a new baseline.")


def refuse_own_traces(loaded: LoadedSuite, out: Path) -> None:
    """See that a run into `out` does not replace the traces it is to judge.

    Raises:
        UsageError: They lie in `out` itself.
    """
    target = loaded.suite.target
    if isinstance(target, RecordedTarget) and (loaded.directory / target.traces).resolve().parent == out.resolve():
        raise UsageError(
            f"the traces to be judged lie in {out}, whose files this run replaces",
            hint="Choose another directory with --out.",
        )


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number} cases"
