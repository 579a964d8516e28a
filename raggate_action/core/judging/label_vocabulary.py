"""The jobs that people label for: what they and judges call a claim, a fact, a criterion, in one set of words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pydantic import JsonValue

from raggate_action.core.judging.agreement_with_labels import Called, Given, LabelledJob
from raggate_action.core.judging.facts_and_criteria import Item
from raggate_action.core.judging.item_vote_aggregation import fold_items
from raggate_action.core.judging.vote_aggregation import PanelTerms, fold
from raggate_action.schema.answer_votes import worst_first
from raggate_action.schema.calibration import CardVerdict, HeldAnswer, LabelledAnswer, LabelledItem, TrialJob
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import ItemGate, ItemKind, ItemSaid, Judgement

KIND_OF: Final[Mapping[TrialJob, ItemKind]] = {"agreement": "fact", "criteria": "criterion"}
_FACTS: Final[Mapping[ItemSaid, CardVerdict]] = {
    "stated": "stated",
    "lacking": "lacking",
    "contradicted": "contradicted",
}


class LabelledClaims:
    """Claims, and whether chunks support them; a `LabelledJob`."""

    name: TrialJob = "claims"

    def called(self, label: LabelledAnswer) -> Iterable[Called]:
        """What people say of each claim."""
        return (Called(claim.claim_id, claim.verdict, claim.drawn) for claim in label.claims)

    def given(self, label: LabelledAnswer, judgements: Sequence[Judgement], terms: PanelTerms) -> dict[str, Given]:
        """The panel's votes on each claim, folded as in a run."""
        claims = [Claim(claim_id=claim.claim_id, text=claim.text) for claim in label.claims]
        chunks = {chunk.chunk_id: chunk.text for chunk in label.chunks if chunk.text}
        # People labelled what it asserts, so it does not decline.
        folded = fold(claims, judgements, terms, chunks=chunks, declined=False, question=label.question)
        return {
            claim.claim_id: Given(
                None if claim.verdict == "unverified" else claim.verdict,
                untested=any(vote.untested for vote in claim.votes),
            )
            for claim in folded.claims
        }

    def told(self, label: LabelledAnswer) -> JsonValue:
        """Answer, chunks, and what people say of the claims."""
        return [
            label.id,
            label.question,
            [[chunk.chunk_id, chunk.text] for chunk in label.chunks],
            label.answer,
            [[claim.claim_id, claim.text, claim.verdict, claim.drawn] for claim in label.claims],
        ]


class LabelledItems:
    """Facts of reference answers, or criteria, and how answers stand to them; a `LabelledJob`."""

    def __init__(self, gate: ItemGate) -> None:
        self.name: ItemGate = gate

    def called(self, label: HeldAnswer) -> Iterable[Called]:
        """What people say of each that they labelled."""
        return (Called(item.item_id, self._people(item), item.drawn) for item in label.labelled)

    def given(self, label: HeldAnswer, judgements: Sequence[Judgement], terms: PanelTerms) -> dict[str, Given]:
        """The panel's votes on each, folded as in a run."""
        kind: ItemKind = KIND_OF[self.name]
        items = [Item(kind, item.item_id, item.text, item.must_not) for item in label.items]  # type: ignore[arg-type]
        votes = fold_items(items, judgements, {self.name: terms}, answer=label.answer)
        verdicts = {
            each.item: verdict_of(self.name, each.said, must_not=each.must_not)
            for each in votes.items
            if each.said is not None
        }
        return {item: Given(verdict, untold=verdict is None) for item, verdict in verdicts.items()}

    def told(self, label: HeldAnswer) -> JsonValue:
        """Answer, and what people say of facts or criteria."""
        return [
            label.id,
            label.question,
            label.answer,
            [[item.item_id, item.text, item.must_not, item.verdict, item.drawn] for item in label.items],
        ]

    def _people(self, item: LabelledItem) -> CardVerdict:
        found = None if item.verdict is None else verdict_of(self.name, item.verdict, must_not=item.must_not)
        if found is None:
            raise ValueError(item.verdict)
        return found


def verdict_of(gate: ItemGate, said: ItemSaid, *, must_not: bool) -> CardVerdict | None:
    """What is said of a fact or criterion, as a card has it; None where it cannot be told."""
    if gate == "agreement":
        return _FACTS.get(said)
    if said not in {"yes", "no"}:
        return None
    return "met" if said == worst_first("criterion", must_not=must_not)[-1] else "unmet"


LABELLED: Final[Mapping[TrialJob, LabelledJob[Any]]] = {
    "claims": LabelledClaims(),
    "agreement": LabelledItems("agreement"),
    "criteria": LabelledItems("criteria"),
}
