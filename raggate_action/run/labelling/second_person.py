"""A second person on a fifth of the labels, without seeing the first one's; and what both settle afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from raggate_action.core.judging.agreement_with_labels import claim_key, item_key
from raggate_action.schema.calibration import FurtherLabel, HeldAnswer, LabelledAnswer, LabelledClaim, LabelledItem
from raggate_action.suite_files.calibration_file import Labels

_ONE_IN: Final = 5


class LabelledItemOrClaim(NamedTuple):
    """A claim, a fact or a criterion that is labelled, in its answer.

    Attributes:
        answer: The line of the file.
        place: Which of its claims or items it is.
        key: Digest of statement and evidence; copies share one.
    """

    answer: LabelledAnswer | HeldAnswer
    place: int
    key: str

    @property
    def label(self) -> LabelledClaim | LabelledItem:
        """What people say of it."""
        return _parts(self.answer)[self.place]


def fifth(file: Labels, *, seed: int) -> list[LabelledItemOrClaim]:
    """A fifth of what the file holds, rounded up, drawn by the suite's seed; copies of one are one.

    The draw does not look at what anybody said. A label that is added moves no other one in the order.
    """

    def drawn(thing: LabelledItemOrClaim) -> bytes:
        return hashlib.blake2b(f"{seed}:second:{thing.key}".encode(), digest_size=16).digest()

    every = sorted(_things(file), key=drawn)
    return every[: -(-len(every) // _ONE_IN)]


def to_label_again(file: Labels, *, seed: int) -> list[LabelledItemOrClaim]:
    """What of the fifth no second person has labelled yet."""
    return [each for each in fifth(file, seed=seed) if each.label.second is None]


def unsettled(file: Labels) -> list[LabelledItemOrClaim]:
    """What two people do not agree on, in the file's order; it counts for nothing until they do."""
    return [each for each in _things(file) if each.label.said is None]


def labellers(file: Labels) -> frozenset[str]:
    """Everybody who is named as the one who gave a first label."""
    return frozenset([name for each in _things(file) if (name := each.label.labeller) is not None])


def with_further(file: Labels, thing: LabelledItemOrClaim, field: str, further: FurtherLabel) -> Labels:
    """The file with a second label, or what was settled; `field` is `second` or `settled`."""
    answer = next(each for each in _answers(file) if each.id == thing.answer.id)
    parts = [*_parts(answer)]
    parts[thing.place] = parts[thing.place].model_copy(update={field: further})
    name = "claims" if isinstance(answer, LabelledAnswer) else "items"
    return file.with_answer(answer.model_copy(update={name: tuple(parts)}))


def _answers(file: Labels) -> list[LabelledAnswer | HeldAnswer]:
    return [line.labels for line in file.lines if line.labels is not None]


def _parts(answer: LabelledAnswer | HeldAnswer) -> tuple[LabelledClaim | LabelledItem, ...]:
    return answer.claims if isinstance(answer, LabelledAnswer) else answer.items


def _things(file: Labels) -> Iterator[LabelledItemOrClaim]:
    known: set[str] = set()
    for answer in _answers(file):
        for place, label in enumerate(_parts(answer)):
            if label.verdict is None:
                continue
            if isinstance(answer, LabelledAnswer):
                key = claim_key(answer.question, answer.answer, label.text, answer.chunks)
            else:
                key = item_key(answer, label)  # type: ignore[arg-type]
            if key not in known:
                known.add(key)
                yield LabelledItemOrClaim(answer, place, key)
