from __future__ import annotations

import asyncio
import os
import shlex
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from raggate_action.isolation.child_user import ChildUser, isolated_children
from raggate_action.schema.target import CommandTarget
from raggate_action.targets.child_program import start_program
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.target_factory import build_target
from tests.integration.asking import answer, ask_all, eventually, is_running, numbered

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; the container tests do too"
)
ACTION = {"GITHUB_ACTIONS": "true", "PATH": "/usr/bin:/bin"}


@pytest.fixture
def child_user() -> Iterator[ChildUser]:
    with isolated_children(ACTION) as isolation:
        assert isolation.child_user is not None
        yield isolation.child_user


def said_by(script: str, child_user: ChildUser | None, directory: Path) -> str:
    """What a shell script of the suite's says of itself."""
    program = f'read -r line; said=$({script}); printf \'{{"answer": "%s"}}\\n\' "$said"'
    section = CommandTarget(kind="command", command=("sh", "-c", program))
    surroundings = Surroundings(directory, ACTION, child_user)
    target = build_target(section, surroundings, seed=0, known=lambda _case_id: True)
    return answer(ask_all(target, numbered(1))["q0"])


@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param("id -u; id -G", "65532 65532", id="another user without groups"),
        pytest.param("grep -h CapEff /proc/self/status", "CapEff: 0000000000000000", id="without rights"),
        pytest.param('echo x >"$HOME/x" && cat "$HOME/x"', "x", id="with a home it may write to"),
        pytest.param('test "$TMPDIR" = "$HOME" && echo same', "same", id="where its temporary files go as well"),
        pytest.param("cat /proc/$PPID/environ 2>&1 >/dev/null | grep -o denied", "denied", id="blind to our secrets"),
    ],
)
def test_a_program_runs_as(script: str, said: str, child_user: ChildUser, tmp_path: Path) -> None:
    # In JSON there is no raw line break.
    assert said_by(f"{{ {script}; }} | xargs", child_user, tmp_path) == said


def test_a_program_runs_as_ourselves_unless_told_otherwise(tmp_path: Path) -> None:
    assert said_by("id -u", None, tmp_path) == "0"


def test_another_users_program_is_ended_with_what_it_started(child_user: ChildUser, tmp_path: Path) -> None:
    script = "trap '' TERM; sleep 600 & echo $$ $!; wait"

    async def run() -> list[int]:
        program = await start_program(
            ("sh", "-c", script), directory=tmp_path, environment=ACTION, child_user=child_user, grace_s=0.2
        )
        pids = [int(pid) for pid in (await program.next_line()).split()]
        await program.stop()
        return pids

    pids = asyncio.run(run())
    assert len(pids) == 2
    assert eventually(lambda: not any(is_running(pid) for pid in pids))


def runner(tmp_path: Path) -> dict[str, str]:
    """The directories of a runner, as it makes them."""
    for name in ("temp", "temp/file_commands", "temp/home", "workspace"):
        (tmp_path / name).mkdir(mode=0o755)
    commands = tmp_path / "temp/file_commands"
    names = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY")
    return {
        **ACTION,
        **{name: str(commands / name.lower()) for name in names},
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "HOME": str(tmp_path / "temp/home"),
        "GITHUB_WORKSPACE": str(tmp_path / "workspace"),
    }


def modes(tmp_path: Path) -> dict[str, int]:
    return {
        str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode)
        for path in sorted(tmp_path.rglob("*"))
        if path.is_dir()
    }


def test_the_runners_directories_are_closed_meanwhile_and_opened_again(tmp_path: Path) -> None:
    environment = runner(tmp_path)
    before = modes(tmp_path)
    with pytest.raises(KeyboardInterrupt), isolated_children(environment) as isolation:  # noqa: PT012
        meanwhile = modes(tmp_path)
        home = isolation.child_user.home if isolation.child_user else None
        raise KeyboardInterrupt
    assert meanwhile == {"temp": 0o700, "temp/file_commands": 0o700, "temp/home": 0o700, "workspace": 0o755}
    assert modes(tmp_path) == before
    assert home is not None
    assert not home.exists()


def test_a_file_of_a_closed_directory_is_out_of_reach(child_user: ChildUser) -> None:
    # Not below pytest's own directory, which others may not enter anyway.
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        environment = runner(Path(directory))
        output = Path(environment["GITHUB_OUTPUT"])
        output.touch()
        output.chmod(0o666)
        script = f"echo decision=release 2>/dev/null >>{shlex.quote(str(output))} && echo done || echo refused"
        assert said_by(script, child_user, Path(directory)) == "done"
        with isolated_children(environment):
            assert said_by(script, child_user, Path(directory)) == "refused"
        assert output.read_text() == "decision=release\n"


@pytest.mark.parametrize(
    ("changed", "warned"),
    [
        pytest.param({}, "", id="an ordinary runner"),
        pytest.param(
            {"GITHUB_WORKSPACE": "temp"}, "look into {}/temp,", id="the checkout lies in a runner's directory"
        ),
        pytest.param({"RUNNER_TEMP": "shared"}, "look into {}/shared,", id="a directory meant for everyone"),
        pytest.param({"GITHUB_WORKSPACE": "secret"}, "cannot enter {}/secret;", id="a checkout others may not enter"),
        pytest.param({"RUNNER_TEMP": "gone"}, "", id="a directory that is not there"),
    ],
)
def test_what_stays_open_is_told(changed: dict[str, str], warned: str, tmp_path: Path) -> None:
    environment = runner(tmp_path)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    (tmp_path / "secret").mkdir(mode=0o700)
    before = modes(tmp_path)
    with isolated_children(environment | {name: str(tmp_path / path) for name, path in changed.items()}) as isolation:
        warnings = isolation.warnings
    assert len(warnings) == bool(warned)
    assert all(warned.format(tmp_path) in warning for warning in warnings)
    assert modes(tmp_path) == before


def test_elsewhere_nothing_is_changed(tmp_path: Path) -> None:
    environment = runner(tmp_path) | {"GITHUB_ACTIONS": ""}
    before = modes(tmp_path)
    with isolated_children(environment) as isolation:
        assert isolation.child_user is None
        assert isolation.warnings == ()
        assert modes(tmp_path) == before
