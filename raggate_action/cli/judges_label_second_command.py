"""`judges label --second` and `--settle`: another person labels a fifth blind, and both settle what they differ on."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from raggate_action.cli.commands import DEFAULT_SUITE
from raggate_action.cli.label_terminal import (
    INTERRUPTED,
    LONGEST_NAME,
    current_screen,
    git_name,
    interrupt_delayed,
    labels_file,
    print_lines,
)
from raggate_action.cli.terminal import Keys
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.escape import log_line
from raggate_action.report.label_screen import (
    ITEM_KEYS,
    KEYS,
    ClaimOnScreen,
    ItemOnScreen,
    claim_lines,
    item_lines,
    job_lines,
    whole_lines,
)
from raggate_action.run.judging.evidence_for_claim import nearest_excerpts
from raggate_action.run.labelling.label_session import LabelLedger
from raggate_action.run.labelling.second_person import (
    LabelledItemOrClaim,
    labellers,
    to_label_again,
    unsettled,
    with_further,
)
from raggate_action.schema.calibration import FurtherLabel, LabelledAnswer
from raggate_action.schema.judgement import ItemGate
from raggate_action.strings.numbers import count
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.problems import path_text


def run(options: argparse.Namespace) -> int:
    """Ask about each label of the fifth, or each that two people differ on; no run is needed, the file has all."""
    loaded = load_suite(options.suite or DEFAULT_SUITE, environment=os.environ)
    path = options.calibration or loaded.directory / labels_file(loaded)
    ledger = LabelLedger(path)
    settles = bool(options.settle)
    things = unsettled(ledger.labels) if settles else to_label_again(ledger.labels, seed=loaded.suite.seed)
    if not things:
        what = "there is no label that two people differ on" if settles else "no label is left for a second person"
        print_lines([f"raggate: {what} in {log_line(path_text(path))}"])
        return ExitCode.RELEASE
    code: int = ExitCode.RELEASE
    try:
        with Keys() as keys:
            name = _name(keys, loaded.directory, frozenset() if settles else labellers(ledger.labels))
            print_lines(_opening_lines(things, name, settles=settles))
            _label_all(keys, ledger, things[: options.count], name, IndexCache(loaded.suite.language), settles=settles)
    except KeyboardInterrupt:
        print_lines([""])
        code = INTERRUPTED
    print_lines(_closing_lines(ledger, options, settles=settles))
    return code


def _name(keys: Keys, folder: Path, first: frozenset[str]) -> str:
    """Who labels: as git knows it, else as typed; nobody labels twice what they said before.

    Raises:
        UsageError: No other name is typed.
    """
    name = git_name(folder)
    if name is None or name in first:
        if name is not None:
            print_lines([f"raggate: git says that you are {log_line(name)}, who gave the first labels"])
        name = keys.line("your name, kept with your labels")[:LONGEST_NAME].strip()
    if not name or name in first:
        raise UsageError(
            "a second person is needed: nobody sees their own labels as another would",
            hint="Let a colleague run `raggate-action judges label --second`, and type another name.",
        )
    return name


def _opening_lines(things: Sequence[LabelledItemOrClaim], name: str, *, settles: bool) -> Iterator[str]:
    if settles:
        yield f"raggate: {count(len(things), 'label')} to settle, as {log_line(name)}"
        yield "Two people differ on these. Read both notes, decide by the evidence, and press what holds."
    else:
        yield f"raggate: {count(len(things), 'label')} for a second person, {log_line(name)}"
        yield "Drawn by chance from what another person labelled. You do not see what was said: decide by the evidence."


def _label_all(
    keys: Keys,
    ledger: LabelLedger,
    things: Sequence[LabelledItemOrClaim],
    name: str,
    indexes: IndexCache,
    *,
    settles: bool,
) -> None:
    """Go through them, back as well; what is written stands."""
    place, now = 0, "none"
    given: list[int] = []
    while place < len(things):
        thing = things[place]
        gate: ItemGate | None = None if isinstance(thing.answer, LabelledAnswer) else thing.answer.job
        if now != (gate or "claims"):
            print_lines(job_lines(gate, current_screen()))
            now = gate or "claims"
        _show(thing, place + 1, indexes)
        if settles:
            print_lines(_verdict_lines(thing))
        meant: Mapping[str, str] = KEYS if gate is None else ITEM_KEYS[gate]
        note: str | None = None
        while True:
            keys.forget()
            listed = "  ".join(f"{key} {verdict}" for key, verdict in meant.items())
            print_lines(["", listed, "? skip  b back  n note  e all of the evidence  q quit"], end="> ")
            key = keys.key()
            print_lines([key if key is not None and key.isprintable() else ""])
            if key is None or key == "q":
                return
            if key in meant:
                further = FurtherLabel(verdict=meant[key], labeller=name, note=note)  # type: ignore[arg-type]
                with interrupt_delayed():
                    ledger.write(with_further(ledger.labels, thing, "settled" if settles else "second", further))
                given.append(place)
                print_lines([f"  {place + 1} of {len(things)}"])
                place += 1
                break
            if key == "?":
                place += 1
                break
            if key == "b" and given:
                with interrupt_delayed():
                    ledger.back()
                place = given.pop()
                break
            if key == "n":
                note = keys.line("note, kept with the label") or None
            elif key == "e" and isinstance(thing.answer, LabelledAnswer):
                chunks = [(chunk.chunk_id, chunk.text) for chunk in thing.answer.chunks]
                print_lines(whole_lines(_claim(thing, place + 1, indexes), chunks, current_screen()))
            else:
                print_lines(
                    ["  this is none of the keys above" if key != "b" else "  nothing to go back to in this session"]
                )


def _claim(thing: LabelledItemOrClaim, number: int, indexes: IndexCache) -> ClaimOnScreen:
    answer, text = thing.answer, thing.label.text
    chunks = answer.chunks if isinstance(answer, LabelledAnswer) else ()
    at = answer.answer.find(text)
    span = None if at < 0 else (at, at + len(text))
    excerpts = nearest_excerpts(text, chunks, indexes)
    return ClaimOnScreen(number, "random", answer.case_id, answer.question, answer.answer, text, span, excerpts)


def _show(thing: LabelledItemOrClaim, number: int, indexes: IndexCache) -> None:
    answer = thing.answer
    if isinstance(answer, LabelledAnswer):
        print_lines(claim_lines(_claim(thing, number, indexes), current_screen()))
        return
    texts = [item.text for item in answer.items]
    given = (answer.case_id, answer.job, answer.question, answer.answer, texts, thing.place)
    print_lines(item_lines(ItemOnScreen(number, "random", *given), current_screen()))


def _verdict_lines(thing: LabelledItemOrClaim) -> Iterator[str]:
    label, second = thing.label, thing.label.second
    for who, said in (("the first person", label), ("the second person", second)):
        if said is not None:
            note = f": {log_line(said.note)}" if said.note else ""
            yield f"  {log_line(said.labeller or who)} says {said.verdict}{note}"


def _closing_lines(ledger: LabelLedger, options: argparse.Namespace, *, settles: bool) -> Iterator[str]:
    left = unsettled(ledger.labels)
    yield f"raggate: {count(ledger.given, 'label')} given; {count(len(left), 'label')} on which two people differ"
    for each in left:
        second = each.label.second
        said = f"{each.label.verdict} and {second.verdict}" if second is not None else str(each.label.verdict)
        yield f"  {log_line(each.answer.id)}: “{log_line(each.label.text)}”: {said}"
    if left and not settles:
        yield "  they count for nothing until both have talked: raggate-action judges label --settle"
    else:
        suite = "" if options.suite is None else f" {log_line(path_text(options.suite))}"
        yield f"  next: raggate-action judges check{suite}, which shows how far the two agree"
