"""The action stores its run by itself: the next run finds it, the comment leads to its page, and no fault decides."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fuzz.stored_runs import tie
from tests.command_line import raggate
from tests.end_to_end.test_action import BAD, GOOD, Step, Workflow, comments, opened
from tests.fake_github.answers import Answer
from tests.fake_github.artifact_service import ArtifactService, Fault, StoredFile, token_of
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.state import Commit, Pull, WorkflowRun
from tests.forked import Forks

AUTO = {"upload": "auto"}
UPLOADING = """\
jobs:
  gate:
    steps:
      - uses: raggate-action/raggate-action@v0.1.0
      - if: always()
        uses: actions/upload-artifact@b7c566a # v6.0.0
        with: {name: raggate-support, path: raggate-run/%s}
"""


class Jobs(NamedTuple):
    """A workflow on a GitHub whose runner gives its jobs the artifact service."""

    workflow: Workflow
    service: ArtifactService

    def step(self, run: WorkflowRun, event: Any, traces: list[dict[str, Any]], **options: Any) -> Step:
        """The action in a job of a workflow run; `token` is another than the job's, `url` another address."""
        job = options.pop("job", f"job-{run.id}")
        env = {
            "ACTIONS_RESULTS_URL": options.pop("url", f"{self.service.url}results/"),
            "ACTIONS_RUNTIME_TOKEN": options.pop("token", token_of(str(run.id), job)),
            **options.pop("env", {}),
        }
        inputs = {**AUTO, **options.pop("inputs", {})}
        return self.workflow.step(event, traces, run=run, inputs=inputs, env=env, **options)

    def pushed(self, traces: list[dict[str, Any]] = GOOD, *, commit: Commit | None = None, **options: Any) -> Step:
        """A push to main."""
        tip, github = commit or self.workflow.main[-1], self.workflow.github
        run = github.run(tip, event="push", status="in_progress", conclusion=None)
        step = self.step(run, self.workflow.events.push(tip), traces, **options)
        run.status, run.conclusion = "completed", "success" if step.code == 0 else "failure"
        return step

    def pulled(self, traces: list[dict[str, Any]], pull: Pull | None = None, **options: Any) -> Step:
        """A run of a pull request."""
        asked = pull or opened(self.workflow)
        run = self.workflow.github.run(asked.head, event="pull_request", status="in_progress", conclusion=None)
        return self.step(run, self.workflow.events.pull_request(asked), traces, **options)


@pytest.fixture
def jobs(tmp_path: Path, forks: Forks) -> Iterator[Jobs]:
    with FakeGitHub() as github:

        def keep(file: StoredFile) -> int:
            made = github.artifact(
                github.runs[int(file.run)], file.name, content=file.content, size=len(file.content or b"")
            )
            return made.id

        with ArtifactService(keep=keep) as service:
            yield Jobs(Workflow(github, tmp_path, forks), service)


def warnings(step: Step) -> list[str]:
    return [line for line in step.log.splitlines() if line.startswith("::warning")]


def test_a_run_is_stored_without_a_step_and_the_next_one_finds_it(jobs: Jobs) -> None:
    pushed = jobs.pushed()
    assert pushed.code == 0, pushed.log
    assert warnings(pushed) == []
    kept, page = jobs.service.stored("raggate-support"), jobs.service.stored("raggate-support.html")
    runs = f"{jobs.workflow.github.server_url}/acme/support/actions/runs/{kept.run}/artifacts"
    assert pushed.outputs["artifact-name"] == "raggate-support"
    assert kept.artifact_id in jobs.workflow.github.artifacts
    assert pushed.outputs["report-url"] == f"{runs}/{page.artifact_id}"
    assert page.content == (jobs.workflow.last / "raggate-run/report.html").read_bytes()
    assert f"[Open the report]({runs}/{page.artifact_id})" in pushed.summary

    blocked = jobs.pulled(BAD)
    assert blocked.code == 1, blocked.log
    assert blocked.outputs["baseline-sha"] == jobs.workflow.main[-1].sha
    assert blocked.result["new_hallucinations"] == 1


def test_the_comment_leads_to_the_page_and_each_open_case_to_its_place(jobs: Jobs) -> None:
    jobs.pushed()
    blocked = jobs.pulled(BAD)
    (comment,) = comments(jobs.workflow)
    page = blocked.outputs["report-url"]
    assert f"[Open the report]({page}): every case, and what decided it." in comment
    assert f"· [in the report]({page}#case=refund-in-cash)" in comment
    run_directory = jobs.workflow.last / "raggate-run"
    assert json.loads((run_directory / "publication.json").read_text()) == {"report_url": page}
    # What is stored is what was published, and a command makes the same of it, on a machine that GitHub is far from.
    assert (run_directory / "comment.md").read_text() == comment
    assert raggate("report", "raggate-run", cwd=jobs.workflow.last).stdout == comment


