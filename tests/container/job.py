"""A job of a fake GitHub's workflow that runs the real image: the event, the environment, and what a run leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from raggate_action.action.app_reachability import gateway_of
from tests.container.action_container import ActionContainer, RunningStep
from tests.event_payloads.events import Event
from tests.event_payloads.runner import Job, runner_environment
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.state import WorkflowRun

EVIDENCE = {
    "returns": "Parcels can be returned within 30 days of delivery.",
    "shipping": "Parcels are shipped within two working days.",
    "gifts": "Gift cards cannot be exchanged for money.",
}


def suite_files(**answers: str) -> dict[str, str]:
    """A suite of three cases with recorded traces; an answer is its chunk's text unless another is given here."""
    traces = [
        {"case_id": name, "answer": answers.get(name, text), "context": [name], "latency_ms": 100}
        for name, text in EVIDENCE.items()
    ]
    chunks = [{"chunk_id": name, "text": text} for name, text in EVIDENCE.items()]
    cases = [{"case_id": name, "question": f"What about {name}?", "must_not_contain": ["60 days"]} for name in EVIDENCE]
    return {
        "raggate.yaml": (
            "suite: shop\nevidence: [evidence.jsonl]\ncases: [cases.jsonl]\n"
            "target: {kind: recorded, traces: traces.jsonl}\nslices: {min_cases: 1}\n"
        ),
        "evidence.jsonl": _lines(chunks),
        "cases.jsonl": _lines(cases),
        "traces.jsonl": _lines(traces),
    }


@contextmanager
def github_for(container: ActionContainer) -> Iterator[FakeGitHub]:
    """A GitHub on this machine, under the address by which containers reach it."""
    routes = container.start(entrypoint=["cat", "/proc/net/route"]).end().stdout
    host = gateway_of(routes)
    assert host is not None, "the container has no network"
    with FakeGitHub(bind="0.0.0.0", host=host, blob_host=host) as github:  # noqa: S104
        yield github


def start(
    container: ActionContainer,
    github: FakeGitHub,
    event: Event,
    run: WorkflowRun,
    *,
    token: str,
    inputs: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
) -> RunningStep:
    """Start the action as the runner does for a run of this event."""
    told = runner_environment(
        github,
        event,
        container.folder,
        inputs={"github-token": token, **(inputs or {})},
        job=Job(run_id=run.id, run_attempt=run.attempt, workflow=run.path),
        mount="/github",
    )
    return container.start(env={**told, **(env or {})})


def upload(
    github: FakeGitHub, run: WorkflowRun, directory: Path, name: str = "raggate-shop", *, at: datetime | None = None
) -> None:
    """Store a run directory as `actions/upload-artifact` does; `at` is by the clock of GitHub unless it is given."""
    files = {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    github.artifact(run, name, files, at=at)


def _lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)
