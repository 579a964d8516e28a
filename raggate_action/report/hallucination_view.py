"""Hallucinations, suspects and findings: the offending words, and the evidence nearest to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.report.comment_size import Extent, left_out, names, table_fold
from raggate_action.report.page import (
    Code,
    Column,
    FirstEntries,
    Fold,
    Foreign,
    Item,
    Section,
    Strong,
    Table,
    Text,
    sentences,
)
from raggate_action.report.report_input import Reporting
from raggate_action.report.vote_view import votes_in_short
from raggate_action.schema.case_run import CaseRun, Claim, Finding, FindingKind, Hallucination
from raggate_action.schema.comparison import Comparison, NewSuspect
from raggate_action.strings.numbers import NOTHING, count
from raggate_action.strings.visible_text import cut

_IN_WORDS = {
    "answered": "answered although the evidence cannot answer",
    "phrase": "forbidden phrase",
    "claim": "claim that no chunk supports",
}


class _Found(NamedTuple):
    """A hallucination and its case."""

    case_id: str
    hallucination: Hallucination


def hallucination_section(reporting: Reporting, extent: Extent) -> Section:
    """With a baseline the new ones and how many persist, without one all of them."""
    comparison = reporting.comparison
    return _all(reporting, extent) if comparison is None else _new(reporting, comparison, extent)


def _all(reporting: Reporting, extent: Extent) -> Section:
    """Counted by case, because only cases are counted beyond those that are listed."""
    total = reporting.run.counts.hallucinating
    if not total:
        return Section()
    found = _listed(reporting)[: extent.rows]
    more = left_out(len({each.case_id for each in found}), total, extent)
    lead = Strong(f"Hallucinations in {count(total, 'case')}:")
    section = Section(lead=lead, more=more)
    return _opened(section, "more hallucination", found, reporting, extent)


def _new(reporting: Reporting, comparison: Comparison, extent: Extent) -> Section:
    new = [_Found(moved.case_id, moved.hallucination) for moved in comparison.hallucinations if moved.move == "new"]
    listed = new[: extent.rows]
    total = comparison.new_hallucinations
    more = sentences(left_out(len(listed), total, extent, file="comparison.json"), _persisting(comparison))
    lead: Text = Strong(f"{count(total, 'new hallucination')}:") if total else ""
    section = Section(lead=lead, more=more)
    section = _opened(section, "more new hallucination", listed, reporting, extent)
    return section._replace(folds=(*section.folds, *_uncompared(reporting, comparison, extent)))


def _opened(section: Section, noun: str, found: Sequence[_Found], reporting: Reporting, extent: Extent) -> Section:
    """The section with its first items open and the others folded."""
    above, below = (_items(part, reporting, extent) for part in (found[: extent.above], found[extent.above :]))
    folds = (Fold(count(len(below), noun), items=below),) if below else ()
    return section._replace(items=above, folds=folds)


def _items(found: Sequence[_Found], reporting: Reporting, extent: Extent) -> FirstEntries[_Found, Item]:
    return FirstEntries(found, lambda each: _item(each, reporting, extent), extent.rows)


def _listed(reporting: Reporting) -> list[_Found]:
    return [_Found(row.case_id, found) for row in reporting.listed.hallucinating for found in row.hallucinations]


def _uncompared(reporting: Reporting, comparison: Comparison, extent: Extent) -> tuple[Fold, ...]:
    """Hallucinations of cases that the baseline lacks in this form: whether they are new is unknown."""
    cases = {*comparison.added, *comparison.changed}
    found = [each for each in _listed(reporting) if each.case_id in cases]
    if not found:
        return ()
    title = f"{count(len(found), 'hallucination')} in added or changed cases, which the baseline cannot compare"
    items = _items(found, reporting, extent)
    return (Fold(title, items=items, more=left_out(len(items), len(found), extent)),)


def _persisting(comparison: Comparison) -> str:
    persisting = comparison.persisting_hallucinations
    if not persisting:
        return ""
    more = "more was" if persisting == 1 else "more were"
    subject = (
        f"{persisting:,} {more}"
        if comparison.new_hallucinations
        else count(persisting, "hallucination was", "hallucinations were")
    )
    return f"{subject} already there on the baseline."


def _item(found: _Found, reporting: Reporting, extent: Extent) -> Item:
    hallucination = found.hallucination
    text = Code(cut(found.case_id, 80)), f": {_IN_WORDS[hallucination.kind]} · ", Code(cut(hallucination.key, 60))
    chunk: Text = ("nearest evidence: ", Code(cut(hallucination.chunk_id, 80))) if hallucination.chunk_id else ""
    if not reporting.shows_texts:
        return Item(text, under=(chunk,) if chunk else ())
    if chunk and hallucination.quote:
        chunk = chunk, " “", Foreign(cut(hallucination.quote, extent.words)), "”"
    quoted = Foreign(cut(hallucination.text, extent.words)) if hallucination.text.strip() else None
    votes = _votes(found, reporting)
    return Item(text, quoted=quoted, under=tuple([line for line in (chunk, votes) if line]))


def _votes(found: _Found, reporting: Reporting) -> str:
    """The judges' votes on the claim; empty where no judge was called."""
    if reporting.run.panel is None:
        return ""
    rows = [row for row in reporting.listed.hallucinating if row.case_id == found.case_id]
    claims = [claim for row in rows for claim in row.claims if claim.votes and claim.text == found.hallucination.text]
    return votes_in_short(claims[0]) if claims else ""


