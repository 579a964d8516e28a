"""The prompt of the claims job read back as a judge reads it, and replies as judges write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.claims_job import ClaimsTask
from raggate_action.judging_jobs.numbered_entries import NumberedText
from raggate_action.judging_jobs.numbered_sentences import one_line, sentences_of
from tests.message_pieces import read_message

_NAMED = re.compile(r'chunk "(.*)"|(settled claim|claim|point) (\d+)|(question|answer)')


class ReadPrompt(NamedTuple):
    """The pieces of a prompt's message.

    Attributes:
        chunks: By the name they are shown with, in order; their sentences in a row.
        sentences: By number, with the name of its chunk.
        claims, settled, points: By number.
        closing: What stands behind the last piece.
    """

    token: str
    question: str
    answer: str
    chunks: dict[str, str]
    sentences: dict[int, tuple[str, str]]
    claims: dict[int, str]
    settled: dict[int, str]
    points: dict[int, str]
    closing: str


def read_prompt(user: str) -> ReadPrompt:
    """The message of a prompt, line by line: a piece begins and ends with a line of the token and nowhere else."""
    message = read_message(user)
    found: dict[str, dict[Any, str]] = {kind: {} for kind in ("chunk", "claim", "settled claim", "point", "whole")}
    for name, text in message.pieces:
        chunk, kind, number, whole = _parts(name)
        key: Any = chunk if chunk is not None else int(number) if number else whole
        place = found[kind or ("whole" if whole else "chunk")]
        assert key not in place, f"{name} stands there twice"
        place[key] = text
    sentences = {
        int(number): (name, text)
        for name, piece in found["chunk"].items()
        for number, text in map(_numbered, piece.split("\n") if piece else [])
    }
    assert list(sentences) == list(range(1, len(sentences) + 1))
    chunks = {name: " ".join(text for of, text in sentences.values() if of == name) for name in found["chunk"]}
    whole_ones = found["whole"]
    assert whole_ones.keys() == {"question", "answer"}
    return ReadPrompt(
        message.token,
        whole_ones["question"],
        whole_ones["answer"],
        chunks,
        sentences,
        found["claim"],
        found["settled claim"],
        found["point"],
        message.closing,
    )


def _numbered(line: str) -> tuple[str, str]:
    matched = re.fullmatch(r"S(\d+)\|(.*)", line)
    assert matched is not None, line
    return matched[1], matched[2]


def as_shown(text: str) -> str:
    """A text as the sentences of it are shown, in a row."""
    return " ".join([one_line(text[start:end]) for start, end in sentences_of(text)])


def numbers_of(quote: str, prompt: ReadPrompt, name: str) -> list[int]:
    """The numbers of the sentences of a chunk that hold a passage, or that it holds."""
    words = " ".join(quote.split())
    return [n for n, (of, text) in prompt.sentences.items() if of == name and (words in text or text in words)]


def placed(said: Mapping[str, Any], prompt: ReadPrompt) -> dict[str, Any]:
    """An entry of a reply whose `support` or `against`, chunks and quotes, are put as numbers of sentences."""
    quoted = [*said.get("support", []), *([said["against"]] if said.get("against") else [])]
    found = {n for each in quoted for n in numbers_of(each["quote"], prompt, each["chunk"])}
    rest = {key: value for key, value in said.items() if key not in {"support", "against", "parts"}}
    return {**rest, "sentences": sorted(found), "note": said.get("note") or ""}


def _parts(name: str) -> tuple[str | None, str, str, str]:
    matched = _NAMED.fullmatch(name)
    assert matched is not None, name
    chunk, kind, number, whole = matched.groups()
    return chunk, kind or "", number or "", whole or ""


def prompt_in(body: Mapping[str, Any]) -> ReadPrompt:
    """The prompt of a request to a chat API."""
    return read_prompt(body["messages"][1]["content"])


def make_task(
    answer: str = "The fee is 20 EUR.",
    chunks: Mapping[str, str] | None = None,
    *,
    claims: Iterable[str] | None = None,
    question: str = "What is the fee?",
    points: Iterable[str] = (),
    settled: Iterable[str] = (),
) -> ClaimsTask:
    """A task; claims get the ids `c1`, `c2`, ..., settled ones `s1`, ..., points are named by their text."""
    sources = {"fee": "The fee for every order is 20 EUR."} if chunks is None else chunks
    texts = [answer] if claims is None else list(claims)
    return ClaimsTask(
        question=question,
        answer=answer,
        claims=tuple([NumberedText(f"c{number}", text) for number, text in enumerate(texts, 1)]),
        chunks=tuple([VisibleChunk(chunk_id, text) for chunk_id, text in sources.items()]),
        points=tuple([NumberedText(point, point) for point in points]),
        settled=tuple([NumberedText(f"s{number}", text) for number, text in enumerate(settled, 1)]),
    )


def examined(number: int, verdict: str, *sentences: int, note: str = "") -> dict[str, Any]:
    """One claim of a reply, with the numbers of the sentences that decide."""
    return {"claim": number, "sentences": [*sentences], "verdict": verdict, "note": note}


def reply_of(
    *claims: dict[str, Any], declines: bool | None = False, points: Mapping[int, int | None] | None = None
) -> dict[str, Any]:
    """A whole reply; `points` is point -> claim."""
    named = [{"point": point, "claims": [] if claim is None else [claim]} for point, claim in (points or {}).items()]
    return {"claims": list(claims), "declines": declines, **({"points": named} if named else {})}


# What a judge says of one claim, given its number and text and the prompt.
Examines = Callable[[int, str, ReadPrompt], dict[str, Any]]


def examines(each: Examines, *, declines: bool = False) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A judge that examines every claim it is shown, made for `tests.fake_chat.actions.judges`."""

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        prompt = prompt_in(body)
        claims = [each(number, text, prompt) for number, text in prompt.claims.items()]
        return reply_of(*claims, declines=declines, points=dict.fromkeys(prompt.points))

    return made