def test_the_page_itself_is_made_again_byte_for_byte(jobs: Jobs) -> None:
    step = jobs.pushed(BAD)
    stored = jobs.service.stored("raggate-support.html").content
    command = [sys.executable, "-m", "raggate_action", "report", "raggate-run", "--format", "html"]
    assert subprocess.run(command, cwd=jobs.workflow.last, capture_output=True, check=True).stdout == stored
    assert step.outputs["report-url"].encode() not in (stored or b"")


FAULTS: dict[str, tuple[dict[str, Any], list[Fault], str]] = {
    "no service": ({"token": "", "url": ""}, [], "the runner gives this step no artifact service"),
    "another token": ({"token": token_of(scope="Actions.Cache:1")}, [], "the job's token is none for artifacts"),
    "nobody there": ({"url": "http://127.0.0.1:9/"}, [], "the service cannot be reached: connection refused"),
    "a name it refuses": ({"inputs": {"artifact-name": "a/b"}}, [], "'a/b' cannot be an artifact's name"),
    "quota": (
        {},
        [Fault("CreateArtifact", Answer(403, {"code": "x", "msg": "insufficient usage to create artifact"}))] * 2,
        "the storage that the account has for artifacts is used up",
    ),
    "an Enterprise Server": (
        {},
        [Fault("CreateArtifact", Answer(404, "<html>"))] * 2,
        "GitHub Enterprise Server has no such service",
    ),
    "a wrong size": (
        {},
        [Fault("FinalizeArtifact", Answer(400, {"code": "x", "msg": "the size differs"}))] * 2,
        "the service answers 400",
    ),
}


@pytest.mark.parametrize("traces", [GOOD, BAD])
@pytest.mark.parametrize(("options", "faults", "told"), FAULTS.values(), ids=FAULTS)
def test_no_fault_of_storing_decides(
    jobs: Jobs, options: dict[str, Any], faults: list[Fault], told: str, traces: list[dict[str, Any]]
) -> None:
    jobs.service.faults += faults
    step = jobs.pulled(traces, **options)
    assert step.code == (0 if traces is GOOD else 1), step.log
    (warning,) = warnings(step)
    assert told in warning
    name = options.get("inputs", {}).get("artifact-name", "raggate-support")
    assert (
        f"%0A- if: always()%0A  uses: actions/upload-artifact@v3%0A  with: {{name: {name}, path: raggate-run/}}"
        in warning
    )
    assert step.outputs["report-url"] == ""
    (comment,) = comments(jobs.workflow)
    assert "in the report" not in comment
    assert token_of() not in step.log
    assert "sig=" not in step.log


def test_the_step_to_add_is_the_guides(jobs: Jobs) -> None:
    guide = (Path(__file__).parents[2] / "docs/pull-requests.md").read_text()
    shown = re.search(r"<!-- the step to add -->\n```yaml\n(.*?)```", guide, re.DOTALL)
    assert shown is not None
    env = {"GITHUB_SERVER_URL": "https://github.com"}
    (warning,) = warnings(jobs.pulled(GOOD, token="", url="", env=env))
    step = warning.partition(":%0A")[2].replace("%0A", "\n")
    assert step == shown[1].replace("raggate-shop", "raggate-support").rstrip()


def test_each_job_of_a_matrix_finds_what_it_has_stored(jobs: Jobs) -> None:
    first: dict[str, Any] = {"inputs": {"instance": '{"python": "3.11"}'}}
    second: dict[str, Any] = {"inputs": {"instance": '{"python": "3.12"}'}}
    run = jobs.workflow.github.run(jobs.workflow.main[-1], event="push")
    stored = [
        jobs.step(run, jobs.workflow.events.push(jobs.workflow.main[-1]), GOOD, job=str(number), **each)
        for number, each in enumerate((first, second))
    ]
    assert [warnings(step) for step in stored] == [[], []]
    names = {step.outputs["artifact-name"] for step in stored}
    assert {file.name for file in jobs.service.files} == {*names, *(f"{name}.html" for name in names)}
    assert len(names) == 2
    step = jobs.pulled(GOOD, **first)
    assert step.outputs["baseline-sha"] == jobs.workflow.main[-1].sha, step.log


