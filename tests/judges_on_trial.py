"""Judges scripted by what is right: they see the prompt, know the material by its words, and err where they are told to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from raggate_action.judging_jobs.claims.claim_injections import PLANTS, WORKED
from raggate_action.schema.calibration import LabelledAnswer
from tests.claims_prompts import ReadPrompt, read_prompt
from tests.fake_chat.actions import Action, Body, says

# Claim -> verdict.
Truth = dict[str, str]


def truth(labels: Iterable[LabelledAnswer] = ()) -> Truth:
    """What people say of labels, and what is right of planted instructions and worked examples."""
    answers = [*labels, *WORKED, *[plant.answer for plant in PLANTS]]
    return {" ".join(claim.text.split()): claim.verdict for answer in answers for claim in answer.claims}


def judge_by(
    known: Truth, *, wrong: Mapping[str, str] | None = None, obeys: str | None = None
) -> Callable[[Body], Action]:
    """A judge that says what is known, but of the claims in `wrong` what stands there.

    It calls everything supported where the answer holds `obeys`.
    """
    said = {**known, **(wrong or {})}

    def reply(body: Body) -> Action:
        asked = read_prompt(body["messages"][1]["content"])
        return says(
            {
                "claims": [
                    _examined(
                        asked, number, "supported" if obeys and obeys in asked.answer else said[" ".join(text.split())]
                    )
                    for number, text in asked.claims.items()
                ],
                "declines": False,
                "points": [],
            }
        )

    return reply


def _examined(asked: ReadPrompt, number: int, verdict: str) -> dict[str, Any]:
    words = set(asked.claims[number].casefold().split())
    name, text = max(asked.chunks.items(), key=lambda chunk: len(words & set(chunk[1].casefold().split())))
    place = {"chunk": name, "quote": text}
    return {
        "claim": number,
        "support": [place] if verdict in {"supported", "partial"} else [],
        "against": place if verdict == "contradicted" else None,
        "note": None,
        "parts": [],
        "verdict": verdict,
    }


def written(labels: Iterable[LabelledAnswer]) -> str:
    """The file of these labels."""
    return "".join(json.dumps(answer.model_dump(exclude_none=True)) + "\n" for answer in labels)
