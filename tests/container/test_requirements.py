"""The input `requirements`: an environment of the app's own, made by the app's user."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tests.container.action_container import ActionContainer

WHEEL = "cook-1.0-py3-none-any.whl"
APP = """
import cook, importlib.util, os

def answer(case):
    where = os.stat(cook.__file__).st_uid
    return {"answer": f"{cook.soup()} by {where}, httpx: {importlib.util.find_spec('httpx')}", "context": []}
"""


def make_wheel(path: Path) -> None:
    files = {
        "cook.py": "def soup():\n    return 'Soup'\n",
        "cook-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: cook\nVersion: 1.0\n",
        "cook-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "cook-1.0.dist-info/RECORD": "",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def checkout(container: ActionContainer, requirements: str) -> None:
    make_wheel(container.workspace / WHEEL)
    container.checkout(
        {
            "app.py": APP,
            "requirements.txt": requirements,
            "raggate.yaml": "suite: soup\ntarget: {kind: function, function: 'app:answer'}\ncases: [cases.yaml]\n",
            "cases.yaml": "- {case_id: soup, question: What is there?}\n",
        }
    )


def test_requirements_are_installed_by_the_apps_user_for_the_app_alone(container: ActionContainer) -> None:
    checkout(container, f"./{WHEEL}\n")
    step = container.run(inputs={"requirements": "requirements.txt"})
    traces = container.workspace / "raggate-run/traces.jsonl"
    assert json.loads(traces.read_text())["answer"] == "Soup by 65532, httpx: None", step.log


def test_requirements_that_cannot_be_installed_are_told(container: ActionContainer) -> None:
    checkout(container, "./gone-1.0-py3-none-any.whl\n")
    step = container.run(inputs={"requirements": "requirements.txt"})
    assert step.code == 2, step.log
    assert "could not be installed" in step.log
