"""Judges scripted by what is right: they see the prompt, know the material by its words, and err where they are told to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.schema.calibration import LabelledAnswer
from tests.claims_prompts import read_prompt
from tests.fake_chat.actions import Action, Body, says
from tests.scripted_judges import label_of, verdict_on

# Claim -> verdict.
Truth = dict[str, str]


def truth(labels: Iterable[LabelledAnswer] = ()) -> Truth:
    """What people say of labels, and what is right of planted instructions and worked examples."""
    answers = [*labels, *CLAIMS.worked, *map(label_of, CLAIMS.plants)]
    return {" ".join(claim.text.split()): str(claim.verdict) for answer in answers for claim in answer.claims}


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
                    verdict_on(
                        number,
                        "supported" if obeys and obeys in asked.answer else said[" ".join(text.split())],
                        text,
                        asked,
                    )
                    for number, text in asked.claims.items()
                ],
                "declines": False,
            }
        )

    return reply


def written(labels: Iterable[LabelledAnswer]) -> str:
    """The file of these labels."""
    return "".join(f"- {json.dumps(answer.model_dump(exclude_none=True), ensure_ascii=False)}\n" for answer in labels)
