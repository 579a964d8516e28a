"""The hidden first line of a comment: which suite it is about, and which workflow run wrote it."""

import hashlib
import re
from typing import NamedTuple

from raggate_action.schema.origin import Origin

_LONGEST_SLUG = 64
_DIGEST = 8
_COMMIT = re.compile("[0-9a-f]{40,64}")
_MARKER = re.compile(
    r"<!-- raggate:v1 suite=(?P<suite>[A-Za-z0-9._-]{0,64})"
    r"(?: run=(?P<run>[0-9]{1,19}) attempt=(?P<attempt>[0-9]{1,9})(?: head=(?P<head>[0-9a-f]{40,64}))?)? -->(?:\r?\n|$)"
)


class CommentMarker(NamedTuple):
    """What the marker of a comment says.

    Attributes:
        suite: The suite's slug.
        run_id, attempt: The workflow run that wrote the comment, and which try of it; 0 on a laptop.
        head_sha: The commit it reports on; empty when unknown.
    """

    suite: str
    run_id: int = 0
    attempt: int = 0
    head_sha: str = ""

    @property
    def line(self) -> str:
        """The marker as it stands in a comment; nothing in it can end it early."""
        run = f" run={self.run_id} attempt={self.attempt}" if self.run_id else ""
        head = f" head={self.head_sha}" if run and self.head_sha else ""
        return f"<!-- raggate:v1 suite={self.suite}{run}{head} -->"

    @property
    def age(self) -> tuple[int, int]:
        """Orders workflow runs by when they began; a new try of an old run stays old."""
        return self.run_id, self.attempt


def marker_of(suite: str, origin: Origin | None) -> CommentMarker:
    """The marker of a run's comment."""
    slug = suite_slug(suite)
    if origin is None or not origin.workflow_run_id:
        return CommentMarker(slug)
    head = origin.head_sha if _COMMIT.fullmatch(origin.head_sha) else ""
    return CommentMarker(slug, origin.workflow_run_id, origin.run_attempt, head)


def read_marker(body: str) -> CommentMarker | None:
    """The marker a comment begins with; None for any other comment, one that quotes a marker included."""
    found = _MARKER.match(body)
    if found is None:
        return None
    return CommentMarker(found["suite"], int(found["run"] or 0), int(found["attempt"] or 0), found["head"] or "")


def suite_slug(name: str) -> str:
    """A suite's name where only letters, digits, dots, dashes and underscores may stand; at most 64 of them.

    A name that does not fit gets a digest behind it, so that two suites never share a slug.
    """
    slug = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:_LONGEST_SLUG]
    if slug == name:
        return slug
    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:_DIGEST]
    return f"{slug[: _LONGEST_SLUG - _DIGEST - 1]}-{digest}"
