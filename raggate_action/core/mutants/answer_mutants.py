"""Faults of the answer: those that need no label, and those that the case's labels or the rules may catch."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal

from raggate_action.core.mutants.mutation import Edit, Mutation, Subject, TraceJson, cite_instead, claims_of, say
from raggate_action.schema.case import AnyOf, Phrase, WholeWord

# Turns a sentence into a false one, beside evidence; None where it has nothing of the kind.
Falsify = Callable[[str, str], str | None]

_AUXILIARY = re.compile(r"\b(is|are|was|were|can|may|must|will|should|has|have|does|do)\b(?! not\b)", re.IGNORECASE)
_NOT = re.compile(r"\b(is|are|was|were|can|may|must|will|should|has|have|does|do) not\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,6}(?![\w-]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")
_OTHER_UNIT = {
    "minutes": "hours", "hours": "days", "days": "weeks", "weeks": "months", "months": "years", "years": "days",
    "mg": "g", "g": "kg", "kg": "g", "m": "km", "km": "m", "MB": "GB", "GB": "MB", "EUR": "USD", "USD": "EUR",
    "dollars": "cents", "cents": "dollars", "percent": "points", "points": "percent",
}  # fmt: skip
_UNIT_AFTER_NUMBER = re.compile(rf"(?<=\d )({'|'.join(_OTHER_UNIT)})\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
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


def _negated(text: str, _evidence: str) -> str | None:
    if found := _NOT.search(text):
        return text[: found.start()] + found[1] + text[found.end() :]
    return _AUXILIARY.sub(r"\g<0> not", text, count=1) if _AUXILIARY.search(text) else None


def _with_another_number(text: str, evidence: str) -> str | None:
    """The first whole number replaced by one that no evidence holds."""
    for found in _NUMBER.finditer(text):
        other = str(int(found[0]) * 3 + 7)
        if other not in evidence:
            return text[: found.start()] + other + text[found.end() :]
    return None


def _with_another_unit(text: str, _evidence: str) -> str | None:
    changed, found = _UNIT_AFTER_NUMBER.subn(lambda unit: _OTHER_UNIT[unit[1]], text, count=1)
    return changed if found else None


def _with_names_swapped(text: str, _evidence: str) -> str | None:
    """The first two different names of one sentence in each other's place."""
    for sentence in _SENTENCE_END.split(text):
        names = list(dict.fromkeys(_NAME.findall(sentence)))[:2]
        if len(names) > 1:
            exchanged = dict(zip(names, reversed(names), strict=True))
            swapped = _NAME.sub(lambda name, other=exchanged: other.get(name[0], name[0]), sentence)
            return text.replace(sentence, swapped, 1)
    return None


# Every way to make a sentence say something else, by name.
FALSIFICATIONS: tuple[tuple[str, Falsify], ...] = (
    ("claim negated", _negated),
    ("number changed", _with_another_number),
    ("unit changed", _with_another_unit),
    ("names swapped", _with_names_swapped),
)


def _falsified(falsify: Falsify) -> Edit:
    """The first claim, or the text of prose, that can be falsified this way."""

    def edit(subject: Subject, mutant: TraceJson) -> None:
        if subject.case.expect != "answer":
            return
        evidence = "\n".join(map(subject.text_of, subject.context))
        text = subject.trace.reply.text
        for claim in claims_of(mutant) or [{"text": text}]:
            before = claim["text"]
            if (after := falsify(before, evidence)) is not None:
                claim["text"] = after
                say(mutant, text.replace(before, after))
                return

    return edit


def _cites_another(subject: Subject, mutant: TraceJson) -> None:
    """The first citation moved to another chunk of the context."""
    if claims_of(mutant):
        cite_instead(mutant, lambda cited: next(([i] for i in subject.context if i not in cited), None))
        return
    text = subject.trace.reply.text
    for cited in subject.context:
        other = next((chunk_id for chunk_id in subject.context if chunk_id != cited), None)
        if other is not None and f"[{cited}]" in text:
            say(mutant, text.replace(f"[{cited}]", f"[{other}]", 1))
            return


def _without_point(subject: Subject, mutant: TraceJson) -> None:
    """Everything that makes one required point left out, unless the rest would be no answer."""
    claims, text = claims_of(mutant), subject.trace.reply.text
    said = claims or [{"text": sentence} for sentence in _SENTENCE_END.split(text)]
    for point in subject.case.points:
        phrases = [phrase.casefold() for phrase in point.said]
        left = [
            each
            for each in said
            if each.get("answer_point") != point.id and not any(phrase in each["text"].casefold() for phrase in phrases)
        ]
        if left and len(left) < len(said):
            say(mutant, " ".join([each["text"] for each in left]))
            claims[:] = left if claims else []
            return


def _is_a_fault(subject: Subject, penalty: Decimal, *, times: int) -> bool:
    """Whether so many misses fail a case: strictly each does, leniently the score that they leave."""
    behaviour = subject.gates.behaviour
    return behaviour.scoring == "strict" or max(Decimal(0), 1 - times * penalty) < behaviour.per_case


def _emptied(_subject: Subject, mutant: TraceJson) -> None:
    mutant["answer"] = {"text": "", "claims": []} if claims_of(mutant) else {"text": ""}


def _declined(subject: Subject, mutant: TraceJson) -> None:
    """The app says that it declined."""
    if subject.case.expect == "answer":
        say(mutant, subject.trace.reply.text)
        mutant["answer"]["abstained"] = True


