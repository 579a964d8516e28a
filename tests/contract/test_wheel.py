"""What is found by looking into folders is found however raggate was installed: from a checkout and from a real wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from raggate_action.core.text.languages.language_rules import KNOWN
from tests.installed import FOUND

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as an index would serve it, unpacked; made by the build backend that pyproject.toml names."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def found_in(path: Path) -> str:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(path)!r})\n{FOUND}"]
    return subprocess.run(command, cwd=path, check=True, capture_output=True, text=True).stdout


def test_a_wheel_has_every_language_and_template(wheel: Path) -> None:
    languages, package, templates = found_in(wheel).splitlines()
    assert languages == " ".join(KNOWN)
    assert {"en", "de"} <= set(KNOWN)
    assert Path(package) == wheel / "raggate_action"
    assert templates.split() == sorted(path.name for path in (ROOT / "templates").rglob("*.j2"))


def test_a_checkout_has_them_too() -> None:
    languages, package, templates = found_in(ROOT).splitlines()
    assert (languages, Path(package)) == (" ".join(KNOWN), ROOT / "raggate_action")
    assert "release-gate.yml.j2" in templates.split()


def test_a_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    def files(root: Path) -> set[str]:
        kinds = {".py", ".j2", ".typed", ".js", ".css"}
        return {str(path.relative_to(root)) for path in root.rglob("*") if path.suffix in kinds}

    assert files(wheel / "raggate_action") == files(ROOT / "raggate_action") | {
        f"templates/{name}" for name in files(ROOT / "templates")
    }


def test_a_wheel_has_the_script_and_the_style_of_the_report_page(wheel: Path) -> None:
    for name in ("report.js", "report.css"):
        written = (wheel / "raggate_action/templates/report" / name).read_text()
        assert written == (ROOT / "templates/report" / name).read_text()
        assert len(written) > 1_000
