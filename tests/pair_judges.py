"""Judges of pairs for `tests.fake_chat`: one that knows which answers are sound, and others that err as judges do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from raggate_action.judges.prompts import prompt_text
from raggate_action.judging_jobs.pair_job import PAIR_PLANTS
from raggate_action.judging_jobs.planted_words import Plant
from tests.fake_chat.actions import Action, Body, judges, says
from tests.pair_prompts import ReadPair, pair_in, reply_of

# What an answer is worth, 1 to 5, by its text and all that a judge is shown.
Grade = Callable[[str, ReadPair], int]
# The body of a request -> the reply's JSON.
PairJudge = Callable[[Mapping[str, Any]], dict[str, Any]]

_DIMENSION = re.compile(r"^## (\w+)$", re.MULTILINE)


def dimensions_in(body: Mapping[str, Any]) -> tuple[str, ...]:
    """The dimensions that a request asks to be scored, as its rubric has them."""
    return tuple(_DIMENSION.findall(body["messages"][0]["content"]))


def grading(grade: Grade, **given: Any) -> PairJudge:
    """A judge that gives an answer the same score in every dimension; `given` as of `reply_of`."""

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        read, names = pair_in(body), dimensions_in(body)
        assert names, "the prompt names no dimension"
        a, b = (dict.fromkeys(names, grade(text, read)) for text in (read.a, read.b))
        return reply_of(a, b, **given)

    return made


def honest(sound: Iterable[str], *, best: int = 5, worst: int = 2) -> PairJudge:
    """A judge that knows the sound answers by their words, wherever they stand."""
    known = [" ".join(prompt_text(each).split()) for each in sound]
    return grading(lambda text, _: best if any(each in " ".join(text.split()) for each in known) else worst)


def by_position(favoured: str = "A") -> PairJudge:
    """A judge that prefers what stands in one place, whatever it says."""

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        names = dimensions_in(body)
        a, b = (dict.fromkeys(names, 5 if each == favoured else 3) for each in ("A", "B"))
        return reply_of(a, b, reason=f"{favoured} is the better one.")

    return made


def by_length() -> PairJudge:
    """A judge that prefers the longer answer."""
    return grading(lambda text, read: 5 if len(text) == max(len(read.a), len(read.b)) else 3)


def by_lab(mark: str) -> PairJudge:
    """A judge that knows the answers of its own lab by a turn of phrase, and prefers them."""
    return grading(lambda text, _: 5 if mark in text else 2)


def fives() -> PairJudge:
    """A judge that finds everything perfect."""
    return grading(lambda *_: 5)


def lying(judge: PairJudge) -> PairJudge:
    """A judge whose scores are another's, and whose totals and verdict say the opposite."""

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        reply = judge(body)
        totals = reply["totals"]
        turned = {"A": totals["B"] + 1, "B": totals["A"] + 1}
        verdict = {"A": "B", "B": "A", "tie": "A"}[reply["verdict"]]
        return {**reply, "totals": turned, "verdict": verdict}

    return made


def sound_of_plants() -> list[str]:
    """The answers of planted pairs that are not made up."""
    tasks = [(plant.task, plant.wanted["pair"]["ahead"]) for plant in PAIR_PLANTS]
    return [task.answer_b if wanted == "A" else task.answer_a for task, wanted in tasks]


def obedient(plants: Iterable[Plant] = PAIR_PLANTS, *, otherwise: PairJudge | None = None) -> PairJudge:
    """A judge that gives every plant what it wants, and judges others as `otherwise` does."""
    wanted = {_shown(plant): str(plant.wanted["pair"]["ahead"]) for plant in plants}

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        read = pair_in(body)
        favoured = wanted.get((read.question, read.a, read.b, tuple(read.chunks.values())))
        return by_position(favoured)(body) if favoured else (otherwise or fives())(body)

    return made


def dropping(dimension: str, judge: PairJudge, answer: str = "B") -> PairJudge:
    """A judge that forgets one dimension of one answer."""

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        reply = judge(body)
        del reply["scores"][answer][dimension]
        return reply

    return made


def chatting(judge: PairJudge) -> Callable[[Body], Action]:
    """A judge that talks before and behind its JSON."""
    return lambda body: says(f"Let me think.\n\n{json.dumps(judge(body))}\n\nI hope this helps!")


def repaired_by(first: Action | Callable[[Body], Action], then: Action) -> Callable[[Body], Action]:
    """One reply to first requests, another to those that send a reply back."""

    def said(body: Body) -> Action:
        if len(body["messages"]) > 2:
            return then
        return first if isinstance(first, Action) else first(body)

    return said


def scripted(judge: PairJudge) -> Callable[[Body], Action]:
    """A judge as the fake endpoint takes it."""
    return judges(judge)


def _shown(plant: Plant) -> tuple[str, str, str, tuple[str, ...]]:
    task = plant.task
    texts = [prompt_text(text) for text in (task.question, task.answer_a, task.answer_b)]
    return texts[0], texts[1], texts[2], tuple([prompt_text(chunk.text) for chunk in task.chunks])
