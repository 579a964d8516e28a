"""The whole road of a run, from a loaded suite to a decided run on disk: what `run` and `action` share.

Its stages: `_prepare`, `_execute`, `_decide`, `_finish`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.run_history import trend_of
from raggate_action.core.comparison.same_judges import JudgedBy, deciding
from raggate_action.core.counting.common_values import CommonValues
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.release_report import required_versions
from raggate_action.core.disclosure.withholding import permitted_message
from raggate_action.core.gates.baseline_suite import BaselineRules
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.isolation.time_limit import many_limits
from raggate_action.report.report_input import Reporting
from raggate_action.run.ask_and_judge import app_of, evaluate, problems_of
from raggate_action.run.baseline.baseline_count import counting
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
from raggate_action.schema.main_answers import MainAnswers
from raggate_action.schema.run import RunDescription
from raggate_action.schema.summary import ReleaseNames
from raggate_action.strings.numbers import count
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.loading import is_public
from raggate_action.targets.interface import TOGETHER
from raggate_action.targets.path_choice import ChoosingApp

if TYPE_CHECKING:
    from raggate_action.core.comparison.own_rate import FalseAnswers
    from raggate_action.core.comparison.suite_difference import SuiteDifference
    from raggate_action.run.baseline.compared_baseline import ComparedBaseline
    from raggate_action.run.baseline.main_answer_file import MainAnswerFile
    from raggate_action.run.judging.judge_dispatch import PanelSource
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
    with opened as directory:
        # At once, so that a run that is stopped does not lose the history of what it replaces.
        directory.keep_history(request.before)
        day = day_of(directory.started.started_at)
        difference = difference_from(
            request.baseline, digest_of_suite(suite), lambda: stored_suite(suite), decided_on=day
        )
        return _run(directory, plan, difference, run_loop)


def _run(directory: RunDirectory, plan: Plan, difference: SuiteDifference | None, run_loop: RunLoop) -> RunReport:
    progress = Progress(plan.cases, environment=os.environ, quiet=plan.request.quiet)
    if plan.policy.texts == "quotes" and is_public(os.environ):
        progress.tell(_PUBLISHED)
    with ExitStack() as opened:
        panel = _panel(plan, directory, progress, opened)
        armed = _armed(panel, run_loop)
        compared = _compared(plan, directory, panel, opened)
        ready = armed and _evaluated_again(compared, plan.loaded, panel, run_loop)
        main = _main_answers(plan, opened)
        work = _prepare(directory, plan, difference, progress, panel, main, compared)
        done = None
        with suppress(KeyboardInterrupt):
            if ready:
                with many_limits():
                    executed = run_loop(_execute(work))
                progress.close()
                done = _finish(work, executed)
        progress.close()
        if done is None:
            raise RunCancelled(_decide(work, None))
        # What was kept to count and decide has had its use, and the page takes memory of its own.
        del work
        write_or_warn(directory.path, done.reporting)
        return done


def _panel(plan: Plan, directory: RunDirectory, progress: Progress, opened: ExitStack) -> RunPanel | None:
    """The suite's judges; of a suite without any nothing of theirs is loaded."""
    if plan.loaded.suite.judges is None:
        return None
    from raggate_action.run.judging.run_panel import open_run_panel

    panel = open_run_panel(plan, directory, progress)
    if panel is not None:
        opened.callback(panel.close)
    return panel


def _compared(
    plan: Plan, directory: RunDirectory, panel: RunPanel | None, opened: ExitStack
) -> ComparedBaseline | None:
    """The baseline as the run is compared with it; None without one."""
    if (baseline := plan.request.baseline) is None:
        return None
    from raggate_action.run.baseline.compared_baseline import ComparedBaseline

    judged_by = JudgedBy.of(directory.started.provenance, panel.record if panel is not None else None)
    return opened.enter_context(closing(ComparedBaseline(baseline, plan.policy, judged_by, plan.suite_cases())))


