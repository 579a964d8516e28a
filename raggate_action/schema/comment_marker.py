"""The hidden lines of a comment: which suite it is about, which workflow run wrote it, what each of its jobs says."""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from raggate_action.schema.base import Natural, Positive
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.later import Origin
from raggate_action.strings.visible_text import cut

LONGEST_INSTANCE = 500
_LONGEST_SLUG = 64
_LONGEST_NAME = 80
_LONGEST_JOBS = 60_000
_DIGEST = 8
_COMMIT = re.compile("[0-9a-f]{40,64}")
_MARKER = re.compile(
    r"<!-- raggate:v1 suite=(?P<suite>[A-Za-z0-9._-]{0,64})"
    r"(?: run=(?P<run>[0-9]{1,19}) attempt=(?P<attempt>[0-9]{1,9})(?: head=(?P<head>[0-9a-f]{40,64}))?"
    r"(?: instance=(?P<instance>[0-9a-f]{8}))?)? -->(?:\r?\n|$)"
)
_JOBS = re.compile(r"^<!-- raggate:jobs (?P<jobs>\[[^\r\n]*\]) -->(?:\r?\n|$)", re.MULTILINE)
# A comment's own line with the decision: everything foreign before it has no raw asterisk.
_DECIDED = re.compile(r"^> \*\*(Release|Block|Inconclusive)\*\* ", re.MULTILINE)
_SEVERITY: dict[DecisionKind, int] = {"release": 0, "inconclusive": 1, "block": 2}


class CommentMarker(NamedTuple):
    """What the marker of a comment says.

    Attributes:
        suite: The suite's slug.
        run_id, attempt: The workflow run that wrote the comment, and which try of it; 0 on a laptop.
        head_sha: The commit it reports on; empty when unknown.
        instance: Digest of which job of a matrix it is; empty without one.
    """

    suite: str
    run_id: int = 0
    attempt: int = 0
    head_sha: str = ""
    instance: str = ""

    @property
    def line(self) -> str:
        """The marker as it stands in a comment; nothing in it can end it early."""
        run = f" run={self.run_id} attempt={self.attempt}" if self.run_id else ""
        head = f" head={self.head_sha}" if run and self.head_sha else ""
        instance = f" instance={self.instance}" if run and self.instance else ""
        return f"<!-- raggate:v1 suite={self.suite}{run}{head}{instance} -->"

    @property
    def age(self) -> tuple[int, int]:
        """Orders workflow runs by when they began; a new try of an old run stays old."""
        return self.run_id, self.attempt


class JobResult(NamedTuple):
    """What one job of a workflow run came to, as the run's comment keeps it; read back, it is a stranger's.

    Attributes:
        attempt: Which try of the run.
        decision: What was decided.
        instance: Digest of which job of a matrix it is; empty without one.
        name: What people call it.
        passed, failed, unmeasured: Cases; None where the comment does not tell.
    """

    attempt: Positive
    decision: DecisionKind
    instance: Annotated[str, Field(pattern="^([0-9a-f]{8})?$")] = ""
    name: Annotated[str, Field(max_length=_LONGEST_NAME)] = ""
    passed: Natural | None = None
    failed: Natural | None = None
    unmeasured: Natural | None = None

    @property
    def badness(self) -> tuple[int, int, int]:
        """Orders results: the worse one is the higher."""
        return _SEVERITY[self.decision], self.failed or 0, self.unmeasured or 0


class CommentPage(NamedTuple):
    """A comment of ours, taken apart: results of jobs, the report that stands below them, and whose that is."""

    jobs: tuple[JobResult, ...]
    report: str
    reported: JobResult | None


def _inert(text: str) -> str:
    """JSON in which nothing ends an HTML comment."""
    return re.sub("[-<>]", lambda found: f"\\u{ord(found[0]):04x}", text)


