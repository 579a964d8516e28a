"""`label`: a person says of claims whether their chunks support them, one key each; judges are held against that."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from raggate_action.app_arguments import DEFAULT_SUITE
from raggate_action.core.evidence_checks.index import IndexCache
from raggate_action.errors import ExitCode, UsageError
from raggate_action.numbers import count
from raggate_action.onboarding.one_key import Keys, shows_colour
from raggate_action.pipeline.claims_to_label import ClaimsOfRun, claims_to_label
from raggate_action.pipeline.evidence_beside import excerpts_beside
from raggate_action.pipeline.label_session import LabelSession, Offer
from raggate_action.report.escape import log_line
from raggate_action.report.label_screen import (
    KEYS,
    Look,
    OpenClaim,
    claim_lines,
    head_lines,
    keys_lines,
    progress_line,
    said_line,
    whole_lines,
)
from raggate_action.schema.judges import Judges
from raggate_action.suite_files.problems import path_text

_INTERRUPTED = 130


class _Desk(NamedTuple):
    """What a person labels with."""

    session: LabelSession
    keys: Keys
    look: Callable[[], Look]
    indexes: IndexCache


def run(options: argparse.Namespace) -> int:
    """Offer claims until somebody quits, so many are labelled, or none is left; then say what comes next."""
    if not sys.stdin.isatty():
        raise UsageError(
            "`label` asks a person, and its input is no terminal",
            hint="Run it in a terminal, on the run directory or on an artifact that was downloaded and unpacked.",
        )
    of_run = claims_to_label(options.directory, suite=options.suite)
    path = options.calibration or of_run.loaded.directory / _file_of(of_run)
    session = LabelSession(of_run, path)
    look = _look(os.environ)
    if session.offer() is None:
        _print(_nothing(of_run))
        _print(_end(options, of_run, session, path) if of_run.claims else ())
        return ExitCode.RELEASE
    _print(head_lines(look(), _head(of_run, session, path)))
    indexes = IndexCache(of_run.loaded.suite.language)
    code: int = ExitCode.RELEASE
    try:
        with Keys() as keys:
            _labelled(_Desk(session, keys, look, indexes), options.count)
    except KeyboardInterrupt:
        _print([""])
        code = _INTERRUPTED
    _print(_end(options, of_run, session, path))
    return code


def _file_of(of_run: ClaimsOfRun) -> str:
    judges = of_run.loaded.suite.judges
    default = Judges.model_fields["calibration"].default
    return judges.calibration if judges is not None else str(default)


def _look(environment: Mapping[str, str]) -> Callable[[], Look]:
    """How the terminal is now: it may be made larger while somebody labels."""
    colour = shows_colour(environment)

    def look() -> Look:
        size = shutil.get_terminal_size()
        return Look(size.columns, size.lines, colour)

    return look


def _head(of_run: ClaimsOfRun, session: LabelSession, path: Path) -> Iterator[str]:
    why = [*session.sample.why.values()]
    apart, suspects = why.count("disagreement"), why.count("suspect")
    yield f"raggate: {count(session.left, 'claim')} of {len(of_run.claims)} to label, into {log_line(path_text(path))}"
    if why:
        yield (
            f"First come those that teach most: {apart} where judges disagree, then {suspects} that a rule, a label or "
            "a judge doubts. Every third is drawn at random from all, so that rates over these stay unbiased; each "
            "says which it is."
        )
    else:
        yield "All are drawn at random: nothing says that one of them teaches more than another."
    if of_run.without_texts:
        yield _without_texts(of_run)
    if of_run.for_some:
        yield (
            f"{count(len(of_run.for_some), 'chunk')} that only some may read stand beside these claims, and go into "
            "the file with them: see who reads it."
        )
    yield f"So far {progress_line(*session.progress)}."
    yield "What the chunks say decides, not what is known of the world:"


def _without_texts(of_run: ClaimsOfRun) -> str:
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


def _nothing(of_run: ClaimsOfRun) -> list[str]:
    if of_run.claims:
        return [f"raggate: every claim of the run is labelled ({len(of_run.claims)})"]
    if of_run.without_texts:
        return [f"raggate: {_without_texts(of_run)}"]
    return ["raggate: the run has no claims to label: no admissible answer of it claims anything"]


def _labelled(desk: _Desk, most: int | None) -> None:
    """Go on until a person quits, `most` are labelled, or nothing is left."""
    goes_on = True
    while goes_on and (most is None or desk.session.given < most):
        offer = desk.session.offer()
        goes_on = offer is not None and _asked(desk, offer)


def _asked(desk: _Desk, offer: Offer) -> bool:
    """Show one claim and do what is pressed; False to quit."""
    session, keys = desk.session, desk.keys
    excerpts = excerpts_beside(offer.text, offer.chunks, desk.indexes)
    drawn, place = offer.turn.drawn, session.steps + 1
    shown = OpenClaim(place, drawn, offer.case_id, offer.question, offer.answer, offer.text, offer.span, excerpts)
    keys.forget()
    _print(claim_lines(shown, desk.look()))
    note: str | None = None
    while True:
        _print(keys_lines(), end="> ")
        key = keys.key()
        _print([key if key is not None and key.isprintable() else ""])
        if key is None or key == "q":
            return False
        if key in KEYS:
            with _whole():
                session.label(offer, KEYS[key], note)
            _after(desk, offer)
            return True
        if key == "?":
            session.skip(offer)
            return True
        if key == "b":
            with _whole():
                went = session.back()
            if went:
                return True
            _print(["  nothing to go back to in this session"])
        elif key == "n":
            note = keys.line("note, kept with the label") or None
        elif key == "e":
            _print(whole_lines(shown, [(chunk.chunk_id, chunk.text) for chunk in offer.chunks], desk.look()))
        else:
            _print(["  that is none of the keys"])


@contextlib.contextmanager
def _whole() -> Iterator[None]:
    """Ctrl-C waits for the end of a write: a key that was pressed is a label that is kept."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _after(desk: _Desk, offer: Offer) -> None:
    was = offer.made.origin.text if offer.made is not None else None
    _print([said_line(offer.claim, was, desk.look()), f"  {progress_line(*desk.session.progress)}"])


def _end(options: argparse.Namespace, of_run: ClaimsOfRun, session: LabelSession, path: Path) -> Iterator[str]:
    yield f"raggate: {log_line(path_text(path))} holds {progress_line(*session.progress)}"
    if session.offer() is not None:
        given = (("--suite", options.suite), ("--calibration", options.calibration))
        words = ["label", options.directory, *(word for name, value in given if value for word in (name, value))]
        yield f"  go on where you stopped: raggate-action {log_line(shlex.join(map(str, words)))}"
    else:
        yield "  every claim of this run has had its turn; the next run has others"
    suite = of_run.loaded.path
    named = "" if suite.resolve() == DEFAULT_SUITE.resolve() else f" {log_line(shlex.quote(path_text(suite)))}"
    first = "" if of_run.loaded.suite.judges is not None else "name judges in the suite (`judges:`), then "
    yield f"  next: {first}raggate-action calibrate{named}, which holds the suite's judges against the labels"


def _print(lines: Iterable[str], end: str = "") -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write(end)
    sys.stdout.flush()
