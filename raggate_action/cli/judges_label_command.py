"""`judges label`: it writes answers of a run into the file of labels, each `verdict:` left for a person to fill in."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from raggate_action.cli.commands import DEFAULT_SUITE, JudgesLabel
from raggate_action.cli.last_run import named_or_last
from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial
from raggate_action.core.judging.scorecard_and_arming import MissingLabels
from raggate_action.errors import ExitCode
from raggate_action.report.escape import log_line
from raggate_action.run.labelling.answers_to_label import AnswersToLabel
from raggate_action.run.labelling.judge_trial import labels_missing
from raggate_action.run.labelling.labels_to_fill import labels_to_fill
from raggate_action.schema.calibration import TrialJob
from raggate_action.schema.judges import Arming, Judges
from raggate_action.schema.outcome import ItemGate
from raggate_action.strings.numbers import count
from raggate_action.suite_files.calibration_file import Labelled, add_labels, read_labels
from raggate_action.suite_files.problems import path_text

_JOBS: tuple[TrialJob, ...] = ("claims", *get_args(ItemGate))


def run(options: JudgesLabel) -> int:
    """Write what a judge lacks to be armed, job by job, or `--count` of each; then say what to do next."""
    directory = named_or_last(options.directory, command="judges label")
    of_run = AnswersToLabel(directory, suite=options.suite)
    loaded = of_run.loaded
    judges = loaded.suite.judges
    arming = judges.arming if judges is not None else Arming()
    named = judges.calibration if judges is not None else str(Judges.model_fields["calibration"].default)
    path = options.out or loaded.directory / named
    known = read_labels(path)
    new: list[Labelled] = []
    lines = [f"raggate: {log_line(path_text(path))}"]
    for job in _JOBS:
        own = [each for each in of_run.answers if each.label.job == job]
        there = [label for label in known if label.job == job]
        on_trial = OnTrial(LABELLED[job], tuple(there), arming)
        missing, empty = labels_missing(on_trial), on_trial.empty
        most = options.count or max(0, missing.labels - empty)
        found = labels_to_fill(own, there, most=most, faults=missing.faulty, seed=loaded.suite.seed)
        new += found
        if own or empty:
            empty += sum(len(label.parts) for label in found)
            lines.append(f"  {job}: {_written(found)}; {empty} empty now; {_lacks(missing)}")
    if len(lines) == 1:
        lines = ["raggate: the run has nothing to label"]
    if new:
        add_labels(path, new)
    lines += _notes(of_run)
    if len(lines) > 1:
        suite = "" if loaded.path.resolve() == DEFAULT_SUITE.resolve() else _option(loaded.path, "--suite")
        out = _option(options.out) if options.out else ""
        first = "" if judges is not None else "name judges in the suite (`judges:`), then "
        lines.append(f"  next: fill in the verdicts, then {first}raggate-action judges check{out}{suite}")
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return ExitCode.RELEASE


def _written(found: Sequence[Labelled]) -> str:
    parts = [part for label in found for part in label.parts]
    made = sum(part.made for part in parts)
    how = f", {made} of them of planted faults" if made else ""
    return f"{count(len(parts), 'empty verdict')} written{how}"


def _lacks(missing: MissingLabels) -> str:
    if not missing.labels:
        return "there are labels enough to arm a judge"
    return f"a judge needs {count(missing.labels, 'label')} more to be armed"


def _notes(of_run: AnswersToLabel) -> list[str]:
    notes = []
    if of_run.without_texts:
        left = f"  {count(of_run.without_texts, 'claim')} cannot be labelled"
        notes.append(
            f"{left}, for the suite keeps ids alone (`texts: ids`): write `texts: full`, or `texts: quotes` and an "
            "evidence store, and make the run again."
            if of_run.ids_alone
            else f"{left}, for the texts of their chunks are not at hand: give the suite an evidence store, or write "
            "`texts: full`, and make the run again."
        )
    if of_run.for_some:
        chunks = count(len(of_run.for_some), "chunk")
        notes.append(f"  {chunks} of these answers may be read only by some people: check who reads the file")
    return notes


def _option(path: Path, *name: str) -> str:
    return log_line(" " + shlex.join([*name, path_text(path)]))
