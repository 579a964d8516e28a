"""After the decision: the run's page and its directory are stored as artifacts. None of it decides.

The page is stored first, so that the comment, which is stored with the directory, leads to it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Final, Literal, NamedTuple, TypeVar

from raggate_action.action.workflow_job import WorkflowJob
from raggate_action.errors import RaggateError
from raggate_action.github.archive import write_zip
from raggate_action.github.artifact_upload import (
    ArtifactService,
    ServiceAccess,
    StoredArtifact,
    StoringError,
    TakenNameError,
)
from raggate_action.github.workflow_commands import Annotation, annotation_line, send_commands
from raggate_action.github.workflow_context import ActionContext
from raggate_action.report.escape import log_line
from raggate_action.run.count_and_decide import RunReport
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.run.report_page_file import with_page_address
from raggate_action.run_store import DirectoryFiles
from raggate_action.run_store.run_files import REPORT
from raggate_action.run_store.stored_files import read_beginning

PAGE_SUFFIX: Final = ".html"
_HTML: Final = "text/html"
UPLOAD_STEP: Final = "actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0"
# The last that works with GitHub Enterprise Server.
_ENTERPRISE_STEP: Final = "actions/upload-artifact@v3"
_PAGE_S, _RUN_S = 60.0, 120.0
_LARGEST_WORKFLOW = 1024 * 1024
# Hosts that have the service; anywhere else it is an Enterprise Server, which has none.
_HAS_SERVICE = re.compile(r"https?://(github\.com|[^/]+\.ghe\.com)(:\d+)?", re.IGNORECASE)
OwnStep = Literal["none", "adds", "replaces"]
Made = TypeVar("Made")


class Storage(NamedTuple):
    """What became of a run's artifacts.

    Attributes:
        report: The run; its texts lead to its page where that is stored.
        outputs: The action's outputs that speak of artifacts, by name.
        is_missing: The run directory was to be stored, and is not.
    """

    report: RunReport
    outputs: Mapping[str, str] = {}
    is_missing: bool = False


def page_name(artifact: str) -> str:
    """What the page of the run that is stored under a name is called; a run's own name has no dot."""
    return f"{artifact}{PAGE_SUFFIX}"


def artifact_address(context: ActionContext, artifact_id: int) -> str:
    """Where people open an artifact of this workflow run; GitHub shows a page, and downloads a zip."""
    return f"{context.server_url}/{context.repository}/actions/runs/{context.run_id}/artifacts/{artifact_id}"


def store_run(done: RunReport, name: str, job: WorkflowJob) -> Storage:
    """Store page and directory of a decided run. What cannot be stored is one warning with the step to add.

    Args:
        done: The run, which lies in its directory.
        name: What the directory is stored under.
        job: The workflow job.
    """
    if job.inputs.upload == "off":
        return Storage(done)
    step = step_of_its_own(job, name)
    service = _tried(lambda: _service(job.access))
    if isinstance(service, StoringError):
        return _missing(done, service, name, job, step)
    page = _tried(lambda: store_page(service, name, job.out / REPORT))
    report, outputs = done, dict[str, str]()
    if isinstance(page, StoredArtifact):
        address = artifact_address(job.context, page.artifact_id)
        led = _tried(lambda: with_page_address(job.out, done.reporting, address))
        if isinstance(led, RunReport):
            report, outputs = led, {"report-url": address}
            say([f"raggate: the report opens at {log_line(address)}"])
    if step == "adds" and job.inputs.upload == "auto":
        say([f"raggate: {name} is left to the workflow's own step: delete the step, and raggate stores it"])
        return Storage(report, outputs)
    if isinstance(page, StoringError):
        # The service has just been asked for long enough.
        service.tries = 1
    stored = _tried(lambda: _store_directory(service, name, job.out))
    if isinstance(stored, StoringError):
        return _missing(report, stored, name, job, step)._replace(outputs=outputs)
    if isinstance(page, StoringError):
        _warn(f"The report has no page ({page}). It is {REPORT} in the artifact {name}.")
    _tell(stored, step)
    return Storage(report, outputs)


def store_page(service: ArtifactService, name: str, path: Path) -> StoredArtifact:
    """Store a page for a browser to open.

    Args:
        service: The artifact service.
        name: What its run is stored under.
        path: The page.

    Raises:
        StoringError: It is not stored.
    """
    if path.is_symlink() or not path.is_file():
        raise StoringError(f"{REPORT} was not written")
    with path.open("rb") as file:
        return service.store(page_name(name), file, _HTML, deadline_s=_PAGE_S)


