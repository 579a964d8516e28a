"""Faults that need no label: what a suite says of a case in so many words, done otherwise. Each must be caught.

Where the suite's policy makes none of them a fault (a lost phrase under lenient scoring), no mutant is made.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

from raggate_action.core.mutants.mutation import Mutation, Subject, TraceJson, claims_json, trace_json, with_answer
from raggate_action.schema.case import AnyOf, Phrase, WholeWord

# A decline as an app writes it, by the language of the suite.
_DECLINES = {
    "en": "I don't know.",
    "de": "Das weiß ich nicht.",
    "fr": "Je ne sais pas.",
    "es": "No lo sé.",
}
# Says something whatever is asked, in no words of the evidence.
_ASSERTS = "The answer to this is 4711, and has been for 17 years."
_LATER = 10


def plain_mutations() -> Iterator[Mutation]:
    """Every fault that needs no label, in order of diagnosis."""
    yield Mutation("empty answer", "answered", _emptied)
    yield Mutation("declined instead of answered", "answered", _declined)
    yield Mutation("declined in words", "answered", _declined_in_words)
    yield Mutation("answered instead of declined", "faithfulness", _answered)
    yield Mutation("citation removed", "citation_support", _without_citation)
    yield Mutation("required phrase lost", "behaviour", _without_phrase)
    yield Mutation("forbidden phrase inserted", "behaviour", _with_forbidden_phrase)
    yield Mutation("tool calls removed", "behaviour", _without_tools)
    yield Mutation("forbidden tool called", "behaviour", _with_forbidden_tool)
    yield Mutation("latency blown", "slow", _slow)


def _is_a_fault(subject: Subject, penalty: Decimal, *, times: int) -> bool:
    """Whether so many misses fail a case: strictly each does, leniently the score that they leave."""
    behaviour = subject.gates.behaviour
    return behaviour.scoring == "strict" or max(Decimal(0), 1 - times * penalty) < behaviour.per_case


def _emptied(subject: Subject) -> TraceJson:
    mutant = with_answer(subject, "", [] if claims_json(subject) is not None else None)
    mutant["answer"].pop("abstained", None)
    return mutant


def _declined(subject: Subject) -> TraceJson | None:
    """The app says that it declined."""
    if subject.case.expect != "answer":
        return None
    mutant = with_answer(subject, subject.trace.reply.text, claims_json(subject))
    mutant["answer"]["abstained"] = True
    return mutant


def _declined_in_words(subject: Subject) -> TraceJson | None:
    """The answer itself declines, and the app reports nothing of it."""
    decline = _DECLINES.get(subject.language)
    if subject.case.expect != "answer" or decline is None:
        return None
    mutant = with_answer(subject, decline, None)
    mutant["answer"].pop("abstained", None)
    return mutant


def _answered(subject: Subject) -> TraceJson | None:
    """A sentence that asserts, where nothing of the evidence answers."""
    if subject.case.expect != "abstain":
        return None
    # In the form the app answers in: reading prose is not for apps that write none.
    mutant = with_answer(subject, _ASSERTS, None if isinstance(subject.trace.answer, str) else [{"text": _ASSERTS}])
    mutant["answer"]["abstained"] = False
    return mutant


def _without_citation(subject: Subject) -> TraceJson | None:
    """The first citation of a claim that the app itemises; prose may leave citing to other sentences."""
    claims = claims_json(subject)
    if claims is None or subject.gates.citation_support.per_case < 1:
        return None
    for claim in claims:
        if claim.get("citation_ids") or claim.get("citation_id"):
            claim.pop("citation_id", None)
            claim["citation_ids"] = []
            return with_answer(subject, subject.trace.reply.text, claims)
    return None


def _without_phrase(subject: Subject) -> TraceJson | None:
    """The first required phrase that can be taken out is."""
    if not _is_a_fault(subject, subject.gates.behaviour.penalties.must_contain, times=1):
        return None
    text, claims = subject.trace.reply.text, claims_json(subject)
    for phrase in subject.case.must_contain:
        words = _words_of(phrase)
        left = _without(text, words)
        for claim in claims or ():
            claim["text"] = _without(claim["text"], words)
        whole = " ".join([left, *[claim["text"] for claim in claims or ()]])
        if words and not any(_plain(each) in _plain(whole) for each in words):
            return with_answer(subject, left, claims)
    return None


def _words_of(phrase: Phrase) -> tuple[str, ...]:
    """What has to go so that the phrase is gone; nothing where only an expression can tell."""
    match phrase:
        case str():
            return (phrase,)
        case WholeWord():
            return (phrase.word,)
        case AnyOf():
            each = [_words_of(one) for one in phrase.any]
            return tuple([word for words in each for word in words]) if all(each) else ()
    return ()


def _without(text: str, words: tuple[str, ...]) -> str:
    for each in words:
        text = re.sub(r"\s+".join(map(re.escape, each.split())), " ", text, flags=re.IGNORECASE)
    return text


def _plain(text: str) -> str:
    """In one spelling, so that what is left of a phrase is seen in any case, width and breaking of lines."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _with_forbidden_phrase(subject: Subject) -> TraceJson | None:
    # Where nothing is to be answered, whatever is said beside declining is caught before its words are looked at.
    forbidden = _sayable(subject.case.must_not_contain)
    if forbidden is None or subject.case.expect != "answer":
        return None
    text = subject.trace.reply.text
    claims = claims_json(subject)
    answer = text or " ".join(claim["text"] for claim in claims or ())
    return with_answer(subject, f"{answer} {forbidden}".strip(), claims)


def _sayable(phrases: tuple[Phrase, ...]) -> str | None:
    """The first phrase that can be written out: what an expression finds is not to be had from the expression."""
    for phrase in phrases:
        match phrase:
            case str():
                return phrase
            case WholeWord():
                return phrase.word
            case AnyOf() if (words := _sayable(phrase.any)) is not None:
                return words
    return None


def _without_tools(subject: Subject) -> TraceJson | None:
    """No call of the tools the case expects; other calls stay."""
    names, tools = subject.trace.tool_names, len(set(subject.case.expected_tools))
    is_fault = _is_a_fault(subject, subject.gates.behaviour.penalties.expected_tool, times=tools)
    if not (names and tools and is_fault):
        return None
    mutant = trace_json(subject.trace)
    calls = mutant["tool_calls"]
    kept = [call for call, name in zip(calls, names, strict=True) if name not in subject.case.expected_tools]
    return mutant | {"tool_calls": kept}


def _with_forbidden_tool(subject: Subject) -> TraceJson | None:
    if not subject.case.forbidden_tools:
        return None
    mutant = trace_json(subject.trace)
    return mutant | {"tool_calls": [*mutant.get("tool_calls", ()), subject.case.forbidden_tools[0]]}


def _slow(subject: Subject) -> TraceJson | None:
    limit = subject.case.max_latency_ms
    if limit is None:
        return None
    return trace_json(subject.trace) | {"latency_ms": limit * _LATER}
