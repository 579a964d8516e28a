"""A fault of ours at one case: its trace goes to the log, the case is unmeasured, and the run goes on."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from typing import TypeVar

from raggate_action.errors import RaggateError
from raggate_action.isolation.time_limit import TimeLimitError
from raggate_action.report.escape import clean, log_line
from raggate_action.schema.trace import NoTrace
from raggate_action.version import ISSUES

T = TypeVar("T")
U = TypeVar("U")

# No fault of one case: what we foresaw, what has its own road, and what leaves no room or reader for the other cases.
ENDS_MORE = (RaggateError, TimeLimitError, MemoryError, BrokenPipeError)
# The innermost frames tell where it failed; a run with many such cases must not drown its log.
_FRAMES = 12


_NOT_JUDGED = "could not be judged"


def guarded(case_id: str, work: Callable[[], T], instead: Callable[[NoTrace], U], *, what: str = _NOT_JUDGED) -> T | U:
    """Some work on one case; where it fails in a way nobody foresaw, what `instead` makes of that.

    Args:
        case_id: The case.
        work: It leaves nothing half done that anybody reads afterwards.
        instead: Given what a row may say of the fault.
        what: What came of it, for the log.
    """
    try:
        return work()
    except ENDS_MORE:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the other cases are judged all the same
        return instead(noted(case_id, error, what=what))


def noted(case_id: str, error: Exception, *, what: str = _NOT_JUDGED) -> NoTrace:
    """Log a fault at a case, and say of it what a row may hold.

    The message of the error is left out, here and there: it may repeat an answer, and what keeps restricted words out
    of the log may be what failed.

    Args:
        case_id: The case.
        error: What was raised.
        what: What came of it.
    """
    kind = type(error).__name__
    frames = list(_frames(error))
    lines = traceback.format_list(frames[-_FRAMES:])
    place = f" in {frames[-1].name}" if frames else ""
    sys.stderr.write(f"raggate: case {log_line(case_id)} {what}, a fault in raggate:\n")
    sys.stderr.writelines(f"{clean(line)}\n" for each in lines for line in each.rstrip("\n").split("\n"))
    sys.stderr.write(f"{clean(kind)}\nraggate: the run goes on; please report this with the lines above: {ISSUES}\n")
    return NoTrace("fault", f"{kind}{place}")


def _frames(error: BaseException) -> Iterator[traceback.FrameSummary]:
    """Where it went through, those that led to it first."""
    led = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if led is not None:
        yield from _frames(led)
    yield from traceback.extract_tb(error.__traceback__)
