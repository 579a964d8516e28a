"""Fuzz one part with atheris for a bounded time.

    python fuzz/run.py answers --seconds 15

An input that crashes is kept in `fuzz/found/`, and the exit code is not 0.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

FOUND = Path(__file__).parent / "found"
# Longer inputs show nothing that shorter ones do not, and take the time of many.
_LONGEST = 4_096
# One input takes milliseconds; what takes this long has blown up.
_SECONDS_EACH = 10
# Atheris measures the time of an input by the alarm that `within` takes, and that Python gives back to it changed: the
# next ring counts as a timeout. So `within` measures it here, and atheris's alarm comes after any fuzzing's end.
_NEVER_S = 1_000_000


def main() -> None:
    """Fuzz until the time is over; atheris ends the process."""
    import atheris

    with atheris.instrument_imports(include=["raggate_action"]):
        from fuzz.harnesses import HARNESSES
        from raggate_action.isolation.time_limit import within
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=HARNESSES)
    parser.add_argument("--seconds", type=int, default=15)
    options = parser.parse_args()
    harness = HARNESSES[options.part]

    def bounded(data: bytes) -> None:
        # What never comes back from C code cannot be interrupted, only ended.
        faulthandler.dump_traceback_later(3 * _SECONDS_EACH, exit=True)
        within(_SECONDS_EACH, lambda: harness.run(data))

    FOUND.mkdir(exist_ok=True)
    with TemporaryDirectory() as corpus:
        for number, seed in enumerate(harness.seeds()):
            Path(corpus, f"seed-{number}").write_bytes(seed)
        limits = (f"-max_total_time={options.seconds}", f"-timeout={_NEVER_S}", f"-max_len={_LONGEST}")
        kept = f"-artifact_prefix={FOUND}/{options.part}-"
        atheris.Setup([sys.argv[0], corpus, *limits, kept, "-print_final_stats=1"], bounded)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
