"""`report.html` of a run directory: written at the end of a run, and made anew from what is stored."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from raggate_action.core.comparison.baseline_index import BaselineIndex, ShownAnswer
from raggate_action.core.counting.waivers import Waivers
from raggate_action.report.case_details import CaseChange, PastCaseShown, ShownCase, ShownState
from raggate_action.report.comment_size import SUMMARY_EXTENTS
from raggate_action.report.page_sections import comment_view
from raggate_action.report.report_html import MOST_TRIM, PageFiles, Piece, ReportPage, report_pieces
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import RunReport, report_on
from raggate_action.run.internal_errors import guarded
from raggate_action.run.run_session import restricted_text
from raggate_action.run.stored_runs import stored_baseline, stored_reporting, suite_beside
from raggate_action.run_store import Place, PlacedLines, RunSource, read_rows, read_trace_lines, with_traces
from raggate_action.run_store.run_files import BUFFER_BYTES, COMMENT, PUBLICATION, REPORT, SUMMARY, replace_whole
from raggate_action.schema.base import maker_of
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.origin import Publication
from raggate_action.schema.outcome import Unmeasured
from raggate_action.schema.run import Run
from raggate_action.schema.trace import TraceLine
from raggate_action.strings.template_files import template_directory
from raggate_action.suite_files import LoadedSuite

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison

# Browsers open more, slowly; artifacts and mails are the narrower way.
MOST_BYTES: Final = 50_000_000
# Of fields that were checked where they were read.
_PAST_CASE_SHOWN = maker_of(PastCaseShown)
# Case id and answer -> what of the answer may be shown.
Permitted: TypeAlias = Callable[[str, str], str | None]
_WITHHELD = "(withheld: its asker may not read this)"
_WHAT = "cannot show the baseline's answer"


class _TooLargeError(Exception):
    """The page is larger than it may be."""


def write_report_page(
    run_directory: Path,
    baseline: RunSource | BaselineIndex | None = None,
    out: Path | None = None,
    *,
    reporting: Reporting | None = None,
    loaded: LoadedSuite | None = None,
    most_bytes: int = MOST_BYTES,
) -> Path:
    """Write the report of a stored run as one HTML file. Same run, same baseline, same bytes.

    Rows are read one at a time. A page over the size leaves texts out, first those of passing cases, and says so.

    Args:
        run_directory: A run that has ended.
        baseline: The run it is compared with; None takes the one it was made with, where that still lies there, else
            what the run has kept of it.
        out: The file; None is `report.html` in the run directory.
        reporting: The run as it was decided, where that is at hand; None has it counted and decided again.
        loaded: The suite with its evidence, where that is at hand; None looks for it where it lay.
        most_bytes: From how many bytes on texts are left out.

    Raises:
        RunStoreError: There is no such run, or the file cannot be written.
        UsageError: The baseline cannot be one of this run.
    """
    if reporting is None:
        source = None if isinstance(baseline, BaselineIndex) else baseline
        reporting = stored_reporting(run_directory, baseline=source)
    index = baseline if isinstance(baseline, BaselineIndex) else _index(reporting.run, run_directory, baseline)
    path = out if out is not None else run_directory / REPORT
    permitted = _permitted(reporting.run, loaded if loaded is not None else suite_beside(reporting.run, run_directory))
    stored = _Stored(lambda: read_rows(run_directory), lambda: read_trace_lines(run_directory))
    _write(path, reporting, lambda: _all_shown(stored, reporting, index, permitted), most_bytes)
    return path


def write_strangers_page(
    path: Path,
    source: RunSource,
    reporting: Reporting,
    rows: Callable[[], Iterable[CaseRun]],
    index: BaselineIndex | None,
) -> None:
    """Write the report of a run that a stranger has stored, from its rows and traces alone.

    Of the base branch's answers it has those that its comment may say: nobody here can look what has been restricted
    since.

    Args:
        path: The file.
        source: The run's files.
        reporting: The run, counted and decided again.
        rows: Its rows, as they were counted.
        index: The baseline that it was compared with.

    Raises:
        RunStoreError: Its rows or traces are off schema, or the file cannot be written.
    """
    stored = _Stored(rows, lambda: read_trace_lines(source))
    _write(path, reporting, lambda: _all_shown(stored, reporting, index, lambda _case_id, _text: None), MOST_BYTES)


class _Stored(NamedTuple):
    """What is stored of the cases of a run, to be read as often as it is asked for."""

    rows: Callable[[], Iterable[CaseRun]]
    lines: Callable[[], Iterable[TraceLine]]


def _write(path: Path, reporting: Reporting, cases: Callable[[], Iterable[ShownCase]], most_bytes: int) -> None:
    page = ReportPage(
        run=reporting.run,
        view=comment_view(reporting._replace(page=""), SUMMARY_EXTENTS[0]),
        named=_named_cases(reporting),
        files=page_files(),
        has_baseline=reporting.comparison is not None,
        baseline=_called(reporting),
        trend=reporting.trend,
        cases=cases,
    )
    for trim in range(MOST_TRIM + 1):
        pieces = report_pieces(page._replace(trim=trim))
        with suppress(_TooLargeError):
            most = None if trim == MOST_TRIM else most_bytes
            replace_whole(path.parent, path.name, in_order(pieces, most))
            break


def with_page_address(run_directory: Path, reporting: Reporting, address: str) -> RunReport:
    """Keep where the page of a run opens, and write its texts again, which lead there from now on.

    Args:
        run_directory: The run.
        reporting: The run as it was decided.
        address: Where its page opens.

    Raises:
        RunStoreError: It cannot be written.
        ValueError: The address is none of an artifact.
    """
    kept = Publication(report_url=address).model_dump_json() + "\n"
    report = report_on(reporting._replace(page=address))
    for name, text in ((PUBLICATION, kept), (COMMENT, report.texts[COMMENT]), (SUMMARY, report.texts[SUMMARY])):
        replace_whole(run_directory, name, [text.encode(errors="replace")])
    return report


def page_files() -> PageFiles:
    """Script and style sheet of the page, wherever raggate is installed."""
    folder = template_directory() / "report"
    return PageFiles((folder / "report.js").read_text("utf-8"), (folder / "report.css").read_text("utf-8"))


def in_order(pieces: Iterable[Piece], most: int | None = None) -> Iterator[bytes]:
    """The bytes of a page as they stand in the file; late pieces wait in a nameless file.

    Args:
        pieces: As they were made.
        most: The most bytes that there may be; None is no bound.
    """
    written = 0
    first: list[bytes] = []
    with tempfile.TemporaryFile() as late:
        for piece in pieces:
            written += len(piece.content)
            if most is not None and written > most:
                raise _TooLargeError
            if piece.is_late:
                late.write(piece.content)
            else:
                first.append(piece.content)
        yield from first
        late.seek(0)
        yield from iter(partial(late.read, BUFFER_BYTES), b"")


def _index(run: Run, run_directory: Path, baseline: RunSource | None) -> BaselineIndex | None:
    """The baseline that is given, else the one that the run names, where it lies where it lay."""
    made = run.invocation
    if baseline is None and made.baseline is not None and made.directory is not None:
        stored = run_directory / made.directory / made.baseline
        baseline = stored if stored.is_dir() else None
    if baseline is None:
        return None
    return stored_baseline(baseline, suite=run.suite, rules=run.provenance.raggate_version)


def _called(reporting: Reporting) -> str:
    """What the baseline is called: its branch, else `baseline`."""
    note = reporting.run.baseline
    return note.branch if note is not None and note.branch else "baseline"


def _named_cases(reporting: Reporting) -> frozenset[str]:
    """The cases that the comment may name; those of a large suite would not fit into memory."""
    listed = reporting.listed
    rows = (*listed.failing, *listed.unmeasured, *listed.unblocked, *listed.left_to_judges, *listed.hallucinating)
    rows += (*listed.with_issues, *listed.flaky)
    found = {row.case_id for row in rows}
    found.update([each.case_id for each in listed.waived])
    found.update([each.row.case_id for each in listed.advised])
    comparison = reporting.comparison
    if comparison is not None:
        found.update(comparison.fixed, comparison.added, comparison.changed, comparison.answers)
    return frozenset(found)


def _all_shown(
    stored: _Stored, reporting: Reporting, index: BaselineIndex | None, permitted: Permitted
) -> Iterator[ShownCase]:
    """Every case once, beside the baseline, of which nothing stays open behind the last."""
    with closing(_PastCases(index, reporting, permitted)) as before:
        yield from _shown_cases(stored, reporting, before)


def _shown_cases(stored: _Stored, reporting: Reporting, before: _PastCases) -> Iterator[ShownCase]:
    """Every case with what is shown of it, one at a time."""
    waivers = Waivers(reporting.run.policy, decided_on=reporting.run.decided_on)
    changes = _Changes(reporting.comparison)
    state: ShownState
    for row, kept in with_traces(stored.rows(), stored.lines()):
        standing = waivers.standing(row)
        past = before.of(row, kept)
        withheld = kept is not None and kept.withheld
        if row.kind == "known_bad":
            state = "blocked" if row.blocked_as_named else "not-blocked"
            if isinstance(row.outcomes.get("target"), Unmeasured):
                state = "unmeasured"
            yield ShownCase(row, state, None if state == "blocked" else row.blocked_at, "none", kept, withheld, past)
        else:
            counts_for = row.case_id in reporting.run.failed_for
            state = "failed" if counts_for else standing.state
            change = changes.of(row, "counts" if counts_for else state, standing.stage, past)
            yield ShownCase(row, state, standing.stage, change, kept, withheld, past)


class _Changes:
    """How cases stand beside the baseline."""

    def __init__(self, comparison: Comparison | None) -> None:
        self._compared = comparison is not None
        self._named: dict[str, CaseChange] = {}
        if comparison is not None:
            self._named.update(dict.fromkeys(comparison.fixed, "fixed"))
            self._named.update(dict.fromkeys(comparison.added, "new"))
            self._named.update(dict.fromkeys(comparison.changed, "edited"))
            self._named.update((each.case_id, "regressed") for each in comparison.regressions)

    def of(self, row: CaseRun, state: str, stage: str | None, past: PastCaseShown | None) -> CaseChange:
        """What the comparison says of the case by name; of the many it does not name, what both states come to."""
        if not self._compared:
            return "none"
        if row.case_id in self._named:
            return self._named[row.case_id]
        if past is None or past.state is None:
            is_same = past is not None and past.digest == row.digest
            return "turned" if state == "counts" else "same" if is_same else "none"
        if past.digest != row.digest:
            return "edited"
        if past.state == "failed" and state == "failed":
            return "failing" if past.stage == stage else "moved"
        if past.state == "failed" and state == "passed":
            return "fixed"
        if past.state == "passed" and state == "failed":
            return "regressed"
        return "same" if past.state == state else "turned"


class _PastCases:
    """What the page shows of the baseline, case by case, read in step with the run's own rows.

    Both mostly have one order. Where the baseline's is another, what comes too early waits in a nameless file, and
    memory has its place. Without the baseline's own files it is what the run has kept of its answers.
    """

    def __init__(self, index: BaselineIndex | None, reporting: Reporting, permitted: Permitted) -> None:
        self._comparison = reporting.comparison
        self._lines = PlacedLines(None, PastCaseShown, owners_alone=True, whole=False)
        self._index = index if reporting.comparison is not None else None
        self._permitted = permitted
        self._texts = reporting.shows_texts
        self._early: dict[str, Place] = {}
        self._left = iter(()) if self._index is None or self._index.shown is None else self._index.shown()

    def close(self) -> None:
        """Let go of the file."""
        self._lines.close()

    def of(self, row: CaseRun, kept: TraceLine | None) -> PastCaseShown | None:
        """The case on the baseline; None where nothing is known of it."""
        past = self._found(row.case_id)
        answer = past.answer if past is not None else None
        comparison = self._comparison
        if comparison is None or not self._texts:
            return past
        if row.case_id in comparison.answers and (answer is None or comparison.answers[row.case_id] == _WITHHELD):
            answer = comparison.answers[row.case_id]
        if answer is None and kept is not None and kept.earlier:
            answer = self._permitted(row.case_id, kept.earlier[0].text)
        if past is None:
            return None if answer is None else PastCaseShown(answer=answer)
        return past if past.answer == answer else past.model_copy(update={"answer": answer})

    def _found(self, case_id: str) -> PastCaseShown | None:
        place = self._early.get(case_id)
        if place is not None:
            return self._lines.read(place)
        if self._index is None or case_id not in self._index.cases:
            return None
        for shown in self._left:
            kept = self._kept(shown)
            if shown.case_id == case_id:
                return kept
            self._early[shown.case_id] = self._lines.add(kept)
        return None

    def _kept(self, shown: ShownAnswer) -> PastCaseShown:
        found = self._index.cases.get(shown.case_id) if self._index is not None else None
        then = found.then if found is not None else None
        answer = None
        if self._texts and shown.answer is not None:
            whole = shown.whole or ""
            answer = self._permitted(shown.case_id, whole if whole.startswith(shown.answer) else shown.answer)
        return _PAST_CASE_SHOWN(
            state=then.state if then is not None else None,
            stage=then.stage if then is not None else None,
            digest=shown.digest,
            answer=answer,
            candidates=shown.candidates,
            context=shown.context,
            versions=shown.versions,
            latency_ms=shown.latency_ms,
            cost_usd=shown.cost_usd,
        )


def _permitted(run: Run, loaded: LoadedSuite | None) -> Permitted:
    """What may be shown of the baseline's answer to a case, by the evidence store of today.

    Of a run with a store that is not at hand nothing is: nobody could look what has been restricted since.
    """
    if loaded is None:
        return (lambda _case_id, text: text) if run.provenance.evidence_digest is None else lambda _case_id, _text: None
    restricted = restricted_text(loaded)
    if restricted.is_empty:
        return lambda _case_id, text: text
    cases = {placed.case.case_id: placed.case for placed in loaded.cases}

    def permitted(case_id: str, text: str) -> str:
        case = cases.get(case_id)
        repeats = guarded(case_id, lambda: bool(restricted.repeated_in((text,), case)), lambda _fault: True, what=_WHAT)
        return _WITHHELD if repeats else text

    return permitted
