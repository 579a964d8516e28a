"""From a page to Markdown for GitHub: how spans and shapes are written; Jinja for `init` alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, assert_never

from raggate_action.report.comment_size import COMMENT_BOUNDS, COMMENT_EXTENTS, SUMMARY_BOUNDS, SUMMARY_EXTENTS, fullest
from raggate_action.report.escape import command, inline_code, prose, with_code
from raggate_action.report.page import (
    Code,
    Column,
    Command,
    CommentView,
    DecisionBox,
    Fold,
    Foreign,
    Link,
    Number,
    Section,
    Strong,
    Table,
    Text,
    WithCode,
)
from raggate_action.report.page_sections import comment_view
from raggate_action.report.plain_sink import aligned
from raggate_action.report.record_words import sentence, table
from raggate_action.report.report_input import Reporting
from raggate_action.report.trend_view import history_lines, history_table
from raggate_action.schema.comment_marker import JobResult
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.history import HISTORY_AT_MOST, Trend
from raggate_action.schema.later import AuditReport
from raggate_action.strings.numbers import count
from raggate_action.strings.template_files import template_directory

if TYPE_CHECKING:
    from raggate_action.report.ab_page import AbPage

_MOST_JOBS = 20
_MARKS: dict[DecisionKind, str] = {"release": "✅", "block": "❌", "inconclusive": "⚠️"}
# GitHub's names for the colours of an alert.
_ALERTS: dict[DecisionKind, str] = {"release": "TIP", "block": "CAUTION", "inconclusive": "WARNING"}


def inline(text: Text) -> str:
    """The text on one line, with nothing foreign alive in it."""
    match text:
        case str():
            written = text
        case tuple():
            written = "".join([inline(part) for part in text])
        case Foreign():
            written = prose(text.text) or text.if_blank
        case Code():
            written = inline_code(text.text)
        case Command():
            written = command(text.text)
        case WithCode():
            written = with_code(text.text)
        case Number():
            # A long number looks like a commit to GitHub.
            written = re.sub(r"\d{7,}", lambda found: inline_code(found[0]), str(text.value))
        case Strong():
            written = f"**{inline(text.text)}**"
        case Link():
            words = [str(each.value) if isinstance(each, Number) else inline(each) for each in text.words]
            written = f"[{''.join(words)}]({text.address})"
        case _:
            assert_never(text)
    return written


def rule(column: Column) -> str:
    """The rule under a column's title; columns of numbers are aligned to the right."""
    return "---:" if column.numeric else "---"


def alert(kind: DecisionKind, *, of_fork: bool = False) -> str:
    """The kind of alert for a decision; a release that only a fork's run claims is not green."""
    return "NOTE" if of_fork and kind == "release" else _ALERTS[kind]


def jobs_box(jobs: Sequence[JobResult], current: JobResult | None, more: int, *, of_fork: bool = False) -> str:
    """The result of each job of a workflow run, the worst first; ends with a line break.

    Args:
        jobs: Each of them.
        current: Whose report stands below. Where that is not as bad as the worst, the list is an alert of its own.
        more: How many are left out.
        of_fork: Runs of a fork say so: then nothing is green.
    """
    worst = jobs[0].decision
    as_bad = sum(job.decision == worst for job in jobs)
    lines = [f"**{worst.capitalize()}** in {as_bad:,} of {count(len(jobs) + more, 'job')} of this workflow run:", ""]
    for job in jobs[:_MOST_JOBS]:
        name = inline(Code(job.name)) if job.name else "a job without an `instance`"
        counts = ((job.passed, "passed"), (job.failed, "failed"), (job.unmeasured, "not measured"))
        mark = "" if of_fork and job.decision == "release" else f"{_MARKS[job.decision]} "
        parts = [f"{mark}{job.decision.capitalize()}", name]
        parts += [f"{number:,} {word}" for number, word in counts if number is not None]
        parts += [f"attempt {job.attempt}"] if job.attempt > 1 else []
        where = " (the report below)" if job == current else ""
        lines.append(f"- {' · '.join(parts)}{where}")
    if left := len(jobs[_MOST_JOBS:]) + more:
        lines.append(f"- and {left:,} more")
    if current is None or current.decision != worst:
        lines += ["", "The report of a job that is not below is its job summary."]
        lines = [f"> [!{alert(worst, of_fork=of_fork)}]", *[f"> {line}".rstrip() for line in lines]]
    return "\n".join([*lines, "", ""])


def render_comment(reporting: Reporting) -> str:
    """The pull request comment, the fullest one within the bounds; ends with a line break."""
    return fullest(lambda extent: comment_pieces(comment_view(reporting, extent)), COMMENT_EXTENTS, COMMENT_BOUNDS)


