"""Writes the comment of each situation that the tests bound as a page of Markdown, for `shoot.mjs` to photograph.

    python dev/pictures/write_pages.py FOLDER

Several comments of one pull request stand in one file, with a form feed between.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.situations import SITUATIONS, comments_of  # noqa: E402

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SITUATIONS.items():
        (folder / f"{name}.md").write_text("\n\f\n".join(comments_of(make())))
