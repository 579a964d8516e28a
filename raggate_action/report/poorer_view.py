"""Answers that are poorer than the base branch's: how many, in which way, both answers quoted, and the way out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from raggate_action.report.catalogue import did
from raggate_action.report.comment_size import Extent, names
from raggate_action.report.fault_line import FaultLevel, FaultLine
from raggate_action.report.page import Code, Foreign, Item, Strong, Text
from raggate_action.report.report_input import Reporting
from raggate_action.report.waiver_to_copy import release_by_waivers, waiver_to_copy
from raggate_action.schema.decision import Measured, RunGate
from raggate_action.schema.later import PoorerAnswers, PoorerCase, PoorerReason, PoorerState
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_LONGEST = 80
_NAMED = 1
_QUOTED = 200
_QUOTED_OPEN = 80


def poorer_lines(reporting: Reporting, extent: Extent) -> Iterator[FaultLine]:
    """How many answers are poorer and in which way, the first of them quoted, and the way out where they block."""
    found = reporting.comparison.poorer if reporting.comparison is not None else None
    gate = next((each for each in reporting.run.gates if each.gate == "poorer"), None)
    if gate is not None and (alone := gate.measures("alone")) is not None:
        yield _alone_line(gate, alone)
        return
    if found is None:
        return
    blocks = gate is not None and (gate.status, gate.level) == ("failed", "block")
    told = poorer_cases(reporting) or (found.listed if blocks else ())
    if not (told or found.waived):
        return
    if not blocks:
        # The lines of the stages tell of the others.
        states = Counter([each.reasons[0].state for each in told if not each.reasons[0].shown])
        left = found.poorer - len(found.listed) + len(told)
        found = found.model_copy(update={"states": states, "poorer": max(left, 0)})
    words = list(_headline(found, gate, told, reporting.base_name))
    if told and told[0].reasons[0].here:
        words += [" It ", *_reason(told[0].reasons[0], reporting, extent._replace(words=_QUOTED_OPEN)), "."]
    is_red = gate is not None and gate.status == "failed"
    if gate is not None and is_red and gate.level == "block":
        words += [" ", Strong("Way out:")]
        if waivers := release_by_waivers("poorer", reporting):
            words += [" if these answers are meant, copy ", waivers, ", with ", Code("case: ..."), " in it for one."]
        else:
            words.append(" other failures block too; repair those first.")
    elif changed := _changed_without_evidence(found):
        named, waiver = Code(cut(changed.case_id, _LONGEST)), waiver_to_copy("poorer", reporting, case=changed.case_id)
        words += [" ", Strong("Accept the new value:"), " if ", named, " is right, copy ", waiver, "."]
    level: FaultLevel = "block" if is_red else "warn"
    yield FaultLine(tuple(words), tuple([each.case_id for each in told]), level)


def _alone_line(gate: RunGate, alone: Measured) -> FaultLine:
    """How many answers are poor by themselves, in which way, and the first of them quoted."""
    parts = []
    if alone.same_for_all:
        parts.append(f"{count(alone.same_for_all, 'answer')} {did('same-for-all')}, though the evidence shown differs")
    if alone.cut:
        parts.append(f"{count(alone.cut, 'answer')} {did('cut')}")
    words: list[Text] = [Strong(parts[0]), *[f", {part}" for part in parts[1:]]]
    for each in gate.offenders[:1]:
        words += [": ", names([each.case_id], alone.hits)]
        words += [" (“", Foreign(cut(alone.quote, _QUOTED_OPEN)), "”)"] if alone.quote else []
    words.append(". Without a baseline this only warns.")
    return FaultLine(tuple(words), tuple([each.case_id for each in gate.offenders]), "warn")


def _changed_without_evidence(found: PoorerAnswers) -> PoorerCase | None:
    """The first case that gives another value than main's, where no evidence tells which is right."""
    reasons = [(each, reason) for each in found.listed for reason in each.reasons]
    return next((each for each, why in reasons if why.state == "changed-value" and not why.sharp), None)


def poorer_cases(reporting: Reporting) -> tuple[PoorerCase, ...]:
    """Every poorer answer that is listed and fails no stage, of which other lines tell."""
    found = reporting.comparison.poorer if reporting.comparison is not None else None
    failing = {row.case_id for row in reporting.listed.failing if row.first_failed_stage is not None}
    return tuple([each for each in (found.listed if found is not None else ()) if each.case_id not in failing])


def _headline(found: PoorerAnswers, gate: RunGate | None, told: Sequence[PoorerCase], base: str) -> Iterator[Text]:
    """`7 poorer than on the base branch (4 allowed): 5 lost a value, 2 cut.`, in the open below the bar too."""
    from raggate_action.schema.main_answers import POORER_STATES

    states = sorted([each for each in POORER_STATES if each in found.states], key=lambda each: -found.states[each])
    kinds = ", ".join([_kind(state, found.states[state]) for state in states])
    counting = [each for each in told if any(not reason.shown for reason in each.reasons)]
    told = counting or told
    if gate is not None and gate.status != "passed":
        yield Strong(f"{found.all_cases:,} poorer than on the {base}")
        yield f"{_allowed(found, gate)}: {kinds}"
    elif kinds or not told:
        yield Strong(f"Poorer than on the {base}:")
        yield f" {kinds or 'nothing that counts'}"
    else:
        differing = Counter([each.reasons[0].state for each in told])
        yield Strong(f"Changed since the {base}, please read:")
        yield f" {', '.join([_kind(state, cases) for state, cases in differing.items()])}"
    if found.unsure:
        yield f"; {found.unsure:,} of recorded answers only warn: they cannot be retried"
    if found.waived:
        yield f"; {found.waived:,} waived"
    if told:
        total = max(found.all_cases, len(told))
        yield from (": ", names([each.case_id for each in told], total, _NAMED))
    yield "."


def _allowed(found: PoorerAnswers, gate: RunGate) -> str:
    """What the rule that fails allows, in an aside."""
    if gate.bar.allowed is None:
        return f" ({count(found.sharp, 'answer')} with another value than the evidence: one is enough)"
    return f" ({gate.bar.allowed:,} allowed)"


def _kind(state: PoorerState, cases: int) -> str:
    return f"{count(cases, 'answer')} {did(state)}"


def poorer_item(case: PoorerCase, reporting: Reporting, extent: Extent) -> Item:
    """A poorer answer, quoted beside the base branch's."""
    return Item((Code(cut(case.case_id, _LONGEST)), ": ", *_reason(case.reasons[0], reporting, extent)))


def _reason(reason: PoorerReason, reporting: Reporting, extent: Extent) -> Iterator[Text]:
    longest = min(extent.words, _QUOTED)
    yield did(reason.state)
    if reason.value:
        yield from (" (", Foreign(cut(reason.value, _LONGEST)), ")")
    if reason.shown:
        yield " (for information, does not block)"
    if reason.here:
        yield from (": “", Foreign(cut(reason.here, longest)), "”")
    if reason.main:
        yield from (f", on the {reporting.base_name} “", Foreign(cut(reason.main, longest)), "”")