def test_a_forks_page_is_made_anew_and_stored_with_the_run_that_may_write(jobs: Jobs) -> None:
    """The fork's own page is hostile here; what the comment leads to has none of it."""
    github, workflow = jobs.workflow.github, jobs.workflow
    jobs.pushed()
    fork = github.repository("eve/support", fork_of=workflow.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    run = github.run(pull.head, event="pull_request", branch="topic", head_repository=fork, actor="eve")
    workflow.token = github.reading_token()
    first = jobs.step(run, workflow.events.pull_request(pull), BAD)
    assert comments(workflow) == []
    assert first.outputs["report-url"]
    hostile = "https://github.com/eve/x/actions/runs/1/artifacts/2"
    directory = workflow.last / "raggate-run"
    (directory / "report.html").write_text("<script>hostile()</script>")
    (directory / "publication.json").write_text(json.dumps({"report_url": hostile}))
    traces = [json.loads(line) for line in (directory / "traces.jsonl").read_text().splitlines()]
    traces[0]["earlier"] = [{"text": "MAIN NEVER SAID SO", "run": "2026-01-01T00:00:00Z"}]
    (directory / "traces.jsonl").write_text("".join(json.dumps(trace) + "\n" for trace in traces))
    tie(directory)
    github.artifact(run, "raggate-support", {path.name: path.read_bytes() for path in directory.iterdir()})
    github.artifact(run, "raggate-support.html", {"index.html": "<script>hostile()</script>"})

    workflow.token = github.writing_token()
    trusted = github.run(workflow.main[-1], event="workflow_run", status="in_progress", conclusion=None)
    second = jobs.step(trusted, workflow.events.workflow_run(run), GOOD)
    assert second.code == 0, second.log
    assert warnings(second) == []
    (comment,) = comments(workflow)
    page = jobs.service.files[-1]
    assert (page.name, page.run) == ("raggate-support.html", str(trusted.id))
    address = f"{github.server_url}/acme/support/actions/runs/{trusted.id}/artifacts/{page.artifact_id}"
    assert f"[Open the report]({address})" in comment
    assert f"({address}#case=refund-in-cash)" in comment
    assert second.outputs["report-url"] == address
    assert hostile not in comment
    assert first.outputs["report-url"] not in comment
    content = (page.content or b"").decode()
    assert "<title>" in content
    assert "hostile()" not in content
    assert "MAIN NEVER SAID SO" not in blocks_of(content)
    assert "cash is paid out at any depot" in blocks_of(content)


def test_a_second_stage_without_the_service_comments_without_a_page(jobs: Jobs) -> None:
    github, workflow = jobs.workflow.github, jobs.workflow
    fork = github.repository("eve/support", fork_of=workflow.home)
    pull = github.pull(github.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    run = github.run(pull.head, event="pull_request", branch="topic", head_repository=fork, actor="eve")
    workflow.token = github.reading_token()
    jobs.step(run, workflow.events.pull_request(pull), BAD)
    workflow.token = github.writing_token()
    second = jobs.step(run, workflow.events.workflow_run(run), GOOD, token="", url="")
    assert second.code == 0
    (warning,) = warnings(second)
    assert "The report of raggate-support has no page: the runner gives this step no artifact service." in warning
    (comment,) = comments(workflow)
    assert "**Block**" in comment
    assert "Open the report" not in comment


def blocks_of(page: str) -> str:
    """Everything that a page holds of its cases, inflated."""
    found = re.findall(r'<script type="application/octet-stream"[^>]*>([^<]*)<', page)
    about, *packed = [base64.b64decode(each) for each in found if each]
    return "".join([about.decode(), *[gzip.decompress(each).decode() for each in packed]])


def test_required_fails_what_would_have_passed_and_leaves_a_block_a_block(jobs: Jobs) -> None:
    required: dict[str, Any] = {"inputs": {"upload": "required"}, "token": "", "url": ""}
    released = jobs.pulled(GOOD, **required)
    assert (released.code, released.outputs["decision"]) == (3, "release")
    assert "the gate passed, but the run directory is not stored (upload: required)" in released.log
    assert jobs.pulled(BAD, **required).code == 1
    assert jobs.pulled(GOOD, inputs={"upload": "required"}).code == 0


def test_off_stores_nothing(jobs: Jobs) -> None:
    step = jobs.pulled(GOOD, inputs={"upload": "off"})
    assert step.code == 0
    assert jobs.service.requests == []
    assert warnings(step) == []
    assert step.outputs["artifact-name"] == "raggate-support"


def test_a_page_that_is_not_taken_leaves_the_directory_stored(jobs: Jobs) -> None:
    jobs.service.faults.append(
        Fault("CreateArtifact", Answer(400, {"code": "x", "msg": "a valid mime_type is required"}))
    )
    step = jobs.pulled(GOOD)
    (warning,) = warnings(step)
    assert "The report has no page (the service answers 400)." in warning
    assert "It is report.html in the artifact raggate-support." in warning
    assert jobs.service.stored("raggate-support").artifact_id in jobs.workflow.github.artifacts
    assert step.outputs["report-url"] == ""


def test_after_a_failed_page_the_directory_is_tried_once(jobs: Jobs) -> None:
    jobs.service.faults += [Fault("CreateArtifact", Answer(status, {"code": "x", "msg": ""})) for status in (400, 503)]
    step = jobs.pulled(GOOD)
    assert step.code == 0, step.log
    assert jobs.service.requested() == ["CreateArtifact", "CreateArtifact"]
    (warning,) = warnings(step)
    assert "The run directory is not stored: the service answers 503." in warning


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "https://evil.example/", "https://a/b/c/actions/runs/1/artifacts/2)<x"]
)
def test_an_address_that_is_no_artifacts_is_refused(jobs: Jobs, address: str) -> None:
    """A run directory may come from a stranger: its word makes no link."""
    jobs.pushed()
    kept = jobs.workflow.last / "raggate-run/publication.json"
    kept.write_text(json.dumps({"report_url": address}))
    done = raggate("report", "raggate-run", cwd=jobs.workflow.last)
    assert (done.returncode, done.stdout) == (2, "")
    assert "publication.json: report_url" in done.stderr


