"""What a panel's aggregate says: rows of the catalogue, filled with the numbers and names of each finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from raggate_action.report.catalogue import FINDINGS, LOST, REJECTED, ROW_REMARKS, filled
from raggate_action.report.comment_size import names
from raggate_action.report.page import Code, Text
from raggate_action.schema.ab_findings import FindingCode, PanelFinding, Rejection
from raggate_action.schema.judge_rows import RowsRemark
from raggate_action.strings.numbers import count, mean, p_value, signed
from raggate_action.strings.visible_text import cut

_NAMED = 12
_FEW = 3
_LONGEST_NAME = 60
_VERDICTS = {
    "better": "the treatment is better as well",
    "worse": "the treatment is worse as well",
    "no_difference": "no difference is shown",
}


def rejection_text(rejection: Rejection) -> Text:
    """Why what a model has written is left out."""
    found: Text = (" (", Code(cut(rejection.found, _LONGEST_NAME)), ")") if rejection.found else ""
    which = f"finding {rejection.place}" if rejection.place else "it"
    return f"What a model wrote is left out, all of it: {which} {REJECTED[rejection.code]}", found, "."


def finding_text(finding: PanelFinding) -> Text:
    """The finding as a reader is told it; a claim begins with what stands out."""

    def value(name: str) -> Text | int:
        if name in _WORKED_OUT:
            return _WORKED_OUT[name](finding)
        if name in finding.amounts:
            return _AMOUNTS.get(name, mean)(finding.amounts[name])
        return finding.counts[name]

    variant = _VARIANTS[finding.code](finding) if finding.code in _VARIANTS else ""
    return filled(FINDINGS[f"{finding.code}{variant}"], value)


def remark_text(remark: RowsRemark) -> Text:
    """A remark on a file of judge rows, what was cleaned and what it lacks: how many, in which columns and lines."""
    more = f" and {remark.rows - len(remark.lines):,} more" if remark.rows > len(remark.lines) else ""
    values: Mapping[str, Text | int] = {
        "count": remark.count,
        "rows": remark.rows,
        "lines": f"{', '.join(map(str, remark.lines))}{more}",
        "of": (" of ", name_list(remark.names)) if remark.names else "",
        "names": name_list(remark.names, remark.count),
    }
    return filled(ROW_REMARKS[remark.code], values.__getitem__)


def name_list(ids: Sequence[str], total: int = 0) -> Text:
    """Questions, judges or dimensions in a row, the first of them by name; `total` where there are more than given."""
    return names([Code(cut(each, _LONGEST_NAME)) for each in ids[:_NAMED]], total or len(ids))


def _by_questions(finding: PanelFinding) -> str:
    """`the treatment wins 8 of 12 questions, the control 3, 1 is a tie; mean delta +0.83 points`."""
    counts, amounts = finding.counts, finding.amounts
    of = f"{counts['treatment']:,} of {count(counts['questions'], 'question')}"
    ties = f", {count(counts['tie'], 'is a tie', 'are ties')}" if counts["tie"] else ""
    delta = f"; mean delta {signed(amounts['mean_delta'])} points" if "mean_delta" in amounts else ""
    return f"the treatment wins {of}, the control {counts['control']:,}{ties}{delta}"


def _tested(finding: PanelFinding) -> str:
    sided = "one-sided" if finding.counts["one_sided"] else "two-sided"
    how = "" if finding.counts["exact"] else ", its ways drawn at random"
    return f"{p_value(finding.amounts['p'])} by the {sided} sign-flip test over questions{how}"


def _scale(finding: PanelFinding) -> str:
    dimensions = finding.counts["dimensions"]
    return f"scored on {count(dimensions, 'dimension')} from 1 to 5" if dimensions else "unscored"


def _unpaired(finding: PanelFinding) -> str:
    unpaired = finding.counts["unpaired"]
    what = count(unpaired, "row counts", "rows count")
    return f" {what} for nothing either, for the other order of the pair is lost." if unpaired else ""


def _misstated(finding: PanelFinding) -> str:
    counts = finding.counts
    totals = f"the total of their own scores in {counts['totals']:,} of {count(counts['of_totals'], 'row')}"
    verdicts = f"who is ahead by them in {counts['verdicts']:,} of {counts['of_verdicts']:,}"
    return ", and ".join([part for part, n in ((totals, counts["totals"]), (verdicts, counts["verdicts"])) if n])


_AMOUNTS: Mapping[str, Callable[[float], str]] = {"delta": signed, "smallest": p_value}
# What a row names that is neither a count nor an amount of the finding.
_WORKED_OUT: Mapping[str, Callable[[PanelFinding], Text | int]] = {
    "names": lambda each: name_list(each.names),
    "judge": lambda each: Code(cut(each.names[0], _LONGEST_NAME)),
    "under": lambda each: names([Code(cut(of, _LONGEST_NAME)) for of in each.names[1 : 1 + _FEW]], len(each.names) - 1),
    "by": _by_questions,
    "By": lambda each: f"T{_by_questions(each)[1:]}",
    "tested": _tested,
    "verdict": lambda each: _VERDICTS[each.kind],
    "orders": lambda each: ", in both orders" if each.counts["orders"] > 1 else "",
    "scale": _scale,
    "agreed": lambda each: each.counts["treatment"] + each.counts["control"] + each.counts["tie"],
    "known": lambda each: "not known" if each.counts["lost"] == each.counts["of"] else "not fully known",
    "reasons": lambda each: ", ".join([f"{each.counts[of]:,} {LOST[of]}" for of in LOST if each.counts.get(of)]),
    "unpaired": _unpaired,
    "concerned": lambda each: (" Judges concerned: ", name_list(each.names), ".") if each.names else "",
    "misstated": _misstated,
}


def _apart(finding: PanelFinding) -> str:
    if not finding.counts["judges"]:
        return "-no-judge"
    return "-no-verdict" if not finding.counts["questions"] else "-note" if finding.kind == "note" else ""


# Findings with several rows: what stands behind the code in the name of the row.
_VARIANTS: Mapping[FindingCode, Callable[[PanelFinding], str]] = {
    "apart": _apart,
    "concern": lambda each: "" if each.counts["questions"] == 1 else "-many",
    "judge-one-score": lambda each: "-planted" if "plants" in each.counts else "",
    "plants-lost": lambda each: "-untried" if "untried" in each.counts else "",
}
