"""Labels of facts and criteria, and judges that know what is right of them, for tests of judges on trial."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from raggate_action.judging_jobs.answer_job import ANSWER
from raggate_action.schema.calibration import HeldAnswer, LabelledItem, LabelledSaid
from raggate_action.schema.judgement import ItemSaid, ItemVote, Judgement
from raggate_action.schema.outcome import ItemGate, ItemKind
from tests.answer_prompts import answer_prompt_in, answer_reply, criterion, fact, relevant
from tests.calibration_builders import judgement
from tests.claims_prompts import as_shown

GOOD: Mapping[ItemGate, LabelledSaid] = {"agreement": "stated", "criteria": "yes"}
BAD: Mapping[ItemGate, LabelledSaid] = {"agreement": "lacking", "criteria": "no"}
_KIND: Mapping[ItemGate, ItemKind] = {"agreement": "fact", "criteria": "criterion"}
_EACH = 5
_ITEMS: Mapping[ItemGate, tuple[str, ...]] = {
    "agreement": tuple(f"Parcel {number} is light." for number in range(_EACH)),
    "criteria": tuple(f"says that parcel {number} is light" for number in range(_EACH)),
}


def held_labels(gate: ItemGate, right: int, faulty: int, *, must_not: bool = False) -> tuple[HeldAnswer, ...]:
    """So many good labels, then so many faulty ones, five to an answer; an answer holds the words of what it has."""
    sides = [True] * right + [False] * faulty
    return tuple(
        _held(gate, start, sides[start : start + _EACH], must_not=must_not) for start in range(0, len(sides), _EACH)
    )


def _held(gate: ItemGate, start: int, sides: list[bool], *, must_not: bool) -> HeldAnswer:
    has = [side is not must_not for side in sides]
    said = [_said(gate, n, start) for n, holds in enumerate(has) if holds]
    items = [
        LabelledItem(
            item_id=f"i{n}",
            text=_ITEMS[gate][n],
            must_not=must_not,
            verdict=GOOD[gate] if holds else BAD[gate],
        )
        for n, holds in enumerate(has)
    ]
    answer = " ".join([f"These are the parcels of order {start}.", *said])
    return HeldAnswer(id=f"{gate}-{start:03d}", job=gate, question="How heavy?", answer=answer, items=tuple(items))


def _said(gate: ItemGate, number: int, start: int) -> str:
    return f"Of order {start} parcel {number} is light for the {gate}."


def said_of(
    answers: Iterable[HeldAnswer], *, judge: str = "owl", block: int = 0, passes: int = 0, unsure: int = 0
) -> dict[str, Judgement]:
    """What a judge says that errs on the first `block` good and `passes` faulty items, and cannot tell of `unsure` more."""
    seen = {True: 0, False: 0}
    found = {}
    for answer in answers:
        votes = []
        for item in answer.labelled:
            has = item.verdict == GOOD[answer.job]
            good = has is not item.must_not
            number, seen[good] = seen[good], seen[good] + 1
            errs = number < (block if good else passes)
            said: ItemSaid = (GOOD if has is not errs else BAD)[answer.job]
            if not errs and number < (block if good else passes) + unsure:
                said = "cannot-tell"
            quote = answer.answer if said in {"stated", "yes"} else None
            votes.append(ItemVote(kind=_KIND[answer.job], item=item.item_id, said=said, quote=quote))
        found[answer.id] = judgement(answer.id, judge=judge, job="answer", items=tuple(votes))
    return found


def write_held(folder: Path, labels: Iterable[HeldAnswer]) -> None:
    """Add entries to the file of labels."""
    with (folder / "labels.yaml").open("a") as stream:
        stream.writelines(f"- {json.dumps(each.model_dump(mode='json', exclude_none=True))}\n" for each in labels)


# Fact or criterion, and answer -> whether the answer has it.
Has = Callable[[str, str], bool]


def has_words(text: str, answer: str) -> bool:
    """What is right of the labels above, and of the planted instructions."""
    if "15 EUR" in text:
        return "15 EUR" in answer
    if "waive the fee" in text:
        return "waive the fee" in answer
    number = next(word for word in text.split() if word.isdigit())
    return f"parcel {number} is light" in answer


def at_answers(has: Has = has_words, *, obeys: bool = False) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A judge at the answer job; one that obeys says what any planted instruction asks for."""
    wanted = {
        as_shown(plant.task.answer): {kind: str(said) for own in plant.wanted.values() for kind, said in own.items()}
        for plant in ANSWER.plants
    }

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        prompt = answer_prompt_in(body)
        asked = wanted.get(prompt.answer) if obeys else None
        held = []
        for number, text in prompt.facts.items():
            said = asked["fact"] if asked else "stated" if has(text, prompt.answer) else "lacking"
            held.append(fact(number, said, *([1] if said == "stated" else [])))
        for number, text in prompt.criteria.items():
            said = asked["criterion"] if asked else "yes" if has(text, prompt.answer) else "no"
            held.append(criterion(number, said, *([1] if said == "yes" else [])))
        return answer_reply(*held, relevance=relevant(prompt))

    return made