def store_made_page(
    access: ServiceAccess | None, name: str, write: Callable[[Path], object], context: ActionContext
) -> str:
    """Make a page and store it; where that fails, the comment goes without it, and the log says why.

    Args:
        access: The runner's artifact service.
        name: What its run is stored under.
        write: Writes the page into a file.
        context: Where we run.

    Returns:
        Where the page opens; empty where it does not.
    """

    def stored() -> StoredArtifact:
        service = _service(access)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / REPORT
            write(path)
            return store_page(service, name, path)

    page = _tried(stored)
    if isinstance(page, StoringError):
        _warn(f"The report of {name} has no page: {page}.")
        return ""
    return artifact_address(context, page.artifact_id)


def _store_directory(service: ArtifactService, name: str, directory: Path) -> StoredArtifact:
    with tempfile.TemporaryFile() as file:
        packed: IO[bytes] = file
        write_zip(directory, packed)
        return service.store(name, packed, deadline_s=_RUN_S)


def _service(access: ServiceAccess | None) -> ArtifactService:
    if access is None:
        raise StoringError("the runner gives this step no artifact service")
    return ArtifactService(access)


def _tried(act: Callable[[], Made]) -> Made | StoringError:
    """What `act` makes; whatever goes wrong with it is a fault of storing alone, for the run is decided."""
    try:
        return act()
    except StoringError as fault:
        return fault
    except (RaggateError, OSError) as error:
        return StoringError(str(error))
    except Exception as error:  # noqa: BLE001 - no artifact is worth a decision
        return StoringError(f"a fault in raggate, {type(error).__name__}; please report it")


def step_of_its_own(job: WorkflowJob, name: str) -> OwnStep:
    """Whether the workflow has a step that uploads the run directory too, and whether that replaces what is there.

    Looked for in the text of the workflow's file; one that cannot be read has none.
    """
    path = job.context.workspace / job.context.workflow
    try:
        # The checkout may be a stranger's: what is no plain file is not waited for.
        text = read_beginning(DirectoryFiles(path.parent), path.name, _LARGEST_WORKFLOW) or b""
    except RaggateError:
        return "none"
    bare = re.sub(r"(?m)(^|\s)#.*$", "", text.decode(errors="replace"))
    wanted = (name, job.run_directory, "outputs.artifact-name", "outputs.run-dir")
    for entry in re.split(r"(?m)^\s*-\s", bare):
        if "actions/upload-artifact@" in entry and any(each in entry for each in wanted):
            return "replaces" if re.search(r"overwrite:\s*true", entry) else "adds"
    return "none"


def _tell(stored: StoredArtifact, step: OwnStep) -> None:
    say([f"raggate: the run directory is stored as {log_line(stored.name)}"])
    if stored.replaced:
        say(["raggate: it replaces one that this job had stored before: the step that stored that can go"])
    if step == "replaces":
        say(["raggate: the workflow's own step that uploads the run directory can go"])


def _missing(done: RunReport, why: StoringError, name: str, job: WorkflowJob, step: OwnStep) -> Storage:
    is_left = step != "none" and job.inputs.upload == "auto"
    if is_left:
        say([f"raggate: {log_line(str(why))}: {log_line(name)} is left to the workflow's own step"])
        return Storage(done)
    if isinstance(why, TakenNameError):
        way_out = "Give each job a name by the input `instance`, or an `artifact-name` of its own."
    elif _HAS_SERVICE.fullmatch(job.context.server_url):
        way_out = _to_add(name, job, UPLOAD_STEP, ", overwrite: true")
    else:
        way_out = f"GitHub Enterprise Server has no such service. {_to_add(name, job, _ENTERPRISE_STEP)}"
    _warn(f"The run directory is not stored: {why}. No later run can compare with it. {way_out}")
    return Storage(done, is_missing=True)


def _to_add(name: str, job: WorkflowJob, step: str, more: str = "") -> str:
    return (
        "To store it by a step, add behind this one:\n"
        f"- if: always()\n  uses: {step}\n  with: {{name: {name}, path: {job.run_directory}/{more}}}"
    )


def _warn(message: str) -> None:
    send_commands([annotation_line(Annotation("warning", message, "raggate"))])
