"""What GitHub hands to a workflow for each event, made from the things of a (fake) GitHub."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from tests.fake_github.bodies import Bodies, simple_commit
from tests.fake_github.description import webhooks
from tests.fake_github.state import Account, Comment, Commit, Pull, Repository, WorkflowRun
from tests.fake_github.world import WORKFLOW, World

_NO_COMMIT = "0" * 40
PUBLIC = Bodies("https://api.github.com", "https://github.com")
PullAction = Literal["opened", "synchronize", "closed", "reopened", "ready_for_review"]


class Event(NamedTuple):
    """An event, and what the runner's environment tells of it.

    Attributes:
        name: Of the event.
        payload: Its file.
        repository: Where the workflow runs.
        ref, sha: What it runs on.
        actor: Who started it.
        schema: Which of the description's events the payload is; None for an event without a webhook.
        head_ref, base_ref: Branches of a pull request; empty for other events.
    """

    name: str
    payload: dict[str, Any]
    repository: Repository
    ref: str
    sha: str
    actor: Account
    schema: str | None
    head_ref: str = ""
    base_ref: str = ""

    def problem(self) -> str | None:
        """What is wrong with the payload by GitHub's description; None when nothing is, or when it has none."""
        return None if self.schema is None else webhooks().problem(f"/events/{self.schema}", self.payload)