def _evaluated_again(
    compared: ComparedBaseline | None, loaded: LoadedSuite, panel: RunPanel | None, run_loop: RunLoop
) -> bool:
    """Evaluate the baseline's answers again, as far as nobody has to be asked; False where a Ctrl-C ended that."""
    try:
        if compared is not None:
            checks = SuiteChecks(loaded)
            with many_limits():
                run_loop(compared.evaluate(loaded, _past_judges(panel, checks) or checks))
    except KeyboardInterrupt:
        return False
    return True


def _past_judges(panel: RunPanel | None, checks: VerdictSource) -> PanelSource | None:
    """Who judges the baseline's answers; None where no judge counts, or none is asked."""
    return panel.past_source(checks) if panel is not None and deciding(panel.record) else None


def _armed(panel: RunPanel | None, run_loop: RunLoop) -> bool:
    """Put the judges on trial; False where a Ctrl-C ended that."""
    try:
        if panel is not None:
            run_loop(panel.arm())
    except KeyboardInterrupt:
        return False
    return True


class _Work(NamedTuple):
    """A run under way.

    Attributes:
        directory: Where it is written.
        plan: What is run.
        rules: What cases are judged by.
        counting: Counts its rows.
        sink: Takes finished cases in.
        doubtful: The cases that are asked again.
        values: The cases that fail for a value.
        panel: Its judges.
        compared: The baseline as it is compared with.
        difference: How the baseline's suite differs from its own; None where it does not.
    """

    directory: RunDirectory
    plan: Plan
    rules: Rulebook
    counting: Count
    sink: Sink
    doubtful: DoubtfulCases | None
    values: CommonValues
    panel: RunPanel | None
    compared: ComparedBaseline | None
    difference: SuiteDifference | None

    @property
    def renamed(self) -> Mapping[str, str]:
        """Cases that are only called otherwise than on the baseline."""
        return self.difference.renamed if self.difference is not None else {}

    @property
    def baseline(self) -> BaselineIndex | None:
        """The baseline by the run's demands."""
        return None if self.compared is None else self.compared.index


def _main_answers(plan: Plan, opened: ExitStack) -> MainAnswerFile | None:
    """What main's app answered to a case; of a run without a baseline, or without the gate, nothing is read."""
    baseline = plan.request.baseline
    if baseline is None or plan.policy.gates.poorer.level == "off":
        return None
    from raggate_action.run.baseline.main_answer_file import MainAnswerFile

    file = MainAnswerFile(baseline, {case_id for case_id, _digest, in_scope in plan.suite_cases() if in_scope})
    opened.callback(file.close)
    return file


def _prepare(
    directory: RunDirectory,
    plan: Plan,
    difference: SuiteDifference | None,
    progress: Progress,
    panel: RunPanel | None,
    main: MainAnswerFile | None,
    compared: ComparedBaseline | None,
) -> _Work:
    """Prepare the run as it is before anybody is asked; of a resumed one with what was finished."""
    started, baseline = directory.started, plan.request.baseline
    rules = rulebook(plan.loaded, parse_moment(started.as_of))
    recorded = plan.loaded.suite.target.kind == "recorded" or not plan.loaded.suite.confirm
    if baseline is not None:
        answers: Callable[[str], MainAnswers | None] = main.of if main is not None else lambda _case_id: None
        judging, suite = started.provenance.judging_digest, None
        if difference is not None:
            suite = suite_to_evaluate_by(difference, baseline, rules, judging)
        against = BaselineRules(baseline.cases, suite, answers, baseline.decided_at, recorded)
        rules = rules._replace(baseline=against)
    index = None if compared is None else compared.index
    count = counting(plan, directory, panel, index, difference.renamed if difference is not None else {})
    doubtful = _doubtful(plan, progress, started.started_at, main, index)
    # A recorded trace can be read again at no cost; an app must not be asked twice.
    batch = TOGETHER if plan.loaded.suite.target.kind == "recorded" else 1
    sink = Sink(directory, count, progress, finished=bytearray(len(plan.loaded.cases)), batch=batch)
    values = CommonValues()
    for row in directory.rows():
        values.add(row)
        sink.finished[row.position] = 1
        if doubtful is not None:
            doubtful.finished(row)
        count.add(row)
        sink.languages.add(row)
        progress.advance(row)
    return _Work(directory, plan, rules, count, sink, doubtful, values, panel, compared, difference)