def test_only_what_this_job_has_stored_is_replaced(jobs: Jobs) -> None:
    pull = opened(jobs.workflow)
    run = jobs.workflow.github.run(pull.head, event="pull_request", status="in_progress", conclusion=None)
    event = jobs.workflow.events.pull_request(pull)
    assert warnings(jobs.step(run, event, GOOD)) == []
    again = jobs.step(run, event, GOOD)
    assert warnings(again) == []
    assert "it replaces one that this job had stored before: the step that stored that can go" in again.log
    before = jobs.service.stored("raggate-support").artifact_id
    other = jobs.step(run, event, GOOD, job="another")
    assert other.code == 0
    (warning,) = warnings(other)
    assert "another job of this workflow run has stored an artifact of this name" in warning
    assert "Give each job a name by the input `instance`, or an `artifact-name` of its own." in warning
    assert jobs.service.stored("raggate-support").artifact_id == before


def test_a_workflow_that_still_has_its_step_is_told_that_it_can_go(jobs: Jobs) -> None:
    workflow = jobs.workflow.github.run(jobs.workflow.main[-1]).path
    replacing = {workflow: UPLOADING.replace("raggate-run/%s", "raggate-run/, overwrite: true")}
    step = jobs.pulled(GOOD, files=replacing)
    assert "the workflow's own step that uploads the run directory can go" in step.log
    assert "the run directory is stored as raggate-support" in step.log
    # A step that does not replace would fail where the name is taken.
    adding = {workflow: UPLOADING.replace("%s", "")}
    step = jobs.pulled(GOOD, files=adding)
    assert "raggate-support is left to the workflow's own step: delete the step, and raggate stores it" in step.log
    assert warnings(step) == []
    assert step.outputs["report-url"]
    # Nor is there anything to warn of where the service is missing: the step stores it.
    assert warnings(jobs.pulled(GOOD, files=replacing, token="", url="")) == []
    # A step for something else is none of ours.
    other = {workflow: UPLOADING.replace("raggate-support", "coverage").replace("raggate-run/%s", "coverage/")}
    assert "the run directory is stored as raggate-support" in jobs.pulled(GOOD, files=other).log


# Prints the app's own environment and that of who started it, as the system shows it.
APP = """\
{ env; tr '\\0' '\\n' < /proc/$PPID/environ || echo "hidden: $?"; } >> SEEN 2>&1
while read -r line; do echo '{"answer": "I do not know.", "context": []}'; done
"""


def test_token_and_address_are_out_of_reach_of_the_app(jobs: Jobs, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.touch()
    seen.chmod(0o666)
    # Run by root, the app has a user of its own, who has to get there.
    for folder in (tmp_path, *tmp_path.parents):
        if folder == Path(tempfile.gettempdir()):
            break
        folder.chmod(0o755)
    command = json.dumps(["/bin/sh", "-c", APP.replace("SEEN", str(seen))])
    suite = f"suite: support\nevidence: [evidence.jsonl]\ncases: [cases.yaml]\ntarget: {{kind: command, command: {command}}}\n"
    step = jobs.pulled(GOOD, files={"raggate.yaml": suite}, through=())
    told = seen.read_text()
    assert "PATH=" in told, step.log
    assert "hidden: " in told or told.count("PATH=") > 1
    token = next(file for file in jobs.service.files if file.name == "raggate-support")
    for secret in (token_of(token.run, token.job), jobs.service.url, "ACTIONS_RUNTIME_TOKEN", "ACTIONS_RESULTS_URL"):
        assert secret not in told
