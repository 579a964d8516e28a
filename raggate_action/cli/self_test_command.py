"""`self-test`: can the suite's gates fail at all? Faults are put into its passing traces, and each must be caught."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Iterator

from raggate_action.core.gates.case_row import Evaluated
from raggate_action.errors import ExitCode
from raggate_action.report.escape import log_line
from raggate_action.report.self_test_view import FAULTS
from raggate_action.run.case_selection import chosen_positions
from raggate_action.run.clock import moment_now
from raggate_action.run.decision_text import say
from raggate_action.run.evaluation import app_of, evaluate
from raggate_action.run.gate_self_test import Mutant, SelfTesting
from raggate_action.run.progress import Progress
from raggate_action.run.run_session import load, rulebook
from raggate_action.run_store import WaitingCases
from raggate_action.schema.base import parse_moment
from raggate_action.schema.self_test import MUST_BE_CAUGHT, SelfTest
from raggate_action.strings.numbers import rate
from raggate_action.suite_files import LoadedSuite


def run(options: argparse.Namespace) -> int:
    """Print every fault with how often it was caught; nothing is stored, and no baseline is looked at."""
    loaded = load(options)
    testing = asyncio.run(_tested(loaded, options.scope, (options.show,) if options.show else ()))
    if options.show:
        return _show(options.show, testing.mutants_of(options.show))
    tested = testing.result()
    say(_lines(tested))
    killed, made = tested.demanded
    if not made:
        return ExitCode.INCONCLUSIVE
    return ExitCode.RELEASE if killed == made else ExitCode.BLOCK


def _show(case_id: str, mutants: list[Mutant]) -> int:
    """Print every mutant of one case: what became of it, and its trace as far as that may be shown."""
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


async def _tested(loaded: LoadedSuite, scope: str, case_ids: tuple[str, ...]) -> SelfTesting:
    rules = rulebook(loaded, parse_moment(moment_now()))
    testing = SelfTesting(rules, seed=loaded.suite.seed)
    positions = chosen_positions(loaded, scope, case_ids=case_ids, baseline=None)
    progress = Progress(len(loaded.cases) if positions is None else len(positions), environment=os.environ)
    waiting = WaitingCases(None)

    def take(done: Evaluated) -> None:
        testing.offer(done)
        progress.advance(done.row)

    try:
        async with app_of(loaded, rules, waiting) as app:
            await evaluate(loaded.cases.at(positions), app, take)
    finally:
        waiting.close()
        progress.close()
    return testing


def _lines(tested: SelfTest) -> Iterator[str]:
    if not tested.results:
        yield "raggate: no case passed, so no fault could be put into any: nothing was tested"
        return
    counts = [(what, tested.counts(kind)) for kind, what in FAULTS.items()]
    caught = [f"{rate(*count)} faults {what}" for what, count in counts if count[1]]
    yield f"raggate: caught {' · '.join(caught)}"
    width = max(len(result.mutation) for result in tested.results)
    for result in tested.results:
        yield f"  {result.mutation:<{width}}  {rate(result.killed, result.made):>5}  {result.gate}"
        for survivor in result.survivors:
            ended = f"failed at {survivor.ended} instead" if survivor.ended else "passed"
            closes = f"; {survivor.closes}" if survivor.closes else ""
            yield f"    {log_line(survivor.case_id)} {ended}{closes}"
    if tested.not_made:
        yield f"  not made, for no passing case has what it takes: {', '.join(tested.not_made)}"
    if tested.unmeasured:
        yield f"  not measured: {tested.unmeasured}, for a fault in raggate; the trace stands above"
    for gate in tested.inert:
        yield f"  inert: {gate} caught none of the faults that are its own"