def render_summary(reporting: Reporting) -> str:
    """The job summary: the same page with every listed case; ends with a line break."""
    return fullest(lambda extent: page_pieces(comment_view(reporting, extent)), SUMMARY_EXTENTS, SUMMARY_BOUNDS)


def render_findings(page: AbPage) -> str:
    """The page of findings about a panel; ends with a line break."""
    pieces = [f"# {inline(page.title)}\n", f"\n{inline(page.lead)}\n" if page.lead else ""]
    for chapter in page.chapters:
        pieces += [f"\n## {inline(chapter.title)}\n", *_section(chapter.section)]
    return "".join([*pieces, f"\n<sub>{inline(page.footer)}</sub>\n" if page.footer else ""])


def render_history(trend: Trend) -> str:
    """The history of a branch, so that a terminal shows its table too; ends with a line break."""
    if not trend.lines:
        return "There is no history: the run was stopped, or is of single cases.\n"
    lead = [f"- {inline(line)}" for line in history_lines(trend)]
    # This run among them.
    runs = aligned(history_table(trend.lines, HISTORY_AT_MOST + 1), inline)
    return "\n".join([*lead, *([""] if lead else []), *runs]) + "\n"


def render_audit(report: AuditReport) -> str:
    """The verdict on an answer, a row per claim, the suggested fix; ends with a line break."""
    claims = table(
        "audit", report.claims, span=lambda each: Foreign(each.span), note=lambda each: Foreign(each.note or "")
    )
    section = Section(
        sentence("audit", report, claims=len(report.claims), unsupported=len(report.unsupported)),
        table=claims if report.claims else None,
        more=("Suggested fix: ", Foreign(report.suggested_fix)) if report.suggested_fix else "",
    )
    return "".join(_section(section)).removeprefix("\n")


def comment_pieces(view: CommentView) -> Iterator[str]:
    """The page below the hidden line by which a comment is found again; in pieces, as `page_pieces`."""
    yield f"{view.marker.line}\n"
    yield from page_pieces(view)


def page_pieces(view: CommentView) -> Iterator[str]:
    """A page in pieces, never whole in memory; a listing is read while its entries are written."""
    yield from _decision(view.decision)
    yield from _sections(view.sections, view.footer)


def _decision(box: DecisionBox) -> Iterator[str]:
    yield f"> [!{alert(box.kind, of_fork=box.of_fork)}]\n"
    for line in box.first:
        yield f"> {inline(line)}\n>\n"
    yield f"> {inline(box.line)}\n"
    for reason in box.reasons:
        yield f"> - {inline(reason)}\n"


def _sections(sections: Iterable[Section], footer: Text) -> Iterator[str]:
    for section in sections:
        yield from _section(section)
    yield f"\n<sub>{inline(footer)}</sub>\n"


def _section(section: Section) -> Iterator[str]:
    if section.lead:
        yield f"\n{inline(section.lead)}\n"
    yield from _block(section)
    for fold in section.folds:
        yield f"\n<details><summary>{fold.summary}</summary>\n"
        yield from _block(fold)
        yield "\n</details>\n"


def _block(block: Section | Fold) -> Iterator[str]:
    """The list, the table and the sentence of what is left out; a blank line before each."""
    if block.items:
        yield "\n"
        for item in block.items:
            yield f"- {inline(item.text)}\n"
            if item.quoted is not None:
                yield f"  > {inline(item.quoted)}\n"
            for line in item.under:
                yield f"  - {inline(line)}\n"
    if block.table:
        yield from _table(block.table)
    if block.more:
        yield f"\n{inline(block.more)}\n"


def _table(table: Table) -> Iterator[str]:
    yield f"\n| {' | '.join([column.title for column in table.columns])} |\n"
    yield f"| {' | '.join(map(rule, table.columns))} |\n"
    for row in table.rows:
        yield f"| {' | '.join(map(inline, row))} |\n"


def render_scaffold(name: str, values: Mapping[str, object]) -> str:
    """A file to begin with, as `init` writes it: a workflow, a script.

    Args:
        name: Its template in `templates/scaffold`; values stand there between `<<` and `>>`, for `{{` is GitHub's.
        values: What is filled in as it is: names that cannot be mistaken for syntax.
    """
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # No autoescape: it knows HTML only, and these are YAML and Python.
    environment = SandboxedEnvironment(
        *("<%", "%>", "<<", ">>"),
        loader=FileSystemLoader(template_directory()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template(f"scaffold/{name}.j2").render(values)
