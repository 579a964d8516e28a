"""The whole road of a run, from a loaded suite to a decided run on disk: what `run` and `action` share.

Its stages: prepare, execute, decide, finish.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.run_history import trend_of
from raggate_action.core.comparison.same_judges import JudgedBy, deciding
from raggate_action.core.counting.common_values import CommonValues
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.release_report import required_versions
from raggate_action.core.disclosure.withholding import permitted_message
from raggate_action.core.gates.baseline_suite import BaselineRules
from raggate_action.isolation.time_limit import many_limits
from raggate_action.report.report_input import Reporting
from raggate_action.run.answer_languages import AnswerLanguages
from raggate_action.run.ask_and_judge import app_of, evaluate, problems_of
from raggate_action.run.baseline.baseline_redaction import permitted_comparison
from raggate_action.run.baseline.by_baseline_suite import (
    ByBaselineSuite,
    cases_to_ask,
    difference_from,
    suite_to_evaluate_by,
    with_baseline_suite,
)
from raggate_action.run.clock import moment_now
from raggate_action.run.count_and_decide import RunReport, conclude, report_on
from raggate_action.run.deadline import ends_after
from raggate_action.run.judging_steps import Evaluation, VerdictSource
from raggate_action.run.progress import Progress
from raggate_action.run.report_formats import write_or_warn
from raggate_action.run.row_counting import Count
from raggate_action.run.row_sink import Sink
from raggate_action.run.run_plan import Plan, RunRequest, planned, started_run
from raggate_action.run.run_session import SuiteChecks, lanes_of, rulebook
from raggate_action.run.suite_data import digest_of_suite, stored_suite, suite_data
from raggate_action.run.sync_bridge import RunLoop
from raggate_action.run_store import BASELINE, RunDirectory
from raggate_action.schema.base import day_of, parse_moment
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.later import Panel
from raggate_action.schema.run import RunDescription
from raggate_action.schema.summary import ReleaseNames
from raggate_action.strings.numbers import count
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.loading import is_public
from raggate_action.targets.interface import TOGETHER
from raggate_action.targets.path_choice import ChoosingApp

if TYPE_CHECKING:
    from raggate_action.core.comparison.suite_difference import SuiteDifference
    from raggate_action.run.baseline.compared_baseline import ComparedBaseline
    from raggate_action.run.baseline.main_answer_file import MainAnswerFile
    from raggate_action.run.judging.run_panel import RunPanel
    from raggate_action.run.second_ask import DoubtfulCases


# Its checks are those of the run, which is made of it.
_PUBLISHED = (
    "this repository is public, where anybody may download what a run stores: it keeps quotations alone; `texts: full` "
    "in the suite keeps the passages"
)


class RunCancelled(KeyboardInterrupt):
    """The run was interrupted. What has finished is in the run directory, which stays incomplete.

    Attributes:
        reporting: What can be said of it so far; never a release.
    """

    def __init__(self, reporting: Reporting) -> None:
        super().__init__()
        self.reporting = reporting


def execute(request: RunRequest, run_loop: RunLoop = asyncio.run) -> RunReport:
    """Ask the app, judge, decide, and write the run directory. Nothing of the process is changed.

    Args:
        request: What is run.
        run_loop: Runs the event loop.

    Returns:
        The run, and its texts as they lie in the run directory.

    Raises:
        UsageError: A scope or case that the suite does not have, or its traces lie in the run directory itself.
        RunStoreError: The run directory cannot be written or resumed.
        RunCancelled: It was interrupted.
    """
    plan = planned(request)
    suite, texts = suite_data(plan.loaded), plan.policy.texts
    started = started_run(plan)
    if request.resume:
        opened = RunDirectory.resume(request.out, started, plan.suite_cases(), texts=texts)
    else:
        opened = RunDirectory.create(request.out, started, plan.suite_cases(), texts=texts, suite=suite)
    with opened as directory, ExitStack() as later:
        # At once, so that a run that is stopped does not lose the history of what it replaces.
        directory.keep_history(request.before)
        day = day_of(directory.started.started_at)
        difference = difference_from(
            request.baseline, digest_of_suite(suite), lambda: stored_suite(suite), decided_on=day
        )
        run, done = _Run(plan, directory, difference, later), None
        with suppress(KeyboardInterrupt):
            with many_limits():
                run_loop(run.execute())
            run.progress.close()
            done = run.finish()
        run.progress.close()
        if done is None:
            raise RunCancelled(run.decide(cancelled=True))
        # What was kept to count and decide has had its use, and the page takes memory of its own.
        del run
        write_or_warn(directory.path, done.reporting)
        return done


class _Run:
    """A run under way.

    Attributes:
        progress: Shows how far it is.
    """

    def __init__(
        self, plan: Plan, directory: RunDirectory, difference: SuiteDifference | None, opened: ExitStack
    ) -> None:
        """Begin with nobody asked.

        Args:
            plan: What is run.
            directory: Where it is written.
            difference: How the baseline's suite differs from its own; None where it does not.
            opened: Lets go of what is opened for it.
        """
        self._plan, self._directory, self._difference, self._opened = plan, directory, difference, opened
        self.progress = Progress(plan.cases, environment=os.environ, quiet=plan.request.quiet)
        if plan.policy.texts == "quotes" and is_public(os.environ):
            self.progress.tell(_PUBLISHED)
        self._rules = rulebook(plan.loaded, parse_moment(directory.started.as_of))
        self._panel: RunPanel | None = None
        if (judges := plan.loaded.suite.judges) is not None:
            from raggate_action.run.judging.run_panel import RunPanel  # of a suite without judges nothing is loaded

            self._panel = RunPanel(plan, judges, directory, self.progress)
            opened.callback(self._panel.close)
        self._compared: ComparedBaseline | None = None
        self._main: MainAnswerFile | None = None
        self._count: Count | None = None
        self._languages = AnswerLanguages()
        self._notes: tuple[str, ...] = ()

    @property
    def _record(self) -> Panel | None:
        """Its judges as they stand."""
        return self._panel.record if self._panel is not None else None

    @property
    def _baseline(self) -> BaselineIndex | None:
        """The baseline by the run's demands."""
        return self._compared.index if self._compared is not None else None

    async def execute(self) -> None:
        """Do all that is awaited."""
        try:
            await self._prepare()
            await self._ask()
        finally:
            if self._panel is not None:
                await self._panel.aclose()

    async def _prepare(self) -> None:
        """Put the judges on trial, and evaluate the baseline's answers again as far as nobody has to be asked."""
        try:
            if self._panel is not None:
                await self._panel.arm()
        finally:
            self._compare()
        if self._compared is not None:
            loaded = self._plan.loaded
            await self._compared.evaluate(loaded, self._judges_of_baseline(SuiteChecks(loaded)))

    def _compare(self) -> None:
        """See what the run is compared with."""
        plan, started, baseline = self._plan, self._directory.started, self._plan.request.baseline
        if baseline is None:
            return
        from raggate_action.run.baseline.compared_baseline import ComparedBaseline
        from raggate_action.run.baseline.main_answer_file import MainAnswerFile

        judged_by = JudgedBy.of(started.provenance, self._record)
        compared = ComparedBaseline(baseline, plan.policy, judged_by, plan.suite_cases())
        self._compared = self._opened.enter_context(closing(compared))
        is_told = plan.policy.gates.poorer.level != "off"
        self._main = self._opened.enter_context(closing(MainAnswerFile(baseline, plan.suite_cases(), is_told=is_told)))
        suite = None
        if self._difference is not None:
            judging = started.provenance.judging_digest
            suite = suite_to_evaluate_by(self._difference, baseline, self._rules, judging)
        is_recorded = plan.loaded.suite.target.kind == "recorded" or not plan.loaded.suite.confirm
        against = BaselineRules(baseline.cases, suite, self._main.of, baseline.run.decided_at, is_recorded)
        self._rules = self._rules._replace(baseline=against)

    def _judges_of_baseline(self, checks: VerdictSource) -> VerdictSource:
        """Who judges the baseline's answers: only checks where no judge counts, or none is asked."""
        panel = self._panel
        judges = panel.past_source(checks) if panel is not None and deciding(panel.record) else None
        return judges or checks

    def _counted(self) -> Count:
        """What is finished of the run, counted."""
        plan, directory, self._languages = self._plan, self._directory, AnswerLanguages()
        found = Count(
            plan.policy,
            decided_on=day_of(directory.started.started_at),
            baseline=self._baseline,
            panel=self._record,
            is_chosen=bool(plan.request.case_ids),
            renamed=self._difference.renamed if self._difference is not None else {},
            rows=directory.rows,
        )
        for row in directory.rows():
            found.add(row)
            self._languages.add(row)
        self._count = found
        return found

    def _doubtful(self) -> DoubtfulCases | None:
        """The cases that are asked again; None where nobody is: the suite says so, or a file would only repeat it."""
        suite, baseline = self._plan.loaded.suite, self._baseline
        if not suite.confirm or suite.target.kind == "recorded":
            return None
        from raggate_action.core.comparison.confirmation_asks import Confirmation, most_asked_again
        from raggate_action.core.comparison.own_rate import OwnRateCount
        from raggate_action.run.second_ask import DoubtfulCases

        own = None
        if baseline is not None and self._main is not None:
            own = OwnRateCount(self._main.false_answers(self._plan.suite_cases(), baseline.cases))
        day = day_of(self._directory.started.started_at)
        confirmation = Confirmation(self._plan.policy, decided_on=day, baseline=baseline, own=own)
        most = most_asked_again(len(self._plan.loaded.cases))
        return DoubtfulCases(confirmation, times=suite.confirm, most=most, tell=self.progress.tell, seed=suite.seed)

    async def _ask(self) -> None:
        """Ask, judge and count what is not finished yet."""
        plan, panel, work, loaded = self._plan, self._panel, self._directory.work, self._plan.loaded
        is_recorded = loaded.suite.target.kind == "recorded"
        doubtful, values, finished = self._doubtful(), CommonValues(), bytearray(len(loaded.cases))
        # A recorded trace can be read again at no cost; an app must not be asked twice.
        batch = TOGETHER if is_recorded else 1
        counted = self._counted()
        sink = Sink(self._directory, counted, self.progress, self._languages, batch=batch)
        for row in self._directory.rows():
            finished[row.position] = 1
            values.add(row)
            if doubtful is not None:
                doubtful.finished(row)
            self.progress.advance(row)
        ends = ends_after(loaded.suite.deadline_s)
        request, tell = plan.request, self.progress.tell
        async with app_of(
            loaded, self._rules, work, tell=tell, target=request.target, child_user=request.child_user
        ) as app:
            self._choose_once(app)
            evaluation = app._replace(doubtful=doubtful)
            left = plan.cases - sum(finished)
            if panel is not None and (judging := panel.source(app.verdicts, cases_left=left)) is not None:
                evaluation = evaluation._replace(verdicts=judging, lanes=lanes_of(loaded, judged=True))
            await evaluate(_unfinished(plan, finished, work.positions()), evaluation, sink.take, values)
            sink.flush()
            if not is_recorded:
                await self._ask_removed(app, ends)
            await self._ask_about_baseline(app, ends)
        self._notes = problems_of(app)

    def _choose_once(self, app: Evaluation) -> None:
        """Read replies by the paths that the run chose before it was resumed; store those that it chooses."""
        directory = self._directory

        def keep(paths: dict[str, str]) -> None:
            written = "\n".join(paths.values())
            # An app may file its answers under anything, as under a text that not everybody may read.
            if permitted_message(written, None, app.rules.restricted, what="the paths of a reply") == written:
                directory.keep_paths(paths, self._plan.suite_cases())

        if isinstance(app.target, ChoosingApp):
            app.target.mapping.read_by(directory.started.taken)
            app.target.mapping.keep = keep

    async def _ask_removed(self, app: Evaluation, ends: float | None) -> None:
        """Ask the app once more what only the baseline's suite asks, and keep how it comes out by that."""
        baseline, loaded = self._plan.request.baseline, self._plan.loaded
        suite = app.rules.baseline.suite if app.rules.baseline is not None else None
        if self._difference is None or baseline is None or suite is None:
            return
        found = cases_to_ask(self._difference, baseline, len(loaded.cases))
        cases = [placed for placed in found if not self._directory.work.has_by_baseline(placed.position)]
        if not cases:
            return
        from raggate_action.run.second_ask import removed_again

        self.progress.tell(f"asking {count(len(cases), 'case')} once more that the suite no longer asks")
        for row in await removed_again(cases, app, suite.rules(app.rules), ends, times=1 + loaded.suite.confirm):
            self._directory.add_by_baseline(row)

    async def _ask_about_baseline(self, app: Evaluation, ends: float | None) -> None:
        """Ask for what is missing of the baseline's answers, from what the run's own left of the budget."""
        if self._compared is None:
            return
        loaded, judges = self._plan.loaded, self._judges_of_baseline(app.verdicts)
        lanes, rows = lanes_of(loaded, judged=True), self._directory.rows()
        if not await self._compared.ask(rows, loaded, judges, lanes=lanes, ends=ends, tell=self.progress.tell):
            return
        if self._panel is not None:
            self._panel.note_again()
        # Anew, beside the baseline as it is evaluated by now.
        self._counted()

    def decide(self, *, cancelled: bool = False) -> Reporting:
        """Decide; of a run that was cancelled, what can be said of it so far."""
        plan, request, started = self._plan, self._plan.request, self._directory.started
        counted = self._count or self._counted()
        facts, comparison = counted.counted(plan.suite_cases())
        if comparison is not None and self._difference is not None:
            by_suite = ByBaselineSuite(self._difference, self._directory.rows_by_baseline)
            judged_by = JudgedBy.of(started.provenance, self._record)
            cases = tuple(plan.suite_cases())
            comparison = with_baseline_suite(comparison, by_suite, plan.policy, judged_by, facts, counted, cases)
        if comparison is not None:
            comparison = permitted_comparison(comparison, plan.loaded, self._rules.restricted)
        notes = [*request.notes, *(self._panel.notes if self._panel is not None else ()), *self._notes]
        if not facts.app_is_silent:
            language = self._languages.note(plan.loaded.suite.language)
            notes += [*plan.notes(), *([language] if language is not None else [])]
        # Checked once, in the run that is made of it.
        head = RunDescription.model_construct(
            **{**dict(started), "complete": True, "policy": plan.policy},
            decided_at=moment_now(),
            notes=tuple(notes),
            release_names=_release_names(plan.loaded, facts),
            suite_size=len(plan.loaded.cases),
            in_scope=plan.cases,
            origin=request.origin,
            baseline=request.baseline_note,
            cancelled=cancelled,
            invocation=request.invocation,
            panel=self._record,
        )
        reporting = conclude(head, facts, comparison)
        return reporting._replace(trend=trend_of(request.before, reporting.run))

    def finish(self) -> RunReport:
        """Decide, and complete the run directory."""
        done = report_on(self.decide())
        kept = {} if self._compared is None else {BASELINE: self._compared.kept()}
        self._directory.finish(done.reporting.run, self._plan.suite_cases(), done.texts, kept)
        return done


def _release_names(loaded: LoadedSuite, facts: Facts) -> ReleaseNames:
    """What a release report calls the service, the agent and the policies that answers needed.

    Versions of required sources are known where there is an evidence store.
    """
    required = None
    if loaded.evidence is not None:
        sources = loaded.cases.at([row.position for row in facts.source_rows])
        required = required_versions([placed.case for placed in sources], loaded.evidence)
    return ReleaseNames(
        service_version=loaded.suite.service_version,
        agent_version=os.environ.get("AGENT_VERSION") or None,
        required_policy_versions=required,
    )


def _unfinished(plan: Plan, finished: bytearray, waiting: Iterable[int]) -> Iterator[PlacedCase]:
    """Cases to be asked: those that have no row, and no reply that waits for one."""
    left, waits = plan.positions, frozenset(waiting)
    if waits or any(finished):
        wanted = left if left is not None else range(len(plan.loaded.cases))
        left = tuple([position for position in wanted if not finished[position] and position not in waits])
    return plan.loaded.cases.at(left)
