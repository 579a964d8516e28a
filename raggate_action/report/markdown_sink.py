"""The Markdown sink: how each span and shape of a page is written for GitHub. Layout stands in the templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import assert_never

from raggate_action.report.escape import command, inline_code, prose, with_code
from raggate_action.report.page import Code, Column, Command, Foreign, Link, Message, Number, Strong, Text
from raggate_action.schema.comment_marker import JobResult
from raggate_action.schema.decision import DecisionKind
from raggate_action.strings.numbers import count

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
        case Message():
            written = with_code(text.text)
        case Number():
            # A long number looks like a commit to GitHub.
            written = re.sub(r"\d{7,}", lambda found: inline_code(found[0]), str(text.value))
        case Strong():
            written = f"**{inline(text.text)}**"
        case Link():
            words = "".join([word if isinstance(word, str) else str(word.value) for word in text.words])
            written = f"[{words}]({text.address})"
        case _:
            assert_never(text)
    return written


def rule(column: Column) -> str:
    """What stands under the title of a column: numbers keep to the right."""
    return "---:" if column.numeric else "---"


def alert(kind: DecisionKind) -> str:
    """The kind of alert a decision stands in."""
    return _ALERTS[kind]


def jobs_box(jobs: Sequence[JobResult], shown: JobResult | None, more: int) -> str:
    """What each job of a workflow run has come to, the worst first; ends with a line break.

    Args:
        jobs: Each of them.
        shown: Whose report stands below. Where that is not as bad as the worst, the list is an alert of its own.
        more: How many are left out.
    """
    worst = jobs[0].decision
    as_bad = sum(job.decision == worst for job in jobs)
    lines = [f"**{worst.capitalize()}** in {as_bad:,} of {count(len(jobs) + more, 'job')} of this workflow run:", ""]
    for job in jobs[:_MOST_JOBS]:
        name = inline(Code(job.name)) if job.name else "a job without an `instance`"
        counts = ((job.passed, "passed"), (job.failed, "failed"), (job.unmeasured, "unmeasured"))
        parts = [f"{_MARKS[job.decision]} {job.decision.capitalize()}", name]
        parts += [f"{number:,} {word}" for number, word in counts if number is not None]
        parts += [f"attempt {job.attempt}"] if job.attempt > 1 else []
        where = " (the report below)" if job == shown else ""
        lines.append(f"- {' · '.join(parts)}{where}")
    if left := len(jobs[_MOST_JOBS:]) + more:
        lines.append(f"- and {left:,} more")
    if shown is None or shown.decision != worst:
        lines += ["", "The report of a job that is not below is its job summary."]
        lines = [f"> [!{alert(worst)}]", *[f"> {line}".rstrip() for line in lines]]
    return "\n".join([*lines, "", ""])


# What the templates may call.
FILTERS: dict[str, Callable[..., str]] = {"inline": inline, "rule": rule, "alert": alert}
