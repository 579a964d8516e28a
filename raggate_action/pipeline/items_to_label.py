"""The facts and criteria of a stored run that a person can label: those its answers were held against, or may be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.panel.items import Item, items_of
from raggate_action.core.panel.label_sampling import item_key
from raggate_action.pipeline.claims_to_label import answer_of, plain
from raggate_action.pipeline.session import restricted_text
from raggate_action.pipeline.stored import counted_rows
from raggate_action.run_store import read_run, read_traces
from raggate_action.schema.answer_votes import GATE_OF, JudgedItem
from raggate_action.schema.calibration import HeldAnswer, LabelledItem
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import ItemGate
from raggate_action.suite_files import LoadedSuite


class LabelableItem(NamedTuple):
    """A fact or criterion beside the answer that a person holds against it.

    Attributes:
        gate: The gate it is of.
        held: The answer with all items of the gate, of none of which anything is said.
        place: Which of them it is.
        judged: What judges said of it in the run; None where nobody was asked.
    """

    gate: ItemGate
    held: HeldAnswer
    place: int
    judged: JudgedItem | None = None

    @property
    def item(self) -> LabelledItem:
        """The fact or criterion."""
        return self.held.items[self.place]

    @property
    def key(self) -> str:
        """What a label belongs to."""
        return item_key(self.held, self.item)


def items_to_label(directory: Path, loaded: LoadedSuite) -> dict[str, LabelableItem]:
    """Read a run for people who label facts and criteria, by key, in the run's order.

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
        return {}
    traces = {each.case_id: each.trace for each in read_traces(directory) if not each.withheld}
    cases = {(each.case.case_id, each.digest): each.case for each in loaded.cases}
    found: dict[str, LabelableItem] = {}
    for row in counted_rows(directory, stored):
        case, trace = cases.get((row.case_id, row.digest)), traces.pop(row.case_id, None)
        if case is None or trace is None or row.kind == "known_bad":
            continue
        answer = answer_of(row, trace)
        if answer is not None and answer.strip():
            for each in _items(row, case, answer, loaded):
                found.setdefault(each.key, each)
    return found


def _items(row: CaseRun, case: Case, answer: str, loaded: LoadedSuite) -> Iterator[LabelableItem]:
    repeated_in = restricted_text(loaded).repeated_in
    has_judges = loaded.suite.judges is not None
    items = items_of(case, language=loaded.suite.language, has_judges=has_judges, repeated_in=repeated_in)
    judged = {
        (each.kind, each.text, each.must_not): each for each in (row.answer_votes.items if row.answer_votes else ())
    }
    for gate in ("agreement", "criteria"):
        outcome = row.outcomes.get(gate)
        own = [item for item in items if GATE_OF[item.kind] == gate]
        # What is shown to nobody leaves gaps that others may lean on.
        if not own or outcome is None or outcome.kind == "not_applicable" or any(item.withheld for item in own):
            continue
        held = HeldAnswer(
            id="new",
            job=gate,
            question=plain(case.asked),
            answer=answer,
            items=tuple(map(_labelable, own)),
            case_id=row.case_id,
            run=row.answer_digest,
        )
        for place, item in enumerate(own):
            yield LabelableItem(gate, held, place, judged.get((item.kind, item.text, item.must_not)))


def _labelable(item: Item) -> LabelledItem:
    return LabelledItem(item_id=item.id, text=plain(item.text), must_not=item.must_not)
