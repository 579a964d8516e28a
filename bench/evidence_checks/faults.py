"""Twelve typical faults, made by script from right answers, and what stops each.

Every fault is judged alone, with the right answer as its baseline and without author strings (except the required
points of the last fault): it is stopped by a gate on the case, or by a finding that the right answer does not have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from bench.evidence_checks.labelled import LANGUAGE, claims_of, name_of
from bench.table import Options, Table, wilson
from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.gates.diagnosis import Rulebook, diagnose
from raggate_action.core.text.text import Text
from raggate_action.schema.case import Case, RequiredPoint
from raggate_action.schema.case_run import Finding
from raggate_action.schema.evidence import ChunkFacts, EvidenceChunk, EvidenceStore
from raggate_action.schema.policy import Gates
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS, Pipeline
from raggate_action.schema.trace import Answer, Answered, Trace, TracedChunk

HERE = Path(__file__).resolve().parent
_AS_OF = datetime(2026, 6, 2, 12, tzinfo=UTC)
_PATTERNS = tuple(re.compile(pattern) for pattern in DEFAULT_CITATION_MARKERS)
_AUXILIARY = re.compile(r"\b(can|may|must|is|are|will)\b(?! not|not)")
_NEGATION = re.compile(r"\b(?:do|does) not (\w+)|\b(can)not\b|\b(can|may|must|is|are|will) not\b|\bnever\b")
_VERB = re.compile(r"(?<=[a-z]) (\w+s|take|receive|pay|eat|need|have|cost|start) ")
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_UNITS = {
    "days": "hours", "hours": "minutes", "minutes": "hours", "weeks": "days", "months": "weeks", "mg": "g", "kg": "g",
    "GB": "MB", "cm": "mm", "%": "euros", "$": "€", "€": "$", "litres": "millilitres", "square metres": "square feet",
    "am": "pm",
}  # fmt: skip
_INVENTIONS = (
    "Every order also comes with a five-year warranty from Norwell Insurance.",
    "Premium support is available around the clock from our office in Toronto.",
    "It has also won several design awards and is popular with families.",
    "Vouchers worth $75 are handed to everybody who signs the newsletter.",
)
LANGUAGES = ("en", "de", "fr", "es")
PARTS = {
    "seen": "looked at while the rules were written",
    "first": "counted when the rules were frozen first, then looked at",
    "last": "counted once, after the last change of a rule",
}


class Right(NamedTuple):
    """A right answer with its evidence."""

    name: str
    part: str
    answer: str
    chunks: dict[str, str]
    fields: dict[str, Any]

    @property
    def source(self) -> str:
        """The chunk it rests on."""
        return str(self.fields["source"])

    @property
    def question(self) -> str:
        """What is asked."""
        return str(self.fields["question"])


class Bad(NamedTuple):
    """A fault made from a right answer: the text, and what else of the trace it changes."""

    fault: str
    text: str
    cites: str
    context: tuple[str, ...] | None = None
    forbidden: str | None = None
    superseded: str | None = None
    points: tuple[str, ...] = ()


class Stopped(NamedTuple):
    """What stopped an answer.

    Attributes:
        how: `alone` by a gate on the case or a finding of a sharp kind; `with another case` by one of another kind,
            which blocks from the second case on; `warned`; empty for nothing.
        why: The gate and its code, or the finding.
    """

    how: str
    why: str = ""


def right_answers() -> list[Right]:
    """The grounded answers, one each."""
    return [
        Right(f"{each['domain']}/{case['id']}/{form}", each["part"], case[form], each["chunks"], case)
        for each in yaml.safe_load((HERE / "grounded.yaml").read_text())
        for case in each["cases"]
        for form in ("answer", "near")
    ]


def faults_of(right: Right, others: list[Right]) -> Iterator[Bad]:
    """Every fault that can be made from an answer."""
    text, cites = right.answer, right.source
    sibling = next(chunk_id for chunk_id in right.chunks if chunk_id != cites)
    if negated(text) != text:
        yield Bad("negation dropped or added", negated(text), cites)
    if number := _NUMBER.search(text):
        yield Bad("number changed", f"{text[: number.start()]}{_another(text, number)}{text[number.end() :]}", cites)
    if unit := next((unit for unit in _UNITS if re.search(rf"(?<![A-Za-z]){re.escape(unit)}(?![A-Za-z])", text)), None):
        yield Bad("unit changed", text.replace(unit, _UNITS[unit], 1), cites)
    yield Bad("empty answer", "", cites)
    yield Bad("wrong citation", text, sibling)
    yield Bad("citation never retrieved", text, cites, tuple(c for c in right.chunks if c != cites))
    yield Bad("forbidden chunk", text, cites, forbidden=sibling)
    yield Bad("superseded version", text, cites, superseded=cites)
    if parties := right.fields.get("parties"):
        yield Bad("roles swapped", _exchanged(text, *parties), cites)
    for one, another in pairwise(_INVENTIONS):
        yield Bad("two invented additions", f"{text} {one} {another}", cites)
    if other := right.fields.get("other"):
        yield Bad("number of the other item", text.replace(*other), cites)
    stray = next(o for o in others if o.chunks == right.chunks and o.fields != right.fields)
    yield Bad("off topic, points given", stray.answer, stray.source, points=tuple(right.fields["points"]))


def _another(text: str, number: re.Match[str]) -> int:
    """Another number; of a day or an hour one that a calendar or clock has."""
    value = int(float(number[0].replace(",", "")))
    if re.match(r"(?: [A-Z]|:| am| pm)", text[number.end() :]):
        return value % 12 + 2
    return value * 3 + 8


def negated(text: str) -> str:
    """The answer with its negation dropped, else with one put in."""
    if _NEGATION.search(text):
        return _NEGATION.sub(lambda found: found[1] or found[2] or found[3] or "always", text, count=1)
    if _AUXILIARY.search(text):
        return _AUXILIARY.sub(r"\1 not", text, count=1)
    return _VERB.sub(lambda verb: f" never {verb[1]} ", text, count=1)


def stopped_by(right: Right, bad: Bad) -> Stopped:
    """The first gate that fails where the right answer's passes, else the first finding that is new."""
    base = Bad("", right.answer, right.source, points=bad.points)
    head, before = _diagnosed(right, bad), _diagnosed(right, base)
    for gate, outcome in head.outcomes.items():
        if outcome.kind == "failed" and before.outcomes[gate].kind != "failed":
            return Stopped("alone", f"{gate}: {outcome.problems[0].code}")
    known = {(name_of(finding), finding.reason) for finding in findings(right, right.answer, right.source)}
    new = [found for found in findings(right, bad.text, bad.cites) if (name_of(found), found.reason) not in known]
    if not new:
        return Stopped("")
    worst = min(
        new, key=lambda found: (found.advisory or found.kind == "structure", not found.sharp, found.kind == "absent")
    )
    if worst.advisory or worst.kind == "structure":
        return Stopped("warned", name_of(worst))
    sure = ", certain" if worst.certain else ""
    return Stopped("alone" if worst.sharp else "with another case", f"{name_of(worst)}{sure}")


