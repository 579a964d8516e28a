"""A blind comparison: the menu app without and with a tool, four judges that know of no arms; and the same once more.

Everything is real but the models: both arms and the four scripted judges are processes of their own on free ports,
asked over HTTP. No key is needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from examples.demo import MENU, RELEASE, ROOT, running_app
from examples.judge_demo import JUDGES, calls_of, judged, running_judges, shown

DEMO = ROOT / "panel-demo"
# The arms differ in this and in nothing else.
TOOL = "harness:directives"
# Where the suite expects the judges.
_PORT = "8091"
_RUNS = ("first", "second", "third")
# Two arms differ on eight of ten questions; four judges, both orders; and 40 planted pairs for each judge, once.
_CALLS = (224, 1, 0)
_SHOWN = ("What is found", "Where the control held", "By judge", "By dimension")


def main() -> int:
    """Compare three times and leave `panel-demo/` behind; 0 when each ended as it must."""
    shutil.rmtree(DEMO, ignore_errors=True)
    with (
        running_judges() as judges,
        running_app("helpful") as control,
        running_app("helpful", "--tool", TOOL) as treatment,
    ):
        suite = copied_suite(judges)
        ports = {"MENU_CONTROL_PORT": str(control), "MENU_TREATMENT_PORT": str(treatment)}
        print("1. Ten questions that tempt an app to invent, to the app as it is and to the same app with a tool.")
        codes = [compared(suite, "first", ports)]
        print("\n2. The same once more: the call that was lost is made again, and no other.")
        codes.append(compared(suite, "second", ports, after="first"))
        print("\n3. And once more: nothing is left to ask.")
        codes.append(compared(suite, "third", ports, after="second"))
    print("\nWhat a reviewer reads of the first, from panel-demo/first/findings.md:\n")
    print(sections((DEMO / "first" / "findings.md").read_text()))
    print("What judging came to:")
    for name in _RUNS:
        print(f"  {name:<6} {judged(DEMO / name)}")
    calls = tuple(calls_of(DEMO / name) for name in _RUNS)
    if codes == [RELEASE] * len(_RUNS) and calls == _CALLS:
        print("As it must be: one call lost, that call alone made again, then none.")
        return 0
    print(f"Not as it must be: exit codes {codes}, {calls} calls, expected {_CALLS}.")
    return 1


def copied_suite(port: int) -> Path:
    """The suite beside the files it names, with the judges where they listen; examples stay as they are."""
    for folder, names in ((MENU, ("menu.jsonl", "cases.yaml")), (JUDGES, ("panel.yaml",))):
        (DEMO / folder.name).mkdir(parents=True)
        for name in names:
            shutil.copy(folder / name, DEMO / folder.name)
    suite = DEMO / JUDGES.name / "panel.yaml"
    suite.write_text(suite.read_text().replace(f":{_PORT}/", f":{port}/"))
    return suite


def compared(suite: Path, out: str, ports: Mapping[str, str], *, after: str | None = None) -> int:
    """Compare both arms, with what judges have said in an earlier directory; returns the exit code."""
    if after is not None:
        shutil.copytree(DEMO / after, DEMO / out)
    command = [sys.executable, "-m", "raggate_action", "ab", shown(suite), "--out", shown(DEMO / out)]
    return subprocess.run(command, env={**os.environ, **ports}, check=False).returncode


def sections(findings: str) -> str:
    """Some sections of the findings, as they stand there."""
    found = [part for part in findings.split("\n## ") if part.partition("\n")[0] in _SHOWN]
    return "\n".join(f"## {part.rstrip()}\n" for part in found)


if __name__ == "__main__":
    sys.exit(main())
