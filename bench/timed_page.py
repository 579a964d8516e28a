"""The command as `python -m raggate_action` runs it; the file named first gets the CPU seconds of its report page."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from raggate_action.cli.main import main
from raggate_action.run import run_execution

if __name__ == "__main__":
    write = vars(run_execution)["write_or_warn"]

    def timed(*arguments: Any) -> None:
        """Write the page, and what it took."""
        began = time.process_time()
        write(*arguments)
        Path(sys.argv[1]).write_text(str(time.process_time() - began), encoding="utf-8")

    vars(run_execution)["write_or_warn"] = timed
    sys.exit(main(sys.argv[2:]))
