"""A comparison of two arms: who was compared, whether in one thing, what came of it, what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from raggate_action.report.ab_view import judge_totals, open_findings, panel_tables, totals_text
from raggate_action.report.ab_words import finding_text, rejection_text
from raggate_action.report.catalogue import LOST
from raggate_action.report.comment_size import SUMMARY_EXTENTS, folded, names
from raggate_action.report.page import (
    Code,
    Column,
    FirstEntries,
    Foreign,
    Item,
    Section,
    Strong,
    Table,
    Text,
    joined,
    sentences,
)
from raggate_action.schema.ab_run import (
    AbJudging,
    AbRun,
    ArmReport,
    OneVariable,
    RetrievedApart,
    UnaskedPair,
    VersionApart,
)
from raggate_action.schema.decision import RunGate
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.synthesis import Synthesis
from raggate_action.strings.numbers import NOTHING, count, money, rate
from raggate_action.strings.visible_text import cut

_LONGEST_NAME = 60
_LONGEST_REASON = 200
_LONGEST_NOTE = 300
_NAMED = 12
_CHUNKS = 5
_ARMS = (
    Column("Arm"), Column("Model"), Column("Lab"), Column("Answered", numeric=True), Column("Declined", numeric=True),
    Column("No answer", numeric=True), Column("Inadmissible", numeric=True), Column("Own gates passed", numeric=True),
    Column("Cost", numeric=True),
)  # fmt: skip
_STATUS = {
    "passed": "passed",
    "failed": "failed",
    "insufficient": "too few questions to judge",
    "unmeasured": "could not be measured",
}


class AbSummary(NamedTuple):
    """The page: title, sections in the order they are read, footer."""

    suite: Text
    sections: tuple[Section, ...]
    footer: Text


def summary_page(run: AbRun) -> AbSummary:
    """The summary of a comparison."""
    extent = SUMMARY_EXTENTS[0]
    gate = (Section(lead=_gate(run.gate)),) if run.gate is not None else ()
    arms = Table(_ARMS, (_arm_row("control", run.control), _arm_row("treatment", run.treatment)))
    return AbSummary(
        Foreign(cut(run.suite, _LONGEST_NAME)),
        (
            panel_tables(run.aggregate, run.findings, extent),
            *gate,
            Section(lead=(Strong("The arms:"), " ", one_variable_text(run.one_variable)), table=arms),
            Section(items=tuple(_apart_items(run.one_variable))),
            folded(
                "Questions of which no judge was asked",
                items=FirstEntries(run.unasked, _unasked, LISTED_AT_MOST),
                total=len(run.unasked),
                extent=extent,
            ),
            Section(lead=(Strong("Judges:"), " ", judging_text(run))),
            Section(lead=_synthesis(run.synthesis) if run.synthesis is not None else ""),
            Section(items=tuple([Item(Foreign(cut(note, _LONGEST_NOTE))) for note in run.notes[:_NAMED]])),
            Section(lead=("Findings with their limits stand in ", Code("findings.md"), ", every judge's row in ",
                          Code("judge_rows.csv"), ".")),
        ),
        joined(" · ", list(_footer(run))),
    )  # fmt: skip


def outcome_lines(run: AbRun) -> Iterator[Text]:
    """A comparison in a few lines, for a terminal."""
    lead = next((each for each in run.findings.derived if each.measure == "overall"), None)
    yield "raggate: A/B · ", Foreign(run.suite), " · ", finding_text(lead) if lead is not None else "nothing to compare"
    if totals := totals_text(run.aggregate):
        yield "  ", totals
        yield from (("    ", line) for line in judge_totals(run.aggregate))
    yield from (("  ", line) for line in open_findings(run.findings))
    if run.gate is not None and run.gate.status == "failed":
        yield "  ", _gate(run.gate)
    yield "  arms: ", one_variable_text(run.one_variable)
    yield "  judges: ", judging_text(run)
    if run.unasked:
        first = run.unasked[0]
        others = f" and {len(run.unasked) - 1:,} more" if len(run.unasked) > 1 else ""
        yield "  not judged: ", Code(first.question_id), others, f" ({_why_unasked(first)})"


def arm_lines(run: AbRun) -> Iterator[Text]:
    """Who was compared, and whether in one thing: the head of the findings."""
    yield Strong("Control:"), " ", _arm_text(run.control)
    yield Strong("Treatment:"), " ", _arm_text(run.treatment)
    yield Strong("The arms:"), " ", one_variable_text(run.one_variable)
    if run.one_variable.versions:
        yield (
            "Versions that differ: ",
            joined("; ", [_version(each) for each in run.one_variable.versions[:_NAMED]]),
            ".",
        )


def one_variable_text(found: OneVariable) -> Text:
    """What the arms differ in, whether anything else does, and what follows."""
    fields = names([Code(cut(each, _LONGEST_NAME)) for each in found.fields[:_NAMED]], len(found.fields))
    lead: Text = ("they differ in ", fields, " as written") if found.fields else "nothing written of them differs"
    verdict = {
        True: "so it is the only thing seen to differ.",
        False: "so more than one thing may differ, and what is found cannot be put down to one of them.",
        None: "so nobody knows whether it is the only thing.",
    }[found.is_only_one]
    model = {
        True: "their model is the same",
        False: "their models differ",
        None: "nobody says whether their model is the same",
    }[found.same_model]
    return lead, "; ", joined("; ", [model, *_retrieval(found)]), f"; {verdict}"


def _retrieval(found: OneVariable) -> Iterator[Text]:
    if found.compared:
        alike = found.compared - len(found.apart)
        yield f"they retrieved the same for {alike:,} of {count(found.compared, 'question')}"
    if found.apart:
        ids = [Code(cut(each.question_id, _LONGEST_NAME)) for each in found.apart[:_NAMED]]
        yield "not for ", names(ids, len(found.apart))
    if found.unreported:
        yield f"of {count(found.unreported, 'question')} nobody says what was retrieved"


def judging_text(run: AbRun) -> Text:
    """`160 judgements of 10 pairs: 12 reused, 146 made, 2 lost (timed out); 150 calls, $0.12`."""
    judging = run.judging
    if not judging.judgements:
        return "nobody was asked"
    lost = sum(each.judgements for each in judging.lost)
    made = judging.judgements - judging.reused - lost
    parts = [f"{judging.reused:,} reused"] if judging.reused else []
    parts += [f"{made:,} made"] if made or not parts else []
    if lost:
        whys = ", ".join([f"{each.judgements:,} {LOST[each.code]}" for each in judging.lost])
        parts.append(f"{lost:,} lost ({whys})")
    of = f"{count(judging.judgements, 'judgement')} of {count(judging.pairs, 'pair')}"
    planted = _planted(judging)
    return f"{of}: {', '.join(parts)}{planted}; ", _cost(judging), "."


def _planted(judging: AbJudging) -> str:
    """`; 168 of planted pairs: 166 made, 2 lost`."""
    made = judging.planted - judging.planted_reused - judging.planted_lost
    counts = ((judging.planted_reused, "reused"), (made, "made"), (judging.planted_lost, "lost"))
    parts = ", ".join([f"{number:,} {word}" for number, word in counts if number])
    return f"; {judging.planted:,} of planted pairs: {parts}" if parts else ""


def _synthesis(done: Synthesis) -> Text:
    """What became of having findings written."""
    cost = "no call" if not done.calls else count(done.calls, "call")
    cost += f", {money(done.cost_usd)}" if done.calls and done.cost_usd is not None else ""
    who: Text = (Strong("Written findings:"), " ", Code(cut(done.judge, _LONGEST_NAME)))
    if done.rejection is not None:
        return who, " ", rejection_text(done.rejection), f" {cost}."
    if done.lost is None:
        return who, f" wrote {count(len(done.findings), 'finding')} from the counts; {cost}."
    why = LOST[done.lost.code]
    return who, f" wrote nothing ({why}), so that the rules' findings stand alone; {cost}."


def _cost(judging: AbJudging) -> Text:
    """Calls and what they cost; a price that nobody knows is said, never taken for none."""
    if not judging.calls:
        return "no call"
    calls = count(judging.calls, "call")
    if not judging.unpriced:
        return f"{calls}, {money(judging.cost_usd)}"
    unknown = names([Code(cut(each, _LONGEST_NAME)) for each in judging.unpriced[:_NAMED]], len(judging.unpriced))
    return f"{calls}, {money(judging.cost_usd)} without ", unknown, ", whose cost is unknown"


def _gate(gate: RunGate) -> Text:
    follows = "" if gate.status != "failed" else ", which blocks" if gate.level == "block" else ", which only warns"
    return Strong("Gate:"), " ", Code(gate.gate), f" {_STATUS[gate.status]}{follows}."


def _arm_text(arm: ArmReport) -> Text:
    model: Text = Foreign(cut(arm.model, _LONGEST_NAME)) if arm.model else "a model that nobody names"
    lab: Text = (" of ", Foreign(cut(arm.lab, _LONGEST_NAME))) if arm.lab else ""
    total = arm.answered + arm.no_answer + arm.inadmissible
    parts = [f"{arm.answered:,} of {count(total, 'question')} answered"]
    parts += [f"{arm.declined:,} of them declined"] if arm.declined else []
    parts += [f"{arm.no_answer:,} without an answer"] if arm.no_answer else []
    parts += [f"{arm.inadmissible:,} inadmissible"] if arm.inadmissible else []
    parts.append(f"{rate(arm.passed, arm.passed + arm.failed)} pass the suite's own gates")
    return model, lab, f"; {', '.join(parts)}."


def _arm_row(name: str, arm: ArmReport) -> tuple[Text, ...]:
    return (
        name,
        Foreign(cut(arm.model or "", _LONGEST_NAME), if_blank=NOTHING),
        Foreign(cut(arm.lab or "", _LONGEST_NAME), if_blank=NOTHING),
        f"{arm.answered:,}",
        f"{arm.declined:,}",
        f"{arm.no_answer:,}",
        f"{arm.inadmissible:,}",
        rate(arm.passed, arm.passed + arm.failed),
        money(arm.cost_usd) if arm.cost_usd is not None else NOTHING,
    )


def _apart_items(found: OneVariable) -> Iterator[Item]:
    for version in found.versions[:_NAMED]:
        yield Item(("Version of ", _version(version), "."))
    for apart in found.apart[:_NAMED]:
        yield Item(_retrieved_apart(apart))


def _version(version: VersionApart) -> Text:
    return (
        Code(cut(version.key, _LONGEST_NAME)),
        ": control ",
        _of(version.control),
        ", treatment ",
        _of(version.treatment),
    )


def _of(version: str | None) -> Text:
    return Code(cut(version, _LONGEST_NAME)) if version is not None else "names none"


def _retrieved_apart(apart: RetrievedApart) -> Text:
    only = [("control", apart.control_only), ("treatment", apart.treatment_only)]
    parts: list[Text] = [
        (f"the {arm} alone has ", names([Code(cut(each, _LONGEST_NAME)) for each in ids[:_CHUNKS]], len(ids)))
        for arm, ids in only
        if ids
    ]
    parts = parts or ["the order alone differs"]
    return Code(cut(apart.question_id, _LONGEST_NAME)), f", {apart.stage}: ", joined("; ", parts), "."


def _unasked(pair: UnaskedPair) -> Item:
    detail: Text = Foreign(cut(pair.detail, _LONGEST_REASON)) if pair.detail else ""
    return Item(sentences((Code(cut(pair.question_id, _LONGEST_NAME)), f": {_why_unasked(pair)}."), detail))


def _why_unasked(pair: UnaskedPair) -> str:
    arms = " and ".join(pair.arms)
    return f"{arms}: {'no answer' if pair.reason == 'no-answer' else LOST[pair.reason]}"


def _footer(run: AbRun) -> Iterator[Text]:
    yield f"seed {run.seed}"
    yield "each pair in both orders" if run.swap else "each pair in one order"
    yield "suite ", Code(run.digests.suite[:12])
    yield "rubric ", Code(run.digests.rubric[:12])
    yield "raggate ", Code(run.raggate_version)
    yield Code(run.started_at)