class Events(NamedTuple):
    """Makes the events of a world; `bodies` says where its links lead."""

    world: World
    bodies: Bodies = PUBLIC

    def pull_request(
        self,
        pull: Pull,
        action: PullAction = "opened",
        *,
        before: Commit | None = None,
        actor: Account | None = None,
        target: bool = False,
    ) -> Event:
        """Something happens to a pull request.

        Args:
            pull: To which.
            action: What.
            before: For `synchronize`: the head it had until now; else its first parent.
            actor: Who did it; else its author.
            target: The event is `pull_request_target`, with the same payload.
        """
        who = actor or pull.author
        facts = {**self.bodies.pull_facts(pull), "merged": pull.merged}
        given: dict[str, Any] = {"action": action, "number": pull.number, "pull_request": facts}
        if action == "synchronize":
            old = before or (pull.head.parents[0] if pull.head.parents else pull.head)
            given |= {"before": old.sha, "after": pull.head.sha}
        # A reopened or readied pull request has the payload of an opened one.
        kind = action if action in ("closed", "synchronize") else "opened"
        payload = self._filled(f"webhook-pull-request-{kind}", pull.repository, who, given)
        return Event(
            name="pull_request_target" if target else "pull_request",
            payload=payload | {"action": action},
            repository=pull.repository,
            ref=f"refs/heads/{pull.base_ref}" if target else f"refs/pull/{pull.number}/merge",
            sha=pull.base_sha if target else pull.merge_commit_sha or pull.head.sha,
            actor=who,
            schema=f"pull_request.{kind}" if kind == action else None,
            head_ref=pull.head_ref,
            base_ref=pull.base_ref,
        )

    def push(self, tip: Commit, before: Commit | None = None, *, branch: str = "main", deleted: bool = False) -> Event:
        """Commits come to a branch; without `before` it is new, and `deleted` takes it away."""
        home, who = self.world.home, self.world.account("dana")
        commit = {
            **simple_commit(tip),
            "url": f"{self.bodies.server}/{home.full_name}/commit/{tip.sha}",
            "distinct": True,
        }
        lists = {"added": [], "modified": ["app.py"], "removed": []}
        given = {
            "ref": f"refs/heads/{branch}",
            "before": tip.sha if deleted else before.sha if before else _NO_COMMIT,
            "after": _NO_COMMIT if deleted else tip.sha,
            "created": before is None and not deleted,
            "deleted": deleted,
            "forced": False,
            "base_ref": None,
            "compare": f"{self.bodies.server}/{home.full_name}/compare/{tip.sha}",
            "commits": [] if deleted else [commit | lists],
            "head_commit": None if deleted else commit | lists,
            "pusher": {"name": who.login, "email": "dana@acme.example"},
        }
        payload = self._filled("webhook-push", home, who, given)
        return Event("push", payload, home, f"refs/heads/{branch}", tip.sha, who, "push")

    def merge_group(self, pull: Pull, head: Commit) -> Event:
        """A pull request stands in the merge queue, as commit `head` on top of its base branch."""
        ref = f"refs/heads/gh-readonly-queue/{pull.base_ref}/pr-{pull.number}-{pull.base_sha}"
        group = {
            "head_sha": head.sha,
            "head_ref": ref,
            "base_sha": pull.base_sha,
            "base_ref": f"refs/heads/{pull.base_ref}",
            "head_commit": simple_commit(head),
        }
        given = {"action": "checks_requested", "merge_group": group}
        payload = self._filled("webhook-merge-group-checks-requested", pull.repository, pull.author, given)
        return Event(
            "merge_group", payload, pull.repository, ref, head.sha, pull.author, "merge_group.checks_requested"
        )

    def workflow_dispatch(self, tip: Commit, inputs: Mapping[str, str] | None = None, *, branch: str = "main") -> Event:
        """Somebody starts the workflow by hand."""
        home, who, ref = self.world.home, self.world.account("dana"), f"refs/heads/{branch}"
        given = {"inputs": dict(inputs or {}), "ref": ref, "workflow": WORKFLOW}
        payload = self._filled("webhook-workflow-dispatch", home, who, given)
        return Event("workflow_dispatch", payload, home, ref, tip.sha, who, "workflow_dispatch")

    def schedule(self, tip: Commit, cron: str = "17 4 * * *") -> Event:
        """The clock starts it, on the default branch; no webhook tells of it."""
        home, who = self.world.home, self.world.account("dana")
        payload = {"schedule": cron, "workflow": WORKFLOW, "repository": self.bodies.full_repository(home)}
        return Event("schedule", payload, home, f"refs/heads/{home.default_branch}", tip.sha, who, None)

    def workflow_run(self, run: WorkflowRun) -> Event:
        """Another workflow's run has ended; this one runs on the default branch."""
        home, tip = run.repository, run.repository.branches[run.repository.default_branch]
        workflow = {"id": run.workflow_id, "name": "raggate", "path": run.path, "state": "active"}
        given = {"action": "completed", "workflow": workflow, "workflow_run": self.bodies.run_facts(run)}
        payload = self._filled("webhook-workflow-run-completed", home, run.actor, given)
        ref = f"refs/heads/{home.default_branch}"
        return Event("workflow_run", payload, home, ref, tip.sha, run.actor, "workflow_run.completed")

    def issue_comment(self, comment: Comment) -> Event:
        """Somebody writes below a pull request; the workflow runs on the default branch."""
        pull, home = comment.pull, comment.pull.repository
        tip, told = home.branches[home.default_branch], self.bodies.pull_facts(comment.pull)
        links = {key: told[key] for key in ("url", "html_url")}
        issue = {
            **{
                key: told[key]
                for key in ("id", "node_id", "number", "title", "state", "user", "html_url", "created_at")
            },
            "url": told["issue_url"],
            "comments_url": told["comments_url"],
            "pull_request": links
            | {"diff_url": f"{links['html_url']}.diff", "patch_url": f"{links['html_url']}.patch"},
        }
        given = {"action": "created", "issue": issue, "comment": self.bodies.comment_facts(comment)}
        payload = self._filled("webhook-issue-comment-created", home, comment.author, given)
        ref = f"refs/heads/{pull.repository.default_branch}"
        return Event("issue_comment", payload, home, ref, tip.sha, comment.author, "issue_comment.created")

    def _filled(self, schema: str, repository: Repository, sender: Account, given: Mapping[str, Any]) -> dict[str, Any]:
        everywhere = {"repository": self.bodies.whole_repository(repository), "sender": self.bodies.account(sender)}
        return webhooks().filled(schema, everywhere | dict(given))
