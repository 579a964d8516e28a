"""The action as a step of a workflow: a process, a runner's environment, the fake GitHub over real HTTP."""

from __future__ import annotations

import hashlib
import json
import os
import pstats
import re
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.command_line import raggate
from tests.event_payloads.events import Event, Events
from tests.event_payloads.runner import FILES, Job, runner_environment
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.state import Commit, Pull, WorkflowRun
from tests.forked import Forked, Forks
from tests.integration.servers import scripted_app
from tests.stored_runs import finished_cases
from tests.unit.test_runner_files import outputs_read

SUITE = """\
suite: support
evidence: [evidence.jsonl]
cases: [cases.yaml]
target: {kind: recorded, traces: traces.jsonl}
"""
CASES = """\
- case_id: refund-window
  question: How long do I have to return a parcel?
  required_source_ids: [refund-rule]
  must_contain: ["30 days"]
- case_id: refund-in-cash
  question: Can I get the refund in cash?
  expect: abstain
- case_id: secret-note
  question: What does the secret note say?
  released: false
  blocked_at: admissibility
  trace: {answer: It says nothing., context: [board-note]}
"""
EVIDENCE = [
    {"chunk_id": "refund-rule", "version": "v4", "text": "Parcels can be returned within 30 days of delivery."},
    {"chunk_id": "board-note", "version": "v1", "text": "The board will sell the depot in Lyon.", "permitted": False},
]
RETURNED = {
    "case_id": "refund-window",
    "answer": "Parcels can be returned within 30 days of delivery. [refund-rule]",
    "context": ["refund-rule"],
}
DECLINED = {"case_id": "refund-in-cash", "answer": "I do not know.", "context": ["refund-rule"]}
INVENTED = {
    "case_id": "refund-in-cash",
    "answer": "Yes, @everyone: cash is paid out at any depot.\r::error::x",
    "context": ["refund-rule"],
}
GOOD, BAD = [RETURNED, DECLINED], [RETURNED, INVENTED]


# As the image starts it: for what only a process shows that has started itself.
ANEW: dict[str, Any] = {"through": ()}

Process = subprocess.Popen[str] | Forked


