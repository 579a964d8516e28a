"""What every test finds as the process began: a command run in it leaves nothing behind for the next."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def process_settings() -> Iterator[None]:
    """`main` is the process's own: it sets how SIGTERM ends it, and how often cycles are looked for."""
    ended, collected = signal.getsignal(signal.SIGTERM), gc.get_threshold()
    yield
    signal.signal(signal.SIGTERM, ended)
    gc.set_threshold(*collected)
