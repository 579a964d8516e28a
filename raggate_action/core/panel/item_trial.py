"""Judges beside people on facts and criteria: what they make of labelled ones, by the rules that count their votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from raggate_action.core.panel.fold import PanelTerms
from raggate_action.core.panel.fold_items import JobTerms, fold_items
from raggate_action.core.panel.items import Item
from raggate_action.core.panel.trial import Trial, is_good, table_of
from raggate_action.schema.answer_votes import worst_first
from raggate_action.schema.base import digest_of
from raggate_action.schema.calibration import CardVerdict, HeldAnswer, LabelledItem
from raggate_action.schema.judgement import ItemGate, ItemKind, ItemSaid, Judgement

KIND_OF: Final[Mapping[ItemGate, ItemKind]] = {"agreement": "fact", "criteria": "criterion"}
_FACTS: Final[Mapping[ItemSaid, CardVerdict]] = {
    "stated": "stated",
    "lacking": "lacking",
    "contradicted": "contradicted",
}


def tried_items(labels: Iterable[HeldAnswer], judged: Sequence[Mapping[str, Judgement]], terms: PanelTerms) -> Trial:
    """What these judges, who decide on these terms, make of labelled facts or criteria.

    That a judge cannot tell is no verdict: it neither blocks nor lets pass, and no label is answered by it.

    Args:
        labels: The labelled answers, all of one job.
        judged: Of each judge its judgements of them, by the answer's id; one that is lost says nothing.
        terms: Who decides; for a judge on its own the judge alone.
    """
    confusion: Counter[tuple[CardVerdict, CardVerdict]] = Counter()
    unjudged: Counter[bool] = Counter()
    made = untold = 0
    for answer in labels:
        given = _said(answer, [own[answer.id] for own in judged if answer.id in own], terms)
        for item in answer.labelled:
            people, said = _people(answer.job, item), given.get(item.item_id)
            judge = None if said is None else verdict_of(answer.job, said, must_not=item.must_not)
            if judge is not None:
                confusion[people, judge] += 1
                made += item.drawn == "made" and not is_good(people)
            elif said is not None:
                untold += 1
            else:
                unjudged[is_good(people)] += 1
    pairs = tuple((*pair, confusion[pair]) for pair in sorted(confusion))
    return Trial(table_of(confusion), pairs, made, unjudged[True], unjudged[False], untold)


def verdict_of(gate: ItemGate, said: ItemSaid, *, must_not: bool) -> CardVerdict | None:
    """What is said of a fact or criterion, as a card has it; None where it cannot be told."""
    if gate == "agreement":
        return _FACTS.get(said)
    if said not in {"yes", "no"}:
        return None
    return "met" if said == worst_first("criterion", must_not=must_not)[-1] else "unmet"


def labelled_verdicts(labels: Iterable[HeldAnswer]) -> list[tuple[CardVerdict, LabelledItem]]:
    """Every labelled item with what people call it."""
    return [(_people(answer.job, item), item) for answer in labels for item in answer.labelled]


def digest_of_held(labels: Iterable[HeldAnswer]) -> str:
    """Digest of what people say of which facts and criteria; not of who said it or why."""
    told = [
        [
            answer.id,
            answer.question,
            answer.answer,
            [[item.item_id, item.text, item.must_not, item.verdict, item.drawn] for item in answer.items],
        ]
        for answer in labels
    ]
    return digest_of(sorted(told, key=lambda each: str(each[0])))


def _people(gate: ItemGate, item: LabelledItem) -> CardVerdict:
    found = None if item.verdict is None else verdict_of(gate, item.verdict, must_not=item.must_not)
    if found is None:
        raise ValueError(item.verdict)
    return found


def _said(answer: HeldAnswer, judgements: Sequence[Judgement], terms: PanelTerms) -> dict[str, ItemSaid]:
    kind: ItemKind = KIND_OF[answer.job]
    items = [Item(kind, item.item_id, item.text, item.must_not) for item in answer.items]  # type: ignore[arg-type]
    votes = fold_items(items, judgements, JobTerms(terms, terms), answer=answer.answer)
    return {item.item: item.said for item in votes.items if item.said is not None}
