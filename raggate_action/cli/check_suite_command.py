"""`check-suite`: every mistake in suite, case and evidence files, before anything is asked of the app."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from raggate_action.core.panel.item_trial import labelled_verdicts
from raggate_action.core.panel.items import ITEM_GATES
from raggate_action.core.panel.trial import is_good
from raggate_action.errors import ExitCode
from raggate_action.pipeline.session import permitted_tell, restricted_text
from raggate_action.report.escape import log_line
from raggate_action.report.judge_words import WORDS
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer
from raggate_action.schema.judges import Judges
from raggate_action.schema.target import RecordedTarget
from raggate_action.strings.numbers import count
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.ab_checks import ab_words
from raggate_action.suite_files.case_survey import LabelCounts
from raggate_action.targets.recorded import first_read
from raggate_action.targets.reply_mapping import ReplyMapping


def run(options: argparse.Namespace) -> int:
    """Print what the suite holds, or fail with every problem found."""
    loaded = load_suite(options.suite, environment=os.environ, today=datetime.now(UTC).date(), on_this_machine=True)
    chunks = f"{len(loaded.evidence)} chunks of evidence" if loaded.evidence is not None else "no evidence store"
    sys.stdout.write(f"{options.suite}: {loaded.suite.suite}: {len(loaded.cases)} cases, {chunks}, no mistakes found\n")
    sys.stdout.write(f"  labels: {_labels(loaded.labels)}\n")
    if loaded.suite.judges is not None:
        sys.stdout.write(f"  judges: {_judges(loaded.suite.judges, loaded.calibration)}{_held(loaded.held)}\n")
    if loaded.suite.ab is not None and loaded.rubric is not None:
        scored = f"scored for {', '.join(loaded.rubric.names)}"
        sys.stdout.write(f"  ab: {ab_words(loaded.suite, loaded.suite.ab)}, {scored}\n")
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
        sides = Counter(is_good(people) for people, _item in labelled_verdicts(a for a in answers if a.job == gate))
        if sides:
            words = WORDS[gate]
            labelled = count(sides.total(), f"labelled {words.one}", f"labelled {words.many}")
            parts.append(f"; {labelled}, {sides[False]} of them {words.faulty}")
    return "".join(parts)


def _labels(found: LabelCounts) -> str:
    of_all = f"of {found.cases}"
    return (
        f"sources {found.sources} {of_all}, points {found.points} {of_all}, abstain {found.abstain} {of_all}, "
        f"known bad {found.known_bad}, phrases or tools {found.phrases} {of_all}"
    )
