"""`judges label`: with one key each, a person labels a run's claims, and how its answers stand to facts and criteria.

Judges are tested against these labels, job by job.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from raggate_action.cli.commands import DEFAULT_SUITE
from raggate_action.cli.label_terminal import (
    INTERRUPTED,
    current_screen,
    git_name,
    interrupt_delayed,
    labels_file,
    print_lines,
)
from raggate_action.cli.last_run import named_or_last
from raggate_action.cli.terminal import Keys
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.escape import log_line
from raggate_action.report.judge_messages import words_of
from raggate_action.report.label_screen import (
    ITEM_KEYS,
    KEYS,
    ClaimOnScreen,
    ItemOnScreen,
    claim_lines,
    head_lines,
    item_lines,
    item_votes_line,
    job_lines,
    keys_lines,
    others_line,
    progress_line,
    whole_lines,
)
from raggate_action.run.judging.evidence_for_claim import nearest_excerpts
from raggate_action.run.labelling.claims_to_label import ClaimsOfRun, LabelableClaim, claim_session, claims_to_label
from raggate_action.run.labelling.items_to_label import LabelableItem, item_sessions
from raggate_action.run.labelling.label_session import LabelJobs, LabelLedger, LabelOffer, LabelSession
from raggate_action.run.labelling.second_person import to_label_again
from raggate_action.schema.judgement import ItemGate
from raggate_action.strings.numbers import count
from raggate_action.suite_files.calibration_file import read_labels
from raggate_action.suite_files.problems import path_text
from raggate_action.version import LABELLING


class _Labelling(NamedTuple):
    """What a labelling session consists of."""

    jobs: LabelJobs
    keys: Keys
    indexes: IndexCache


def run(options: argparse.Namespace) -> int:
    """Offer claims until a person quits, --count is reached or no claim is left; then say what to do next."""
    if not sys.stdin.isatty():
        raise UsageError(
            "`judges label` asks a person, and its input is no terminal",
            hint="Run it in a terminal, on the run directory or on an artifact that was downloaded and unpacked.",
        )
    if options.second or options.settle:
        from raggate_action.cli.judges_label_second_command import run as run_second

        return run_second(options)
    options.directory = named_or_last(options.directory, command="judges label")
    of_run = claims_to_label(options.directory, suite=options.suite)
    path = options.calibration or of_run.loaded.directory / labels_file(of_run.loaded)
    ledger = LabelLedger(path, labeller=git_name(of_run.loaded.directory))
    jobs = LabelJobs((claim_session(of_run, ledger), *item_sessions(options.directory, of_run.loaded, ledger)), ledger)
    if jobs.offer() is None:
        print_lines(_nothing_left_lines(of_run, jobs))
        print_lines(_closing_lines(options, of_run, jobs, path) if jobs.total else ())
        return ExitCode.RELEASE
    print_lines(head_lines(current_screen(), _opening_lines(of_run, jobs, path)))
    indexes = IndexCache(of_run.loaded.suite.language)
    code: int = ExitCode.RELEASE
    try:
        with Keys() as keys:
            _label_until_quit(_Labelling(jobs, keys, indexes), options.count)
    except KeyboardInterrupt:
        print_lines([""])
        code = INTERRUPTED
    print_lines(_closing_lines(options, of_run, jobs, path))
    return code


def _opening_lines(of_run: ClaimsOfRun, jobs: LabelJobs, path: Path) -> Iterator[str]:
    session, *others = jobs.sessions
    why = [*session.sample.why.values()]
    apart, suspects = why.count("disagreement"), why.count("suspect")
    left = count(session.unlabelled_count, "claim")
    yield f"raggate: {left} of {len(of_run.claims)} to label, into {log_line(path_text(path))}"
    if why:
        yield (
            f"The most useful come first: {apart} where judges disagree, then {suspects} that a rule, a label or a "
            "judge doubts. One claim in three is drawn at random and says so, so that rates over these stay unbiased."
        )
    else:
        yield "All are drawn at random: none of them is known to be more useful than another."
    if of_run.without_texts:
        yield _unlabelable_line(of_run)
    if of_run.for_some:
        yield (
            f"{count(len(of_run.for_some), 'chunk')} of these claims may be read only by some people, and will be "
            "in the file: check who reads it."
        )
    yield f"So far {progress_line(*session.progress)}."
    for other in others:
        yield _item_session_line(other)
    yield f"Ten hard kinds: {LABELLING}"
    yield "Decide by what the chunks say, not by what you know:"


def _item_session_line(session: LabelSession[Any]) -> str:
    words = words_of(session.job)
    why = [*session.sample.why.values()]
    first = (
        f"{why.count('disagreement')} where judges disagree, {why.count('suspect')} that they doubt; " if why else ""
    )
    left = f"{session.unlabelled_count} of {count(session.total, words.one, words.many)} to label"
    return f"And {session.job}: {left}; {first}so far {progress_line(*session.progress)}. j goes over to it."


def _unlabelable_line(of_run: ClaimsOfRun) -> str:
    left = f"{count(of_run.without_texts, 'claim')} cannot be labelled"
    if of_run.ids_alone:
        return (
            f"{left}, for the suite keeps ids alone (`texts: ids`): write `texts: full`, or `texts: quotes` and an "
            "evidence store, and make the run again."
        )
    return (
        f"{left}, for the texts of their chunks are not at hand: give the suite an evidence store, or write "
        "`texts: full`, and make the run again."
    )


def _nothing_left_lines(of_run: ClaimsOfRun, jobs: LabelJobs) -> list[str]:
    if len(jobs.sessions) > 1:
        return [f"raggate: all that the run has to label is labelled ({jobs.total})"]
    if of_run.claims:
        return [f"raggate: every claim of the run is labelled ({len(of_run.claims)})"]
    if of_run.without_texts:
        return [f"raggate: {_unlabelable_line(of_run)}"]
    return ["raggate: the run has no claims to label: no admissible answer of it claims anything"]


def _label_until_quit(labelling: _Labelling, most: int | None) -> None:
    """Offer things until a person quits, `most` are labelled, or nothing is left."""
    goes_on = True
    now: ItemGate | None = None
    while goes_on and (most is None or labelling.jobs.given < most):
        offer = labelling.jobs.offer()
        if offer is None:
            return
        gate = offer.of.gate if isinstance(offer.of, LabelableItem) else None
        if gate != now:
            print_lines(job_lines(gate, current_screen()))
            now = gate
        goes_on = _label_one(labelling, offer, gate)


def _label_one(labelling: _Labelling, offer: LabelOffer[LabelableClaim | LabelableItem], gate: ItemGate | None) -> bool:
    """Show one thing and act on the key; False to quit."""
    jobs, keys = labelling.jobs, labelling.keys
    thing = _screen_item(labelling, offer)
    keys.forget()
    print_lines(
        item_lines(thing, current_screen()) if isinstance(thing, ItemOnScreen) else claim_lines(thing, current_screen())
    )
    note: str | None = None
    while True:
        print_lines(keys_lines(gate, others=jobs.has_others), end="> ")
        key = keys.key()
        print_lines([key if key is not None and key.isprintable() else ""])
        if key is None or key == "q":
            return False
        if _write_label(labelling, offer, key, note):
            return True
        if key == "?":
            jobs.skip(offer)
            return True
        if key == "b":
            with interrupt_delayed():
                went = jobs.back()
            if went:
                return True
            print_lines(["  nothing to go back to in this session"])
        elif key == "j" and jobs.go_over():
            return True
        elif key == "n":
            note = keys.line("note, kept with the label") or None
        elif key == "e" and isinstance(offer.of, LabelableClaim) and isinstance(thing, ClaimOnScreen):
            print_lines(
                whole_lines(thing, [(chunk.chunk_id, chunk.text) for chunk in offer.of.chunks], current_screen())
            )
        else:
            print_lines(["  this is none of the keys above"])


def _screen_item(
    labelling: _Labelling, offer: LabelOffer[LabelableClaim | LabelableItem]
) -> ClaimOnScreen | ItemOnScreen:
    of, drawn, place = offer.of, offer.turn.drawn, labelling.jobs.steps + 1
    if isinstance(of, LabelableItem):
        texts = [item.text for item in of.held.items]
        return ItemOnScreen(place, drawn, of.held.case_id, of.gate, of.held.question, of.held.answer, texts, of.place)
    excerpts = nearest_excerpts(of.text, of.chunks, labelling.indexes)
    return ClaimOnScreen(place, drawn, of.case_id, of.question, of.answer, of.text, of.span, excerpts)


def _write_label(
    labelling: _Labelling, offer: LabelOffer[LabelableClaim | LabelableItem], key: str, note: str | None
) -> bool:
    """Write the label of a key; False if the key has no label."""
    of = offer.of
    said = (ITEM_KEYS[of.gate] if isinstance(of, LabelableItem) else KEYS).get(key)
    if said is None:
        return False
    with interrupt_delayed():
        progress = labelling.jobs.label(offer, said, note)
    look = current_screen()
    line = (
        item_votes_line(of.judged, look)
        if isinstance(of, LabelableItem)
        else others_line(of.claim, of.changed_from, look)
    )
    print_lines([line, f"  {progress_line(*progress)}"])
    return True


def _closing_lines(options: argparse.Namespace, of_run: ClaimsOfRun, jobs: LabelJobs, path: Path) -> Iterator[str]:
    claims, *others = jobs.sessions
    yield f"raggate: {log_line(path_text(path))} holds {progress_line(*claims.progress)}"
    for session in others:
        yield f"  {session.job}: {progress_line(*session.progress)}"
    given = (("--suite", options.suite), ("--calibration", options.calibration))
    files = [word for name, value in given if value for word in (name, str(value))]
    if jobs.offer() is not None:
        words = shlex.join([str(options.directory), *files])
        yield f"  go on where you stopped: raggate-action judges label {log_line(words)}"
    else:
        what = "everything" if others else "every claim"
        yield f"  {what} of this run has had its turn; the next run has others"
    again = to_label_again(read_labels(path), seed=of_run.loaded.suite.seed)
    if again:
        command = shlex.join(["raggate-action", "judges", "label", "--second", *files])
        yield f"  for a second person, a fifth drawn blind ({count(len(again), 'label')}): {log_line(command)}"
    suite = of_run.loaded.path
    named = "" if suite.resolve() == DEFAULT_SUITE.resolve() else f" {log_line(shlex.quote(path_text(suite)))}"
    first = "" if of_run.loaded.suite.judges is not None else "name judges in the suite (`judges:`), then "
    yield f"  next: {first}raggate-action judges check{named}, which holds the suite's judges against the labels"
