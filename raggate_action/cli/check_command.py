"""`check`: mistakes in suite, case and evidence files; `--faults` tests whether the suite's gates can fail."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from raggate_action.cli.commands import Check
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial, is_good
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.escape import log_line
from raggate_action.report.judge_messages import words_of
from raggate_action.run.ask_and_judge import app_of, evaluate
from raggate_action.run.case_selection import chosen_positions
from raggate_action.run.clock import moment_now
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.run.fault_check import FAULTS, MUST_BE_CAUGHT, FaultCheck, FaultReport, Mutant
from raggate_action.run.progress import Progress
from raggate_action.run.run_session import load, refuse_missing_traces, rulebook
from raggate_action.run_store import WorkFile
from raggate_action.schema.base import parse_moment
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer
from raggate_action.schema.case import Case
from raggate_action.schema.judges import Judges
from raggate_action.schema.suite import Suite
from raggate_action.strings.numbers import count, rate
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.suite_files.ab_section import members_of


def run(options: Check) -> int:
    """Read the suite's files; or put faults into its passing traces, and count what the gates catch.

    Raises:
        SuiteError: Every problem of every file.
        UsageError: An option was given that needs `--faults`.
    """
    if options.faults:
        return _faults(options)
    given = {
        "--scope": options.scope,
        "--show": options.show,
        "--traces": options.traces,
        "--target-url": options.target_url,
    }
    if names := [name for name, value in given.items() if value is not None]:
        raise UsageError(
            f"only `check --faults` takes {', '.join(names)}", hint="Add --faults: without it `check` asks nobody."
        )
    return _files(options)


def _files(options: Check) -> int:
    """Print what the suite contains, or fail with every problem."""
    loaded = load_suite(options.suite, environment=os.environ, today=datetime.now(UTC).date(), on_this_machine=True)
    chunks = f"{len(loaded.evidence)} chunks of evidence" if loaded.evidence is not None else "no evidence store"
    sys.stdout.write(f"{options.suite}: {loaded.suite.suite}: {len(loaded.cases)} cases, {chunks}, no mistakes found\n")
    sys.stdout.write(f"  labels: {_labels([placed.case for placed in loaded.cases])}\n")
    if loaded.suite.judges is not None:
        sys.stdout.write(
            f"  judges: {_judges(loaded.suite.judges, loaded.calibration)}{_item_label_counts(loaded.held)}"
            f"{_empty((*loaded.calibration, *loaded.held))}\n"
        )
    if loaded.suite.ab is not None and loaded.rubric is not None:
        scored = f"scored for {', '.join(loaded.rubric.names)}"
        sys.stdout.write(f"  ab: {_ab(loaded.suite)}, {scored}\n")
    sys.stdout.writelines(f"  note: {remark}\n" for remark in loaded.remarks)
    return ExitCode.RELEASE


def _judges(judges: Judges, answers: Sequence[LabelledAnswer]) -> str:
    called = OnTrial(LABELLED["claims"], tuple(answers)).human_verdicts
    faulty = sum(not is_good(each.verdict) for each in called)
    return f"{len(judges.panel)}, beside {count(len(called), 'labelled claim')}, {faulty} of them faulty"


def _item_label_counts(answers: Sequence[HeldAnswer]) -> str:
    """Counts of the labels for other jobs; empty without any."""
    parts = []
    for gate in ITEM_GATES:
        called = OnTrial(LABELLED[gate], tuple([each for each in answers if each.job == gate])).human_verdicts
        sides = Counter(is_good(each.verdict) for each in called)
        if sides:
            words = words_of(gate)
            labelled = count(sides.total(), f"labelled {words['one']}", f"labelled {words['many']}")
            parts.append(f"; {labelled}, {sides[False]} of them {words['faulty']}")
    return "".join(parts)


def _empty(answers: Sequence[LabelledAnswer | HeldAnswer]) -> str:
    empty = sum(len(each.parts) - len(each.labelled) for each in answers)
    return f"; {count(empty, 'empty verdict')} in the file of labels" if empty else ""


def _ab(suite: Suite) -> str:
    members = members_of(suite)
    labs = {member.lab.casefold() for member in members}
    return f"two arms, {count(len(members), 'judge')} of {count(len(labs), 'lab')}"


def _labels(cases: Sequence[Case]) -> str:
    """How many cases have labels of each kind; known-bad cases are counted apart."""
    ordinary = [case for case in cases if not case.known_bad]
    of_all = f"of {len(ordinary)}"
    sources = sum(bool(case.required_source_ids or case.required_quotes) for case in ordinary)
    points = sum(bool(case.required_points) for case in ordinary)
    abstain = sum(case.expect == "abstain" for case in ordinary)
    phrases = sum(
        bool(case.must_contain or case.must_not_contain or case.expected_tools or case.forbidden_tools)
        for case in ordinary
    )
    return (
        f"sources {sources} {of_all}, points {points} {of_all}, abstain {abstain} {of_all}, "
        f"known bad {len(cases) - len(ordinary)}, phrases or tools {phrases} {of_all}"
    )


def _faults(options: Check) -> int:
    """Print how often each fault was caught. It stores nothing and reads no baseline."""
    refuse_missing_traces(options.traces)
    loaded = load(options.suite, traces=options.traces, target_url=options.target_url)
    check = asyncio.run(_fault_check(loaded, options.scope or "full", (options.show,) if options.show else ()))
    if options.show:
        return _show(options.show, check.mutants_of(options.show))
    report = check.report()
    say(_fault_lines(report))
    caught, made = report.counts(*MUST_BE_CAUGHT)
    if not made:
        return ExitCode.INCONCLUSIVE
    return ExitCode.RELEASE if caught == made else ExitCode.BLOCK


def _show(case_id: str, mutants: list[Mutant]) -> int:
    """Print every mutant of one case with its outcome, and as much of its trace as may be shown."""
    if not mutants:
        say([f"raggate: {log_line(case_id)} does not pass, so no fault can be put into it"])
        return ExitCode.INCONCLUSIVE
    missed = [each for each in mutants if not each.caught]
    say([f"raggate: {len(mutants)} faults put into {log_line(case_id)}, {len(mutants) - len(missed)} caught"])
    for each in mutants:
        outcome = f"caught by {each.mutation.gate}" if each.caught else "not caught"
        trace = each.ended.trace.model_dump_json(exclude_none=True, exclude_defaults=True)
        say([f"  {each.mutation.name}: {outcome}", f"    {log_line(trace)}"])
    return ExitCode.BLOCK if any(each.kind in MUST_BE_CAUGHT for each in missed) else ExitCode.RELEASE


async def _fault_check(loaded: LoadedSuite, scope: str, case_ids: tuple[str, ...]) -> FaultCheck:
    rules = rulebook(loaded, parse_moment(moment_now()))
    check = FaultCheck(rules, seed=loaded.suite.seed)
    positions = chosen_positions(loaded, scope, case_ids=case_ids, baseline=None)
    progress = Progress(len(loaded.cases) if positions is None else len(positions), environment=os.environ)
    waiting = WorkFile()

    def take(done: Evaluated) -> None:
        check.offer(done)
        progress.advance(done.row)

    try:
        async with app_of(loaded, rules, waiting) as app:
            await evaluate(loaded.cases.at(positions), app, take)
    finally:
        waiting.close()
        progress.close()
    return check


def _fault_lines(report: FaultReport) -> Iterator[str]:
    if not report.mutants:
        yield "raggate: no case passed, so no fault could be put into any: nothing was tested"
        return
    caught = [f"{rate(*found)} faults {what}" for kind, what in FAULTS.items() if (found := report.counts(kind))[1]]
    yield f"raggate: caught {' · '.join(caught)}"
    width = max(map(len, report.by_mutation))
    for name, mutants in report.by_mutation.items():
        survivors = [mutant for mutant in mutants if not mutant.caught]
        caught_of_it = rate(len(mutants) - len(survivors), len(mutants))
        yield f"  {name:<{width}}  {caught_of_it:>5}  {mutants[0].mutation.gate}"
        for mutant in survivors:
            stage = mutant.ended.first_failed_stage
            closes = f"; {mutant.mutation.closes}" if mutant.mutation.closes else ""
            ended = f"failed at {stage} instead" if stage else f"passed{closes}"
            yield f"    {log_line(mutant.case_id)} {ended}"
    if report.not_tried:
        yield f"  not tried, for no passing case has what it takes: {', '.join(report.not_tried)}"
    for gate in report.inert:
        yield f"  inert: {gate} caught none of the faults that are its own"
