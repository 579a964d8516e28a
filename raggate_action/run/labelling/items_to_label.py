"""The answers of a stored run that a person can hold against facts and criteria: those of its gates, or that may be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from raggate_action.core.judging.facts_and_criteria import judged_items
from raggate_action.core.judging.label_sampling import lesson_of_items
from raggate_action.run.labelling.claims_to_label import LabelableAnswer, stored_answer, utf8_text
from raggate_action.run.run_session import restricted_text
from raggate_action.run_store import read_rows, read_run, read_traces
from raggate_action.schema.calibration import HeldAnswer, LabelledItem
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATE_OF
from raggate_action.suite_files import LoadedSuite


def items_to_label(directory: Path, loaded: LoadedSuite) -> list[LabelableAnswer]:
    """Read a run for people who label facts and criteria, in the run's order.

    Only what the run's gates asked is offered, of cases that are what they were; nothing that the asker may not read;
    and nothing at all where the suite keeps no text.

    Args:
        directory: The run directory.
        loaded: Its suite, as it is today.

    Raises:
        RunStoreError: There is no complete run.
    """
    stored = read_run(directory)
    if "ids" in {stored.policy.texts, loaded.suite.texts}:
        return []
    traces = {each.case_id: each.trace for each in read_traces(directory) if not each.withheld}
    cases = {(each.case.case_id, each.digest): each.case for each in loaded.cases}
    found: list[LabelableAnswer] = []
    for row in read_rows(directory):
        case, trace = cases.get((row.case_id, row.digest)), traces.pop(row.case_id, None)
        if case is None or trace is None or row.kind == "known_bad":
            continue
        answer = stored_answer(row, trace)
        if answer is not None and answer.strip():
            found += _items(row, case, answer, loaded)
    return found


def _items(row: CaseRun, case: Case, answer: str, loaded: LoadedSuite) -> Iterator[LabelableAnswer]:
    repeated_in = restricted_text(loaded).repeated_in
    has_judges = loaded.suite.judges is not None
    items = judged_items(case, language=loaded.suite.language, has_judges=has_judges, repeated_in=repeated_in)
    judged = row.answer_votes.items if row.answer_votes is not None else ()
    for gate in ("agreement", "criteria"):
        outcome = row.outcomes.get(gate)
        own = [item for item in items if GATE_OF[item.kind] == gate]
        # What is shown to nobody leaves gaps that others may lean on.
        if not own or outcome is None or outcome.kind == "not_applicable" or any(item.withheld for item in own):
            continue
        held = HeldAnswer(
            id="new",
            job=gate,
            question=utf8_text(case.asked),
            answer=answer,
            items=tuple(
                [LabelledItem(item_id=item.id, text=utf8_text(item.text), must_not=item.must_not) for item in own]
            ),
            case_id=row.case_id,
        )
        yield LabelableAnswer(held, lesson_of_items(each for each in judged if GATE_OF[each.kind] == gate))
