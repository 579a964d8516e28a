"""One person labelling the facts, or the criteria, of a run: whose turn it is, and what is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from raggate_action.core.panel.label_sampling import Sample, Turn, item_key
from raggate_action.core.panel.labelled_jobs import LABELLED
from raggate_action.core.panel.labels_missing import missing_labels
from raggate_action.core.panel.trial import OnTrial, is_good
from raggate_action.core.statistics.agreement import Table
from raggate_action.pipeline.items_to_label import LabelableItem
from raggate_action.pipeline.label_ledger import LabelLedger
from raggate_action.pipeline.label_session import Progress
from raggate_action.schema.calibration import HeldAnswer, LabelledItem, LabelledSaid
from raggate_action.schema.judgement import ItemGate
from raggate_action.schema.judges import Arming


class ItemOffer(NamedTuple):
    """A fact or criterion to be labelled.

    Attributes:
        turn: Its key, and how it came to be offered.
        of: The answer and what it is held against; of a fault that was made, with another case's facts or criteria.
    """

    turn: Turn
    of: LabelableItem

    def labelled(self, verdict: LabelledSaid, note: str | None) -> HeldAnswer:
        """A line of the file with this one labelled; the id is the file's to give."""
        given = {"verdict": verdict, "drawn": self.turn.drawn, "note": note}
        items = [
            item.model_copy(update=given) if place == self.of.place else item
            for place, item in enumerate(self.of.held.items)
        ]
        return self.of.held.model_copy(update={"items": tuple(items)})


class ItemSession:
    """Offers the items of one gate one at a time, and writes each label as soon as it is given."""

    def __init__(
        self, gate: ItemGate, items: Mapping[str, LabelableItem], ledger: LabelLedger, *, seed: int, terms: Arming
    ) -> None:
        """Begin, or go on: what the file holds already is not offered.

        Args:
            gate: Whose items.
            items: Those of the run, by key; others' are left out.
            ledger: The file.
            seed: The suite's.
            terms: From when on a judge counts.
        """
        self.gate: ItemGate = gate
        self._items = {key: each for key, each in items.items() if each.gate == gate}
        self.sample = Sample.of_items(((key, each.judged) for key, each in self._items.items()), seed=seed)
        self._ledger = ledger
        self._terms = terms

    @property
    def total(self) -> int:
        """Items of the run."""
        return len(self._items)

    @property
    def left(self) -> int:
        """How many of them have no label."""
        labelled = self._labelled()
        return sum(key not in labelled for key in self._items)

    @property
    def progress(self) -> Progress:
        """What the file holds now."""
        return item_progress(self._held(), self._terms)

    def offer(self) -> ItemOffer | None:
        """The next one; None where nothing is left.

        Where only faults are missing, or the run has nothing else left, an answer is held against another case's facts
        or criteria, which it will hardly have.
        """
        labelled = self._labelled()
        turn = self.sample.turn(labelled, self._ledger.passed)
        missing = self.progress.missing
        if missing.faulty and (turn is None or missing.labels <= missing.faulty):
            gone = labelled | self._ledger.passed
            made = next((each for each in self._made() if each.key not in gone), None)
            if made is not None:
                return ItemOffer(Turn(made.key, "made"), made)
        return None if turn is None else ItemOffer(turn, self._items[turn.key])

    def label(self, offer: ItemOffer, verdict: LabelledSaid, note: str | None) -> None:
        """Write down what a person says.

        Raises:
            UsageError: The file cannot be written, or somebody else has changed it.
        """
        labels = self._ledger.labels.held_labelled(offer.labelled(verdict, note))
        if offer.turn.drawn != "made":
            reached = self.sample.reached(self._labelled() | {offer.turn.key}, offer.turn)
            labels = labels.held_drawn({_words(self._items[key]) for key in reached})
        self._ledger.write(labels)

    def _held(self) -> list[HeldAnswer]:
        return [answer for answer in self._ledger.labels.held if answer.job == self.gate]

    def _labelled(self) -> frozenset[str]:
        return frozenset(item_key(answer, item) for answer in self._held() for item in answer.labelled)

    def _made(self) -> Iterator[LabelableItem]:
        """Answers beside what other cases ask of theirs, as drawn; what must not hold would be right of most."""
        drawn = [self._items[key] for key in self.sample.drawn]
        for own, other in zip(drawn, (*drawn[1:], *drawn[:1]), strict=True):
            texts = {item.text for item in own.held.items}
            if other.item.must_not or texts & {item.text for item in other.held.items}:
                continue
            given = {"question": own.held.question, "answer": own.held.answer, "case_id": own.held.case_id, "run": None}
            yield other._replace(held=other.held.model_copy(update=given), judged=None)


def item_progress(answers: Iterable[HeldAnswer], terms: Arming) -> Progress:
    """Count labels of one gate beside the terms of arming."""
    labels = tuple(answers)
    found = OnTrial(LABELLED[labels[0].job], labels).called if labels else []
    right = sum(is_good(each.verdict) for each in found)
    faulty = len(found) - right
    made = sum(each.drawn == "made" and not is_good(each.verdict) for each in found)
    return Progress(right, faulty, made, missing_labels(Table(both_good=right, both_faulty=faulty), terms))


def _words(each: LabelableItem) -> tuple[str, str, str, bool]:
    item: LabelledItem = each.item
    return each.held.question, each.held.answer, item.text, item.must_not