_VALUES = 5


def finding_section(reporting: Reporting, extent: Extent) -> Section:
    """The findings of every case that is listed, failing ones first; folded, and nothing without any."""
    return _fold("Findings on claims", reporting, extent, advisory=False)


def advice_section(reporting: Reporting, extent: Extent) -> Section:
    """Findings that only advise, in a fold of their own, so that they hide no finding that counts."""
    return _fold("Advice on claims, which counts nowhere", reporting, extent, advisory=True)


def lacking_section(reporting: Reporting, extent: Extent) -> Section:
    """Values of reference answers that the answers lack, folded: a note that counts nowhere."""

    def row(case: CaseRun) -> tuple[Text, ...]:
        shown = reporting.shows_texts
        values = [Foreign(cut(each.text, 80)) if shown else Code(each.code) for each in case.lacks[:_VALUES]]
        return Code(cut(case.case_id, 80)), names(values, len(case.lacks))

    found = reporting.listed.lacking
    table = Table((Column("Case"), Column("Not in the answer")), FirstEntries(found, row, extent.rows))
    return table_fold("Values of reference answers, which count nowhere", table, total=len(found), extent=extent)


def _fold(title: str, reporting: Reporting, extent: Extent, *, advisory: bool) -> Section:
    listed = reporting.listed
    # A case without a finding is in none of these for its claims' sake.
    cases = (*listed.failing, *listed.unmeasured, *listed.with_issues)
    found = [
        (row.case_id, claim, finding)
        for row in cases
        for claim in row.claims
        for finding in claim.findings
        if finding.advisory == advisory
    ]
    rows = FirstEntries(found, lambda each: _row(*each, reporting, extent), extent.rows)
    table = Table((Column("Case"), Column("Claim"), Column("Finding")), rows)
    return table_fold(title, table, total=len(found), extent=extent)


def _row(case_id: str, claim: Claim, finding: Finding, reporting: Reporting, extent: Extent) -> tuple[Text, ...]:
    case, code = Code(cut(case_id, 80)), Code(f"{finding.kind}: {cut(finding.code, 60)}")
    if not reporting.shows_texts:
        chunk: Text = (" ", Code(cut(finding.chunk_id, 80))) if finding.chunk_id else ""
        return case, Code(cut(claim.claim_id, 80)), (code, chunk)
    reason = Foreign(cut(finding.reason, extent.words), NOTHING)
    return case, Foreign(cut(claim.text, extent.words), NOTHING), (code, " ", reason)


_FOUND: dict[FindingKind, str] = {
    "conflict": "the evidence says otherwise",
    "absent": "not in the evidence",
    "structure": "wrongly cited",
}


def suspect_section(reporting: Reporting, extent: Extent) -> Section:
    """Suspects that the baseline did not have, conflicts first; without a baseline nothing is new."""
    comparison = reporting.comparison
    if comparison is None or not comparison.new_suspects.suspects:
        return Section()
    new = comparison.new_suspects
    items = [_suspect(each, reporting, extent) for each in new.listed[: extent.rows]]
    more = left_out(len(items), new.suspects, extent, file="comparison.json")
    judged = reporting.run.judging is not None and reporting.run.judging.answers
    unread = ":" if judged else ", which no judge has read:"
    lead = Strong(count(new.suspects, "new suspect")), unread
    above, below = tuple(items[: extent.above]), tuple(items[extent.above :])
    folds = (Fold(count(len(below), "more new suspect"), items=below),) if below else ()
    return Section(lead=lead, items=above, more=more, folds=folds)


def _suspect(suspect: NewSuspect, reporting: Reporting, extent: Extent) -> Item:
    finding = suspect.finding
    text: Text = Code(cut(suspect.case_id, 80)), f": {_FOUND[finding.kind]}"
    if not reporting.shows_texts:
        chunk: Text = (" in ", Code(cut(finding.chunk_id, 80))) if finding.chunk_id else ""
        return Item((text, " (", Code(cut(finding.code, 60)), ")", chunk))
    reason = Foreign(cut(finding.reason, extent.words))
    return Item((text, ": ", reason), quoted=Foreign(cut(suspect.text, extent.words)))
