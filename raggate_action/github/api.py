"""What raggate reads from GitHub's API. An answer that lacks what it needs is a fault like any other."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import IO, Final, NamedTuple
from urllib.parse import quote, urlsplit

from raggate_action.github.api_records import (
    Artifact,
    ArtifactPage,
    Commit,
    ComparedCommits,
    Pull,
    Repository,
    WorkflowRun,
    record_of,
)
from raggate_action.github.connection import PER_PAGE, Connection, GitHubFault
from raggate_action.github.download import DownloadError, download

__all__ = ["ArtifactList", "GitHubApi", "GitHubFault"]

ARTIFACT_PAGES: Final = 3
COMMIT_PAGES: Final = 3
_UNKNOWN_COMMIT = frozenset({404, 409, 422})


class ArtifactList(NamedTuple):
    """The artifacts of one name, newest first as GitHub lists them; `whole` says that none was left out."""

    artifacts: tuple[Artifact, ...]
    whole: bool


class GitHubApi(Connection):
    """One repository of one GitHub, read."""

    def repository_id(self) -> int:
        """The number that no renaming of the repository changes. Raises as `ask`."""
        return record_of(Repository, self.ask("GET", ""), "GET the repository").repository_id

    def artifacts_named(self, name: str, *, max_pages: int = ARTIFACT_PAGES) -> ArtifactList:
        """The artifacts of exactly this name; at most `max_pages` requests. Raises as `ask`."""
        found: list[Artifact] = []
        for page in range(1, max_pages + 1):
            parameters = {"name": name, "per_page": PER_PAGE, "page": page}
            answer = self.ask("GET", "/actions/artifacts", parameters=parameters)
            listed = record_of(ArtifactPage, answer, "GET /actions/artifacts").artifacts
            found += listed
            if len(listed) < PER_PAGE:
                return ArtifactList(tuple(found), whole=True)
        return ArtifactList(tuple(found), whole=False)

    def artifacts_of_run(self, run_id: int) -> tuple[Artifact, ...]:
        """The first hundred artifacts that one workflow run stored. Raises as `ask`."""
        answer = self.ask("GET", f"/actions/runs/{run_id}/artifacts", parameters={"per_page": PER_PAGE})
        return tuple(record_of(ArtifactPage, answer, "GET /actions/runs/ID/artifacts").artifacts)

    def workflow_run(self, run_id: int) -> WorkflowRun:
        """One workflow run. Raises as `ask`."""
        return record_of(WorkflowRun, self.ask("GET", f"/actions/runs/{run_id}"), "GET /actions/runs")

    def first_parents(self, sha: str, *, limit: int = PER_PAGE) -> tuple[str, ...]:
        """The commit and the first parent of each, nearest first; at most `limit`, and three requests.

        GitHub lists every ancestor by date, the merged branches' own commits among them. So the chain is built from
        the parents, and listed on from the first that is missing; where much is merged it may stay short.

        Raises:
            GitHubFault: As `ask`.
        """
        chain: list[str] = []
        next_sha: str | None = sha
        for _ in range(COMMIT_PAGES):
            answer = self.ask("GET", "/commits", parameters={"sha": next_sha, "per_page": PER_PAGE})
            commits = {commit.sha: commit for commit in record_of(list[Commit], answer, "GET /commits")}
            if next_sha not in commits:
                break
            while next_sha in commits and len(chain) < limit:
                chain.append(next_sha)
                next_sha = next((parent.sha for parent in commits[next_sha].parents), None)
            if next_sha is None or len(chain) == limit:
                break
        return tuple(chain)

    def parents(self, sha: str) -> tuple[str, ...]:
        """The parents of a commit, those of a merge; empty for one that GitHub does not know. Raises as `ask`."""
        try:
            answer = self.ask("GET", "/commits", parameters={"sha": sha, "per_page": 1})
        except GitHubFault as fault:
            if fault.status in _UNKNOWN_COMMIT:
                return ()
            raise
        found = [commit for commit in record_of(list[Commit], answer, "GET /commits") if commit.sha == sha]
        return tuple([parent.sha for commit in found for parent in commit.parents])

    def merge_base(self, base: str, head: str) -> str | None:
        """The commit where `head` left `base` (branches or commits); None when they have none. Raises as `ask`."""
        compared = f"{quote(base, safe='')}...{quote(head, safe='')}"
        try:
            answer = self.ask("GET", f"/compare/{compared}", parameters={"per_page": 1})
            return record_of(ComparedCommits, answer, "GET /compare").merge_base
        except GitHubFault as fault:
            if fault.status == 404:
                return None
            raise

    def pull(self, number: int) -> Pull:
        """One pull request. Raises as `ask`."""
        return record_of(Pull, self.ask("GET", f"/pulls/{number}"), "GET /pulls")

    def pulls_of_commit(self, sha: str) -> tuple[Pull, ...]:
        """Up to a hundred pull requests that have this commit, those of forks too. Raises as `ask`."""
        answer = self.ask("GET", f"/commits/{quote(sha, safe='')}/pulls", parameters={"per_page": PER_PAGE})
        return tuple(record_of(list[Pull], answer, "GET /commits/SHA/pulls"))

    def pulls_from(self, owner: str, branch: str) -> tuple[Pull, ...]:
        """Up to a hundred open pull requests from one branch of one owner, forks too. Raises as `ask`."""
        parameters = {"state": "open", "head": f"{owner}:{branch}", "per_page": PER_PAGE}
        return tuple(record_of(list[Pull], self.ask("GET", "/pulls", parameters=parameters), "GET /pulls"))

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
