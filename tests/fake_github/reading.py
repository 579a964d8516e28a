"""The operations that read."""

from __future__ import annotations

from datetime import datetime

from tests.fake_github.answers import NOT_ACCESSIBLE, Answer, Asked, not_found
from tests.fake_github.checks import Refused
from tests.fake_github.history import log, merge_base, only_in, resolved
from tests.fake_github.state import Artifact, Commit, Pull, WorkflowRun


def get_repository(asked: Asked) -> Answer:
    return Answer(200, asked.bodies.full_repository(asked.repository))


def list_artifacts(asked: Asked) -> Answer:
    found = [each for each in asked.world.artifacts.values() if each.run.repository is asked.repository]
    return _artifacts(asked, found)


def list_run_artifacts(asked: Asked) -> Answer:
    run = _run(asked)
    return _artifacts(asked, [each for each in asked.world.artifacts.values() if each.run is run])


def _artifacts(asked: Asked, found: list[Artifact]) -> Answer:
    """The newest first."""
    name = asked.query.get("name")
    named = [each for each in found if name in (None, each.name)]
    page, headers = asked.page(sorted(named, key=lambda each: each.id, reverse=True))
    body = {"total_count": len(named), "artifacts": [asked.bodies.artifact(each) for each in page]}
    return Answer(200, body, headers)


def get_artifact(asked: Asked) -> Answer:
    return Answer(200, asked.bodies.artifact(_artifact(asked)))


def download_artifact(asked: Asked) -> Answer:
    """A redirection to the blob's own host, by a link that is valid for this artifact."""
    if asked.request.token is None:
        raise Refused("token-missing", 401, "You must have the actions scope to download artifacts.")
    if asked.path["archive_format"] != "zip":
        raise Refused("archive-format-unknown", 404, "the archive format is zip", wrong=True)
    artifact = _artifact(asked)
    if artifact.expired:
        raise Refused("artifact-expired", 410, "Artifact has expired")
    return Answer(302, None, {"Location": asked.blob_link(artifact)})


def _artifact(asked: Asked) -> Artifact:
    found = asked.world.artifacts.get(asked.path["artifact_id"])
    if found is None or found.run.repository is not asked.repository:
        raise not_found("artifact-unknown")
    return found


def get_run(asked: Asked) -> Answer:
    return Answer(200, asked.bodies.run(_run(asked)))


def _run(asked: Asked) -> WorkflowRun:
    found = asked.world.runs.get(asked.path["run_id"])
    if found is None or found.repository is not asked.repository:
        raise not_found("run-unknown")
    return found


def list_commits(asked: Asked) -> Answer:
    _only(asked, {"sha", "per_page", "page"})
    if not asked.repository.branches:
        raise Refused("repository-empty", 409, "Git Repository is empty.")
    ref = asked.query.get("sha", asked.repository.default_branch)
    start = resolved(asked.world, asked.repository, ref)
    if start is None:
        raise Refused("commit-unknown", 404, f"No commit found for SHA: {ref}")
    page, headers = asked.page(log(start))
    return Answer(200, [asked.bodies.commit(asked.repository, each) for each in page], headers)


def compare(asked: Asked) -> Answer:
    base_ref, dots, head_ref = asked.path["basehead"].partition("...")
    if not dots:
        raise Refused("basehead-without-dots", 404, "a comparison is written BASE...HEAD", wrong=True)
    base = _known(asked, base_ref)
    head = _known(asked, head_ref)
    ahead = only_in(head, base)
    page, headers = asked.page(ahead, size=250)
    commits = {"base": base, "head": head, "merge_base": merge_base(base, head)}
    body = asked.bodies.comparison(asked.repository, commits, page, len(only_in(base, head)))
    return Answer(200, body | {"ahead_by": len(ahead), "total_commits": len(ahead)}, headers)


def _known(asked: Asked, ref: str) -> Commit:
    found = resolved(asked.world, asked.repository, ref)
    if found is None:
        raise not_found("commit-unknown")
    return found


def get_pull(asked: Asked) -> Answer:
    return Answer(200, asked.bodies.pull(pull_numbered(asked, asked.path["pull_number"]), full=True))


def pull_numbered(asked: Asked, number: int) -> Pull:
    """The pull request of a number.

    Raises:
        Refused: The repository has none.
    """
    for pull in asked.world.pulls.values():
        if pull.repository is asked.repository and pull.number == number:
            return pull
    raise not_found("pull-unknown")


def list_pulls(asked: Asked) -> Answer:
    _only(asked, {"state", "head", "base", "per_page", "page"})
    query = asked.query
    owner, colon, branch = query.get("head", "").partition(":")
    if "head" in query and not (owner and colon and branch):
        raise Refused("head-without-owner", 422, "`head` is written OWNER:BRANCH; GitHub ignores others", wrong=True)
    found = [
        pull
        for pull in _pulls(asked)
        if query.get("state", "open") in ("all", pull.state)
        and query.get("base") in (None, pull.base_ref)
        and ("head" not in query or (_head_owner(pull), pull.head_ref) == (owner, branch))
    ]
    return _pull_page(asked, found)


def _head_owner(pull: Pull) -> str | None:
    return pull.head_repository.owner.login if pull.head_repository else None


def list_pulls_of_commit(asked: Asked) -> Answer:
    """Those that bring the commit; pulls of forks only where this GitHub finds them (it does not always)."""
    commit = resolved(asked.world, asked.repository, asked.path["commit_sha"])
    if commit is None:
        raise Refused("commit-unknown", 422, f"No commit found for SHA: {asked.path['commit_sha']}")
    found = [
        pull
        for pull in _pulls(asked)
        if commit in log(pull.head)
        and commit.sha != pull.base_sha
        and (asked.world.finds_pulls_of_forks or pull.head_repository is asked.repository)
        and commit not in log(asked.world.commits[pull.base_sha])
    ]
    return _pull_page(asked, found)


def _pulls(asked: Asked) -> list[Pull]:
    """The newest first."""
    ours = [each for each in asked.world.pulls.values() if each.repository is asked.repository]
    return sorted(ours, key=lambda each: each.id, reverse=True)


def _pull_page(asked: Asked, found: list[Pull]) -> Answer:
    page, headers = asked.page(found)
    return Answer(200, [asked.bodies.pull(each, full=False) for each in page], headers)


def list_comments(asked: Asked) -> Answer:
    pull = pull_numbered(asked, asked.path["issue_number"])
    since = datetime.fromisoformat(asked.query["since"]) if "since" in asked.query else None
    found = [
        each
        for each in asked.world.comments.values()
        if each.pull is pull and (since is None or each.updated_at >= since)
    ]
    page, headers = asked.page(found)
    return Answer(200, [asked.bodies.comment(each) for each in page], headers)


def _only(asked: Asked, served: set[str]) -> None:
    """A parameter that GitHub has and this fake does not serve is refused, not passed over."""
    if unserved := asked.query.keys() - served:
        raise Refused("query-unserved", 501, f"the fake does not serve {sorted(unserved)}", wrong=True)


def rate_limit() -> Answer:
    rate = {"limit": 1000, "remaining": 999, "reset": 1_800_000_000, "used": 1}
    return Answer(200, {"resources": dict.fromkeys(("core", "search", "graphql"), rate), "rate": rate})


# A token of an app's installation is nobody's, so that asking who it is is always wrong.
NO_USER = Refused("user-of-an-installation", 403, NOT_ACCESSIBLE, wrong=True)
