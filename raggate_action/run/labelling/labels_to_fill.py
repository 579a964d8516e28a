"""Which answers `judges label` writes down for a person: as many as arm a judge, and faults made for the purpose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial, claim_key, is_good, item_key
from raggate_action.core.judging.label_sampling import labelling_order
from raggate_action.core.judging.scorecard_and_arming import MissingLabels, missing_labels
from raggate_action.core.judging.synthetic_faults import synthetic_faults
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.run.labelling.claims_to_label import LabelableAnswer
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer, LabelledChunk, LabelledClaim, TrialJob
from raggate_action.schema.judges import Arming
from raggate_action.suite_files.calibration_file import Labelled


def labels_missing(known: Sequence[Labelled], job: TrialJob, arming: Arming) -> MissingLabels:
    """What a judge that errs on none would need beyond these labels for a job."""
    called = OnTrial(LABELLED[job], tuple(known)).human_verdicts
    right = sum(is_good(each.verdict) for each in called)
    return missing_labels(ConfusionTable(both_good=right, both_faulty=len(called) - right), arming)


def count_empty(labels: Iterable[Labelled]) -> int:
    """Verdicts that nobody has filled in."""
    return sum(len(label.parts) - len(label.labelled) for label in labels)


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


class _RightClaim(NamedTuple):
    """A claim that is right, as far as people or rules can tell."""

    of: LabelledAnswer
    text: str

    @property
    def answer(self) -> str:
        return self.of.answer

    @property
    def chunks(self) -> Sequence[LabelledChunk]:
        return self.of.chunks


def _made(answers: Sequence[LabelableAnswer], known: Iterable[Labelled]) -> Iterator[Labelled]:
    """Claims that people or rules call right, with something changed; answers beside what other cases ask of theirs.

    These hardly have it; what must not hold would be right of most.
    """
    right = [
        _RightClaim(label, claim.text)
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
            right += [_RightClaim(each.label, one.text) for one in each.label.claims if one.claim_id in each.right]
    for fault in synthetic_faults(right):
        claim = LabelledClaim(claim_id="claim-1", text=fault.text, made=True)
        yield fault.origin.of.model_copy(update={"answer": fault.answer, "claims": (claim,)})
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