def _declined_in_words(subject: Subject, mutant: TraceJson) -> None:
    """The answer itself declines, and the app reports nothing of it."""
    if subject.case.expect == "answer" and subject.language in _DECLINES:
        mutant["answer"] = {"text": _DECLINES[subject.language]}


def _answered(subject: Subject, mutant: TraceJson) -> None:
    """A sentence that asserts, where nothing of the evidence answers."""
    if subject.case.expect == "abstain":
        mutant["answer"] = {"text": _ASSERTS, "abstained": False}
        # In the form the app answers in: reading prose is not for apps that write none.
        if not isinstance(subject.trace.answer, str):
            mutant["answer"]["claims"] = [{"text": _ASSERTS}]


def _without_citation(subject: Subject, mutant: TraceJson) -> None:
    """The first citation of a claim that the app itemises; prose may leave citing to other sentences."""
    if subject.gates.citation_support.per_case >= 1:
        cite_instead(mutant, lambda _cited: [])


def _without_phrase(subject: Subject, mutant: TraceJson) -> None:
    """The first required phrase that can be taken out is."""
    if not _is_a_fault(subject, subject.gates.behaviour.penalties.must_contain, times=1):
        return
    texts = [subject.trace.reply.text, *[claim["text"] for claim in claims_of(mutant)]]
    for phrase in subject.case.must_contain:
        spellings = [each for each in _spellings(phrase) if each is not None]
        if len(spellings) < max(1, len(_spellings(phrase))):
            continue
        left = texts
        for each in spellings:
            words = re.compile(r"\s+".join(map(re.escape, each.split())), re.IGNORECASE)
            left = [words.sub(" ", text) for text in left]
        whole = _plain(" ".join(left))
        if not any(_plain(each) in whole for each in spellings):
            say(mutant, left[0])
            for claim, text in zip(claims_of(mutant), left[1:], strict=True):
                claim["text"] = text
            return


def _spellings(phrase: Phrase) -> list[str | None]:
    """What a phrase is written as; None for an expression: what it finds is not to be had from it."""
    match phrase:
        case str():
            return [phrase]
        case WholeWord():
            return [phrase.word]
        case AnyOf():
            return [spelling for each in phrase.any for spelling in _spellings(each)]
    return [None]


def _plain(text: str) -> str:
    """In one spelling, so that what is left of a phrase is seen in any case, width and breaking of lines."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _with_forbidden_phrase(subject: Subject, mutant: TraceJson) -> None:
    # Where nothing is to be answered, whatever is said beside declining is caught before its words are looked at.
    if subject.case.expect == "answer":
        forbidden = [each for phrase in subject.case.must_not_contain for each in _spellings(phrase) if each]
        answer = subject.trace.reply.text or " ".join([claim["text"] for claim in claims_of(mutant)])
        for phrase in forbidden[:1]:
            say(mutant, f"{answer} {phrase}".strip())


def _without_tools(subject: Subject, mutant: TraceJson) -> None:
    """No call of the tools the case expects; other calls stay."""
    names, tools = subject.trace.tool_names, set(subject.case.expected_tools)
    if names and tools and _is_a_fault(subject, subject.gates.behaviour.penalties.expected_tool, times=len(tools)):
        calls = zip(mutant["tool_calls"], names, strict=True)
        mutant["tool_calls"] = [call for call, name in calls if name not in tools]


def _with_forbidden_tool(subject: Subject, mutant: TraceJson) -> None:
    if forbidden := subject.case.forbidden_tools:
        mutant["tool_calls"] = [*mutant.get("tool_calls", ()), forbidden[0]]


def _slow(subject: Subject, mutant: TraceJson) -> None:
    if (limit := subject.case.max_latency_ms) is not None:
        mutant["latency_ms"] = limit * _LATER


_SAY_WHAT_IS_WRONG = "write what the answer must not say as must_not_contain, or what it must as must_contain"

# What a suite says of a case in so many words, done otherwise: each must be caught. Where the suite's policy makes none
# of them a fault (a lost phrase under lenient scoring), no mutant is made. In order of diagnosis, as all tables here.
PLAIN_MUTATIONS = (
    Mutation("empty answer", "answered", _emptied),
    Mutation("declined instead of answered", "answered", _declined),
    Mutation("declined in words", "answered", _declined_in_words),
    Mutation("answered instead of declined", "faithfulness", _answered),
    Mutation("citation removed", "citation_support", _without_citation),
    Mutation("required phrase lost", "behaviour", _without_phrase),
    Mutation("forbidden phrase inserted", "behaviour", _with_forbidden_phrase),
    Mutation("tool calls removed", "behaviour", _without_tools),
    Mutation("forbidden tool called", "behaviour", _with_forbidden_tool),
    Mutation("latency blown", "slow", _slow),
)
# Only labels or rules can tell them, and must be told where they do not.
ANSWER_MUTATIONS = (
    *(Mutation(name, "faithfulness", _falsified(falsify), _SAY_WHAT_IS_WRONG) for name, falsify in FALSIFICATIONS),
    Mutation(
        "citation moved to another chunk",
        "citation_support",
        _cites_another,
        "label what the cited chunk must say with support_phrases",
    ),
    Mutation("required point removed", "point_coverage", _without_point, "give the point answer_phrases of its own"),
)
