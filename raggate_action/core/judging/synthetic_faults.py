"""Faults put into right claims: labels of the kind that a good app does not yield, for people to confirm."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

from raggate_action.core.mutants.answer_mutants import FALSIFICATIONS
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import LabelledAnswer, LabelledClaim

# Left of a change, so many characters find its place in an answer that has the claim in other words.
_BESIDE = 24


def synthetic_faults(claims: Iterable[tuple[LabelledAnswer, str]]) -> Iterator[LabelledAnswer]:
    """Answers with a fault put into one right claim: one into each before any gets its second, as its words decide.

    A claim that offers nothing to a kind of fault gets the next; one whose words are not in its answer gets none.
    """
    waiting = deque([_faults_of(label, text) for label, text in claims])
    while waiting:
        faults = waiting.popleft()
        if (fault := next(faults, None)) is not None:
            yield fault
            waiting.append(faults)


def _faults_of(label: LabelledAnswer, right: str) -> Iterator[LabelledAnswer]:
    evidence = "\n".join(chunk.text for chunk in label.chunks)
    first = int(digest_of_text(right), 16) % len(FALSIFICATIONS)
    for _name, falsify in (*FALSIFICATIONS[first:], *FALSIFICATIONS[:first]):
        text = falsify(right, evidence)
        answer = _with_change(label.answer, right, text) if text is not None else None
        if text is not None and answer is not None:
            made = LabelledClaim(claim_id="claim-1", text=text, made=True)
            yield label.model_copy(update={"answer": answer, "claims": (made,)})


def _with_change(answer: str, before: str, after: str) -> str | None:
    """The answer with what was changed of a claim, changed; None where its place cannot be told.

    A claim may stand behind a lead-in, or have a citation in it, that its words in the answer have not.
    """
    start, end = _changed_span(before, after)
    behind = len(before) - end
    near = max(0, start - _BESIDE)
    near = before.rfind(" ", 0, near) + 1 if near else 0
    for first, last in ((0, 0), (0, behind), (near, 0), (near, behind), (start, behind)):
        piece, instead = before[first : len(before) - last], after[first : len(after) - last]
        places = [found.span() for found in re.finditer(rf"(?<!\w){re.escape(piece)}(?!\w)", answer)]
        if len(places) == 1 and piece:
            at, to = places[0]
            return answer[:at] + instead + answer[to:]
    return None


def _changed_span(before: str, after: str) -> tuple[int, int]:
    """Where two texts differ, in whole words of the first."""
    start = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    most = min(len(before), len(after)) - start
    behind = next((n for n in range(most) if before[-n - 1] != after[-n - 1]), most)
    end = len(before) - behind
    start = before.rfind(" ", 0, start) + 1
    space = before.find(" ", end)
    return start, len(before) if space < 0 else space
