"""Suites with judges for tests: recorded answers, a scripted panel behind a chat API, and people's labels."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from raggate_action.judging_jobs.claims_job import CLAIMS
from tests.claims_prompts import placed, prompt_in, reply_of
from tests.fake_chat.actions import Action, Body, says
from tests.fake_chat.server import FakeChat
from tests.scripted_judges import honest as honest_on
from tests.scripted_judges import label_of
from tests.stored_runs import in_work_file

CHUNK = {"chunk_id": "desk", "version": "v1", "text": "The desk opens at nine. Returns are free within thirty days."}
QUOTE = "Returns are free within thirty days."
PRICE = {"input": 1.0, "output": 2.0}
ON_PLANTS = honest_on(map(label_of, CLAIMS.plants))

# A claim -> what the judge says of it, as an entry of a reply.
Opinion: TypeAlias = Callable[[str], Mapping[str, Any]]


def truth(number: int) -> str:
    """A paraphrase of the chunk, which no rule can verify."""
    return f"Somebody with order {number} can return it at no cost for a month."


def lie(number: int) -> str:
    """The same with a fault that no rule can refute."""
    return f"Somebody with order {number} can return it at no cost whenever they please."


def honest(claim: str) -> Mapping[str, Any]:
    """What a good judge says of `truth` and `lie`."""
    if "whenever" in claim:
        return {"verdict": "unsupported", "note": "no chunk says whenever"}
    return {"verdict": "supported", "support": [{"chunk": "desk", "quote": QUOTE}]}


def fooled(claim: str) -> Mapping[str, Any]:
    """What a judge says that finds everything in order."""
    return honest(claim.replace("whenever", ""))


def reply(body: Body, opinion: Opinion) -> dict[str, Any]:
    """A reply with an opinion on every claim that the prompt asks about; an honest one on what is planted."""
    prompt = prompt_in(body)
    if CHUNK["text"] not in prompt.chunks.values():
        return ON_PLANTS(body)
    claims = [{"claim": number, **placed(opinion(text), prompt)} for number, text in prompt.claims.items()]
    return reply_of(*claims, points=dict.fromkeys(prompt.points))


def judging(opinion: Opinion = honest, *, after_s: float = 0.0) -> Callable[[Body], Action]:
    """A judge of this opinion."""
    return lambda body: says(reply(body, opinion), after_s=after_s)


def member(name: str, chat: FakeChat, **fields: Any) -> dict[str, Any]:
    """A judge of the panel, by the model of its own name."""
    known = {"name": name, "lab": f"lab of {name}", "model": name, "base_url": chat.base_url, "price": PRICE}
    return {key: value for key, value in {**known, **fields}.items() if value is not None}


def write_suite(
    folder: Path,
    answers: Mapping[str, str],
    panel: Iterable[Mapping[str, Any]] = (),
    *,
    judges: Mapping[str, Any] | None = None,
    cases: Mapping[str, Mapping[str, Any]] | None = None,
    chunks: Iterable[Mapping[str, Any]] = (CHUNK,),
    **suite: Any,
) -> Path:
    """A suite with recorded answers, each made from all the chunks that everybody may read.

    Args:
        folder: Where it is written.
        answers: Case id -> answer.
        panel: Its judges; without any it has none.
        judges: Further fields of its section.
        cases: Case id -> further fields of the case.
        chunks: Its evidence.
        suite: Further fields of the suite.
    """
    listed = list(chunks)
    shown = [each["chunk_id"] for each in listed if not each.get("principals")]
    (folder / "evidence.jsonl").write_text(lines(listed))
    more = cases or {}
    asked = [{"case_id": name, "question": f"May I return order {name}?", **more.get(name, {})} for name in answers]
    (folder / "cases.jsonl").write_text(lines(asked))
    write_answers(folder, answers, shown)
    content = {
        "suite": "returns",
        "evidence": ["evidence.jsonl"],
        "cases": ["cases.jsonl"],
        "target": {"kind": "recorded", "traces": "traces.jsonl"},
        **suite,
    }
    listed_judges = list(panel)
    if listed_judges:
        content["judges"] = {"panel": listed_judges, **(judges or {})}
    path = folder / "raggate.json"
    path.write_text(json.dumps(content))
    return path


def write_answers(folder: Path, answers: Mapping[str, str], shown: Iterable[str] = ("desk",)) -> None:
    """What the app answered to each case."""
    ids = list(shown)
    traces = [{"case_id": name, "answer": text, "context": ids} for name, text in answers.items()]
    (folder / "traces.jsonl").write_text(lines(traces))


def write_labels(folder: Path, *, right: int, faults: int) -> None:
    """People's labels of so many truths and lies, ten to an answer."""
    claims = [(truth(1000 + number), "supported") for number in range(right)]
    claims += [(lie(2000 + number), "unsupported") for number in range(faults)]
    answers = []
    for start in range(0, len(claims), 10):
        part = claims[start : start + 10]
        labelled = [
            {"claim_id": f"c{number}", "text": text, "verdict": verdict} for number, (text, verdict) in enumerate(part)
        ]
        chunk = {"chunk_id": "desk", "text": CHUNK["text"]}
        answer = " ".join(text for text, _verdict in part)
        answers.append(
            {"id": f"label-{start}", "question": "Returns?", "chunks": [chunk], "answer": answer, "claims": labelled}
        )
    (folder / "labels.yaml").write_text("".join(f"- {json.dumps(each)}\n" for each in answers))


def lines(values: Iterable[Any]) -> str:
    """Lines of JSON."""
    return "".join(json.dumps(each) + "\n" for each in values)


def rows_of(directory: Path) -> dict[str, dict[str, Any]]:
    """The rows of a run by case."""
    return {row["case_id"]: row for row in map(json.loads, (directory / "cases.jsonl").read_text().splitlines())}


def judgements_of(directory: Path) -> list[dict[str, Any]]:
    """The judgements of a run, finished or not; none where it has none."""
    path = directory / "judgements.jsonl"
    if path.exists():
        return list(map(json.loads, path.read_text().splitlines()))
    held = in_work_file(directory, "SELECT line FROM judgements WHERE before = 0 ORDER BY number")
    return [json.loads(line) for (line,) in held]
