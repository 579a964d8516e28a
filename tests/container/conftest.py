from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.container.action_container import ActionContainer

IMAGE = os.environ.get("RAGGATE_IMAGE", "raggate")


@pytest.fixture(scope="session")
def image() -> str:
    """The image that `make test-container` builds; without a Docker Engine these tests fail, they do not pass by silence."""
    found = subprocess.run(
        ["docker", "image", "inspect", IMAGE], capture_output=True, text=True, timeout=30, check=False
    )
    assert found.returncode == 0, f"{found.stderr.strip()}\nThese tests run the real image: use `make test-container`."
    return IMAGE


@pytest.fixture
def container(image: str, tmp_path: Path) -> Iterator[ActionContainer]:
    """A runner's machine with an empty checkout."""
    container = ActionContainer(image, tmp_path / "machine")
    yield container
    container.give_back()
