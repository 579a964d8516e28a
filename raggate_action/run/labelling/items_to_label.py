"""The facts and criteria of a stored run that a person can label, and how their labels stand in the file.

They are those its answers were held against, or may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial, item_key
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES, judged_items
from raggate_action.core.judging.label_sampling import Lesson, lesson_of_item
from raggate_action.run.labelling.claims_to_label import stored_answer, utf8_text
from raggate_action.run.labelling.label_session import GivenBy, LabelLedger, LabelSession
from raggate_action.run.run_session import restricted_text
from raggate_action.run.stored_runs import counted_rows
from raggate_action.run_store import read_run, read_traces
from raggate_action.schema.answer_votes import GATE_OF, JudgedItem
from raggate_action.schema.calibration import Drawn, HeldAnswer, LabelledItem, LabelledSaid
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import ItemGate
from raggate_action.schema.judges import Arming
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.calibration_file import Labels


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

    @property
    def lesson(self) -> Lesson | None:
        """What it teaches by what judges said of it."""
        return None if self.judged is None else lesson_of_item(self.judged)


class ItemForm:
    """How labels of facts, or of criteria, stand in the file; a `LabelForm`."""

    def __init__(self, gate: ItemGate, arming: Arming) -> None:
        self.job: ItemGate = gate
        self._arming = arming

    def on_trial(self, file: Labels) -> OnTrial[HeldAnswer]:
        """The answers of which people say how they stand to the gate's items."""
        return OnTrial(
            LABELLED[self.job], tuple([each for each in file.held_answers if each.job == self.job]), self._arming
        )

    def keys(self, file: Labels) -> Iterator[str]:
        """Of all labelled items."""
        for answer in self.on_trial(file).labels:
            for item in answer.labelled:
                yield item_key(answer, item)

    def made_faults(self, _file: Labels, drawn: Sequence[LabelableItem]) -> Iterator[LabelableItem]:
        """Answers beside what other cases ask of theirs, which they will hardly have.

        What must not hold would be right of most.
        """
        for own, other in zip(drawn, (*drawn[1:], *drawn[:1]), strict=True):
            texts = {item.text for item in own.held.items}
            if other.item.must_not or texts & {item.text for item in other.held.items}:
                continue
            given = {"question": own.held.question, "answer": own.held.answer, "case_id": own.held.case_id, "run": None}
            yield other._replace(held=other.held.model_copy(update=given), judged=None)

    def with_label(self, file: Labels, of: LabelableItem, verdict: LabelledSaid, drawn: Drawn, by: GivenBy) -> Labels:
        """In the line of the item's answer and those beside it; the id of a new one is the file's to give."""
        given = {"verdict": verdict, "drawn": drawn, **by._asdict()}
        items = [
            item.model_copy(update=given) if place == of.place else item for place, item in enumerate(of.held.items)
        ]
        return file.with_item_labels(of.held.model_copy(update={"items": tuple(items)}))

    def with_drawn(self, file: Labels, things: Iterable[LabelableItem]) -> Labels:
        """With the labels of these counted as drawn at random."""
        drawn = {each.key for each in things}
        return file.with_drawn(
            lambda answer, label: (
                isinstance(answer, HeldAnswer) and isinstance(label, LabelledItem) and item_key(answer, label) in drawn
            )
        )


def item_sessions(directory: Path, loaded: LoadedSuite, ledger: LabelLedger) -> list[LabelSession[LabelableItem]]:
    """One for each gate that only judges feed and that a run asked.

    Raises:
        RunStoreError: There is no complete run.
    """
    items = items_to_label(directory, loaded)
    judges, seed = loaded.suite.judges, loaded.suite.seed
    arming = judges.arming if judges is not None else Arming()
    found = []
    for gate in ITEM_GATES:
        own = {key: each for key, each in items.items() if each.gate == gate}
        found += [LabelSession(ItemForm(gate, arming), own, ledger, seed=seed)] if own else []
    return found


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
        answer = stored_answer(row, trace)
        if answer is not None and answer.strip():
            for each in _items(row, case, answer, loaded):
                found.setdefault(each.key, each)
    return found


def _items(row: CaseRun, case: Case, answer: str, loaded: LoadedSuite) -> Iterator[LabelableItem]:
    repeated_in = restricted_text(loaded).repeated_in
    has_judges = loaded.suite.judges is not None
    items = judged_items(case, language=loaded.suite.language, has_judges=has_judges, repeated_in=repeated_in)
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
            question=utf8_text(case.asked),
            answer=answer,
            items=tuple(
                [LabelledItem(item_id=item.id, text=utf8_text(item.text), must_not=item.must_not) for item in own]
            ),
            case_id=row.case_id,
            run=row.answer_digest,
        )
        for place, item in enumerate(own):
            yield LabelableItem(gate, held, place, judged.get((item.kind, item.text, item.must_not)))
