"""What a hostile app gets hold of inside the action's container: nothing. SECURITY.md names these tests."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.container.action_container import SECRET, ActionContainer
from tests.integration.asking import eventually

PROBE = (Path(__file__).parent / "probe.py").read_text()
TARGETS = {
    "command": "{kind: command, command: [python3, probe.py]}",
    "function": "{kind: function, function: 'probe:answer'}",
}
# All that a program of the suite may learn of a job.
PLAIN = {"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE"}


def suite(target: str) -> str:
    return f"suite: walls\ntarget: {target}\ncases: [cases.yaml]\n"


def cases(*case_ids: str, more: str = "") -> str:
    return "".join(f"- {{case_id: {case_id}, question: What can you reach?{more}}}\n" for case_id in case_ids)


def rows(container: ActionContainer) -> dict[str, Any]:
    lines = (container.workspace / "raggate-run/cases.jsonl").read_text().splitlines()
    return {row["case_id"]: row for row in map(json.loads, lines)}


def answers(container: ActionContainer) -> dict[str, Any]:
    lines = (container.workspace / "raggate-run/traces.jsonl").read_text().splitlines()
    traces = {trace["case_id"]: trace for trace in map(json.loads, lines)}
    return {case_id: json.loads(trace["answer"]) for case_id, trace in traces.items()}


@pytest.mark.parametrize("kind", TARGETS)
def test_f11_an_app_reaches_nothing_of_ours(kind: str, container: ActionContainer) -> None:
    container.checkout({"probe.py": PROBE, "raggate.yaml": suite(TARGETS[kind]), "cases.yaml": cases("walls")})
    step = container.run()
    assert answers(container)["walls"] == [], step.log


@pytest.mark.parametrize("kind", TARGETS)
def test_f11_an_app_learns_nothing_of_the_job_from_its_environment(kind: str, container: ActionContainer) -> None:
    container.checkout({"probe.py": PROBE, "raggate.yaml": suite(TARGETS[kind]), "cases.yaml": cases("environment")})
    step = container.run()
    environment = answers(container)["environment"]
    assert set(environment) <= PLAIN, step.log
    assert environment["HOME"].startswith("/tmp/")  # noqa: S108
    assert environment["TMPDIR"] == environment["HOME"]


@pytest.mark.parametrize("name", ["ACTIONS_RUNTIME_TOKEN", "INPUT_GITHUB-TOKEN"])
def test_f11_a_suite_cannot_hand_our_tokens_to_its_app(name: str, container: ActionContainer) -> None:
    target = f"{{kind: command, command: [python3, probe.py], env: {{GIFT: '${{{name}}}'}}}}"
    container.checkout({"probe.py": PROBE, "raggate.yaml": suite(target), "cases.yaml": cases("walls")})
    step = container.run()
    assert step.code == 2, step.log
    assert f"`${{{name}}}` belongs to the workflow's runner" in step.log
    assert SECRET not in step.log.replace(f"::add-mask::ghs_{SECRET}", "")


def test_f11_a_check_reaches_nothing_of_ours(container: ActionContainer) -> None:
    trace = '{"case_id": "walls", "answer": "Nothing.", "context": [{"chunk_id": "c1", "text": "Nothing."}]}\n'
    container.checkout(
        {
            "probe.py": PROBE,
            "traces.jsonl": trace,
            "raggate.yaml": suite("{kind: recorded, traces: traces.jsonl}"),
            "cases.yaml": cases("walls", more=", custom_check: 'probe:check'"),
        }
    )
    step = container.run()
    assert rows(container)["walls"]["outcomes"]["behaviour"]["kind"] == "passed", step.log


def test_f11_the_probe_reaches_everything_as_root(container: ActionContainer) -> None:
    container.checkout({"probe.py": PROBE})
    step = container.start(entrypoint=["python3", "probe.py", "--once"]).end()
    reached = json.loads(step.stdout)
    kinds = ["own environment", "/proc/1/environ", "memory", "open files", "file_commands", "runner_temp", "home"]
    kinds += ["set_output for writing", "step_summary for reading", "Docker socket", "root", "setuid", "capabilities"]
    missing = [kind for kind in kinds if not any(kind in item for item in reached)]
    assert not missing, step.log


def test_f11_our_own_environment_shows_no_secret(container: ActionContainer) -> None:
    container.checkout({"raggate.yaml": suite("{kind: command, command: [sleep, '600']}"), "cases.yaml": cases("slow")})
    running = container.start()
    try:
        # Shown to root beside the action, who may read it: the new start has left the secrets behind.
        assert eventually(lambda: "RAGGATE_ENVIRONMENT_FD" in running.inside("cat", "/proc/1/environ"), within_s=60)
        shown = running.inside("cat", "/proc/1/environ")
        # What was handed over is let go of once it is read.
        assert eventually(lambda: "memfd" not in running.inside("ls", "-l", "/proc/1/fd"), within_s=60)
    finally:
        running.kill()
    assert "HOME=/github/home" in shown
    assert SECRET not in shown


def test_an_open_docker_socket_is_told(image: str, tmp_path: Path) -> None:
    path = tmp_path / "docker.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        path.chmod(0o666)
        container = ActionContainer(image, tmp_path / "machine", docker_socket=path)
        container.checkout({"probe.py": PROBE, "raggate.yaml": suite(TARGETS["command"]), "cases.yaml": cases("walls")})
        step = container.run()
        container.give_back()
    assert "/var/run/docker.sock is open to everyone" in step.stdout, step.log
    assert answers(container)["walls"] == ["the Docker socket"]


def test_the_runners_folders_are_left_as_they_were(container: ActionContainer) -> None:
    container.checkout({"probe.py": PROBE, "raggate.yaml": suite(TARGETS["command"]), "cases.yaml": cases("walls")})
    before = container.modes()
    container.run()
    assert container.modes() == before


def test_b3_what_we_write_belongs_to_the_checkouts_owner(container: ActionContainer) -> None:
    container.checkout({"probe.py": PROBE, "raggate.yaml": suite(TARGETS["command"]), "cases.yaml": cases("walls")})
    container.run()
    written = [container.workspace / "raggate-run", *(container.workspace / "raggate-run").iterdir()]
    assert len(written) > 3
    assert {path.stat().st_uid for path in written} == {container.workspace.stat().st_uid}


def test_a_checkout_that_others_may_not_enter_is_told(container: ActionContainer) -> None:
    container.checkout({"probe.py": PROBE, "raggate.yaml": suite(TARGETS["command"]), "cases.yaml": cases("walls")})
    container.workspace.chmod(0o700)
    step = container.run()
    assert "cannot enter /github/workspace; let others read the checkout" in step.stdout, step.log
    assert step.code == 3