def findings(right: Right, text: str, cites: str) -> list[Finding]:
    """What the engine finds on an answer's claims."""
    shown = IndexCache(LANGUAGE).shown(list(right.chunks.items()))
    return [
        finding
        for start, end in claims_of(text)
        for finding in findings_on(Text(text[start:end]), shown, citations=(cites,), question=right.question)
    ]


def _diagnosed(right: Right, bad: Bad) -> Any:
    chunks = []
    for chunk_id, text in right.chunks.items():
        permitted, current = chunk_id != bad.forbidden, chunk_id != bad.superseded
        facts = ChunkFacts("v1", permitted=permitted, current=current, principals=(), valid_from=None, valid_until=None)
        chunks.append(EvidenceChunk(chunk_id, facts, text))
    store = EvidenceStore(chunks, digest="bench")
    reading = Reading(_PATTERNS, LANGUAGE)
    rules = Rulebook(Gates(), Pipeline(citations=True), store, RestrictedText(store), reading, _AS_OF)
    points = tuple(RequiredPoint(id=point, answer_phrases=(point,), support_phrases=(point,)) for point in bad.points)
    case = Case(case_id="case", question=right.question, required_points=points)
    context = bad.context or tuple(right.chunks)
    text = re.sub(r"(?<=[a-z0-9%€$])\.(?= [A-Z]|$)", f" [{bad.cites}].", bad.text)
    trace = Trace(
        case_id="case",
        answer=Answer(text=text),
        context=tuple(TracedChunk(chunk_id=chunk_id, version="v1") for chunk_id in context),
    )
    return diagnose(case, Answered(trace=trace, labelled=True), rules)