class Step(NamedTuple):
    """A step that has ended: exit code, its log, outputs by name, the job summary."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def result(self) -> dict[str, Any]:
        """The output `result`."""
        found: dict[str, Any] = json.loads(self.outputs["result"])
        return found


class Workflow:
    """A repository on the fake GitHub whose workflow has the action as its only step."""

    def __init__(self, github: FakeGitHub, folder: Path, forks: Forks | None = None) -> None:
        self.github = github
        self._forks = forks
        self.home = github.repository("acme/support")
        self.events = Events(github)
        self.main = github.history(2)
        self.token = github.writing_token()
        self._folder = folder
        self._steps = 0

    def checkout(self, folder: Path, traces: list[dict[str, Any]], files: Mapping[str, str | bytes]) -> None:
        folder.mkdir(parents=True)
        (folder / "raggate.yaml").write_text(SUITE)
        (folder / "cases.yaml").write_text(CASES)
        (folder / "evidence.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in EVIDENCE))
        (folder / "traces.jsonl").write_text("".join(json.dumps(trace) + "\n" for trace in traces))
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def start(
        self, event: Event, traces: list[dict[str, Any]], *, run: WorkflowRun | None = None, **options: Any
    ) -> tuple[Process, Path]:
        """Start the step; `inputs`, `files` and `env` are what the workflow and the checkout have beside.

        It is forked where there are `forks`: then it has loaded what it loads, and does not start itself again without
        its secrets. With `through` it is started as the image starts it, by a module with its arguments: a profiler.
        """
        self._steps += 1
        folder = self._folder / f"step-{self._steps}"
        self.checkout(folder / "workspace", traces, options.get("files", {}))
        job = Job(run_id=run.id, run_attempt=run.attempt) if run is not None else Job(run_id=9000 + self._steps)
        inputs = {"github-token": self.token, **options.get("inputs", {})}
        environment = runner_environment(self.github, event, folder, inputs=inputs, job=job)
        environment = {"PATH": os.environ["PATH"], **environment, **options.get("env", {})}
        program, cwd = ["-m", "raggate_action", "action"], folder / "workspace"
        through = options.get("through")
        if through is None and self._forks is not None:
            forked = self._forks.start(*program, cwd=cwd, env=environment, isolated=True, stderr=subprocess.STDOUT)
            return forked, folder
        process = subprocess.Popen(
            [sys.executable, "-I", *(through or ()), *program],
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return process, folder

    def step(self, event: Event, traces: list[dict[str, Any]], **options: Any) -> Step:
        """Run the step to its end."""
        return ended(*self.start(event, traces, **options))

    @property
    def last(self) -> Path:
        """The checkout of the last step."""
        return self._folder / f"step-{self._steps}" / "workspace"

    def pushed(self, traces: list[dict[str, Any]] | None = None, **options: Any) -> Step:
        """A push to main whose run directory is uploaded, as the next step of the workflow would."""
        tip = self.main[-1]
        run = self.github.run(tip, event="push", status="in_progress", conclusion=None)
        step = self.step(self.events.push(tip), traces or GOOD, run=run, **options)
        run.status, run.conclusion = "completed", "success" if step.code == 0 else "failure"
        files = {path.name: path.read_bytes() for path in (self.last / "raggate-run").iterdir()}
        self.github.artifact(run=run, name=step.outputs["artifact-name"], files=files)
        return step

    def topic(self, message: str = "A change") -> Commit:
        return self.github.commit(message, branch="topic")


def ended(process: Process, folder: Path, *, within_s: float = 60) -> Step:
    log, _none = process.communicate(timeout=within_s)
    assert process.returncode is not None
    commands = folder / "file_commands"
    outputs = outputs_read((commands / FILES["GITHUB_OUTPUT"]).read_text())
    return Step(process.returncode, log, outputs, (commands / FILES["GITHUB_STEP_SUMMARY"]).read_text())


@pytest.fixture
def workflow(tmp_path: Path, forks: Forks) -> Iterator[Workflow]:
    with FakeGitHub() as github:
        yield Workflow(github, tmp_path, forks)


def comments(workflow: Workflow) -> list[str]:
    return [comment.body for comment in workflow.github.comments.values()]


def opened(workflow: Workflow, **fields: Any) -> Pull:
    return workflow.github.pull(workflow.topic(), **fields)


def test_a_push_then_a_pull_request_that_invents_then_its_repair(workflow: Workflow) -> None:
    pushed = workflow.pushed()
    assert pushed.code == 0, pushed.log
    assert pushed.outputs["decision"] == "release"
    assert comments(workflow) == []

    pull = opened(workflow)
    blocked = workflow.step(workflow.events.pull_request(pull), BAD, **ANEW)
    assert blocked.code == 1, blocked.log
    assert blocked.outputs["decision"] == "block"
    assert (blocked.result["new_hallucinations"], blocked.result["pass_rate"]) == (1, 50.0)
    assert blocked.result["stages"] == {"answer faithfulness": 1}
    assert blocked.outputs["baseline-sha"] == workflow.main[-1].sha
    (comment,) = comments(workflow)
    assert comment.startswith(f"<!-- raggate:v1 suite=support run=9002 attempt=1 head={pull.head.sha} -->\n")
    assert "**Block**" in comment
    assert "1 regression" in comment
    assert "cash is paid out at any depot" in comment
    (number,) = workflow.github.comments
    assert blocked.outputs["comment-url"].endswith(f"/acme/support/pull/{pull.number}#issuecomment-{number}")

    pull.head = workflow.topic("Decline again")
    repaired = workflow.step(workflow.events.pull_request(pull, "synchronize"), GOOD)
    assert repaired.code == 0, repaired.log
    (comment,) = comments(workflow)
    assert "**Release**" in comment
    assert repaired.outputs["comment-url"] == blocked.outputs["comment-url"]
    again = raggate("report", "raggate-run", cwd=workflow.last)
    assert again.stdout == comment


def test_the_texts_are_written_once_and_published_as_they_lie_on_disk(workflow: Workflow, tmp_path: Path) -> None:
    workflow.pushed()
    calls = tmp_path / "calls"
    event = workflow.events.pull_request(opened(workflow))
    step = workflow.step(event, BAD, through=["-m", "cProfile", "-o", str(calls)])
    assert step.outputs["decision"] == "block", step.log
    rendered = [
        (name, times)
        for (_file, _line, name), (_primitive, times, *_rest) in pstats.Stats(str(calls)).stats.items()  # type: ignore[attr-defined]
        if name in {"render_comment", "render_summary"}
    ]
    assert sorted(rendered) == [("render_comment", 1), ("render_summary", 1)]
    written = workflow.last / "raggate-run"
    assert comments(workflow) == [(written / "comment.md").read_text()]
    assert step.summary.strip() == (written / "summary.md").read_text().strip()


def test_an_artifact_that_holds_another_commits_run_is_no_baseline(workflow: Workflow) -> None:
    """C5: what was uploaded must be of the commit its workflow run was for."""
    workflow.pushed()
    workflow.main.append(workflow.github.commit("The next"))
    later = workflow.github.run(workflow.main[-1], event="push")
    files = {path.name: path.read_bytes() for path in (workflow.last / "raggate-run").iterdir()}
    workflow.github.artifact(run=later, name="raggate-support", files=files)
    step = workflow.step(workflow.events.pull_request(opened(workflow)), GOOD)
    assert step.outputs["baseline-sha"] == workflow.main[-2].sha, step.log
    assert "1 commit behind" in step.summary


def test_an_ordinary_pull_request_takes_fewer_than_twelve_calls(workflow: Workflow) -> None:
    workflow.pushed()
    before = len(workflow.github.calls)
    workflow.step(workflow.events.pull_request(opened(workflow)), BAD)
    calls = workflow.github.calls[before:]
    assert 0 < len(calls) < 12, [call.operation for call in calls]


def test_f6_what_the_app_says_is_no_command_and_no_mention(workflow: Workflow) -> None:
    step = workflow.step(workflow.events.pull_request(opened(workflow)), BAD)
    commands = [line for line in re.split(r"\r\n|\r|\n", step.log) if line.strip().startswith("::") or "##[" in line]
    assert [line.split("::")[1].split(" ")[0] for line in commands] == ["add-mask", "error"]
    assert commands[1].startswith("::error file=cases.yaml,line=5,title=refund-in-cash%3A hallucination::")
    assert all("::error::x" not in line for line in commands)
    assert "`@everyone" in comments(workflow)[0]
    assert workflow.token not in step.log.replace(f"::add-mask::{workflow.token}", "")


def test_the_verdict_stands_when_nothing_can_be_published(workflow: Workflow) -> None:
    """F1, for the whole process."""
    for operation in ("issues/create-comment", "graphql"):
        workflow.github.fail(operation, status=403, times=99)
    event = workflow.events.pull_request(opened(workflow))
    blocked = workflow.step(event, BAD)
    assert blocked.code == 1, blocked.log
    assert "**Block**" in blocked.summary
    released = workflow.step(event, GOOD)
    assert released.code == 0, released.log


def test_a_fork_is_judged_without_being_written_to_and_published_by_a_second_stage(workflow: Workflow) -> None:
    github = workflow.github
    workflow.pushed()
    fork = github.repository("eve/support", fork_of=workflow.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    run = github.run(pull.head, event="pull_request", branch="topic", head_repository=fork, actor="eve")
    first = workflow.step(
        workflow.events.pull_request(pull, "synchronize"), BAD, run=run, inputs={"github-token": github.reading_token()}
    )
    assert first.code == 1, first.log
    assert comments(workflow) == []
    files = {path.name: path.read_bytes() for path in (workflow.last / "raggate-run").iterdir()}
    stored = json.loads(files["run.json"])
    stored["origin"] |= {
        "server_url": "https://evil.test",
        "repository": "eve/trap",
        "head_sha": "e" * 40,
        "fork": False,
    }
    stored["baseline"] |= {"workflow_run_id": 666, "head_sha": "e" * 40}
    github.artifact(run=run, name="raggate-support", files=files | {"run.json": json.dumps(stored).encode()})

    second = workflow.step(workflow.events.workflow_run(run), GOOD)
    assert second.code == 0, second.log
    (comment,) = comments(workflow)
    home = f"{github.server_url}/{workflow.home.full_name}"
    links = re.findall(r"\]\(([^)]*)\)", comment)
    assert f"{home}/commit/{pull.head.sha}" in links
    assert re.search(rf"baseline \[`main@[0-9a-f]{{7}}`\]\({home}/actions/runs/[0-9]+\) \(release\)", comment)
    assert all(link.startswith(f"{home}/") for link in links)
    assert comment.startswith(f"<!-- raggate:v1 suite=support run={run.id} attempt=1 head={pull.head.sha} -->\n")
    assert "fork" in comment.partition("**Block**")[0]
    assert "**Block**" in comment
    assert "1 regression" in comment


def test_one_suite_that_cannot_be_published_does_not_silence_the_others(workflow: Workflow) -> None:
    """A date that is none ended the second stage; and a run that was killed is shown as what it is."""
    github = workflow.github
    workflow.pushed()
    fork = github.repository("eve/support", fork_of=workflow.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    run = github.run(pull.head, event="pull_request", branch="topic", head_repository=fork, actor="eve")
    event, reading = workflow.events.pull_request(pull, "synchronize"), {"github-token": github.reading_token()}
    workflow.step(event, BAD, run=run, inputs=reading)
    files = {path.name: path.read_bytes() for path in (workflow.last / "raggate-run").iterdir()}
    stored = json.loads(files["run.json"])
    undated = {**stored, "decided_at": "never"}
    fewer = files["cases.jsonl"].splitlines(keepends=True)[0]
    began = ("schema_version", "suite_file", "scope", "started_at", "as_of", "provenance", "policy", "case_filter")
    killed = {"complete": False, "suite": "killed", **{key: stored[key] for key in (*began, "suite_cases")}}
    for name, changes in (
        ("raggate-a", {"run.json": json.dumps(undated).encode()}),
        ("raggate-b", {"cases.jsonl": fewer}),
        ("raggate-killed", {"run.json": json.dumps(killed).encode(), "cases.jsonl": fewer}),
        ("raggate-support", {}),
    ):
        github.artifact(run=run, name=name, files={**files, **changes})

    second = workflow.step(workflow.events.workflow_run(run), GOOD)
    assert second.code == 0, second.log
    (warned, refused) = [line for line in second.log.splitlines() if line.startswith("::warning")]
    assert "raggate-a" in warned
    assert "decided_at: write a date or time" in warned
    assert "raggate-b" in refused
    assert "cases.jsonl: the number of lines is 1, and was 3 when the run ended" in refused
    killed_comment, comment = sorted(comments(workflow))
    assert "suite=killed" in killed_comment
    assert "**This run did not finish:** 0 of 3 cases had finished" in killed_comment
    assert "suite=support" in comment
    assert "**Block**" in comment


def test_a_fork_without_the_apps_secrets_is_inconclusive_in_one_sentence(workflow: Workflow) -> None:
    live = SUITE.replace(
        "{kind: recorded, traces: traces.jsonl}",
        "{kind: http, url: 'http://127.0.0.1:1/', headers: {Authorization: 'Bearer ${RAG_TOKEN}'}}",
    )
    github = workflow.github
    fork = github.repository("eve/support", fork_of=workflow.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    event = workflow.events.pull_request(pull)
    reading = {"github-token": github.reading_token()}
    step = workflow.step(event, GOOD, files={"raggate.yaml": live}, inputs=reading)
    assert step.code == 3, step.log
    assert step.outputs["decision"] == "inconclusive"
    assert "a maintainer's run is needed" in step.summary
    advised = workflow.step(event, GOOD, files={"raggate.yaml": live}, inputs={**reading, "fork": "advise"})
    assert advised.code == 0, advised.log
    recorded = workflow.step(event, GOOD, files={"raggate.yaml": live}, inputs={**reading, "traces": "traces.jsonl"})
    assert recorded.code == 0, recorded.log


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        pytest.param("closed", 0, "closed", id="a closed pull request"),
        pytest.param("pull_request_target", 2, "secrets", id="pull_request_target"),
    ],
)
def test_f7_events_that_are_not_evaluated(workflow: Workflow, name: str, code: int, said: str) -> None:
    pull = opened(workflow, state="closed" if name == "closed" else "open")
    events = workflow.events
    event = events.pull_request(pull, "closed" if name == "closed" else "opened")
    if name != "closed":
        event = event._replace(name=name)
    step = workflow.step(event, GOOD)
    assert (step.code, said in step.log) == (code, True), step.log
    assert workflow.github.calls == []


def test_f11_a_workspace_that_shadows_our_imports_is_not_imported(workflow: Workflow) -> None:
    evil = "raise SystemExit('hijacked')\n"
    hostile = dict.fromkeys(("httpx.py", "json.py", "sitecustomize.py", "raggate_action.py", "github.py"), evil)
    step = workflow.step(
        workflow.events.pull_request(opened(workflow)), GOOD, files=hostile, env={"PYTHONPATH": "."}, **ANEW
    )
    assert step.code == 0, step.log
    assert "hijacked" not in step.log


def cancelled(workflow: Workflow, told: signal.Signals) -> Step:
    """A step that is told to end when the app has answered the first question and thinks about the second."""
    event = workflow.events.pull_request(opened(workflow))
    with scripted_app({"refund-in-cash": "slow"}, slow_s=600) as app:
        suite = SUITE.replace("{kind: recorded, traces: traces.jsonl}", f"{{kind: http, url: '{app.url}'}}")
        inputs = {"baseline": "none"}
        process, folder = workflow.start(event, GOOD, files={"raggate.yaml": suite}, inputs=inputs, **ANEW)
        assert isinstance(process, subprocess.Popen)
        while process.poll() is None and not finished_cases(folder / "workspace/raggate-run"):
            time.sleep(0.01)
        process.send_signal(told)
        step = ended(process, folder, within_s=5)
    assert step.code == 130, step.log
    assert '"complete": false' in (folder / "workspace/raggate-run/run.json").read_text()
    assert "cancelled" in step.summary
    assert step.outputs["decision"] == "inconclusive"
    assert step.outputs["run-dir"] == "raggate-run"
    assert step.outputs["report"] == "", "there is no summary.md: a cancelled run is not whole"
    assert not (folder / "workspace/raggate-run/summary.md").exists()
    return step


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM], ids=lambda told: told.name)
def test_f12_a_cancelled_run_is_marked_incomplete_and_says_so(workflow: Workflow, told: signal.Signals) -> None:
    step = cancelled(workflow, told)
    assert len(comments(workflow)) == 1, step.log
    assert "cancelled" in comments(workflow)[0]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        # On a busy machine the farewell's own clock runs out before the request's.
        pytest.param(600, "nothing came for 2 s|GitHub took too long", id="no answer at all"),
        pytest.param(1.4, "GitHub took too long for a cancelled run", id="each answer late"),
    ],
)
def test_f12_a_cancelled_run_does_not_wait_for_github(workflow: Workflow, seconds: float, said: str) -> None:
    """The runner kills after ten seconds; an ordinary run would wait longer than that for a single answer."""
    workflow.github.fail("*", "slow", times=None, seconds=seconds)
    assert re.search(said, cancelled(workflow, signal.SIGINT).log)


def test_a_part_of_the_suite_carries_from_the_artifact_what_it_does_not_run(workflow: Workflow) -> None:
    assert workflow.pushed().code == 0
    suite = f"{SUITE}scopes: {{pr: {{tags: [cash]}}}}\n"
    cases = CASES.replace("  expect: abstain\n", "  expect: abstain\n  tags: [cash]\n")
    assert cases != CASES
    files = {"raggate.yaml": suite, "cases.yaml": cases}
    step = workflow.step(workflow.events.pull_request(opened(workflow)), GOOD, files=files)
    assert step.code == 0, step.log
    (comment,) = comments(workflow)
    assert "2 of 3 cases were run; of 1 other the baseline's outcome is carried over." in comment
    assert "ResourceWarning" not in step.log


def test_a_run_by_hand_for_a_pull_request_is_held_against_what_that_goes_into(workflow: Workflow) -> None:
    """The branch it goes into has moved away from main, and has a run of its own, which invents already."""
    workflow.pushed()
    tip = workflow.github.commit("A patch", branch="release/2")
    run = workflow.github.run(tip, branch="release/2")
    stored = workflow.step(workflow.events.push(tip, branch="release/2"), BAD, run=run)
    files = {path.name: path.read_bytes() for path in (workflow.last / "raggate-run").iterdir()}
    workflow.github.artifact(run=run, name="raggate-support", files=files)
    assert stored.outputs["decision"] == "block"

    head = workflow.github.commit("A change", branch="topic", parents=(tip,))
    pull = workflow.github.pull(head, base="release/2")
    event = workflow.events.workflow_dispatch(head, {"pull-request": str(pull.number)}, branch="topic")
    by_hand = workflow.step(event, BAD, inputs={"pr-number": str(pull.number)})
    assert by_hand.outputs["baseline-sha"] == tip.sha, by_hand.log
    assert by_hand.result["new_hallucinations"] == 0
    (comment,) = comments(workflow)
    assert f"baseline [`release/2@{tip.sha[:7]}`](" in comment
    # Without the number the event knows of main alone.
    alone = workflow.step(event, BAD)
    assert alone.outputs["baseline-sha"] == workflow.main[-1].sha
    assert alone.result["new_hallucinations"] == 1


def blocked_pull(workflow: Workflow) -> Pull:
    """A pull request with the comment of its own run, which blocks."""
    workflow.pushed()
    pull = opened(workflow)
    assert workflow.step(workflow.events.pull_request(pull), BAD).code == 1
    return pull


def by_hand(workflow: Workflow, pull: Pull, tip: Commit, traces: list[dict[str, Any]], **options: Any) -> Step:
    event = workflow.events.workflow_dispatch(tip, {"pull-request": str(pull.number)}, branch="any")
    inputs = {"pr-number": str(pull.number), **options.pop("inputs", {})}
    return workflow.step(event, traces, inputs=inputs, **options)


def test_a_dispatch_from_main_with_a_pull_requests_number_is_refused_before_the_app_is_asked(
    workflow: Workflow,
) -> None:
    """Main's Release replaced the pull request's Block, in a green box."""
    pull = blocked_pull(workflow)
    before = comments(workflow)
    refused = by_hand(workflow, pull, workflow.main[-1], GOOD)
    assert refused.code == 2, refused.log
    assert f"pull request {pull.number} is at {pull.head.sha[:7]}" in refused.log
    assert "In *Run workflow*, choose the branch `topic`." in refused.log
    assert "docs/errors.md#pull-request" in refused.log
    assert "::error title=raggate::" in refused.log
    assert comments(workflow) == before
    assert not (workflow.last / "raggate-run").exists(), "nobody was asked"


@pytest.mark.parametrize("where", ["the branch", "a merge", "a merge in a folder", "a merge of this job"])
def test_a_dispatch_on_the_branch_or_on_a_merge_of_it_is_the_pull_requests(workflow: Workflow, where: str) -> None:
    pull = blocked_pull(workflow)
    main = workflow.main[-1]
    files: dict[str, str | bytes] = {}
    tip, inputs = main, {}
    match where:
        case "the branch":
            tip = pull.head
        case "a merge":
            # GitHub has not yet made the merge of the last commit known; what is checked out is one all the same.
            files = {".git/HEAD": f"{pull.merge_commit_sha}\n"}
            pull.merge_commit_sha = None
        case "a merge in a folder":
            inner = {"raggate.yaml": SUITE, "cases.yaml": CASES}
            inner |= {"evidence.jsonl": "".join(json.dumps(chunk) + "\n" for chunk in EVIDENCE)}
            inner |= {"traces.jsonl": "".join(json.dumps(trace) + "\n" for trace in GOOD)}
            files = {f"app/{name}": text for name, text in inner.items()}
            files |= {"app/.git/HEAD": f"{pull.merge_commit_sha}\n"}
            inputs = {"working-directory": "app"}
        case _:
            content = f"tree {main.sha}\nparent {main.sha}\nparent {pull.head.sha}\n\nMerge\n".encode()
            content = f"commit {len(content)}\0".encode() + content
            made = hashlib.sha1(content, usedforsecurity=False).hexdigest()
            files = {".git/HEAD": f"{made}\n", f".git/objects/{made[:2]}/{made[2:]}": zlib.compress(content)}
    step = by_hand(workflow, pull, tip, GOOD, files=files, inputs=inputs)
    assert step.code == 0, step.log
    (comment,) = comments(workflow)
    assert "**Release**" in comment
    assert f"head={pull.head.sha}" in comment.splitlines()[0]


@pytest.mark.parametrize("which", ["main, ahead", "a commit on top", "a merge of the commit before", "unknown"])
def test_a_dispatch_on_what_looks_like_the_pull_request_is_refused(workflow: Workflow, which: str) -> None:
    pull = blocked_pull(workflow)
    before = comments(workflow)
    tips = {
        "main, ahead": lambda: workflow.github.commit("After", branch="main"),
        "a commit on top": lambda: workflow.github.commit("On top", branch="other", parents=(pull.head,)),
        "a merge of the commit before": lambda: workflow.github.commits[str(pull.merge_commit_sha)],
        "unknown": lambda: workflow.main[-1],
    }
    tip = tips[which]()
    if which == "a merge of the commit before":
        # GitHub still names the merge of the commit before until it has made the next one.
        pull.head = workflow.topic("Pushed meanwhile")
    files = {".git/HEAD": "c0ffee" * 6 + "c0ff\n"} if which == "unknown" else {}
    step = by_hand(workflow, pull, tip, GOOD, files=files)
    assert step.code == 2, step.log
    assert comments(workflow) == before


def test_a_run_on_a_comment_is_told_what_to_check_out_and_a_forks_branch_is_never_named(workflow: Workflow) -> None:
    pull = blocked_pull(workflow)
    asked = workflow.github.comment(pull, "/gate", author="dana")
    step = workflow.step(workflow.events.issue_comment(asked), GOOD, inputs={"pr-number": str(pull.number)})
    assert step.code == 2, step.log
    assert f"check out `refs/pull/{pull.number}/merge`" in step.log
    fork = workflow.github.repository("eve/support", fork_of=workflow.home)
    head = workflow.github.commit(branch="main", repository=fork)
    theirs = workflow.github.pull(head, head_repository=fork, head_ref="main", author="eve")
    refused = by_hand(workflow, theirs, workflow.main[-1], GOOD)
    assert refused.code == 2, refused.log
    assert "Push its last commit to a branch of this repository" in refused.log
    assert "choose the branch `main`" not in refused.log
    # What the documents say a maintainer does: the fork's commit on a branch of ours.
    assert by_hand(workflow, theirs, head, GOOD).code == 0


def test_red_stays_red_when_an_old_version_was_dispatched_from_main_and_the_failing_job_runs_again(
    workflow: Workflow,
) -> None:
    """The later run's number kept the pull request's own job from writing: a red check, a green comment."""
    pull = blocked_pull(workflow)
    number, block = next(iter(workflow.github.comments.items()))
    main = workflow.main[-1].sha
    release = f"<!-- raggate:v1 suite=support run=9990 attempt=1 head={main} -->\n> [!TIP]\n> **Release** \n"
    block.body = release
    run = workflow.github.run(pull.head, event="pull_request", branch="topic", attempt=2)
    again = workflow.step(workflow.events.pull_request(pull), BAD, run=run)
    assert again.code == 1, again.log
    (comment,) = comments(workflow)
    assert "**Block**" in comment
    assert again.outputs["comment-url"].endswith(f"#issuecomment-{number}")
    # A newer run of the same commit is another matter.
    block.body = release.replace(main, pull.head.sha)
    later = workflow.step(workflow.events.pull_request(pull), BAD, run=run)
    assert later.code == 1
    assert "workflow run 9990 is newer and has commented" in later.log


@pytest.mark.parametrize("event", ["pull_request", "workflow_dispatch"])
def test_a_run_that_a_push_has_overtaken_decides_and_writes_no_comment(workflow: Workflow, event: str) -> None:
    pull = blocked_pull(workflow)
    before, old = comments(workflow), pull.head
    with scripted_app({"refund-in-cash": "slow"}, slow_s=2) as app:
        suite = SUITE.replace("{kind: recorded, traces: traces.jsonl}", f"{{kind: http, url: '{app.url}'}}")
        started = workflow.events.pull_request(pull, "synchronize")
        if event == "workflow_dispatch":
            started = workflow.events.workflow_dispatch(old, branch="topic")
        inputs = {"baseline": "none", "pr-number": str(pull.number)}
        process, folder = workflow.start(started, GOOD, files={"raggate.yaml": suite}, inputs=inputs)
        while process.poll() is None and not finished_cases(folder / "workspace/raggate-run"):
            time.sleep(0.01)
        pull.head = workflow.topic("Pushed meanwhile")
        step = ended(process, folder)
    # The app's chunks are not the suite's.
    assert (step.code, step.outputs["decision"]) == (3, "inconclusive"), step.log
    assert comments(workflow) == before
    said = f"raggate: no comment: this run is of {old.sha[:7]}, and the pull request is at {pull.head.sha[:7]}"
    assert said in step.log
    assert step.outputs["comment-url"] == ""


def test_where_github_tells_nothing_of_the_pull_request_the_run_decides_and_main_stays_off_it(
    workflow: Workflow,
) -> None:
    pull = blocked_pull(workflow)
    before = comments(workflow)
    workflow.github.fail("pulls/get", status=502, times=99)
    step = by_hand(workflow, pull, workflow.main[-1], GOOD)
    assert step.code == 0, step.log
    assert f"Pull request {pull.number} could not be asked for" in step.log
    assert f"no comment: this run is of {workflow.main[-1].sha[:7]}" in step.log
    assert comments(workflow) == before
    assert by_hand(workflow, pull, pull.head, GOOD).code == 0
    assert "**Release**" in comments(workflow)[0]


def test_a_pull_request_that_is_not_there_leaves_the_verdict_as_it_is(workflow: Workflow) -> None:
    workflow.pushed()
    event = workflow.events.workflow_dispatch(workflow.main[-1])
    step = workflow.step(event, GOOD, inputs={"pr-number": "404"})
    assert step.code == 0, step.log
    assert "There is no pull request 404 in acme/support: the run is compared as without `pr-number`." in step.log
    assert step.outputs["baseline-sha"] == workflow.main[-1].sha
    assert comments(workflow) == []


def of_matrix(python: str) -> dict[str, Any]:
    """What a step has beside in a job of a matrix: its input as GitHub fills it in."""
    return {"inputs": {"instance": json.dumps({"python": python}, indent=2)}}


def lines_of_jobs(workflow: Workflow) -> list[str]:
    (comment,) = comments(workflow)
    decided = r"(> )?- ((❌|✅|⚠️) )?(Block|Release|Inconclusive) · "
    return [line.removeprefix("> ") for line in comment.splitlines() if re.match(decided, line)]


BLOCKED = "- ❌ Block · `python 3.11` · 1 passed · 1 failed · 0 not measured (the report below)"
RELEASED = "- ✅ Release · `python 3.12` · 2 passed · 0 failed · 0 not measured"


@pytest.mark.parametrize("order", ["block first", "release first", "at once"])
def test_two_jobs_of_a_matrix_share_a_comment_in_which_the_block_stays_on_top(workflow: Workflow, order: str) -> None:
    """The last one to write had the comment for itself, and hid the other's Block."""
    workflow.pushed()
    pull = opened(workflow)
    run = workflow.github.run(pull.head, event="pull_request", branch="topic")
    event = workflow.events.pull_request(pull)
    jobs = [(BAD, of_matrix("3.11")), (GOOD, of_matrix("3.12"))]
    jobs = jobs[::-1] if order == "release first" else jobs
    if order == "at once":
        steps = [ended(*each) for each in [workflow.start(event, traces, run=run, **job) for traces, job in jobs]]
    else:
        steps = [workflow.step(event, traces, run=run, **job) for traces, job in jobs]
    assert sorted(step.code for step in steps) == [0, 1], [step.log for step in steps]
    (comment,) = comments(workflow)
    assert lines_of_jobs(workflow) == [BLOCKED, RELEASED]
    assert "**Block** in 1 of 2 jobs of this workflow run:" in comment.partition("[!CAUTION]")[0]
    assert "cash is paid out at any depot" in comment
    assert "> **Release**" not in comment
    (number,) = workflow.github.comments
    assert all(step.outputs["comment-url"].endswith(f"#issuecomment-{number}") for step in steps)
    if order != "at once":
        other = "block" if order == "block first" else "release"
        assert f"of this run has decided {other}" in steps[1].log


