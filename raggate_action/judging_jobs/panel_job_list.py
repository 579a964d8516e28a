"""The jobs of a run's panel, in the order that people read of them."""

from __future__ import annotations

from typing import Any, Final

from raggate_action.judging_jobs.answer_job import ANSWER
from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.judging_jobs.panel_job import RunJob

RUN_JOBS: Final[tuple[RunJob[Any, Any], ...]] = (CLAIMS, ANSWER)
