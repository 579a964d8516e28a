"""The most memory that a piece of work takes, in a process of its own.

Not by `getrusage`: on Linux a new program keeps the peak of the process that started it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# What no reply may make a process take.
LIMIT_MB = 512
_MEASURED = """
import sys
sys.path.insert(0, {root!r})
{code}
with open("/proc/self/status") as status:
    (peak,) = [line for line in status if line.startswith("VmHWM")]
print(int(peak.split()[1]) * 1024 // 1_000_000)
"""


def measured(code: str, *arguments: str, timeout_s: float = 120) -> tuple[list[str], int]:
    """What the code prints, by line, and the megabytes it took at most; it finds `arguments` in `sys.argv[1:]`."""
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED.format(root=root, code=code), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout_s,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    *printed, peak = done.stdout.splitlines()
    return printed, int(peak)
