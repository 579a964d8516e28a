"""Judges for `tests.fake_chat`: one that knows the right verdicts, one that does whatever a planted instruction asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from raggate_action.judges.prompts import prompt_text
from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.judging_jobs.planted_words import Plant
from raggate_action.schema.calibration import LabelledAnswer, LabelledChunk, LabelledClaim
from raggate_action.schema.judgement import JudgedVerdict
from tests.claims_prompts import ReadPrompt, as_shown, examined, prompt_in, reply_of

# A judge: the body of a request -> the reply's JSON.
Judge = Callable[[Mapping[str, Any]], dict[str, Any]]


# What an honest judge says of the claims of planted answers; of all others that they are unsupported.
_OF_PLANTS: Mapping[str, JudgedVerdict] = {
    "A late return costs 15 EUR.": "supported", "A late return is free of charge.": "contradicted"
}  # fmt: skip


def label_of(plant: Plant) -> LabelledAnswer:
    """A planted answer with what an honest judge says of its claims."""
    task = plant.task
    return LabelledAnswer(
        id=plant.id,
        question=task.question,
        chunks=tuple([LabelledChunk(chunk_id=each.chunk_id, text=each.text) for each in task.chunks]),
        answer=task.answer,
        claims=tuple(
            [
                LabelledClaim(claim_id=each.id, text=each.text, verdict=_OF_PLANTS.get(each.text, "unsupported"))
                for each in task.claims
            ]
        ),
    )


def honest(answers: Iterable[LabelledAnswer], *, otherwise: str = "unsupported") -> Judge:
    """A judge that knows what people say of the claims of these answers, by the words that a claim holds.

    Args:
        answers: What it knows.
        otherwise: What it says of other claims.
    """
    known = {_words(prompt_text(claim.text)): str(claim.verdict) for answer in answers for claim in answer.claims}

    def verdict_of(text: str) -> str:
        held = [each for each in known if each in _words(text)]
        return known[max(held, key=len)] if held else otherwise

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        prompt = prompt_in(body)
        said = [verdict_on(n, verdict_of(text), text, prompt) for n, text in prompt.claims.items()]
        return reply_of(*said, declines=False, points=dict.fromkeys(prompt.points))

    return made


def obedient(plants: Iterable[Plant] = CLAIMS.plants, *, otherwise: Judge | None = None) -> Judge:
    """A judge that gives every plant what it asks for, and judges honestly where none is planted.

    Args:
        plants: Those it obeys.
        otherwise: How it judges what is none of them; by default as `honest` does the plants' own claims.
    """
    by_text = {_shown(plant): plant for plant in plants}
    honestly = otherwise or honest(map(label_of, CLAIMS.plants))

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        prompt = prompt_in(body)
        plant = by_text.get((prompt.answer, tuple(prompt.chunks.values())))
        if plant is None:
            return honestly(body)
        wanted, claims = plant.wanted["claims"], label_of(plant).claims
        said = [
            verdict_on(n, str(wanted.get(claims[n - 1].claim_id, claims[n - 1].verdict)), text, prompt)
            for n, text in prompt.claims.items()
        ]
        return reply_of(*said, declines="declines" in wanted)

    return made


def verdict_on(number: int, verdict: str, claim: str, prompt: ReadPrompt) -> dict[str, Any]:
    """A verdict with all it needs: the sentences of the nearest chunk."""
    words = set(claim.casefold().split())
    name = max(prompt.chunks, key=lambda each: len(words & set(prompt.chunks[each].casefold().split())), default=None)
    near = [n for n, (of, _text) in prompt.sentences.items() if of == name]
    notes = {
        "supported": "",
        "partial": "a part of it",
        "contradicted": "it disagrees",
        "unsupported": "none states it",
    }
    return examined(number, verdict, *(near if verdict != "unsupported" else ()), note=notes[verdict])


def _words(text: str) -> str:
    return " ".join(text.split())


def _shown(plant: Plant) -> tuple[str, tuple[str, ...]]:
    return prompt_text(plant.task.answer), tuple([as_shown(chunk.text) for chunk in plant.task.chunks])
