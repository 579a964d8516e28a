"""The prompt of the answer job read back as a judge reads it, and judges that reply to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.answer_job import AnswerTask
from raggate_action.judging_jobs.numbered_entries import NumberedText

_FIRST = re.compile(r"\AThe token of this message is (\S+)\.\n")
_NAMED = re.compile(r'(chunk) "(.*)"|(fact|criterion) (\d+)|(question|answer)')


class ReadAnswerPrompt(NamedTuple):
    """The pieces of a prompt's message.

    Attributes:
        answer: Its lines in a row.
        lines: By number.
        facts, criteria: By number.
        chunks: By the name they are shown with, in order.
        closing: What stands behind the last piece.
    """

    token: str
    question: str
    answer: str
    lines: dict[int, str]
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
    numbered = [re.fullmatch(r"S(\d+)\|(.*)", line) for line in filter(None, whole_ones["answer"].split("\n"))]
    lines = {int(line[1]): line[2] for line in numbered if line is not None}
    assert list(lines) == list(range(1, len(numbered) + 1))
    return ReadAnswerPrompt(
        token,
        whole_ones["question"],
        " ".join(lines.values()),
        lines,
        found["fact"],
        found["criterion"],
        found["chunk"],
        outside[-1].strip(),
    )


def is_answer_prompt(body: Mapping[str, Any]) -> bool:
    """Whether a request to a chat API is of the answer job."""
    return str(body["messages"][0]["content"]).startswith("You hold an answer against")


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
        facts=tuple([NumberedText(f"fact-{number}", text) for number, text in enumerate(facts, 1)]),
        criteria=tuple([NumberedText(f"criterion-{number}", text) for number, text in enumerate(criteria, 1)]),
        chunks=tuple([VisibleChunk(name, text) for name, text in (chunks or {}).items()]),
        relevance=chunks is not None,
    )


def fact(number: int, verdict: str, *sentences: int, note: str = "") -> dict[str, Any]:
    """One fact of a reply, with the numbers of the lines that decide."""
    return {"fact": number, "sentences": [*sentences], "verdict": verdict, "note": note}


def criterion(number: int, verdict: str, *sentences: int, note: str = "") -> dict[str, Any]:
    """One criterion of a reply."""
    return {"criterion": number, "sentences": [*sentences], "verdict": verdict, "note": note}


def answer_reply(*held: dict[str, Any], relevance: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A whole reply."""
    parts: dict[str, Any] = {"facts": [each for each in held if "fact" in each]}
    parts["criteria"] = [each for each in held if "criterion" in each]
    return {**{key: value for key, value in parts.items() if value}, **({"relevance": relevance} if relevance else {})}


# What a judge says of a fact or a criterion, given its words and the answer: the verdict and words of the answer.
Holds = Callable[[str, str], tuple[str, str | None]]


def holding(facts: Holds, criteria: Holds | None = None) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A judge that holds every fact and criterion it is shown against the answer, and calls everything relevant."""

    def made(body: Mapping[str, Any]) -> dict[str, Any]:
        prompt = answer_prompt_in(body)

        def said(by: Holds, text: str) -> tuple[str, list[int], str]:
            verdict, quote = by(text, prompt.answer)
            return verdict, lines_of(quote, prompt), "" if verdict in {"stated", "yes"} else f"it is {verdict}"

        held = []
        for n, text in prompt.facts.items():
            verdict, lines, note = said(facts, text)
            held.append(fact(n, verdict, *lines, note=note))
        for n, text in prompt.criteria.items():
            verdict, lines, note = said(criteria or facts, text)
            held.append(criterion(n, verdict, *lines, note=note))
        return answer_reply(*held, relevance=relevant(prompt))

    return made


def lines_of(quote: str | None, prompt: ReadAnswerPrompt) -> list[int]:
    """The numbers of the lines that hold a passage, or that it holds."""
    words = " ".join((quote or "").split())
    return [n for n, text in prompt.lines.items() if words and (words in text or text in words)]


def relevant(prompt: ReadAnswerPrompt) -> dict[str, Any] | None:
    """All that is asked about is called relevant; None where nothing is."""
    if "to the question" not in prompt.closing:
        return None
    return {"answer": True, "note": "", "chunks": [{"chunk": name, "relevant": True} for name in prompt.chunks]}