def _exchanged(text: str, one: str, other: str) -> str:
    both = re.compile(rf"{re.escape(one)}|{re.escape(other)}", re.IGNORECASE)
    swapped = both.sub(lambda found: other if found[0].lower() == one.lower() else one, text)
    return swapped[0].upper() + swapped[1:]


def tables(options: Options) -> Iterator[Table]:
    """What stops each fault, by part of the domains; then how many right answers are flagged."""
    rights = right_answers()
    parts = [part for part in PARTS if part == "seen" or not options.seen]
    for part in parts:
        own = [right for right in rights if right.part == part]
        results: dict[str, list[Stopped]] = {}
        misses: Counter[str] = Counter()
        for right, bad in [(each, bad) for each in own for bad in faults_of(each, own)]:
            stopped = stopped_by(right, bad)
            results.setdefault(bad.fault, []).append(stopped)
            if stopped.how in {"", "warned"}:
                # What was added says it all; the answer before it is right.
                said = bad.text.removeprefix(right.answer).strip() or bad.text
                misses[f"- {bad.fault}, {stopped.how or 'nothing found'}: {said}"] += 1
        rows = []
        for fault, found in results.items():
            how = Counter(stopped.how for stopped in found)
            by = ", ".join(sorted({stopped.why for stopped in found if stopped.why}))
            alone = wilson(how["alone"], len(found))
            rows.append([fault, str(len(found)), alone, str(how["with another case"]), str(how["warned"]), by])
        columns = ("fault", "made", "stopped alone", "stopped with another case", "only warned", "by")
        lines = [f"{text} ({count})" for text, count in misses.items()] if options.verbatim else ()
        yield Table(f"Faults made of answers {PARTS[part]}", columns, rows, lines)
    flagged, lines = [], []
    for kind, part, answers in _right_ones(rights, parts):
        alarms = [
            f"- {name}: {text} -> {counting[0].reason}"
            for name, right, text, source in answers
            if (counting := [each for each in findings(right, text, source) if not each.advisory])
        ]
        flagged.append([f"{kind}, {part}", wilson(len(alarms), len(answers))])
        lines += alarms
    yield Table("Right answers flagged", ("answers", "flagged"), flagged, lines)


def _right_ones(rights: list[Right], parts: list[str]) -> Iterator[tuple[str, str, list[tuple[str, Right, str, str]]]]:
    """The right answers by part: near-verbatim ones, and those in other words and forms."""
    by_domain = {right.name.split("/")[0]: right._replace(fields={"question": ""}) for right in rights}
    others = yaml.safe_load((HERE / "right_answers.yaml").read_text())
    for part in parts:
        own = [right for right in rights if right.part == part]
        yield "near-verbatim", part, [(right.name, right, right.answer, right.source) for right in own]
        rows = [row for row in others if row["part"] == part]
        yield "other", part, [(row["form"], by_domain[row["domain"]], row["answer"], row["source"]) for row in rows]


class Pair(NamedTuple):
    """A fact in a language, and whether anything is found on its right answer and on its fault."""

    kind: str
    language: str
    right: str
    fault: str
    on_right: bool
    on_fault: bool


def pairs() -> Iterator[Pair]:
    """Every fact in every language, checked by a suite of that language."""
    for fact in yaml.safe_load((HERE / "faults_languages.yaml").read_text(encoding="utf-8")):
        for language in LANGUAGES:
            chunk, right, fault = fact[language]
            shown = IndexCache(language).shown([("c1", chunk)])
            found = [any(findings_on(Text(answer, language), shown)) for answer in (right, fault)]
            yield Pair(fact["kind"], language, right, fault, *found)


def languages(options: Options) -> Iterator[Table]:
    """The counts by language; below them what was missed and what was flagged and is right."""
    found = list(pairs())
    rows = []
    for language in LANGUAGES:
        own = [pair for pair in found if pair.language == language]
        faults, flagged = sum(pair.on_fault for pair in own), sum(pair.on_right for pair in own)
        rows.append([language, f"{faults} of {len(own)}", f"{flagged} of {len(own)}"])
    lines = [f"- missed, {each.language}, {each.kind}: {each.fault}" for each in found if not each.on_fault]
    lines += [f"- flagged, {each.language}, {each.kind}: {each.right}" for each in found if each.on_right]
    columns = ("language", "faults found", "right answers flagged")
    yield Table("Forty facts in four languages", columns, rows, lines if options.verbatim else ())
