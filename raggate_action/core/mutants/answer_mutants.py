"""Faults of the answer: what the case's labels and the rules may catch, and must be told where they do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from raggate_action.core.mutants.mutation import Mutation, Subject, TraceJson, claims_json, with_answer

# Turns a sentence into a false one; None where it has nothing of the kind.
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
_SAY_WHAT_IS_WRONG = "write what the answer must not say as must_not_contain, or what it must as must_contain"


def answer_mutations() -> Iterator[Mutation]:
    """Every fault of the answer that only labels or rules can tell, in order of diagnosis."""
    for name, falsify in falsifications():
        yield Mutation(name, "faithfulness", _falsified_claim(falsify), _SAY_WHAT_IS_WRONG)
    yield Mutation(
        "citation moved to another chunk", "citation_support", _citing_another,
        "label what the cited chunk must say with support_phrases",
    )  # fmt: skip
    yield Mutation(
        "required point removed", "point_coverage", _without_point, "give the point answer_phrases of its own"
    )


def falsifications() -> tuple[tuple[str, Falsify], ...]:
    """Every way to make a sentence say something else, by name."""
    return (
        ("claim negated", _negated),
        ("number changed", _with_another_number),
        ("unit changed", _with_another_unit),
        ("names swapped", _with_names_swapped),
    )


def _falsified_claim(falsify: Falsify) -> Callable[[Subject], TraceJson | None]:
    """The first claim, or sentence, that can be falsified this way."""

    def make(subject: Subject) -> TraceJson | None:
        if subject.case.expect != "answer":
            return None
        evidence = _evidence(subject)
        claims, text = claims_json(subject), subject.trace.reply.text
        if claims is None:
            falsified = falsify(text, evidence)
            return with_answer(subject, falsified, None) if falsified is not None else None
        for claim in claims:
            before = claim["text"]
            if (after := falsify(before, evidence)) is not None:
                claim["text"] = after
                return with_answer(subject, text.replace(before, after), claims)
        return None

    return make


def _evidence(subject: Subject) -> str:
    """What the model was shown: the store's texts, else the trace's own."""
    texts = []
    for chunk in subject.trace.context_chunks:
        known = subject.store.get(chunk.chunk_id) if subject.store is not None else None
        texts.append(known.text if known is not None else chunk.text or "")
    return "\n".join(texts)


def _negated(text: str, evidence: str) -> str | None:
    del evidence
    if found := _NOT.search(text):
        return text[: found.start()] + found[1] + text[found.end() :]
    if found := _AUXILIARY.search(text):
        return text[: found.end()] + " not" + text[found.end() :]
    return None


def _with_another_number(text: str, evidence: str) -> str | None:
    """The first whole number replaced by one that no evidence holds."""
    for found in _NUMBER.finditer(text):
        other = str(int(found[0]) * 3 + 7)
        if other not in evidence:
            return text[: found.start()] + other + text[found.end() :]
    return None


def _with_another_unit(text: str, evidence: str) -> str | None:
    del evidence
    found = _UNIT_AFTER_NUMBER.search(text)
    return text[: found.start()] + _OTHER_UNIT[found[1]] + text[found.end() :] if found else None


def _with_names_swapped(text: str, evidence: str) -> str | None:
    """The first two different names of one sentence in each other's place."""
    del evidence
    for sentence in re.split(r"(?<=[.!?])\s", text):
        names = list(dict.fromkeys(_NAME.findall(sentence)))[:2]
        if len(names) > 1:
            exchanged = dict(zip(names, reversed(names), strict=True))
            return text.replace(sentence, _NAME.sub(partial(_exchange, exchanged), sentence), 1)
    return None


def _exchange(exchanged: dict[str, str], found: re.Match[str]) -> str:
    return exchanged.get(found[0], found[0])


def _citing_another(subject: Subject) -> TraceJson | None:
    """The first citation moved to another chunk of the context."""
    claims = claims_json(subject)
    if claims is None:
        return _prose_citing_another(subject)
    for claim in claims:
        cited = {*claim.get("citation_ids", ()), claim.get("citation_id")} - {None}
        other = next((chunk_id for chunk_id in subject.context if chunk_id not in cited), None)
        if cited and other is not None:
            claim.pop("citation_id", None)
            claim["citation_ids"] = [other]
            return with_answer(subject, subject.trace.reply.text, claims)
    return None


def _prose_citing_another(subject: Subject) -> TraceJson | None:
    text = subject.trace.reply.text
    for cited in subject.context:
        other = next((chunk_id for chunk_id in subject.context if chunk_id != cited), None)
        if other is not None and f"[{cited}]" in text:
            return with_answer(subject, text.replace(f"[{cited}]", f"[{other}]", 1), None)
    return None


def _without_point(subject: Subject) -> TraceJson | None:
    """Everything that makes one required point, left out; None where the rest would be no answer."""
    claims = claims_json(subject)
    for point in subject.case.points:
        if claims is not None:
            left = [claim for claim in claims if not _makes(claim, point.id, point.said)]
            if left and len(left) < len(claims):
                return with_answer(subject, " ".join(claim["text"] for claim in left), left)
            continue
        sentences = re.split(r"(?<=[.!?])\s+", subject.trace.reply.text)
        kept = [sentence for sentence in sentences if not _holds(sentence, point.said)]
        if kept and len(kept) < len(sentences):
            return with_answer(subject, " ".join(kept), None)
    return None


def _makes(claim: dict[str, Any], point: str, phrases: tuple[str, ...]) -> bool:
    return claim.get("answer_point") == point or _holds(claim["text"], phrases)


def _holds(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase.casefold() in text.casefold() for phrase in phrases)
