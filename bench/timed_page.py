"""The command, as `python -m raggate_action` runs it, with the CPU seconds of its report page told apart.

    python bench/timed_page.py FILE run suite.yaml --out DIR

The file holds them afterwards; it stays as it is where no page was written.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from raggate_action.cli.main import main
from raggate_action.run import run_execution


def timed(told: Path) -> None:
    """Have every page of this process write what it took into a file."""
    write = vars(run_execution)["write_or_warn"]

    def writing(*arguments: Any) -> None:
        began = time.process_time()
        write(*arguments)
        told.write_text(str(time.process_time() - began), encoding="utf-8")

    vars(run_execution)["write_or_warn"] = writing


if __name__ == "__main__":
    timed(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
