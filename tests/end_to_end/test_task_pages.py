"""The pages by task: their commands are typed, their output printed again, their figures looked up."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
from pathlib import Path

from tests.command_line import raggate
from tests.end_to_end.test_readme import SupportApp, samples, served, typed_commands

DOCS = Path(__file__).parents[2] / "docs"
VARYING = (DOCS / "varying-answers.md").read_text()


class StumblingApp(SupportApp):
    """Answers right, but fails the second time that it is asked about parcels."""

    about_parcels = 0

    def do_POST(self) -> None:  # noqa: N802  the base class names it so
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        StumblingApp.about_parcels += b"parcel" in body
        if b"parcel" in body and StumblingApp.about_parcels == 2:
            self.send_response(400)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.rfile = io.BytesIO(body)
            super().do_POST()


def typed(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return raggate(*shlex.split(command)[1:], cwd=folder)


def printed(page: str, what: str) -> str:
    found = re.search(rf"<!-- output: {what} -->\n```text\n(.*?)```", page, re.DOTALL)
    assert found is not None, what
    return found[1]


def test_an_app_that_stumbles_once_is_told_as_the_page_on_varying_answers_says(tmp_path: Path) -> None:
    StumblingApp.about_parcels = 0
    base, head, explain = typed_commands(VARYING)
    with served(StumblingApp) as port:
        for name, text in samples().items():
            (tmp_path / name).write_text(text.replace("localhost:8080", f"127.0.0.1:{port}"))
        assert typed(base, tmp_path).returncode == 0
        done = typed(head, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed(VARYING, "a flaky case")
    told = typed(explain, tmp_path)
    assert told.stdout.startswith("refund-window: FLAKY\n")


def test_the_figures_shown_are_those_of_the_noise_bench() -> None:
    shown = VARYING.split("<!-- figures of the noise bench -->\n")[1].split("\n\n")[0].splitlines()
    measured = (DOCS.parent / "dev/notes/performance.md").read_text().splitlines()
    assert len(shown) > 5
    assert not [row for row in shown if row not in measured]
