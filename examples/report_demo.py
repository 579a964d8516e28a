"""The block of the menu app as its report page: `report-demo/report.html`, to be opened in a browser."""

from __future__ import annotations

import os
import shutil
import sys

from examples.demo import BLOCK, RELEASE, ROOT, suite_run

DEMO = ROOT / "report-demo"


def main() -> int:
    """Leave the page in `report-demo/`; 0 when both runs ended as they must."""
    shutil.rmtree(DEMO, ignore_errors=True)
    DEMO.mkdir()
    baseline, changed = DEMO / "baseline", DEMO / "changed"
    codes = suite_run("disciplined", baseline), suite_run("helpful", changed, "--baseline", os.path.relpath(baseline))
    shutil.copy(changed / "report.html", DEMO / "report.html")
    print(f"\nOpen it in a browser: {(DEMO / 'report.html').relative_to(ROOT)}")
    return 0 if codes == (RELEASE, BLOCK) else 1


if __name__ == "__main__":
    sys.exit(main())
