"""The prompt of the answer job read back as a judge reads it, and judges that reply to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.items.items_prompt import AnswerTask, ItemQuestion

_FIRST = re.compile(r"\AThe token of this message is (\S+)\.\n")
_NAMED = re.compile(r'(chunk) "(.*)"|(fact|criterion) (\d+)|(question|answer)')


class ReadAnswerPrompt(NamedTuple):
    """The pieces of a prompt's message.

    Attributes:
        facts, criteria: By number.
        chunks: By the name they are shown with, in order.
        closing: What stands behind the last piece.
    """

    token: str
    question: str
    answer: str
    facts: dict[int, str]
    criteria: dict[int, str]
    chunks: dict[str, str]
    closing: str


def read_answer_prompt(user: str) -> ReadAnswerPrompt:
    """The message of a prompt: a piece begins and ends with a line of the token and nowhere else."""
    first = _FIRST.match(user)
    assert first is not None, user[:80]
    token = first[1]
    pieces = re.split(rf"^<<<{token} (.+)>>>$", user[first.end() :], flags=re.MULTILINE)
    found: dict[str, dict[Any, str]] = {kind: {} for kind in ("chunk", "fact", "criterion", "whole")}
    outside, names, texts = pieces[::4], pieces[1::4], pieces[2::4]
    assert pieces[3::4] == ["end"] * len(names)
    for name, text in zip(names, texts, strict=True):
        matched = _NAMED.fullmatch(name)
        assert matched is not None, name
        chunk, chunk_name, kind, number, whole = matched.groups()
        key: Any = chunk_name if chunk else int(number) if kind else whole
        place = found[chunk or kind or "whole"]
        assert key not in place, f"{name} stands there twice"
        place[key] = text.removeprefix("\n").removesuffix("\n")
    assert not any(each.strip() for each in outside[:-1])
    whole_ones = found["whole"]
    return ReadAnswerPrompt(
        token,
        whole_ones["question"],
        whole_ones["answer"],
        found["fact"],
        found["criterion"],
        found["chunk"],
        outside[-1].strip(),
    )


def is_answer_prompt(body: Mapping[str, Any]) -> bool:
    """Whether a request to a chat API is of the answer job."""
    return str(body["messages"][0]["content"]).startswith("You are an examiner of answers.")


def answer_prompt_in(body: Mapping[str, Any]) -> ReadAnswerPrompt:
    """The prompt of a request to a chat API."""
    return read_answer_prompt(body["messages"][1]["content"])


def make_answer_task(
    answer: str = "The fee is 20 EUR. Dogs may stay.",
    *,
    facts: Iterable[str] = ("The fee is 20 EUR.",),
    criteria: Iterable[str] = (),
    chunks: Mapping[str, str] | None = None,
    question: str = "What is the fee?",
) -> AnswerTask:
    """A task; chunks make it ask for relevance."""
    return AnswerTask(
        question=question,
        answer=answer,
        facts=tuple([ItemQuestion(f"fact-{number}", text) for number, text in enumerate(facts, 1)]),
        criteria=tuple([ItemQuestion(f"criterion-{number}", text) for number, text in enumerate(criteria, 1)]),
        chunks=tuple([VisibleChunk(name, text) for name, text in (chunks or {}).items()]),
        relevance=chunks is not None,
    )


def fact(number: int, said: str, quote: str | None = None, note: str | None = None) -> dict[str, Any]:
    """One fact of a reply."""
    return {"fact": number, "quote": quote, "note": note, "said": said}


def criterion(number: int, said: str, quote: str | None = None, note: str | None = None) -> dict[str, Any]:
    """One criterion of a reply."""
    return {"criterion": number, "quote": quote, "note": note, "said": said}


def answer_reply(*held: dict[str, Any], relevance: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A whole reply."""
    return {
        "facts": [each for each in held if "fact" in each],
        "criteria": [each for each in held if "criterion" in each],
        "relevance": relevance,
    }


# What a judge says of a fact or a criterion, given its words and the answer: the verdict and its quote.
Holds = Callable[[str, str], tuple[str, str | None]]


def holding(facts: Holds, criteria: Holds | None = None) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A judge that holds every fact and criterion it is shown against the answer, and calls everything relevant."""

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        prompt = answer_prompt_in(body)
        held = [fact(n, *_noted(facts(text, prompt.answer))) for n, text in prompt.facts.items()]
        held += [criterion(n, *_noted((criteria or facts)(text, prompt.answer))) for n, text in prompt.criteria.items()]
        if "to the question" not in prompt.closing:
            return answer_reply(*held)
        chunks = [{"chunk": name, "relevant": True} for name in prompt.chunks]
        return answer_reply(*held, relevance={"answer": True, "note": None, "chunks": chunks})

    return made


def _noted(said: tuple[str, str | None]) -> tuple[str, str | None, str | None]:
    return (*said, None if said[0] in {"stated", "yes"} else f"it is {said[0]}")
