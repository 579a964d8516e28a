"""A comparison of two arms in sentences: what is found, what the arms differ in, what judging took."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from raggate_action.report.catalogue import BY_VALUE, FINDINGS, LOST, REJECTED, ROW_REMARKS, SAID
from raggate_action.report.page import Code, Foreign, Number, Strong, Table, Text
from raggate_action.report.plain_sink import aligned, plain
from raggate_action.report.record_words import Own, name_list, of, said, sentence, table, why_lost
from raggate_action.schema.ab_result import Aggregate, JudgeResult
from raggate_action.schema.ab_run import AbRun, FindingCode, Findings, OneVariable, PanelFinding, Rejection, UnaskedPair
from raggate_action.schema.base import Rate
from raggate_action.schema.decision import RunGate
from raggate_action.schema.judge_rows import JudgeRow, RowsRemark, judge_name
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.strings.visible_text import cut

_ABOVE: frozenset[FindingCode] = frozenset(
    {"concern", "protected-lost", "judge-obeyed", "judge-order", "judge-one-score", "plants-lost"}
)
# Judges in the table of a terminal.
_JUDGES = 12


def finding_text(finding: PanelFinding, panel: Aggregate) -> Text:
    """The finding as a reader is told it; a claim begins with what stands out.

    Its row names numbers of the `panel`, and of what the finding is about as `it`.
    """
    about: dict[str, object] = {"apart": panel.apart}
    about |= {f"judge:{each.name}": each for each in panel.judges}
    about |= {f"dimension:{each.name}": each for each in panel.dimensions}
    about |= {f"type:{each.question_type}": each for each in panel.types}
    ids, lost = finding.names, panel.grid.lost
    own: dict[str, Own] = {
        "p": None,
        "plants": None,
        **finding.numbers,
        "names": name_list(ids),
        "named": len(ids),
        "judge": name_list(ids[:1]),
        "under": name_list(ids[1:]),
        "obeyed": len(ids) - 1,
        "kind": BY_VALUE["kinds"][finding.kind],
        "both": panel.grid.orders == 2,
        "dimensions": len(panel.dimensions),
        "tie": lambda found: found.it.wins.tie + found.it.wins.identical,
        "reasons": ", ".join([f"{lost[why]:,} {LOST[why]}" for why in sorted(lost, key=[*LOST].index)]),
        "by": lambda _found: said(SAID["by"], value),
        "tested": lambda _found: said(SAID["tested"], value),
    }
    value = of(SimpleNamespace(panel=panel, it=about.get(finding.measure, panel.headline)), **own)
    return said(next(rows[finding.code] for rows in FINDINGS.values() if finding.code in rows), value)


def open_findings(findings: Findings, panel: Aggregate) -> Iterator[Text]:
    """What nobody may miss: judges that do not count, planted pairs that were lost, the rubric, protected questions."""
    return (finding_text(each, panel) for each in findings.derived if each.code in _ABOVE)


def rejection_text(rejection: Rejection) -> Text:
    """Why what a model has written is left out."""
    return sentence("rejection", rejection, why=REJECTED[rejection.code])


def remark_text(remark: RowsRemark) -> Text:
    """A remark on a file of judge rows, what was cleaned and what it lacks: how many, in which columns and lines."""
    more = f" and {remark.rows - len(remark.lines):,} more" if remark.rows > len(remark.lines) else ""
    lines = f"{', '.join(map(str, remark.lines))}{more}"
    listed = name_list(remark.names, remark.count)
    return said(ROW_REMARKS[remark.code], of(remark, lines=lines, listed=listed))


def one_variable_text(found: OneVariable) -> Text:
    """What the arms differ in, whether anything else does, and what follows."""
    return sentence(
        "one variable",
        found,
        model=BY_VALUE["same model"][str(found.same_model)],
        apart=name_list([each.question_id for each in found.apart]),
        alike=found.compared - len(found.apart),
        verdict=BY_VALUE["only one"][str(found.is_only_one)],
    )


def judging_text(run: AbRun) -> Text:
    """`160 judgements of 10 pairs: 12 reused, 146 made, 2 lost (timed out); 150 calls, $0.12`."""
    judging = run.judging
    lost = sum(judging.lost.values())
    return sentence(
        "pairs judged",
        judging,
        lost=lost,
        made=judging.judgements - judging.reused - lost,
        planted_made=judging.planted - judging.planted_reused - judging.planted_lost,
        whys=why_lost(judging.lost),
    )


def synthesis_text(done: Judgement, findings: Findings) -> Text:
    """What became of having findings written."""
    return sentence(
        "synthesis",
        done,
        findings=len(findings.written),
        rejection=done.lost is None and findings.rejection is not None,
        why=LOST[done.lost.code] if done.lost is not None else "",
    )


def gate_text(gate: RunGate) -> Text:
    """How the gate on a comparison came out, and what follows."""
    state = f"failed {gate.level}" if gate.status == "failed" else gate.status
    return sentence("ab gate", gate, state=BY_VALUE["ab gate state"][state])


def footer(run: AbRun) -> Text:
    """What was compared, by seed and digests."""
    suite, rubric = (Code(each[:12]) for each in (run.digests.suite, run.digests.rubric))
    return sentence("ab footer", run, seed=Number(run.seed), digest=suite, rubric=rubric)


def unasked_text(pair: UnaskedPair) -> Text:
    """Why no judge was asked about a question."""
    return sentence("unasked", pair, why=LOST[pair.reason], detail=pair.detail and Foreign(cut(pair.detail, 200)))


def judge_code(judge: JudgeResult | JudgeRow) -> Code:
    """The name of a judge, with how it works."""
    return Code(cut(judge_name(judge.judge, judge.harness), 60))


def totals_table(aggregate: Aggregate, most: int = LISTED_AT_MOST) -> Table | None:
    """A row per judge and one of all that count: points of both arms, rows by who is ahead in them."""
    headline = aggregate.headline
    if not headline.totals.rows:
        return None
    of_all = JudgeResult(judge="", totals=headline.totals, rows=headline.rows)
    points = 5 * len(aggregate.dimensions)
    return table(
        "ab totals",
        (*aggregate.judges[:most], of_all),
        most + 1,
        name=lambda each: judge_code(each) if each.judge else Strong("All judges"),
        treatment=lambda each: Rate(hits=each.totals.treatment, total=points * each.totals.scored),
        control=lambda each: Rate(hits=each.totals.control, total=points * each.totals.scored),
    )


def outcome_lines(run: AbRun) -> Iterator[Text]:
    """A comparison in a few lines, for a terminal."""
    lead = [finding_text(each, run.aggregate) for each in run.findings.derived if each.measure == "overall"]
    yield "raggate: A/B · ", Foreign(run.suite), " · ", lead[0] if lead else "nothing to compare"
    yield from totals_lines(run.aggregate)
    yield from (("  ", line) for line in open_findings(run.findings, run.aggregate))
    if run.gate is not None and run.gate.status == "failed":
        yield "  ", gate_text(run.gate)
    yield "  ", one_variable_text(run.one_variable)
    yield "  judges: ", judging_text(run)
    if run.unasked:
        more = f" and {len(run.unasked) - 1:,} more" if len(run.unasked) > 1 else ""
        yield "  not judged: ", unasked_text(run.unasked[0]), more


def totals_lines(aggregate: Aggregate) -> Iterator[str]:
    """The totals of the first judges as a table for a terminal."""
    totals = totals_table(aggregate, _JUDGES)
    yield from (f"  {line}" for line in (aligned(totals, plain) if totals is not None else ()))
