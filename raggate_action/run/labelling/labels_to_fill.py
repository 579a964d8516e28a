"""Which answers `judges label` writes down for a person: as many as arm a judge, and faults made for the purpose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from raggate_action.core.judging.agreement_with_labels import claim_key, item_key
from raggate_action.core.judging.label_sampling import labelling_order
from raggate_action.core.judging.synthetic_faults import synthetic_faults
from raggate_action.run.labelling.answers_to_label import LabelableAnswer
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer
from raggate_action.suite_files.calibration_file import Labelled


def labels_to_fill(
    answers: Sequence[LabelableAnswer], known: Sequence[Labelled], *, most: int, faults: int, seed: int
) -> list[Labelled]:
    """Answers of a run at one job with empty verdicts, none of which the file asks about already.

    Args:
        answers: Those of the run.
        known: What the file holds for the job.
        most: How many claims, facts or criteria to write; the last answer is written whole.
        faults: How many faults the labels lack: made ones stand in for those that nobody suspects in the run.
        seed: The suite's.
    """
    keys = {key for label in known for key in _keys(label).values()}
    new: dict[str, LabelableAnswer] = {}
    for each in answers:
        own = {place: key for place, key in _keys(each.label).items() if key not in keys}
        # Of facts and criteria all are shown: they may lean on each other.
        if own:
            keys.update(own.values())
            label = each.label
            if isinstance(label, LabelledAnswer):
                kept = tuple([claim for claim in label.claims if claim.claim_id in own])
                label = label.model_copy(update={"claims": kept})
            new[_id(label)] = each._replace(label=label)
    faults -= sum(each.lesson is not None for each in new.values())
    order = labelling_order({key: each.lesson for key, each in new.items()}, seed=seed)
    chosen: list[Labelled] = []
    left = most
    # At most half is made, as long as the run has others.
    for label in (new[key].label for key in order):
        if left <= min(faults, most // 2):
            break
        chosen.append(label)
        left -= len(label.parts)
    for label in _made(list(new.values()), known):
        if min(faults, left) > 0 and keys.isdisjoint(_keys(label).values()):
            keys.update(_keys(label).values())
            chosen.append(label)
            faults, left = faults - len(label.parts), left - len(label.parts)
    return [label.model_copy(update={"id": _id(label)}) for label in chosen]


def _made(answers: Sequence[LabelableAnswer], known: Iterable[Labelled]) -> Iterator[Labelled]:
    """Claims that people or rules call right, with something changed; answers beside what other cases ask of theirs.

    These hardly have it; what must not hold would be right of most.
    """
    right = [
        (label, claim.text)
        for label in known
        if isinstance(label, LabelledAnswer)
        for claim in label.labelled
        if claim.verdict == "supported" and not claim.made
    ]
    held = []
    for each in answers:
        if isinstance(each.label, HeldAnswer):
            held.append(each.label)
        else:
            right += [(each.label, one.text) for one in each.label.claims if one.claim_id in each.right]
    yield from synthetic_faults(right)
    for own, other in zip(held, (*held[1:], *held[:1]), strict=True):
        texts = {item.text for item in own.items}
        items = [item for item in other.items if not item.must_not and item.text not in texts]
        if items:
            yield own.model_copy(update={"items": tuple([item.model_copy(update={"made": True}) for item in items])})


def _keys(label: Labelled) -> dict[str, str]:
    """What the labels of an answer belong to, by the id of each claim, fact or criterion."""
    if isinstance(label, LabelledAnswer):
        return {
            claim.claim_id: claim_key(label.question, label.answer, claim.text, label.chunks) for claim in label.claims
        }
    return {item.item_id: item_key(label, item) for item in label.items}


def _id(label: Labelled) -> str:
    """The case, and a digest of what is labelled: the same whoever writes it."""
    return f"{label.case_id or 'answer'}-{digest_of_text(' '.join(_keys(label).values()))[:12]}"
