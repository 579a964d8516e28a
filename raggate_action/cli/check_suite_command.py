"""`check-suite`: every mistake in suite, case and evidence files, before anything is asked of the app."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from raggate_action.core.judging.agreement_with_labels import OnTrial, is_good
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES
from raggate_action.core.judging.label_vocabulary import LABELLED
from raggate_action.errors import ExitCode
from raggate_action.report.escape import log_line
from raggate_action.report.judge_messages import WORDS
from raggate_action.run.run_session import permitted_tell, restricted_text
from raggate_action.schema.ab import Ab
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer
from raggate_action.schema.case import Case
from raggate_action.schema.judges import Judges
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import RecordedTarget
from raggate_action.strings.numbers import count
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.ab_section import members_of
from raggate_action.targets.recorded_target import first_read
from raggate_action.targets.reply_mapping import ReplyMapping


def run(options: argparse.Namespace) -> int:
    """Print what the suite holds, or fail with every problem found."""
    loaded = load_suite(options.suite, environment=os.environ, today=datetime.now(UTC).date(), on_this_machine=True)
    chunks = f"{len(loaded.evidence)} chunks of evidence" if loaded.evidence is not None else "no evidence store"
    sys.stdout.write(f"{options.suite}: {loaded.suite.suite}: {len(loaded.cases)} cases, {chunks}, no mistakes found\n")
    sys.stdout.write(f"  labels: {_labels([placed.case for placed in loaded.cases])}\n")
    if loaded.suite.judges is not None:
        sys.stdout.write(f"  judges: {_judges(loaded.suite.judges, loaded.calibration)}{_held(loaded.held)}\n")
    if loaded.suite.ab is not None and loaded.rubric is not None:
        scored = f"scored for {', '.join(loaded.rubric.names)}"
        sys.stdout.write(f"  ab: {_ab(loaded.suite, loaded.suite.ab)}, {scored}\n")
    target = loaded.suite.target
    if isinstance(target, RecordedTarget):
        read = first_read(loaded.directory / target.traces, ReplyMapping(target.response, loaded.evidence))
        tell = permitted_tell(lambda line: sys.stdout.write(f"  {log_line(line)}\n"), restricted_text(loaded))
        for line in read:
            tell(line)
    sys.stdout.writelines(f"  note: {remark}\n" for remark in loaded.remarks)
    return ExitCode.RELEASE


def _judges(judges: Judges, answers: Iterable[LabelledAnswer]) -> str:
    verdicts = [claim.verdict for answer in answers for claim in answer.claims]
    faulty = sum(verdict != "supported" for verdict in verdicts)
    return f"{len(judges.panel)}, beside {count(len(verdicts), 'labelled claim')}, {faulty} of them faulty"


def _held(answers: Sequence[HeldAnswer]) -> str:
    """Labels of the other jobs, as far as there are any."""
    parts = []
    for gate in ITEM_GATES:
        called = OnTrial(LABELLED[gate], tuple([each for each in answers if each.job == gate])).called
        sides = Counter(is_good(each.verdict) for each in called)
        if sides:
            words = WORDS[gate]
            labelled = count(sides.total(), f"labelled {words.one}", f"labelled {words.many}")
            parts.append(f"; {labelled}, {sides[False]} of them {words.faulty}")
    return "".join(parts)


def _ab(suite: Suite, ab: Ab) -> str:
    members = members_of(suite)
    labs = {member.lab.casefold() for member in members}
    arms = "two arms" if ab.control is not None else "the baseline's answers beside a run's"
    return f"{arms}, {count(len(members), 'judge')} of {count(len(labs), 'lab')}"


def _labels(cases: Sequence[Case]) -> str:
    """How many cases say what is right; known-bad ones stand apart."""
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
