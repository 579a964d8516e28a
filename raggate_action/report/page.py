"""What the templates are given: finished, escaped strings in a few shapes. A template lays them out, nothing else."""

from __future__ import annotations

from typing import NamedTuple


class Item(NamedTuple):
    """A list item.

    Attributes:
        text: Its line.
        quoted: A block quotation under it; empty for none.
        under: Lines of a list under it.
    """

    text: str
    quoted: str = ""
    under: tuple[str, ...] = ()


class Table(NamedTuple):
    """A table: head, the rule under it (`---` or `---:`), rows; all of one width, at least one row."""

    head: tuple[str, ...]
    rule: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Fold(NamedTuple):
    """What a reader opens by a click.

    Attributes:
        summary: The line to click; plain words of ours, Markdown is not read there.
        items: A list, before the table.
        table: A table.
        more: The sentence that says what is left out.
    """

    summary: str
    items: tuple[Item, ...] = ()
    table: Table | None = None
    more: str = ""


class Section(NamedTuple):
    """A part of the page; one that is empty leaves no trace.

    Attributes:
        lead: Its first paragraph.
        items, table, more: As in a fold.
        folds: What is folded away under it.
    """

    lead: str = ""
    items: tuple[Item, ...] = ()
    table: Table | None = None
    more: str = ""
    folds: tuple[Fold, ...] = ()


class VerdictBox(NamedTuple):
    """The alert on top.

    Attributes:
        kind: GitHub's name for its colour: CAUTION, WARNING or TIP.
        first: What is said before anything else: that the run was cancelled, who reports it, waivers past their date.
        line: The verdict with the five counts.
        reasons: Why, one line each.
    """

    kind: str
    first: tuple[str, ...]
    line: str
    reasons: tuple[str, ...]


class CommentView(NamedTuple):
    """The whole page, in the order it is read.

    Attributes:
        marker: The hidden line by which the comment is found again.
        verdict: The alert.
        repair: What to repair first.
        unblocked: Known-bad cases that got through.
        gates, slices: The bars and what was measured.
        hallucinations: New ones, or all without a baseline.
        suspects: What the keyless rules find anew.
        regressions: Cases that passed on the baseline.
        cases: Failing, unmeasured and waived cases, each folded.
        fixed: What is better than on the baseline.
        changes: What differs in the suite and in the pipeline.
        amounts: Latency, score, cost.
        beside: What only the job summary has: issues of passing cases, tools, the release report.
        self_test: Whether faults put into passing traces were caught.
        notes: What a reader has to know of this run.
        footer: Where it comes from.
    """

    marker: str
    verdict: VerdictBox
    repair: Section
    unblocked: Section
    gates: Section
    slices: Section
    hallucinations: Section
    suspects: Section
    regressions: Section
    cases: Section
    fixed: Section
    changes: Section
    amounts: Section
    beside: Section
    self_test: Section
    notes: Section
    footer: str