def _doubtful(
    plan: Plan, progress: Progress, started_at: str, main: MainAnswerFile | None, baseline: BaselineIndex | None
) -> DoubtfulCases | None:
    """The cases that are asked again; None where nobody is: the suite says so, or a file would only say the same."""
    suite = plan.loaded.suite
    if not suite.confirm or suite.target.kind == "recorded":
        return None
    from raggate_action.core.comparison.confirmation_asks import Confirmation, most_asked_again
    from raggate_action.core.comparison.own_rate import OwnRateCount
    from raggate_action.run.second_ask import DoubtfulCases

    own = None if baseline is None else OwnRateCount(_false_answers(plan, baseline, main))
    confirmation = Confirmation(plan.policy, decided_on=day_of(started_at), baseline=baseline, own=own)
    most = most_asked_again(len(plan.loaded.cases))
    return DoubtfulCases(confirmation, times=suite.confirm, most=most, tell=progress.tell, seed=suite.seed)


def _false_answers(plan: Plan, baseline: BaselineIndex, main: MainAnswerFile | None) -> dict[str, FalseAnswers]:
    """How many of main's answers to each case that has not changed have a certain hallucination."""
    found, earlier = {}, main.earlier if main is not None else {}
    for case_id, digest, _in_scope in plan.suite_cases():
        past = baseline.cases.get(case_id)
        if past is not None and past.digest == digest:
            found[case_id] = past.false.plus(earlier[case_id]) if case_id in earlier else past.false
    return found


class _Executed(NamedTuple):
    """What a run that came to its end has beside its rows.

    Attributes:
        notes: What the target had to say.
        is_baseline_asked: Judges or checks were asked about the baseline's answers.
    """

    notes: tuple[str, ...] = ()
    is_baseline_asked: bool = False


def _on_language(work: _Work) -> tuple[str, ...]:
    note = work.sink.languages.note(work.plan.loaded.suite.language)
    return () if note is None else (note,)


def _decide(work: _Work, executed: _Executed | None) -> Reporting:
    """Decide. A run that did not come to its end (None) was cancelled."""
    plan = work.plan
    facts, comparison = work.counting.counted(plan.suite_cases())
    if comparison is not None and work.difference is not None:
        by_suite = ByBaselineSuite(work.difference, work.directory.rows_by_baseline)
        judged_by = JudgedBy.of(work.directory.started.provenance, work.counting.known_before.panel)
        cases = tuple(plan.suite_cases())
        comparison = with_baseline_suite(comparison, by_suite, plan.policy, judged_by, facts, work.counting, cases)
    if comparison is not None:
        comparison = permitted_comparison(comparison, plan.loaded, work.rules.restricted)
    # Checked once, in the run that is made of it.
    head = RunDescription.model_construct(
        **{**dict(work.directory.started), "complete": True, "policy": plan.policy},
        decided_at=moment_now(),
        notes=(
            *plan.request.notes,
            *(work.panel.notes if work.panel is not None else ()),
            *(executed.notes if executed else ()),
            *(() if facts.app_is_silent else (*plan.notes(), *_on_language(work))),
        ),
        release_names=_release_names(plan.loaded, facts),
        suite_size=len(plan.loaded.cases),
        in_scope=plan.cases,
        origin=plan.request.origin,
        baseline=plan.request.baseline_note,
        cancelled=executed is None,
        invocation=plan.request.invocation,
        panel=work.panel.record if work.panel is not None else None,
    )
    reporting = conclude(head, facts, comparison)
    return reporting._replace(trend=trend_of(plan.request.before, reporting.run))


def _finish(work: _Work, executed: _Executed) -> RunReport:
    """Decide, and complete the run directory."""
    if executed.is_baseline_asked:
        # Anew, beside the baseline as it is evaluated by now.
        count = counting(work.plan, work.directory, work.panel, work.baseline, work.renamed)
        for row in work.directory.rows():
            count.add(row)
        work = work._replace(counting=count)
    done = report_on(_decide(work, executed))
    kept = {} if work.compared is None else {BASELINE: work.compared.kept()}
    work.directory.finish(done.reporting.run, work.plan.suite_cases(), done.texts, kept)
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