def test_a_job_of_a_matrix_that_is_run_again_replaces_its_own_line(workflow: Workflow) -> None:
    pull = opened(workflow)
    run = workflow.github.run(pull.head, event="pull_request", branch="topic")
    event = workflow.events.pull_request(pull)
    workflow.step(event, BAD, run=run, **of_matrix("3.11"))
    workflow.step(event, GOOD, run=run, **of_matrix("3.12"))
    run.attempt = 2
    again = workflow.step(event, GOOD, run=run, **of_matrix("3.11"))
    assert again.code == 0, again.log
    (comment,) = comments(workflow)
    assert "Block" not in comment
    told = [line.partition(" (the")[0] for line in lines_of_jobs(workflow)]
    first = RELEASED.replace("3.12", "3.11")
    assert sorted(told) == sorted([f"{first} · attempt 2", RELEASED])
    # What a push brings is another run, which begins anew.
    pull.head = workflow.topic("Next")
    workflow.step(workflow.events.pull_request(pull, "synchronize"), GOOD, **of_matrix("3.12"))
    assert [line.partition(" (the")[0] for line in lines_of_jobs(workflow)] == [RELEASED]


def test_each_job_of_a_matrix_has_an_artifact_and_a_baseline_of_its_own(workflow: Workflow) -> None:
    red, green = workflow.pushed(BAD, **of_matrix("3.11")), workflow.pushed(GOOD, **of_matrix("3.12"))
    names = {step.outputs["artifact-name"] for step in (red, green)}
    assert len(names) == 2
    assert all(re.fullmatch("raggate-support-[0-9a-f]{8}", name) for name in names)
    assert f"its run directory is {red.outputs['artifact-name']} (output `artifact-name`)" in red.log
    pull = opened(workflow)
    event = workflow.events.pull_request(pull)
    known = workflow.step(event, BAD, **of_matrix("3.11"))
    new = workflow.step(event, BAD, **of_matrix("3.12"))
    assert (known.result["new_hallucinations"], new.result["new_hallucinations"]) == (0, 1)
    assert known.outputs["baseline-sha"] == new.outputs["baseline-sha"] == workflow.main[-1].sha
    plain = workflow.step(event, BAD, inputs={"instance": "null"})
    assert plain.outputs["artifact-name"] == "raggate-support"
    assert "No artifact raggate-support is stored" in plain.summary
    assert "of a matrix" not in plain.log


