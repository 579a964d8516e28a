"""`python -m raggate_action`."""

from __future__ import annotations

import sys

from raggate_action.cli.main import main


def entry() -> None:
    """The console script."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    entry()
