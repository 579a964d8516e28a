"""Twelve typical faults, made by script from right answers, and what stops each.

    python bench/evidence_checks/faults.py            # table, misses and false alarms verbatim

Every fault is judged alone, with the right answer as its baseline and without author strings (except the required
points of the last fault): it is stopped by a gate on the case, or by a finding that the right answer does not have.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from bench.evidence_checks.labelled import LANGUAGE, claims_of, name_of, wilson
from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.evidence_checks.claim_check import ClaimInAnswer, findings_on
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
PARTS = {
    "seen": "looked at while the rules were written",
    "first": "counted when the rules were frozen first, then looked at",
    "last": "counted once, after the last change of a rule",
}


class Right(NamedTuple):
    """A right answer with its evidence."""

    name: str
    part: str
    question: str
    answer: str
    source: str
    chunks: dict[str, str]
    fields: dict[str, Any]


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
        Right(
            f"{domain['domain']}/{case['id']}/{form}",
            domain["part"],
            case["question"],
            case[form],
            case["source"],
            domain["chunks"],
            case,
        )
        for domain in yaml.safe_load((HERE / "grounded.yaml").read_text())
        for case in domain["cases"]
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
        for finding in findings_on(
            ClaimInAnswer(Text(text[start:end]), start, (cites,), right.question), shown, language=LANGUAGE
        )
    ]


def _diagnosed(right: Right, bad: Bad) -> Any:
    store = EvidenceStore(
        [
            EvidenceChunk(
                chunk_id,
                ChunkFacts(
                    version="v1",
                    permitted=chunk_id != bad.forbidden,
                    current=chunk_id != bad.superseded,
                    principals=(),
                    valid_from=None,
                    valid_until=None,
                ),
                text,
            )
            for chunk_id, text in right.chunks.items()
        ],
        digest="bench",
    )
    rules = Rulebook(
        Gates(), Pipeline(citations=True), store, RestrictedText(store), Reading(_PATTERNS, LANGUAGE), _AS_OF
    )
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


def main() -> int:
    """Print the tables, then what was missed and what was wrongly flagged, verbatim."""
    rights = right_answers()
    for part, about in PARTS.items():
        print(f"\n## Domains {about}\n")
        _print_faults([right for right in rights if right.part == part])
    _print_alarms(rights)
    return 0


def _print_faults(rights: list[Right]) -> None:
    results: dict[str, list[Stopped]] = {}
    misses: Counter[str] = Counter()
    for right in rights:
        for bad in faults_of(right, rights):
            stopped = stopped_by(right, bad)
            results.setdefault(bad.fault, []).append(stopped)
            if stopped.how in {"", "warned"}:
                # What was added says it all; the answer before it is right.
                said = bad.text.removeprefix(right.answer).strip() or bad.text
                misses[f"{bad.fault}, {stopped.how or 'nothing found'}: {said}"] += 1
    print("| fault | made | stopped alone | stopped with another case | only warned | by |")
    print("| --- | --- | --- | --- | --- | --- |")
    for fault, found in results.items():
        how = Counter(stopped.how for stopped in found)
        by = ", ".join(sorted({stopped.why for stopped in found if stopped.why}))
        alone, both = wilson(how["alone"], len(found)), how["with another case"]
        print(f"| {fault} | {len(found)} | {alone} | {both} | {how['warned']} | {by} |")
    print("\nMissed:\n")
    print(*(f"- {text} ({count})" for text, count in misses.items()), sep="\n")


def _print_alarms(rights: list[Right]) -> None:
    by_domain = {right.name.split("/")[0]: right._replace(question="") for right in rights}
    others = yaml.safe_load((HERE / "right_answers.yaml").read_text())
    for part in PARTS:
        near = [(right.name, right, right.answer, right.source) for right in rights if right.part == part]
        far = [
            (row["form"], by_domain[row["domain"]], row["answer"], row["source"])
            for row in others
            if row["part"] == part
        ]
        for kind, answers in (("near-verbatim", near), ("other", far)):
            alarms = [
                f"- {name}: {text} -> {found[0].reason}"
                for name, right, text, source in answers
                if (found := [f for f in findings(right, text, source) if not f.advisory])
            ]
            print(f"\nFalse alarms on {kind} right answers ({part}): {wilson(len(alarms), len(answers))}")
            print("\n".join(alarms))


if __name__ == "__main__":
    sys.exit(main())