def test_the_artifacts_name_is_known_to_a_step_that_fails(workflow: Workflow) -> None:
    step = workflow.step(
        workflow.events.push(workflow.main[-1]), GOOD, inputs={"baseline": "nowhere", **of_matrix("3.11")["inputs"]}
    )
    assert step.code == 2, step.log
    assert step.outputs["artifact-name"].startswith("raggate-support-")


def test_a_forks_matrix_is_published_by_the_second_stage_with_a_line_for_each_job(workflow: Workflow) -> None:
    github = workflow.github
    fork = github.repository("eve/support", fork_of=workflow.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    run = github.run(pull.head, event="pull_request", branch="topic", head_repository=fork, actor="eve")
    reading = {"github-token": github.reading_token()}
    for traces, python in ((BAD, "3.11"), (GOOD, "3.12")):
        inputs = {**reading, **of_matrix(python)["inputs"]}
        step = workflow.step(workflow.events.pull_request(pull, "synchronize"), traces, run=run, inputs=inputs)
        files = {path.name: path.read_bytes() for path in (workflow.last / "raggate-run").iterdir()}
        github.artifact(run=run, name=step.outputs["artifact-name"], files=files)
    second = workflow.step(workflow.events.workflow_run(run), GOOD)
    assert second.code == 0, second.log
    # A fork's own word: what it says of a release is told, and nothing is green.
    assert lines_of_jobs(workflow) == [BLOCKED, RELEASED.replace("✅ ", "")]
    (comment,) = comments(workflow)
    assert "**Block** in 1 of 2 jobs of this workflow run:" in comment.partition("[!CAUTION]")[0]
    assert "[!TIP]" not in comment


def test_two_jobs_without_a_matrix_do_not_hide_the_block(workflow: Workflow) -> None:
    pull = opened(workflow)
    run = workflow.github.run(pull.head, event="pull_request", branch="topic")
    event = workflow.events.pull_request(pull)
    workflow.step(event, BAD, run=run)
    before = comments(workflow)
    second = workflow.step(event, GOOD, run=run)
    assert second.code == 0
    assert comments(workflow) == before
    assert "another job of this run has decided block, which stays there: give each an `instance`" in second.log
