"""What raggate reads from GitHub's API. An answer that lacks what it needs is a fault like any other."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import IO, Final, NamedTuple
from urllib.parse import quote, urlsplit

from raggate_action.github.connection import PER_PAGE, Connection, GitHubFault, reading
from raggate_action.github.download import DownloadError, download
from raggate_action.github.records import (
    Artifact,
    Pull,
    WorkflowRun,
    artifact_from,
    commit_from,
    items_of,
    number_at,
    pull_from,
    text_at,
    workflow_run_from,
)

__all__ = ["ArtifactList", "GitHubApi", "GitHubFault"]

ARTIFACT_PAGES: Final = 3
COMMIT_PAGES: Final = 3


class ArtifactList(NamedTuple):
    """The artifacts of one name, newest first as GitHub lists them; `whole` says that none was left out."""

    artifacts: tuple[Artifact, ...]
    whole: bool


class GitHubApi(Connection):
    """One repository of one GitHub, read."""

    def repository_id(self) -> int:
        """The number that no renaming of the repository changes. Raises as `ask`."""
        with reading("GET the repository"):
            return number_at(self.ask("GET", ""), "id")

    def artifacts_named(self, name: str, *, max_pages: int = ARTIFACT_PAGES) -> ArtifactList:
        """The artifacts of exactly this name; at most `max_pages` requests. Raises as `ask`."""
        found: list[Artifact] = []
        for page in range(1, max_pages + 1):
            parameters = {"name": name, "per_page": PER_PAGE, "page": page}
            with reading("GET /actions/artifacts"):
                items = items_of(self.ask("GET", "/actions/artifacts", parameters=parameters), "artifacts")
                found += [artifact_from(item) for item in items]
            if len(items) < PER_PAGE:
                return ArtifactList(tuple(found), whole=True)
        return ArtifactList(tuple(found), whole=False)

    def artifacts_of_run(self, run_id: int) -> tuple[Artifact, ...]:
        """The first hundred artifacts that one workflow run stored. Raises as `ask`."""
        with reading("GET /actions/runs/ID/artifacts"):
            told = self.ask("GET", f"/actions/runs/{run_id}/artifacts", parameters={"per_page": PER_PAGE})
            return tuple(map(artifact_from, items_of(told, "artifacts")))

    def workflow_run(self, run_id: int) -> WorkflowRun:
        """One workflow run. Raises as `ask`."""
        with reading("GET /actions/runs"):
            return workflow_run_from(self.ask("GET", f"/actions/runs/{run_id}"))

    def first_parents(self, sha: str, *, limit: int = PER_PAGE) -> tuple[str, ...]:
        """The commit and the first parent of each, nearest first; at most `limit`, and three requests.

        GitHub lists every ancestor by date, the merged branches' own commits among them. So the chain is built from
        the parents, and listed on from the first that is missing; where much is merged it may stay short.

        Raises:
            GitHubFault: As `ask`.
        """
        chain: list[str] = []
        wanted: str | None = sha
        for _ in range(COMMIT_PAGES):
            with reading("GET /commits"):
                told = self.ask("GET", "/commits", parameters={"sha": wanted, "per_page": PER_PAGE})
                parents = {commit.sha: commit.parents for commit in map(commit_from, items_of(told))}
            if wanted not in parents:
                break
            while wanted in parents and len(chain) < limit:
                chain.append(wanted)
                wanted = next(iter(parents[wanted]), None)
            if wanted is None or len(chain) == limit:
                break
        return tuple(chain)

    def merge_base(self, base: str, head: str) -> str | None:
        """The commit where `head` left `base` (branches or commits); None when they have none. Raises as `ask`."""
        compared = f"{quote(base, safe='')}...{quote(head, safe='')}"
        try:
            with reading("GET /compare"):
                told = self.ask("GET", f"/compare/{compared}", parameters={"per_page": 1})
                return text_at(told, "merge_base_commit", "sha")
        except GitHubFault as fault:
            if fault.status == 404:
                return None
            raise

    def pull(self, number: int) -> Pull:
        """One pull request. Raises as `ask`."""
        with reading("GET /pulls"):
            return pull_from(self.ask("GET", f"/pulls/{number}"))

    def pulls_of_commit(self, sha: str) -> tuple[Pull, ...]:
        """Up to a hundred pull requests that have this commit, those of forks too. Raises as `ask`."""
        with reading("GET /commits/SHA/pulls"):
            told = self.ask("GET", f"/commits/{quote(sha, safe='')}/pulls", parameters={"per_page": PER_PAGE})
            return tuple(map(pull_from, items_of(told)))

    def pulls_from(self, owner: str, branch: str) -> tuple[Pull, ...]:
        """Up to a hundred open pull requests from one branch of one owner, forks too. Raises as `ask`."""
        with reading("GET /pulls"):
            parameters = {"state": "open", "head": f"{owner}:{branch}", "per_page": PER_PAGE}
            return tuple(map(pull_from, items_of(self.ask("GET", "/pulls", parameters=parameters))))

    def _before_another_try(self) -> Callable[[float], bool]:
        """Waits before a file is fetched again; what the try before took counts as hanging."""
        begun = time.monotonic()

        def wait(seconds: float) -> bool:
            nonlocal begun
            goes_on = self.hang_time.spend(time.monotonic() - begun) and self.patience.wait(seconds)
            begun = time.monotonic()
            return goes_on

        return wait

    def download_artifact(self, artifact_id: int, *, max_bytes: int) -> IO[bytes]:
        """The zip of an artifact, spooled to a file without a name; the caller closes it.

        Raises:
            GitHubFault: As `ask`; status 404 or 410 for an artifact that has expired, None for a store that fails.
        """
        asked = f"/actions/artifacts/{artifact_id}/zip"
        headers = self.exchange("GET", asked, None, None, again=True)[0]
        place = headers.get("location")
        if not isinstance(place, str):
            raise GitHubFault(None, f"the API did not say where artifact {artifact_id} is kept")
        try:
            plain = urlsplit(self.api_url).scheme == "http"
            return download(place, max_bytes=max_bytes, plain_http=plain, wait=self._before_another_try())
        except DownloadError as error:
            raise GitHubFault(error.gone, f"artifact {artifact_id}: {error}") from None