def marker_of(suite: str, origin: "Origin | None") -> CommentMarker:
    """The marker of a run's comment."""
    slug = suite_slug(suite)
    if origin is None or not origin.workflow_run_id:
        return CommentMarker(slug)
    head = origin.head_sha if _COMMIT.fullmatch(origin.head_sha) else ""
    return CommentMarker(slug, origin.workflow_run_id, origin.run_attempt, head, instance_digest(origin.instance))


def read_marker(body: str) -> CommentMarker | None:
    """The marker a comment begins with; None for any other comment, one that quotes a marker included."""
    found = _MARKER.match(body)
    if found is None:
        return None
    run, attempt = int(found["run"] or 0), int(found["attempt"] or 0)
    return CommentMarker(found["suite"], run, attempt, found["head"] or "", found["instance"] or "")


def jobs_line(jobs: Iterable[JobResult]) -> str:
    """Results of jobs as a comment keeps them; nothing in it can end it early."""
    kept = [{key: value for key, value in each._asdict().items() if value is not None} for each in jobs]
    written = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return f"<!-- raggate:jobs {_inert(written)} -->"


def read_page(body: str) -> CommentPage:
    """What a comment says of jobs, and the report behind it. What is no result of a job is left out with all others."""
    marker = read_marker(body) or CommentMarker("")
    report = body[found.end() :] if (found := _MARKER.match(body)) else body
    kept = _JOBS.search(report)
    jobs = _jobs(kept["jobs"]) if kept is not None else ()
    report = report[kept.end() :] if kept is not None else report
    key = marker.instance, marker.attempt
    reported = next((job for job in jobs if (job.instance, job.attempt) == key), None)
    if reported is None and marker.attempt and (decided := _DECIDED.search(report)):
        kind: Any = decided[1].lower()
        reported = JobResult(instance=marker.instance, attempt=marker.attempt, decision=kind)
        jobs = (*jobs, reported)
    return CommentPage(jobs, report, reported)


def _jobs(text: str) -> tuple[JobResult, ...]:
    if len(text) > _LONGEST_JOBS:
        return ()
    try:
        return TypeAdapter(tuple[JobResult, ...]).validate_json(text)
    except ValidationError:
        return ()


def instance_of(given: str) -> str:
    """Which job of a matrix, in one form: keys in order, nothing for no matrix.

    Args:
        given: `toJSON(matrix)`, or what the workflow's author has written instead.
    """
    text = " ".join(given.encode(errors="replace").decode().split())
    try:
        read = json.loads(given)
    except (ValueError, RecursionError):
        read = text
    if isinstance(read, dict | list | None):
        text = json.dumps(read, sort_keys=True) if read else ""
    if len(text) <= LONGEST_INSTANCE:
        return text
    digest = instance_digest(text)
    return f"{text[: LONGEST_INSTANCE - len(digest) - 1]}-{digest}"


def instance_digest(instance: str) -> str:
    """A short digest of which job of a matrix it is; empty for none."""
    return hashlib.sha256(instance.encode(errors="replace")).hexdigest()[:_DIGEST] if instance else ""


def instance_name(instance: str) -> str:
    """What people call a job of a matrix: its keys and values, on one line, cut."""
    try:
        read = json.loads(instance)
    except (ValueError, RecursionError):
        read = instance
    if isinstance(read, dict):
        read = ", ".join(f"{key} {each if isinstance(each, str) else json.dumps(each)}" for key, each in read.items())
    text = read if isinstance(read, str) else instance
    return cut("".join([c if c.isprintable() else "?" for c in text]), _LONGEST_NAME)


def suite_slug(name: str) -> str:
    """A suite's name where only letters, digits, dots, dashes and underscores may stand; at most 64 of them.

    A name that does not fit gets a digest behind it, so that two suites never share a slug.
    """
    slug = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:_LONGEST_SLUG]
    if slug == name:
        return slug
    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:_DIGEST]
    return f"{slug[: _LONGEST_SLUG - _DIGEST - 1]}-{digest}"
