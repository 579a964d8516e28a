"""`check-suite`: every mistake in suite, case and evidence files, before anything is asked of the app."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime

from raggate_action.errors import ExitCode
from raggate_action.suite_files import load_suite


def run(options: argparse.Namespace) -> int:
    """Print what the suite holds, or fail with every problem found."""
    loaded = load_suite(options.suite, environment=os.environ, today=datetime.now(UTC).date(), on_this_machine=True)
    chunks = f"{len(loaded.evidence)} chunks of evidence" if loaded.evidence is not None else "no evidence store"
    sys.stdout.write(f"{options.suite}: {loaded.suite.suite}: {len(loaded.cases)} cases, {chunks}, no mistakes found\n")
    sys.stdout.writelines(f"  note: {remark}\n" for remark in loaded.remarks)
    return ExitCode.RELEASE
