"""After the decision: outputs for the workflow, the job summary, the comment, annotations. None of it decides."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from raggate_action.github.action_inputs import ActionInputs
from raggate_action.github.api import CommentApi
from raggate_action.github.publication_plan import Audience, Report, plan_publication
from raggate_action.github.publishing import Outlets, publish
from raggate_action.github.pygithub_client import HURRIED, ORDINARY, Deadline, WaitLimits
from raggate_action.github.workflow_commands import (
    Annotation,
    annotation_line,
    append_summary,
    send_commands,
    write_outputs,
)
from raggate_action.github.workflow_context import ActionContext
from raggate_action.report.escape import log_line
from raggate_action.report.remarks import remarks
from raggate_action.report.render import jobs_box
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import RunReport
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.schema.action_result import ActionResult, GateResult
from raggate_action.schema.comment_marker import instance_name
from raggate_action.schema.decision import RunGate
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.strings.numbers import percent

# Every output the action has; action.yml and docs/pull-requests.md list the same.
OUTPUTS = (
    "decision",
    "result",
    "run-dir",
    "artifact-name",
    "report",
    "report-url",
    "comment-url",
    "baseline-sha",
    "judge-cost",
)
_LONGEST_FAREWELL_S = 2.5
# A step that uploads runs whatever became of this one: it is told the name before the app is asked.
_ARTIFACT_NAME = "artifact-name"
_AFTER_THE_RUN = [name for name in OUTPUTS if name != _ARTIFACT_NAME]


class Announcement(NamedTuple):
    """A decided run, and who is told of it.

    Attributes:
        report: The run and its texts.
        audience: Who there is to tell.
        run_directory: Where it lies, seen from the top of the checkout; empty where it lies nowhere.
        root: The working directory, seen from there.
        artifacts: The outputs that speak of its artifacts, by name.
    """

    report: RunReport
    audience: Audience
    run_directory: str = ""
    root: str = ""
    artifacts: Mapping[str, str] = {}


def announce_artifact_name(name: str, inputs: ActionInputs, context: ActionContext) -> None:
    """Write the artifact's name as an output before the run: in a matrix it cannot be guessed."""
    _write_outputs(context.output, {_ARTIFACT_NAME: name})
    if inputs.instance:
        which = log_line(instance_name(inputs.instance))
        say([f"raggate: job {which} of a matrix: its run directory is {name} (output `artifact-name`)"])


def announce(
    announcement: Announcement,
    inputs: ActionInputs,
    context: ActionContext,
    *,
    bounds: WaitLimits = ORDINARY,
    deadline: Deadline | None = None,
) -> None:
    """Write the outputs, then publish; what GitHub refuses is a line in the log."""
    reporting, texts = announcement.report
    places = _places(context.workspace, announcement.run_directory)
    known = run_outputs(reporting) | places | dict(announcement.artifacts)
    _write_outputs(context.output, dict.fromkeys(_AFTER_THE_RUN, "") | known)
    report = Report(
        run=reporting.run,
        comparison=reporting.comparison,
        comment=texts["comment.md"],
        summary=texts["summary.md"],
        jobs_box=partial(jobs_box, of_fork=reporting.run.of_fork),
        annotations=tuple([Annotation(*each) for each in remarks(reporting, root=announcement.root)]),
    )
    token = inputs.github_token.get_secret_value() if inputs.github_token is not None else None
    outlets = Outlets(_summary_writer(context.summary), send_commands, lambda line: say([log_line(line)]))
    with CommentApi(
        api_url=context.api_url, token=token, repository=context.repository, bounds=bounds, deadline=deadline
    ) as api:
        url = publish(
            plan_publication(report, announcement.audience, inputs), api if token is not None else None, outlets
        )
    if url:
        _write_outputs(context.output, {"comment-url": url})


def _places(workspace: Path, run_directory: str) -> dict[str, str]:
    """The outputs that name files; one that is not there, as after a cancellation, is not named."""
    there = workspace / run_directory
    named = {"run-dir": (run_directory, there), "report": (f"{run_directory}/summary.md", there / "summary.md")}
    return {output: name for output, (name, path) in named.items() if run_directory and path.exists()}


def announce_cancellation(
    announcement: Callable[[], Announcement], inputs: ActionInputs, context: ActionContext
) -> None:
    """As `announce`, for a run that the runner is about to end: what is not written and published in time is left."""
    # Requests have time limits of their own, but a slow name server or an answer that comes byte by byte outlasts them.
    teller = threading.Thread(target=lambda: announce(announcement(), inputs, context, bounds=HURRIED), daemon=True)
    teller.start()
    teller.join(_LONGEST_FAREWELL_S)
    if teller.is_alive():
        message = "GitHub took too long for a cancelled run: the comment may still show the run before."
        send_commands([annotation_line(Annotation("warning", message, "raggate"))])


def _summary_writer(path: Path | None) -> Callable[[str], None]:
    def write(text: str) -> None:
        if path is not None:
            append_summary(path, text)

    return write


def _write_outputs(path: Path | None, outputs: dict[str, str]) -> None:
    if path is None:
        return
    try:
        write_outputs(path, outputs, delimiter=f"raggate-{uuid4().hex}")
    except (OSError, ValueError) as error:
        send_commands([annotation_line(Annotation("warning", f"The outputs could not be written: {error}"))])


def run_outputs(reporting: Reporting) -> dict[str, str]:
    """The outputs that a run itself has; its place and what was published are added later.

    Returns:
        Values by output name. What was not measured is an empty text, never a zero.
    """
    comparison, result = reporting.comparison, action_result(reporting)
    return {
        "decision": result.decision,
        "result": result.model_dump_json(),
        "baseline-sha": (comparison.baseline_git_sha or "") if comparison is not None else "",
        "judge-cost": _judge_cost(reporting.run.judging),
    }


def action_result(reporting: Reporting) -> ActionResult:
    """The run in numbers; of an app that gave no answer at all nothing is said against the baseline, and no rate."""
    run, counts = reporting.run, reporting.run.counts
    moved = reporting.comparison if not reporting.has_no_result else None
    scored = counts.passed + counts.failed
    rate = percent(counts.passed, scored) if scored and not reporting.has_no_result else None
    return ActionResult(
        decision=run.decision.kind,
        enforced=run.decision.enforced,
        complete=run.complete and not run.cancelled,
        counts=counts,
        unmeasured=run.unmeasured,
        pass_rate=float(rate.removesuffix(" %")) if rate is not None else None,
        compared=moved.compared if moved is not None else None,
        regressions=moved.regressed if moved is not None else None,
        fixed=moved.total("fixed") if moved is not None else None,
        new_hallucinations=moved.of("hallucination_rate").new if moved is not None else None,
        stages={stage.stage: stage.cases for stage in run.stages},
        gates=tuple([_gate_result(gate) for gate in run.gates]),
    )


def _gate_result(gate: RunGate) -> GateResult:
    return GateResult(**{name: value for name, value in gate if name in GateResult.model_fields})


def _judge_cost(judging: JudgingCounts | None) -> str:
    """Dollars for judges; empty where a judge without a price was called. The app's cost is not in it."""
    if judging is None:
        return "0"
    return "" if judging.unpriced else f"{judging.cost_usd:.6f}".rstrip("0").rstrip(".")
