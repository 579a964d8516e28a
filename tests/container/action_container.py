"""The action's image, started as a runner starts it: its mounts, its environment, its working directory, as root.

After actions/runner, `ContainerActionHandler.cs` and `DockerCommandManager.cs`. Docker is the real one.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.event_payloads.runner import FILES, FOLDERS

# GitHub's hosted runners run as this user; files of a checkout are its.
RUNNER = (1001, 121)
# Everything that may not be seen by the app says so.
SECRET = "s3cret"  # noqa: S105
DOCKER_SOCKET = Path("/var/run/docker.sock")
_DOCKER = shutil.which("docker") or "docker"
_RUNNER_ENVIRONMENT = {
    "GITHUB_ACTIONS": "true",
    "CI": "true",
    "HOME": "/github/home",
    "RUNNER_TEMP": "/github/runner_temp",
    "RUNNER_OS": "Linux",
    "GITHUB_WORKSPACE": "/github/workspace",
    "GITHUB_EVENT_PATH": "/github/workflow/event.json",
    # Started by hand, nobody to tell, nothing to compare with.
    "GITHUB_EVENT_NAME": "workflow_dispatch",
    "GITHUB_REPOSITORY": "octo/menu",
    "GITHUB_REPOSITORY_ID": "11",
    "GITHUB_REF": "refs/heads/main",
    "GITHUB_SHA": "1" * 40,
    "GITHUB_RUN_ID": "501",
    "GITHUB_RUN_ATTEMPT": "1",
    "GITHUB_SERVER_URL": "https://github.test",
    "GITHUB_API_URL": "http://127.0.0.1:9",
    "GITHUB_GRAPHQL_URL": "http://127.0.0.1:9/graphql",
    "INPUT_BASELINE": "none",
    # What a job holds that its app may not have.
    "INPUT_GITHUB-TOKEN": f"ghs_{SECRET}",
    "ACTIONS_RUNTIME_TOKEN": f"runtime-{SECRET}",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN": f"id-{SECRET}",
    "OPENAI_API_KEY": f"sk-{SECRET}",
    "DATABASE_PASSWORD": SECRET,
}
# Longer than any step here takes, so that nothing hangs for ever.
_HANG_S = 180


class Step(NamedTuple):
    """A step that has ended: exit code, both streams, outputs by name, the job summary."""

    code: int
    stdout: str
    stderr: str
    outputs: dict[str, str]
    summary: str

    @property
    def log(self) -> str:
        """What a reader of the step's log sees, and what an assertion shows."""
        return f"exit code {self.code}\n{self.stdout}\n{self.stderr}"


class RunningStep(NamedTuple):
    """A step under way: the `docker run` process that the runner would signal, and how to see its end."""

    process: subprocess.Popen[str]
    name: str
    commands: Path

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> None:
        """Cancel, by the signal that the runner sends first unless another is named."""
        self.process.send_signal(number)

    def inside(self, *command: str) -> str:
        """What a command says that root runs beside the step; empty as long as there is none."""
        command_line = [_DOCKER, "exec", self.name, *command]
        return subprocess.run(command_line, capture_output=True, text=True, timeout=_HANG_S, check=False).stdout

    def kill(self) -> None:
        """End it at once."""
        subprocess.run([_DOCKER, "kill", self.name], capture_output=True, check=False)
        self.process.communicate(timeout=_HANG_S)

    def end(self, *, within_s: float = _HANG_S) -> Step:
        """Wait for its end."""
        try:
            stdout, stderr = self.process.communicate(timeout=within_s)
        finally:
            subprocess.run([_DOCKER, "rm", "--force", self.name], capture_output=True, check=False)
        outputs = _outputs((self.commands / "set_output").read_text())
        return Step(self.process.returncode, stdout, stderr, outputs, (self.commands / "step_summary").read_text())


class ActionContainer:
    """A job on a runner's machine, of which raggate's action is a step. Folders live on between steps."""

    def __init__(self, image: str, folder: Path, *, docker_socket: Path = DOCKER_SOCKET) -> None:
        self.image = image
        self.folder = folder
        self._docker_socket = docker_socket
        for name in FOLDERS:
            (folder / name).mkdir(mode=0o755, parents=True)
            if os.geteuid() == 0:
                os.chown(folder / name, *RUNNER)

    @property
    def workspace(self) -> Path:
        """The checkout, as the machine sees it."""
        return self.folder / "workspace"

    def checkout(self, files: Mapping[str, str]) -> None:
        """Put files into the checkout, owned by the runner's user."""
        for name, content in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        if os.geteuid() == 0:
            for path in self.workspace.rglob("*"):
                os.lchown(path, *RUNNER)

    def run(
        self, *arguments: str, inputs: Mapping[str, str] | None = None, env: Mapping[str, str] | None = None
    ) -> Step:
        """Run a step to its end; without arguments, those action.yml gives."""
        return self.start(*arguments, inputs=inputs, env=env).end()

    def start(
        self,
        *arguments: str,
        inputs: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        entrypoint: Sequence[str] = (),
    ) -> RunningStep:
        """Start a step; `entrypoint` runs a program of the image instead of its own."""
        # The runner uses file names nobody can guess and fresh files for each step.
        commands = self.folder / "file_commands"
        for file in FILES.values():
            (commands / file).write_text("")
            if os.geteuid() == 0:
                os.chown(commands / file, *RUNNER)
        environment = {
            **_RUNNER_ENVIRONMENT,
            **{name: f"/github/file_commands/{file}" for name, file in FILES.items()},
            **{f"INPUT_{name.upper()}": value for name, value in (inputs or {}).items()},
            **(env or {}),
        }
        name = f"raggate-test-{uuid.uuid4().hex[:12]}"
        command = [_DOCKER, "run", "--name", name, "--label", "raggate-test", "--workdir", "/github/workspace", "--rm"]
        # By name only: the values stand in the environment of `docker`, not in its command line.
        command += [part for key in environment for part in ("-e", key)]
        command += ["--entrypoint", entrypoint[0]] if entrypoint else []
        command += ["-v", f"{self._docker_socket}:/var/run/docker.sock"]
        command += [part for folder in FOLDERS for part in ("-v", f"{self.folder / folder}:/github/{folder}")]
        process = subprocess.Popen(
            [*command, self.image, *entrypoint[1:], *arguments],
            env={key: os.environ[key] for key in ("DOCKER_HOST",) if key in os.environ} | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return RunningStep(process, name, commands)

    def modes(self) -> dict[str, int]:
        """The permission bits of the machine's folders."""
        return {name: stat.S_IMODE((self.folder / name).stat().st_mode) for name in FOLDERS}

    def give_back(self) -> None:
        """Let the machine's user remove what the container's root left in the folders."""
        if os.geteuid() != 0:
            program = ["chown", "--recursive", f"{os.geteuid()}:{os.getegid()}", "/github"]
            self.start(entrypoint=program).end()


def _outputs(text: str) -> dict[str, str]:
    """The outputs as the runner reads them, heredocs only."""
    found = re.findall(r"^([\w-]+)<<(\S+)\n(.*?)\n?^\2$", text, flags=re.DOTALL | re.MULTILINE)
    return {name: value for name, _delimiter, value in found}