async def _execute(work: _Work) -> _Executed:
    """Ask, judge and count what is not finished yet."""
    plan, sink, panel = work.plan, work.sink, work.panel
    request, loaded = plan.request, plan.loaded
    ends = ends_after(loaded.suite.deadline_s)
    async with app_of(
        loaded,
        work.rules,
        sink.directory.work,
        tell=sink.progress.tell,
        target=request.target,
        child_user=request.child_user,
    ) as app:
        try:
            _choose_once(app, plan, sink.directory)
            evaluation = app._replace(doubtful=work.doubtful)
            left = plan.cases - sum(sink.finished)
            if panel is not None and (judging := panel.source(app.verdicts, cases_left=left)) is not None:
                lanes = lanes_of(loaded, judged=True)
                evaluation = evaluation._replace(verdicts=judging, lanes=lanes)
            await evaluate(_unfinished(plan, sink), evaluation, sink.take, work.values)
            sink.flush()
            if loaded.suite.target.kind != "recorded":
                await _ask_removed(work, app, ends)
            asked = await _ask_about_baseline(work, app, ends)
        finally:
            if panel is not None:
                await panel.aclose()
    return _Executed(problems_of(app), is_baseline_asked=asked)


async def _ask_about_baseline(work: _Work, app: Evaluation, ends: float | None) -> bool:
    """Ask for what is missing of the baseline's answers, from what the run's own left of the budget."""
    if work.compared is None:
        return False
    judges, loaded = _past_judges(work.panel, app.verdicts), work.plan.loaded
    asked = await work.compared.ask(
        work.directory.rows(),
        loaded,
        judges or app.verdicts,
        lanes=lanes_of(loaded, judged=True),
        ends=ends,
        tell=work.sink.progress.tell,
    )
    if asked and work.panel is not None:
        work.panel.note_again()
    return asked


def _choose_once(app: Evaluation, plan: Plan, directory: RunDirectory) -> None:
    """Read replies by the paths that the run chose before it was resumed; store those that it chooses."""

    def keep(paths: dict[str, str]) -> None:
        written = "\n".join(paths.values())
        # An app may file its answers under anything, as under a text that not everybody may read.
        if permitted_message(written, None, app.rules.restricted, what="the paths of a reply") == written:
            directory.keep_paths(paths, plan.suite_cases())

    if isinstance(app.target, ChoosingApp):
        app.target.mapping.read_by(directory.started.taken)
        app.target.mapping.keep = keep


async def _ask_removed(work: _Work, app: Evaluation, ends: float | None) -> None:
    """Ask the app once more what only the baseline's suite asks, and keep how it comes out by that."""
    baseline, suite = work.plan.request.baseline, app.rules.baseline.suite if app.rules.baseline is not None else None
    if work.difference is None or baseline is None or suite is None:
        return
    found = cases_to_ask(work.difference, baseline, len(work.plan.loaded.cases))
    cases = [placed for placed in found if not work.directory.work.has_by_baseline(placed.position)]
    if not cases:
        return
    from raggate_action.run.second_ask import removed_again

    work.sink.progress.tell(f"asking {count(len(cases), 'case')} once more that the suite no longer asks")
    times = 1 + work.plan.loaded.suite.confirm
    for row in await removed_again(cases, app, suite.rules(app.rules), ends, times=times):
        work.directory.add_by_baseline(row)


def _unfinished(plan: Plan, sink: Sink) -> Iterator[PlacedCase]:
    """Cases to be asked: those that have no row, and no reply that waits for one."""
    positions: Iterable[int] | None = plan.positions
    finished, waiting = sink.finished, frozenset(sink.directory.work.positions())
    if waiting or any(finished):
        wanted = positions if positions is not None else range(len(plan.loaded.cases))
        positions = [position for position in wanted if not finished[position] and position not in waiting]
    return plan.loaded.cases.at(positions)
