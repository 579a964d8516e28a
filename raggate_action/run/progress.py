"""What a person sees while a run or a trial of judges goes on: a bar in a terminal, a few plain lines in a CI log."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import TextIO

from raggate_action.report.escape import log_line
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.later import Judgement
from raggate_action.strings.numbers import count

_BAR = 28
_MINUTE_S, _HOUR_S = 60, 3600
_REDRAW_S = 0.1
_PLAIN_EVERY_S = 30.0


class Progress:
    """Counts finished cases on stderr.

    A terminal gets one line, redrawn; anything else (a CI log, a file) a line every 30 seconds, so that a quick
    run prints none.
    """

    def __init__(
        self,
        total: int,
        *,
        environment: Mapping[str, str],
        stream: TextIO | None = None,
        quiet: bool = False,
        what: str = "cases",
    ) -> None:
        self._what = what
        self._quiet = quiet
        self._stream = stream if stream is not None else sys.stderr
        self._live = self._stream.isatty() and "CI" not in environment and environment.get("TERM") != "dumb"
        self._total = total
        self._done = self._failed = 0
        self._calls, self._cost_usd, self._unpriced = 0, 0.0, False
        self._began: float | None = None
        self._next = time.monotonic() + (_REDRAW_S if self._live else _PLAIN_EVERY_S)

    def advance(self, row: CaseRun) -> None:
        """One more case has finished."""
        self.count(failed=row.state == "failed")

    def count(self, *, failed: bool) -> None:
        """One more case is done, of which there is no row."""
        self._done += 1
        self._failed += failed
        if self._done % 16 == 0 or self._total < 1000:
            self._redraw()

    def judged(self, judgement: Judgement) -> None:
        """A judge has said something, or what it said before was taken."""
        self._began = self._began or time.monotonic()
        self._calls += judgement.calls
        self._cost_usd += judgement.cost_usd or 0.0
        self._unpriced = self._unpriced or judgement.cost_usd is None
        self._redraw()

    def tell(self, line: str) -> None:
        """A line beside the count: what is waited for."""
        if not self._quiet:
            self.close()
            self._stream.write(f"raggate: {log_line(line)}\n")
            self._stream.flush()

    def close(self) -> None:
        """Leave a clean line behind."""
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _redraw(self) -> None:
        now = time.monotonic()
        if not self._quiet and now >= self._next:
            self._next = now + (_REDRAW_S if self._live else _PLAIN_EVERY_S)
            self._draw()

    def _judging(self) -> str:
        """What judging came to so far, and how long what is left will take at this pace; empty without judges."""
        return f"; judges: {self._spent(self._began)}" if self._began is not None else ""

    def _spent(self, began: float) -> str:
        cost = f", ${self._cost_usd:.2f}{' and more' if self._unpriced else ''}" if self._calls else ""
        left = self._total - self._done
        seconds = (time.monotonic() - began) / self._done * left if self._done else None
        soon = f", {duration(seconds)} left" if seconds is not None and left else ""
        return f"{count(self._calls, 'call')}{cost}{soon}"

    def _counts(self) -> str:
        return f"{self._done}/{self._total} {self._what}, {self._failed} failed{self._judging()}"

    def _draw(self) -> None:
        counts = self._counts()
        if self._live:
            filled = _BAR * self._done // max(1, self._total)
            self._stream.write(f"\r\x1b[K{'█' * filled}{'░' * (_BAR - filled)} {counts}")
        else:
            self._stream.write(f"raggate: {counts}\n")
        self._stream.flush()


class TrialProgress(Progress):
    """Counts what judges on trial have said of labelled answers and planted instructions, in the same way."""

    def __init__(self, total: int, *, environment: Mapping[str, str], stream: TextIO | None = None) -> None:
        """Begin.

        Args:
            total: Judgements to be had, of all judges together.
            environment: Says whether this is a CI log, or a terminal that redraws nothing.
            stream: Where it is shown; None is stderr.
        """
        super().__init__(total, environment=environment, stream=stream)
        self._heard: set[tuple[str, str]] = set()

    def judged(self, judgement: Judgement) -> None:
        """A judge has said something; of one answer it counts once, however often it is looked up."""
        self._heard.add((judgement.judge, judgement.id))
        self._done = len(self._heard)
        super().judged(judgement)

    def _counts(self) -> str:
        spent = f"; {self._spent(self._began)}" if self._began is not None else ""
        return f"{self._done}/{self._total} judgements{spent}"


def duration(seconds: float) -> str:
    """About how long: `40 s`, `3 min`, `2 h`."""
    if seconds < 1.5 * _MINUTE_S:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / _MINUTE_S)} min" if seconds < 1.5 * _HOUR_S else f"{round(seconds / _HOUR_S)} h"
