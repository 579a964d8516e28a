"""Where a run comes from: its scope, commit, baseline and workflow run, with links to them."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from urllib.parse import quote

from raggate_action.report.comment_size import Extent, code
from raggate_action.report.page import Code, Link, Number, Section, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.later import BaselineNote, Origin
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_SHORT = 7
_WEEK_DAYS = 7
_COMMIT = re.compile("[0-9a-f]{40,64}")
# A fault is said to be missed while the chance that no case shows it is one in twenty or more.
_CHANCE = 0.05
_BAR_PERCENT = 5
_FRACTION = re.compile(r"\.\d+(?=Z|[+-])")
# An address of any other form is not linked: a stored run may come from a stranger.
_SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._-]+)*")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")


def footer(reporting: Reporting, extent: Extent) -> Text:
    """Where the run comes from, on one line: scope, commit, baseline, workflow run, version.

    What differs between two runs of one commit, and digests, which nobody reads on a pull request, stand in the job
    summary alone.
    """
    run = reporting.run
    made = run.provenance
    version: Text = "raggate ", Code(cut(made.raggate_version, 40))
    parts: list[Text] = [_scope(run), *_commit(run), _baseline(reporting, extent)]
    if extent.whole:
        evidence = ("evidence ", Code(made.evidence_digest[:12])) if made.evidence_digest else "no evidence store"
        parts += [*_unseen(reporting), evidence, ("decided ", _moment(run.decided_at))]
        parts += [*_workflow_run(run.origin), version, ("run ", Code(_digest(run)))]
    else:
        parts += [*(["no evidence store"] if made.evidence_digest is None else []), *_workflow_run(run.origin)]
        parts += [version]
    return joined(" · ", parts)


def _moment(stored: str) -> Text:
    """A moment to the second."""
    return Code(cut(_FRACTION.sub("", stored), 40))


def baseline_note(reporting: Reporting) -> BaselineNote | None:
    """The note on the baseline; None where the stored note is about another baseline.

    A stored run may be compared again, with whatever baseline is given then.
    """
    note, comparison = reporting.run.baseline, reporting.comparison
    if note is None or comparison is None:
        return note
    return None if note.missing or note.head_sha != comparison.baseline_git_sha else note


def _digest(run: Run) -> str:
    # The cases are in by their own digest; listing them again would cost more than the page. The files are whole only
    # after it is.
    content = run.model_dump(mode="json", exclude={"suite_cases", "files"})
    # ASCII only: a lone surrogate in a foreign text has a digest too.
    return digest_of_text(json.dumps(content, sort_keys=True))[:12]


def _scope(run: Run) -> Text:
    whole = run.in_scope == run.suite_size
    cases = count(run.suite_size, "case") if whole else f"{run.in_scope:,} of {count(run.suite_size, 'case')}"
    known_bad = f", {run.counts.known_bad:,} of them known-bad" if run.counts.known_bad else ""
    waived = f", {run.counts.waived:,} waived" if run.counts.waived else ""
    return "scope ", Code(cut(run.scope, 80)), f": {cases}{known_bad}{waived}"


def _unseen(reporting: Reporting) -> Iterator[Text]:
    """The failure rate that so few cases cannot show; nothing below the 5 % that the usual bar lets pass.

    A fault that strikes a share p of all questions strikes none of n cases with a chance of (1 - p)^n.
    """
    run = reporting.run
    scored = run.counts.passed + run.counts.failed + run.counts.flaky
    if not scored or run.cancelled or reporting.app_is_silent:
        return
    percent = int(100 * (1 - _CHANCE ** (1 / scored)))
    if percent >= _BAR_PERCENT:
        yield f"{count(scored, 'case')} can miss a fault that strikes {percent} % of questions"


def _commit(run: Run) -> Iterator[Text]:
    """The commit under review; of a pull request its own last one, not the merge commit the check was made on."""
    sha = run.origin.head_sha if run.origin is not None else run.provenance.git_sha
    if sha:
        yield "commit ", _commit_link(sha[:12], sha, run.origin)


def _commit_link(name: str, sha: str | None, origin: Origin | None) -> Text:
    """A name linked to its commit; the name alone where that is not one, or nobody knows the address."""
    known = sha is not None and _COMMIT.fullmatch(sha)
    return _link((Code(name),), origin if known else None, f"commit/{sha}")


def _baseline(reporting: Reporting, extent: Extent) -> Text:
    """Its name with a link to the run that made it, else to its commit; its decision; how old it is."""
    comparison, note, origin = reporting.comparison, baseline_note(reporting), reporting.run.origin
    if comparison is None:
        return "no baseline"
    sha = comparison.baseline_git_sha
    decided, compared = comparison.baseline_decision, f"{count(comparison.compared, 'case')} compared"
    if note is None:
        named: Text = (" ", _commit_link(sha[:12], sha, origin)) if sha else ""
        moment = _moment(comparison.baseline_decided_at)
        return "baseline", named, " decided ", moment, f" ({decided}), {compared}"
    branch = cut(note.branch, 80)
    name = f"{branch}@{note.head_sha[:_SHORT]}" if note.head_sha else branch
    if note.workflow_run_id is not None:
        link = _link((Code(name),), origin, f"actions/runs/{note.workflow_run_id}")
    else:
        link = _commit_link(name, note.head_sha, origin)
    return joined(", ", [("baseline ", link, f" ({decided})"), *_distance(note, extent), compared])


def _distance(note: BaselineNote, extent: Extent) -> Iterator[Text]:
    """How far back it lies: in commits, and in days; days of a week or less in the job summary alone."""
    if note.distance:
        yield f"{count(note.distance, 'commit')} behind"
    if note.age_days is not None and (extent.whole or note.age_days > _WEEK_DAYS):
        yield f"{count(note.age_days, 'day')} old" if note.age_days else "less than a day old"


def _workflow_run(origin: Origin | None) -> Iterator[Text]:
    if origin is None:
        return
    attempt = origin.run_attempt
    again = (", attempt ", Number(attempt)) if attempt > 1 else ()
    words = ("workflow run ", Number(origin.workflow_run_id), *again)
    page = f"actions/runs/{origin.workflow_run_id}" + (f"/attempts/{attempt}" if attempt > 1 else "")
    yield _link(words, origin, page)


def place_of(row: CaseRun, root: str) -> tuple[str, int | None]:
    """File and line of a case; no file and None where it is written outside of the repository.

    Args:
        row: The case.
        root: The working directory of the run, seen from the top of the repository.
    """
    file = posixpath.normpath(posixpath.join(root, row.file))
    inside = not (posixpath.isabs(file) or file.split("/")[0] == "..")
    return (file, row.line) if inside else ("", None)


def case_link(row: CaseRun, run: Run) -> Text:
    """A case's id, linked to its line at the commit under review; the id alone where nobody knows the address."""
    name, origin = code(row.case_id), run.origin
    path, line = place_of(row, origin.root if origin is not None else "")
    if origin is None or not (row.file and path) or not _COMMIT.fullmatch(origin.head_sha):
        return name
    # A tilde is no part of markup in an address, and is none either where somebody copies it.
    place = quote(path, safe="/", errors="replace").replace("~", "%7E")
    return _link((name,), origin, f"blob/{origin.head_sha}/{place}#L{line}")


def page_section(reporting: Reporting, _extent: Extent) -> Section:
    """Where every case of the run is shown; empty where its page was not published."""
    if not reporting.page:
        return Section()
    return Section(lead=(Link(("Open the report",), reporting.page), ": every case, and what decided it."))


def page_link(row: CaseRun, reporting: Reporting) -> Text:
    """The case's own place on the page of the run; empty where that was not published."""
    if not reporting.page:
        return ""
    place = quote(row.case_id, safe="", errors="replace").replace("~", "%7E")
    return " · ", Link(("in the report",), f"{reporting.page}#case={place}")


def change_name(reporting: Reporting) -> str:
    """What a run is called beside its base branch: `this pull request`, or `this run` outside of one."""
    origin = reporting.run.origin
    return "this pull request" if origin is not None and origin.pull_request is not None else "this run"


def _link(words: tuple[str | Number | Code, ...], origin: Origin | None, page: str) -> Text:
    """Words of ours linked to a page of the repository; the words alone where its address is not one."""
    if origin is None or not (_SERVER.fullmatch(origin.server_url) and _REPOSITORY.fullmatch(origin.repository)):
        return words
    return Link(words, f"{origin.server_url}/{origin.repository}/{page}")
