"""What the API tells about each thing: the fields that mean something; schemas fill in the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.fake_github.description import rest
from tests.fake_github.state import (
    Account,
    Artifact,
    Comment,
    Commit,
    Pull,
    Repository,
    WorkflowRun,
    stamp,
)


class Bodies(NamedTuple):
    """Makes bodies whose links lead to this API (`api`) and to this site (`server`); no slash at the end."""

    api: str
    server: str

    def account(self, account: Account) -> dict[str, Any]:
        return {
            "login": account.login,
            "id": account.id,
            "type": account.type,
            "url": f"{self.api}/users/{account.login}",
            "html_url": f"{self.server}/{account.login}",
        }

    def repository(self, repository: Repository) -> dict[str, Any]:
        """What every telling has."""
        url = self._repository_url(repository)
        return {
            "id": repository.id,
            "node_id": f"R_{repository.id}",
            "name": repository.name,
            "full_name": repository.full_name,
            "owner": self.account(repository.owner),
            "private": repository.private,
            "fork": repository.fork_of is not None,
            "url": url,
            "html_url": f"{self.server}/{repository.full_name}",
        }

    def whole_repository(self, repository: Repository) -> dict[str, Any]:
        """What all but the shortest tellings have."""
        more = {
            "default_branch": repository.default_branch,
            "visibility": "private" if repository.private else "public",
        }
        return self.repository(repository) | more

    def full_repository(self, repository: Repository) -> dict[str, Any]:
        given = self.whole_repository(repository)
        if repository.fork_of:
            parent = self.whole_repository(repository.fork_of)
            given |= {"parent": parent, "source": parent}
        return rest().filled("full-repository", given)

    def commit(self, repository: Repository, commit: Commit) -> dict[str, Any]:
        who = {"name": "Dana", "email": "dana@acme.example", "date": stamp(commit.at)}
        links = self._commit_links(repository, commit)
        given = {
            **links,
            "node_id": f"C_{commit.sha}",
            "comments_url": f"{links['url']}/comments",
            "commit": {"message": commit.message, "author": who, "committer": who},
            "parents": [self._commit_links(repository, each) for each in commit.parents],
        }
        return rest().filled("commit", given)

    def _commit_links(self, repository: Repository, commit: Commit) -> dict[str, str]:
        return {
            "sha": commit.sha,
            "url": f"{self._repository_url(repository)}/commits/{commit.sha}",
            "html_url": f"{self.server}/{repository.full_name}/commit/{commit.sha}",
        }

    def pull(self, pull: Pull, *, full: bool) -> dict[str, Any]:
        """As `pulls/get` tells it (`full`), or as lists do."""
        given = self.pull_facts(pull)
        if full:
            given |= {"merged": pull.merged, "mergeable": True, "mergeable_state": "clean"}
        return rest().filled("pull-request" if full else "pull-request-simple", given)

    def pull_facts(self, pull: Pull) -> dict[str, Any]:
        """What every kind of telling has."""
        url = f"{self._repository_url(pull.repository)}/pulls/{pull.number}"
        issue = f"{self._repository_url(pull.repository)}/issues/{pull.number}"
        head_owner = pull.head_repository.owner.login if pull.head_repository else "unknown"
        closed = None if pull.state == "open" else stamp(pull.at)
        return {
            "id": pull.id,
            "node_id": f"PR_{pull.id}",
            "number": pull.number,
            "state": pull.state,
            "title": pull.title,
            "draft": pull.draft,
            "user": self.account(pull.author),
            "url": url,
            "html_url": f"{self.server}/{pull.repository.full_name}/pull/{pull.number}",
            "issue_url": issue,
            "comments_url": f"{issue}/comments",
            "head": {
                "label": f"{head_owner}:{pull.head_ref}",
                "ref": pull.head_ref,
                "sha": pull.head.sha,
                "repo": self.whole_repository(pull.head_repository) if pull.head_repository else None,
                "user": self.account(pull.head_repository.owner) if pull.head_repository else None,
            },
            "base": {
                "label": f"{pull.repository.owner.login}:{pull.base_ref}",
                "ref": pull.base_ref,
                "sha": pull.base_sha,
                "repo": self.whole_repository(pull.repository),
                "user": self.account(pull.repository.owner),
            },
            "created_at": stamp(pull.at),
            "updated_at": stamp(pull.at),
            "closed_at": closed,
            "merged_at": closed if pull.merged else None,
            "merge_commit_sha": pull.merge_commit_sha,
        }

    def comment(self, comment: Comment) -> dict[str, Any]:
        return rest().filled("issue-comment", self.comment_facts(comment))

    def comment_facts(self, comment: Comment) -> dict[str, Any]:
        """What every kind of telling has."""
        pull, url = comment.pull, self._repository_url(comment.pull.repository)
        return {
            "id": comment.id,
            "node_id": f"IC_{comment.id}",
            "url": f"{url}/issues/comments/{comment.id}",
            "html_url": self.comment_page(comment),
            "issue_url": f"{url}/issues/{pull.number}",
            "body": comment.body,
            "user": self.account(comment.author),
            "created_at": stamp(comment.created_at),
            "updated_at": stamp(comment.updated_at),
        }

    def comment_page(self, comment: Comment) -> str:
        """Where people read a comment."""
        pull = comment.pull
        return f"{self.server}/{pull.repository.full_name}/pull/{pull.number}#issuecomment-{comment.id}"

    def run(self, run: WorkflowRun) -> dict[str, Any]:
        given = self.run_facts(run)
        if run.head_repository:
            given["head_repository_id"] = run.head_repository.id
        return rest().filled("workflow-run", given)

    def run_facts(self, run: WorkflowRun) -> dict[str, Any]:
        """What every kind of telling has."""
        url = f"{self._repository_url(run.repository)}/actions/runs/{run.id}"
        return {
            "id": run.id,
            "node_id": f"WFR_{run.id}",
            "name": "raggate",
            "head_branch": run.head_branch,
            "head_sha": run.head.sha,
            "path": run.path,
            "run_number": run.number,
            "run_attempt": run.attempt,
            "event": run.event,
            "status": run.status,
            "conclusion": run.conclusion,
            "workflow_id": run.workflow_id,
            "display_title": run.head.message,
            "url": url,
            "html_url": f"{self.server}/{run.repository.full_name}/actions/runs/{run.id}",
            "artifacts_url": f"{url}/artifacts",
            "pull_requests": [self._minimal_pull(each) for each in run.pulls],
            "created_at": stamp(run.at),
            "updated_at": stamp(run.at),
            "actor": self.account(run.actor),
            "triggering_actor": self.account(run.actor),
            "head_commit": simple_commit(run.head),
            "repository": self.repository(run.repository),
            "head_repository": self.repository(run.head_repository) if run.head_repository else None,
        }

    def artifact(self, artifact: Artifact) -> dict[str, Any]:
        run = artifact.run
        url = f"{self._repository_url(run.repository)}/actions/artifacts/{artifact.id}"
        source: dict[str, Any] = {"id": run.id, "repository_id": run.repository.id, "head_sha": run.head.sha}
        if run.head_repository is not None:
            source["head_repository_id"] = run.head_repository.id
        if run.head_branch is not None:
            source["head_branch"] = run.head_branch
        return {
            "id": artifact.id,
            "node_id": f"A_{artifact.id}",
            "name": artifact.name,
            "size_in_bytes": artifact.size_in_bytes,
            "url": url,
            "archive_download_url": f"{url}/zip",
            "expired": artifact.expired,
            "digest": artifact.digest,
            "created_at": stamp(artifact.created_at),
            "updated_at": stamp(artifact.created_at),
            "expires_at": stamp(artifact.created_at.replace(year=artifact.created_at.year + 1)),
            "workflow_run": source,
        }

    def comparison(
        self, repository: Repository, commits: Mapping[str, Commit], ahead: Sequence[Commit], behind: int
    ) -> dict[str, Any]:
        """`commits` has `base`, `head` and `merge_base`; `ahead` are those of head alone, the oldest first."""
        status = {
            (False, False): "identical",
            (True, False): "ahead",
            (False, True): "behind",
            (True, True): "diverged",
        }
        name = f"{commits['base'].sha}...{commits['head'].sha}"
        url = f"{self._repository_url(repository)}/compare/{name}"
        page = f"{self.server}/{repository.full_name}/compare/{name}"
        given = {
            "url": url,
            "html_url": page,
            "permalink_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "base_commit": self.commit(repository, commits["base"]),
            "merge_base_commit": self.commit(repository, commits["merge_base"]),
            "status": status[bool(ahead), bool(behind)],
            "ahead_by": len(ahead),
            "behind_by": behind,
            "total_commits": len(ahead),
            "commits": [self.commit(repository, each) for each in ahead],
        }
        return rest().filled("commit-comparison", given)

    def _minimal_pull(self, pull: Pull) -> dict[str, Any]:
        def side(ref: str, sha: str, repository: Repository | None) -> dict[str, Any]:
            place = repository or pull.repository
            return {
                "ref": ref,
                "sha": sha,
                "repo": {"id": place.id, "url": self._repository_url(place), "name": place.name},
            }

        return {
            "id": pull.id,
            "number": pull.number,
            "url": f"{self._repository_url(pull.repository)}/pulls/{pull.number}",
            "head": side(pull.head_ref, pull.head.sha, pull.head_repository),
            "base": side(pull.base_ref, pull.base_sha, pull.repository),
        }

    def _repository_url(self, repository: Repository) -> str:
        return f"{self.api}/repos/{repository.full_name}"


def simple_commit(commit: Commit) -> dict[str, Any]:
    """A commit as runs and events tell it."""
    who = {"name": "Dana", "email": "dana@acme.example"}
    return {
        "id": commit.sha,
        "tree_id": commit.sha,
        "message": commit.message,
        "timestamp": stamp(commit.at),
        "author": who,
        "committer": who,
    }
